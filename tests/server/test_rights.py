"""Rights over HTTP: what people with roles see, call and approve, at a server where all sign in."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from tests.server.conftest import Client, Serve
from tests.server.sign_in_helpers import OPERATOR, as_operator, events, make_user, signing_in

WORKER = {
    "permissions": ["tools.call", "workspace.write"],
    "rules": [
        {"tools": ["append_line", "ask_*", "find", "for_*"]},
        {"tools": ["append_line"], "effect": "refuse", "when": "args.text == 'secret'"},
        {"tools": ["append_line"], "effect": "ask", "when": "args.text == 'dear'"},
        {"tools": ["for_voice"], "effect": "refuse", "modes": ["text"]},
    ],
}


class Person:
    """Somebody who comes with a service token."""

    def __init__(self, client: Client, name: str, **bounds: Any) -> None:
        self._client = client
        made = as_operator(client, "POST", "/api/tokens", {"user": name, "name": "test", **bounds})
        self.token_id = made["token"]["id"]
        self.headers = {"Authorization": f"Bearer {made['secret']}"}

    def get(self, path: str) -> Any:
        return self._client.get(path, **self.headers)

    def post(self, path: str, body: Any = None, **headers: str) -> Any:
        return self._client.post(path, body, **self.headers, **headers)

    def call(self, tool: str, args: Any, **more: Any) -> Any:
        headers = {"Idempotency_Key": more.pop("key")} if "key" in more else {}
        return self.post(f"/api/tools/{tool}/call", {"args": args, **more}, **headers)

    def tools(self, query: str = "") -> set[str]:
        return {tool["toolId"] for tool in self.get(f"/api/tools{query}").json["tools"]}

    def approve(self, id: str, session: str, **more: Any) -> Any:
        seen = self.get(f"/api/confirmations/{id}?session_id={session}")
        if seen.status != 200:
            return seen
        body = {"token": seen.json["token"], "approve": True, **more}
        return self.post(f"/api/confirmations/{id}", body)


def newcomer(client: Client, name: str, *roles: str, **more: Any) -> Person:
    make_user(client, name, *roles, **more)
    return Person(client, name)


@pytest.fixture(scope="module")
def client(workshop: Serve) -> Iterator[Client]:
    with signing_in(workshop) as client:
        as_operator(client, "POST", "/api/organisations", {"id": "acme", "name": "Acme"})
        as_operator(client, "PUT", "/api/roles/worker", WORKER)
        as_operator(
            client,
            "PUT",
            "/api/roles/lead",
            {"permissions": ["approvals.answer"], "approves": ["group:desk"]},
        )
        yield client


@pytest.fixture(scope="module")
def ann(client: Client) -> Person:
    person = newcomer(client, "ann", "worker")
    as_operator(client, "PUT", "/api/groups/desk", {"roles": [], "members": ["ann"]})
    return person


def set_roles(client: Client, name: str, *roles: str) -> None:
    as_operator(client, "PATCH", f"/api/users/{name}", {"roles": list(roles)})


def asked(reply: Any) -> str:
    assert reply.status == 202, reply.body
    found: str = reply.json["error"]["confirmation_request"]["id"]
    return found


def shared_session(person: Person, id: str) -> str:
    found: str = person.get(f"/api/confirmations/{id}").json["session_id"]
    return found


# -- lists and calls -------------------------------------------------------------------------------


def test_lists_show_what_one_may_use_and_the_rest_does_not_exist(ann: Person) -> None:
    assert ann.tools() == {
        *("append_line", "ask_first", "ask_lightly", "ask_two", "find", "for_admins", "for_voice")
    }
    assert "for_voice" not in ann.tools("?mode=text")
    assert "for_voice" in ann.tools("?mode=voice")
    hidden, unknown = ann.get("/api/tools/slow_write"), ann.get("/api/tools/slow_wroom")
    assert (hidden.status, unknown.status) == (404, 404)
    assert hidden.json["nearest"] == unknown.json["nearest"] == []
    assert ann.get("/api/tools/finds").json["nearest"] == ["find"]
    found = [
        item["id"]
        for group in ann.get("/api/search?q=write").json["groups"]
        if group["kind"] == "tool"
        for item in group["items"]
    ]
    assert found == []


def test_a_call_of_a_hidden_tool_is_answered_as_one_of_no_tool(
    client: Client, ann: Person, tmp_path: Path
) -> None:
    file = tmp_path / "x"
    hidden = ann.call("slow_write", {"file": str(file)})
    unknown = ann.call("slow_wrote", {"file": str(file)})
    assert (hidden.status, unknown.status) == (404, 404)
    assert (
        hidden.body.replace(b"slow_write", b"slow_wrote").split(b'"meta"')[0]
        == (unknown.body.split(b'"meta"')[0])
    )
    assert hidden.json["meta"]["toolVersion"] is None
    assert not (tmp_path / "x.begun").exists()
    assert ("ann", "slow_write") in {
        (line["by"], line["toolId"]) for line in events(client, "tool_hidden")
    }


def test_arguments_are_looked_at_in_calls_and_in_changes_before_a_yes(
    ann: Person, tmp_path: Path
) -> None:
    file = tmp_path / "lines"
    line = {"file": str(file), "text": "hello"}
    assert ann.call("append_line", line, key="k1").status == 200
    refused = ann.call("append_line", {**line, "text": "secret"})
    assert (refused.status, refused.json["error"]["type"]) == (403, "AUTH")
    one = asked(ann.call("append_line", {**line, "text": "dear"}))
    session = shared_session(ann, one)
    changed = ann.approve(one, session, args={**line, "text": "secret"})
    assert changed.status == 403, changed.body
    assert file.read_text() == "hello\n"
    assert ann.approve(one, session).json["outcome"] == "approved"
    assert file.read_text() == "hello\ndear\n"


def test_what_was_taken_away_is_gone_at_once_for_replays_and_waiting_approvals_too(
    client: Client, tmp_path: Path
) -> None:
    bob = newcomer(client, "bob", "worker")
    line = {"file": str(tmp_path / "lines"), "text": "hello"}
    assert bob.call("append_line", line, key="k1").status == 200
    assert bob.call("append_line", line, key="k1").json["meta"]["replayed"] is True
    waiting = asked(bob.call("ask_first", line))
    session = shared_session(bob, waiting)
    set_roles(client, "bob", "viewer")
    assert "append_line" not in bob.tools()
    assert bob.call("append_line", line, key="k1").status == 404
    answered = bob.approve(waiting, session)
    assert answered.json["result"]["error"]["type"] == "NOT_FOUND"
    assert (tmp_path / "lines").read_text() == "hello\n"


def test_a_token_is_bound_to_its_tools(client: Client, ann: Person, tmp_path: Path) -> None:
    narrow = Person(client, "ann", tools=["find"])
    assert narrow.tools() == {"find"}
    line = {"file": str(tmp_path / "lines"), "text": "hello"}
    assert narrow.call("append_line", line).status == 404
    assert narrow.call("find", {"query": "a"}).status == 200
    assert ann.call("append_line", line).status == 200


def test_availability_by_role_goes_by_the_roles_of_the_directory(
    client: Client, ann: Person
) -> None:
    refused = ann.call("for_admins", {"query": "a"})
    assert (refused.status, refused.json["error"]["type"]) == (403, "UNAVAILABLE")
    told = {tool["toolId"]: tool for tool in ann.get("/api/tools").json["tools"]}
    assert told["for_admins"]["available"] is False
    admin = newcomer(client, "ada", "admin")
    assert admin.call("for_admins", {"query": "a"}).status == 200
    told = {tool["toolId"]: tool for tool in admin.get("/api/tools").json["tools"]}
    assert told["for_admins"]["available"] is True


# -- a second person -------------------------------------------------------------------------------


def test_two_persons_approve_and_both_have_to_be_ones_who_may(
    client: Client, ann: Person, tmp_path: Path
) -> None:
    file = tmp_path / "lines"
    lead, peer = newcomer(client, "lea", "member", "lead"), newcomer(client, "pat", "member")
    other = newcomer(client, "olga", "approver", organisation="acme")
    boss = newcomer(client, "bo", "approver")
    request = asked(ann.call("ask_two", {"file": str(file), "text": "hello"}))
    session = shared_session(ann, request)

    def lists(person: Person) -> list[str]:
        rows = person.get("/api/confirmations?status=pending&tool=ask_two").json["confirmations"]
        return [row["id"] for row in rows]

    assert request in lists(ann)
    assert lists(lead) == lists(boss) == [request]
    assert lists(peer) == lists(other) == []
    for person in (peer, other):
        assert person.approve(request, session).status in (403, 404)
        assert person.post("/api/confirmations/deny", {"ids": [request]}).json["denied"] == 0
    assert ann.approve(request, session).json["outcome"] == "pending"
    assert ann.approve(request, session).status == 409
    assert not file.exists()
    done = lead.approve(request, session)
    assert (done.status, done.json["outcome"]) == (200, "approved"), done.body
    assert file.read_text() == "hello\n"
    assert ann.get(f"/api/confirmations/{request}").json["answered_by"] == "lea"


def test_the_operator_names_nobody_as_second_person_who_may_not(
    client: Client, ann: Person, tmp_path: Path
) -> None:
    file = tmp_path / "lines"
    newcomer(client, "ned", "member", "lead")
    newcomer(client, "may", "member")
    request = asked(ann.call("ask_two", {"file": str(file), "text": "hello"}))
    session = shared_session(ann, request)
    assert ann.approve(request, session).json["outcome"] == "pending"
    operator = {"Authorization": f"Bearer {OPERATOR}"}

    def says_yes(user: str) -> Any:
        at = f"/api/confirmations/{request}"
        seen = client.get(f"{at}?session_id={session}&user={user}", **operator).json
        body = {"token": seen["token"], "approve": True, "user": user}
        return client.post(at, body, **operator)

    assert says_yes("may").status == 403
    assert says_yes("nobody").status == 403
    assert not file.exists()
    assert says_yes("ned").json["outcome"] == "approved"
