"""Google's own SDK talks to the emulated generateContent and cannot tell it from the real one."""

from __future__ import annotations

import asyncio
import ssl
from collections.abc import AsyncIterator, Coroutine, Iterator
from contextlib import asynccontextmanager, contextmanager
from typing import Any

import httpx2
import pytest
from google import genai
from google.genai import errors, types
from tests.providers.talking import unhurried

from antiphon.emulators.base import Emulator
from antiphon.emulators.runner import emulate
from antiphon.testing import run_real

MODEL = "gemini-2.5-flash"
WEATHER = types.FunctionDeclaration(
    name="get_weather",
    parameters_json_schema={"type": "object", "properties": {"city": {"type": "string"}}},
)


def run(main: Coroutine[Any, Any, Any]) -> Any:
    """Sockets may be those of the emulator's thread, which ends a little later."""
    return run_real(main, timeout=60)


@contextmanager
def running(script: Any = None, **options: Any) -> Iterator[Emulator]:
    with emulate("gemini", script, tls=False, **options) as emulator:
        yield emulator


@asynccontextmanager
async def client(emulator: Emulator, key: str = "test-key") -> AsyncIterator[genai.Client]:
    made = genai.Client(
        api_key=key,
        vertexai=False,
        http_options=types.HttpOptions(base_url=emulator.base_url),
    )
    try:
        yield made
    finally:
        await made.aio.aclose()
        made.close()


async def streamed(made: genai.Client, contents: Any, **config: Any) -> list[Any]:
    config.setdefault("automatic_function_calling", {"disable": True})
    stream = await made.aio.models.generate_content_stream(
        model=config.pop("model", MODEL), contents=contents, config=config
    )
    return [chunk async for chunk in stream]


def ask(emulator: Emulator, contents: Any = "Hello", **config: Any) -> list[Any]:
    async def main() -> list[Any]:
        async with client(emulator, config.pop("key", "test-key")) as made:
            return await streamed(made, contents, **config)

    return run(main())


def refused(emulator: Emulator, contents: Any = "Hello", **config: Any) -> errors.APIError:
    with pytest.raises(errors.APIError) as caught:
        ask(emulator, contents, **config)
    return caught.value


def broken_off(emulator: Emulator) -> tuple[str, Any]:
    """What came, and what ended it; the async SDK leaves generators behind in such a case."""
    heard = ""
    options = types.HttpOptions(base_url=emulator.base_url)
    with genai.Client(api_key="test-key", vertexai=False, http_options=options) as made:
        stream = made.models.generate_content_stream(model=MODEL, contents="Hi")
        try:
            for chunk in stream:
                heard += chunk.text or ""
        except (errors.APIError, ValueError) as error:
            return heard, error
    raise AssertionError("nothing ended it")


def said(chunks: list[Any]) -> str:
    return "".join(chunk.text or "" for chunk in chunks)


def calls_in(chunks: list[Any]) -> list[types.FunctionCall]:
    return [call for chunk in chunks for call in chunk.function_calls or []]


def user(text: str) -> dict[str, Any]:
    return {"role": "user", "parts": [{"text": text}]}


def called(*names: str) -> dict[str, Any]:
    return {"role": "model", "parts": [{"function_call": {"name": n, "args": {}}} for n in names]}


def answered(*names: str) -> dict[str, Any]:
    parts = [{"function_response": {"name": n, "response": {"ok": True}}} for n in names]
    return {"role": "user", "parts": parts}


def test_a_text_comes_word_by_word_and_ends_with_reason_and_usage() -> None:
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
        chunks = ask(emulator, system_instruction="Be brief.")
    assert len(chunks) == 5
    assert said(chunks) == "Good day to you."
    assert chunks[-1].candidates[0].finish_reason is types.FinishReason.STOP
    counted = chunks[-1].usage_metadata
    assert (counted.prompt_token_count, counted.candidates_token_count) == (11, 4)
    assert counted.cached_content_token_count == 3
    assert emulator.received[0]["contents"] == [user("Hello")]


def test_the_same_answer_without_a_stream_is_one_message() -> None:
    script = [{"on": "text", "reply": [{"say": "Good day."}, {"call": {"name": "look"}}]}]

    async def main() -> Any:
        async with client(emulator) as made:
            return await made.aio.models.generate_content(model=MODEL, contents="Hi")

    with running(script) as emulator:
        response = run(main())
    parts = response.candidates[0].content.parts
    assert "".join(p.text or "" for p in parts) == "Good day."
    assert parts[-1].function_call.name == "look"
    assert response.candidates[0].finish_reason is types.FinishReason.STOP


def test_calls_are_answered_with_the_whole_turn_and_its_signatures_verbatim() -> None:
    """Trap: the model turn goes back as it came, signatures of thoughts included."""
    script = [
        {
            "on": "text",
            "with": {"tools": ["get_weather"]},
            "reply": [
                {"thinking": "Two cities."},
                {
                    "calls": [
                        {"id": "a", "name": "get_weather", "args": {"city": "Seoul"}},
                        {"id": "b", "name": "get_weather", "args": {"city": "Oslo"}},
                    ]
                },
            ],
        },
        {
            "on": "results",
            "with": {"names": ["get_weather"], "count": 2, "ok": True},
            "reply": [{"say": "Both are cold."}],
        },
    ]

    async def main() -> tuple[list[Any], list[Any]]:
        tools = [types.Tool(function_declarations=[WEATHER])]
        async with client(emulator) as made:
            first = await streamed(made, "Weather?", tools=tools)
            parts = [p for c in first for p in c.candidates[0].content.parts or []]
            turn = types.Content(role="model", parts=parts)
            back = [
                types.Part(
                    function_response=types.FunctionResponse(
                        id=call.id, name=call.name, response={"ok": True, "data": {}}
                    )
                )
                for call in calls_in(first)
            ]
            history = [types.Content(role="user", parts=[types.Part(text="Weather?")]), turn]
            history.append(types.Content(role="user", parts=back))
            return parts, await streamed(made, history, tools=tools)

    with running(script) as emulator:
        parts, second = run(main())
    assert parts[0].thought
    assert parts[0].text == "Two cities."
    assert [p.thought_signature is not None for p in parts] == [False, True, False]
    assert said(second) == "Both are cold."


@pytest.mark.parametrize(
    ("signature", "words"),
    [(None, "missing a thought_signature"), (b"other", "Corrupted thought signature")],
)
def test_a_call_that_comes_back_without_its_signature_is_refused(
    signature: bytes | None, words: str
) -> None:
    """Trap: the model turn goes back as it came, signatures of thoughts included."""
    script = [{"on": "text", "reply": [{"call": {"id": "a", "name": "look"}}]}]

    async def main() -> errors.APIError:
        async with client(emulator) as made:
            (call,) = calls_in(await streamed(made, "Look!"))
            turn = types.Part(function_call=call, thought_signature=signature)
            answer = types.FunctionResponse(id="a", name="look", response={"ok": True})
            history = [
                types.Content(role="user", parts=[types.Part(text="Look!")]),
                types.Content(role="model", parts=[turn]),
                types.Content(role="user", parts=[types.Part(function_response=answer)]),
            ]
            with pytest.raises(errors.ClientError) as caught:
                await streamed(made, history)
            return caught.value

    with running(script, check=False) as emulator:
        error = run(main())
    assert error.code == 400
    assert words in str(error.message)
    assert words in emulator.playback.problems[0]


def test_a_call_may_have_no_id_and_no_signature() -> None:
    """Trap: `id` may be absent, which the SDK reads as None."""
    script = [{"on": "text", "reply": [{"call": {"id": None, "name": "look", "signature": None}}]}]
    with running(script) as emulator:
        chunks = ask(emulator)
    (call,) = calls_in(chunks)
    assert call.id is None
    assert call.args == {}


@pytest.mark.parametrize(
    ("history", "words"),
    [
        ([user("Hi"), called("a", "b"), answered("a")], "number of function response parts"),
        ([user("Hi"), called("a"), user("And?")], "number of function response parts"),
        ([user("Hi"), called("a")], "number of function response parts"),
        ([user("Hi"), called("a"), answered("b")], "answered as b"),
        ([user("Hi"), answered("a")], "immediately after a function call turn"),
        ([called("a"), answered("a")], "immediately after a user turn"),
        ([user("Hi"), {"role": "model", "parts": [{"text": "Yes?"}]}], "end with a user role"),
        ([{"role": "system", "parts": [{"text": "x"}]}], "valid role"),
        ([{"role": "user", "parts": []}], "must not be empty"),
    ],
)
def test_a_history_that_does_not_add_up_is_refused(history: Any, words: str) -> None:
    with running(check=False) as emulator:
        error = refused(emulator, [types.Content.model_validate(c) for c in history])
    assert error.code == 400
    assert words in str(error.message)
    assert len(emulator.playback.problems) == 1


def test_an_answer_to_every_call_of_an_older_turn_may_have_no_ids() -> None:
    history = [user("Hi"), called("a", "a"), answered("a", "a"), user("And now?")]
    script = [
        {"on": "text", "with": {"text": "And now?", "history": ["Hi"]}, "reply": [{"say": "Yes."}]}
    ]
    with running(script) as emulator:
        assert said(ask(emulator, [types.Content.model_validate(c) for c in history])) == "Yes."


def declared(parameters: dict[str, Any]) -> dict[str, Any]:
    return {
        "contents": [user("Hi")],
        "tools": [{"functionDeclarations": [{"name": "f", "parameters": parameters}]}],
    }


@pytest.mark.parametrize(
    ("parameters", "words"),
    [
        ({"type": "object", "$schema": "x"}, 'Unknown name "$schema"'),
        ({"type": "object", "properties": {"a": {"const": 1}}}, "properties[0].value"),
        ({"type": "object", "properties": {"a": {"enum": [1]}}}, "(TYPE_STRING), 1"),
        ({"type": ["object", "null"]}, "not repeating"),
        ({"type": "array"}, "items: missing field"),
        ({"type": "object", "required": ["a"]}, "property is not defined: a"),
        ({"anyOf": [{"oneOf": []}]}, "any_of[0]"),
    ],
)
def test_declarations_outside_the_dialect_are_refused(
    parameters: dict[str, Any], words: str
) -> None:
    with running(check=False) as emulator:
        answer = httpx2.post(
            f"{emulator.url}/v1beta/models/{MODEL}:generateContent",
            headers={"x-goog-api-key": "test-key"},
            json=declared(parameters),
        )
    assert answer.status_code == 400
    assert words in answer.json()["error"]["message"]
    assert answer.json()["error"]["status"] == "INVALID_ARGUMENT"


def test_any_json_schema_is_taken_beside_the_dialect() -> None:
    schema = {"type": "object", "$defs": {"a": {"const": 1}}, "additionalProperties": False}
    function = types.FunctionDeclaration(name="f", parameters_json_schema=schema)
    with running([{"on": "text", "reply": [{"say": "Ok."}]}]) as emulator:
        ask(emulator, tools=[types.Tool(function_declarations=[function])])


def test_search_beside_functions_needs_its_flag() -> None:
    """As the service has it for models that can do both."""
    tools = [types.Tool(function_declarations=[WEATHER]), types.Tool(google_search={})]
    with running(check=False) as emulator:
        error = refused(emulator, tools=tools)
    assert "include_server_side_tool_invocations" in str(error.message)
    script = [{"on": "text", "with": {"search": True}, "reply": [{"say": "Found."}]}]
    with running(script) as emulator:
        config = {"include_server_side_tool_invocations": True}
        assert said(ask(emulator, tools=tools, tool_config=config)) == "Found."


def test_a_wrong_key_is_a_bad_request_with_its_reason() -> None:
    with running() as emulator:
        error = refused(emulator, key="wrong")
    assert (error.code, error.status) == (400, "INVALID_ARGUMENT")
    assert error.details["error"]["details"][0]["reason"] == "API_KEY_INVALID"


def test_a_missing_key_is_forbidden() -> None:
    with running() as emulator:
        answer = httpx2.get(f"{emulator.url}/v1/models")
    assert answer.status_code == 403
    assert answer.json()["error"]["status"] == "PERMISSION_DENIED"


def test_models_are_listed_and_others_are_not_found() -> None:
    async def main() -> tuple[list[Any], Any]:
        async with client(emulator) as made:
            pager = await made.aio.models.list(config={"page_size": 5})
            return list(pager.page), await made.aio.models.get(model="gemini-x")

    with running({"options": {"models": ["gemini-x"]}}) as emulator:
        listed, one = run(main())
        error = refused(emulator)
    assert [m.name for m in listed] == ["models/gemini-x"]
    assert one.name == "models/gemini-x"
    assert (error.code, error.status) == (404, "NOT_FOUND")
    assert f"models/{MODEL} is not found for API version" in str(error.message)


def test_an_error_inside_the_stream_is_a_server_error_after_what_came_before() -> None:
    """Trap: `{"error": …}` in the stream is a ServerError with its code."""
    script = [{"on": "text", "reply": [{"say": "Well"}, {"error": {"code": 503}}]}]

    with running(script) as emulator:
        heard, error = broken_off(emulator)
    assert isinstance(error, errors.ServerError)
    assert heard == "Well"
    assert error.status == "UNAVAILABLE"
    assert error.code == 503


def test_too_many_requests_say_when_to_come_back_and_the_sdk_does_not() -> None:
    """Trap: the SDK never retries, and passes RetryInfo over."""
    script = [{"on": "text", "reply": [{"status": 429, "retry_after": 34}]}]
    with running(script) as emulator:
        error = refused(emulator)
    assert (error.code, error.status) == (429, "RESOURCE_EXHAUSTED")
    assert error.details["error"]["details"][0]["retryDelay"] == "34s"
    assert len(emulator.received) == 1


@pytest.mark.parametrize(
    ("reason", "found"),
    [
        ("MAX_TOKENS", "MAX_TOKENS"),
        ("max_tokens", "MAX_TOKENS"),
        ("refused", "SAFETY"),
        ("MALFORMED_FUNCTION_CALL", "MALFORMED_FUNCTION_CALL"),
    ],
)
def test_an_answer_may_end_for_any_reason(reason: str, found: str) -> None:
    with running([{"on": "text", "reply": [{"say": "So"}, {"complete": reason}]}]) as emulator:
        chunks = ask(emulator)
    assert chunks[-1].candidates[0].finish_reason.value == found


def test_a_line_that_drops_in_the_middle_is_an_error_of_the_line() -> None:
    script = [{"on": "text", "reply": [{"call": {"name": "look"}}, {"drop": True}]}]
    with running(script) as emulator, pytest.raises(httpx2.TransportError):
        ask(emulator)


def test_a_stream_may_end_early_repeat_itself_and_be_garbage() -> None:
    script = [
        {"on": "text", "reply": [{"text": "One"}, {"duplicate": 2}, {"close": 1000}]},
        {"on": "text", "reply": [{"oversized": 200_000}]},
        {"on": "text", "reply": [{"raw": '{"candidates": [{"con'}]},
    ]
    with running(script) as emulator:
        chunks = ask(emulator)
        assert said(chunks) == "OneOneOne"
        assert chunks[-1].candidates[0].finish_reason is None
        assert len(said(ask(emulator))) >= 200_000
        assert "Failed to parse" in str(broken_off(emulator)[1])


def test_a_silent_model_says_nothing_until_the_client_leaves() -> None:
    script = [{"on": "text", "reply": [{"silent": True}]}, {"on": "interrupt"}]

    async def main(emulator: Emulator) -> None:
        async with client(emulator) as made:
            with pytest.raises(TimeoutError):
                async with asyncio.timeout(60):
                    await streamed(made, "Hi")
        assert emulator.playback.problems == []
        assert len(emulator.received) == 1

    unhurried("gemini", script, main, check=False, tls=False)


def test_what_the_script_does_not_foresee_is_refused_and_fails_the_test() -> None:
    with running(check=False) as emulator:
        error = refused(emulator)
    assert "emulator: unexpected text" in str(error.message)
    with pytest.raises(AssertionError, match="unexpected text"):
        emulator.check()


def test_it_speaks_tls_and_both_versions_of_the_api() -> None:
    script = [{"on": "text", "reply": [{"say": "Hi."}], "times": 2}]

    async def main(version: str) -> str:
        context = ssl.create_default_context(cafile=emulator.ca_file)
        options = types.HttpOptions(
            base_url=emulator.base_url,
            api_version=version,
            async_client_args={"verify": context},
        )
        made = genai.Client(api_key="test-key", vertexai=False, http_options=options)
        try:
            return said(await streamed(made, "Hello"))
        finally:
            await made.aio.aclose()
            made.close()

    with emulate("gemini", script) as emulator:
        assert [run(main(v)) for v in ("v1", "v1beta")] == ["Hi.", "Hi."]
