"""Sessions over HTTP: made, listed, looked into, used turn by turn, ended."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from antiphon.server.routes.sessions import NextTurn, SessionDetail, SessionPage


def start(shop: Any, **body: Any) -> dict[str, Any]:
    reply = shop.post("/api/sessions", {"mode": "text", **body})
    assert reply.status == 201, reply.body
    SessionDetail.model_validate(reply.json)
    assert reply.headers["location"] == f"/api/sessions/{reply.json['id']}"
    return reply.json


def test_a_session_starts_with_its_mode_and_user(shop: Any) -> None:
    session = start(shop, mode="voice", user="ada")
    assert (session["mode"], session["user"], session["turn"]) == ("voice", "ada", 1)
    assert session["active"] is session["live"] is True
    assert session["state"]["mode"] == "voice"
    assert session["counters"]["calls"] == 0
    assert shop.get(f"/api/sessions/{session['id']}").json["id"] == session["id"]


@pytest.mark.parametrize("body", [{}, {"mode": "smoke"}, {"mode": "text", "user": ""}, {"id": "x"}])
def test_a_session_needs_a_mode_and_nothing_unknown(shop: Any, body: dict[str, Any]) -> None:
    reply = shop.post("/api/sessions", body)
    assert (reply.status, reply.media_type) == (422, "application/problem+json")


def test_calls_of_a_session_share_the_budget_of_its_turn(shop: Any) -> None:
    session = start(shop, mode="voice")["id"]
    for query in "ab":
        assert shop.call("find", {"query": query}, session_id=session).status == 200
    reply = shop.call("find", {"query": "c"}, session_id=session)
    assert (reply.status, reply.json["error"]["type"]) == (429, "BUDGET_EXCEEDED")
    assert shop.get(f"/api/sessions/{session}").json["counters"]["turn_retrieval"] == 2

    reply = shop.post(f"/api/sessions/{session}/turns")
    assert (reply.status, reply.json) == (200, {"turn": 2, "late": []})
    assert shop.call("find", {"query": "c"}, session_id=session).status == 200
    detail = shop.get(f"/api/sessions/{session}").json
    assert (detail["turn"], detail["counters"]["calls"]) == (2, 3)


def test_a_late_result_comes_with_the_next_turn_once(shop: Any, tmp_path: Path) -> None:
    session, file = start(shop)["id"], tmp_path / "signal"
    assert shop.call("wait_for", {"file": str(file)}, "k", session_id=session).status == 202
    file.touch()
    for _ in range(2000):  # the next turn after it is there; the same key would have it, too
        reply = shop.post(f"/api/sessions/{session}/turns")
        if found := NextTurn.model_validate(reply.json).late:
            break
    [late] = found
    assert (late.tool, late.envelope["data"]) == ("wait_for", {"seen": True})
    assert shop.post(f"/api/sessions/{session}/turns").json["late"] == []


def test_a_session_shows_its_last_lines_of_audit_newest_first(shop: Any) -> None:
    session = start(shop)["id"]
    shop.call("find", {"query": "x"}, session_id=session)
    shop.call("nothing", {}, session_id=session)
    events = [
        (x["event"], x.get("rule")) for x in shop.get(f"/api/sessions/{session}").json["audit"]
    ]
    assert events == [
        ("tool_decision", "known"),
        ("tool_execution", "run"),
        ("session_started", None),
    ]


def test_the_mode_of_a_session_cannot_be_contradicted(shop: Any) -> None:
    session = start(shop)["id"]
    reply = shop.call("find", {"query": "x"}, session_id=session, mode="voice")
    assert (reply.status, reply.media_type) == (422, "application/problem+json")
    assert "text mode" in reply.json["detail"]


def test_an_ended_session_is_gone_for_calls_and_stays_in_the_list(shop: Any) -> None:
    session = start(shop, user="grace")["id"]
    assert shop.send("DELETE", f"/api/sessions/{session}").status == 204
    for reply in (
        shop.call("find", {"query": "x"}, session_id=session),
        shop.post(f"/api/sessions/{session}/turns"),
        shop.send("DELETE", f"/api/sessions/{session}"),
    ):
        assert (reply.status, reply.media_type) == (404, "application/problem+json")
        assert "has ended" in reply.json["detail"]
    detail = shop.get(f"/api/sessions/{session}").json
    assert detail["ended_at"] is not None
    assert (detail["active"], detail["live"], detail["counters"]) == (False, False, None)


def test_an_unknown_session_is_a_problem(shop: Any) -> None:
    for reply in (
        shop.get("/api/sessions/nobody"),
        shop.call("find", {"query": "x"}, session_id="nobody"),
        shop.send("DELETE", "/api/sessions/nobody"),
    ):
        assert (reply.status, reply.media_type) == (404, "application/problem+json")


def test_the_session_that_all_share_cannot_be_ended(shop: Any) -> None:
    shop.call("find", {"query": "x"})
    reply = shop.send("DELETE", "/api/sessions/rest-text")
    assert (reply.status, reply.media_type) == (409, "application/problem+json")
    assert shop.get("/api/sessions/rest-text").json["active"] is True


def test_sessions_are_listed_by_page_user_and_life(workshop: Any) -> None:
    with workshop.running(workshop.app()) as shop:
        ids = [start(shop, user=user)["id"] for user in ("ada", "ada", "grace", "ada")]
        shop.send("DELETE", f"/api/sessions/{ids[1]}")

        def listed(query: str) -> tuple[list[str], str | None]:
            reply = shop.get(f"/api/sessions?{query}")
            assert reply.status == 200
            page = SessionPage.model_validate(reply.json)
            return [session.id for session in page.sessions], page.next_before

        assert listed("") == (ids[::-1], None)
        assert listed("user=ada") == ([ids[3], ids[1], ids[0]], None)
        assert listed("user=ada&active=true") == ([ids[3], ids[0]], None)
        assert listed("active=false") == ([ids[1]], None)
        spoken = start(shop, mode="voice")["id"]
        assert listed("mode=voice") == ([spoken], None)
        assert listed("live=true") == ([spoken, ids[3], ids[2], ids[0]], None)
        assert listed("live=true&mode=text&limit=2") == ([ids[3], ids[2]], ids[2])
        assert listed(f"live=true&mode=text&limit=2&before={ids[2]}") == ([ids[0]], None)
        assert listed("live=true&active=false") == ([], None)
        assert listed("live=false") == ([ids[1]], None)
        shop.send("DELETE", f"/api/sessions/{spoken}")
        assert listed("live=false&limit=1") == ([spoken], spoken)
        assert listed(f"live=false&limit=1&before={spoken}") == ([ids[1]], None)
        first, cursor = listed("limit=3")
        assert (first, cursor) == ([spoken, ids[3], ids[2]], ids[2])
        assert listed(f"limit=3&before={cursor}") == ([ids[1], ids[0]], None)
        for query in ("limit=0", "limit=x", "before=nobody", "active=maybe", "mode=smoke"):
            reply = shop.get(f"/api/sessions?{query}")
            assert (reply.status, reply.media_type) == (422, "application/problem+json"), query
