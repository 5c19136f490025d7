"""What every provider promises, told by one script and one test for all of them."""

from __future__ import annotations

import asyncio
import socket
from typing import Any

import pytest
from tests.providers.conformance.talk import APIS, SHORT, Api, talk

from antiphon.contracts.events import (
    Audio,
    CallAnswer,
    Fault,
    Interrupt,
    Interrupted,
    ModelTurn,
    Prompt,
    Ready,
    Resumption,
    SendAudio,
    SpeechStarted,
    Text,
    ToolCalls,
    ToolCallsCancelled,
    Transcript,
    TurnEnded,
    Usage,
    UserTurn,
)
from antiphon.emulators.base import tone
from antiphon.emulators.runner import emulate
from antiphon.providers.port import Access, Connection, ProviderFault, Setup

pytestmark = pytest.mark.real_time

every = pytest.mark.parametrize("api", APIS, ids=repr)
live = pytest.mark.parametrize("api", [a for a in APIS if a.live], ids=repr)
text_only = pytest.mark.parametrize("api", [a for a in APIS if not a.live], ids=repr)

SEOUL = {"id": "call_seoul_0001", "name": "get_weather", "args": {"city": "Seoul ⛰"}}
OSLO = {"id": "call_oslo_00002", "name": "get_weather", "args": {"city": "Oslo"}}
ASK = {"on": "text", "with": {"text": "weather"}, "reply": [{"calls": [SEOUL, OSLO]}]}
TOLD = {"on": "results", "reply": [{"say": "Sun and rain."}]}


# -- conversation ----------------------------------------------------------------------------------


@every
async def test_text_is_answered(api: Api) -> None:
    script = [{"on": "text", "with": {"text": "Hello"}, "reply": [{"say": "Good day to you."}]}]

    async with talk(api, script) as t:
        await t.connection.send(Prompt("Hello there"))
        assert (await t.ended()).reason == "complete"
        assert t.words.strip() == "Good day to you."
        assert bool(t.sound) is api.live
        if api.live:
            assert t.sound == tone(len(t.sound) // 48)


@live
async def test_speech_is_heard_and_answered(api: Api) -> None:
    script = [
        {
            "on": "audio",
            "with": {"ms": 400},
            "reply": [{"speech": "started"}, {"speech": "stopped"}, {"hear": "What time is it?"}]
            + [{"say": "Noon.", "ms": 300}],
        }
    ]

    async with talk(api, script) as t:
        for _ in range(25):
            await t.connection.send(SendAudio(tone(20, 16_000)))
        await t.ended()
        heard = "".join(e.text for e in t.of(Transcript) if e.role == "user" and not e.interim)
        assert heard.strip() == "What time is it?"
        assert t.words.strip() == "Noon."
        assert t.sound == tone(300)


@every
async def test_parallel_calls_come_whole_and_the_whole_envelope_goes_back(api: Api) -> None:
    async with talk(api, [ASK, TOLD]) as t:
        await t.connection.send(Prompt("The weather?"))
        calls = await t.calls()
        assert [(c.name, c.args) for c in calls] == [
            ("get_weather", SEOUL["args"]),
            ("get_weather", OSLO["args"]),
        ]
        assert len({c.id for c in calls}) == 2
        assert t.connection.pending == {c.id for c in calls}
        given = await t.answer(*calls)
        assert (await t.ended()).reason == "complete"
        assert t.connection.pending == frozenset()
        assert t.words.strip() == "Sun and rain."
        seen = str(t.emulator.received)
        assert "registryVersion" in seen
        assert given[0]["data"]["words"] in seen or "gr\\u00fcn" in seen


@every
async def test_several_rounds_of_calls_belong_to_one_turn(api: Api) -> None:
    script = [
        {"on": "text", "reply": [{"call": SEOUL}]},
        {
            "on": "results",
            "with": {"names": ["get_weather"], "ok": True},
            "reply": [{"call": OSLO}],
        },
        {"on": "results", "with": {"count": 1}, "reply": [{"say": "Both."}]},
    ]

    async with talk(api, script) as t:
        await t.connection.send(Prompt("The weather of two cities?"))
        await t.answer(*await t.calls())
        await t.answer(*await t.calls())
        await t.ended()
        assert len(t.of(TurnEnded)) == 1
        assert t.words.strip() == "Both."


@every
async def test_a_second_turn_knows_the_first(api: Api) -> None:
    script = [
        {"on": "text", "with": {"text": "one"}, "reply": [{"say": "First."}]},
        {"on": "text", "with": {"text": "two"}, "reply": [{"say": "Second."}]},
    ]

    async with talk(api, script) as t:
        await t.connection.send(Prompt("one"))
        await t.ended()
        await t.connection.send(Prompt("two"))
        await t.ended()
        assert t.words.replace(" ", "") == "First.Second."


@every
async def test_instructions_tools_and_earlier_turns_reach_the_model(api: Api) -> None:
    history = [UserTurn("My name is Ada."), ModelTurn("Hello Ada.")]
    facts = {"instructions": "Be brief.", "tools": ["get_weather"]}
    on = "connect" if api.live else "text"
    script: list[dict[str, Any]] = [{"on": on, "with": facts, "reply": []}]
    if api.live:
        script.append({"on": "text", "reply": [{"say": "Ada."}]})
    else:
        script[0]["reply"] = [{"say": "Ada."}]

    async with talk(api, script, instructions="Be brief.", history=history) as t:
        await t.connection.send(Prompt("Who am I?"))
        await t.ended()
        assert "My name is Ada." in str(t.emulator.received)
        assert "Hello Ada." in str(t.emulator.received)


@every
async def test_a_note_asks_for_no_answer_and_is_known_to_the_next(api: Api) -> None:
    script = [{"on": "text", "with": {"text": "now"}, "reply": [{"say": "Yes."}]}]

    async with talk(api, script) as t:
        await t.connection.send(Prompt("The door is open.", answer=False))
        await t.connection.send(Prompt("And now?"))
        await t.ended()
        assert "The door is open." in str(t.emulator.received)
        assert len(t.of(TurnEnded)) == 1


@every
async def test_usage_is_told(api: Api) -> None:
    script = [{"on": "text", "reply": [{"say": "Hi."}, {"usage": {"input": 120, "output": 7}}]}]

    async with talk(api, script) as t:
        await t.connection.send(Prompt("Hello"))
        await t.ended()
        assert sum(u.output_tokens for u in t.of(Usage)) == 7
        assert sum(u.input_tokens for u in t.of(Usage)) == 120


# -- interruption --------------------------------------------------------------------------


@text_only
async def test_an_interrupted_answer_stops_and_the_conversation_goes_on(api: Api) -> None:
    script = [
        {"on": "text", "reply": [{"text": "It began "}, {"silent": True}]},
        {"on": "text", "with": {"text": "short"}, "reply": [{"say": "Short."}]},
    ]

    async with talk(api, script) as t:
        await t.connection.send(Prompt("A long story"))
        await t.next(Text)
        await t.connection.send(Interrupt())
        assert (await t.ended()).reason == "interrupted"
        assert t.of(Interrupted)
        await t.connection.send(Prompt("short please"))
        assert (await t.ended()).reason == "complete"


@text_only
async def test_two_prompts_that_cut_in_at_once_are_one_request(api: Api) -> None:
    script = [
        {"on": "text", "reply": [{"text": "It began "}, {"silent": True}]},
        {"on": "text", "with": {"text": "/one(.|\n)*two/"}, "reply": [{"say": "Both."}]},
        {"on": "text", "reply": [{"say": "Once more."}]},
    ]

    async with talk(api, script) as t:
        await t.connection.send(Prompt("A long story"))
        await t.next(Text)
        await asyncio.gather(t.connection.send(Prompt("one")), t.connection.send(Prompt("and two")))
        assert (await t.ended()).reason == "interrupted"
        assert (await t.ended()).reason == "complete"
        await t.connection.send(Prompt("more"))
        assert (await t.ended()).reason == "complete"
        assert t.words.endswith("Both.Once more.")


@live
async def test_the_provider_notices_that_the_person_cuts_in(api: Api) -> None:
    script = [
        {"on": "text", "reply": [{"say": "A very long story.", "ms": 2000}, {"wait": 30}]},
        {
            "on": "audio",
            "with": {"ms": 100},
            "reply": [{"speech": "started"}, {"interrupted": True}],
        },
    ]

    async with talk(api, script) as t:
        await t.connection.send(Prompt("Tell me"))
        await t.next(Audio)
        for _ in range(10):
            await t.connection.send(SendAudio(tone(20, 16_000)))
        await t.next(Interrupted)
        await t.connection.send(Interrupt(40, t.of(Audio)[0].item))
        assert (await t.ended()).reason == "interrupted"


@text_only
async def test_calls_that_are_overtaken_by_the_person_are_taken_back(api: Api) -> None:
    script = [ASK, {"on": "text", "with": {"text": "never mind"}, "reply": [{"say": "Fine."}]}]

    async with talk(api, script) as t:
        await t.connection.send(Prompt("The weather?"))
        first, second = await t.calls()
        await t.answer(first)
        await t.connection.send(Prompt("Oh, never mind"))
        taken: ToolCallsCancelled = await t.next(ToolCallsCancelled)
        assert taken.ids == (second.id,)
        with pytest.raises(ProviderFault):
            await t.answer(second)
        while not t.words:
            await t.ended()
        assert t.words.strip() == "Fine."


async def test_gemini_live_takes_calls_back_by_itself() -> None:
    api = APIS[0]
    script = [
        {"on": "text", "reply": [{"call": SEOUL}, {"cancel": [SEOUL["id"]]}, "complete"]},
    ]

    async with talk(api, script) as t:
        await t.connection.send(Prompt("The weather?"))
        (call,) = await t.calls()
        assert (await t.next(ToolCallsCancelled)).ids == (SEOUL["id"],)
        with pytest.raises(ProviderFault):
            await t.answer(call)


async def test_gemini_live_resumes_with_a_handle() -> None:
    api = APIS[0]
    script = [
        {"on": "text", "reply": [{"say": "Hi."}, "complete", {"resumption": {"handle": "h-1"}}]},
        {"on": "connect", "with": {"resume": "h-1"}, "reply": []},
        {"on": "text", "with": {"text": "again"}, "reply": [{"say": "Still here."}]},
    ]

    with emulate("gemini", script) as emulator:
        provider = api.make(Access("test-key", emulator.base_url, emulator.ca_file))
        handle = None
        for words in ("Hello", "again"):
            async with await provider.connect(Setup(api.model, resume=handle)) as connection:
                stream = connection.events()
                ready = await anext(stream)
                assert ready == Ready(ready.session_id, resumed=handle is not None)
                await connection.send(Prompt(words))
                async with asyncio.timeout(60):
                    async for event in stream:
                        if isinstance(event, Resumption):
                            handle = event.handle
                            break
                        if isinstance(event, TurnEnded) and words == "again":
                            break
                await stream.aclose()
        await provider.close()
        assert handle == "h-1"


# -- faults --------------------------------------------------------------------------------


async def _fault(api: Api, script: Any, **options: Any) -> Fault:
    """The fault of a first request, wherever it shows: at connect, or among the events."""
    try:
        async with talk(api, script, check=False, **options) as t:
            await t.connection.send(Prompt("Hello"))
            fault = await t.fault()
            if not fault.fatal:
                assert (await t.ended()).reason == "failed"
                await t.connection.close()
            assert len(await t.rest()) < 50
            return fault
    except ProviderFault as failed:
        return failed.fault


@every
async def test_a_wrong_key_names_the_variable_to_set(api: Api) -> None:
    fault = await _fault(api, [{"on": "text", "reply": [{"say": "No."}]}], key="wrong-secret")
    assert fault.kind == "auth"
    assert api.variable in fault.message
    assert "wrong-secret" not in fault.message + fault.detail


@every
async def test_no_key_names_the_variable_to_set(api: Api) -> None:
    provider = api.make(Access())
    with pytest.raises(ProviderFault) as caught:
        await provider.connect(Setup(api.model))
    assert caught.value.fault.kind == "not_configured"
    assert api.variable in caught.value.fault.message
    await provider.close()


@every
async def test_nobody_listening_is_unreachable(api: Api) -> None:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        address = f"http://127.0.0.1:{taken.getsockname()[1]}/v1"
        provider = api.make(Access("k" * 20, address))
        try:
            connection = await provider.connect(Setup(api.model, retries=0, deadlines=SHORT))
            async with connection:
                stream = connection.events()
                await connection.send(Prompt("Hello"))
                async with asyncio.timeout(60):
                    fault = [e async for e in _until_fault(stream)][-1]
                await stream.aclose()
        except ProviderFault as failed:
            fault = failed.fault
        await provider.close()
    assert isinstance(fault, Fault)
    assert fault.kind in ("unreachable", "timeout")
    assert fault.retryable


async def _until_fault(stream: Any) -> Any:
    async for event in stream:
        yield event
        if isinstance(event, Fault):
            return


@text_only
@pytest.mark.parametrize(
    ("status", "kind"),
    [(429, "rate_limited"), (500, "overloaded"), (503, "overloaded"), (404, "not_found")]
    + [(400, "bad_request"), (403, "auth")],
)
async def test_a_status_becomes_a_fault_in_words(api: Api, status: int, kind: str) -> None:
    beat = {"status": status, "retry_after": 3600, "message": "Not like that."}
    script = [{"on": "text", "reply": [beat]}]

    fault = await _fault(api, script)
    assert fault.kind == kind
    assert fault.code in (None, status)
    assert ("request: Not like that." in fault.message) is (kind == "bad_request")
    if kind == "rate_limited" and api.name != "gemini":
        assert fault.retry_after == 3600
        assert "60 minutes" in fault.message


@text_only
async def test_a_passing_failure_is_tried_again_before_anything_was_said(api: Api) -> None:
    script = [
        {"on": "text", "reply": [{"status": 503}]},
        {"on": "text", "reply": [{"say": "Now."}]},
    ]

    async with talk(api, script, retries=1) as t:
        await t.connection.send(Prompt("Hello"))
        assert (await t.ended()).reason == "complete"
        assert t.words.strip() == "Now."
        assert t.of(Fault) == []


@text_only
async def test_a_long_retry_after_does_not_hold_the_caller(api: Api) -> None:
    script = [{"on": "text", "reply": [{"status": 429, "retry_after": 3600}]}]

    fault = await _fault(api, script, retries=2)
    assert fault.kind == "rate_limited"


@every
async def test_a_line_that_is_cut_in_the_middle_is_a_fault_not_a_hang(api: Api) -> None:
    script = [{"on": "text", "reply": [{"text": "It began "}, {"drop": True}]}]

    fault = await _fault(api, script)
    assert fault.kind in ("closed", "unreachable", "overloaded", "protocol")


@text_only
async def test_a_line_that_is_cut_in_the_middle_of_a_tool_call_runs_nothing(api: Api) -> None:
    script = [{"on": "text", "reply": [{"calls": [SEOUL]}, {"drop": True}]}]

    async with talk(api, script, check=False) as t:
        await t.connection.send(Prompt("Hello"))
        await t.fault()
        assert t.of(ToolCalls) == []


@every
async def test_a_silent_peer_is_a_timeout(api: Api) -> None:
    script = [{"on": "text", "reply": [{"silent": True}]}]

    fault = await _fault(api, script, deadlines=SHORT)
    assert fault.kind == "timeout"


@every
async def test_an_error_in_the_middle_of_the_answer_is_told(api: Api) -> None:
    error = {"code": 503, "type": "overloaded_error", "message": "Overloaded"}
    script = [{"on": "text", "reply": [{"text": "It began "}, {"error": error}]}]

    fault = await _fault(api, script)
    assert fault.message
    assert fault.kind in ("overloaded", "protocol", "bad_request", "closed")


@every
@pytest.mark.parametrize(
    "raw", [{"nothing": ["of", "the", "sort"]}, {}, [], "half: {", '{"type": ', "null", "42"]
)
async def test_garbage_never_hangs_nor_raises(api: Api, raw: Any) -> None:
    script = [{"on": "text", "reply": [{"raw": raw}, {"say": "Well."}]}]

    async with talk(api, script, check=False, deadlines=SHORT) as t:
        await t.connection.send(Prompt("Hello"))
        ended = await t.next((Fault, TurnEnded))  # type: ignore[arg-type]
        if isinstance(ended, Fault):
            assert ended.message
            assert ended.fatal or t.words is not None
        else:
            assert t.words.strip() == "Well."


@every
@pytest.mark.parametrize("arguments", ['{"city": "Se', "not json", "[1, 2]", '"Seoul"', "null"])
async def test_arguments_that_are_no_object_are_never_taken_for_one(
    api: Api, arguments: str
) -> None:
    if api.name.startswith("gemini"):
        pytest.skip("arguments come as an object, not as text")
    script = [
        {"on": "text", "reply": [{"calls": [{**SEOUL, "args": None, "arguments": arguments}]}]},
        {"on": "results", "reply": [{"say": "Sorry."}]},
    ]

    async with talk(api, script, check=False) as t:
        await t.connection.send(Prompt("Hello"))
        event = await t.next((Fault, ToolCalls))  # type: ignore[arg-type]
        if isinstance(event, ToolCalls):
            assert not isinstance(event.calls[0].args, dict)
        else:
            assert t.of(ToolCalls) == []


@text_only
@pytest.mark.parametrize("name", ["", "weird name! äö", "x" * 200])
async def test_a_call_of_a_name_that_no_api_takes_is_answered_and_spoils_nothing(
    api: Api, name: str
) -> None:
    script = [
        {"on": "text", "reply": [{"call": {**SEOUL, "name": name}}]},
        {"on": "results", "reply": [{"say": "Sorry."}]},
        {"on": "text", "reply": [{"say": "Yes."}]},
    ]

    async with talk(api, script) as t:
        await t.connection.send(Prompt("Hello"))
        (call,) = await t.calls()
        assert call.name == name
        await t.answer(call)
        assert (await t.ended()).reason == "complete"
        await t.connection.send(Prompt("And now?"))
        assert (await t.ended()).reason == "complete"
        assert t.words.strip().endswith("Yes.")


@text_only
async def test_a_call_that_is_cut_off_by_the_limit_of_tokens_is_not_run(api: Api) -> None:
    reason = {"gemini": "MAX_TOKENS", "openai-chat": "length", "claude": "max_tokens"}[api.name]
    call = {**SEOUL, "args": None, "arguments": '{"city": "Se'} if api.name != "gemini" else SEOUL
    script = [{"on": "text", "reply": [{"calls": [call]}, {"complete": reason}]}]

    async with talk(api, script) as t:
        await t.connection.send(Prompt("Hello"))
        fault = await t.fault()
        assert fault.kind == "truncated"
        assert (await t.ended()).reason == "max_tokens"
        assert t.of(ToolCalls) == []


@every
async def test_a_message_that_comes_twice_makes_no_second_call(api: Api) -> None:
    """Either the provider drops it, or it keeps its id, by which dispatch knows it again."""
    if not api.live:
        pytest.skip("an HTTP stream is not resent")
    script = [
        {"on": "text", "reply": [{"call": SEOUL}, {"duplicate": True}]},
        {"on": "results", "reply": [{"say": "Sun."}]},
    ]

    async with talk(api, script, check=False) as t:
        await t.connection.send(Prompt("Hello"))
        (call,) = await t.calls()
        await t.answer(call)
        await t.ended()
        assert {c.id for e in t.of(ToolCalls) for c in e.calls} == {call.id}


@live
async def test_a_huge_message_is_no_problem(api: Api) -> None:
    script = [{"on": "text", "reply": [{"oversized": 3_000_000}, {"say": "Big."}]}]

    async with talk(api, script) as t:
        await t.connection.send(Prompt("Hello"))
        await t.ended()
        assert t.words.strip().endswith("Big.")


@live
@pytest.mark.parametrize("code", [1000, 1001, 1007, 1008, 1011, 4000])
async def test_any_close_code_ends_in_words(api: Api, code: int) -> None:
    script = [{"on": "text", "reply": [{"close": code, "reason": "because"}]}]

    fault = await _fault(api, script)
    assert fault.fatal
    assert fault.message
    assert fault.kind in ("closed", "bad_request", "overloaded", "auth", "unreachable")


# -- its life --------------------------------------------------------------------------------------


@every
async def test_closing_in_any_state_leaves_nothing_behind(api: Api) -> None:
    """run_real fails the test for a task, a socket or a file that is left."""
    states: list[list[dict[str, Any]]] = [
        [],
        [{"on": "text", "reply": [{"silent": True}]}],
        [{"on": "text", "reply": [{"text": "It began "}, {"silent": True}]}],
        [{"on": "text", "reply": [{"call": SEOUL}]}],
    ]

    for script in states:
        async with talk(api, script, check=False) as t:
            if script:
                await t.connection.send(Prompt("Hello"))
                if "silent" not in script[0]["reply"][0]:
                    await t.next((Text, ToolCalls, Transcript))  # type: ignore[arg-type]
            await t.connection.close()
            await t.connection.close()
            with pytest.raises(ProviderFault):
                await t.connection.send(Prompt("Anybody?"))
            assert [e for e in await t.rest() if isinstance(e, Fault)] == []


@every
async def test_a_connection_has_one_reader(api: Api) -> None:
    async with talk(api, [], check=False) as t:
        second = t.connection.events()
        with pytest.raises(RuntimeError):
            await anext(second)


@every
async def test_an_answer_to_a_call_that_nobody_made_is_refused(api: Api) -> None:
    async with talk(api, [], check=False) as t:
        with pytest.raises(ProviderFault) as caught:
            await t.connection.send(CallAnswer("call_unknown", "get_weather", {"ok": True}))
        assert not caught.value.fault.fatal


@every
async def test_probing_tells_a_good_key_from_a_bad_one(api: Api) -> None:
    with emulate(api.vendor, []) as emulator:
        good = api.make(Access("test-key", emulator.base_url, emulator.ca_file))
        await good.probe(5.0)
        await good.close()
        bad = api.make(Access("nonsense-key", emulator.base_url, emulator.ca_file))
        with pytest.raises(ProviderFault) as caught:
            await bad.probe(5.0)
        assert caught.value.fault.kind == "auth"
        await bad.close()


@every
async def test_the_seeds_names_send_and_receive_calls(api: Api) -> None:
    async with talk(api, [ASK, TOLD]) as t:
        assert isinstance(t.connection, Connection)
        await t.connection.send(Prompt("The weather?"))
        for call in await t.calls():
            await t.connection.send_tool_result(
                id=call.id, name=call.name, result={"ok": True, "data": {}, "intents": []}
            )
        await t.ended()


@live
async def test_what_a_provider_can_do_is_declared(api: Api) -> None:
    capabilities = api.make(Access("k")).capabilities(api.model)
    assert capabilities.audio
    assert capabilities.transcripts
    assert capabilities.hears_interruption
    assert capabilities.resumption is (api.vendor == "gemini")
    assert capabilities.truncation is (api.vendor == "openai")
    assert capabilities.max_session


@live
async def test_speech_is_noticed_where_the_provider_says_so(api: Api) -> None:
    script = [
        {"on": "audio", "with": {"ms": 100}, "reply": [{"speech": "started"}, {"say": "Hm."}]}
    ]

    async with talk(api, script) as t:
        for _ in range(10):
            await t.connection.send(SendAudio(tone(20, 16_000)))
        await t.ended()
        if api.vendor == "openai":
            assert t.of(SpeechStarted)
