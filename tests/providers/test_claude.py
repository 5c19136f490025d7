"""Claude through the port: the provider with the real SDK against the emulated service."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Callable
from contextlib import aclosing
from dataclasses import replace
from pathlib import Path
from typing import Any

import anthropic
import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.orchestrator.helpers import STEPS, built, write_tool
from tests.providers.talking import unhurried

from antiphon.contracts import ToolCall
from antiphon.contracts.events import (
    AnswersTurn,
    CallAnswer,
    Event,
    Fault,
    HistoryTurn,
    Interrupt,
    Interrupted,
    ModelTurn,
    Prompt,
    Ready,
    Text,
    ToolCalls,
    ToolCallsCancelled,
    TurnEnded,
    Usage,
    UserTurn,
    turn_from_dict,
)
from antiphon.emulators.anthropic.request import AnthropicServiceState, check
from antiphon.emulators.base import Emulator
from antiphon.providers.claude import Claude, ClaudeConnection
from antiphon.providers.claude.history import messages
from antiphon.providers.port import Access, Deadlines, ProviderFault, Setup
from antiphon.testing import run_real

OK = {"ok": True, "data": {"degrees": 21}, "intents": [], "meta": {}}
FAILED = {"ok": False, "error": {"type": "TRANSIENT", "message": "No."}, "intents": [], "meta": {}}
QUICK = Deadlines(connect=5, answer=0.3, gap=0.3, request=5)
SETUP = Setup("claude-sonnet-4-6", deadlines=Deadlines(connect=5, answer=5, gap=5, request=10))
ONCE = replace(SETUP, retries=0)
CALL = {"id": "toolu_01", "name": "get_weather", "args": {"city": "Seoul"}}


class Tools:
    """One declared tool, whose arguments are written in the form they were asked for in."""

    def __init__(self, *names: str) -> None:
        self.names = names or ("get_weather",)

    def declared(self, form: str) -> list[dict[str, Any]]:
        schema = {"type": "object", "properties": {"city": {"type": "string"}}}
        return [{"name": name, "description": form, "input_schema": schema} for name in self.names]

    def arguments(self, form: str, name: str, args: Any) -> Any:
        return {**args, "form": form} if isinstance(args, dict) else args

    def written(self, form: str, name: str, args: Any) -> Any:
        del form, name
        return args


def provider(emulator: Emulator, key: str | None = "test-key", **access: Any) -> Claude:
    return Claude(Access(key, emulator.base_url, **access))


async def turn(connection: Any, events: Any, said: str | None = None) -> list[Event]:
    """Says something, and returns what happens until the turn is over or waits for answers."""
    if said is not None:
        await connection.send(Prompt(said))
    found: list[Event] = []
    async with asyncio.timeout(60):
        async for event in events:
            found.append(event)
            if isinstance(event, TurnEnded | ToolCalls):
                break
    return found


def with_emulator(main: Callable[[Emulator], Any], script: Any = None, **options: Any) -> Any:
    return unhurried("anthropic", script, main, **options)


def conversation(
    script: Any,
    play: Callable[[Any, Any], Any],
    setup: Setup = SETUP,
    *,
    check: bool = True,
    **options: Any,
) -> tuple[Any, Emulator]:
    """Plays a conversation over one connection. Returns what `play` does, and the emulator."""

    async def main(emulator: Emulator) -> tuple[Any, Emulator]:
        claude = provider(emulator)
        try:
            async with (
                await claude.connect(setup) as connection,
                aclosing(connection.events()) as events,
            ):
                assert isinstance(await anext(events), Ready)
                return await play(connection, events), emulator
        finally:
            await claude.close()

    found: tuple[Any, Emulator] = with_emulator(main, script, check=check, **options)
    return found


def one_turn(beats: list[Any], setup: Setup = SETUP, **options: Any) -> list[Event]:
    async def play(connection: Any, events: Any) -> list[Event]:
        return await turn(connection, events, "Hello")

    return conversation([{"on": "text", "reply": beats}], play, setup, **options)[0]


def only(kind: type, events: list[Event]) -> Any:
    (found,) = [event for event in events if isinstance(event, kind)]
    return found


def words(events: list[Event]) -> str:
    return "".join(event.text for event in events if isinstance(event, Text))


# -- conversations ------------------------------------------------------------------------------


def test_text_comes_in_pieces_then_usage_then_the_end() -> None:
    beats = [{"say": "Hello there."}, {"usage": {"input": 30, "cached": 20, "output": 4}}]
    events = one_turn(beats)
    assert words(events) == "Hello there."
    assert len([event for event in events if isinstance(event, Text)]) == 2
    usage = only(Usage, events)
    assert (usage.input_tokens, usage.output_tokens, usage.cached_tokens) == (30, 4, 20)
    assert events[-1] == TurnEnded("complete")


def test_parallel_calls_are_answered_in_one_message_with_the_results_first() -> None:
    """Trap: the next user message must hold a tool_result for every id, first in content."""
    calls = [CALL, {"id": "toolu_02", "name": "get_weather"}]
    script = [
        {"on": "text", "reply": [{"text": "One moment."}, {"calls": calls}]},
        {
            "on": "results",
            "with": {"count": 2, "ok": False, "results": [{"id": "toolu_02", "envelope": FAILED}]},
            "reply": [{"say": "Twenty one."}],
        },
    ]

    async def play(connection: Any, events: Any) -> list[Event]:
        asked = only(ToolCalls, await turn(connection, events, "Weather?"))
        assert [(c.id, c.name, c.args) for c in asked.calls] == [
            ("toolu_01", "get_weather", {"city": "Seoul", "form": "anthropic"}),
            ("toolu_02", "get_weather", {"form": "anthropic"}),
        ]
        assert connection.pending == {"toolu_01", "toolu_02"}
        await connection.send_tool_result(id="toolu_02", name="get_weather", result=FAILED)
        await connection.send_tool_result(id="toolu_01", name="get_weather", result=OK)
        return await turn(connection, events)

    events, emulator = conversation(script, play, replace(SETUP, tools=Tools()))
    assert words(events) == "Twenty one."
    sent = emulator.received[1]["messages"][-1]
    assert sent["role"] == "user"
    assert [block["tool_use_id"] for block in sent["content"]] == ["toolu_01", "toolu_02"]
    assert json.loads(sent["content"][0]["content"]) == OK
    assert [block.get("is_error", False) for block in sent["content"]] == [False, True]


def test_parameters_whose_names_the_service_refuses_go_out_and_come_back(tmp_path: Path) -> None:
    size = {"größe in mm": {"type": "integer", "description": "How large."}}
    parts = {"type": "array", "items": {"type": "object", "properties": size}}
    parameters = {
        "type": "object",
        "properties": {**size, "parts": {**parts, "description": "Of what."}},
        "additionalProperties": False,
    }
    write_tool(tmp_path / "tools", "cut", handler=STEPS, parameters=parameters)
    tools = built(tmp_path / "tools").snapshot().declarations("text")
    sent = {"gr__e_in_mm": 3, "parts": [{"gr__e_in_mm": 1}]}
    meant = {"größe in mm": 3, "parts": [{"größe in mm": 1}]}
    before = (
        UserTurn("Cut it."),
        ModelTurn("", (ToolCall("call_of_another_model", "cut", meant),)),
        AnswersTurn((CallAnswer("call_of_another_model", "cut", OK),)),
    )
    script = [
        {"on": "text", "reply": [{"call": {"id": "toolu_01", "name": "cut", "args": sent}}]},
        {"on": "results", "reply": [{"say": "Done."}]},
    ]

    async def play(connection: Any, events: Any) -> list[Event]:
        asked = only(ToolCalls, await turn(connection, events, "Again."))
        assert [(c.name, c.args) for c in asked.calls] == [("cut", meant)]
        await connection.send_tool_result(id="toolu_01", name="cut", result=OK)
        return await turn(connection, events)

    setup = replace(SETUP, tools=tools, history=before)
    events, emulator = conversation(script, play, setup)
    assert words(events) == "Done."
    [declared] = emulator.received[0]["tools"]
    assert list(declared["input_schema"]["properties"]) == ["gr__e_in_mm", "parts"]
    uses = [
        block["input"]
        for message in emulator.received[1]["messages"]
        for block in message["content"]
        if block["type"] == "tool_use"
    ]
    assert uses == [sent, sent]


def test_thoughts_go_back_as_they_came() -> None:
    script = [
        {"on": "text", "reply": [{"thinking": "Let me think about it."}, {"call": CALL}]},
        {"on": "results", "reply": [{"say": "Warm."}]},
        {"on": "text", "reply": [{"say": "Yes."}]},
    ]

    async def play(connection: Any, events: Any) -> list[HistoryTurn]:
        await turn(connection, events, "Weather?")
        await connection.send_tool_result(id="toolu_01", name="get_weather", result=OK)
        await turn(connection, events)
        await turn(connection, events, "Really?")
        return list(connection.history)

    history, emulator = conversation(script, play)
    thought = emulator.received[1]["messages"][1]["content"][0]
    assert thought["thinking"] == "Let me think about it."
    assert thought["signature"]
    # The history is data: it can be written down and read again.
    stored = [turn_from_dict(json.loads(json.dumps(each.to_dict()))) for each in history]
    assert messages(stored) == messages(history)


def test_words_said_while_a_call_waits_follow_its_cancelled_result_in_one_message() -> None:
    script = [
        {"on": "text", "reply": [{"call": CALL}]},
        {"on": "text", "with": {"text": "Never mind"}, "reply": [{"say": "All right."}]},
    ]

    async def play(connection: Any, events: Any) -> list[Event]:
        await turn(connection, events, "Weather?")
        await connection.send(Prompt("Never mind"))
        return [*await turn(connection, events), *await turn(connection, events)]

    events, emulator = conversation(script, play)
    assert events[:3] == [
        ToolCallsCancelled(("toolu_01",)),
        Interrupted(),
        TurnEnded("interrupted"),
    ]
    assert words(events) == "All right."
    blocks = emulator.received[1]["messages"][-1]["content"]
    assert [block["type"] for block in blocks] == ["tool_result", "text"]
    assert json.loads(blocks[0]["content"])["error"]["type"] == "CANCELLED"


def test_an_interruption_stops_the_request_and_keeps_what_was_said() -> None:
    script = [
        {"on": "text", "reply": [{"text": "Once upon a time"}, {"silent": True}]},
        {"on": "interrupt"},
        {"on": "text", "with": {"history": ["Once upon a time"]}, "reply": [{"say": "Well."}]},
    ]

    async def play(connection: Any, events: Any) -> list[Event]:
        await connection.send(Prompt("A story!"))
        said = ""
        async with asyncio.timeout(60):
            while said != "Once upon a time":
                said += (await anext(events)).text
        await connection.send(Interrupt())
        stopped = await turn(connection, events)
        assert stopped == [Interrupted(), TurnEnded("interrupted")]
        return await turn(connection, events, "Go on.")

    assert words(conversation(script, play)[0]) == "Well."


def test_instructions_and_tools_are_sent_with_one_mark_for_the_cache() -> None:
    async def play(connection: Any, events: Any) -> None:
        await turn(connection, events, "Hello")

    script = [{"on": "text", "with": {"instructions": "Be kind", "tools": ["a", "b"]}}]
    setup = replace(SETUP, instructions="Be kind.", tools=Tools("a", "b"), max_tokens=77)
    _, emulator = conversation(script, play, setup)
    body = emulator.received[0]
    mark = {"type": "ephemeral"}
    assert body["system"] == [{"type": "text", "text": "Be kind.", "cache_control": mark}]
    assert not any("cache_control" in tool for tool in body["tools"])
    assert body["max_tokens"] == 77
    assert "temperature" not in body

    _, emulator = conversation([{"on": "text"}], play, replace(SETUP, tools=Tools("a", "b")))
    assert [tool.get("cache_control") for tool in emulator.received[0]["tools"]] == [None, mark]
    assert "system" not in emulator.received[0]


def test_the_second_request_reads_instructions_from_the_cache() -> None:
    async def play(connection: Any, events: Any) -> list[Usage]:
        return [only(Usage, await turn(connection, events, "Hello")) for _ in range(2)]

    script = [{"on": "text", "reply": [{"say": "Hi."}], "times": 2}]
    setup = replace(SETUP, instructions="Be kind. " * 1000)
    (first, second), _ = conversation(script, play, setup)
    assert first.cached_tokens == 0
    assert second.cached_tokens > 2000
    assert second.input_tokens > second.cached_tokens


def test_the_search_of_the_service_is_asked_for_beside_the_tools() -> None:
    async def play(connection: Any, events: Any) -> None:
        await turn(connection, events, "Hello")

    setup = replace(SETUP, tools=Tools(), search=True)
    conversation([{"on": "text", "with": {"search": True, "tools": ["get_weather"]}}], play, setup)
    # A tool of that name is ours to keep.
    setup = replace(SETUP, tools=Tools("web_search"), search=True)
    conversation([{"on": "text", "with": {"search": False, "tools": ["web_search"]}}], play, setup)


def test_a_paused_turn_is_continued_by_itself() -> None:
    script = [
        {
            "on": "text",
            "reply": [
                {"text": "Searching."},
                {"usage": {"input": 10, "output": 2}},
                {"complete": "pause_turn"},
            ],
        },
        {"on": "text", "reply": [{"text": " Found it."}, {"usage": {"input": 20, "output": 3}}]},
    ]

    async def play(connection: Any, events: Any) -> tuple[list[Event], HistoryTurn]:
        return await turn(connection, events, "Hello"), connection.history[-1]

    (events, last), emulator = conversation(script, play)
    assert words(events) == last.text == "Searching. Found it."
    usage = only(Usage, events)
    assert (usage.input_tokens, usage.output_tokens) == (30, 5)
    assert events[-1] == TurnEnded("complete")
    assert emulator.received[1]["messages"][-1]["content"] == [
        {"type": "text", "text": "Searching."}
    ]


def test_a_model_that_pauses_for_ever_is_a_fault() -> None:
    beats = [{"text": "Hm."}, {"complete": "pause_turn"}]

    async def play(connection: Any, events: Any) -> list[Event]:
        return await turn(connection, events, "Hello")

    events, _ = conversation({"rules": [{"on": "text", "reply": beats}]}, play)
    assert only(Fault, events).kind == "protocol"
    assert events[-1] == TurnEnded("failed")


# -- answers that end badly ---------------------------------------------------------------------


def test_a_call_cut_by_max_tokens_is_lost_and_not_run() -> None:
    """Trap: a truncated call appears as a valid one; execute only when stop_reason is tool_use."""
    script = [
        {
            "on": "text",
            "reply": [
                {"text": "One moment."},
                {"calls": [{"id": "toolu_01", "name": "get_weather", "arguments": '{"city": "Se'}]},
                {"complete": "max_tokens"},
            ],
        },
        {"on": "text", "with": {"history": ["One moment."]}, "reply": [{"say": "Again."}]},
    ]

    async def play(connection: Any, events: Any) -> list[list[Event]]:
        return [await turn(connection, events, said) for said in ("Weather?", "Again?")]

    (first, second), _ = conversation(script, play)
    assert not [event for event in first if isinstance(event, ToolCalls)]
    assert only(Fault, first).kind == "truncated"
    assert first[-1] == TurnEnded("max_tokens")
    assert words(second) == "Again."


def test_a_whole_call_is_not_run_either_when_the_message_ended_for_another_reason() -> None:
    events = one_turn([{"calls": [CALL]}, {"complete": "max_tokens"}])
    assert not [event for event in events if isinstance(event, ToolCalls)]
    assert only(Fault, events).kind == "truncated"


@pytest.mark.parametrize("arguments", ['{"city": "Se', '{"city": "Seoul"}}', "nonsense", "null"])
def test_arguments_that_are_no_object_are_passed_on_for_dispatch_to_refuse(arguments: str) -> None:
    """The message came to its end: it is the model's mistake, which it is told and can mend."""
    broken = {"id": "toolu_02", "name": "get_weather", "arguments": arguments}
    script = [
        {"on": "text", "reply": [{"calls": [broken, CALL]}]},
        {"on": "results", "with": {"count": 2}, "reply": [{"say": "Warm."}]},
    ]

    async def play(connection: Any, events: Any) -> list[Event]:
        first = await turn(connection, events, "Weather?")
        assert not [event for event in first if isinstance(event, Fault)]
        calls = only(ToolCalls, first).calls
        assert [(call.id, call.args) for call in calls] == [
            ("toolu_02", arguments),
            ("toolu_01", CALL["args"]),
        ]
        for call in calls:
            await connection.send_tool_result(id=call.id, name="get_weather", result=OK)
        return await turn(connection, events)

    said, emulator = conversation(script, play)
    assert words(said) == "Warm."
    back = emulator.received[1]["messages"][1]["content"]
    assert [block["input"] for block in back] == [{}, CALL["args"]]


def test_arguments_that_are_no_object_are_passed_on_and_go_back_as_an_empty_one() -> None:
    call = {"id": "toolu_01", "name": "get_weather", "arguments": "[1]"}
    script = [
        {"on": "text", "reply": [{"calls": [call]}]},
        {"on": "results", "with": {"count": 1}, "reply": [{"say": "Sorry."}]},
    ]

    async def play(connection: Any, events: Any) -> list[Event]:
        asked = only(ToolCalls, await turn(connection, events, "Weather?"))
        assert asked.calls[0].args == [1]
        await connection.send_tool_result(id="toolu_01", name="get_weather", result=FAILED)
        return await turn(connection, events)

    assert words(conversation(script, play)[0]) == "Sorry."


def test_calls_without_ids_get_ids_of_their_own() -> None:
    calls = [{"id": None, "name": "a"}, {"id": "x", "name": "b"}, {"id": "x", "name": "c"}]
    script = [
        {"on": "text", "reply": [{"calls": calls}]},
        {"on": "results", "with": {"count": 3}, "reply": [{"say": "Done."}]},
    ]

    async def play(connection: Any, events: Any) -> list[Event]:
        asked = only(ToolCalls, await turn(connection, events, "Go"))
        assert [call.id for call in asked.calls] == ["temp_0", "x", "temp_2"]
        for call in asked.calls:
            await connection.send_tool_result(id=call.id, name=call.name, result=OK)
        return await turn(connection, events)

    assert words(conversation(script, play)[0]) == "Done."


def test_a_refusal_is_said_and_not_shown_to_the_model_again() -> None:
    script = [
        {"on": "text", "reply": [{"text": "I could"}, {"complete": "refusal"}]},
        {"on": "text", "with": {"text": "Something else"}, "reply": [{"say": "Gladly."}]},
    ]

    async def play(connection: Any, events: Any) -> list[list[Event]]:
        return [await turn(connection, events, said) for said in ("Bad", "Something else")]

    (first, second), emulator = conversation(script, play)
    assert only(Fault, first).kind == "refused"
    assert first[-1] == TurnEnded("refused")
    assert words(second) == "Gladly."
    # Two things the person said in a row are one message.
    assert [message["role"] for message in emulator.received[1]["messages"]] == ["user"]


def test_thoughts_that_led_to_nothing_are_not_sent_back() -> None:
    script = [
        {"on": "text", "reply": [{"thinking": "Hm."}, {"complete": "max_tokens"}]},
        {"on": "text", "reply": [{"say": "Well."}]},
    ]

    async def play(connection: Any, events: Any) -> list[Event]:
        await turn(connection, events, "Hello")
        return await turn(connection, events, "Hello?")

    assert words(conversation(script, play)[0]) == "Well."


@pytest.mark.parametrize(
    "beats",
    [
        [{"text": "One"}, {"raw": '{"half": ', "event": "content_block_delta"}],
        [{"text": "One"}, {"raw": "[1]", "event": "content_block_delta"}],
        [{"text": "One"}, {"raw": {"type": "content_block_delta", "index": 9, "delta": {}}}],
        [{"text": "One"}, {"raw": {"type": "content_block_delta", "index": 0}}],
        [
            {"text": "One"},
            {
                "raw": {
                    "type": "content_block_delta",
                    "index": 0,
                    "delta": {"type": "text_delta", "text": 7},
                }
            },
        ],
        [{"raw": {"type": "content_block_start", "index": 0, "content_block": {}}}],
        [{"raw": {"type": "content_block_start", "index": "0"}}],
        [{"raw": {"type": "message_stop"}}],
        [{"raw": {"no": "type"}, "event": "message_delta"}],
        [{"raw": {"type": "message_start", "message": None}}],
        [{"text": "One"}, {"raw": "event: ping\ndata: \xff\n\n", "bare": True}, {"close": 1}],
    ],
)
def test_garbage_is_a_fault_and_not_the_end_of_the_conversation(beats: list[Any]) -> None:
    script = [{"on": "text", "reply": beats}, {"on": "text", "reply": [{"say": "Better."}]}]

    async def play(connection: Any, events: Any) -> list[list[Event]]:
        return [await turn(connection, events, said) for said in ("Hello", "Again")]

    (first, second), _ = conversation(script, play, replace(SETUP, retries=0))
    what = only(Fault, first)
    assert what.kind in ("protocol", "closed")
    assert not what.fatal
    assert "makes no sense" in what.message or "ended the connection" in what.message
    assert first[-1] == TurnEnded("failed")
    assert words(second) == "Better."


def test_what_the_service_may_invent_is_passed_over() -> None:
    new = {"type": "content_block_delta", "index": 0, "delta": {"type": "new_delta", "x": 1}}
    events = one_turn([{"text": "One"}, {"raw": {"type": "future_event"}}, {"raw": new}])
    assert words(events) == "One"
    assert events[-1] == TurnEnded("complete")


# -- faults -------------------------------------------------------------------------------------


def fault_of(beats: list[Any], setup: Setup = ONCE, **options: Any) -> Fault:
    events = one_turn(beats, setup, **options)
    assert events[-1] == TurnEnded("failed")
    found: Fault = only(Fault, events)
    assert not found.fatal
    return found


@pytest.mark.parametrize(
    ("status", "kind", "retryable"),
    [
        (400, "bad_request", False),
        (403, "auth", False),
        (413, "bad_request", False),
        (429, "rate_limited", True),
        (500, "overloaded", True),
        (503, "overloaded", True),
        (529, "overloaded", True),
    ],
)
def test_a_status_is_a_fault_in_words(status: int, kind: str, retryable: bool) -> None:
    """Trap: 529 and 429 come as SDK errors of their own."""
    what = fault_of([{"status": status, "message": "What it says.", "retry_after": 17}])
    assert (what.kind, what.code, what.retryable) == (kind, status, retryable)
    assert what.retry_after == 17
    assert "What it says." in what.detail
    # Only the reason of a refusal helps the person who asked.
    assert ("What it says." in what.message) == (kind == "bad_request")


def test_a_service_that_asks_for_an_hour_is_not_waited_for() -> None:
    """Trap: retry-after is obeyed by the SDK without cap; ours is a deadline."""
    what = fault_of([{"status": 529, "retry_after": 3600}], replace(SETUP, retries=2))
    assert what.retry_after == 3600
    assert "60 minutes" in what.message


def test_a_request_that_failed_before_any_answer_is_repeated() -> None:
    script = [
        {"on": "text", "reply": [{"status": 529, "retry_after": 0}]},
        {"on": "text", "reply": [{"drop": True}]},
        {"on": "text", "reply": [{"say": "Here."}]},
    ]

    async def play(connection: Any, events: Any) -> list[Event]:
        return await turn(connection, events, "Hello")

    events, _ = conversation(script, play)
    assert words(events) == "Here."
    assert not [event for event in events if isinstance(event, Fault)]


@pytest.mark.parametrize(
    ("error", "kind"),
    [
        ({"code": 529}, "overloaded"),
        ({"code": 500}, "overloaded"),
        ({"code": 429}, "rate_limited"),
        ({"type": "invalid_request_error", "message": "no"}, "bad_request"),
        ({"type": "something_new", "message": "no"}, "protocol"),
    ],
)
def test_an_error_inside_the_stream_is_told_by_its_type(error: dict[str, Any], kind: str) -> None:
    """Trap: `event: error` comes with status_code 200."""
    assert fault_of([{"text": "One"}, {"error": error}]).kind == kind


def test_a_line_cut_inside_the_stream_is_closed_and_one_before_it_unreachable() -> None:
    """Trap: cut socket inside the stream -> raw httpx2.RemoteProtocolError."""
    assert fault_of([{"text": "One"}, {"drop": True}]).kind == "closed"
    assert fault_of([{"drop": True}]).kind == "unreachable"


def test_a_line_cut_in_the_middle_of_a_call_runs_nothing() -> None:
    call = {"id": "toolu_01", "name": "get_weather", "arguments": '{"city": "Seoul"}'}
    events = one_turn([{"calls": [call]}, {"drop": True}], replace(SETUP, retries=0))
    assert only(Fault, events).kind == "closed"
    assert not [event for event in events if isinstance(event, ToolCalls)]


def test_a_stream_that_ends_early_is_closed() -> None:
    assert fault_of([{"text": "One"}, {"close": 1000}]).kind == "closed"
    assert fault_of([{"calls": [CALL]}, {"close": 1000}]).kind == "closed"


@pytest.mark.parametrize("before", [[], [{"text": "One"}], [{"calls": [CALL]}]])
def test_a_silent_service_is_a_timeout(before: list[Any]) -> None:
    setup = replace(SETUP, retries=0, deadlines=QUICK)
    assert fault_of([*before, {"silent": True}], setup).kind == "timeout"


def test_an_answer_that_is_no_stream_is_a_fault() -> None:
    body = [{"raw": "<html>Proxy error</html>", "bare": True}, {"close": 1}]
    assert fault_of(body).kind == "closed"


def test_thoughts_and_arguments_are_signs_of_life() -> None:
    beats: list[Any] = []
    for word in ("a", "b", "c", "d"):
        beats += [{"thinking": word}, {"wait": 1}]
    setup = replace(SETUP, retries=0, deadlines=replace(QUICK, answer=1.5, gap=1.5))
    assert words(one_turn([*beats, {"say": "Done."}], setup)) == "Done."


def test_a_big_event_is_only_big() -> None:
    assert len(words(one_turn([{"oversized": 3_000_000}]))) == 3_000_000


def test_a_message_repeated_by_the_service_does_not_break_it() -> None:
    events = one_turn([{"say": "One"}, {"complete": True}, {"duplicate": 2}])
    assert words(events) == "One"
    assert events[-1] == TurnEnded("complete")


# -- keys and addresses -------------------------------------------------------------------------


async def probed(claude: Claude) -> Fault | None:
    try:
        await claude.probe(5)
    except ProviderFault as failed:
        return failed.fault
    finally:
        await claude.close()
    return None


def test_probing_says_what_is_wrong() -> None:
    async def main(emulator: Emulator) -> str:
        assert await probed(provider(emulator)) is None
        wrong = await probed(provider(emulator, "wrong-key"))
        assert wrong is not None
        assert wrong.kind == "auth"
        assert "ANTHROPIC_API_KEY" in wrong.message
        assert "wrong-key" not in wrong.detail + wrong.message
        return emulator.base_url

    address = with_emulator(main)
    gone = run_real(probed(Claude(Access("test-key", address))))
    assert gone is not None
    assert gone.kind == "unreachable"
    assert address in gone.message


def test_a_key_that_the_service_repeats_is_not_in_the_fault() -> None:
    what = fault_of([{"status": 400, "message": "bad key test-key"}])
    assert "test-key" not in what.detail
    assert "bad key ********" in what.detail


def test_a_probe_has_a_deadline() -> None:
    async def main() -> Fault:
        async def never(reader: Any, writer: Any) -> None:
            await reader.read()  # until the client goes
            writer.close()

        server = await asyncio.start_server(never, "127.0.0.1", 0)
        port = server.sockets[0].getsockname()[1]
        claude = Claude(Access("k", f"http://127.0.0.1:{port}"))
        async with server:
            with pytest.raises(ProviderFault) as caught:
                await claude.probe(0.2)
            await claude.close()
        return caught.value.fault

    assert run_real(main()).kind == "timeout"


@pytest.mark.real_time
@pytest.mark.parametrize(
    ("access", "kind", "said"),
    [
        (Access(), "not_configured", "ANTHROPIC_API_KEY"),
        (Access(""), "not_configured", "ANTHROPIC_API_KEY"),
        (Access("kéy"), "auth", "ANTHROPIC_API_KEY"),
        (Access("key\nmore"), "auth", "ANTHROPIC_API_KEY"),
        (Access("key", ca_file=Path("/nowhere/ca.pem")), "not_configured", "ca_file"),
        (Access("key", "http://a:b:c"), "unreachable", "providers.claude.base_url"),
    ],
)
async def test_what_is_wrong_with_the_access_is_said_at_once(
    access: Access, kind: str, said: str
) -> None:
    with pytest.raises(ProviderFault, match=said) as caught:
        await Claude(access).connect(SETUP)
    assert caught.value.fault.kind == kind


@pytest.mark.parametrize("address", ["http://[bad", "nowhere", "ftp://127.0.0.1/"])
def test_an_address_that_is_none_is_unreachable(address: str) -> None:
    what = run_real(probed(Claude(Access("key", address))))
    assert what is not None
    assert what.kind == "unreachable"
    assert address in what.message


def test_an_unknown_model_is_named() -> None:
    script = {"options": {"models": ["claude-mini"]}}

    async def play(connection: Any, events: Any) -> list[Event]:
        return await turn(connection, events, "Hello")

    events, _ = conversation(script, play)
    what = only(Fault, events)
    assert what.kind == "not_found"
    assert SETUP.model in what.message


def test_tls_is_trusted_by_the_file_and_by_nothing_else() -> None:
    """Trap: the SDK takes only its own kind of http client."""

    async def main(emulator: Emulator) -> Fault | None:
        assert await probed(provider(emulator, ca_file=emulator.ca_file)) is None
        return await probed(provider(emulator))

    untrusted = with_emulator(main, tls=True)
    assert untrusted is not None
    assert untrusted.kind == "unreachable"
    assert "CERTIFICATE_VERIFY_FAILED" in untrusted.detail


def test_one_client_serves_every_connection_and_is_closed_with_the_provider() -> None:
    script = [{"on": "text", "reply": [{"say": "Hi."}], "times": 2}]

    async def main(emulator: Emulator) -> None:
        claude = provider(emulator)
        for _ in range(2):
            async with (
                await claude.connect(SETUP) as connection,
                aclosing(connection.events()) as events,
            ):
                await turn(connection, events, "Hello")
        await claude.close()
        await claude.close()

    with_emulator(main, script)


def test_a_closed_connection_takes_nothing_more() -> None:
    async def main(emulator: Emulator) -> None:
        claude = provider(emulator)
        connection = await claude.connect(SETUP)
        await connection.send(Prompt("Hello"))
        await connection.close()
        with pytest.raises(ProviderFault) as caught:
            await connection.send(Prompt("Hello?"))
        assert caught.value.fault.kind == "closed"
        await claude.close()

    with_emulator(main, {"rules": [{"on": "text", "reply": ["silent"]}]})


# -- messages of the SDK ------------------------------------------------------------------------


def test_calls_are_read_from_a_whole_message_only_when_it_ended_for_them() -> None:
    async def play(connection: ClaudeConnection, events: Any) -> None:
        def message(reason: str) -> anthropic.types.Message:
            block = {"type": "tool_use", "id": "a", "name": "get_weather", "input": {"city": "x"}}
            return anthropic.types.Message.model_validate(
                {
                    "id": "msg_1",
                    "type": "message",
                    "role": "assistant",
                    "model": SETUP.model,
                    "content": [{"type": "text", "text": "Hm."}, block],
                    "stop_reason": reason,
                    "usage": {"input_tokens": 1, "output_tokens": 1},
                }
            )

        (call,) = connection.receive_tool_calls(message("tool_use"))
        assert (call.id, call.name) == ("a", "get_weather")
        assert call.args == {"city": "x", "form": "anthropic"}
        assert connection.receive_tool_calls(message("max_tokens")) == []
        assert connection.receive_tool_calls(message("tool_use").to_dict())[0].id == "a"

    conversation({}, play, replace(SETUP, tools=Tools()))


# -- histories ----------------------------------------------------------------------------------


def test_a_history_of_another_provider_is_told_in_its_own_form() -> None:
    call = ToolCall("call/1", "get_weather", {"city": "Seoul"})
    native = {"parts": [{"functionCall": {}}]}
    history = [
        UserTurn("Weather?"),
        ModelTurn("One moment.", (call,), native, "gemini"),
        AnswersTurn((CallAnswer("call/1", "get_weather", OK),)),
        ModelTurn("Twenty one."),
    ]
    user, model, results, last = messages(history)
    assert model["content"][1] == {
        "type": "tool_use",
        "id": "call_1",
        "name": "get_weather",
        "input": {"city": "Seoul"},
    }
    assert results["content"][0]["tool_use_id"] == "call_1"
    assert (user["role"], last["role"]) == ("user", "assistant")


names = st.sampled_from(["a", "b/c", "", "x" * 200])
calls = st.builds(
    ToolCall, st.sampled_from([None, "", "temp_0", "a.b", "a_b", "c"]), names, st.just({"q": 1})
)
texts = st.sampled_from(["", "  ", "Hello", "And then?"])
turns = st.one_of(
    st.builds(UserTurn, texts),
    st.builds(ModelTurn, texts, st.lists(calls, max_size=3).map(tuple)),
    st.builds(
        AnswersTurn,
        st.lists(
            st.builds(CallAnswer, st.sampled_from(["temp_0", "a.b", "gone"]), names, st.just(OK)),
            max_size=3,
        ).map(tuple),
    ),
)


@given(st.lists(turns, max_size=8))
def test_whatever_the_history_the_service_takes_it(history: list[HistoryTurn]) -> None:
    """Calls without answers, answers without calls, ids used twice, roles in any order."""
    said = messages([*history, UserTurn("Now?")])
    check({"model": "m", "max_tokens": 1, "messages": said}, AnthropicServiceState())
    assert said[-1]["content"][-1] == {"type": "text", "text": "Now?"}
