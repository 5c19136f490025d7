"""Providers that accept a connection and do not do their part: what the person is told, how often
the model is asked, and that what was done is told once."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest
from tests.agents.spoken import Spoken, spoken

from antiphon import ok
from antiphon.providers import Deadlines

pytestmark = pytest.mark.virtual_time(patience=0.2)

LIVE = ("gemini", "openai")
CALL = {"id": "call_0000000001", "name": "save_note", "args": {"text": "milk"}}
USUAL = Deadlines()


def held(s: Spoken, tool: str = "save_note") -> asyncio.Event:
    """The tool waits until the test lets it go on, and then does its one thing."""
    gate = asyncio.Event()

    async def slow(args: dict[str, Any], context: Any) -> Any:
        await gate.wait()
        return ok({"saved": s.work.happen(tool, args)})

    s.work.does(tool, slow)
    return gate


def text(words: str, *reply: Any) -> dict[str, Any]:
    return {"on": "text", "with": {"text": words}, "reply": list(reply)}


# -- no answer ----------------------------------------------------------------------------------


@pytest.mark.parametrize("vendor", LIVE)
@pytest.mark.parametrize(
    "answer", [[], [{"say": "Well,", "ms": 100}]], ids=["at each question", "after a word"]
)
async def test_a_provider_that_hangs_up_is_asked_a_few_times_and_then_it_is_told(
    vendor: str, answer: list[Any]
) -> None:
    script = {"rules": [{"on": "text", "reply": [*answer, {"close": 1011, "reason": "Internal"}]}]}

    async with spoken(vendor, script, here=True) as s:
        await s.engine.send_text("Is anybody there?")
        error = await s.got("error")
        assert error["fatal"] is True
        assert error["message"].startswith(("Gemini", "OpenAI"))
        assert await s.over() == "provider_failed"
        assert s.asked("anybody") <= (4 if not answer else 11)


@pytest.mark.parametrize("vendor", LIVE)
async def test_who_waits_for_a_model_that_never_answers_is_told_so_and_then_that_it_failed(
    vendor: str,
) -> None:
    script = {"rules": [{"on": "text", "reply": ["silent"]}]}

    async with spoken(vendor, script, here=True, deadlines=USUAL) as s:
        loop = asyncio.get_running_loop()
        began = loop.time()
        await s.engine.send_text("Is anybody there?")
        waiting = await s.got("waiting", about="answer")
        assert 5 <= loop.time() - began < 6
        assert waiting["message"]
        error = await s.person.got("error", seconds=120)
        assert (error["kind"], error["fatal"]) == ("timeout", True)
        assert loop.time() - began < 70
        assert await s.over() == "provider_failed"
        assert s.asked("anybody") == 2
        assert s.person.kinds().count("waiting") == 1


@pytest.mark.parametrize("vendor", LIVE)
async def test_who_waits_for_a_connection_is_told_so(vendor: str) -> None:
    script = {"rules": [{"on": "connect", "reply": ["silent"]}]}

    async with spoken(vendor, script, here=True, check=False, deadlines=USUAL) as s:
        assert (await s.got("waiting"))["about"] == "connection"
        assert (await s.person.got("error", seconds=120))["fatal"] is True


async def test_a_quick_answer_and_a_slow_tool_are_no_wait_for_the_model() -> None:
    script = [
        text("note", {"calls": [CALL]}),
        {"on": "results", "reply": [{"say": "Saved.", "ms": 100}]},
    ]

    async with spoken("gemini", script, here=True, deadlines=USUAL) as s:

        async def slow(args: dict[str, Any], context: Any) -> Any:
            await asyncio.sleep(4.5)
            return ok({"saved": 1})

        s.work.does("save_note", slow)
        await s.engine.send_text("Make a note")
        await s.got("turn_complete")
        await asyncio.sleep(30)
        assert "waiting" not in s.person.kinds()


async def test_a_connection_that_is_closed_while_nobody_speaks_is_replaced_every_time() -> None:
    closes = [{"on": "connect", "reply": [{"usage": {}}, {"wait": 60}, {"close": 1001}]}] * 8
    script = [*closes, text("hello", {"say": "Hello.", "ms": 100})]

    async with spoken("gemini", script, here=True) as s:
        await asyncio.sleep(8 * 61 + 10)
        await s.engine.send_text("hello")
        await s.got("turn_complete")
        assert "error" not in s.person.kinds()


# -- cutting in while a tool runs ------------------------------------------------------------------

PRELUDE = {"say": "Let me write that down.", "ms": 20_000}
QUIET = {"on": "results", "reply": [{"say": "It is stopped.", "ms": 200}]}
ANSWER = {"say": "Here I am.", "ms": 200}


async def heard_after(s: Spoken, words: str) -> None:
    while words not in s.said():
        await s.got("turn_complete", reason="complete")
    cut = next(n for n, m in enumerate(s.person.messages) if m["type"] == "interrupted")
    after = [m for m in s.person.messages[cut:] if m["type"] == "audio"]
    assert sum(m["bytes"] for m in after) >= 2 * 24 * 200, "the answer is heard"
    assert all(m["turn_id"] != s.person.messages[cut]["turn_id"] for m in after)


@pytest.mark.parametrize("how", ["text", "interrupt", "button", "speech"])
async def test_what_openai_says_after_a_cut_while_a_tool_runs_is_heard(how: str) -> None:
    call = {"id": "call_0000000001", "name": "look_up", "args": {"query": "a"}}
    script: dict[str, Any] = {
        "steps": [text("note", PRELUDE, {"calls": [call]})],
        "rules": [
            text("hello", ANSWER),
            QUIET,
            {"on": "activity", "with": {"active": False}, "reply": [ANSWER]},
            {"on": "audio_end", "reply": [{"hear": "hello"}, ANSWER]},
        ],
    }
    if how == "speech":
        started = {"on": "audio", "with": {"ms": 400}, "reply": [{"speech": "started"}]}
        script["steps"].append(started)

    async with spoken("openai", script, here=True, manual=how == "button") as s:
        held(s, "look_up")
        await s.engine.send_text("Make a note")
        await s.got("function_call")
        await asyncio.sleep(1)
        speech = b"\x00\x40" * 16_000
        match how:
            case "text":
                await s.engine.send_text("hello")
            case "interrupt":
                await s.engine.interrupt()
            case "button":
                await s.engine.set_activity(True)
                await s.engine.send_audio(speech)
                await s.engine.set_activity(False)
            case "speech":
                await s.engine.send_audio(speech)
                await s.got("interrupted")
                await s.engine.end_audio()
        await heard_after(s, "It is stopped." if how == "interrupt" else "Here I am.")


@pytest.mark.parametrize("ends", [True, False], ids=["with turnComplete", "without"])
async def test_what_gemini_says_to_a_text_while_a_tool_runs_is_heard(ends: bool) -> None:
    call = {"id": "call_0000000001", "name": "look_up", "args": {"query": "a"}}
    cut: list[Any] = [] if ends else [{"cancel": ["call_0000000001"]}]
    script = [text("note", PRELUDE, {"calls": [call]}), text("hello", *cut, ANSWER)]

    async with spoken("gemini", script, here=True) as s:
        held(s, "look_up")
        await s.engine.send_text("Make a note")
        await s.got("function_call")
        await s.engine.send_text("hello")
        await heard_after(s, "Here I am.")
        assert s.person.kinds().count("turn_complete") == 2


# -- a write that was taken back -------------------------------------------------------------------


SAVED = '"saved":1'
TOOK_BACK = [
    text("note", {"calls": [CALL]}),
    text("Wait", {"say": "Yes?", "ms": 100}),  # the service takes the call back because of this
]


def told(s: Spoken) -> list[str]:
    """What the model was told, message by message, without the escapes of JSON in JSON."""
    found = [str(each).replace("\\", "").replace(" ", "") for each in s.emulator.received]
    return [each.replace("'", '"') for each in found]


async def test_a_write_that_gemini_took_back_is_told_before_the_next_question() -> None:
    cut = [{"speech": "started"}, {"cancel": [CALL["id"]]}, {"interrupted": True}, "complete"]
    script = [
        text("note", {"calls": [CALL]}),
        {"on": "audio", "with": {"ms": 200}, "reply": cut},
        {"on": "note", "with": {"text": SAVED}},
        {"on": "audio_end", "reply": [{"hear": "Is it?"}, {"say": "It is saved.", "ms": 100}]},
    ]

    async with spoken("gemini", script, here=True) as s:
        gate = held(s)
        await s.engine.send_text("Make a note: milk")
        await s.got("function_call")
        await s.engine.send_audio(b"\x00\x40" * 16_000)
        await s.got("turn_complete", reason="interrupted")
        gate.set()
        await s.got("function_result")
        await asyncio.sleep(1)
        await s.engine.end_audio()
        await s.got("turn_complete", reason="complete")
        assert s.work.count("save_note") == 1


@pytest.mark.parametrize("finishes", ["while it is asked again", "after that"])
async def test_a_write_that_gemini_took_back_is_not_run_again_before_it_was_told(
    finishes: str,
) -> None:
    """The model asks for it once more in the next turn, before anybody could tell it what came of
    the first: until it was told, the same call is that one."""
    again = {**CALL, "id": "call_0000000002"}
    script = {
        "steps": [
            text("note", {"calls": [CALL]}),
            text("Wait", {"calls": [again]}),  # the service takes the first call back for this
            {"on": "results", "reply": [{"say": "Well.", "ms": 100}]},
        ],
        "rules": [text("A note from the system", {"say": "It is saved now.", "ms": 100})],
    }

    async with spoken("gemini", script, here=True) as s:
        gate = held(s)
        await s.engine.send_text("Make a note: milk")
        await s.got("function_call")
        await s.engine.send_text("Wait, is it saved?")
        await s.got("function_call", decision={"outcome": "wait", "rule": "duplicate"})
        if finishes == "while it is asked again":
            gate.set()
        while "Well." not in s.said():
            await s.got("turn_complete")
        gate.set()
        if finishes == "after that":
            while "saved now." not in s.said():
                await s.got("turn_complete")
        await asyncio.sleep(10)
        assert s.work.count("save_note") == 1
        assert sum(SAVED in each for each in told(s)) == 1, "the model is told once"


async def test_a_write_that_was_told_may_be_made_again() -> None:
    """In a later turn the same call is a new one."""
    again = {**CALL, "id": "call_0000000002"}
    script = {
        "steps": [
            *TOOK_BACK,
            text("A note from the system", {"say": "It is saved now.", "ms": 100}),
            text("Once more", {"calls": [again]}),
            {"on": "results", "reply": [{"say": "Done.", "ms": 100}]},
        ]
    }

    async with spoken("gemini", script, here=True) as s:
        gate = held(s)
        await s.engine.send_text("Make a note: milk")
        await s.got("function_call")
        await s.engine.send_text("Wait")
        while "Yes?" not in s.said():
            await s.got("turn_complete")
        gate.set()
        while "saved now." not in s.said():
            await s.got("turn_complete")
        await s.engine.send_text("Once more, please")
        while "Done." not in s.said():
            await s.got("turn_complete")
        assert s.work.count("save_note") == 2


# -- ids that come again ---------------------------------------------------------------------------


@pytest.mark.parametrize("vendor", LIVE)
@pytest.mark.parametrize("args", [{"text": "milk"}, {"text": "eggs"}], ids=["same", "other"])
async def test_an_id_that_was_used_in_an_earlier_turn_is_another_call(
    vendor: str, args: dict[str, Any]
) -> None:
    saved = {"on": "results", "reply": [{"say": "Saved.", "ms": 100}]}
    second = {**CALL, "args": args}
    script = [text("note", {"calls": [CALL]}), saved, text("more", {"calls": [second]}), saved]

    async with spoken(vendor, script, here=True) as s:
        results = []
        for words in ("Make a note", "Once more"):
            await s.engine.send_text(words)
            results.append((await s.got("function_result"))["result"])
            await s.got("turn_complete")
        assert [result["success"] for result in results] == [True, True]
        assert s.work.count("save_note") == 2


async def test_a_gemini_call_without_an_id_is_run_under_its_hash() -> None:
    nameless = {**CALL, "id": None}
    saved = {"on": "results", "reply": [{"say": "Saved.", "ms": 100}]}
    script = [text("note", {"calls": [nameless]}), saved]

    async with spoken("gemini", script, here=True) as s:
        await s.engine.send_text("Make a note")
        assert (await s.got("function_result"))["result"]["success"] is True
        await s.got("turn_complete")
        (row,) = await s.orchestrator.store.ledger(s.session.id)
        assert row.key.startswith("hash:")
