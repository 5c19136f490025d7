"""OpenAI's own SDK talks to the emulated Chat Completions and cannot tell it from the real one."""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import httpx2
import openai
import pytest

from antiphon.emulators.base import Emulator
from antiphon.emulators.runner import emulate

MODEL = "gpt-4.1-mini"
TOOL = {"type": "function", "function": {"name": "look", "parameters": {"type": "object"}}}


@contextmanager
def running(script: Any = None, **options: Any) -> Iterator[Emulator]:
    with emulate("openai", script, **options) as emulator:
        yield emulator


@contextmanager
def client(emulator: Emulator, key: str = "test-key", **options: Any) -> Iterator[openai.OpenAI]:
    with openai.OpenAI(
        api_key=key, base_url=emulator.base_url, **{"max_retries": 0, **options}
    ) as made:
        yield made


def user(text: str = "Hello") -> dict[str, Any]:
    return {"role": "user", "content": text}


def calling(*ids: str) -> dict[str, Any]:
    calls = [
        {"id": i, "type": "function", "function": {"name": "look", "arguments": "{}"}} for i in ids
    ]
    return {"role": "assistant", "content": None, "tool_calls": calls}


def result(id: str, content: str = '{"ok": true}') -> dict[str, Any]:
    return {"role": "tool", "tool_call_id": id, "content": content}


def ask(emulator: Emulator, *messages: dict[str, Any], **more: Any) -> list[Any]:
    with client(emulator, more.pop("key", "test-key")) as made:
        body = {"model": MODEL, "messages": list(messages or [user()]), "stream": True, **more}
        return list(made.chat.completions.create(**body))


def whole(emulator: Emulator, *messages: dict[str, Any], **more: Any) -> Any:
    with client(emulator, more.pop("key", "test-key")) as made:
        body = {"model": MODEL, "messages": list(messages or [user()]), **more}
        return made.chat.completions.create(**body)


def refused(emulator: Emulator, *messages: dict[str, Any], **more: Any) -> openai.APIStatusError:
    with pytest.raises(openai.APIStatusError) as caught:
        whole(emulator, *messages, **more)
    return caught.value


def deltas(chunks: list[Any]) -> list[Any]:
    return [chunk.choices[0].delta for chunk in chunks if chunk.choices]


def said(chunks: list[Any]) -> str:
    return "".join(delta.content or "" for delta in deltas(chunks))


def pieces(chunks: list[Any]) -> list[Any]:
    return [piece for delta in deltas(chunks) for piece in delta.tool_calls or []]


def reason(chunks: list[Any]) -> str | None:
    return next((c.choices[0].finish_reason for c in reversed(chunks) if c.choices), None)


def test_a_text_comes_word_by_word_and_the_usage_in_a_last_chunk_without_choices() -> None:
    """Trap: with include_usage the last chunk has `choices: []`."""
    script = [
        {
            "on": "text",
            "with": {"text": "Hello", "model": MODEL, "instructions": "Be brief."},
            "reply": [
                {"say": "Good day to you."},
                {"usage": {"input": 11, "output": 4, "cached": 3}},
            ],
        }
    ]
    with running(script) as emulator:
        system = {"role": "system", "content": "Be brief."}
        chunks = ask(emulator, system, user(), stream_options={"include_usage": True})
    assert deltas(chunks)[0].role == "assistant"
    assert said(chunks) == "Good day to you."
    assert reason(chunks) == "stop"
    assert chunks[-1].choices == []
    assert (chunks[-1].usage.prompt_tokens, chunks[-1].usage.completion_tokens) == (11, 4)
    assert chunks[-1].usage.prompt_tokens_details.cached_tokens == 3


def test_calls_come_in_fragments_by_index() -> None:
    """Trap: id and name come once, then fragments with only index and arguments."""
    calls = [
        {"id": "a", "name": "look", "args": {"at": "the far side"}},
        {"name": "look", "args": {"at": "me"}},
    ]
    script = [
        {"on": "text", "with": {"tools": ["look"]}, "reply": [{"calls": calls}]},
        {
            "on": "results",
            "with": {"count": 2, "ok": True, "names": ["look"], "history": ["Hello"]},
            "reply": [{"say": "Done."}],
        },
    ]
    with running(script) as emulator:
        chunks = ask(emulator, tools=[TOOL])
        found = pieces(chunks)
        heads = [p for p in found if p.id]
        ids = [p.id for p in heads]
        texts = ["".join(p.function.arguments for p in found if p.index == n) for n in (0, 1)]
        done = ask(emulator, user(), calling(*ids), *(result(i) for i in ids), tools=[TOOL])
    assert [json.loads(t) for t in texts] == [{"at": "the far side"}, {"at": "me"}]
    assert all(p.function.name is None for p in found if not p.id)
    assert len(found) > len(heads) + 2
    assert ids[0] == "a"
    assert reason(chunks) == "tool_calls"
    assert said(done) == "Done."


def test_the_same_answer_without_a_stream_is_one_message() -> None:
    script = [
        {"on": "text", "reply": [{"say": "Good day."}, {"call": {"id": "a", "name": "look"}}]}
    ]
    with running(script) as emulator:
        found = whole(emulator, tools=[TOOL])
    message = found.choices[0].message
    assert message.content == "Good day."
    assert [(c.id, c.function.arguments) for c in message.tool_calls] == [("a", "{}")]
    assert found.choices[0].finish_reason == "tool_calls"
    assert found.usage.total_tokens > 0


@pytest.mark.parametrize(
    ("messages", "words"),
    [
        ([user(), calling("a", "b"), result("a")], "did not have response messages: b"),
        ([user(), calling("a"), user()], "did not have response messages: a"),
        ([user(), calling("a")], "did not have response messages: a"),
        ([user(), result("a")], "preceeding message with 'tool_calls'"),
        ([user(), calling("a"), result("x")], "preceeding message with 'tool_calls'"),
        ([{"role": "model", "content": "x"}], "Invalid value: 'model'"),
        ([{"role": "user", "content": None}], "expected a string, got null"),
        ([{"role": "assistant", "content": "x", "tool_calls": []}], "empty array"),
        (
            [
                {
                    "role": "assistant",
                    "tool_calls": [
                        {"id": "a", "type": "function", "function": {"name": "f", "arguments": {}}}
                    ],
                }
            ],
            "function.arguments': expected a string",
        ),
    ],
)
def test_a_history_that_does_not_add_up_is_refused(
    messages: list[dict[str, Any]], words: str
) -> None:
    """Trap: every tool_call_id needs its message of role tool."""
    with running(check=False) as emulator:
        error = refused(emulator, *messages)
    assert isinstance(error, openai.BadRequestError)
    assert words in error.message
    assert error.type == "invalid_request_error"
    assert len(emulator.playback.problems) == 1


@pytest.mark.parametrize(
    ("more", "words"),
    [
        ({"tools": []}, "empty array"),
        ({"tools": [{"type": "function", "name": "flat"}]}, "Missing required parameter"),
        ({"tools": [{"type": "function", "function": {"name": "a b"}}]}, "does not match pattern"),
        (
            {"tools": [{"type": "function", "function": {"name": "f", "parameters": {}}}]},
            "must be a JSON Schema",
        ),
        ({"max_tokens": 5, "max_completion_tokens": 5}, "at the same time"),
        ({"stream_options": {"include_usage": True}}, "only allowed when 'stream'"),
    ],
)
def test_parameters_that_the_service_does_not_take_are_refused(
    more: dict[str, Any], words: str
) -> None:
    with running(check=False) as emulator:
        assert words in refused(emulator, **more).message


def test_wrong_and_missing_keys_are_refused_as_the_service_does_it() -> None:
    with running() as emulator:
        error = refused(emulator, key="wrong-key")
        missing = httpx2.get(f"{emulator.base_url}/models")
    assert isinstance(error, openai.AuthenticationError)
    assert error.code == "invalid_api_key"
    assert "wrong-key" not in error.message
    assert missing.status_code == 401
    assert "You didn't provide an API key" in missing.json()["error"]["message"]


def test_models_are_listed_and_others_are_not_found() -> None:
    with running({"options": {"models": ["org/tiny"]}}) as emulator:
        with client(emulator) as made:
            assert [m.id for m in made.models.list()] == ["org/tiny"]
            assert made.models.retrieve("org/tiny").id == "org/tiny"
        error = refused(emulator)
    assert isinstance(error, openai.NotFoundError)
    assert error.code == "model_not_found"


def test_an_unknown_address_is_not_found() -> None:
    with running(check=False) as emulator:
        answer = httpx2.post(f"{emulator.base_url}/completions", json={})
    assert answer.status_code == 404
    assert "Invalid URL" in answer.json()["error"]["message"]


def test_the_sdk_obeys_retry_after_and_tries_again_by_itself() -> None:
    """Trap: two retries by default, after as long as the service says."""
    script = [
        {"on": "text", "reply": [{"status": 429, "retry_after": 0.01}]},
        {"on": "text", "reply": [{"status": 500, "retry_after": 0.01}]},
        {"on": "text", "reply": [{"say": "Now."}]},
    ]
    with running(script) as emulator, client(emulator, max_retries=2) as made:
        found = made.chat.completions.create(
            model=MODEL, messages=[{"role": "user", "content": "x"}]
        )
    assert found.choices[0].message.content == "Now."


def test_a_status_has_the_words_of_the_script() -> None:
    script = [
        {"on": "text", "reply": [{"status": 429, "code": "insufficient_quota", "message": "Pay."}]}
    ]
    with running(script) as emulator:
        error = refused(emulator)
    assert isinstance(error, openai.RateLimitError)
    assert (error.code, error.body["message"]) == ("insufficient_quota", "Pay.")  # type: ignore[index]


def test_an_error_inside_the_stream_is_an_error_without_a_status() -> None:
    """Trap: it is an APIError and no APIStatusError."""
    script = [{"on": "text", "reply": [{"say": "Well"}, {"error": {"message": "Sorry."}}]}]
    with running(script) as emulator, pytest.raises(openai.APIError, match="Sorry") as caught:
        ask(emulator)
    assert not isinstance(caught.value, openai.APIStatusError)


def test_a_cut_line_is_a_connection_error() -> None:
    """Trap: a socket that is cut inside a stream is an APIConnectionError."""
    script = [{"on": "text", "reply": [{"call": {"name": "look"}}, {"drop": True}]}]
    with running(script) as emulator, pytest.raises(openai.APIConnectionError):
        ask(emulator)


@pytest.mark.parametrize(
    ("wanted", "found"),
    [("length", "length"), ("max_tokens", "length"), ("refused", "content_filter")],
)
def test_an_answer_may_end_for_any_reason(wanted: str, found: str) -> None:
    script = [
        {
            "on": "text",
            "reply": [{"call": {"name": "look", "arguments": '{"a'}}, {"complete": wanted}],
        }
    ]
    with running(script) as emulator:
        chunks = ask(emulator)
    assert reason(chunks) == found
    assert "".join(p.function.arguments for p in pieces(chunks)) == '{"a'


def test_a_stream_may_end_early_repeat_itself_and_be_garbage() -> None:
    script = [
        {"on": "text", "reply": [{"text": "One"}, {"duplicate": 2}, {"close": 1000}]},
        {"on": "text", "reply": [{"oversized": 200_000}]},
        {"on": "text", "reply": [{"raw": '{"choices": [{"del'}]},
    ]
    with running(script) as emulator:
        chunks = ask(emulator)
        assert said(chunks) == "OneOneOne"
        assert reason(chunks) is None
        assert len(said(ask(emulator))) >= 200_000
        with pytest.raises(json.JSONDecodeError):
            ask(emulator)


def test_options_make_it_a_server_that_only_resembles_openai() -> None:
    call = {"id": "a", "name": "look", "args": {"at": "the far side"}}
    options = {"ids": False, "done": False, "whole_calls": True, "call_reason": "stop"}
    options["refuse"] = ["stream_options"]
    script = {"options": options, "steps": [{"on": "text", "reply": [{"call": call}]}]}
    with running(script) as emulator:
        error = refused(emulator, stream_options={"include_usage": True}, stream=True)
        assert "'stream_options' is not supported" in error.message
        chunks = ask(emulator)
    (piece,) = pieces(chunks)
    assert piece.id is None
    assert json.loads(piece.function.arguments) == {"at": "the far side"}
    assert reason(chunks) == "stop"


def test_arguments_may_be_an_object() -> None:
    script = {
        "options": {"arguments": "object"},
        "steps": [{"on": "text", "reply": [{"call": {"name": "look", "args": {"at": "x"}}}]}],
    }
    with running(script) as emulator:
        (piece,) = pieces(ask(emulator))
    assert piece.function.arguments == {"at": "x"}


def test_what_the_script_does_not_foresee_is_refused_and_fails_the_test() -> None:
    with running(check=False) as emulator:
        error = refused(emulator)
    assert "emulator: unexpected text" in error.message
    with pytest.raises(AssertionError, match="unexpected text"):
        emulator.check()


def test_a_status_after_the_answer_has_begun_is_a_mistake_of_the_script() -> None:
    script = [{"on": "text", "reply": [{"say": "So"}, {"status": 500}]}]
    with running(script, check=False) as emulator, pytest.raises(openai.APIConnectionError):
        ask(emulator)
    assert "after the answer has begun" in emulator.playback.problems[0]
