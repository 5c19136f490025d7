"""Revocation: sockets, streams and requests of somebody who may not go on, on every node."""

from __future__ import annotations

import http.client
import json
import sqlite3
import threading
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
from fastapi import FastAPI
from tests.server.conftest import Client
from tests.server.sign_in_helpers import (
    ACCESS,
    OPERATOR,
    PASSWORD,
    Browser,
    as_operator,
    events,
    in_a_moment,
    make_user,
)
from tests.server.ws.phone import RULES, Phone, VoiceServe, eventually
from tests.storage.conftest import (  # noqa: F401 - fixtures
    postgres,
    postgres_database,
    postgres_url,
)
from websockets.exceptions import InvalidStatus

from antiphon.emulators.runner import emulate

WAITING = {
    "on": "text",
    "with": {"text": r"/wait (\S+)/"},
    "reply": [{"call": {"name": "wait_until_there", "args": {"file": "{1}"}}}],
}


@dataclass
class Nodes:
    """Two servers over one store: what is done at the first holds at the second."""

    first: Client
    second: Client
    apps: list[FastAPI]


@pytest.fixture(scope="module")
def nodes(voice_serve: VoiceServe, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Nodes]:
    data = tmp_path_factory.mktemp("nodes") / "data"
    with ExitStack() as stack:
        script = {"rules": [WAITING, *RULES["rules"]]}
        emulator = stack.enter_context(emulate("gemini", script, check=False))
        apps, clients = [], []
        for _ in range(2):
            app = voice_serve.voice_app(
                emulator, data=data, access=ACCESS, server={"admin_token": OPERATOR}
            )
            apps.append(app)
            clients.append(stack.enter_context(voice_serve.running(app)))
        make_user(clients[0], "root", "admin")
        yield Nodes(*clients, apps)


def member(nodes: Nodes, name: str) -> Browser:
    """A new user, signed in at the second node."""
    make_user(nodes.first, name)
    browser = Browser(nodes.second)
    assert browser.sign_in(name).status == 200
    return browser


@contextmanager
def socket_of(browser: Browser, **options: Any) -> Iterator[Phone]:
    cookie = {"Cookie": f"antiphon={browser.secret}"}
    usual = {"origin": browser.origin, "additional_headers": cookie}
    with Phone(browser.client.port, **{**usual, **options}) as phone:
        yield phone


def ticket_of(browser: Browser) -> str:
    reply = browser.post("/api/account/ticket")
    assert reply.status == 200, reply.body
    assert reply.json["expires_in"] == 30
    return str(reply.json["ticket"])


def closed_at_once(port: int, **options: Any) -> tuple[int, str]:
    with Phone(port, **options) as phone:
        return phone.closed()


# -- how a socket is opened ------------------------------------------------------------------


def test_a_socket_opens_with_a_cookie_a_token_and_a_ticket(nodes: Nodes) -> None:
    ann = member(nodes, "ann")
    token = ann.post("/api/tokens", {"name": "phone"}).json["secret"]
    with socket_of(ann) as phone:
        assert phone.socket.subprotocol is None
        phone.start()
        phone.works()
    bearer = {"Authorization": f"Bearer {token}"}
    with Phone(nodes.second.port, additional_headers=bearer) as phone:
        phone.start()
    offered = ["antiphon", f"ticket.{ticket_of(ann)}"]
    with Phone(nodes.first.port, subprotocols=offered) as phone:
        assert phone.socket.subprotocol == "antiphon"
        phone.start()
    sessions = as_operator(nodes.first, "GET", "/api/sessions?limit=200")["sessions"]
    assert [each["user"] for each in sessions].count("ann") == 3


def test_a_ticket_is_good_once_and_nothing_else_is_one(nodes: Nodes) -> None:
    ann = member(nodes, "anne")
    used, port = ticket_of(ann), nodes.second.port
    with Phone(port, subprotocols=["antiphon", f"ticket.{used}"]):
        pass
    code, words = closed_at_once(port, subprotocols=["antiphon", f"ticket.{used}"])
    assert (code, words) == (4401, "This ticket was used already. Ask for a new one.")
    two = [f"ticket.{ticket_of(ann)}", f"ticket.{ticket_of(ann)}"]
    link = as_operator(nodes.first, "POST", "/api/users/anne/link")["secret"]
    for offered in (["antiphon", "ticket.nothing"], two, ["antiphon"], [f"ticket.{link}"]):
        assert closed_at_once(port, subprotocols=offered)[0] == 4401
    # Nor does it open anything else.
    bearer = {"Authorization": f"Bearer {ticket_of(ann)}"}
    assert nodes.second.send("GET", "/api/tools", bearer).status == 401
    codes = {line["details"]["code"] for line in events(nodes.first, "credential_refused")}
    assert {"used", "unknown", "foreign"} <= codes


def test_a_ticket_is_over_with_the_session_that_asked_for_it(nodes: Nodes) -> None:
    ann = member(nodes, "anna")
    ticket = ticket_of(ann)
    assert ann.post("/api/sign-out").status == 204
    offered = ["antiphon", f"ticket.{ticket}"]
    assert closed_at_once(nodes.second.port, subprotocols=offered)[0] == 4401


def test_a_socket_with_a_cookie_is_for_pages_of_this_server(nodes: Nodes) -> None:
    ann = member(nodes, "annie")
    with pytest.raises(InvalidStatus), socket_of(ann, origin="https://evil.example"):
        pass
    with socket_of(ann, origin=None) as phone:
        assert phone.closed()[0] == 4403
    assert closed_at_once(nodes.second.port)[0] == 4401


# -- and how it ends --------------------------------------------------------------------------


REVOKED = {
    "disabled": ("PATCH", "/api/users/{user}", {"disabled": True}),
    "removed": ("DELETE", "/api/users/{user}", None),
    "signed out elsewhere": (None, "", None),
}


@pytest.mark.parametrize("how", REVOKED)
def test_an_open_socket_ends_with_its_credential(nodes: Nodes, how: str, tmp_path: Path) -> None:
    method, path, body = REVOKED[how]
    name = how.replace(" ", "-")
    browser = member(nodes, name)
    other = browser.fresh()
    other.sign_in(name)
    file = tmp_path / "there"
    with socket_of(browser) as phone:
        phone.start()
        phone.say("text", text=f"wait {file}")
        phone.until("function_call")
        if method is None:
            assert other.send("DELETE", "/api/account/sessions").status == 204
        else:
            as_operator(nodes.first, method, path.format(user=name), body)
        code, words = phone.closed()
    assert code == 4401
    assert words.endswith(("again.", "removed."))
    last = [each for each in phone.heard if each["type"] == "error"][-1]
    assert (last["kind"], last["message"]) == ("signed_out", words)
    # The session has no rights any more, whoever asks for a call in it.
    sessions = nodes.apps[1].services.application.orchestrator.sessions.values()
    left = [each.principal.rights for each in sessions if each.user == name]
    assert left
    assert all(rights is not None and not rights.permissions for rights in left)
    assert browser.get("/api/account").status == 401
    file.touch()


def test_a_stream_of_a_chat_ends_with_a_token(nodes: Nodes, tmp_path: Path) -> None:
    ann = member(nodes, "streaming")
    made = ann.post("/api/tokens", {"name": "stream"}).json
    file = tmp_path / "there"
    connection = http.client.HTTPConnection("127.0.0.1", nodes.second.port, timeout=60)
    body = {"message": f"wait {file}", "profile": "plain", "backend": "gemini"}
    headers = {
        "Authorization": f"Bearer {made['secret']}",
        "Content-Type": "application/json",
    }
    connection.request("POST", "/api/chat", json.dumps(body), headers)
    answer = connection.getresponse()
    assert answer.status == 200, answer.read()
    while answer.readline() != b"event: tool_call\n":
        pass
    as_operator(nodes.first, "DELETE", f"/api/tokens/{made['token']['id']}")
    told = answer.read().decode()
    connection.close()
    assert told.rstrip().rpartition("\n\n")[2].startswith("event: error\n")
    assert '"kind":"signed_out"' in told
    assert "This token was revoked." in told
    assert "event: done" not in told
    file.touch()


def test_an_answer_that_has_not_begun_is_refused_and_the_call_recorded(
    nodes: Nodes, tmp_path: Path
) -> None:
    ann = member(nodes, "waiting")
    file = tmp_path / "there"
    replies: list[Any] = []
    body = {"args": {"file": str(file)}}
    work = threading.Thread(
        target=lambda: replies.append(
            ann.post("/api/tools/slow_write/call", body, Idempotency_Key="once")
        )
    )
    work.start()
    eventually(lambda: Path(f"{file}.begun").exists())
    as_operator(nodes.first, "PATCH", "/api/users/waiting", {"disabled": True})
    work.join(60)
    assert (replies[0].status, replies[0].json["code"]) == (401, "revoked")
    file.touch()


def test_changed_roles_hold_in_an_open_conversation(nodes: Nodes) -> None:
    ann = member(nodes, "changing")
    sessions = nodes.apps[1].services.application.orchestrator.sessions

    def may(permission: str) -> bool:
        found = [each for each in sessions.values() if each.user == "changing"]
        return any(each.principal.may(permission) for each in found)

    with socket_of(ann) as phone:
        phone.start()
        assert not may("audit.read")
        as_operator(nodes.first, "PATCH", "/api/users/changing", {"roles": ["operator"]})
        eventually(lambda: may("audit.read"))
        phone.works()
        # Without the permission to talk it is over.
        as_operator(nodes.first, "PATCH", "/api/users/changing", {"roles": []})
        code, words = phone.closed()
    assert code == 4403
    assert "`tools.call`" in words
    with socket_of(ann) as phone:
        assert phone.closed() == (code, words)


def test_a_changed_password_ends_other_sessions_and_renews_this_one(nodes: Nodes) -> None:
    ann = member(nodes, "renewing")
    other = ann.fresh()
    other.sign_in("renewing")
    before = ann.secret
    wrong = ann.send("PUT", "/api/account/password", {"old": "wrong one", "new": "a" * 12})
    assert wrong.status == 403
    short = ann.send("PUT", "/api/account/password", {"old": PASSWORD, "new": "short"})
    assert short.status == 422
    with socket_of(ann) as phone:
        changed = {"old": PASSWORD, "new": "another long password"}
        assert ann.send("PUT", "/api/account/password", changed).status == 204
        assert ann.secret != before
        assert ann.account()["way"] == "password"
        assert other.get("/api/account").status == 401
        phone.start()  # it is the same session
    ann.cookies["antiphon"] = before
    assert ann.get("/api/account").status == 401
    assert ann.fresh().sign_in("renewing").status == 401
    assert ann.fresh().sign_in("renewing", "another long password").status == 200


def test_one_session_is_ended_from_another_and_those_of_others_are_not_there(
    nodes: Nodes,
) -> None:
    ann, eve = member(nodes, "two-places"), member(nodes, "eve")
    other = ann.fresh()
    other.sign_in("two-places")
    listed = ann.get("/api/account/sessions").json
    assert listed["count"] == 2
    assert sorted(each["current"] for each in listed["sessions"]) == [False, True]
    ended = next(each["id"] for each in listed["sessions"] if not each["current"])
    assert eve.send("DELETE", f"/api/account/sessions/{ended}").status == 404
    assert other.get("/api/account").status == 200
    assert ann.send("DELETE", f"/api/account/sessions/{ended}").status == 204
    assert other.get("/api/account").status == 401
    assert ann.send("DELETE", f"/api/account/sessions/{ended}").status == 404


def test_what_is_revoked_at_one_node_ends_at_another_over_postgresql(
    voice_serve: VoiceServe,
    postgres_url: str,  # noqa: F811
    tmp_path: Path,
) -> None:
    with ExitStack() as stack:
        first, second = (
            stack.enter_context(
                voice_serve.running(
                    voice_serve.voice_app(
                        data=tmp_path / str(number),
                        access=ACCESS,
                        server={"admin_token": OPERATOR},
                        store={"url": postgres_url},
                        secrets={"key": "00" * 32},
                    )
                )
            )
            for number in range(2)
        )
        make_user(first, "root", "admin")
        make_user(first, "ann")
        ann = Browser(second)
        assert ann.sign_in("ann").status == 200
        with socket_of(ann) as phone:
            as_operator(first, "PATCH", "/api/users/ann", {"disabled": True})
            assert phone.closed()[0] == 4401
        assert ann.get("/api/account").status == 401
        assert ann.sign_in("ann").status == 401


def test_a_store_that_is_away_lets_nobody_through(voice_serve: VoiceServe, tmp_path: Path) -> None:
    app = voice_serve.voice_app(
        data=tmp_path / "data", access=ACCESS, server={"admin_token": OPERATOR}
    )
    with voice_serve.running(app) as client:
        make_user(client, "root", "admin")
        root = Browser(client)
        root.sign_in("root")
        with socket_of(root) as phone:
            with sqlite3.connect(tmp_path / "data" / "antiphon.db") as database:
                database.execute("ALTER TABLE browser_sessions RENAME TO gone")
            in_a_moment(lambda: root.get("/api/tools").status == 503)
            reply = root.get("/api/tools")
            assert (reply.status, reply.json["code"]) == (503, "unavailable")
            assert reply.headers["retry-after"] == "1"
            assert root.fresh().sign_in("root").status == 503
            code, words = phone.closed()
            assert code == 1013
            assert "cannot look up who you are" in words
            with sqlite3.connect(tmp_path / "data" / "antiphon.db") as database:
                database.execute("ALTER TABLE gone RENAME TO browser_sessions")
        in_a_moment(lambda: root.get("/api/account").status == 200)
