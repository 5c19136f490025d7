"""A person is asked, and answers, with nothing but HTTP."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from antiphon.contracts import envelope_problems
from antiphon.server.confirmations import Confirmation, Outcome

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
    assert waiting["title"].endswith("(ask_first)")
    assert {field["name"]: field["value"] for field in waiting["fields"]}["text"] == "hello"
    assert "always" not in waiting["remember"]
    without = shop.get(f"/api/confirmations/{asked}").json
    assert not {"token", "title", "fields", "remember"} & without.keys()

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


def test_a_yes_that_holds_is_listed_and_can_be_taken_back(shop: Any, tmp_path: Path) -> None:
    file = tmp_path / "lines"
    asked = ask(shop, file)["id"]
    body = {"token": token_of(shop, asked), "approve": True, "remember": "always"}
    refused = shop.post(f"/api/confirmations/{asked}", body)
    assert (refused.status, refused.media_type) == (422, PROBLEM)
    assert "session" in refused.json["detail"]  # what may be chosen

    reply = shop.post(f"/api/confirmations/{asked}", {**body, "remember": "session"})
    assert reply.status == 200, reply.body
    again = shop.call("ask_first", {"file": str(file), "text": "again"})
    assert again.status == 200, again.body
    assert file.read_text() == "hello\nagain\n"

    [approval] = shop.get("/api/approvals?user=local").json["approvals"]
    assert (approval["tool"], approval["scope"]) == ("ask_first", "session")
    assert shop.send("DELETE", f"/api/approvals/{approval['id']}").status == 200
    assert shop.get("/api/approvals").json == {"approvals": []}
    assert shop.send("DELETE", f"/api/approvals/{approval['id']}").status == 404
    ask(shop, file, "once more")
    assert file.read_text() == "hello\nagain\n"
