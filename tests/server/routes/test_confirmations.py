"""A person is asked, and answers, with nothing but HTTP."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from antiphon.contracts import envelope_problems
from antiphon.server.routes.confirmations import Confirmation, Outcome

PROBLEM = "application/problem+json"


def ask(shop: Any, file: Path, text: str = "hello", **call: Any) -> dict[str, Any]:
    """Make a call that needs a yes; what the model is told of it."""
    reply = shop.call("ask_first", {"file": str(file), "text": text}, **call)
    assert reply.status == 202, reply.body
    error = reply.json["error"]
    assert error["type"] == "CONFIRMATION_REQUIRED"
    assert "token" not in error["confirmation_request"]
    return error["confirmation_request"]


def token_of(shop: Any, id: str, session_id: str = "rest-text") -> str:
    reply = shop.get(f"/api/confirmations/{id}?session_id={session_id}")
    assert reply.status == 200, reply.body
    return reply.json["token"]


def answer(shop: Any, id: str, token: str, approve: bool) -> Any:
    return shop.post(f"/api/confirmations/{id}", {"token": token, "approve": approve})


def test_a_yes_runs_what_was_shown_and_gives_the_result(shop: Any, tmp_path: Path) -> None:
    file = tmp_path / "lines"
    asked = ask(shop, file)["id"]
    assert not file.exists()
    listed = shop.get("/api/confirmations?session_id=rest-text&status=pending").json
    [waiting] = [c for c in listed["confirmations"] if c["id"] == asked]
    Confirmation.model_validate(waiting)
    assert "hello" in waiting["preview"]
    assert waiting["title"] == "Does something that tests can see: text hello?"
    assert {field["name"]: field["value"] for field in waiting["fields"]}["text"] == "hello"
    assert "always" not in waiting["remember"]
    without = shop.get(f"/api/confirmations/{asked}").json
    assert not {"token", "fields", "args", "remember"} & without.keys()

    reply = answer(shop, asked, waiting["token"], True)
    assert reply.status == 200, reply.body
    outcome = Outcome.model_validate(reply.json)
    assert outcome.outcome == "approved"
    assert envelope_problems(outcome.result) == []
    assert outcome.result["data"] == {"count": 1}
    assert file.read_text() == "hello\n"
    assert shop.get(f"/api/confirmations/{asked}").json["status"] == "approved"


def test_a_no_runs_nothing(shop: Any, tmp_path: Path) -> None:
    file = tmp_path / "lines"
    asked = ask(shop, file)["id"]
    reply = answer(shop, asked, token_of(shop, asked), False)
    assert (reply.status, reply.json["outcome"]) == (200, "denied")
    assert reply.json["result"]["error"]["type"] == "CANCELLED"
    assert not file.exists()


def test_an_answer_counts_once(shop: Any, tmp_path: Path) -> None:
    file = tmp_path / "lines"
    asked = ask(shop, file)["id"]
    token = token_of(shop, asked)
    assert answer(shop, asked, token, True).status == 200
    for approve in (True, False):
        reply = answer(shop, asked, token, approve)
        assert (reply.status, reply.media_type) == (409, PROBLEM)
        assert reply.json["outcome"] == "approved"
    assert file.read_text() == "hello\n"


def test_a_wrong_token_is_refused_and_the_question_stays_open(shop: Any, tmp_path: Path) -> None:
    file = tmp_path / "lines"
    asked, other = ask(shop, file, "one")["id"], ask(shop, file, "two")["id"]
    for token in ("guess", token_of(shop, other)):
        reply = answer(shop, asked, token, True)
        assert (reply.status, reply.media_type) == (403, PROBLEM)
    assert not file.exists()
    assert shop.get(f"/api/confirmations/{asked}").json["status"] == "pending"
    assert answer(shop, asked, token_of(shop, asked), True).status == 200


def test_tokens_are_shown_only_to_the_person_of_the_session(shop: Any, tmp_path: Path) -> None:
    asked = ask(shop, tmp_path / "lines")["id"]
    session = shop.post("/api/sessions", {"mode": "text"}).json["id"]
    for path in (
        "/api/confirmations",
        f"/api/confirmations/{asked}",
        "/api/sessions/rest-text",
        f"/api/confirmations?session_id={session}",
    ):
        reply = shop.get(path)
        assert reply.status == 200
        assert b'"token":"' not in reply.body, path
    assert shop.get(f"/api/confirmations/{asked}?session_id={session}").status == 404


def test_a_session_of_its_own_asks_its_own_person(shop: Any, tmp_path: Path) -> None:
    file = tmp_path / "lines"
    session = shop.post("/api/sessions", {"mode": "voice", "user": "ada"}).json["id"]
    asked = ask(shop, file, session_id=session)["id"]
    [waiting] = shop.get(f"/api/sessions/{session}").json["confirmations"]
    assert (waiting["id"], waiting["user"]) == (asked, "ada")
    assert answer(shop, asked, token_of(shop, asked, session), True).json["result"]["ok"] is True
    assert shop.get(f"/api/sessions/{session}").json["confirmations"] == []


def test_nothing_can_be_approved_in_a_session_that_has_ended(shop: Any, tmp_path: Path) -> None:
    file = tmp_path / "lines"
    session = shop.post("/api/sessions", {"mode": "text"}).json["id"]
    asked = ask(shop, file, session_id=session)["id"]
    token = token_of(shop, asked, session)
    shop.send("DELETE", f"/api/sessions/{session}")
    reply = answer(shop, asked, token, True)
    assert (reply.status, reply.json["outcome"]) == (409, "void")
    assert not file.exists()


def test_the_key_of_an_approved_call_replays_it_and_asks_no_more(shop: Any, tmp_path: Path) -> None:
    file = tmp_path / "lines"
    asked = ask(shop, file, key="asked once")["id"]
    assert ask(shop, file, key="asked once")["id"] == asked
    assert answer(shop, asked, token_of(shop, asked), True).json["result"]["ok"] is True
    for _ in range(8):  # more turns than a session looks back on
        assert shop.call("find", {"query": "x"}).status == 200
    reply = shop.call("ask_first", {"file": str(file), "text": "hello"}, key="asked once")
    assert (reply.status, reply.json["meta"]["replayed"]) == (200, True)
    assert file.read_text() == "hello\n"


@pytest.mark.parametrize(
    "body", [{}, {"token": "x"}, {"token": "x", "approve": "yes"}, {"token": 1, "approve": True}]
)
def test_an_answer_of_the_wrong_shape_is_a_problem(shop: Any, body: dict[str, Any]) -> None:
    reply = shop.post("/api/confirmations/x", body)
    assert (reply.status, reply.media_type) == (422, PROBLEM)


def test_an_unknown_confirmation_is_a_problem(shop: Any) -> None:
    for reply in (shop.get("/api/confirmations/x"), answer(shop, "x", "y", True)):
        assert (reply.status, reply.media_type) == (404, PROBLEM)
    assert shop.get("/api/confirmations?status=maybe").status == 422


def remembered(shop: Any, asked: str, session: str, scope: str) -> Any:
    body = {"token": token_of(shop, asked, session), "approve": True, "remember": scope}
    return shop.post(f"/api/confirmations/{asked}", body)


def own_session(shop: Any) -> str:
    made: str = shop.post("/api/sessions", {"mode": "text", "user": "ada"}).json["id"]
    return made


def test_a_yes_that_holds_is_listed_and_can_be_taken_back(shop: Any, tmp_path: Path) -> None:
    file, session = tmp_path / "lines", own_session(shop)
    line = {"file": str(file), "text": "hello"}
    asked = shop.call("ask_lightly", line, session_id=session).json["error"]
    asked = asked["confirmation_request"]["id"]
    refused = remembered(shop, asked, session, "always")
    assert (refused.status, refused.media_type) == (422, PROBLEM)
    assert "session" in refused.json["detail"]  # what may be chosen

    reply = remembered(shop, asked, session, "session")
    assert reply.status == 200, reply.body
    again = shop.call("ask_lightly", {**line, "text": "again"}, session_id=session)
    assert again.status == 200, again.body
    assert file.read_text() == "hello\nagain\n"

    [approval] = shop.get("/api/approvals?user=ada").json["approvals"]
    assert (approval["tool"], approval["scope"]) == ("ask_lightly", "session")
    assert shop.send("DELETE", f"/api/approvals/{approval['id']}").status == 200
    assert shop.get("/api/approvals").json == {"approvals": []}
    assert shop.send("DELETE", f"/api/approvals/{approval['id']}").status == 404
    assert shop.call("ask_lightly", {**line, "text": "more"}, session_id=session).status == 202
    assert file.read_text() == "hello\nagain\n"


@pytest.mark.parametrize(
    ("tool", "own"), [("ask_first", True), ("ask_first", False), ("ask_lightly", False)]
)
def test_what_is_of_high_risk_or_shared_is_approved_call_by_call(
    shop: Any, tmp_path: Path, tool: str, own: bool
) -> None:
    """Requests without a session share one that never ends: nothing holds for the rest of it."""
    session = own_session(shop) if own else "rest-text"
    given = {"session_id": session} if own else {}
    reply = shop.call(tool, {"file": str(tmp_path / "lines"), "text": "x"}, **given)
    asked = reply.json["error"]["confirmation_request"]["id"]
    waiting = shop.get(f"/api/confirmations/{asked}?session_id={session}").json
    assert waiting["remember"] == []
    for scope in ("session", "always"):
        refused = remembered(shop, asked, session, scope)
        assert (refused.status, refused.media_type) == (422, PROBLEM)
        assert "holds for one call" in refused.json["detail"]
    assert shop.get("/api/approvals").json == {"approvals": []}
    assert answer(shop, asked, token_of(shop, asked, session), True).status == 200


def test_the_person_sees_every_value_and_nobody_else_the_redacted_one(
    shop: Any, tmp_path: Path
) -> None:
    guests = [f"colleague{number}@example.org" for number in range(49)] + ["mallory@evil.example"]
    note = " ".join(f"word{number}" for number in range(400))
    pin = "4711-0815-2342"
    reply = shop.call("invite", {"guests": guests, "note": note, "pin": pin})
    assert reply.status == 202
    assert pin not in reply.body.decode()  # the model has it, and need not be told
    # It says where the person finds the question, since nobody listens on that session.
    assert "GET /api/confirmations?session_id=rest-text" in reply.json["error"]["message"]
    asked = reply.json["error"]["confirmation_request"]["id"]
    waiting = shop.get(f"/api/confirmations/{asked}?session_id=rest-text").json
    fields = {field["name"]: field for field in waiting["fields"]}
    assert waiting["complete"] is True
    assert fields["guests"]["value"] == guests
    assert fields["guests"]["full"].splitlines() == guests
    assert fields["note"]["full"] == note
    assert fields["pin"]["value"] == fields["pin"]["full"] == pin

    assert answer(shop, asked, waiting["token"], True).status == 200
    for path in (
        f"/api/confirmations/{asked}",
        "/api/confirmations?user=local",
        "/api/audit?limit=1000",
        "/api/sessions/rest-text",
    ):
        shown = shop.get(path)
        assert shown.status == 200, shown.body
        assert pin not in shown.body.decode(), path


def test_what_is_changed_is_checked_runs_and_is_told(shop: Any, tmp_path: Path) -> None:
    file = tmp_path / "lines"
    asked = ask(shop, file)["id"]
    waiting = shop.get(f"/api/confirmations/{asked}?session_id=rest-text").json
    yes = {"token": waiting["token"], "approve": True}
    wrong = {**yes, "args": {**waiting["args"], "text": 7}}
    refused = shop.post(f"/api/confirmations/{asked}", wrong)
    assert (refused.status, refused.media_type) == (422, PROBLEM)
    assert [each["pointer"] for each in refused.json["errors"]] == ["/text"]
    assert shop.get(f"/api/confirmations/{asked}").json["status"] == "pending"

    changed = {**yes, "args": {**waiting["args"], "text": "goodbye"}}
    reply = shop.post(f"/api/confirmations/{asked}", changed)
    assert reply.json["outcome"] == "approved", reply.body
    assert file.read_text() == "goodbye\n"
    now = shop.get(f"/api/confirmations/{asked}").json
    assert now["changes"] == {"text": {"asked": "hello", "approved": "goodbye"}}
    assert (now["answered_by"], now["via"]) == ("local", "channel")
    line = shop.get(f"/api/audit/{now['audit_seq']}").json["line"]
    assert (line["event"], line["details"]["id"]) == ("confirmation_resolved", asked)


def test_two_people_approve_where_the_tool_wants_it(shop: Any, tmp_path: Path) -> None:
    file = tmp_path / "lines"
    reply = shop.call("ask_two", {"file": str(file), "text": "hello"})
    asked = reply.json["error"]["confirmation_request"]["id"]
    first = answer(shop, asked, token_of(shop, asked), True)
    assert (first.status, first.json["outcome"]) == (200, "pending")
    assert "second person" in first.json["result"]["error"]["message"]
    again = answer(shop, asked, token_of(shop, asked), True)
    assert (again.status, again.json["outcome"]) == (409, "pending")
    assert not file.exists()

    second = shop.get(f"/api/confirmations/{asked}?session_id=rest-text&user=ben").json
    assert (second["approvals"], second["approved_by"]) == (2, ["local"])
    body = {"token": second["token"], "approve": True}
    assert shop.post(f"/api/confirmations/{asked}", body).status == 403  # not as somebody else
    done = shop.post(f"/api/confirmations/{asked}", {**body, "user": "ben"})
    assert (done.status, done.json["outcome"]) == (200, "approved"), done.body
    assert file.read_text() == "hello\n"
    assert shop.get(f"/api/confirmations/{asked}").json["answered_by"] == "ben"


def test_many_are_denied_at_once_and_each_says_what_became_of_it(shop: Any, tmp_path: Path) -> None:
    file = tmp_path / "lines"
    first, second, done = (ask(shop, file, text)["id"] for text in ("one", "two", "three"))
    assert answer(shop, done, token_of(shop, done), True).status == 200
    reply = shop.post("/api/confirmations/deny", {"ids": [first, second, first, done, "none"]})
    assert (reply.status, reply.json["denied"]) == (200, 2)
    told = [(each["id"], each["outcome"]) for each in reply.json["results"]]
    assert told == [(first, "denied"), (second, "denied"), (done, "approved"), ("none", None)]
    assert "There is no confirmation" in reply.json["results"][3]["problem"]
    assert file.read_text() == "three\n"
    assert shop.get(f"/api/confirmations/{first}").json["via"] == "inbox"
    for body in ({}, {"ids": []}, {"ids": "x"}, {"ids": [1]}):
        assert shop.post("/api/confirmations/deny", body).status == 422


def test_the_list_is_filtered_and_paged(shop: Any, tmp_path: Path) -> None:
    session = own_session(shop)
    asked = [ask(shop, tmp_path / "x", str(n), session_id=session)["id"] for n in range(3)]
    line = {"file": str(tmp_path / "x"), "text": "low"}
    shop.call("ask_lightly", line, session_id=session)
    of = f"/api/confirmations?session_id={session}"
    first = shop.get(f"{of}&tool=ask_first&limit=2").json
    assert [each["id"] for each in first["confirmations"]] == asked[:0:-1]
    rest = shop.get(f"{of}&tool=ask_first&limit=2&before={first['next']}").json
    assert ([each["id"] for each in rest["confirmations"]], rest["next"]) == (asked[:1], None)
    [low] = shop.get(f"{of}&risk=low").json["confirmations"]
    assert (low["tool"], low["title"]) == (
        "ask_lightly",
        "Does something that tests can see: text low?",
    )
    mine = shop.get("/api/confirmations?user=ada&limit=1").json
    assert mine["open"] >= 4
    bad = shop.get(f"{of}&before=yesterday")
    assert (bad.status, bad.media_type) == (422, PROBLEM)
