"""The emulated Messages API through Anthropic's own SDK: it cannot tell it from the real one."""

from __future__ import annotations

import asyncio
import json
import logging
import ssl
from collections.abc import Callable
from typing import Any

import anthropic
import httpx2
import pytest

from antiphon.emulators.base import Emulator
from antiphon.emulators.runner import emulate

MODEL = "claude-sonnet-4-6"
HELLO = [{"role": "user", "content": "Hello"}]
WEATHER: dict[str, Any] = {
    "name": "get_weather",
    "description": "The weather",
    "input_schema": {"type": "object", "properties": {"city": {"type": "string"}}},
}


def client(emulator: Emulator, **options: Any) -> anthropic.Anthropic:
    options = {"api_key": "test-key", "max_retries": 0, "timeout": 5, **options}
    return anthropic.Anthropic(base_url=emulator.base_url, **options)


def ask(emulator: Emulator, messages: Any = HELLO, **options: Any) -> anthropic.types.Message:
    options = {"model": MODEL, "max_tokens": 100, **options}
    with client(emulator) as sdk:
        return sdk.messages.create(messages=messages, **options)


def stream_until(
    error: type[Exception], emulator: Emulator, messages: Any = HELLO
) -> list[dict[str, Any]]:
    """The events before this error."""
    seen: list[dict[str, Any]] = []

    def read(events: Any) -> None:
        for event in events:
            seen.append(event.to_dict(warnings=False))

    with (
        client(emulator) as sdk,
        sdk.messages.create(model=MODEL, max_tokens=9, messages=messages, stream=True) as events,
        pytest.raises(error),
    ):
        read(events)
    return seen


def stream(emulator: Emulator, messages: Any = HELLO, **options: Any) -> list[dict[str, Any]]:
    options = {"model": MODEL, "max_tokens": 100, **options}
    found = []
    with (
        client(emulator) as sdk,
        sdk.messages.create(messages=messages, stream=True, **options) as events,
    ):
        found += [event.to_dict() for event in events]
    return found


def post(emulator: Emulator, body: Any, **headers: str) -> httpx2.Response:
    """Past the SDK, for what it would not send."""
    content = body if isinstance(body, str) else json.dumps(body)
    headers = {"x-api-key": "test-key", "anthropic-version": "2026-10-21", **headers}
    return httpx2.post(f"{emulator.base_url}/v1/messages", content=content, headers=headers)


def refused(body: dict[str, Any], message: str) -> None:
    """The service answers 400 with these words, and the test that did it fails."""
    with emulate("anthropic", check=False) as emulator:
        whole = {"model": MODEL, "max_tokens": 10, "messages": HELLO, **body}
        answer = post(emulator, {k: v for k, v in whole.items() if v is not None})
    assert answer.status_code == 400
    error = answer.json()
    assert error["type"] == "error"
    assert error["error"] == {"type": "invalid_request_error", "message": error["error"]["message"]}
    assert message in error["error"]["message"]
    assert error["request_id"] == answer.headers["request-id"]
    assert len(emulator.playback.problems) == 1
    with pytest.raises(AssertionError, match="went wrong"):
        emulator.check()


# -- answers ------------------------------------------------------------------------------------


def test_the_named_events_of_a_text_come_in_the_order_of_the_service() -> None:
    with emulate("anthropic", [{"on": "text", "reply": [{"say": "Hello there."}]}]) as emulator:
        body = {"model": MODEL, "max_tokens": 10, "messages": HELLO, "stream": True}
        answer = post(emulator, body)
    assert answer.headers["content-type"].startswith("text/event-stream")
    assert answer.headers["request-id"].startswith("req_")
    events = [block.partition("\n")[0] for block in answer.text.strip().split("\n\n")]
    assert events == [
        "event: message_start",
        "event: content_block_start",
        "event: ping",
        "event: content_block_delta",
        "event: content_block_delta",
        "event: content_block_stop",
        "event: message_delta",
        "event: message_stop",
    ]


def test_the_sdk_puts_a_streamed_message_together() -> None:
    beats = [
        {"thinking": "Let me think."},
        {"text": "One moment."},
        {"calls": [{"id": "toolu_1", "name": "get_weather", "args": {"city": "Seoul"}}]},
        {"usage": {"input": 20, "cached": 5, "output": 7}},
    ]
    with (
        emulate("anthropic", [{"on": "text", "reply": beats}]) as emulator,
        client(emulator) as sdk,
        sdk.messages.stream(model=MODEL, max_tokens=10, messages=HELLO, tools=[WEATHER]) as events,
    ):
        message = events.get_final_message()
    thinking, text, call = message.content
    assert (thinking.type, thinking.thinking) == ("thinking", "Let me think.")
    assert thinking.signature
    assert (text.type, text.text) == ("text", "One moment.")
    assert (call.type, call.id, call.name) == ("tool_use", "toolu_1", "get_weather")
    assert call.input == {"city": "Seoul"}
    assert message.stop_reason == "tool_use"
    assert message.usage.input_tokens == 15
    assert message.usage.cache_read_input_tokens == 5
    assert message.usage.output_tokens == 7


def test_a_request_without_stream_gets_the_same_message_in_one_piece() -> None:
    beats = [{"text": "One moment."}, {"call": {"name": "get_weather", "args": {"city": "Seoul"}}}]
    with emulate("anthropic", [{"on": "text", "reply": beats}]) as emulator:
        message = ask(emulator, tools=[WEATHER])
    assert [block.type for block in message.content] == ["text", "tool_use"]
    assert message.content[1].input == {"city": "Seoul"}
    assert message.stop_reason == "tool_use"
    assert message.id.startswith("msg_")
    assert message.content[1].id.startswith("toolu_")


def test_the_first_piece_of_arguments_is_empty_and_a_call_without_arguments_has_none() -> None:
    """Trap: first partial_json is often "", a no-argument tool may send none."""
    calls = [{"name": "get_weather", "args": {"city": "Seoul"}}, {"name": "get_weather"}]
    with emulate("anthropic", [{"on": "text", "reply": [{"calls": calls}]}]) as emulator:
        events = stream(emulator, tools=[WEATHER])
    fragments: dict[int, list[str]] = {0: [], 1: []}
    for event in events:
        if event["type"] == "content_block_delta":
            fragments[event["index"]].append(event["delta"]["partial_json"])
    assert fragments[0][0] == ""
    assert len(fragments[0]) > 2
    assert json.loads("".join(fragments[0])) == {"city": "Seoul"}
    assert fragments[1] == []


@pytest.mark.parametrize(
    ("said", "reason"),
    [
        (True, "end_turn"),
        ("max_tokens", "max_tokens"),
        ("length", "max_tokens"),
        ("MAX_TOKENS", "max_tokens"),
        ("refusal", "refusal"),
        ("safety", "refusal"),
        ("stop_sequence", "stop_sequence"),
    ],
)
def test_complete_says_why_the_message_ends(said: Any, reason: str) -> None:
    script = [{"on": "text", "reply": [{"text": "Well."}, {"complete": said}]}]
    with emulate("anthropic", script) as emulator:
        assert ask(emulator).stop_reason == reason


def test_what_was_said_reaches_the_script() -> None:
    match = {
        "text": "Seoul",
        "model": "sonnet",
        "instructions": "kind",
        "tools": ["get_weather"],
        "history": ["Hello", "Hi"],
    }
    with emulate("anthropic", [{"on": "text", "with": match, "reply": ["complete"]}]) as emulator:
        said = [
            {"role": "user", "content": "Hello"},
            {"role": "assistant", "content": "Hi"},
            {"role": "user", "content": [{"type": "text", "text": "And in Seoul?"}]},
        ]
        ask(emulator, said, system="Be kind.", tools=[WEATHER])
        assert emulator.received[0]["messages"] == said


def results_of(*ids: str, **more: Any) -> list[dict[str, Any]]:
    block = {"type": "tool_result", "content": '{"ok": true, "data": {}}', **more}
    return [{**block, "tool_use_id": each} for each in ids]


def called(*ids: str) -> list[dict[str, Any]]:
    """A conversation in which the model made these calls."""
    block = {"type": "tool_use", "name": "get_weather", "input": {}}
    return [*HELLO, {"role": "assistant", "content": [{**block, "id": each} for each in ids]}]


def test_results_are_heard_with_their_envelopes() -> None:
    match = {
        "count": 2,
        "names": ["get_weather"],
        "ok": True,
        "results": [{"id": "toolu_2", "envelope": {"ok": True}}],
    }
    script = [{"on": "results", "with": match, "reply": [{"say": "Sunny."}]}]
    with emulate("anthropic", script) as emulator:
        answers = {"role": "user", "content": results_of("toolu_1", "toolu_2")}
        message = ask(emulator, [*called("toolu_1", "toolu_2"), answers])
    assert message.content[0].text == "Sunny."


def test_words_after_the_results_are_what_the_person_said_last() -> None:
    script = [{"on": "text", "with": {"text": "Never mind"}, "reply": [{"say": "All right."}]}]
    with emulate("anthropic", script) as emulator:
        words = {"type": "text", "text": "Never mind"}
        ask(emulator, [*called("a"), {"role": "user", "content": [*results_of("a"), words]}])


def test_the_beginning_of_a_request_is_cached_when_it_is_marked() -> None:
    system = [{"type": "text", "text": "x" * 8000, "cache_control": {"type": "ephemeral"}}]
    script = [{"on": "text", "reply": ["complete"], "times": 3}]
    with emulate("anthropic", script) as emulator:
        first = ask(emulator, system=system).usage
        second = ask(emulator, system=system).usage
        plain = ask(emulator, system="x" * 8000).usage
    assert first.cache_creation_input_tokens > 1900
    assert not first.cache_read_input_tokens
    assert second.cache_read_input_tokens == first.cache_creation_input_tokens
    assert not second.cache_creation_input_tokens
    assert not plain.cache_read_input_tokens
    assert plain.input_tokens > 1900


def test_beats_that_need_ears_or_a_voice_are_passed_over() -> None:
    beats = [
        {"hear": "Hello"},
        {"speech": "started"},
        {"audio": 40},
        {"interrupted": True},
        {"resumption": {"handle": "h"}},
        {"go_away": 5},
        {"cancel": ["x"]},
        {"say": "Hi."},
    ]
    with emulate("anthropic", [{"on": "text", "reply": beats}]) as emulator:
        assert ask(emulator).content[0].text == "Hi."


# -- keys, models, paths ------------------------------------------------------------------------


def test_both_ways_of_giving_the_key_are_taken_and_a_wrong_one_is_refused() -> None:
    with emulate("anthropic", {"rules": [{"on": "text", "reply": ["complete"]}]}) as emulator:
        body = {"model": MODEL, "max_tokens": 10, "messages": HELLO}
        assert post(emulator, body).status_code == 200
        bearer = {"x-api-key": "", "authorization": "Bearer test-key"}
        assert post(emulator, body, **bearer).status_code == 200
        with client(emulator, api_key="wrong") as sdk:
            with pytest.raises(anthropic.AuthenticationError) as caught:
                sdk.messages.create(model=MODEL, max_tokens=10, messages=HELLO)
            assert caught.value.type == "authentication_error"
            with pytest.raises(anthropic.AuthenticationError):
                sdk.models.list()
        missing = post(emulator, body, **{"x-api-key": ""})
        assert missing.status_code == 401
        assert missing.json()["error"]["message"] == "x-api-key header is required"


def test_any_key_is_taken_when_none_is_asked_for() -> None:
    with (
        emulate("anthropic", [{"on": "text", "reply": ["complete"]}], key=None) as emulator,
        client(emulator, api_key="whatever") as sdk,
    ):
        sdk.messages.create(model=MODEL, max_tokens=10, messages=HELLO)


def test_models_are_listed() -> None:
    with emulate("anthropic") as emulator, client(emulator) as sdk:
        names = [model.id for model in sdk.models.list()]
        assert MODEL in names
        assert sdk.models.retrieve(MODEL).id == MODEL


def test_other_models_than_those_of_the_script_are_not_found() -> None:
    script = {"options": {"models": ["claude-mini"]}}
    with emulate("anthropic", script) as emulator, client(emulator) as sdk:
        assert [model.id for model in sdk.models.list()] == ["claude-mini"]
        with pytest.raises(anthropic.NotFoundError, match=f"model: {MODEL}"):
            sdk.messages.create(model=MODEL, max_tokens=10, messages=HELLO)
        with pytest.raises(anthropic.NotFoundError):
            sdk.models.retrieve(MODEL)


@pytest.mark.parametrize("models", ["claude", [], [1]])
def test_models_of_the_script_must_be_a_list_of_names(models: Any) -> None:
    with pytest.raises(ValueError, match="options: models: must be a list of names"):
        emulate("anthropic", {"options": {"models": models}}).__enter__()


def test_what_is_no_address_of_the_service_is_refused() -> None:
    with emulate("anthropic", check=False) as emulator:
        headers = {"x-api-key": "test-key", "anthropic-version": "x"}
        answer = httpx2.get(f"{emulator.base_url}/v1/nothing", headers=headers)
        assert answer.status_code == 404
        assert answer.json()["error"]["type"] == "not_found_error"
        answer = httpx2.get(f"{emulator.base_url}/v1/messages", headers=headers)
        assert answer.status_code == 405
        upgrade = {"upgrade": "websocket", "connection": "Upgrade", "sec-websocket-version": "13"}
        upgrade["sec-websocket-key"] = "dGhlIHNhbXBsZSBub25jZQ=="
        answer = httpx2.get(f"{emulator.base_url}/v1/messages", headers=headers | upgrade)
        assert answer.status_code == 404


# -- what the service refuses -------------------------------------------------------------------


def test_the_version_of_the_api_is_required() -> None:
    with emulate("anthropic", check=False) as emulator:
        answer = httpx2.post(
            f"{emulator.base_url}/v1/messages", headers={"x-api-key": "test-key"}, content="{}"
        )
    assert answer.status_code == 400
    assert answer.json()["error"]["message"] == "anthropic-version: header is required"
    assert emulator.playback.problems


def test_a_body_that_is_no_json_is_refused() -> None:
    with emulate("anthropic", check=False) as emulator:
        answer = post(emulator, '{"model": ')
        assert answer.status_code == 400
        assert "not valid JSON" in answer.json()["error"]["message"]
        assert post(emulator, "[]").json()["error"]["message"] == "Input should be an object"


def test_the_sdk_no_longer_knows_temperature() -> None:
    """Trap: temperature/top_p/top_k do not exist any more: TypeError in the SDK."""
    with emulate("anthropic") as emulator, client(emulator) as sdk:
        with pytest.raises(TypeError, match="temperature"):
            sdk.messages.create(  # type: ignore[call-overload]
                model=MODEL, max_tokens=10, messages=HELLO, temperature=0.5
            )
        assert emulator.received == []


@pytest.mark.parametrize("name", ["temperature", "top_p", "top_k"])
def test_sampling_parameters_are_refused(name: str) -> None:
    """Trap: temperature/top_p/top_k are 400 from the API."""
    refused({name: 0.5}, f"{name}: Extra inputs are not permitted")


def said(role: str, *blocks: dict[str, Any]) -> list[dict[str, Any]]:
    return [*HELLO, {"role": role, "content": list(blocks)}]


def tool(**changed: Any) -> dict[str, Any]:
    return {"tools": [{**WEATHER, **changed}]}


@pytest.mark.parametrize(
    ("body", "message"),
    [
        ({"max_tokens": None}, "max_tokens: Field required"),
        ({"max_tokens": "many"}, "max_tokens: Input should be a valid integer"),
        ({"max_tokens": 0}, "max_tokens: must be greater than or equal to 1"),
        ({"model": None}, "model: Field required"),
        ({"model": 4}, "model: Input should be a valid string"),
        ({"stream": "yes"}, "stream: Input should be a valid boolean"),
        ({"messages": None}, "messages: Field required"),
        ({"messages": []}, "messages: at least one message is required"),
        ({"messages": "Hello"}, "messages: Input should be a valid list"),
        ({"messages": ["Hello"]}, "messages.0: Input should be an object"),
        ({"messages": [{"role": "system", "content": "x"}]}, 'Unexpected role "system"'),
        ({"messages": [{"role": "tool", "content": "x"}]}, "messages.0.role: Input should be"),
        ({"messages": [{"role": "user", "content": ""}]}, "must have non-empty content"),
        ({"messages": [{"role": "user", "content": 1}]}, "messages.0.content: Input should be"),
        ({"messages": [{"role": "user", "content": [{}]}]}, "messages.0.content.0.type: Field"),
        ({"messages": said("user", {"type": "text", "text": ""})}, "must be non-empty"),
        ({"messages": said("user", {"type": "text", "text": " "})}, "non-whitespace text"),
        ({"messages": said("user", {"type": "text"})}, "text.text: Field required"),
        ({"messages": [{"role": "assistant", "content": "Hi"}]}, "first message must use the"),
        ({"messages": said("assistant", {"type": "text", "text": "Hi"})}, "prefill"),
        ({"messages": said("user", *called("a")[1]["content"])}, "only be in `assistant`"),
        ({"messages": said("assistant", *results_of("a"))}, "can only be in `user` messages"),
        ({"messages": called("a.b")}, "tool_use.id: String should match pattern"),
        ({"messages": said("user", {"type": "tool_result"})}, "tool_use_id: Field required"),
        ({"system": 3}, "system: Input should be a valid list"),
        ({"system": [{"type": "image"}]}, "system.0: Input should be a text block"),
        ({"system": [{"type": "text", "text": ""}]}, "system: text content blocks must be non"),
        ({"tools": {}}, "tools: Input should be a valid list"),
        ({"tools": ["x"]}, "tools.0: Input should be an object"),
        (tool(name="get weather"), "tools.0.custom.name: String should match pattern"),
        (tool(name="x" * 129), "'^[a-zA-Z0-9_-]{1,128}$'"),
        ({"tools": [WEATHER, WEATHER]}, "tools: Tool names must be unique."),
        (tool(input_schema=None), "tools.0.custom.input_schema: Field required"),
        (tool(input_schema={"type": "string"}), "input_schema.type: Input should be 'object'"),
        (tool(input_schema={"type": "object", "anyOf": []}), "anyOf at the top level"),
        (
            tool(input_schema={"type": "object", "properties": {"a b": {}}}),
            "properties: Property keys should match pattern '^[a-zA-Z0-9_.-]{1,64}$'",
        ),
    ],
)
def test_what_the_service_does_not_take_is_refused(body: dict[str, Any], message: str) -> None:
    refused(body, message)


def test_more_than_four_breakpoints_of_the_cache_are_refused() -> None:
    block = {"type": "text", "text": "x", "cache_control": {"type": "ephemeral"}}
    refused({"system": [block] * 5}, "A maximum of 4 blocks with cache_control")


@pytest.mark.parametrize(
    ("messages", "message"),
    [
        (called("a", "b"), "messages.1: `tool_use` ids were found without `tool_result` blocks"),
        ([*called("a"), *HELLO], "immediately after: a."),
        (
            [*called("a", "b"), {"role": "user", "content": results_of("a")}],
            "immediately after: b. Each `tool_use` block must have a corresponding",
        ),
        (
            [
                *called("a"),
                {"role": "user", "content": [{"type": "text", "text": "x"}, *results_of("a")]},
            ],
            "immediately after: a.",
        ),
        (
            [*called("a"), {"role": "user", "content": results_of("a", "z")}],
            "messages.2.content.1: unexpected `tool_use_id` found in `tool_result` blocks: z",
        ),
        (
            [*called("a"), {"role": "user", "content": results_of("a", "a")}],
            "each tool_use must have a single result",
        ),
        (called("a", "a"), "`tool_use` ids must be unique"),
    ],
)
def test_every_call_needs_its_result_first_in_the_next_message(
    messages: list[dict[str, Any]], message: str
) -> None:
    """Trap: the next user message must hold a tool_result for every id, first in content."""
    refused({"messages": messages}, message)


def returned(change: Callable[[list[dict[str, Any]]], Any]) -> httpx2.Response:
    """The answer to a turn with thoughts that a client gives back after it changed something."""
    beats = [{"thinking": "Let me think."}, {"call": {"id": "a", "name": "get_weather"}}]
    script = [{"on": "text", "reply": beats}, {"on": "results", "reply": [{"say": "Sunny."}]}]
    with emulate("anthropic", script, check=False) as emulator:
        body = {"model": MODEL, "max_tokens": 10, "tools": [WEATHER]}
        blocks = post(emulator, {**body, "messages": HELLO}).json()["content"]
        change(blocks)
        turn = {"role": "assistant", "content": blocks}
        messages = [*HELLO, turn, {"role": "user", "content": results_of("a")}]
        return post(emulator, {**body, "messages": messages})


def test_thoughts_must_come_back_as_they_were() -> None:
    assert returned(lambda blocks: None).status_code == 200
    forged = returned(lambda blocks: blocks[0].update(signature="mine")).json()["error"]
    assert forged["message"] == "messages.1.content.0: Invalid `signature` in `thinking` block"
    changed = returned(lambda blocks: blocks[0].update(thinking="")).json()["error"]
    assert "cannot be modified" in changed["message"]
    left_out = returned(lambda blocks: blocks.pop(0)).json()["error"]
    assert "Expected `thinking` or `redacted_thinking`, but found `tool_use`" in left_out["message"]


def test_a_message_that_ends_in_thoughts_is_refused() -> None:
    script = [{"on": "text", "reply": [{"thinking": "Hm."}]}]
    with emulate("anthropic", script, check=False) as emulator:
        body = {"model": MODEL, "max_tokens": 10}
        blocks = post(emulator, {**body, "messages": HELLO}).json()["content"]
        turn = {"role": "assistant", "content": blocks}
        answer = post(emulator, {**body, "messages": [*HELLO, turn, *HELLO]})
    assert "cannot be `thinking`" in answer.json()["error"]["message"]


def test_a_paused_turn_may_come_back_as_the_last_one() -> None:
    script = [
        {"on": "text", "reply": [{"text": "Searching"}, {"complete": "pause_turn"}]},
        {"on": "text", "reply": [{"text": " found it."}]},
    ]
    with emulate("anthropic", script) as emulator:
        first = ask(emulator)
        assert first.stop_reason == "pause_turn"
        second = ask(emulator, [*HELLO, first.to_param()])
        assert second.content[0].text == " found it."


# -- scripts that are not followed --------------------------------------------------------------


def test_what_the_script_does_not_foresee_is_an_error_that_says_so() -> None:
    with emulate("anthropic", [{"on": "results"}], check=False) as emulator:
        with pytest.raises(anthropic.BadRequestError, match="emulator: unexpected text"):
            ask(emulator)
        with pytest.raises(AssertionError, match="step 1 waits for results"):
            emulator.check()


def test_a_step_that_nobody_reached_fails_the_block() -> None:
    with (
        pytest.raises(AssertionError, match="never reached: text"),
        emulate("anthropic", [{"on": "text"}]),
    ):
        pass


# -- faults -------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("status", "error", "kind"),
    [
        (429, anthropic.RateLimitError, "rate_limit_error"),
        (529, anthropic.OverloadedError, "overloaded_error"),
        (500, anthropic.InternalServerError, "api_error"),
        (403, anthropic.PermissionDeniedError, "permission_error"),
    ],
)
def test_an_http_status_has_the_shape_of_the_service(
    status: int, error: type[anthropic.APIStatusError], kind: str
) -> None:
    """Trap: 529 -> OverloadedError, 429 -> RateLimitError; `.type` says which."""
    beat = {"status": status, "retry_after": 7, "message": "Not now."}
    with emulate("anthropic", [{"on": "text", "reply": [beat]}]) as emulator:
        with pytest.raises(error, match="Not now") as caught:
            ask(emulator)
        assert caught.value.type == kind
        assert caught.value.response.headers["retry-after"] == "7"
        assert caught.value.request_id


def test_an_error_inside_the_stream_has_status_200() -> None:
    """Trap: overload inside a started stream -> plain APIStatusError with status_code 200."""
    beats = [{"text": "One"}, {"error": {"code": 529, "message": "Overloaded"}}]
    with emulate("anthropic", [{"on": "text", "reply": beats}]) as emulator:
        with pytest.raises(anthropic.APIStatusError) as caught:
            stream(emulator)
        assert type(caught.value) is anthropic.APIStatusError
        assert caught.value.status_code == 200
        assert caught.value.type == "overloaded_error"


def test_an_error_without_a_stream_is_a_status() -> None:
    script = [{"on": "text", "reply": [{"error": {"code": 429}}]}]
    with emulate("anthropic", script) as emulator, pytest.raises(anthropic.RateLimitError):
        ask(emulator)


def test_a_line_that_is_cut_inside_the_stream_is_an_error_of_httpx2() -> None:
    """Trap: cut socket inside the stream -> raw httpx2.RemoteProtocolError."""
    beats = [{"text": "One moment"}, {"drop": True}]
    script = [{"on": "text", "reply": beats}]
    with emulate("anthropic", script) as emulator, pytest.raises(httpx2.RemoteProtocolError):
        stream(emulator)


def test_a_line_may_be_cut_before_any_answer_and_in_the_middle_of_a_call() -> None:
    call = {"calls": [{"id": "a", "name": "get_weather", "arguments": '{"city": "Se'}]}
    script = [{"on": "text", "reply": [{"drop": True}]}, {"on": "text", "reply": [call, "drop"]}]
    with emulate("anthropic", script) as emulator:
        with pytest.raises(anthropic.APIConnectionError):
            stream(emulator)
        seen = stream_until(httpx2.RemoteProtocolError, emulator)
    kinds = [event["type"] for event in seen]
    assert kinds[-1] == "content_block_delta"
    assert "content_block_stop" not in kinds
    pieces = [e["delta"]["partial_json"] for e in seen if e["type"] == "content_block_delta"]
    assert "".join(pieces) == '{"city": "Se'


def test_a_call_cut_by_max_tokens_looks_whole_to_the_sdk() -> None:
    """Trap: `.stream()` parses partial JSON leniently: a truncated call appears as a valid one."""
    beats = [
        {"calls": [{"id": "a", "name": "get_weather", "arguments": '{"city": "Se'}]},
        {"complete": "max_tokens"},
    ]
    with (
        emulate("anthropic", [{"on": "text", "reply": beats}]) as emulator,
        client(emulator) as sdk,
        sdk.messages.stream(model=MODEL, max_tokens=10, messages=HELLO, tools=[WEATHER]) as events,
    ):
        message = events.get_final_message()
    assert message.stop_reason == "max_tokens"
    assert message.content[0].type == "tool_use"
    assert message.content[0].input == {}


def test_an_early_end_leaves_the_stream_without_its_last_events() -> None:
    beats = [{"text": "One"}, {"close": 1000}]
    with emulate("anthropic", [{"on": "text", "reply": beats}]) as emulator:
        assert stream(emulator)[-1]["type"] == "content_block_delta"


def test_events_may_be_repeated_invented_oversized_or_broken() -> None:
    beats = [
        {"text": "One"},
        {"duplicate": 2},
        {"oversized": 100_000},
        {"raw": {"type": "future_event", "x": 1}},
        {"raw": '{"half": ', "event": "content_block_delta"},
    ]
    with emulate("anthropic", [{"on": "text", "reply": beats}]) as emulator:
        seen = stream_until(json.JSONDecodeError, emulator)
    texts = [e["delta"]["text"] for e in seen if e["type"] == "content_block_delta"]
    assert texts[:3] == ["One"] * 3
    assert len(texts[3]) == 100_000
    assert seen[-1] == {"type": "future_event", "x": 1}


def test_a_raw_body_is_the_whole_answer_without_a_stream() -> None:
    script = [{"on": "text", "reply": [{"raw": "<html>"}]}]
    with emulate("anthropic", script) as emulator:
        body = {"model": MODEL, "max_tokens": 10, "messages": HELLO}
        assert post(emulator, body).text == "<html>"


def test_a_silent_service_says_nothing_until_the_client_goes() -> None:
    script = [
        {"on": "text", "reply": [{"text": "One"}, {"silent": True}]},
        {"on": "interrupt"},
        {"on": "text", "reply": [{"say": "Back."}]},
    ]

    with emulate("anthropic", script) as emulator:
        with (
            client(emulator) as sdk,
            sdk.messages.create(model=MODEL, max_tokens=9, messages=HELLO, stream=True) as events,
        ):
            assert "content_block_delta" in (event.type for event in events)
        assert ask(emulator).content[0].text == "Back."


def test_a_service_that_is_slow_is_only_slow() -> None:
    script = [{"on": "text", "reply": [{"text": "One"}, {"wait": 0.05}, {"text": " two"}]}]
    with emulate("anthropic", script) as emulator:
        assert ask(emulator).content[0].text == "One two"


def test_a_status_after_the_answer_has_begun_is_a_mistake_of_the_script() -> None:
    script = [{"on": "text", "reply": [{"text": "One"}, {"status": 500}]}]
    with (
        emulate("anthropic", script, check=False) as emulator,
        pytest.raises(httpx2.RemoteProtocolError),
    ):
        stream(emulator)
    assert emulator.playback.problems == ["script: status 500 after the answer has begun"]


@pytest.mark.real_time
async def test_the_sdk_waits_as_long_as_it_is_told_to(caplog: pytest.LogCaptureFixture) -> None:
    """Trap: retry-after is obeyed without cap (3600 s makes the call sleep an hour)."""
    script = [{"on": "text", "reply": [{"status": 529, "retry_after": 3600}]}]

    async def request(emulator: Emulator, asleep: asyncio.Event) -> None:
        async with anthropic.AsyncAnthropic(
            api_key="test-key", base_url=emulator.base_url, max_retries=1
        ) as sdk:
            task = asyncio.ensure_future(
                sdk.messages.create(model=MODEL, max_tokens=10, messages=HELLO)
            )
            async with asyncio.timeout(60):
                await asleep.wait()
            assert not task.done()
            task.cancel()
            await asyncio.gather(task, return_exceptions=True)

    with caplog.at_level("INFO", "anthropic"):
        asleep = asyncio.Event()

        def look(record: logging.LogRecord) -> bool:
            if "in 3600" in record.getMessage():
                asleep.set()
            return True

        caplog.handler.addFilter(look)
        try:
            with emulate("anthropic", script) as emulator:
                await request(emulator, asleep)
        finally:
            caplog.handler.removeFilter(look)


def test_another_kind_of_http_client_is_refused_by_the_sdk() -> None:
    """Trap: `http_client=httpx.AsyncClient()` is refused (TypeError)."""

    class AsyncClient:
        pass

    with pytest.raises(TypeError, match="http_client"):
        anthropic.AsyncAnthropic(api_key="k", http_client=AsyncClient(), timeout=5)  # type: ignore[arg-type]


def test_it_speaks_tls_when_asked_to() -> None:
    script = [{"on": "text", "reply": [{"say": "Hello."}]}]
    with emulate("anthropic", script, tls=True) as emulator:
        assert emulator.base_url.startswith("https://")
        http = anthropic.DefaultHttpxClient(
            verify=ssl.create_default_context(cafile=emulator.ca_file)
        )
        with client(emulator, http_client=http) as sdk:
            message = sdk.messages.create(model=MODEL, max_tokens=10, messages=HELLO)
    assert message.content[0].text == "Hello."
