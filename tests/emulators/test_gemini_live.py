"""The emulated Live API of Gemini, seen through Google's own SDK."""

from __future__ import annotations

import asyncio
import json
import ssl
from collections.abc import AsyncIterator, Coroutine
from contextlib import aclosing, asynccontextmanager
from typing import Any

import pytest
from google import genai
from google.genai import errors, types
from tests.providers.talking import unhurried
from websockets.asyncio.client import connect as websocket
from websockets.exceptions import ConnectionClosed, InvalidStatus

from antiphon.emulators.base import Emulator, tone
from antiphon.emulators.runner import emulate
from antiphon.testing import run_real

pytestmark = pytest.mark.real_time(timeout=60)

MODEL = "gemini-2.5-flash-live"
PATH = "/ws/google.ai.generativelanguage.v1.GenerativeService.BidiGenerateContent"
WEATHER = {
    "name": "get_weather",
    "parameters": {"type": "OBJECT", "properties": {"city": {"type": "STRING"}}},
}
QUIET = bytes(3200)  # 100 ms
LOUD = tone(100, 16_000)


def run(main: Coroutine[Any, Any, Any]) -> Any:
    # The emulator's own sockets are in the same process, and end in their own time.
    return run_real(main, timeout=60)


def client(emulator: Emulator, **options: Any) -> genai.Client:
    context = ssl.create_default_context(cafile=emulator.ca_file)
    http = {
        "base_url": emulator.base_url,
        "async_client_args": {"ssl": context, "verify": context},
        **options,
    }
    return genai.Client(api_key="test-key", vertexai=False, http_options=http)


@asynccontextmanager
async def session(
    emulator: Emulator, model: str = MODEL, *, using: genai.Client | None = None, **config: Any
) -> AsyncIterator[Any]:
    asked = {"response_modalities": ["AUDIO"], **config}
    sdk = using or client(emulator)
    async with sdk.aio.live.connect(model=model, config=asked) as opened:
        yield opened


async def turn(opened: Any) -> list[types.LiveServerMessage]:
    """The messages up to the end of the turn, as the SDK sees it."""
    return [message async for message in opened.receive()]


async def until(opened: Any, field: str) -> types.LiveServerMessage:
    """The next message that has this."""
    async with aclosing(opened.receive()) as messages:
        async for message in messages:
            if getattr(message, field):
                return message
    raise AssertionError(f"the turn ended without {field}")


async def write(opened: Any, text: str, *, complete: bool = True) -> None:
    await opened.send_client_content(
        turns={"role": "user", "parts": [{"text": text}]}, turn_complete=complete
    )


async def speak(opened: Any, pcm: bytes, rate: int = 16_000) -> None:
    await opened.send_realtime_input(audio={"data": pcm, "mime_type": f"audio/pcm;rate={rate}"})


def audio_of(messages: list[types.LiveServerMessage]) -> bytes:
    return b"".join(message.data or b"" for message in messages)


def kinds(messages: list[types.LiveServerMessage]) -> list[str]:
    """The names of what each message has, one level deep in the server content."""
    found: list[str] = []
    for message in messages:
        body = message.model_dump(exclude_none=True)
        for name, value in body.items():
            found += list(value) if name == "server_content" else [name]
    return found


def last_problem(emulator: Emulator) -> str:
    return emulator.playback.problems[-1]


# -- setting up ----------------------------------------------------------------------------


async def test_a_session_says_what_was_asked_for_and_speaks() -> None:
    facts = {
        "model": MODEL,
        "voice": "Kore",
        "language": "de-DE",
        "instructions": "Be brief.",
        "tools": ["get_weather"],
        "search": True,
    }
    script = [
        {"on": "connect", "with": facts},
        {"on": "text", "with": {"text": "Hi"}, "reply": [{"say": "Hello there.", "ms": 120}]},
    ]
    voice = {"voice_config": {"prebuilt_voice_config": {"voice_name": "Kore"}}}

    with emulate("gemini", script) as emulator:
        async with session(
            emulator,
            speech_config={**voice, "language_code": "de-DE"},
            system_instruction="Be brief.",
            tools=[{"function_declarations": [WEATHER]}, {"google_search": {}}],
            output_audio_transcription={},
        ) as opened:
            assert opened.session_id
            await write(opened, "Hi")
            messages = await turn(opened)
            assert audio_of(messages) == tone(120)
            words = [m.server_content.output_transcription for m in messages]
            assert "".join(w.text for w in words if w) == "Hello there."
            assert kinds(messages)[-2:] == ["generation_complete", "turn_complete"]


@pytest.mark.parametrize("frames", ["binary", "text"])
async def test_messages_are_json_in_frames_of_the_kind_that_is_wanted(frames: str) -> None:
    script = {"rules": [{"on": "text", "reply": [{"text": "yes"}]}], "options": {"frames": frames}}

    with emulate("gemini", script) as emulator:
        context = ssl.create_default_context(cafile=emulator.ca_file)
        url = emulator.url.replace("https", "wss") + PATH
        headers = {"x-goog-api-key": "test-key"}
        async with websocket(url, ssl=context, additional_headers=headers) as line:
            await line.send(json.dumps({"setup": {"model": "models/x"}}))
            answer = await line.recv()
            assert isinstance(answer, bytes if frames == "binary" else str)
            assert "setupComplete" in json.loads(answer)


@pytest.mark.parametrize("version", ["v1", "v1beta"])
async def test_versions_and_a_doubled_slash_are_all_known_addresses(version: str) -> None:
    """Trap: a slash at the end of base_url gives `//ws/…`."""

    with emulate("gemini") as emulator:
        sdk = client(emulator, base_url=f"{emulator.base_url}/", api_version=version)
        async with session(emulator, using=sdk) as opened:
            assert opened.setup_complete is not None


async def test_an_ephemeral_token_comes_in_a_header_of_its_own() -> None:
    with emulate("gemini", key="auth_tokens/abc") as emulator:
        context = ssl.create_default_context(cafile=emulator.ca_file)
        url = emulator.url.replace("https", "wss") + PATH.replace("v1.", "v1alpha.") + "Constrained"
        headers = {"authorization": "Token auth_tokens/abc"}
        async with websocket(url, ssl=context, additional_headers=headers) as line:
            await line.send(json.dumps({"setup": {"model": "models/x"}}))
            assert "setupComplete" in json.loads(await line.recv())


async def test_another_path_is_not_found() -> None:
    with emulate("gemini") as emulator:
        context = ssl.create_default_context(cafile=emulator.ca_file)
        url = emulator.url.replace("https", "wss") + PATH + "Other"
        with pytest.raises(InvalidStatus, match="404"):
            await websocket(url, ssl=context)


@pytest.mark.parametrize(
    ("headers", "code", "words"),
    [
        ({"x-goog-api-key": "wrong"}, 1007, "API key not valid"),
        ({}, 1008, "unregistered callers"),
    ],
)
async def test_a_wrong_or_missing_key_ends_the_session(
    headers: dict[str, str], code: int, words: str
) -> None:
    with emulate("gemini") as emulator:  # and it is no problem: `check` passes
        context = ssl.create_default_context(cafile=emulator.ca_file)
        url = emulator.url.replace("https", "wss") + PATH
        async with websocket(url, ssl=context, additional_headers=headers) as line:
            await line.send(json.dumps({"setup": {"model": "models/x"}}))
            with pytest.raises(ConnectionClosed) as ended:
                await line.recv()
        assert ended.value.rcvd is not None
        assert ended.value.rcvd.code == code
        assert words in ended.value.rcvd.reason


async def test_a_message_before_the_setup_is_refused() -> None:
    with emulate("gemini", check=False) as emulator:
        context = ssl.create_default_context(cafile=emulator.ca_file)
        url = emulator.url.replace("https", "wss") + PATH
        headers = {"x-goog-api-key": "test-key"}
        async with websocket(url, ssl=context, additional_headers=headers) as line:
            await line.send(json.dumps({"realtime_input": {"text": "hi"}}))
            with pytest.raises(ConnectionClosed, match="setup must be the first"):
                await line.recv()
    assert "setup must be the first" in last_problem(emulator)


LOOSE = {
    "type": "OBJECT",
    "properties": {"a": {"type": "OBJECT", "additional_properties": {"type": "STRING"}}},
}


@pytest.mark.parametrize(
    ("config", "words"),
    [
        (
            {"tools": [{"function_declarations": [{"name": "f", "parameters": LOOSE}]}]},
            "additional_properties",
        ),
        ({"tools": [{"function_declarations": [WEATHER, WEATHER]}]}, "Duplicate function"),
        ({"response_modalities": ["AUDIO", "TEXT"]}, "At most one response modality"),
    ],
)
async def test_a_setup_that_the_service_refuses_closes_1007(
    config: dict[str, Any], words: str
) -> None:
    """Trap: `additionalProperties` inside `parameters` ends a Live session."""

    with emulate("gemini", check=False) as emulator:
        with pytest.raises(errors.APIError) as refused:
            async with session(emulator, **config):
                pass
        assert refused.value.code == 1007
        assert words in str(refused.value.details)
    assert words in last_problem(emulator)


async def test_any_json_schema_is_taken_as_such() -> None:
    schema = {"type": "object", "additionalProperties": False, "oneOf": [{"required": ["a"]}]}
    declared = [{"name": "f", "parameters_json_schema": schema}]

    with emulate("gemini", [{"on": "connect", "with": {"tools": ["f"]}}]) as emulator:
        async with session(emulator, tools=[{"function_declarations": declared}]):
            pass
        sent = emulator.received[0]["setup"]["tools"][0]["functionDeclarations"][0]
        assert sent["parameters_json_schema"] == schema


async def test_a_model_that_is_not_listed_is_not_found() -> None:
    with emulate("gemini", {"options": {"models": [MODEL]}}) as emulator:
        with pytest.raises(errors.APIError) as refused:
            async with session(emulator, "gemini-9"):
                pass
        assert refused.value.code == 1008
        assert "gemini-9 is not found" in str(refused.value.details)


# -- faults at the start -------------------------------------------------------------------


async def test_a_status_refuses_the_upgrade() -> None:
    script = [{"on": "connect", "reply": [{"status": 503, "retry_after": 7}]}, {"on": "connect"}]

    with emulate("gemini", script) as emulator:
        with pytest.raises(InvalidStatus) as refused:
            async with session(emulator):
                pass
        assert refused.value.response.status_code == 503
        assert refused.value.response.headers["retry-after"] == "7"
        async with session(emulator) as opened:
            assert opened.setup_complete is not None


async def test_an_error_in_place_of_setup_complete_is_no_error_to_the_sdk() -> None:
    """Trap: connect() does not check the first answer."""
    script = [{"on": "connect", "reply": [{"error": {"code": 503, "message": "busy"}}]}]

    with emulate("gemini", script) as emulator:
        async with session(emulator) as opened:
            assert opened.setup_complete is None


async def test_a_close_in_place_of_setup_complete() -> None:
    script = [{"on": "connect", "reply": [{"close": 1011}]}]

    with emulate("gemini", script) as emulator:
        with pytest.raises(errors.APIError) as ended:
            async with session(emulator):
                pass
        assert ended.value.code == 1011


def test_a_silent_service_never_completes_the_setup() -> None:
    async def main(emulator: Emulator) -> None:
        with pytest.raises(TimeoutError):
            async with asyncio.timeout(600), session(emulator):
                pass

    unhurried("gemini", [{"on": "connect", "reply": ["silent"]}], main)


# -- audio ---------------------------------------------------------------------------------


async def test_audio_is_counted_by_its_rate_whatever_its_alphabet() -> None:
    """Trap: the SDK sends URL-safe base64, of which a plain decoder drops characters."""
    pcm = bytes([0xFB, 0xEF, 0xBE, 0xFF] * 1200)  # only `-` and `_` in that alphabet
    script = [
        {"on": "audio", "with": {"ms": 300}, "reply": [{"hear": "Hi you"}, {"say": "Hello."}]},
        {"on": "audio", "with": {"ms": 300}, "reply": [{"say": "Again."}]},
    ]

    with emulate("gemini", script) as emulator:
        async with session(emulator, input_audio_transcription={}) as opened:
            for _ in range(2):
                await speak(opened, pcm)  # 150 ms each
            messages = await turn(opened)
            heard = [m.server_content.input_transcription for m in messages]
            assert [(w.text, w.finished) for w in heard if w] == [("Hi", None), (" you", True)]
            await speak(opened, pcm + pcm, rate=8_000)  # and this is 600 ms
            assert audio_of(await turn(opened)) == tone(100)


async def test_transcripts_come_only_when_they_were_asked_for() -> None:
    script = [{"on": "audio", "reply": [{"hear": "Hi"}, {"say": "Hello."}]}]

    with emulate("gemini", script) as emulator:
        async with session(emulator) as opened:
            await speak(opened, QUIET)
            found = kinds(await turn(opened))
            assert "model_turn" in found
            assert not {"input_transcription", "output_transcription"} & set(found)


@pytest.mark.parametrize(
    "blob",
    [
        {"data": "AAA", "mime_type": "audio/pcm;rate=16000"},
        {"data": "AAAA", "mime_type": "audio/mp3"},
    ],
)
async def test_audio_that_is_none_is_refused(blob: dict[str, str]) -> None:
    with emulate("gemini", check=False) as emulator:
        async with session(emulator) as opened:
            await opened._ws.send(json.dumps({"realtime_input": {"audio": blob}}))
            with pytest.raises(errors.APIError) as refused:
                await turn(opened)
            assert refused.value.code == 1007
    assert emulator.playback.problems


async def test_text_output_is_written_and_not_spoken() -> None:
    script = [{"on": "text", "reply": [{"thinking": "Hm."}, {"say": "Hello there."}]}]
    with emulate("gemini", script) as emulator:
        async with session(emulator, response_modalities=["TEXT"]) as opened:
            await write(opened, "Hi")
            messages = await turn(opened)
            assert "".join(m.text or "" for m in messages) == "Hello there."
            assert not audio_of(messages)


# -- calls ---------------------------------------------------------------------------------

CALLS = [
    {"id": "a", "name": "get_weather", "args": {"city": "Seoul"}},
    {"id": "b", "name": "get_weather", "args": {"city": "Rome"}},
]


async def answer(opened: Any, *ids: str) -> None:
    await opened.send_tool_response(
        function_responses=[
            {"id": id_, "name": "get_weather", "response": {"ok": True, "data": {}}} for id_ in ids
        ]
    )


async def calls(opened: Any) -> list[types.FunctionCall]:
    return list((await until(opened, "tool_call")).tool_call.function_calls)


async def test_several_calls_share_a_message_and_the_model_goes_on_when_all_are_answered() -> None:
    script = [
        {"on": "text", "reply": [{"calls": CALLS}]},
        {
            "on": "results",
            "with": {"count": 2, "ok": True, "names": ["get_weather"]},
            "reply": [{"say": "Fine."}],
        },
    ]

    with emulate("gemini", script) as emulator:
        async with session(emulator) as opened:
            await write(opened, "Weather?")
            found = await calls(opened)
            assert [(c.id, c.args) for c in found] == [
                ("a", {"city": "Seoul"}),
                ("b", {"city": "Rome"}),
            ]
            await answer(opened, "b")
            await answer(opened, "a")
            assert "turn_complete" in kinds(await turn(opened))


@pytest.mark.parametrize("how", ["text", "speech"])
async def test_new_input_takes_a_blocking_call_back(how: str) -> None:
    script = [
        {"on": "text", "reply": [{"calls": CALLS[:1]}]},
        {"on": "text" if how == "text" else "audio", "reply": [{"say": "Fine."}]},
    ]

    with emulate("gemini", script) as emulator:
        async with session(emulator) as opened:
            await write(opened, "Weather?")
            await calls(opened)
            if how == "text":
                await write(opened, "Never mind.")
            else:
                await speak(opened, LOUD)
            messages = await turn(opened)
            assert kinds(messages) == ["tool_call_cancellation", "interrupted", "turn_complete"]
            assert messages[0].tool_call_cancellation.ids == ["a"]
            assert audio_of(await turn(opened)) == tone(100)


@pytest.mark.parametrize(
    ("model", "behavior"), [(MODEL, "NON_BLOCKING"), ("gemini-3.8-live", None)]
)
async def test_new_input_leaves_a_call_that_does_not_block(
    model: str, behavior: str | None
) -> None:
    """Trap: calls of gemini-3.8 do not block unless their declaration says so."""
    declared = WEATHER | ({"behavior": behavior} if behavior else {})
    script = [
        {"on": "text", "reply": [{"calls": CALLS[:1]}]},
        {"on": "text", "reply": [{"say": "Yes?"}]},
        {"on": "results", "reply": [{"say": "Sunny."}]},
    ]

    with emulate("gemini", script) as emulator:
        tools = [{"function_declarations": [declared]}]
        async with session(emulator, model, tools=tools) as opened:
            await write(opened, "Weather?")
            await calls(opened)
            await write(opened, "Are you there?")
            assert "tool_call_cancellation" not in kinds(await turn(opened))
            await answer(opened, "a")
            assert audio_of(await turn(opened))


async def test_an_answer_to_a_cancelled_call_is_a_problem_and_ignored() -> None:
    script = [
        {"on": "text", "reply": [{"calls": CALLS}, {"cancel": ["b"]}]},
        {"on": "results", "with": {"count": 1}, "reply": [{"say": "Fine."}]},
    ]

    with emulate("gemini", script, check=False) as emulator:
        async with session(emulator) as opened:
            await write(opened, "Weather?")
            await calls(opened)
            await answer(opened, "b")
            await answer(opened, "a")
            assert audio_of(await turn(opened))
    assert emulator.playback.problems == [
        "call 'b' of get_weather is answered, but it was cancelled"
    ]


async def test_an_answer_to_a_call_that_nobody_made_ends_the_session() -> None:
    with emulate("gemini", check=False) as emulator:
        async with session(emulator) as opened:
            await answer(opened, "zz")
            with pytest.raises(errors.APIError) as ended:
                await turn(opened)
            assert ended.value.code == 1007
    assert "no call 'zz'" in last_problem(emulator)


# -- interruption --------------------------------------------------------------------------

LONG = [{"say": "One.", "ms": 40}, {"wait": 10}, {"say": "Two."}]


@pytest.mark.parametrize("how", ["text", "realtime text", "speech"])
async def test_who_speaks_or_writes_during_a_reply_interrupts_it(how: str) -> None:
    script = [
        {"on": "text", "reply": LONG},
        {"on": "audio" if how == "speech" else "text", "reply": [{"say": "Yes?", "ms": 60}]},
    ]

    with emulate("gemini", script) as emulator:
        async with session(emulator) as opened:
            await write(opened, "Count.")
            await until(opened, "data")
            if how == "text":
                await write(opened, "Stop.")
            elif how == "speech":
                await speak(opened, LOUD)
            else:
                await opened.send_realtime_input(text="Stop.")
            assert kinds(await turn(opened)) == ["interrupted", "turn_complete"]
            assert audio_of(await turn(opened)) == tone(60)


async def test_a_quiet_microphone_interrupts_nothing() -> None:
    script = [{"on": "text", "reply": [{"say": "One.", "ms": 40}, {"wait": 0.05}, {"say": "Two."}]}]

    with emulate("gemini", script) as emulator:
        async with session(emulator) as opened:
            await write(opened, "Count.")
            await until(opened, "data")
            await speak(opened, QUIET)
            assert "interrupted" not in kinds(await turn(opened))


async def test_a_script_that_interrupts_does_it_alone() -> None:
    script = [
        {"on": "text", "reply": LONG},
        {"on": "audio", "with": {"ms": 200}, "reply": [{"interrupted": True}]},
    ]

    with emulate("gemini", script) as emulator:
        async with session(emulator) as opened:
            await write(opened, "Count.")
            await until(opened, "data")
            await speak(opened, LOUD)
            await speak(opened, LOUD)
            assert kinds(await turn(opened)) == ["interrupted", "turn_complete"]


async def test_with_manual_activity_the_button_interrupts() -> None:
    script = [
        {"on": "text", "reply": LONG},
        {"on": "activity", "with": {"active": True}},
        {"on": "activity", "with": {"active": False}, "reply": [{"say": "Yes?", "ms": 60}]},
    ]
    manual = {"automatic_activity_detection": {"disabled": True}}

    with emulate("gemini", script) as emulator:
        async with session(emulator, realtime_input_config=manual) as opened:
            await write(opened, "Count.")
            await until(opened, "data")
            await opened.send_realtime_input(activity_start={})
            assert kinds(await turn(opened)) == ["interrupted", "turn_complete"]
            await speak(opened, LOUD)
            await opened.send_realtime_input(activity_end={})
            assert audio_of(await turn(opened)) == tone(60)


async def test_the_button_without_manual_activity_is_refused() -> None:
    with emulate("gemini", check=False) as emulator:
        async with session(emulator) as opened:
            await opened.send_realtime_input(activity_start={})
            with pytest.raises(errors.APIError) as ended:
                await turn(opened)
            assert ended.value.code == 1007
    assert "Explicit activity control" in last_problem(emulator)


# -- text, notes, history ------------------------------------------------------------------


async def test_content_of_an_incomplete_turn_is_a_note() -> None:
    script = [
        {"on": "note", "with": {"text": "It rains."}},
        {"on": "text", "with": {"text": "Hi", "history": ["It rains."]}, "reply": [{"say": "Hi."}]},
        {"on": "audio_end", "reply": [{"say": "Bye."}]},
    ]

    with emulate("gemini", script) as emulator:
        async with session(emulator) as opened:
            await write(opened, "It rains.", complete=False)
            await write(opened, "Hi")
            await turn(opened)
            await opened.send_realtime_input(audio_stream_end=True)
            assert audio_of(await turn(opened))


PAST = [
    {"role": "user", "parts": [{"text": "I am Ada."}]},
    {"role": "model", "parts": [{"text": "Hello Ada."}]},
]


async def test_a_step_that_asks_for_the_history_is_reached_once_it_was_told() -> None:
    script = [
        {"on": "connect", "with": {"history": ["I am Ada.", "Hello Ada."]}},
        {"on": "text", "with": {"history": ["Hello Ada."]}, "reply": [{"say": "Ada."}]},
    ]

    with emulate("gemini", script) as emulator:
        async with session(emulator) as opened:
            await opened.send_client_content(turns=PAST, turn_complete=False)
            await write(opened, "Who am I?")
            await turn(opened)


async def test_gemini_31_takes_content_only_as_announced_history() -> None:
    """Trap: in the middle of a session, client_content closes it with 1007."""
    script = [{"on": "text", "with": {"history": ["I am Ada."]}, "reply": [{"say": "Ada."}]}]
    announced = {"initial_history_in_client_content": True}

    with emulate("gemini", script, check=False) as emulator:
        model = "gemini-3.1-flash-live-preview"
        async with session(emulator, model, history_config=announced) as opened:
            await opened.send_client_content(turns=PAST, turn_complete=True)
            await opened.send_realtime_input(text="Who am I?")
            assert audio_of(await turn(opened))
            await write(opened, "And you?")
            with pytest.raises(errors.APIError) as ended:
                await turn(opened)
            assert ended.value.code == 1007
    assert "takes client_content only for the history" in last_problem(emulator)


async def test_a_context_update_changes_instructions_and_tools() -> None:
    script = [
        {"on": "update", "with": {"instructions": "Be wild.", "tools": ["get_weather"]}},
        {"on": "text", "with": {"instructions": "Be wild."}, "reply": [{"say": "Woo."}]},
    ]

    with emulate("gemini", script) as emulator:
        async with session(emulator, system_instruction="Be brief.") as opened:
            await opened.send_context_update(
                system_instruction="Be wild.", tools=[{"function_declarations": [WEATHER]}]
            )
            await write(opened, "Hi")
            await turn(opened)


async def test_what_the_script_does_not_foresee_ends_the_session_in_words() -> None:
    with emulate("gemini", check=False) as emulator:
        async with session(emulator) as opened:
            await write(opened, "Hi")
            with pytest.raises(errors.APIError) as ended:
                await turn(opened)
            assert str(ended.value.details).startswith("emulator: unexpected text")
    assert len(emulator.playback.problems) == 1


# -- the end of turns, handles, warnings ---------------------------------------------------


async def test_the_handle_comes_after_the_turn_and_leads_back_to_the_conversation() -> None:
    """Trap: receive() ends at turnComplete, and the handle arrives later."""
    script = [
        {"on": "text", "reply": [{"text": "Hello Ada."}]},
        {"on": "connect", "with": {"resume": "handle-1"}},
        {
            "on": "text",
            "with": {"history": ["I am Ada.", "Hello Ada."]},
            "reply": [{"text": "Ada."}],
        },
    ]

    with emulate("gemini", script) as emulator:
        async with session(emulator, session_resumption={}) as opened:
            await write(opened, "I am Ada.")
            assert "session_resumption_update" not in kinds(await turn(opened))
            later = await until(opened, "session_resumption_update")
            assert later.session_resumption_update.resumable
            handle = later.session_resumption_update.new_handle
        async with session(emulator, session_resumption={"handle": handle}) as opened:
            await write(opened, "Who am I?")
            await turn(opened)


async def test_a_handle_that_was_never_given_is_refused() -> None:
    with emulate("gemini") as emulator:
        with pytest.raises(errors.APIError) as refused:
            async with session(emulator, session_resumption={"handle": "stale"}):
                pass
        assert refused.value.code == 1007
        assert "handle" in str(refused.value.details)


async def test_interaction_status_decides_where_the_sdk_ends_a_turn() -> None:
    """Trap: with a status, receive() ends only when it is IDLE."""
    script = [
        {
            "on": "text",
            "reply": [
                {"say": "Let me see.", "ms": 40},
                {"complete": True, "interactionStatus": "IN_PROGRESS"},
                {"say": "Done.", "ms": 40},
                {"complete": True, "interactionStatus": "IDLE"},
            ],
        }
    ]

    with emulate("gemini", script) as emulator:
        async with session(emulator) as opened:
            await write(opened, "Hi")
            messages = await turn(opened)
            assert audio_of(messages) == tone(40) * 2
            assert kinds(messages).count("turn_complete") == 2


async def test_fields_can_share_a_message() -> None:
    script = [
        {
            "on": "text",
            "reply": [
                {"speech": "stopped"},
                {"usage": {"input": 10, "output": 7, "cached": 2}},
                {"resumption": {"handle": "h1"}, "with": {"goAway": {"timeLeft": "9.5s"}}},
                {"resumption": {"resumable": False}},
                {"go_away": 1.5},
                {"complete": "refused", "with": {"usageMetadata": {"promptTokenCount": 1}}},
            ],
        }
    ]

    with emulate("gemini", script) as emulator:
        async with session(emulator) as opened:
            await write(opened, "Hi")
            messages = await turn(opened)
            activity, usage, both, none, leave, _, end = messages
            assert activity.voice_activity.voice_activity_type == "ACTIVITY_END"
            assert usage.usage_metadata.prompt_token_count == 10
            assert usage.usage_metadata.cached_content_token_count == 2
            assert both.session_resumption_update.new_handle == "h1"
            assert both.go_away.time_left == "9.5s"
            assert none.session_resumption_update.resumable is False
            assert leave.go_away.time_left == "1.5s"
            assert end.server_content.turn_complete_reason == "RESPONSE_REJECTED"
            assert end.usage_metadata.prompt_token_count == 1


# -- faults on demand ----------------------------------------------------------------------


@pytest.mark.parametrize(
    ("beat", "code", "words"),
    [
        ({"close": 1011}, 1011, "Internal error"),
        ({"close": 1008, "reason": "no"}, 1008, "no"),
        ({"close": 1000}, 1000, ""),
        ({"drop": True}, 1006, ""),
        ({"status": 429}, 1011, "quota"),
        ({"status": 503}, 1011, "unavailable"),
        ({"status": 404}, 1008, "is not found"),
    ],
)
async def test_a_line_ends_in_the_middle_of_a_call(
    beat: dict[str, Any], code: int, words: str
) -> None:
    with emulate("gemini", [{"on": "text", "reply": [{"calls": CALLS}, beat]}]) as emulator:
        async with session(emulator) as opened:
            await write(opened, "Weather?")
            await calls(opened)
            with pytest.raises(errors.APIError) as ended:
                await turn(opened)
            assert ended.value.code == code
            assert words in str(ended.value.details)


async def test_an_error_message_is_a_type_error_in_the_sdk() -> None:
    """Trap: the SDK looks for the code in the wrong place."""

    script = [
        {"on": "text", "reply": [{"error": {"code": 500, "message": "oops"}}, {"complete": True}]}
    ]
    with emulate("gemini", script) as emulator:
        async with session(emulator) as opened:
            await write(opened, "Hi")
            with pytest.raises(TypeError):
                await turn(opened)
            assert "turn_complete" in kinds(await turn(opened))


async def test_half_json_arrives_as_it_is() -> None:
    with emulate("gemini", [{"on": "text", "reply": [{"raw": '{"serverCon'}]}]) as emulator:
        async with session(emulator) as opened:
            await write(opened, "Hi")
            with pytest.raises(ValueError, match="Failed to parse"):
                await turn(opened)


async def test_messages_can_be_repeated() -> None:
    script = [{"on": "text", "reply": [{"calls": CALLS}, {"duplicate": 2}, {"wait": 10}]}]

    with emulate("gemini", script) as emulator:
        async with session(emulator) as opened:
            await write(opened, "Hi")
            found = [await calls(opened) for _ in range(3)]
            assert found[0] == found[1] == found[2]


@pytest.mark.parametrize("limit", [2**20, None])
async def test_a_frame_of_more_than_a_mebibyte_needs_max_size_none(limit: int | None) -> None:
    """Trap: the SDK's default limit kills the session, as APIError 1006."""
    script = [{"on": "text", "reply": [{"oversized": 2_000_000}]}]

    with emulate("gemini", script) as emulator:
        context = ssl.create_default_context(cafile=emulator.ca_file)
        arguments = {"ssl": context, "verify": context, "max_size": limit}
        async with session(emulator, using=client(emulator, async_client_args=arguments)) as opened:
            await write(opened, "Hi")
            if limit is None:
                assert len(audio_of(await turn(opened))) == 2_000_000
            else:
                with pytest.raises(errors.APIError) as ended:
                    await turn(opened)
                assert ended.value.code == 1006


async def test_a_close_by_the_client_is_heard() -> None:
    with emulate("gemini", [{"on": "close", "with": {"code": 1000}}]) as emulator:
        async with session(emulator):
            pass
