"""Limits over real sockets: requests, calls, sockets, files, tasks and speech of users who have
used theirs up, and who may set them."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import pytest
from tests.server.conftest import Client, Reply, Serve
from tests.server.ws.phone import RULES, Phone, eventually
from websockets.exceptions import ConnectionClosed
from websockets.sync.client import ClientConnection, connect

from antiphon.config import Settings
from antiphon.emulators.base import Emulator
from antiphon.emulators.runner import emulate
from antiphon.server import create_app

USER = {
    "requests_per_second": 0.001,
    "request_burst": 12,
    "calls_per_minute": 3,
    "calls_per_hour": 1000,
    "sockets": 2,
    "sessions": 3,
    "upload_bytes": 1000,
    "uploads_per_day": 2,
    "heard_seconds_per_day": 3,
}
# Users of a shop without limits but those that are set for them.
FREE = dict.fromkeys(USER, "unlimited")
ICS = b"BEGIN:VCALENDAR\r\nVERSION:2.0\r\nPRODID:x\r\nEND:VCALENDAR\r\n"


class Desk:
    """A server whose requests say in a header who makes them."""

    def __init__(self, client: Client, tokens: dict[str, str]) -> None:
        self.client = client
        self._tokens = tokens
        self._made = 0

    def headers(self, who: str, media_type: str = "application/json") -> dict[str, str]:
        token = self._tokens[who]
        return {"authorization": f"Bearer {token}", "content-type": media_type}

    def ask(self, who: str, method: str, path: str, body: Any = None) -> Reply:
        content = None if body is None else json.dumps(body).encode()
        return self.client.send(method, path, self.headers(who), content)

    def done(self, who: str, method: str, path: str, body: Any = None) -> Any:
        reply = self.ask(who, method, path, body)
        assert reply.status in (200, 201), reply.body
        return reply.json

    def somebody(self, **limits: float | str) -> str:
        """A new user with these limits and no others."""
        self._made += 1
        name = f"user{self._made}"
        self.done("root", "POST", "/api/users", {"name": name})
        made = self.done("operator", "POST", "/api/tokens", {"name": "test", "user": name})
        self._tokens[name] = made["secret"]
        self.done("root", "PUT", f"/api/limits/user/{name}", {"limits": {**FREE, **limits}})
        return name

    def socket(self, who: str) -> ClientConnection:
        address = f"ws://127.0.0.1:{self.client.port}/ws/vox"
        return connect(address, additional_headers=self.headers(who))

    def phone(self, who: str) -> Phone:
        return Phone(self.client.port, additional_headers=self.headers(who))

    def events(self, who: str) -> list[dict[str, Any]]:
        lines = self.done("root", "GET", "/api/audit?event=limit_reached")["lines"]
        return [line["details"] for line in lines if line["user"] == who]


@pytest.fixture(scope="module")
def desk(serve: Serve, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Desk]:
    """With `root`, administrator of the server; `sue`, of the shop; `sam`, her member; and `max`,
    who has the limits of the settings."""

    def made(data: Path, gemini: Emulator) -> Any:
        limits = {"user": USER, "organisation": FREE, "start_seconds": 1.0}
        address = {"api_key": gemini.key, "base_url": gemini.base_url, "ca_file": gemini.ca_file}
        return create_app(
            serve.registry,
            Settings(
                data=data,
                limits=limits,
                providers={"gemini": address},
                server={"admin_token": tokens["operator"]},
            ),
        )

    tokens = {"operator": "a token of some length"}

    async def populate() -> None:
        async with app.running():
            access = app.services.application.access
            book = app.services.application.limiter.book
            await access.create_organisation("shop", "The shop", "test")
            people = {"root": "", "sue": "shop", "sam": "shop", "max": ""}
            for name, organisation in people.items():
                roles = ["member"] if name in ("sam", "max") else ["admin"]
                await access.create_user(name, organisation=organisation, roles=roles, by="test")
                _, tokens[name] = await access.create_token(name, "test", by="test")
            for name in ("root", "sue"):
                amounts = dict.fromkeys(USER)
                await book.set_override(people[name], "user", name, amounts, "test")

    with emulate("gemini", RULES, check=False) as gemini:
        app = made(tmp_path_factory.mktemp("desk"), gemini)
        app.services.warm_after = float("inf")
        asyncio.run(populate())
        with serve.running(app) as client:
            yield Desk(client, tokens)


def limited(reply: Reply, limit: str, status: int = 429) -> Any:
    """The document of a refusal by a limit."""
    assert (reply.status, reply.media_type) == (status, "application/problem+json"), reply.body
    document = reply.json
    assert (document["code"], document["limit"]) == ("limit", limit)
    assert f"`{limit}`" in document["detail"]
    return document


def test_requests_beyond_the_burst_are_refused_and_say_when_to_come_back(desk: Desk) -> None:
    replies = [desk.ask("max", "GET", "/api/tools/kb_search") for _ in range(13)]
    assert [each.status for each in replies] == [200] * 12 + [429]
    document = limited(replies[-1], "requests_per_second")
    assert (document["scope"], document["most"]) == ("user", 0.001)
    assert int(replies[-1].headers["retry-after"]) >= document["retryAfter"] > 900
    assert replies[-1].headers["cache-control"] == "no-store"
    for _ in range(5):
        assert desk.ask("max", "GET", "/api/vox/status").status == 429
    # Others, and whoever looks whether the server is there, do not notice.
    assert desk.ask("root", "GET", "/api/tools/kb_search").status == 200
    assert desk.ask("max", "GET", "/healthz").status == 200
    assert [each["limit"] for each in desk.events("max")] == ["requests_per_second"]


def test_calls_beyond_the_limit_are_refused_by_a_rule_of_that_name(desk: Desk) -> None:
    who = desk.somebody(calls_per_minute=3)
    for number in range(3):
        args = {"name": f"P{number}", "description": ""}
        assert desk.done(who, "POST", "/api/tools/create_project/call", {"args": args})["ok"]
    reply = desk.ask(who, "POST", "/api/tools/create_project/call", {"args": {"name": "P4"}})
    error = reply.json["error"]
    assert (reply.status, error["type"], error["limit"]) == (429, "RATE_LIMIT", "calls_per_minute")
    assert 0 < error["retryAfter"] <= 61
    assert int(reply.headers["retry-after"]) >= error["retryAfter"]
    lines = desk.done("root", "GET", "/api/audit?event=tool_decision")["lines"]
    assert [line["rule"] for line in lines if line["user"] == who] == ["limit"]
    assert len(desk.done(who, "GET", "/api/projects")["projects"]) == 3
    mine = {
        (each["limit"], each["scope"]): each
        for each in desk.done(who, "GET", "/api/limits/me")["limits"]
    }
    standing = mine["calls_per_minute", "user"]
    assert (standing["most"], standing["used"], standing["resets_in"]) == (3, 3, 60)
    assert standing["words"] == "tool calls a minute"


def test_sockets_and_sessions_are_counted_while_they_are_open(desk: Desk) -> None:
    who = desk.somebody(sockets=2, sessions=1)
    with ExitStack() as stack:
        for _ in range(2):
            stack.enter_context(desk.socket(who))
        with desk.socket(who) as third:
            assert third.recv_streaming  # accepted, so that a browser can be told why
            with pytest.raises(Exception, match="2 sockets at once"):
                third.recv(timeout=10)
            assert third.close_code == 1013

    def opened() -> bool:
        with desk.socket(who) as line:
            line.send("{}")
            return "error" in str(line.recv(timeout=10))

    eventually(lambda: _true(opened))
    session = desk.done(who, "POST", "/api/sessions", {"mode": "text"})["id"]
    limited(desk.ask(who, "POST", "/api/sessions", {"mode": "text"}), "sessions")
    limited(desk.ask(who, "POST", "/api/chat", {"message": "hello"}), "sessions")
    assert desk.ask(who, "DELETE", f"/api/sessions/{session}").status in (200, 204)
    assert desk.done(who, "POST", "/api/sessions", {"mode": "text"})


def _true(check: Any) -> bool:
    try:
        return bool(check())
    except Exception:  # noqa: BLE001 - it is asked again
        return False


def test_a_socket_that_says_nothing_is_closed(desk: Desk) -> None:
    with desk.socket("root") as line:
        assert "No conversation was begun" in str(line.recv(timeout=20))
        with pytest.raises(Exception, match="1008"):
            line.recv(timeout=20)


def test_files_are_counted_by_the_day_and_by_their_size(desk: Desk) -> None:
    who = desk.somebody(upload_bytes=1000, uploads_per_day=2)

    def upload(content: bytes) -> Reply:
        headers = desk.headers(who, "text/calendar")
        return desk.client.send("POST", "/api/calendar/import", headers, content)

    large = upload(ICS + b"X-NOTE:" + b"a" * 1000 + b"\r\n")
    assert "retry-after" not in large.headers
    assert limited(large, "upload_bytes", 413)["used"] > 1000
    for _ in range(2):
        assert upload(ICS).status == 200
    document = limited(upload(ICS), "uploads_per_day")
    assert (document["used"], document["most"]) == (2, 2)
    assert 0 < document["retryAfter"] <= 86_400


def test_speech_that_is_used_up_ends_the_socket_with_words(desk: Desk) -> None:
    who = desk.somebody(heard_seconds_per_day=3)
    with desk.phone(who) as phone:
        phone.start(profile="assistant", greeting=False)
        for _ in range(8):
            phone.say("audio", data="AAAA" * 8000)  # three quarters of a second
        refusal = phone.until("error")
        assert (refusal["kind"], refusal["fatal"]) == ("limit", True)
        assert "`heard_seconds_per_day`" in refusal["message"]
        with pytest.raises(ConnectionClosed):
            phone.until("voice_session_end")
        assert phone.socket.close_code == 1008
    eventually(lambda: heard_today(desk, who) == 3)
    with desk.phone(who) as phone:
        phone.say("start", mode="gemini")
        refusal = phone.until("error")
        assert (refusal["kind"], refusal.get("fatal")) == ("limit", None)
    limits = {"limits": {**FREE, "spoken_seconds_per_day": 0}}
    desk.done("root", "PUT", f"/api/limits/user/{who}", limits)
    limited(desk.ask(who, "POST", "/api/vox/speech", {"text": "Hello."}), "spoken_seconds_per_day")


def test_speech_that_was_counted_and_not_used_is_given_back(desk: Desk) -> None:
    who = desk.somebody(heard_seconds_per_day=100)
    with desk.phone(who) as phone:
        phone.start(profile="assistant", greeting=False)
        phone.say("audio", data="AAAA" * 8000)
        assert heard_today(desk, who) == 30
        phone.say("end")
        phone.until("voice_session_end")
    eventually(lambda: heard_today(desk, who) == pytest.approx(0.75))


def heard_today(desk: Desk, who: str) -> float:
    limits = desk.done(who, "GET", "/api/limits/me")["limits"]
    names = {each["limit"]: each["used"] for each in limits if each["scope"] == "user"}
    return float(names["heard_seconds_per_day"])


def test_knowledge_has_room_for_what_the_organisation_may_keep(desk: Desk) -> None:
    whole = {"limits": {**FREE, "knowledge_bytes": 1}}
    desk.done("root", "PUT", "/api/limits/organisation?organisation=shop", whole)
    try:
        assert desk.ask("sue", "POST", "/api/knowledge", {"id": "notes"}).status == 201
        headers = desk.headers("sue", "text/plain")
        reply = desk.client.send(
            "POST", "/api/knowledge/notes/files?name=a.txt", headers, b"Ada founded Acme."
        )
        assert limited(reply, "knowledge_bytes")["scope"] == "organisation"
        record = {"type": "note", "text": "x"}
        reply = desk.ask("sue", "PUT", "/api/knowledge/notes/records/a", record)
        limited(reply, "knowledge_bytes")
        args = {"text": "Ada founded Acme.", "database_id": "notes"}
        task = desk.done("sue", "POST", "/api/tools/ingest_to_kg/call", {"args": args})["data"]
        address = f"/api/tasks/{task['task_id']}"
        eventually(lambda: "`knowledge_bytes`" in str(desk.done("sue", "GET", address)))
    finally:
        desk.done("root", "DELETE", "/api/limits/organisation?organisation=shop")


@pytest.mark.parametrize("depth", [65, 900, 10_000])
def test_json_is_nested_no_deeper_than_anybody_needs(desk: Desk, depth: int) -> None:
    deep = b"[" * depth + b"]" * depth
    headers = desk.headers("root")
    body = b'{"args": {"query": ' + deep + b"}}"
    reply = desk.client.send("POST", "/api/tools/kb_search/call", headers, body)
    assert (reply.status, reply.media_type) == (422, "application/problem+json")
    with desk.socket("root") as line:
        line.send('{"type": "browser_function_result", "result": ' + deep.decode() + "}")
        refusal = json.loads(line.recv(timeout=20))
        assert refusal["type"] == "error"
        line.send('{"type": "end"}')


def test_limits_are_set_within_an_organisation_and_never_wider_than_its_own(desk: Desk) -> None:
    small = {"limits": {"sockets": 5, "calls_per_minute": "unlimited"}}
    made = desk.done("root", "PUT", "/api/limits/organisation?organisation=shop", small)
    assert (made["kind"], made["name"], made["limits"]) == (
        *("organisation", "*"),
        {"sockets": 5, "calls_per_minute": "unlimited"},
    )
    assert desk.done("sue", "GET", "/api/limits/organisation")["updated_by"] == "root"
    set_sam = "/api/limits/user/sam"
    made = desk.done("sue", "PUT", set_sam, {"limits": {"sockets": 5, "tasks": 0.5}})
    assert made["organisation"] == "shop"
    for body, words in (
        ({"sockets": 6}, "at most 5"),
        ({"sockets": "unlimited"}, "at most 5"),
        ({"sockts": 1}, "no limit `sockts`"),
        ({"sockets": -1}, "sockets"),
        ({"sockets": "many"}, "sockets"),
    ):
        reply = desk.ask("sue", "PUT", set_sam, {"limits": body})
        assert reply.status == 422
        assert words in reply.json["detail"]
    assert desk.ask("sue", "PUT", "/api/limits/organisation", small).status == 403
    assert desk.ask("sue", "PUT", "/api/limits/user/sue", small).status == 403
    assert desk.ask("sue", "PUT", "/api/limits/user/max", small).status == 404
    assert desk.ask("sue", "GET", "/api/limits?organisation=").status == 403
    assert desk.ask("sue", "PUT", "/api/limits/role/nothing", {"limits": {}}).status == 404
    assert desk.ask("sam", "GET", "/api/limits").status == 403
    listed = desk.done("sue", "GET", "/api/limits")
    assert listed["user_defaults"]["sockets"] == 2
    assert {(each["kind"], each["name"]) for each in listed["overrides"]} == {
        *(("organisation", "*"), ("user", "sam"), ("user", "sue"))
    }
    assert desk.done("sue", "GET", set_sam)["limits"] == {"sockets": 5, "tasks": 0.5}
    assert desk.done("sue", "DELETE", set_sam) == {"removed": "sam"}
    assert desk.ask("sue", "GET", set_sam).status == 404
    assert desk.ask("sue", "DELETE", set_sam).status == 404
    assert desk.done("root", "DELETE", "/api/limits/organisation?organisation=shop")


def test_who_is_not_counted_has_no_limits_to_show(client: Client) -> None:
    assert client.get("/api/limits/me").json == {"user": "local", "organisation": "", "limits": []}
