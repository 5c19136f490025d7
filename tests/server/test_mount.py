"""The server under a prefix of FastAPI, Starlette and Django applications."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import django
import pytest
from django.conf import settings as django_settings
from django.core.asgi import get_asgi_application
from django.http import HttpRequest, HttpResponse
from django.urls import path as django_path
from fastapi import FastAPI
from fastapi.middleware.cors import CORSMiddleware
from starlette.applications import Starlette
from starlette.exceptions import HTTPException
from starlette.requests import HTTPConnection
from starlette.routing import Mount
from tests.server.conftest import Client
from tests.server.ws.phone import RULES, Phone, VoiceServe, in_thread

from antiphon import Context, Principal, Registry, tool
from antiphon.config import Settings
from antiphon.emulators.base import Emulator
from antiphon.emulators.runner import emulate
from antiphon.server import AntiphonServer, create_app
from antiphon.storage import Store

SHOP = "https://shop.example"


async def by_header(request: HTTPConnection) -> Principal | None:
    """What a host application knows of its people, here by a header."""
    name = request.headers.get("x-user")
    if name == "banned":
        raise HTTPException(403, "This account is closed.")
    if name == "broken":
        raise LookupError("the directory is gone")
    return None if name is None else Principal(name, known_of(name))


def known_of(name: str) -> dict[str, Any]:
    """Bea is the second person for what Ada asks for."""
    return {"tenant": "acme", **({"approves_for": ["ada"]} if name == "bea" else {})}


def by_query(request: HTTPConnection) -> Principal | None:
    name = request.query_params.get("who") or request.headers.get("x-user")
    return Principal(name, known_of(name)) if name else None


@tool(side_effects="read_only", origin="trusted", outside=False)
async def who_asks(context: Context) -> dict[str, Any]:
    """Say who asks."""
    return {"user": context.session.user, "tenant": context.session.data.get("tenant")}


ADA = {"user": "ada", "tenant": "acme"}
WHO = {"on": "text", "with": {"text": "who am I"}, "reply": [{"call": {"name": "who_asks"}}]}


# -- hosts ------------------------------------------------------------------------------------


def fastapi_host(server: AntiphonServer) -> Any:
    host = FastAPI(lifespan=lambda _: server.running())
    host.add_middleware(CORSMiddleware, allow_origins=[SHOP], allow_methods=["*"])

    @host.get("/own")
    async def own() -> dict[str, str]:
        return {"from": "the host"}

    host.mount("/agents/voice", server)
    return host


def starlette_host(server: AntiphonServer) -> Any:
    """Nobody opens the server here: its first request does."""
    return Starlette(routes=[Mount("/agents/voice", app=server)])


def _own(_request: HttpRequest) -> HttpResponse:
    return HttpResponse("from Django")


urlpatterns = [django_path("own", _own)]


def django_host(server: AntiphonServer) -> Any:
    if not django_settings.configured:
        django_settings.configure(ROOT_URLCONF=__name__, ALLOWED_HOSTS=["*"], SECRET_KEY="-")
        django.setup()
    return Starlette(
        routes=[Mount("/agents/voice", app=server), Mount("/", app=get_asgi_application())],
        lifespan=lambda _: server.running(),
    )


HOSTS = {"fastapi": fastapi_host, "starlette": starlette_host, "django": django_host}


@pytest.fixture(scope="module")
def serve(tmp_path_factory: pytest.TempPathFactory) -> VoiceServe:
    folder = tmp_path_factory.mktemp("mount")
    serve = VoiceServe(folder)
    serve.registry = Registry.of(who_asks, folders=[folder / "tools"])
    return serve


@pytest.fixture(scope="module")
def emulator() -> Iterator[Emulator]:
    with emulate("gemini", {"rules": [WHO, *RULES["rules"]]}, check=False) as started:
        yield started


@pytest.fixture(scope="module", params=[*HOSTS])
def client(
    request: pytest.FixtureRequest,
    serve: VoiceServe,
    emulator: Emulator,
    tmp_path_factory: pytest.TempPathFactory,
) -> Iterator[Client]:
    key = {
        "api_key": emulator.key,
        "base_url": emulator.base_url,
        "ca_file": emulator.ca_file,
    }
    settings = Settings(
        data=tmp_path_factory.mktemp("data"),
        providers={"gemini": key},
        profiles={"folder": serve.profiles},
        server={"origins": [SHOP], "admin_token": "of-the-operator-only"},
    )
    hook = by_query if request.param == "django" else by_header
    server = create_app(serve.registry, settings, principal=hook, hosts=["shop.example"])
    with ExitStack() as stack:
        app = HOSTS[request.param](server)
        server.services.warm_after = float("inf")
        yield stack.enter_context(in_thread(app))


def call(client: Client, user: str, tool: str, args: Any, **body: Any) -> Any:
    return client.post(f"/agents/voice/api/tools/{tool}/call", {"args": args, **body}, x_user=user)


# -- the same under every host -----------------------------------------------------------------


def test_a_tool_is_called_below_the_prefix(client: Client) -> None:
    reply = call(client, "ada", "find", {"query": "loom"})
    assert (reply.status, reply.json["data"]) == (200, {"results": ["loom"]})


def test_handlers_know_the_principal_in_calls_chat_and_voice(client: Client) -> None:
    assert call(client, "ada", "who_asks", {}).json["data"] == ADA
    made = client.post("/agents/voice/api/sessions", {"mode": "text"}, x_user="ada").json
    assert call(client, "ada", "who_asks", {}, session_id=made["id"]).json["data"] == ADA
    body = {"message": "who am I", "backend": "gemini", "profile": "plain"}
    told = client.post("/agents/voice/api/chat", body, x_user="ada", accept="application/json").json
    assert [each["envelope"]["data"] for each in told["calls"]] == [ADA]
    headers = {"X-User": "ada"}
    with Phone(client.port, "/agents/voice/ws/vox", additional_headers=headers) as phone:
        phone.start()
        phone.say("text", text="who am I")
        assert phone.until("function_result")["result"] == {**ADA, "success": True}


def test_the_host_keeps_its_own_addresses(client: Client) -> None:
    reply = client.get("/own")
    assert reply.status == 404 or b"from" in reply.body
    assert client.get("/api/tools", x_user="ada").status == 404


def test_a_conversation_in_text_streams_below_the_prefix(client: Client) -> None:
    body = {"message": "find analytical", "backend": "gemini", "profile": "plain"}
    reply = client.post("/agents/voice/api/chat", body, x_user="ada", accept="text/event-stream")
    events = re.findall(r"^event: (\w+)$", reply.body.decode(), re.MULTILINE)
    assert (reply.status, events[0], events[-1]) == (200, "session", "done")
    assert {"tool_call", "tool_result", "text"} <= set(events)


def test_a_conversation_by_voice_is_held_below_the_prefix(client: Client) -> None:
    who = {"X-User": "ada"}
    path = "/agents/voice/ws/vox"
    with Phone(client.port, path, additional_headers=who) as phone:
        ready = phone.start()
        phone.say("text", text="find analytical")
        assert phone.until("function_result")["result"]["results"] == ["analytical"]
        phone.until("audio")
        phone.until("turn_complete")
        phone.say("audio_end")
        phone.until("turn_complete")
    owned = client.get(f"/agents/voice/api/sessions/{ready['sessionId']}", x_user="ada")
    assert owned.json["user"] == "ada"
    hidden = client.get(f"/agents/voice/api/sessions/{ready['sessionId']}", x_user="bob")
    assert hidden.status == 404


def test_the_console_loads_all_its_files_below_the_prefix(client: Client) -> None:
    page = client.get("/agents/voice/", x_user="ada")
    assert (page.status, page.media_type) == (200, "text/html")
    links = re.findall(r'(?:href|src)="([^"]+)"', page.body.decode())
    assert "console/app.js" in links
    assert not [link for link in links if link.startswith("/")]
    found = [client.get(f"/agents/voice/{link}", x_user="ada").status for link in links]
    assert found == [200] * len(links)


def test_the_page_without_its_slash_is_redirected(client: Client) -> None:
    reply = client.get("/agents/voice", x_user="ada")
    if b"<!doctype html>" not in reply.body:  # all that is not below the prefix is Django's
        assert reply.status == 307
        assert reply.headers["location"].endswith("/agents/voice/")


def test_documents_name_addresses_with_the_prefix(client: Client) -> None:
    described = client.get("/agents/voice/openapi.json", x_user="ada").json
    assert described["servers"] == [{"url": "/agents/voice"}]
    nothing = client.get("/agents/voice/api/nothing", x_user="ada")
    assert nothing.status == 404
    assert nothing.json["detail"] == (
        "There is nothing at /agents/voice/api/nothing. GET /agents/voice/openapi.json lists "
        "what there is."
    )
    made = client.post("/agents/voice/api/sessions", {"mode": "text"}, x_user="ada")
    assert made.headers["location"] == f"/agents/voice/api/sessions/{made.json['id']}"
    lost = call(client, "ada", "find", {"query": "x"}, session_id="none")
    assert "POST /agents/voice/api/sessions starts one" in lost.json["detail"]
    wrong = client.send("PUT", "/agents/voice/api/sessions", {"x-user": "ada"})
    assert (wrong.status, wrong.headers["allow"]) == (405, "GET, HEAD, POST")


# -- who asks ------------------------------------------------------------------------------------


def test_nobody_is_refused_over_http_and_at_the_socket(client: Client) -> None:
    reply = client.get("/agents/voice/api/tools")
    assert (reply.status, reply.media_type) == (401, "application/problem+json")
    assert reply.json["detail"].startswith("Sign in first")
    with Phone(client.port, "/agents/voice/ws/vox") as phone:
        code, words = phone.closed()
    assert (code, words[:13]) == (4401, "Sign in first")


def test_probes_are_open_to_all(client: Client) -> None:
    assert client.get("/agents/voice/healthz").status == 200


def test_sessions_belong_to_the_principal(client: Client) -> None:
    made = client.post("/agents/voice/api/sessions", {"mode": "text"}, x_user="ada").json
    assert made["user"] == "ada"
    place = f"/agents/voice/api/sessions/{made['id']}"
    assert client.get(place, x_user="ada").status == 200
    assert client.get(place, x_user="bob").status == 404
    assert client.get(f"{place}/timeline", x_user="bob").status == 404
    assert client.send("DELETE", place, {"x-user": "bob"}).status == 404
    assert call(client, "bob", "find", {"query": "x"}, session_id=made["id"]).status == 404
    listed = client.get("/agents/voice/api/sessions", x_user="bob").json["sessions"]
    assert {each["user"] for each in listed} <= {"bob"}
    as_another = client.post(
        "/agents/voice/api/sessions", {"mode": "text", "user": "ada"}, x_user="bob"
    )
    assert (as_another.status, as_another.json["detail"]) == (
        403,
        "You are `bob` here. Leave `user` out.",
    )


def test_a_socket_cannot_start_as_somebody_else(client: Client) -> None:
    path = "/agents/voice/ws/vox"
    with Phone(client.port, path, additional_headers={"X-User": "bob"}) as phone:
        phone.say("start", mode="gemini", profile="plain", user="ada")
        assert phone.error() == "You are `bob` here. Leave `user` out."


def test_what_one_is_asked_another_cannot_see_or_answer(client: Client) -> None:
    args = {"file": "x", "text": "y"}
    asked = call(client, "ada", "ask_first", args).json["error"]["confirmation_request"]
    place = f"/agents/voice/api/confirmations/{asked['id']}"
    assert client.get(place, x_user="ada").json["user"] == "ada"
    assert client.get(place, x_user="bob").status == 404
    found = client.get("/agents/voice/api/confirmations", x_user="bob").json["confirmations"]
    assert asked["id"] not in [each["id"] for each in found]
    session = client.get(place, x_user="ada").json["session_id"]
    own = client.get(f"{place}?session_id={session}", x_user="ada").json
    answer = {"token": own["token"], "approve": True}
    assert client.post(place, answer, x_user="bob").status == 404
    assert client.post(place, {**answer, "approve": False}, x_user="ada").status == 200


def test_the_second_person_is_one_whom_the_application_names(
    client: Client, tmp_path: Path
) -> None:
    args = {"file": str(tmp_path / "lines"), "text": "y"}
    asked = call(client, "ada", "ask_two", args).json["error"]["confirmation_request"]["id"]
    call(client, "ada", "ask_first", args)  # of one person alone
    every = "/agents/voice/api/confirmations"
    seen = {who: client.get(every, x_user=who).json["confirmations"] for who in ("bea", "bob")}
    assert [each["id"] for each in seen["bea"]] == [asked]
    assert seen["bob"] == []
    place = f"{every}/{asked}"
    session = seen["bea"][0]["session_id"]

    def approve(who: str) -> Any:
        token = client.get(f"{place}?session_id={session}", x_user=who).json["token"]
        return client.post(place, {"token": token, "approve": True}, x_user=who).json["outcome"]

    assert client.get(f"{place}?session_id={session}", x_user="bob").status == 404
    assert (approve("ada"), approve("bea")) == ("pending", "approved")
    assert (tmp_path / "lines").read_text() == "y\n"
    assert client.get(place, x_user="ada").json["answered_by"] == "bea"


@pytest.mark.parametrize("address", ["/api/audit", "/metrics", "/metrics/history"])
def test_what_concerns_everybody_is_for_the_operator(client: Client, address: str) -> None:
    refused = client.get(f"/agents/voice{address}", x_user="ada")
    assert (refused.status, "admin token" in refused.json["detail"]) == (403, True)
    token = "Bearer of-the-operator-only"
    assert client.get(f"/agents/voice{address}", authorization=token).status == 200


# -- where from ----------------------------------------------------------------------------------


def test_only_known_hosts_and_origins_are_answered(client: Client) -> None:
    address = "/agents/voice/api/tools"
    assert client.get(address, x_user="ada", host="shop.example").status == 200
    foreign = client.get(address, x_user="ada", host="evil.example")
    assert (foreign.status, "`hosts`" in foreign.json["detail"]) == (421, True)
    for origin, status in ((SHOP, 200), ("https://evil.example", 403)):
        assert client.get(address, x_user="ada", origin=origin).status == status
    # Behind a proxy that ends TLS the page is one of https.
    own = client.get(address, x_user="ada", host="shop.example", origin=SHOP)
    assert own.status == 200
    unasked = client.get(address, x_user="ada", sec_fetch_site="cross-site")
    assert unasked.status == 403


def test_pages_of_another_origin_get_one_answer_about_it(client: Client) -> None:
    reply = client.get("/agents/voice/api/tools", x_user="ada", origin=SHOP)
    assert reply.headers.get_all("access-control-allow-origin") == [SHOP]


def test_a_browser_asks_for_leave_in_nobodys_name(client: Client) -> None:
    asks = {"origin": SHOP, "access-control-request-method": "POST"}
    leave = client.send("OPTIONS", "/agents/voice/api/chat", asks)
    assert (leave.status, leave.headers["access-control-allow-origin"]) == (200, SHOP)
    assert client.send("OPTIONS", "/agents/voice/api/chat", {"origin": SHOP}).status == 401


def test_large_files_may_be_brought_below_the_prefix(client: Client) -> None:
    address = "/agents/voice/api/calendar/import"
    body = b"BEGIN:VCALENDAR\r\n" + b"X-COMMENT:" + b"x" * 300_000
    reply = client.send("POST", address, {"x-user": "ada", "content-type": "text/calendar"}, body)
    assert reply.status != 413
    too_large = client.send("POST", "/agents/voice/api/chat", {"x-user": "ada"}, body)
    assert too_large.status == 413


# -- hooks that fail -----------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("user", "status", "code", "words"),
    [
        ("banned", 403, 4403, "This account is closed."),
        ("broken", 500, 1011, "Who makes this request could not be found out."),
    ],
)
def test_a_hook_may_refuse_in_its_own_words_and_fail_without_harm(
    serve: VoiceServe, tmp_path: Any, user: str, status: int, code: int, words: str
) -> None:
    server = create_app(serve.registry, Settings(data=tmp_path), principal=by_header)
    server.services.warm_after = float("inf")
    with in_thread(fastapi_host(server)) as client:
        reply = client.get("/agents/voice/api/tools", x_user=user)
        assert (reply.status, reply.json["detail"]) == (status, words)
        path, who = "/agents/voice/ws/vox", {"X-User": user}
        with Phone(client.port, path, additional_headers=who) as phone:
            assert phone.closed() == (code, words)


def test_to_be_open_to_others_needs_to_know_who_they_are(serve: VoiceServe, tmp_path: Any) -> None:
    with pytest.raises(ValueError, match="needs `principal`"):
        create_app(serve.registry, Settings(data=tmp_path), hosts=["shop.example"])


def test_a_server_runs_again_with_what_it_has_kept(serve: VoiceServe, tmp_path: Any) -> None:
    server = create_app(serve.registry, Settings(data=tmp_path))
    server.services.warm_after = float("inf")
    host = fastapi_host(server)
    with in_thread(host) as client:
        made = client.post("/agents/voice/api/sessions", {"mode": "text"}).json
    with in_thread(host) as client:
        found = client.get(f"/agents/voice/api/sessions/{made['id']}")
    assert (found.status, json.loads(found.body)["user"]) == (200, "local")


def test_a_server_that_its_first_request_opened_closes_with_the_loop(
    serve: VoiceServe, tmp_path: Any
) -> None:
    server = create_app(serve.registry, Settings(data=tmp_path))
    server.services.warm_after = float("inf")
    host = starlette_host(server)
    with in_thread(host) as client:
        assert client.get("/agents/voice/readyz").status == 503, "a probe opens nothing"
        made = client.post("/agents/voice/api/sessions", {"mode": "text"}).json
        assert client.get("/agents/voice/readyz").status == 200
    assert not server.services.ready
    with in_thread(host) as client:
        assert client.get(f"/agents/voice/api/sessions/{made['id']}").json["user"] == "local"


def test_a_server_that_cannot_be_opened_says_so_to_each_request(
    serve: VoiceServe, tmp_path: Any
) -> None:
    in_the_way = tmp_path / "data"
    in_the_way.write_text("no folder")
    server = create_app(serve.registry, Settings(data=in_the_way))
    with in_thread(starlette_host(server)) as client:
        for _ in range(2):
            reply = client.get("/agents/voice/api/tools")
            assert (reply.status, reply.media_type) == (503, "application/problem+json")
            assert reply.json["detail"] == "The server could not be opened. Its log says why."
        with Phone(client.port, "/agents/voice/ws/vox") as phone:
            assert phone.closed() == (1013, "The server could not be opened. Its log says why.")


def test_the_host_application_may_check_names_itself(serve: VoiceServe, tmp_path: Any) -> None:
    settings = Settings(data=tmp_path)
    server = create_app(serve.registry, settings, principal=by_header, hosts=["*"])
    server.services.warm_after = float("inf")
    with in_thread(fastapi_host(server)) as client:
        address, who = "/agents/voice/api/tools", {"x-user": "ada"}
        assert client.send("GET", address, {**who, "host": "any.example"}).status == 200
        assert client.send("GET", address, {**who, "host": "no name"}).status == 421


def test_a_server_with_a_store_that_it_was_given_runs_once(
    serve: VoiceServe, tmp_path: Any
) -> None:
    server = create_app(serve.registry, Settings(data=tmp_path), Store.open("sqlite://"))
    server.services.warm_after = float("inf")
    host = starlette_host(server)
    with in_thread(host) as client:
        assert client.get("/agents/voice/api/tools").status == 200
    with in_thread(host) as client:
        assert client.get("/agents/voice/api/tools").status == 503
