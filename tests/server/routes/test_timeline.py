"""A session turn by turn: words, calls with their gates, waits, and pages of it."""

from __future__ import annotations

import asyncio
import json
from pathlib import Path
from typing import Any

import pytest
from tests.agents.chatting import calls, says, step
from tests.server.routes.test_chat import talking  # noqa: F401 - a fixture
from tests.server.ws.conftest import voice_serve  # noqa: F401 - a fixture
from tests.server.ws.phone import Phone, VoiceServe, eventually

from antiphon.server.routes.timeline import Timeline
from antiphon.storage import TurnRow


def timeline(client: Any, session: str, query: str = "") -> Timeline:
    reply = client.get(f"/api/sessions/{session}/timeline?{query}")
    assert reply.status == 200, reply.body
    return Timeline.model_validate(reply.json)


def told(turn: Any) -> list[Any]:
    return [
        (entry.role, entry.text)
        if entry.kind == "said"
        else (entry.tool, entry.rule)
        if entry.kind == "call"
        else entry.event
        for entry in turn.entries
    ]


def stopped(call: Any) -> str:
    return next(gate.id for gate in call.gates if gate.outcome in ("stopped", "asked", "answered"))


def test_a_conversation_in_writing_is_told_turn_by_turn(talking: Any) -> None:  # noqa: F811
    ada = {"query": "ada"}
    script = [
        step("text", calls(("find", ada), ("for_voice", ada), text="Let me look."), text="Who?"),
        step("results", says("A mathematician.")),
        step("text", says("As I said."), text="Sure?"),
    ]
    with talking(script) as talk:
        talk.say("Who?")
        talk.say("Sure?")
        found = timeline(talk.client, talk.session_id)
        tokens = talk.client.get("/metrics").json["modelTokens"]["claude"]
        history = talk.client.get("/metrics/history").json["open"]
    first, second = found.turns
    assert told(first) == [
        "session_started",
        ("user", "Who?"),
        ("assistant", "Let me look."),
        ("find", "run"),
        ("for_voice", "mode"),
        ("assistant", "A mathematician."),
    ]
    assert told(second) == [("user", "Sure?"), ("assistant", "As I said.")]
    assert (first.number, first.finish, second.number) == (1, "complete", 2)
    assert set(first.marks) == {"time_to_first_text", "duration"}
    assert first.started_at <= first.ended_at <= second.started_at <= second.ended_at
    ran, refused = (entry for entry in first.entries if entry.kind == "call")
    assert (ran.ok, ran.answer["data"]) == (True, {"results": ["ada"]})
    assert (refused.error_type, stopped(refused)) == ("MODE_RESTRICTED", "mode")
    assert refused.answer["error"]["allowedModes"] == ["voice"]
    # What the turns took is what the figures say.
    taken = [turn.tokens for turn in found.turns]
    assert sum(each.input for each in taken) == tokens["input"] == history["tokens"]["input"] > 0
    assert sum(each.output for each in taken) == tokens["output"] > 0


def test_a_spoken_conversation_has_its_waits(voice_serve: VoiceServe) -> None:  # noqa: F811
    with voice_serve.talking() as (client, _, _), Phone(client.port) as phone:
        session = phone.start()["sessionId"]
        phone.say("text", text="find ada")
        phone.until("turn_complete")
        phone.say("text", text="flood")
        phone.until("turn_complete")
        phone.say("text", text="hello")  # long before all of it could be heard
        phone.until("interrupted")
        phone.until("turn_complete")
        phone.say("end")
        phone.closed()
        eventually(lambda: client.get(f"/api/sessions/{session}").json["ended_at"] is not None)
        found = timeline(client, session)
        rows = client.get("/api/sessions").json["sessions"]
    assert [row["about"] for row in rows] == ["find ada"]
    assert [told(turn) for turn in found.turns] == [
        ["session_started", ("user", "find ada"), ("find", "run"), ("assistant", "It is done.")],
        [("user", "flood")],
        [("user", "hello"), ("assistant", "You said hello.")],
        ["session_ended"],
    ]
    first, _, cut, over = (set(turn.marks) for turn in found.turns)
    assert first == {"time_to_first_audio", "turn_gap"}
    assert "barge_in_stop" in cut
    assert over == set()


def test_words_that_cut_in_begin_the_next_turn(workshop: Any) -> None:
    """They were begun while the turn before went on; the model's words in it came first."""
    app = workshop.app()
    with workshop.running(app) as shop:
        session = shop.post("/api/sessions", {"mode": "voice"}).json
        start, store = session["created_at"], app.services.application.orchestrator.store
        spoken = [
            (1, "user", "Tell me a story."),
            (2, "model", "Once upon a time"),
            (3, "user", "Stop."),
            (5, "model", "As you like."),
        ]

        async def say() -> None:
            for after, role, text in spoken:
                body = json.dumps({"role": role, "text": text, "calls": []})
                await store.add_turn(TurnRow(session["id"], start + after, "voice", body))

        asyncio.run(say())
        for number, at in ((1, 4), (2, 6)):
            details = {"finish": "complete", "marks": {}, "tokens": {}}
            line = {"event": "turn_completed", "turnId": number, "details": details}
            store.append_audit({**line, "at": start + at, "sessionId": session["id"]})
        found = timeline(shop, session["id"])
    assert [told(turn) for turn in found.turns] == [
        ["session_started", ("user", "Tell me a story."), ("assistant", "Once upon a time")],
        [("user", "Stop."), ("assistant", "As you like.")],
    ]


def test_what_was_said_by_voice_in_a_written_conversation_is_found(
    voice_serve: VoiceServe,  # noqa: F811
) -> None:
    with voice_serve.talking() as (client, _, _):
        body = {"message": "find ada", "backend": "gemini", "profile": "plain", "user": "local"}
        written = client.post("/api/chat", body, accept="application/json").json["session_id"]
        with Phone(client.port) as phone:
            spoken = phone.start(conversation=written)["sessionId"]
            phone.works("hello")
        found = timeline(client, spoken)
        whole = timeline(client, written)
        again = {"message": "hello", "session_id": spoken}
        after = client.post("/api/chat", again, accept="application/json").json["session_id"]
        client.send("DELETE", f"/api/sessions/{written}")
        later = client.post("/api/chat", again, accept="application/json").json["session_id"]
        continued = timeline(client, later)
    assert (found.conversation, whole.conversation) == (written, written)
    words = [each for turn in found.turns for each in told(turn)]
    assert ("user", "hello") in words
    assert ("user", "find ada") not in words
    assert after == written  # the same conversation goes on in its session in text
    assert (continued.conversation, continued.continued_from) == (written, spoken)
    assert [each for turn in continued.turns for each in told(turn)][:2] == [
        "session_started",
        ("user", "hello"),
    ]


def test_calls_without_a_conversation_are_told_too(shop: Any, tmp_path: Path) -> None:
    session = shop.post("/api/sessions", {"mode": "voice"}).json["id"]
    for _ in range(2):
        shop.call(
            "append_line", {"file": str(tmp_path / "a"), "text": "x"}, "k", session_id=session
        )
    shop.post(f"/api/sessions/{session}/turns")
    shop.call("ask_first", {"file": str(tmp_path / "b"), "text": "x"}, session_id=session)
    [asked] = shop.get(f"/api/confirmations?session_id={session}").json["confirmations"]
    answer = {"token": asked["token"], "approve": True}
    assert shop.post(f"/api/confirmations/{asked['id']}", answer).status == 200
    first, second = timeline(shop, session).turns
    assert told(first) == [
        "session_started",
        ("append_line", "run"),
        ("append_line", "duplicate"),
    ]
    once, again = first.entries[1:]
    assert (once.replayed, again.replayed, stopped(again)) == (False, True, "duplicate")
    assert told(second)[:2] == [("ask_first", "confirmation"), ("ask_first", "run")]
    assert stopped(second.entries[0]) == "confirmation"
    assert second.entries[1].source == "confirmation"


def test_a_call_that_was_answered_before_it_was_done_is_one_entry(
    shop: Any, tmp_path: Path
) -> None:
    session, file = shop.post("/api/sessions", {"mode": "text"}).json["id"], tmp_path / "signal"
    assert shop.call("wait_for", {"file": str(file)}, "k", session_id=session).status == 202
    [turn] = timeline(shop, session).turns
    assert [entry.detached for entry in turn.entries if entry.kind == "call"] == [True]
    file.touch()
    while shop.call("wait_for", {"file": str(file)}, "k", session_id=session).status == 202:
        pass
    [turn] = timeline(shop, session).turns
    done = [entry for entry in turn.entries if entry.kind == "call" and entry.rule == "run"]
    assert [(entry.detached, entry.ok) for entry in done] == [(False, True)]


def test_it_comes_in_pages_from_the_newest_on(shop: Any) -> None:
    session = shop.post("/api/sessions", {"mode": "text"}).json["id"]
    for query in "abcde":
        shop.call("find", {"query": query}, session_id=session)
        shop.post(f"/api/sessions/{session}/turns")
    seen: list[list[str]] = []
    before: int | None = None
    while not seen or before is not None:
        page = timeline(shop, session, "limit=2" + (f"&before={before}" if before else ""))
        entries = [entry for turn in page.turns for entry in turn.entries]
        seen.append([e.args["query"] if e.kind == "call" else e.event for e in entries])
        before = page.next_before
    assert seen == [["d", "e"], ["b", "c"], ["session_started", "a"]]


@pytest.mark.parametrize(
    ("path", "status"),
    [("nobody/timeline", 404), ("rest-text/timeline?limit=0", 422)],
)
def test_what_is_not_there_is_a_problem(shop: Any, path: str, status: int) -> None:
    reply = shop.get(f"/api/sessions/{path}")
    assert (reply.status, reply.media_type) == (status, "application/problem+json")
