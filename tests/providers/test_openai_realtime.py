"""OpenAI Realtime behind the port, through its emulator and OpenAI's own SDK."""

from __future__ import annotations

import asyncio
import base64
from collections.abc import Awaitable, Callable, Coroutine
from contextlib import aclosing, nullcontext
from pathlib import Path
from typing import Any

import pytest
from tests.providers.talking import unhurried

from antiphon.contracts import ToolCall
from antiphon.contracts.events import (
    Activity,
    AnswersTurn,
    Audio,
    AudioEnded,
    CallAnswer,
    Event,
    Fault,
    GoAway,
    Interrupt,
    Interrupted,
    ModelTurn,
    Prompt,
    Ready,
    SendAudio,
    SpeechStarted,
    SpeechStopped,
    Text,
    ToolCalls,
    Transcript,
    TurnEnded,
    Usage,
    UserTurn,
)
from antiphon.emulators.base import Emulator
from antiphon.emulators.runner import emulate
from antiphon.providers.openai.realtime import OpenAIRealtime
from antiphon.providers.port import Access, Connection, Deadlines, ProviderFault, Setup
from antiphon.testing import run_real

MODEL = "gpt-realtime-2"
SETUP = Setup(MODEL)
QUICK = Setup(MODEL, deadlines=Deadlines(connect=5, send=1, answer=0.5, gap=0.5))
FRAME = SendAudio(b"\x10\x00" * 320)  # 20 ms
OK: Any = {"ok": True, "data": {}, "intents": [], "meta": {"toolId": "weather"}}
CALL = {"id": "call_a", "name": "weather", "args": {"city": "Seoul"}}
TIME = {"id": "call_b", "name": "time", "args": {}}


class Talk:
    """One connection, read with a limit to patience."""

    def __init__(self, connection: Connection, emulator: Emulator) -> None:
        self.connection = connection
        self.send = connection.send
        self.emulator = emulator
        self.events = connection.events()
        self.seen: list[Event] = []

    async def until(self, kind: type[Any], number: int = 1) -> Any:
        """The next event of this kind (or the one so many further); `seen` has those on the way."""
        async with asyncio.timeout(60):
            async for event in self.events:
                self.seen.append(event)
                if isinstance(event, kind):
                    number -= 1
                    if not number:
                        return event
        raise AssertionError(f"no {kind.__name__} came, but {self.seen}")

    async def rest(self) -> list[Event]:
        async with asyncio.timeout(60):
            return [event async for event in self.events]

    async def prompt(self, text: str = "Go") -> str:
        """Ask, and wait until the turn ends."""
        await self.send(Prompt(text))
        ended: TurnEnded = await self.until(TurnEnded)
        return ended.reason

    async def answer(self, calls: ToolCalls) -> None:
        for call in calls.calls:
            await self.send(CallAnswer(call.id, call.name, OK))

    def of(self, kind: type[Any]) -> list[Any]:
        return [event for event in self.seen if isinstance(event, kind)]

    def sent(self, type: str) -> list[Any]:
        return [m for m in self.emulator.received if isinstance(m, dict) and m["type"] == type]

    def kinds(self) -> list[str]:
        """What happened, without the pieces of it."""
        return [
            type(e).__name__ for e in self.seen if not isinstance(e, Audio | Usage | Transcript)
        ]


def run(work: Coroutine[Any, Any, None]) -> None:
    run_real(work, timeout=60)


def talk(
    steps: Any, main: Callable[[Talk], Awaitable[None]], setup: Setup = SETUP, **options: Any
) -> Emulator:
    """Hold one conversation, which must go as the script says."""
    with emulate("openai", steps, **options) as emulator:
        run(held(emulator, main, setup))
    return emulator


async def held(emulator: Emulator, main: Callable[[Talk], Awaitable[None]], setup: Setup) -> None:
    provider = OpenAIRealtime(Access("test-key", emulator.base_url, emulator.ca_file))
    async with await provider.connect(setup) as connection:
        talk = Talk(connection, emulator)
        async with aclosing(talk.events):  # type: ignore[type-var]
            await main(talk)
    await provider.close()


def refused(steps: Any, setup: Setup = SETUP, access: Access | None = None, **more: Any) -> Fault:
    """The fault of a connection that does not come about."""
    with emulate("openai", steps, **more) as emulator:

        async def main() -> None:
            provider = OpenAIRealtime(access or Access("test-key", emulator.base_url))
            try:
                await provider.connect(setup)
            finally:
                await provider.close()

        with pytest.raises(ProviderFault) as failed:
            run(main())
    return failed.value.fault


# -- the set-up


class Tools:
    """Declarations as the registry gives them."""

    def declared(self, form: str) -> list[dict[str, Any]]:
        assert form == "openaiResponses"
        parameters = {"type": "object", "properties": {"city": {"type": "string"}}}
        tool = {"type": "function", "name": "weather", "description": "W", "strict": False}
        return [{**tool, "parameters": parameters}]

    def arguments(self, form: str, name: str, args: Any) -> Any:
        return {**args, "meant": [form, name]}

    def written(self, form: str, name: str, args: Any) -> Any:
        del form, name
        return args


def test_everything_of_the_setup_is_told_and_taken() -> None:
    async def main(talk: Talk) -> None:
        ready = await talk.until(Ready)
        assert ready.session_id.startswith("sess_")
        (update,) = talk.sent("session.update")
        session = update["session"]
        assert session["type"] == "realtime"
        assert session["parallel_tool_calls"] is True
        assert session["max_output_tokens"] == 300
        heard = session["audio"]["input"]
        assert heard["format"] == {"type": "audio/pcm", "rate": 24000}
        assert heard["turn_detection"]["create_response"] is True
        assert heard["turn_detection"]["interrupt_response"] is True
        assert heard["transcription"]["model"]
        assert set(session["tools"][0]) == {"type", "name", "description", "parameters"}

    facts = {
        "model": MODEL,
        "voice": "cedar",
        "instructions": "Be brief.",
        "tools": ["weather"],
        "language": "de",
    }
    setup = Setup(
        MODEL,
        instructions="Be brief.",
        tools=Tools(),
        voice="cedar",
        language="de-AT",
        max_tokens=300,
    )
    talk([{"on": "connect", "with": facts}], main, setup)


def test_what_was_said_before_is_told_with_its_calls() -> None:
    async def main(talk: Talk) -> None:
        items = [message["item"] for message in talk.sent("conversation.item.create")]
        shown = [(i["type"], i.get("role"), i.get("call_id")) for i in items]
        assert shown == [
            ("message", "user", None),
            ("message", "assistant", None),
            ("function_call", None, "call_before_1"),
            ("function_call", None, "call_before_2"),
            ("function_call_output", None, "call_before_2"),
            ("function_call_output", None, "call_before_1"),
            ("message", "user", None),  # a result whose call nobody knows is text, of others
            ("message", "assistant", None),
        ]
        assert items[2]["arguments"] == '{"city":"Seoul"}'
        assert '"ok":true' in items[4]["output"]
        assert await talk.prompt("And now?") == "complete"

    calls = (
        ToolCall("toolu_" + "x" * 60, "weather", {"city": "Seoul"}),
        ToolCall(None, "time", {}),
    )
    history = (
        UserTurn("Weather?"),
        ModelTurn("Let me see.", calls),
        AnswersTurn(
            (
                CallAnswer(None, "time", OK),
                CallAnswer(calls[0].id, "weather", OK),
                CallAnswer("lost", "other", OK),
            )
        ),
        ModelTurn("Sunny."),
    )
    steps = [
        {"on": "connect", "with": {"history": ["Weather?", "Let me see.", "Sunny."]}},
        {"on": "text", "with": {"text": "now"}, "reply": [{"say": "Rain."}]},
    ]
    talk(steps, main, Setup(MODEL, history=history))


def test_an_older_model_is_not_asked_for_parallel_calls() -> None:
    """Trap: parallel_tool_calls is refused by models that do not reason."""

    async def main(talk: Talk) -> None:
        assert "parallel_tool_calls" not in talk.sent("session.update")[0]["session"]

    talk(None, main, Setup("gpt-realtime", tools=Tools()))


def test_it_is_reached_over_tls_with_a_certificate_of_ones_own(tmp_path: Path) -> None:
    async def main(talk: Talk) -> None:
        assert await talk.prompt() == "complete"

    talk([{"on": "text", "reply": [{"say": "Hi."}]}], main, tls=True, folder=tmp_path)
    fault = refused(None, tls=True, folder=tmp_path)
    assert fault.kind == "unreachable"
    assert "certificate" in fault.detail.lower()


# -- no connection


def test_without_a_key_it_says_which_variable_to_set() -> None:
    fault = refused(None, access=Access(None))
    assert fault.kind == "not_configured"
    assert "OPENAI_API_KEY" in fault.message


def test_a_key_that_is_refused_names_the_variable_and_is_never_repeated() -> None:
    with emulate("openai") as emulator:
        fault = refused(None, access=Access("sk-secret-secret", emulator.base_url))
    assert (fault.kind, fault.fatal) == ("auth", True)
    assert "OPENAI_API_KEY" in fault.message
    assert "sk-secret-secret" not in fault.message + fault.detail


@pytest.mark.parametrize(
    ("reply", "kind", "after"),
    [
        ([{"status": 401, "message": "no"}], "auth", None),
        ([{"status": 404}], "not_found", None),
        ([{"status": 429, "retry_after": 7}], "rate_limited", 7.0),
        ([{"status": 503}], "overloaded", None),
        ([{"error": {"code": "model_not_found", "message": "gpt-x"}}], "not_found", None),
        ([{"error": {"code": "unknown_parameter", "message": "x"}}], "bad_request", None),
        ([{"close": 1011, "reason": "boom"}], "closed", None),
        ([{"close": 3000, "reason": "invalid_request_error.invalid_api_key"}], "auth", None),
        ([{"drop": True}], "closed", None),
    ],
)
def test_a_connection_that_fails_says_why(reply: Any, kind: str, after: float | None) -> None:
    fault = refused([{"on": "connect", "reply": reply}])
    assert (fault.kind, fault.retry_after, fault.fatal) == (kind, after, True)
    assert fault.message


def test_a_server_that_says_nothing_is_given_up_in_time() -> None:
    setup = Setup(MODEL, deadlines=Deadlines(connect=0.5))
    fault = refused([{"on": "connect", "reply": [{"silent": True}]}], setup)
    assert (fault.kind, fault.retryable) == ("timeout", True)


def test_a_server_that_is_not_there_is_unreachable() -> None:
    with emulate("openai") as emulator:
        gone = emulator.base_url
    assert refused(None, access=Access("test-key", gone)).kind == "unreachable"


def test_an_address_that_is_none_is_a_fault_and_no_traceback() -> None:
    fault = refused(None, access=Access("test-key", "http://[nowhere/v1"))
    assert fault.kind == "unreachable"


# -- answers


def test_a_spoken_answer_is_audio_and_transcript_and_then_the_end() -> None:
    async def main(talk: Talk) -> None:
        assert await talk.prompt("Hello") == "complete"
        audio = talk.of(Audio)
        assert sum(len(a.data) for a in audio) == 120 * 48
        assert len({a.item for a in audio}) == 1
        said = talk.of(Transcript)
        assert "".join(t.text for t in said) == "Good day."
        assert [t.final for t in said] == [False, False, True]
        (usage,) = talk.of(Usage)
        assert (usage.input_tokens, usage.output_tokens, usage.cached_tokens) == (9, 4, 3)
        assert talk.kinds() == ["Ready", "TurnEnded"]

    reply = [{"say": "Good day.", "ms": 120}, {"usage": {"input": 9, "output": 4, "cached": 3}}]
    talk([{"on": "text", "with": {"text": "Hello"}, "reply": reply}], main)


def test_in_text_mode_the_answer_is_text() -> None:
    async def main(talk: Talk) -> None:
        assert await talk.prompt() == "complete"
        assert "".join(t.text for t in talk.of(Text)) == "Good day."
        assert not talk.of(Audio)

    talk([{"on": "text", "reply": [{"say": "Good day."}]}], main, Setup(MODEL, output="text"))


def test_a_note_asks_for_no_answer() -> None:
    async def main(talk: Talk) -> None:
        await talk.send(Prompt("The door is open.", answer=False))
        assert await talk.prompt("Is it?") == "complete"
        assert len(talk.sent("response.create")) == 1

    steps = [
        {"on": "note", "with": {"text": "door"}},
        {"on": "text", "with": {"text": "Is it?"}, "reply": [{"say": "Yes."}]},
    ]
    talk(steps, main)


@pytest.mark.parametrize(
    ("how", "reason", "faults"),
    [
        ("max_tokens", "max_tokens", []),
        ("refused", "refused", ["refused"]),
        ("failed", "failed", ["overloaded"]),
        ("turn_detected", "interrupted", []),
    ],
)
def test_an_answer_ends_for_its_reason(how: str, reason: str, faults: list[str]) -> None:
    async def main(talk: Talk) -> None:
        assert await talk.prompt() == reason
        found = talk.of(Fault)
        assert [f.kind for f in found] == faults
        assert not any(f.fatal for f in found)
        assert len(talk.of(Interrupted)) == (reason == "interrupted")
        assert await talk.prompt("Once more") == "complete"

    steps = [
        {"on": "text", "reply": [{"say": "Well"}, {"complete": how}]},
        {"on": "text", "reply": [{"say": "Yes."}]},
    ]
    talk(steps, main)


# -- calls


def test_parallel_calls_get_their_answers_and_one_request_to_go_on() -> None:
    """Trap: response.create exactly once, after all outputs and after response.done."""

    async def main(talk: Talk) -> None:
        await talk.send(Prompt("Weather and time?"))
        calls = await talk.until(ToolCalls)
        assert [(c.id, c.name) for c in calls.calls] == [("call_a", "weather"), ("call_b", "time")]
        assert calls.calls[0].args == {"city": "Seoul", "meant": ["openaiResponses", "weather"]}
        assert talk.connection.pending == {"call_a", "call_b"}
        await talk.answer(calls)
        assert talk.connection.pending == frozenset()
        assert (await talk.until(TurnEnded)).reason == "complete"
        order = [m["type"] for m in talk.emulator.received[-3:]]
        assert order == ["conversation.item.create"] * 2 + ["response.create"]
        assert len(talk.sent("response.create")) == 2
        assert talk.kinds() == ["Ready", "ToolCalls", "TurnEnded"]

    whole = {"id": "call_a", "name": "weather", "envelope": OK}
    steps = [
        {"on": "text", "reply": [{"calls": [CALL, TIME]}]},
        {
            "on": "results",
            "with": {"count": 2, "ok": True, "results": [whole]},
            "reply": [{"say": "Sunny."}],
        },
    ]
    talk(steps, main, Setup(MODEL, tools=Tools()))


def test_calls_of_servers_that_leave_out_names_and_deltas_are_complete() -> None:
    """Trap: arguments.done may have no name, and deltas may be missing."""

    async def main(talk: Talk) -> None:
        await talk.send(Prompt("Go"))
        (call,) = (await talk.until(ToolCalls)).calls
        assert (call.name, call.args) == ("weather", {"city": "Seoul"})

    options = {"omit_name": True, "omit_deltas": True}
    talk({"steps": [{"on": "text", "reply": [{"calls": [CALL]}]}], "options": options}, main)


@pytest.mark.parametrize("calls", ["items", "arguments"])
def test_calls_that_the_end_of_a_response_does_not_list_are_run_once(calls: str) -> None:
    """Compatible servers tell of calls in one place or another, and give events one id."""

    async def main(talk: Talk) -> None:
        await talk.send(Prompt("Go"))
        (first, second) = (await talk.until(ToolCalls)).calls
        assert (first.name, first.args, second.name) == ("weather", {"city": "Seoul"}, "time")
        for call in (first, second):
            await talk.send(CallAnswer(call.id, call.name, OK))
        await talk.until(TurnEnded)
        assert "".join(t.text for t in talk.of(Transcript)) == "Sun, sun, sun."
        assert len(talk.of(ToolCalls)) == 1
        assert not talk.of(Fault)

    steps = [
        {"on": "text", "reply": [{"calls": [CALL, TIME]}]},
        {"on": "results", "with": {"count": 2}, "reply": [{"say": "Sun, sun, sun."}]},
    ]
    talk({"steps": steps, "options": {"calls": calls, "event_ids": "same"}}, main)


@pytest.mark.parametrize("calls", ["items", "arguments"])
def test_calls_that_a_cancelled_response_does_not_list_are_not_run(calls: str) -> None:
    async def main(talk: Talk) -> None:
        assert await talk.prompt() == "interrupted"
        assert await talk.prompt("Again") == "complete"
        assert not talk.of(ToolCalls)

    steps = [
        {"on": "text", "reply": [{"calls": [CALL]}, {"cancel": ["call_a"]}]},
        {"on": "text", "with": {"text": "Again"}, "reply": [{"say": "Hi."}]},
    ]
    talk({"steps": steps, "options": {"calls": calls}}, main)


@pytest.mark.parametrize("arguments", ["", " "])
def test_no_arguments_at_all_are_an_empty_object(arguments: str) -> None:
    async def main(talk: Talk) -> None:
        await talk.send(Prompt("Go"))
        (call,) = (await talk.until(ToolCalls)).calls
        assert call.args == {}

    call = {"id": "call_a", "name": "time", "arguments": arguments}
    talk([{"on": "text", "reply": [{"calls": [call]}]}], main)


def test_the_final_transcript_stands_whatever_the_pieces_were() -> None:
    async def main(talk: Talk) -> None:
        for _ in range(10):
            await talk.send(FRAME)
        await talk.until(TurnEnded)
        person = [t for t in talk.of(Transcript) if t.role == "user"]
        assert [(t.text, t.interim) for t in person] == [
            ("Hell", True),
            ("Hell are you", True),
            ("How are you?", False),
        ]
        model = [t for t in talk.of(Transcript) if t.role == "model"]
        assert (model[-1].text, model[-1].replaces) == ("I am well.", "I am vell")

    heard = {"hear": "How are you?", "pieces": ["Hell", " are you"]}
    said = {"say": "I am vell", "whole": "I am well.", "ms": 100}
    talk([{"on": "audio", "with": {"ms": 200}, "reply": [heard, said]}], main)


def test_calls_of_a_cancelled_response_are_not_run() -> None:
    """Trap: arguments.done also fires for a response that is then cancelled."""

    async def main(talk: Talk) -> None:
        assert await talk.prompt() == "interrupted"
        assert not talk.of(ToolCalls)
        assert talk.connection.pending == frozenset()

    talk([{"on": "text", "reply": [{"calls": [CALL]}, {"cancel": ["call_a"]}]}], main)


def test_a_call_that_was_cut_off_is_not_run_and_the_person_is_told() -> None:
    """Trap: arguments.done also fires for a response that ran out of tokens."""

    async def main(talk: Talk) -> None:
        assert await talk.prompt() == "max_tokens"
        assert not talk.of(ToolCalls)
        assert [f.kind for f in talk.of(Fault)] == ["truncated"]

    half = {"id": "call_a", "name": "weather", "arguments": '{"city": "Se'}
    talk([{"on": "text", "reply": [{"calls": [half]}, {"complete": "max_tokens"}]}], main)


@pytest.mark.parametrize("arguments", ['{"city": "Se', "[1]", "null", '"Seoul"'])
def test_arguments_that_are_no_object_are_passed_on_as_they_came(arguments: str) -> None:
    async def main(talk: Talk) -> None:
        await talk.send(Prompt("Go"))
        (call,) = (await talk.until(ToolCalls)).calls
        assert call.args == arguments

    call = {"id": "call_a", "name": "weather", "arguments": arguments}
    talk([{"on": "text", "reply": [{"calls": [call]}]}], main, Setup(MODEL, tools=Tools()))


def test_the_same_message_twice_is_one_call() -> None:
    async def main(talk: Talk) -> None:
        await talk.send(Prompt("Go"))
        calls = await talk.until(ToolCalls)
        await talk.answer(calls)
        await talk.until(TurnEnded)
        assert len(talk.of(ToolCalls)) == 1

    steps = [
        {"on": "text", "reply": [{"calls": [CALL]}, {"duplicate": 2}]},
        {"on": "results", "reply": [{"say": "Sunny."}]},
    ]
    talk(steps, main)


def test_the_end_of_a_response_that_is_told_again_is_no_second_one() -> None:
    async def main(talk: Talk) -> None:
        await talk.send(Prompt("Go"))
        assert (await talk.until(TurnEnded)).reason == "complete"
        assert len(talk.of(ToolCalls)) == 1
        assert not talk.of(Fault)

    item = {"type": "function_call", "call_id": "c", "name": "weather", "arguments": "{}"}
    response = {"id": "resp_x", "status": "completed", "output": [item]}
    done = {"type": "response.done", "response": response}
    twice = [{"raw": {**done, "event_id": "e1"}}, {"raw": {**done, "event_id": "e2"}}]
    talk([{"on": "text", "reply": [*twice, {"say": "Hi."}]}], main)


def test_an_answer_that_nobody_waits_for_is_refused_here() -> None:
    """Trap: an unknown call_id would be invalid_tool_call_id."""

    async def main(talk: Talk) -> None:
        with pytest.raises(ProviderFault) as failed:
            await talk.send(CallAnswer("call_x", "weather", OK))
        assert (failed.value.fault.kind, failed.value.fault.fatal) == ("bad_request", False)
        assert await talk.prompt() == "complete"

    talk([{"on": "text", "reply": [{"say": "Hi."}]}], main)


def test_the_calls_of_a_message_are_read_from_what_the_sdk_hands_over() -> None:
    async def main(talk: Talk) -> None:
        from openai.types.realtime import ResponseDoneEvent

        item = {"type": "function_call", "call_id": "c", "name": "f", "arguments": '{"a":1}'}
        body = {
            "type": "response.done",
            "event_id": "e",
            "response": {"status": "completed", "output": [item]},
        }
        read = talk.connection.receive_tool_calls
        for message in (body, ResponseDoneEvent.model_validate(body)):
            (call,) = read(message)
            assert (call.id, call.name, call.args) == ("c", "f", {"a": 1})
        body["response"]["status"] = "cancelled"  # type: ignore[index]
        assert read(body) == []
        assert read({"type": "session.updated"}) == []

    talk(None, main)


# -- one response at a time


def test_what_is_written_during_an_answer_stops_it_and_is_answered() -> None:
    """Trap: a second response.create would be conversation_already_has_active_response."""

    async def main(talk: Talk) -> None:
        await talk.send(Prompt("A story"))
        await talk.until(Audio)
        assert await talk.prompt("Stop, the time!") == "interrupted"
        assert talk.of(Interrupted)
        talk.seen.clear()
        assert (await talk.until(TurnEnded)).reason == "complete"
        assert "".join(t.text for t in talk.of(Transcript)) == "Noon."

    steps = [
        {"on": "text", "reply": [{"say": "Once"}, {"wait": 30}, {"say": "upon"}]},
        {"on": "interrupt"},
        {"on": "text", "with": {"text": "time!"}, "reply": [{"say": "Noon."}]},
    ]
    talk(steps, main)


def test_two_prompts_at_once_are_one_answer_to_the_second() -> None:
    async def main(talk: Talk) -> None:
        await talk.send(Prompt("One"))
        assert await talk.prompt("Two") == "interrupted"
        assert (await talk.until(TurnEnded)).reason == "complete"
        assert len(talk.sent("response.create")) == 2

    steps = [
        {"on": "text", "with": {"text": "One"}, "reply": [{"wait": 30}]},
        {"on": "interrupt"},
        {"on": "text", "with": {"text": "Two"}, "reply": [{"say": "Two."}]},
    ]
    talk(steps, main)


COLLISION = {
    "code": "conversation_already_has_active_response",
    "message": "Conversation already has an active response in progress: resp_x.",
    "event_id": None,
}


def test_a_request_that_collides_is_made_again_after_the_other_response() -> None:
    """Trap: the refusal has no event_id, and without another request nobody hears anything."""

    async def main(talk: Talk) -> None:
        await talk.send(Prompt("Weather?"))
        await talk.answer(await talk.until(ToolCalls))
        await talk.until(TurnEnded, 2)
        assert not talk.of(Fault)
        assert "".join(t.text for t in talk.of(Transcript)) == "Sunny."

    other = {"type": "response.created", "event_id": "e1", "response": {"id": "resp_x"}}
    output = {"type": "function_call_output", "id": "i", "call_id": "call_a"}
    late = {"type": "conversation.item.added", "event_id": "e2", "item": output}
    over = {"id": "resp_x", "status": "completed", "output": []}
    done = {"type": "response.done", "event_id": "e3", "response": over}
    collides = [{"raw": other}, {"raw": late}, {"error": COLLISION}, {"raw": done}]
    steps = [
        {"on": "text", "reply": [{"calls": [CALL]}]},
        {"on": "results", "reply": collides},
        {"on": "text", "reply": [{"say": "Sunny."}]},  # a request with nothing new in it
    ]
    talk(steps, main)


def test_a_response_that_has_seen_everything_is_answer_enough_when_requests_collide() -> None:
    async def main(talk: Talk) -> None:
        await talk.send(Prompt("Weather?"))
        await talk.answer(await talk.until(ToolCalls))
        await talk.until(TurnEnded)
        assert not talk.of(Fault)
        assert await talk.prompt("Thanks") == "complete"
        assert len(talk.sent("response.create")) == 3

    other = {"type": "response.created", "event_id": "e1", "response": {"id": "resp_x"}}
    over = {"id": "resp_x", "status": "completed", "output": []}
    done = {"type": "response.done", "event_id": "e3", "response": over}
    steps = [
        {"on": "text", "reply": [{"calls": [CALL]}]},
        {"on": "results", "reply": [{"raw": other}, {"error": COLLISION}, {"raw": done}]},
        {"on": "text", "with": {"text": "Thanks"}, "reply": [{"say": "Welcome."}]},
    ]
    talk(steps, main)


@pytest.mark.parametrize(
    "error",
    [
        {"code": "response_cancel_not_active", "message": "Cancellation failed"},
        {
            "code": "invalid_value",
            "message": "Audio content of 100ms is already shorter than 200ms",
        },
    ],
)
def test_errors_that_do_no_harm_are_not_the_persons_business(error: dict[str, Any]) -> None:
    """Trap: response_cancel_not_active and a late truncate are harmless."""

    async def main(talk: Talk) -> None:
        assert await talk.prompt() == "complete"
        assert not talk.of(Fault)

    raw = {"raw": {"type": "error", "event_id": "e", "error": error}}
    talk([{"on": "text", "reply": [raw, {"say": "Hi."}]}], main)


def test_an_answer_that_is_refused_ends_the_turn_and_the_next_is_asked_for() -> None:
    async def main(talk: Talk) -> None:
        assert await talk.prompt() == "failed"
        (fault,) = talk.of(Fault)
        assert (fault.kind, fault.fatal) == ("rate_limited", False)
        assert await talk.prompt() == "complete"

    steps = [
        {"on": "text", "reply": [{"error": {"code": "rate_limit_exceeded", "message": "slow"}}]},
        {"on": "text", "reply": [{"say": "Hi."}]},
    ]
    talk(steps, main)


# -- speech


def test_speech_arrives_at_24_khz_and_its_transcript_may_come_last() -> None:
    """Trap: PCM is 24 kHz only; the transcript of the person may come after the answer."""

    async def main(talk: Talk) -> None:
        for _ in range(10):
            await talk.send(FRAME)
        await talk.until(TurnEnded)
        words = await talk.until(Transcript)
        assert (words.role, words.text, words.interim) == ("user", "Hello?", True)
        last = await talk.until(Transcript)
        assert (last.role, last.text, last.final) == ("user", "Hello?", True)
        assert talk.kinds() == ["Ready", "SpeechStarted", "SpeechStopped", "TurnEnded"]
        assert talk.of(SpeechStarted)[0].item == talk.of(SpeechStopped)[0].item == last.item
        sent = [base64.b64decode(m["audio"]) for m in talk.sent("input_audio_buffer.append")]
        assert [len(audio) for audio in sent] == [20 * 48] * 10

    reply = [{"say": "Hi."}, {"complete": True}, {"hear": "Hello?"}]
    talk([{"on": "audio", "with": {"ms": 200}, "reply": reply}], main)


def test_a_transcript_that_comes_whole_is_told_whole() -> None:
    async def main(talk: Talk) -> None:
        for _ in range(10):
            await talk.send(FRAME)
        await talk.until(TurnEnded)
        heard = [t for t in talk.of(Transcript) if t.role == "user"]
        assert [(t.text, t.final) for t in heard] == [("Hello?", True)]

    steps = [{"on": "audio", "with": {"ms": 200}, "reply": [{"hear": "Hello?"}, {"say": "Hi."}]}]
    talk({"steps": steps, "options": {"omit_deltas": True}}, main)


def test_who_cuts_in_is_heard_and_the_rest_of_the_answer_is_void() -> None:
    """Trap: speech_started, then response.done cancelled; we flush and truncate."""

    async def main(talk: Talk) -> None:
        await talk.send(Prompt("A story"))
        audio = await talk.until(Audio)
        await talk.send(FRAME)
        await talk.until(Interrupted)
        assert isinstance(talk.seen[-2], SpeechStarted)
        await talk.send(Interrupt(played_ms=12, item=audio.item))
        assert (await talk.until(TurnEnded)).reason == "interrupted"
        assert len(talk.of(Interrupted)) == 1
        assert not talk.sent("response.cancel")  # the service has done that

    steps = [
        {"on": "text", "reply": [{"say": "Once", "ms": 100}, {"wait": 30}]},
        {"on": "audio", "reply": [{"speech": "started"}]},
        {"on": "truncate", "with": {"ms": 12}},
    ]
    talk(steps, main)


def test_who_cuts_in_while_only_our_speaker_is_still_talking_is_heard_too() -> None:
    """Trap: audio comes faster than it plays, so response.done precedes the end of playback."""

    async def main(talk: Talk) -> None:
        assert await talk.prompt() == "complete"
        await talk.send(FRAME)
        await talk.until(Interrupted)

    steps = [
        {"on": "text", "reply": [{"say": "Once", "ms": 60_000}]},
        {"on": "audio", "reply": [{"speech": "started"}]},
    ]
    talk(steps, main)


def test_no_more_is_truncated_than_has_come() -> None:
    """Trap: beyond the real length it is invalid_value; min(played, received)."""

    async def main(talk: Talk) -> None:
        await talk.prompt()
        item = talk.of(Audio)[0].item
        await talk.send(Interrupt(played_ms=5000, item=item))
        await talk.send(Interrupt(played_ms=150))
        await talk.send(Interrupt(played_ms=170, item=item))
        await talk.send(Interrupt(played_ms=170, item="item_of_nobody"))
        await talk.send(Interrupt())
        assert await talk.prompt() == "complete"
        cut = [m["audio_end_ms"] for m in talk.sent("conversation.item.truncate")]
        assert cut == [300, 150, 150]

    steps = [
        {"on": "text", "reply": [{"say": "Once", "ms": 300}]},
        {"on": "text", "reply": [{"say": "Twice"}]},
    ]
    talk(steps, main)


def test_our_own_interruption_stops_the_answer_where_it_is() -> None:
    async def main(talk: Talk) -> None:
        await talk.send(Prompt("A story"))
        await talk.until(Audio)
        await talk.send(Interrupt(played_ms=10))
        assert (await talk.until(TurnEnded)).reason == "interrupted"
        assert len(talk.sent("response.cancel")) == 1
        assert talk.kinds()[-2:] == ["Interrupted", "TurnEnded"]

    steps = [
        {"on": "text", "reply": [{"say": "Once", "ms": 40}, {"wait": 30}]},
        {"on": "interrupt"},
        {"on": "truncate", "with": {"ms": 10}},
    ]
    talk(steps, main)


def test_what_still_comes_of_a_void_answer_is_not_played() -> None:
    async def main(talk: Talk) -> None:
        await talk.send(Prompt("A story"))
        await talk.until(Audio)
        await talk.send(Interrupt())  # with three seconds more of it on their way
        talk.seen.clear()
        assert (await talk.until(TurnEnded)).reason == "interrupted"
        assert not talk.of(Audio)
        assert [t.text for t in talk.of(Transcript)] == [""]

    words = "once upon a time there was a word and another word and another"
    steps = [
        {"on": "text", "reply": [{"say": words, "ms": 3000}, {"wait": 30}]},
        {"on": "interrupt"},
    ]
    talk(steps, main)


def test_the_microphone_that_is_turned_off_ends_what_was_said() -> None:
    async def main(talk: Talk) -> None:
        for _ in range(10):
            await talk.send(FRAME)
        await talk.send(AudioEnded())
        assert (await talk.until(TurnEnded)).reason == "complete"

    talk([{"on": "audio_end", "reply": [{"say": "Yes?"}]}], main)


def test_the_talk_button_hands_in_what_was_said() -> None:
    """Trap: less than 100 ms must not be committed."""

    async def main(talk: Talk) -> None:
        assert talk.sent("session.update")[0]["session"]["audio"]["input"]["turn_detection"] is None
        await talk.send(Activity(True))
        await talk.send(FRAME)
        await talk.send(Activity(False))  # a tap
        await talk.send(Activity(True))
        for _ in range(6):
            await talk.send(FRAME)
        await talk.send(Activity(False))
        assert (await talk.until(TurnEnded)).reason == "complete"
        assert len(talk.sent("input_audio_buffer.commit")) == 1
        assert len(talk.sent("response.create")) == 1

    steps = [{"on": "activity", "with": {"active": False}, "reply": [{"say": "Yes?"}]}]
    talk(steps, main, Setup(MODEL, manual_activity=True))


def test_the_talk_button_stops_an_answer() -> None:
    async def main(talk: Talk) -> None:
        await talk.send(Prompt("A story"))
        await talk.until(Audio)
        await talk.send(Activity(True))
        assert (await talk.until(TurnEnded)).reason == "interrupted"

    steps = [{"on": "text", "reply": [{"say": "Once"}, {"wait": 30}]}, {"on": "interrupt"}]
    talk(steps, main, Setup(MODEL, manual_activity=True))


# -- the end of the line


def test_the_end_of_a_session_is_said_before_it_comes() -> None:
    """Trap: the service gives no warning of its cap; session.created tells it."""

    async def main(talk: Talk) -> None:
        away = await talk.until(GoAway)
        assert 20 < away.seconds <= 30
        assert await talk.prompt() == "complete"

    steps = [{"on": "text", "reply": [{"say": "Hi."}]}]
    talk({"steps": steps, "options": {"expires_in": 30}}, main)


def test_a_reader_that_waits_is_woken_for_the_warning_and_can_still_be_cancelled() -> None:
    async def main(talk: Talk) -> None:
        reading = asyncio.create_task(talk.until(GoAway))
        away = await reading
        assert 0 < away.seconds <= 60
        reading = asyncio.create_task(talk.until(GoAway))
        await asyncio.sleep(0)
        reading.cancel()
        with pytest.raises(asyncio.CancelledError):
            await reading

    talk({"options": {"expires_in": 60.2}}, main)


def test_a_session_that_is_over_is_a_fatal_fault() -> None:
    async def main(talk: Talk) -> None:
        fault = (await talk.rest())[-1]
        assert isinstance(fault, Fault)
        assert (fault.kind, fault.fatal, fault.retryable) == ("closed", True, True)
        assert "60 minutes" in fault.detail
        with pytest.raises(ProviderFault):
            await talk.send(Prompt("Hello?"))

    talk({"options": {"expires_in": 1}}, main)


@pytest.mark.parametrize("code", [1000, 1001, 1007, 1008, 1011, 4000, 1006])
def test_a_line_that_ends_is_a_fatal_fault_with_its_code(code: int) -> None:
    """Trap: 1000 ends the SDK's iterator quietly; nothing is ever reconnected by itself."""

    async def main(talk: Talk) -> None:
        await talk.send(Prompt("Go"))
        events = await talk.rest()
        fault = events[-1]
        assert isinstance(fault, Fault)
        assert (fault.kind, fault.fatal, fault.code) == ("closed", True, code)
        assert not [e for e in events if isinstance(e, ToolCalls)]

    end: dict[str, Any] = {"drop": True} if code == 1006 else {"close": code, "reason": "bye"}
    emulator = talk([{"on": "text", "reply": [{"calls": [CALL], "done": False}, end]}], main)
    assert [m["type"] for m in emulator.received].count("session.update") == 1


@pytest.mark.parametrize("begun", [False, True])
def test_a_model_that_says_nothing_more_is_given_up(begun: bool) -> None:
    async def main(talk: Talk) -> None:
        await talk.send(Prompt("Go"))
        fault = (await talk.rest())[-1]
        assert isinstance(fault, Fault)
        assert (fault.kind, fault.fatal) == ("timeout", True)

    first = [{"say": "Well"}] if begun else []
    steps = [{"on": "text", "reply": [*first, {"silent": True}]}]
    unhurried("openai", steps, lambda emulator: held(emulator, main, QUICK))


def test_a_quiet_line_on_which_nobody_owes_anything_lives_on() -> None:
    async def main(talk: Talk) -> None:
        assert await talk.prompt() == "complete"
        reading = asyncio.create_task(talk.until(TurnEnded))
        await asyncio.wait([reading], timeout=1.1)  # more than twice the patience
        await talk.send(Prompt("Still there?"))
        assert (await reading).reason == "complete"

    steps = [{"on": "text", "reply": [{"say": "Hi."}], "times": 2}]
    unhurried("openai", steps, lambda emulator: held(emulator, main, QUICK))


def test_closing_twice_and_with_much_unread_is_no_trouble() -> None:
    async def main(talk: Talk) -> None:
        await talk.send(Prompt("Go"))
        await talk.until(Audio)
        await talk.connection.close()
        await talk.connection.close()
        with pytest.raises(ProviderFault) as failed:
            await talk.send(FRAME)
        assert failed.value.fault.kind == "closed"

    talk([{"on": "text", "reply": [{"say": "Long", "ms": 3000}]}], main)


# -- garbage


@pytest.mark.parametrize(
    "garbage",
    [
        '{"type": "response.out',
        "[1, 2]",
        '"hello"',
        {"no": "type"},
        {"type": "response.done", "response": None},
        {"type": "response.output_audio.delta", "delta": "A"},
        {"type": "response.output_audio.delta", "item_id": "i", "delta": "A"},
        {"type": "response.output_text.delta"},
        {
            "type": "response.done",
            "response": {"id": "resp_q", "status": "completed", "output": [7]},
        },
        {"type": "error"},
    ],
)
def test_garbage_is_a_fault_and_the_conversation_goes_on(garbage: Any) -> None:
    async def main(talk: Talk) -> None:
        await talk.send(Prompt("Go"))
        fault = await talk.until(Fault)
        assert (fault.kind, fault.fatal) == ("protocol", False)
        assert (await talk.until(TurnEnded)).reason == "complete"

    talk([{"on": "text", "reply": [{"raw": garbage}, {"say": "Hi."}]}], main)


def test_events_that_nobody_knows_and_big_ones_are_passed_over() -> None:
    """Trap: unknown types still arrive; messages have no limit of size."""

    async def main(talk: Talk) -> None:
        assert await talk.prompt() == "complete"
        assert not talk.of(Fault)

    reply = [{"raw": {"type": "response.new_thing"}}, {"oversized": 3_000_000}, {"say": "Hi."}]
    talk([{"on": "text", "reply": reply}], main)


def test_a_call_without_an_id_is_not_run() -> None:
    async def main(talk: Talk) -> None:
        assert await talk.prompt() == "failed"
        assert not talk.of(ToolCalls)
        assert talk.of(Fault)[0].kind == "protocol"

    item = {"type": "function_call", "name": "weather", "arguments": "{}"}
    response = {"id": "resp_x", "status": "completed", "output": [item]}
    raw = {"type": "response.done", "event_id": "e", "response": response}
    talk([{"on": "text", "reply": [{"raw": raw}, {"wait": 0}, {"error": COLLISION}]}], main)


# -- the provider


def test_it_says_what_it_can_do() -> None:
    can = OpenAIRealtime(Access("k")).capabilities(MODEL)
    assert (can.audio, can.transcripts, can.truncation, can.hears_interruption) == (True,) * 4
    assert (can.cancellation, can.resumption) == (False, False)
    assert can.max_session == 3600
    assert "marin" in can.voices


def test_a_probe_asks_something_cheap_that_needs_the_key() -> None:
    with emulate("openai") as emulator:

        async def main() -> None:
            for key, kind in (("test-key", None), ("sk-wrong-wrong", "auth")):
                provider = OpenAIRealtime(Access(key, emulator.base_url))
                with pytest.raises(ProviderFault) if kind else nullcontext() as failed:
                    await provider.probe(5)
                if failed is not None:
                    assert failed.value.fault.kind == kind
                    assert key not in failed.value.fault.detail
                await provider.close()

        run(main())
