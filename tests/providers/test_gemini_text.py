"""What is special to Gemini's generateContent, through the port, the real SDK and the emulator."""

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
from antiphon.providers.gemini.text import GeminiText
from antiphon.providers.port import Access, Deadlines, ProviderFault

MODEL = "gemini-3.8-flash"
talk = Talk(GeminiText, model=MODEL)


class Tools:
    """One tool, `look`, and a note of the forms that were asked for."""

    def __init__(self) -> None:
        self.forms: list[str] = []

    def declared(self, form: str) -> list[dict[str, Any]]:
        self.forms.append(form)
        schema = {"type": "object", "properties": {"at": {"type": "string"}}}
        key = "parametersJsonSchema" if form == "geminiJson" else "parameters"
        return [{"name": "look", "description": "Looks.", key: schema}]

    def arguments(self, form: str, name: str, args: Any) -> Any:
        return {**args, "through": form} if args == {"at": "me"} else args

    def written(self, form: str, name: str, args: Any) -> Any:
        del form, name
        return args


@contextmanager
def running(script: Any = None, **options: Any) -> Iterator[Emulator]:
    with emulate("gemini", script, **{"tls": False, **options}) as emulator:
        yield emulator


def test_the_model_turn_goes_back_verbatim_with_its_signatures() -> None:
    """Trap: thoughtSignature included, or the service refuses the request."""
    script = [
        {
            "on": "text",
            "reply": [
                {"thinking": "Two places."},
                {"say": "One moment."},
                {"calls": [{"id": "a", "name": "look"}, {"id": "b", "name": "look"}]},
            ],
        },
        {"on": "results", "with": {"count": 2, "ok": True}, "reply": [{"say": "Done."}]},
    ]

    async def main() -> tuple[list[Event], list[Event], Any]:
        async with talk.connected(emulator, tools=Tools()) as connection:
            first = await turn(connection, "Look around")
            for call in only(first, ToolCalls).calls:
                await connection.send_tool_result(id=call.id, name=call.name, result=OK)
            second = await turn(connection)
            return first, second, connection.history

    with running(script) as emulator:
        first, second, history = run(main())
    assert said(first) == "One moment."
    assert said(second) == "Done."
    parts = emulator.received[1]["contents"][1]["parts"]
    assert parts[0] == {"text": "Two places.", "thought": True}
    assert parts[1] == {"text": "One moment."}
    assert parts[2]["thoughtSignature"]
    answers = emulator.received[1]["contents"][2]["parts"]
    assert [a["functionResponse"]["id"] for a in answers] == ["a", "b"]
    assert answers[0]["functionResponse"]["response"] == OK
    written = [turn_from_dict(json.loads(json.dumps(t.to_dict()))) for t in history]
    assert [t.to_dict() for t in written] == [t.to_dict() for t in history]


def test_a_history_that_was_written_down_keeps_its_signatures() -> None:
    script = [
        {"on": "text", "reply": [{"call": {"id": "a", "name": "look"}}]},
        {"on": "results", "reply": [{"say": "Done."}]},
        {"on": "text", "with": {"history": ["Look", "Done."]}, "reply": [{"say": "Still."}]},
    ]

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
    before, after = emulator.received[1]["contents"], emulator.received[2]["contents"]
    assert after[: len(before)] == before


def test_calls_without_ids_are_told_apart_and_answered_without_ids() -> None:
    """Trap: `id` may be absent."""
    script = [
        {
            "on": "text",
            "reply": [{"calls": [{"id": None, "name": "look", "args": {"at": "x"}}] * 2}],
        },
        {"on": "results", "with": {"count": 2}, "reply": [{"say": "Done."}]},
    ]

    async def main() -> tuple[list[str | None], list[Event]]:
        async with talk.connected(emulator, tools=Tools()) as connection:
            calls = only(await turn(connection, "Look"), ToolCalls).calls
            for call in calls:
                await connection.send_tool_result(id=call.id, name=call.name, result=OK)
            return [c.id for c in calls], await turn(connection)

    with running(script) as emulator:
        ids, events = run(main())
    assert ids == ["temp_0", "temp_1"]
    assert said(events) == "Done."
    answers = emulator.received[1]["contents"][2]["parts"]
    assert all("id" not in a["functionResponse"] for a in answers)


def test_the_sdk_runs_no_tool_by_itself() -> None:
    """Trap: automatic function calling is off, so one request follows one prompt."""
    script = [{"on": "text", "reply": [{"call": {"id": "a", "name": "look"}}]}]
    with running(script) as emulator:
        events = talk(emulator, tools=Tools())
    assert [c.id for c in only(events, ToolCalls).calls] == ["a"]
    assert len(emulator.received) == 1


def test_a_history_of_another_provider_is_rebuilt_from_its_words_and_calls() -> None:
    history: list[HistoryTurn] = [
        ModelTurn("Hello, I am first."),
        UserTurn("Look"),
        ModelTurn(
            "Well.",
            (ToolCall("toolu_1", "look", {"at": "x"}), ToolCall("toolu_2", "look", "half")),
            native=[{"type": "tool_use"}],
            api="claude",
        ),
        AnswersTurn((CallAnswer("toolu_1", "look", OK),)),
        ModelTurn(""),
        ModelTurn("", (ToolCall("toolu_3", "look", {}),)),
    ]
    script = [{"on": "text", "with": {"history": ["Look", "Well."]}, "reply": [{"say": "Yes."}]}]
    with running(script) as emulator:
        assert said(talk(emulator, history=history)) == "Yes."
    contents = emulator.received[0]["contents"]
    assert contents[0]["role"] == "user"
    call = {"functionCall": {"name": "look", "args": {"at": "x"}}}
    assert contents[3]["parts"][:2] == [{"text": "Well."}, call]
    answers = [p["functionResponse"]["response"] for p in contents[4]["parts"]]
    assert answers == [OK, {"error": "No answer to this call was recorded."}]


def test_arguments_go_through_the_tools_and_the_form_is_the_models() -> None:
    tools = Tools()
    call = {"id": "a", "name": "look", "args": {"at": "me"}}
    script = [{"on": "text", "with": {"tools": ["look"]}, "reply": [{"call": call}], "times": 2}]
    with running(script) as emulator:
        newer = only(talk(emulator, tools=tools), ToolCalls).calls[0]
        older = only(talk(emulator, tools=tools, model="gemini-2.5-flash"), ToolCalls).calls[0]
    assert newer.args == {"at": "me", "through": "geminiJson"}
    assert older.args == {"at": "me", "through": "geminiNative"}
    assert tools.forms == ["geminiJson", "geminiNative"]


def test_a_call_cut_off_by_the_limit_of_tokens_is_not_run_and_not_remembered() -> None:
    script = [
        {
            "on": "text",
            "reply": [{"say": "I"}, {"call": {"name": "look"}}, {"complete": "MAX_TOKENS"}],
        },
        {"on": "text", "reply": [{"say": "Yes."}]},
    ]
    with running(script) as emulator:
        events = talk(emulator, "Look", "And?", tools=Tools(), max_tokens=9)
    assert not any(isinstance(e, ToolCalls) for e in events)
    assert only(events, Fault).kind == "truncated"
    assert TurnEnded("max_tokens") in events
    assert emulator.received[0]["generationConfig"]["maxOutputTokens"] == 9
    assert emulator.received[1]["contents"][1] == {"role": "model", "parts": [{"text": "I"}]}


@pytest.mark.parametrize("reason", ["SAFETY", "RECITATION", "PROHIBITED_CONTENT", "SPII"])
def test_an_answer_that_the_rules_stopped_is_refused(reason: str) -> None:
    script = [{"on": "text", "reply": [{"call": {"name": "look"}}, {"complete": reason}]}]
    with running(script) as emulator:
        events = talk(emulator, tools=Tools())
    assert only(events, Fault).kind == "refused"
    assert events[-1] == TurnEnded("refused")
    assert not any(isinstance(e, ToolCalls) for e in events)


def test_a_prompt_that_is_blocked_is_refused() -> None:
    blocked = {"promptFeedback": {"blockReason": "PROHIBITED_CONTENT"}}
    with running([{"on": "text", "reply": [{"raw": blocked}, {"close": 1000}]}]) as emulator:
        events = talk(emulator)
    assert only(events, Fault).kind == "refused"
    assert events[-1] == TurnEnded("refused")


@pytest.mark.parametrize("reason", ["SOMETHING_NEW", "OTHER"])
def test_calls_are_whole_whatever_the_answer_ended_with(reason: str) -> None:
    call = {"id": "a", "name": "look", "args": {"at": "me"}}
    script = [
        {"on": "text", "reply": [{"calls": [call]}, {"complete": reason}]},
        {"on": "results", "with": {"count": 1}, "reply": [{"say": "Seen."}]},
    ]
    with running(script) as emulator:
        events = talk.answered(emulator)
    assert [c.args for c in only(events, ToolCalls).calls] == [{"at": "me"}]
    assert said(events) == "Seen."


def test_arguments_that_are_no_object_are_for_dispatch_to_refuse() -> None:
    """Not the turn fails, but that call, and the model is told why."""
    calls = [
        {"id": "a", "name": "look", "arguments": "at me"},
        {"id": "b", "name": "look", "args": {"at": "x"}},
    ]
    script = [
        {"on": "text", "reply": [{"calls": calls}]},
        {"on": "results", "with": {"count": 2}, "reply": [{"say": "Seen."}]},
    ]
    with running(script) as emulator:
        events = talk.answered(emulator)
    assert [c.args for c in only(events, ToolCalls).calls] == ["at me", {"at": "x"}]
    assert said(events) == "Seen."


def test_a_malformed_call_fails_the_turn_and_not_the_conversation() -> None:
    script = [
        {"on": "text", "reply": [{"complete": "MALFORMED_FUNCTION_CALL"}]},
        {"on": "text", "reply": [{"say": "Better."}]},
    ]
    with running(script) as emulator:
        events = talk(emulator, "One", "Two")
    found = only(events, Fault)
    assert (found.kind, found.fatal) == ("protocol", False)
    assert "MALFORMED_FUNCTION_CALL" in found.detail
    assert said(events) == "Better."


def test_an_error_inside_the_stream_ends_the_answer_with_what_was_said() -> None:
    """Trap: `{"error": …}` in the stream is a ServerError."""
    script = [
        {"on": "text", "reply": [{"say": "Well"}, {"error": {"code": 503, "message": "busy"}}]},
        {"on": "text", "with": {"history": ["Hi", "Well"]}, "reply": [{"say": "Again."}]},
    ]
    with running(script) as emulator:
        events = talk(emulator, "Hi", "Hm?")
    found = only(events, Fault)
    assert (found.kind, found.code, found.retryable) == ("overloaded", 503, True)
    assert "busy" in found.detail
    assert said(events) == "WellAgain."


def test_an_error_inside_the_stream_without_a_code_is_no_hang() -> None:
    raw = {"error": {"message": "odd"}}
    with running([{"on": "text", "reply": [{"raw": raw}, {"close": 1000}]}]) as emulator:
        assert talk.fault(emulator).kind == "overloaded"


def test_too_many_requests_are_tried_again_when_the_service_says_so() -> None:
    """Trap: the SDK passes RetryInfo over and never retries; we do."""
    script = [
        {"on": "text", "reply": [{"status": 429, "retry_after": 0.01}]},
        {"on": "text", "reply": [{"say": "Now."}]},
    ]
    with running(script) as emulator:
        assert said(talk(emulator, retries=1)) == "Now."


def test_a_long_wait_is_told_and_not_waited_for() -> None:
    script = [{"on": "text", "reply": [{"status": 429, "retry_after": 3600}]}]
    with running(script) as emulator:
        found = talk.fault(emulator, retries=2)
    assert (found.kind, found.retry_after, found.code) == ("rate_limited", 3600, 429)


def test_a_wrong_key_is_told_with_the_variable_although_it_is_a_bad_request() -> None:
    with running(key="other") as emulator:
        found = talk.fault(emulator)
    assert (found.kind, found.code) == ("auth", 400)
    assert "GEMINI_API_KEY" in found.message


def test_an_unknown_model_is_named() -> None:
    with running({"options": {"models": ["gemini-x"]}}) as emulator:
        found = talk.fault(emulator)
    assert found.kind == "not_found"
    assert MODEL in found.message


def test_what_the_service_refuses_is_told_with_its_words() -> None:
    script = [{"on": "text", "reply": [{"status": 400, "message": "Too long."}]}]
    with running(script) as emulator:
        found = talk.fault(emulator)
    assert found.kind == "bad_request"
    assert "Too long." in found.detail


@pytest.mark.parametrize(
    ("reply", "kind"),
    [
        ([{"drop": True}], "closed"),
        ([{"say": "So"}, {"call": {"name": "look"}}, {"drop": True}], "closed"),
        ([{"call": {"name": "look"}}, {"close": 1000}], "closed"),
        ([{"raw": '{"candidates": [{"cont'}], "protocol"),
        ([{"raw": {"candidates": 5}}], "protocol"),
        ([{"raw": [1, 2]}], "protocol"),
        ([{"raw": "<html>", "bare": True}], "protocol"),
        ([{"silent": True}], "timeout"),
        ([{"call": {"name": "look"}}, {"silent": True}], "timeout"),
        ([{"wait": 3}], "timeout"),
    ],
)
def test_garbage_and_silence_are_faults_and_no_call_is_run(reply: Any, kind: str) -> None:
    with running([{"on": "text", "reply": reply}], check=False) as emulator:
        patience = QUICK if kind == "timeout" else Deadlines()
        assert talk.fault(emulator, tools=Tools(), deadlines=patience).kind == kind


def test_thoughts_are_a_sign_of_life() -> None:
    async def main(emulator: Emulator) -> list[Event]:
        patience = Deadlines(answer=30, gap=30)
        async with talk.connected(emulator, deadlines=patience) as connection:
            return await turn(connection, "Hi")

    thoughts = [{"thinking": "Hm."}, {"wait": 20}] * 5
    script = [{"on": "text", "reply": [*thoughts, {"say": "Done."}]}]
    assert said(unhurried("gemini", script, main)) == "Done."


def test_a_call_without_a_name_is_passed_on_and_answered() -> None:
    script = [
        {"on": "text", "reply": [{"call": {"id": "a", "name": None}}]},
        {"on": "results", "reply": [{"say": "Sorry."}]},
    ]

    async def main() -> list[Event]:
        async with talk.connected(emulator, tools=Tools()) as connection:
            (call,) = only(await turn(connection, "Look"), ToolCalls).calls
            assert call.name == ""
            await connection.send_tool_result(id=call.id, name=call.name, result=OK)
            return await turn(connection)

    with running(script, check=False) as emulator:
        assert said(run(main())) == "Sorry."


def test_search_goes_beside_the_tools_where_the_model_can_do_both() -> None:
    script = [{"on": "text", "reply": [{"say": "Ok."}], "times": 3}]
    with running(script) as emulator:
        talk(emulator, tools=Tools(), search=True)
        talk(emulator, tools=Tools(), search=True, model="gemini-2.5-flash")
        talk(emulator, search=True, model="gemini-2.5-flash")
    both, older, alone = emulator.received
    assert {name for t in both["tools"] for name in t} == {"functionDeclarations", "googleSearch"}
    assert [list(t) for t in older["tools"]] == [["functionDeclarations"]]
    assert [list(t) for t in alone["tools"]] == [["googleSearch"]]


def test_letters_that_look_like_the_end_of_a_line_arrive() -> None:
    """The SDK splits its stream at them, and then finds half JSON."""
    text = "One\u2028two\u2029three\x85four\u000bfive"
    with running([{"on": "text", "reply": [{"say": text}]}]) as emulator:
        assert said(talk(emulator)) == text


def test_usage_counts_thoughts_too() -> None:
    raw = {
        "candidates": [{"content": {"parts": [{"text": "Hi"}]}, "finishReason": "STOP"}],
        "usageMetadata": {
            "promptTokenCount": 9,
            "candidatesTokenCount": 2,
            "thoughtsTokenCount": 5,
            "cachedContentTokenCount": 4,
        },
    }
    with running([{"on": "text", "reply": [{"raw": raw}, {"close": 1000}]}]) as emulator:
        found = only(talk(emulator), Usage)
    assert (found.input_tokens, found.output_tokens, found.cached_tokens) == (9, 7, 4)


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
            await events.aclose()  # type: ignore[attr-defined]
            return found

    with running(script) as emulator:
        events = run(main())
    assert [Interrupted(), TurnEnded("interrupted")] == events[3:5]
    assert said(events) == "Once uponYes?"


def test_it_speaks_tls_with_a_certificate_of_its_own() -> None:
    with running([{"on": "text", "reply": [{"say": "Safe."}]}], tls=True) as emulator:
        assert said(talk(emulator)) == "Safe."


def test_a_certificate_that_nobody_vouches_for_is_unreachable() -> None:
    with running(tls=True) as emulator:
        found = talk.fault(emulator, access=Access(KEY, emulator.base_url))
        assert found.kind == "unreachable"
        assert emulator.base_url in found.message


def test_certificates_that_cannot_be_read_are_named(tmp_path: Path) -> None:
    (tmp_path / "ca.pem").write_text("no certificate")
    for name in ("ca.pem", "missing.pem"):
        access = Access(KEY, "https://127.0.0.1:1", tmp_path / name)
        with pytest.raises(ProviderFault, match=name) as caught:
            run(GeminiText(access).connect(talk.setup()))
        assert caught.value.fault.kind == "not_configured"


def test_no_key_names_the_variable_to_set() -> None:
    with pytest.raises(ProviderFault, match="GEMINI_API_KEY") as caught:
        run(GeminiText(Access()).connect(talk.setup()))
    assert caught.value.fault.kind == "not_configured"


def test_nobody_at_the_address_is_unreachable_and_not_tried_for_long() -> None:
    with running() as emulator:
        url = emulator.base_url
    found = talk.fault(emulator, access=Access(KEY, url))
    assert (found.kind, found.retryable) == ("unreachable", True)


def test_a_probe_tells_whether_the_key_is_taken() -> None:
    with running() as emulator:
        assert talk.probed(Access(KEY, emulator.base_url + "/")) is None
        wrong = talk.probed(Access("wrong", emulator.base_url))
    assert wrong is not None
    assert wrong.kind == "auth"


def test_calls_are_read_from_a_message_of_the_sdk() -> None:
    from google.genai import types

    message = types.GenerateContentResponse.model_validate(
        {
            "candidates": [
                {
                    "content": {
                        "parts": [
                            {"text": "So"},
                            {"function_call": {"id": "a", "name": "look", "args": {"at": "x"}}},
                            {"function_call": {"name": "look"}},
                        ]
                    }
                }
            ]
        }
    )

    async def main() -> list[ToolCall]:
        async with talk.connected(emulator, tools=Tools()) as connection:
            return connection.receive_tool_calls(message)

    with running() as emulator:
        calls = run(main())
    assert [(c.id, c.name, c.args) for c in calls] == [
        ("a", "look", {"at": "x"}),
        ("temp_1", "look", {}),
    ]
