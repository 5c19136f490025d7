"""What is special to Chat Completions and its imitators, through port, real SDK and emulator."""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest
from tests.providers.talking import OK, QUICK, Talk, only, run, said, turn, unhurried

from antiphon.contracts import ToolCall
from antiphon.contracts.events import (
    AnswersTurn,
    CallAnswer,
    Event,
    Fault,
    HistoryTurn,
    Interrupted,
    ModelTurn,
    Prompt,
    Text,
    ToolCalls,
    TurnEnded,
    Usage,
    UserTurn,
    turn_from_dict,
)
from antiphon.emulators.base import KEY, Emulator
from antiphon.emulators.runner import emulate
from antiphon.providers.openai.chat import OpenAIChat
from antiphon.providers.port import Access, Deadlines, ProviderFault

MODEL = "llama3.1"
talk = Talk(OpenAIChat, model=MODEL)


class Tools:
    """One tool, `look`, and a note of the forms that were asked for."""

    def __init__(self) -> None:
        self.forms: list[str] = []

    def declared(self, form: str) -> list[dict[str, Any]]:
        self.forms.append(form)
        function = {"name": "look", "description": "Looks.", "parameters": {"type": "object"}}
        return [{"type": "function", "function": function}]

    def arguments(self, form: str, name: str, args: Any) -> Any:
        return {**args, "through": form} if args == {"at": "me"} else args

    def written(self, form: str, name: str, args: Any) -> Any:
        del form, name
        return args


@contextmanager
def running(script: Any = None, **options: Any) -> Iterator[Emulator]:
    with emulate("openai", script, **options) as emulator:
        yield emulator


def one(*reply: Any, **options: Any) -> dict[str, Any]:
    """A script of one answer to a text, by a server with these options."""
    return {"options": options, "steps": [{"on": "text", "reply": list(reply)}]}


def looked(*calls: dict[str, Any], **options: Any) -> dict[str, Any]:
    """A script that calls, and is content with the answers."""
    done = {"on": "results", "with": {"count": len(calls)}, "reply": [{"say": "Done."}]}
    script = one({"calls": list(calls)}, **options)
    script["steps"].append(done)
    return script


def test_calls_are_joined_by_index_and_every_one_is_answered() -> None:
    """Traps: arguments come in fragments; every tool_call_id needs its message."""
    calls = [
        {"id": "a", "name": "look", "args": {"at": "the far side of the moon"}},
        {"id": "b", "name": "look", "args": {"at": "me"}},
    ]
    with running(looked(*calls)) as emulator:
        events = talk.answered(emulator, tools=Tools(), instructions="Be brief.")
    found = only(events, ToolCalls).calls
    assert [(c.id, c.args) for c in found] == [
        ("a", {"at": "the far side of the moon"}),
        ("b", {"at": "me", "through": "openai"}),
    ]
    assert said(events) == "Done."
    system, _, assistant, *answers = emulator.received[1]["messages"]
    assert system == {"role": "system", "content": "Be brief."}
    assert [c["id"] for c in assistant["tool_calls"]] == ["a", "b"]
    assert [a["tool_call_id"] for a in answers] == ["a", "b"]
    assert json.loads(answers[0]["content"]) == OK


def test_usage_comes_in_a_chunk_without_choices() -> None:
    """Trap: the last chunk has `choices: []`."""
    script = one({"say": "Hi."}, {"usage": {"input": 9, "output": 2, "cached": 4}})
    with running(script) as emulator:
        found = only(talk(emulator), Usage)
    assert (found.input_tokens, found.output_tokens, found.cached_tokens) == (9, 2, 4)


def test_a_server_that_refuses_stream_options_is_asked_without_and_only_once() -> None:
    script = {
        "options": {"refuse": ["stream_options"]},
        "steps": [{"on": "text", "reply": [{"say": "Hi."}], "times": 2}],
    }
    with running(script) as emulator:
        assert said(talk(emulator, "One", "Two")) == "Hi.Hi."
    assert ["stream_options" in body for body in emulator.received] == [True, False, False]


def test_a_server_that_wants_the_new_name_of_the_limit_gets_it() -> None:
    with running(one({"say": "Hi."}, refuse=["max_tokens"])) as emulator:
        assert said(talk(emulator, max_tokens=7)) == "Hi."
    first, second = emulator.received
    assert first["max_tokens"] == 7
    assert second["max_completion_tokens"] == 7


def test_openais_own_address_gets_the_new_name_of_the_limit() -> None:
    assert OpenAIChat(Access("k")).limit == "max_completion_tokens"
    assert OpenAIChat(Access("k", "https://api.openai.com/v1")).limit == "max_completion_tokens"
    assert OpenAIChat(Access("k", "http://localhost:11434/v1")).limit == "max_tokens"


def test_calls_without_ids_get_some_and_go_back_with_them() -> None:
    calls = [{"name": "look"}, {"name": "look"}]
    with running(looked(*calls, ids=False)) as emulator:
        events = talk.answered(emulator, tools=Tools())
    assert [c.id for c in only(events, ToolCalls).calls] == ["temp_0", "temp_1"]
    assert said(events) == "Done."


@pytest.mark.real_time(timeout=60)
async def test_made_up_ids_are_told_apart_over_the_whole_conversation() -> None:
    script = looked({"name": "look"}, ids=False)
    script["steps"] = script["steps"] * 2

    with running(script) as emulator:
        async with talk.connected(emulator, tools=Tools()) as connection:
            for prompt in ("One", "Two"):
                (call,) = only(await turn(connection, prompt), ToolCalls).calls
                await connection.send_tool_result(id=call.id, name=call.name, result=OK)
                await turn(connection)
    messages = emulator.received[-1]["messages"]
    ids = [c["id"] for m in messages for c in m.get("tool_calls", [])]
    assert len(set(ids)) == 2
    assert [m["tool_call_id"] for m in messages if m["role"] == "tool"] == ids


@pytest.mark.parametrize(
    "options",
    [
        {"whole_calls": True},
        {"arguments": "object"},
        {"call_reason": "stop"},
        {"done": False},
        {"ids": False, "done": False, "whole_calls": True, "call_reason": "stop"},
    ],
)
def test_servers_that_only_resemble_openai_are_understood(options: dict[str, Any]) -> None:
    call = {"id": "a", "name": "look", "args": {"at": "x"}}
    with running(looked(call, **options)) as emulator:
        events = talk.answered(emulator, tools=Tools())
    assert only(events, ToolCalls).calls[0].args == {"at": "x"}
    assert said(events) == "Done."
    (back,) = emulator.received[1]["messages"][1]["tool_calls"]
    assert json.loads(back["function"]["arguments"]) == {"at": "x"}


def delta(*calls: dict[str, Any], reason: str | None = None) -> dict[str, Any]:
    choice = {"index": 0, "delta": {"tool_calls": list(calls)}, "finish_reason": reason}
    return {"raw": {"object": "chat.completion.chunk", "choices": [choice]}}


def test_a_server_that_counts_every_call_as_the_first_is_understood() -> None:
    script = one(
        delta({"index": 0, "id": "a", "function": {"name": "look", "arguments": '{"at": "x"}'}}),
        delta({"index": 0, "id": "b", "function": {"name": "look", "arguments": "{}"}}),
        {"complete": "tool_calls"},
    )
    with running(script) as emulator:
        calls = only(talk(emulator, tools=Tools()), ToolCalls).calls
    assert [(c.id, c.args) for c in calls] == [("a", {"at": "x"}), ("b", {})]


def test_what_a_server_adds_to_a_call_goes_back_with_it() -> None:
    extra = {"google": {"thought_signature": "c2ln"}}
    function = {"name": "look", "arguments": "{}"}
    script = looked()
    script["steps"][0]["reply"] = [
        delta({"index": 0, "id": "a", "function": function, "extra_content": extra}),
        {"complete": "tool_calls"},
    ]
    script["steps"][1]["with"] = {"count": 1}
    with running(script) as emulator:
        talk.answered(emulator, tools=Tools())
    (back,) = emulator.received[1]["messages"][1]["tool_calls"]
    assert back["extra_content"] == extra


@pytest.mark.parametrize(
    ("arguments", "args"),
    [("", {}), ("  ", {}), ('{"at', '{"at'), ("[1]", [1]), ('"x"', "x"), ("null", "null")],
)
def test_arguments_that_are_no_object_are_passed_on_for_dispatch_to_refuse(
    arguments: str, args: Any
) -> None:
    """Half a call never becomes a call without arguments."""
    with running(looked({"id": "a", "name": "look", "arguments": arguments})) as emulator:
        events = talk.answered(emulator, tools=Tools())
    assert only(events, ToolCalls).calls[0].args == args
    (back,) = emulator.received[1]["messages"][1]["tool_calls"]
    assert json.loads(back["function"]["arguments"]) == {}


def test_a_call_cut_off_by_the_limit_of_tokens_is_not_run_and_not_remembered() -> None:
    script = one(
        {"say": "I"}, {"call": {"name": "look", "arguments": '{"at'}}, {"complete": "length"}
    )
    script["steps"].append({"on": "text", "reply": [{"say": "Yes."}]})
    with running(script) as emulator:
        events = talk(emulator, "Look", "And?", tools=Tools())
    assert not any(isinstance(e, ToolCalls) for e in events)
    assert only(events, Fault).kind == "truncated"
    assert TurnEnded("max_tokens") in events
    assert emulator.received[1]["messages"][1] == {"role": "assistant", "content": "I"}


def test_an_answer_that_the_filter_stopped_is_refused() -> None:
    script = one({"call": {"name": "look"}}, {"complete": "content_filter"})
    with running(script) as emulator:
        events = talk(emulator, tools=Tools())
    assert only(events, Fault).kind == "refused"
    assert events[-1] == TurnEnded("refused")
    assert not any(isinstance(e, ToolCalls) for e in events)


def test_a_refusal_of_the_model_is_said_and_told() -> None:
    choice = {"index": 0, "delta": {"refusal": "I would rather not."}, "finish_reason": None}
    with running(one({"raw": {"choices": [choice]}}, {"complete": "stop"})) as emulator:
        events = talk(emulator)
    assert said(events) == "I would rather not."
    assert events[-1] == TurnEnded("refused")


def test_a_history_of_another_provider_is_rebuilt_from_its_words_and_calls() -> None:
    long = "function-call-" + "1" * 40
    history: list[HistoryTurn] = [
        ModelTurn("Hello, I am first."),
        UserTurn("Look"),
        ModelTurn(
            "",
            (ToolCall(long, "look", {"at": "x"}), ToolCall("b", "look", "half")),
            native={"role": "model", "parts": []},
            api="gemini",
        ),
        AnswersTurn((CallAnswer(long, "look", OK),)),
        ModelTurn(""),
        ModelTurn("So", (ToolCall("b", "look", {}),)),
    ]
    script = [{"on": "text", "with": {"history": ["Look", "So"]}, "reply": [{"say": "Yes."}]}]
    with running(script) as emulator:
        assert said(talk(emulator, history=history)) == "Yes."
    messages = emulator.received[0]["messages"]
    calls = [c for m in messages for c in m.get("tool_calls", [])]
    answers = [m for m in messages if m["role"] == "tool"]
    assert [c["function"]["arguments"] for c in calls] == ['{"at":"x"}', "{}", "{}"]
    assert [a["tool_call_id"] for a in answers] == [c["id"] for c in calls]
    assert len({c["id"] for c in calls}) == 3
    assert all(len(c["id"]) <= 40 for c in calls)
    assert json.loads(answers[0]["content"]) == OK
    assert "No answer" in answers[1]["content"]


def test_a_history_that_was_written_down_is_the_same_afterwards() -> None:
    script = looked({"id": "a", "name": "look", "args": {"at": "x"}})
    script["steps"].append({"on": "text", "reply": [{"say": "Still."}]})

    async def main() -> list[Event]:
        async with talk.connected(emulator, tools=Tools()) as connection:
            (call,) = only(await turn(connection, "Look"), ToolCalls).calls
            await connection.send_tool_result(id=call.id, name=call.name, result=OK)
            await turn(connection)
            written = json.dumps([t.to_dict() for t in connection.history])
        history = [turn_from_dict(t) for t in json.loads(written)]
        async with talk.connected(emulator, tools=Tools(), history=history) as connection:
            return await turn(connection, "And?")

    with running(script) as emulator:
        assert said(run(main())) == "Still."
    before, after = emulator.received[1]["messages"], emulator.received[2]["messages"]
    assert after[: len(before)] == before


def test_the_form_of_tools_is_the_models() -> None:
    tools = Tools()
    with running([{"on": "text", "reply": [{"say": "Hi."}], "times": 3}]) as emulator:
        for model in ("llama3.1", "gpt-4.1", "gpt-realtime"):
            talk(emulator, model=model, tools=tools)
    assert tools.forms == ["openai", "openaiStrict", "openai"]


def test_a_server_that_needs_no_key_is_sent_none_of_ours() -> None:
    with running(one({"say": "Hi."}), key=None) as emulator:
        assert said(talk(emulator, access=Access(None, emulator.base_url))) == "Hi."


@pytest.mark.parametrize("url", [None, "https://api.openai.com/v1"])
def test_openai_itself_needs_a_key_and_the_variable_is_named(url: str | None) -> None:
    with pytest.raises(ProviderFault, match="OPENAI_API_KEY") as caught:
        run(OpenAIChat(Access(None, url)).connect(talk.setup()))
    assert caught.value.fault.kind == "not_configured"


def test_a_wrong_key_is_told_with_the_variable() -> None:
    with running(key="other") as emulator:
        found = talk.fault(emulator)
    assert (found.kind, found.code) == ("auth", 401)
    assert "OPENAI_API_KEY" in found.message


def test_an_unknown_model_is_named_with_the_address() -> None:
    with running({"options": {"models": ["x"]}}) as emulator:
        found = talk.fault(emulator)
        assert found.kind == "not_found"
        assert f"{MODEL} at {emulator.base_url}" in found.message


def test_a_wrong_address_is_not_found() -> None:
    with running(check=False) as emulator:
        found = talk.fault(emulator, access=Access(KEY, f"{emulator.url}/elsewhere"))
    assert found.kind == "not_found"


def test_too_many_requests_are_tried_again_by_us_and_not_by_the_sdk() -> None:
    script = [
        {"on": "text", "reply": [{"status": 429, "retry_after": 0.01}]},
        {"on": "text", "reply": [{"status": 503, "retry_after": 0.01}]},
        {"on": "text", "reply": [{"say": "Now."}]},
    ]
    with running(script) as emulator:
        assert said(talk(emulator, retries=2)) == "Now."
    with running(one({"status": 429, "retry_after": 0.01})) as emulator:
        assert talk.fault(emulator, retries=0).kind == "rate_limited"
    assert len(emulator.received) == 1


def test_a_long_wait_is_told_and_not_waited_for() -> None:
    with running(one({"status": 429, "retry_after": 3600})) as emulator:
        found = talk.fault(emulator, retries=2)
    assert (found.kind, found.retry_after) == ("rate_limited", 3600)


def test_an_empty_purse_is_not_tried_again() -> None:
    script = one({"status": 429, "code": "insufficient_quota", "retry_after": 0.01})
    with running(script) as emulator:
        found = talk.fault(emulator, retries=2)
    assert (found.kind, found.retryable) == ("rate_limited", False)


@pytest.mark.parametrize(
    ("error", "kind"),
    [
        ({"message": "Sorry."}, "overloaded"),
        ({"code": "rate_limit_exceeded", "message": "x"}, "rate_limited"),
        ({"type": "invalid_request_error", "code": "odd", "message": "x"}, "bad_request"),
        ({"code": 401, "message": "x"}, "auth"),
        ({"code": 502, "message": "x"}, "overloaded"),
    ],
)
def test_an_error_inside_the_stream_is_told_by_its_code(error: dict[str, Any], kind: str) -> None:
    """Trap: such an error has no status."""
    with running(one({"say": "Well"}, {"error": error})) as emulator:
        found = talk.fault(emulator)
    assert found.kind == kind
    assert error["message"] in found.detail


@pytest.mark.parametrize(
    ("reply", "kind"),
    [
        ([{"drop": True}], "closed"),
        ([{"say": "So"}, {"call": {"name": "look"}}, {"drop": True}], "closed"),
        ([{"call": {"name": "look"}}, {"close": 1000}], "closed"),
        ([{"raw": '{"choices": [{"del'}], "protocol"),
        ([{"raw": {"choices": 5}}], "protocol"),
        ([{"raw": {"choices": [5]}}], "protocol"),
        ([{"raw": {"choices": [{"delta": 5}]}}], "protocol"),
        ([{"raw": {"choices": [{"delta": {"tool_calls": 5}}]}}], "protocol"),
        ([{"raw": {"choices": [{"delta": {"tool_calls": [5]}}]}}], "protocol"),
        ([{"raw": {"choices": [{"delta": {"tool_calls": [{"function": 5}]}}]}}], "protocol"),
        ([{"raw": {"choices": [{"delta": {"tool_calls": [{"index": []}]}}]}}], "protocol"),
        ([{"raw": [1, 2]}], "protocol"),
        ([{"raw": "<html>", "bare": True}], "protocol"),
        ([{"complete": "error"}], "overloaded"),
        ([{"silent": True}], "timeout"),
        ([{"call": {"name": "look"}}, {"silent": True}], "timeout"),
        ([{"wait": 3}], "timeout"),
    ],
)
def test_garbage_and_silence_are_faults_and_no_call_is_run(reply: Any, kind: str) -> None:
    """Traps: a cut socket is an APIConnectionError; half JSON is none of the SDK's errors."""
    with running(one(*reply), check=False) as emulator:
        patience = QUICK if kind == "timeout" else Deadlines()
        assert talk.fault(emulator, tools=Tools(), deadlines=patience).kind == kind


def test_thoughts_are_a_sign_of_life() -> None:
    async def main(emulator: Emulator) -> list[Event]:
        patience = Deadlines(answer=30, gap=30)
        async with talk.connected(emulator, deadlines=patience) as connection:
            return await turn(connection, "Hi")

    thoughts = [{"thinking": "Hm."}, {"wait": 20}] * 5
    assert said(unhurried("openai", one(*thoughts, {"say": "Done."}), main)) == "Done."


def test_letters_that_look_like_the_end_of_a_line_arrive() -> None:
    text = "One\u2028two\u2029three\x85four\u000bfive"
    with running(one({"say": text})) as emulator:
        assert said(talk(emulator)) == text


def test_a_call_without_a_name_is_passed_on_and_answered() -> None:
    with running(looked({"id": "a", "name": None})) as emulator:
        events = talk.answered(emulator, tools=Tools())
    assert only(events, ToolCalls).calls[0].name == ""
    assert said(events) == "Done."


def test_somebody_who_cuts_in_ends_the_answer_and_what_was_said_stays() -> None:
    script = [
        {"on": "text", "reply": [{"say": "Once upon"}, {"silent": True}]},
        {"on": "text", "with": {"history": ["Tell", "Once upon"]}, "reply": [{"say": "Yes?"}]},
    ]

    async def main() -> list[Event]:
        async with talk.connected(emulator) as connection:
            await connection.send(Prompt("Tell"))
            found: list[Event] = []
            events = connection.events()
            async for event in events:
                found.append(event)
                if isinstance(event, Text) and event.text == " upon":
                    await connection.send(Prompt("Stop"))
                if event == TurnEnded("complete"):
                    break
            await events.aclose()
            return found

    with running(script) as emulator:
        events = run(main())
    assert [Interrupted(), TurnEnded("interrupted")] == events[3:5]
    assert said(events) == "Once uponYes?"


def test_it_speaks_tls_with_a_certificate_of_its_own() -> None:
    with running(one({"say": "Safe."}), tls=True) as emulator:
        assert said(talk(emulator)) == "Safe."
        found = talk.fault(emulator, access=Access(KEY, emulator.base_url))
        assert found.kind == "unreachable"
        assert emulator.base_url in found.message


def test_certificates_that_cannot_be_read_are_named(tmp_path: Path) -> None:
    (tmp_path / "ca.pem").write_text("no certificate")
    access = Access(KEY, "https://127.0.0.1:1", tmp_path / "ca.pem")
    with pytest.raises(ProviderFault, match=r"ca\.pem") as caught:
        run(OpenAIChat(access).connect(talk.setup()))
    assert caught.value.fault.kind == "not_configured"


def test_nobody_at_the_address_is_unreachable() -> None:
    with running() as emulator:
        url = emulator.base_url
    found = talk.fault(emulator, access=Access(KEY, url))
    assert (found.kind, found.retryable) == ("unreachable", True)


@pytest.mark.parametrize("url", ["nonsense", "ftp://127.0.0.1", "http://[", "http://127.0.0.1:x"])
def test_an_address_that_is_none_is_a_fault(url: str) -> None:
    async def main() -> Fault | None:
        made = None
        try:
            made = OpenAIChat(Access(KEY, url))
            await made.probe(2)
        except ProviderFault as failed:
            return failed.fault
        finally:
            if made is not None:
                await made.close()
        return None

    found = run(main())
    assert found is not None
    assert found.kind == "unreachable"


def test_a_probe_tells_whether_the_key_is_taken() -> None:
    with running() as emulator:
        assert talk.probed(Access(KEY, emulator.base_url)) is None
        wrong = talk.probed(Access("wrong", emulator.base_url))
    assert wrong is not None
    assert wrong.kind == "auth"


def test_calls_are_read_from_a_whole_completion_and_never_from_a_chunk() -> None:
    call = {"id": "a", "type": "function", "function": {"name": "look", "arguments": '{"at":"x"}'}}
    message = {"role": "assistant", "tool_calls": [call]}

    def completion(reason: str, kind: str = "chat.completion") -> dict[str, Any]:
        return {"object": kind, "choices": [{"message": message, "finish_reason": reason}]}

    async def main() -> list[list[ToolCall]]:
        async with talk.connected(emulator, tools=Tools()) as connection:
            return [
                connection.receive_tool_calls(body)
                for body in (
                    completion("tool_calls"),
                    completion("length"),
                    completion("tool_calls", "chat.completion.chunk"),
                )
            ]

    with running() as emulator:
        whole, cut, chunk = run(main())
    assert [(c.id, c.args) for c in whole] == [("a", {"at": "x"})]
    assert cut == chunk == []
