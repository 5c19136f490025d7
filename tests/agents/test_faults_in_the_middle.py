"""Every fault that the emulators can make, in the middle of a spoken conversation with a tool call
under way: one execution, one answer, and the session goes on or ends with words."""

from __future__ import annotations

import asyncio
import re
from typing import Any

import pytest
from tests.agents.spoken import Spoken, spoken

from antiphon import ok
from antiphon.contracts.events import ModelTurn
from antiphon.providers import Deadlines

pytestmark = pytest.mark.real_time

CALL = {"id": "call_0000000001", "name": "save_note", "args": {"text": "milk"}}
SAVED = [{"say": "Saved.", "ms": 100}]
QUICK = Deadlines(connect=2.0, send=2.0, answer=1.0, gap=1.0, request=5.0)
LATER = [
    {"on": "text", "reply": SAVED},
    {"on": "text", "with": {"text": "still there"}, "reply": [{"say": "Yes.", "ms": 100}]},
]
# After these the conversation goes on with another connection, or with the same one.
PASSING: dict[str, list[Any]] = {
    "the line is cut": [{"drop": True}],
    "the service closes with 1011": [{"close": 1011, "reason": "Internal error"}],
    "the service closes with 1001": [{"close": 1001, "reason": "Going away"}],
    "the service closes without a reason": [{"close": 1000}],
    "a message makes no sense": [{"raw": {"what": "is this"}}],
    "a message comes twice": [{"duplicate": True}],
    "a message is huge": [{"oversized": 2_000_000}],
}
# After these there is nothing to be done but to say so.
FINAL: dict[str, list[Any]] = {
    "the service refuses what we do (1007)": [{"close": 1007, "reason": "Invalid argument"}],
    "the service refuses who we are (1008)": [{"close": 1008, "reason": "API key not valid"}],
}


def said(s: Spoken) -> str:
    turns = [entry.turn for entry in s.engine.conversation.entries]
    return " ".join(turn.text for turn in turns if isinstance(turn, ModelTurn))


def held(s: Spoken) -> asyncio.Event:
    """The tool waits until the test lets it go on, and then does its one thing."""
    gate = asyncio.Event()

    async def slow(args: dict[str, Any], context: Any) -> Any:
        await gate.wait()
        return ok({"saved": s.work.happen("save_note", args)})

    s.work.does("save_note", slow)
    return gate


async def changed(s: Spoken) -> None:
    """The line has been replaced, which the person is not told of."""
    async with asyncio.timeout(60):
        while not s.engine._connection.changes:  # noqa: ASYNC110 - nothing tells
            await asyncio.sleep(0.01)


async def goes_on(s: Spoken) -> None:
    await s.engine.send_text("Are you still there?")
    while "Yes." not in said(s):
        await s.got("turn_complete")


@pytest.mark.parametrize("fault", PASSING)
@pytest.mark.parametrize("vendor", ["gemini", "openai"])
async def test_on_a_live_line_it_goes_on(vendor: str, fault: str) -> None:
    beats = PASSING[fault]
    breaks = any(kind in beat for beat in beats for kind in ("drop", "close"))
    steps = [{"on": "text", "with": {"text": "note"}, "reply": [{"calls": [CALL]}, *beats]}]
    steps += LATER if breaks else [{"on": "results", "reply": SAVED}, LATER[1]]

    async with spoken(vendor, steps) as s:
        gate = held(s)
        await s.engine.send_text("Make a note: milk")
        await s.got("function_call")
        if breaks:
            await changed(s)
        gate.set()
        await s.got("function_result")
        while "Saved." not in said(s):
            await s.got("turn_complete")
        await goes_on(s)
        assert s.work.count("save_note") == 1
        seen = re.sub(r"[ \\\\]", "", str(s.emulator.received)).replace("'", '"')
        told = seen.count('"saved":1')
        assert told == 1, "the model is told once"
        assert "error" not in s.person.kinds()


@pytest.mark.parametrize("fault", FINAL)
@pytest.mark.parametrize("vendor", ["gemini"])
async def test_on_a_live_line_it_ends_with_words(vendor: str, fault: str) -> None:
    steps = [{"on": "text", "reply": [{"calls": [CALL]}, *FINAL[fault]]}]

    async with spoken(vendor, steps) as s:
        gate = held(s)
        await s.engine.send_text("Make a note: milk")
        await s.got("function_call")
        error = await s.got("error")
        assert "Gemini" in error["message"]
        gate.set()
        assert await s.over() == "provider_failed"
        await s.orchestrator.store.flush()
        assert s.work.count("save_note") <= 1


async def test_a_go_away_in_the_middle_of_a_call_is_not_noticed() -> None:
    steps = [
        {
            "on": "text",
            "reply": [{"resumption": {"handle": "h1"}}, {"calls": [CALL]}, {"go_away": 20}],
        },
        {"on": "results", "reply": SAVED},
        {"on": "connect", "with": {"resume": "h1"}, "reply": []},
        LATER[1],
    ]

    async with spoken("gemini", steps) as s:
        gate = held(s)
        await s.engine.send_text("Make a note: milk")
        await s.got("function_call")
        gate.set()
        await s.got("turn_complete")
        await changed(s)
        await goes_on(s)
        assert s.work.count("save_note") == 1
        assert not {"error", "go_away"} & set(s.person.kinds())


@pytest.mark.parametrize("vendor", ["gemini", "openai"])
async def test_a_silent_model_is_given_up_and_the_next_connection_answers(vendor: str) -> None:
    steps = [
        {"on": "text", "reply": [{"calls": [CALL]}]},
        {"on": "results", "reply": [{"silent": True}]},
        {"on": "text", "reply": SAVED},
    ]

    async with spoken(vendor, steps, deadlines=QUICK) as s:
        await s.engine.send_text("Make a note: milk")
        while "Saved." not in said(s):
            await s.got("turn_complete")
        assert s.work.count("save_note") == 1


@pytest.mark.parametrize("vendor", ["gemini", "openai"])
async def test_a_service_that_is_down_for_a_moment_is_tried_again(vendor: str) -> None:
    steps = [
        {"on": "text", "reply": [{"calls": [CALL]}, {"drop": True}]},
        {"on": "connect", "reply": [{"status": 503}]},
        *LATER,
    ]

    async with spoken(vendor, steps) as s:
        await s.engine.send_text("Make a note: milk")
        while "Saved." not in said(s):
            await s.got("turn_complete")
        await goes_on(s)
        assert s.work.count("save_note") == 1


@pytest.mark.parametrize("vendor", ["gemini", "openai"])
async def test_a_service_that_stays_down_ends_in_words_after_a_few_attempts(vendor: str) -> None:
    steps = [
        {"on": "text", "reply": [{"calls": [CALL]}, {"drop": True}]},
        {"on": "connect", "times": 4, "reply": [{"status": 503}]},
    ]

    async with spoken(vendor, steps, check=False) as s:
        await s.engine.send_text("Make a note: milk")
        error = await s.got("error")
        assert error["fatal"] is True
        assert await s.over() == "provider_failed"
        assert s.work.count("save_note") == 1


@pytest.mark.parametrize(
    "beats",
    [
        [{"drop": True}],
        [{"status": 429, "retry_after": 3600}],
        [{"status": 529}],
        [{"silent": True}],
        [{"text": "I ha"}, {"drop": True}],
        [{"text": "I ha"}, {"error": {"type": "overloaded_error", "message": "Overloaded"}}],
    ],
    ids=repr,
)
async def test_where_every_answer_is_a_request_the_person_is_told_and_may_go_on(beats: Any) -> None:
    steps = [
        {"on": "text", "reply": [{"calls": [CALL]}]},
        {"on": "results", "reply": beats},
        {"on": "text", "with": {"text": "still there"}, "reply": [{"say": "Yes."}]},
    ]

    async with spoken("claude", steps, deadlines=QUICK) as s:
        await s.engine.send_text("Make a note: milk")
        error = await s.got("error")
        assert error["message"].startswith("Claude")
        assert error["fatal"] is False
        await s.got("turn_complete", reason="failed")
        await goes_on(s)
        assert s.work.count("save_note") == 1
        assert '"saved"' in str(s.emulator.received[-1]).replace("'", '"') or "effect" in str(
            s.emulator.received[-1]
        ), "what came of the call is still known"
