"""What a client may say: each message typed as it was meant, all else refused in words."""

from __future__ import annotations

import base64
import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from antiphon.server.ws import client_messages
from antiphon.server.ws.client_messages import (
    ClientActivity,
    ClientAudio,
    ClientAudioEnd,
    ClientConfirmation,
    ClientEnd,
    ClientFunctionResult,
    ClientInterrupt,
    ClientPlayback,
    ClientStart,
    ClientText,
    ProtocolError,
    parse,
    parse_binary,
)

JSON = st.recursive(
    st.none() | st.booleans() | st.integers(-(2**53), 2**53) | st.text(max_size=20),
    lambda inner: (
        st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=8), inner, max_size=3)
    ),
    max_leaves=8,
)
TYPES = st.sampled_from(
    [
        *("start", "audio", "text", "browser_function_result", "interrupt", "playback"),
        *("confirmation_response", "audio_end", "activity", "end", "strat", ""),
    ]
)
FIELDS = st.sampled_from(
    [
        *("mode", "model", "voice", "systemPrompt", "session_token", "audio", "pending_request"),
        *("data", "text", "name", "result", "fn_call_id", "id", "token", "approve", "active"),
        *("turn_id", "played_ms", "push_to_talk", "user", "else"),
    ]
)


def say(**message: Any) -> client_messages.ClientMessage:
    return parse(json.dumps(message))


def refusal(text: str | dict[str, Any]) -> str:
    with pytest.raises(ProtocolError) as refused:
        parse(text if isinstance(text, str) else json.dumps(text))
    return str(refused.value)


def test_the_messages_of_the_protocol_are_read() -> None:
    assert say(type="text", text=" hi ") == ClientText(" hi ")
    assert say(type="interrupt") == ClientInterrupt()
    assert say(type="audio_end") == ClientAudioEnd()
    assert say(type="activity", active=True) == ClientActivity(True)
    assert say(type="end") == ClientEnd()
    assert say(type="playback", turn_id=3, played_ms=120.0) == ClientPlayback(3, 120)
    assert say(type="confirmation_response", id="c", token="t", approve=False) == (
        ClientConfirmation("c", "t", False)
    )
    assert say(
        type="browser_function_result",
        name="navigate_page",
        result={"success": True},
        fn_call_id="fc_1",
    ) == ClientFunctionResult("fc_1", {"success": True}, "navigate_page")


def test_a_start_without_fields_leaves_everything_to_the_settings() -> None:
    assert say(type="start") == ClientStart()


def test_a_start_as_older_clients_send_it_is_read() -> None:
    found = say(
        type="start",
        mode="gemini",
        model="gemini-2.5-flash-native-audio-preview-12-2025",
        voice="Puck",
        systemPrompt="",
        session_token=None,
    )
    assert found == ClientStart(
        mode="gemini", model="gemini-2.5-flash-native-audio-preview-12-2025", voice="Puck"
    )


def test_fields_that_nobody_knows_are_named_and_do_no_harm() -> None:
    found = say(type="start", mode="claude", sesion_token="x", speed=2)
    assert found == ClientStart(mode="claude", ignored=("sesion_token", "speed"))


@pytest.mark.parametrize(
    ("field", "value", "said"),
    [
        ("mode", "gemni", "local, gemini, openai, claude"),
        ("mode", 3, "local, gemini, openai, claude"),
        ("audio", "opus", "json, binary"),
        ("model", 7, "`model`"),
        ("voice", ["Puck"], "`voice`"),
        ("systemPrompt", "x" * 16_001, "16000"),
        ("session_token", {}, "`session_token`"),
        ("pending_request", "x" * 201, "200"),
        ("push_to_talk", "yes", "true or false"),
        ("push_to_talk", None, "true or false"),
        ("user", "x" * 201, "200"),
    ],
)
def test_a_wrong_field_of_start_is_named(field: str, value: Any, said: str) -> None:
    words = refusal({"type": "start", field: value})
    assert f"`{field}` of `start`" in words
    assert said in words


@pytest.mark.parametrize(
    ("message", "said"),
    [
        (
            {"type": "text"},
            "`text` of `text` must be text of at most 262144 characters, and not empty; it is",
        ),
        ({"type": "text", "text": "  "}, "not empty"),
        ({"type": "text", "text": 3}, "must be text"),
        ({"type": "browser_function_result", "fn_call_id": "a"}, "`result`"),
        ({"type": "browser_function_result", "result": 1}, "`fn_call_id`"),
        ({"type": "playback", "turn_id": 1}, "`played_ms`"),
        ({"type": "playback", "turn_id": True, "played_ms": 1}, "`turn_id`"),
        ({"type": "playback", "turn_id": 1, "played_ms": -1}, "from 0"),
        ({"type": "playback", "turn_id": 1, "played_ms": 1.5}, "whole number"),
        ({"type": "activity"}, "`active`"),
        ({"type": "confirmation_response", "id": "a", "token": "t"}, "`approve`"),
        ({"type": "confirmation_response", "id": "a", "approve": True}, "`token`"),
        ({"type": "audio"}, "base64"),
        ({"type": "audio", "data": 5}, "base64"),
    ],
)
def test_a_missing_or_wrong_field_is_named(message: dict[str, Any], said: str) -> None:
    assert said in refusal(message)


def test_audio_comes_out_as_it_went_in() -> None:
    pcm = bytes(range(256)) * 5
    assert say(type="audio", data=base64.b64encode(pcm).decode()) == ClientAudio(pcm)
    assert parse_binary(pcm) == ClientAudio(pcm)


@pytest.mark.parametrize(
    "data", ["!!!!", "AAA", "AAAA\n", "ÄÖÜß", "AA=A", "AAAA=", "=", "AAAAAAA="]
)
def test_base64_that_is_none_is_refused(data: str) -> None:
    words = refusal({"type": "audio", "data": data})
    assert "base64" in words or "odd" in words


def test_half_a_sample_is_refused_and_said_so() -> None:
    assert "odd" in refusal({"type": "audio", "data": base64.b64encode(b"abc").decode()})
    with pytest.raises(ProtocolError, match="3 bytes, an odd number"):
        parse_binary(b"abc")


def test_too_much_audio_in_one_message_is_refused() -> None:
    whole = bytes(64 * 1024)
    assert say(type="audio", data=base64.b64encode(whole).decode()) == ClientAudio(whole)
    assert "65536 bytes" in refusal(
        {"type": "audio", "data": base64.b64encode(whole + b"..").decode()}
    )
    with pytest.raises(ProtocolError, match="65536 bytes"):
        parse_binary(whole + b"..")


def test_a_message_that_is_too_long_is_refused_by_its_bytes() -> None:
    def message(character: str, count: int) -> str:
        return '{"type":"text","text":"' + character * count + '"}'

    rest = len(message("", 0))
    assert parse(message("x", 256 * 1024 - rest))
    assert "262145" in refusal(message("x", 256 * 1024 - rest + 1))
    assert "at most" in refusal(message("ä", 128 * 1024))


@pytest.mark.parametrize(
    "text", ["", "{", "NaN", '{"type":"text","text":"\\ud800"}', "[" * 2000, '{"a":1}x']
)
def test_what_is_no_json_is_refused(text: str) -> None:
    assert "JSON" in refusal(text)


@pytest.mark.parametrize("text", ["[]", "3", '"start"', "null"])
def test_json_that_is_no_object_is_refused(text: str) -> None:
    assert "JSON object" in refusal(text)


def test_an_unknown_type_is_refused_with_the_nearest_one() -> None:
    assert "Did you mean `start`?" in refusal({"type": "strat"})
    assert "browser_function_result" in refusal({"type": "xyzzy"})
    assert 'needs a "type"' in refusal({"text": "hi"})
    assert len(refusal({"type": "x" * 10_000})) < 400


def understood(text: str) -> client_messages.ClientMessage | str:
    """The message, or the words with which it is refused."""
    try:
        return parse(text)
    except ProtocolError as refused:
        return str(refused)


@given(st.dictionaries(FIELDS, JSON, max_size=5), TYPES | JSON)
def test_whatever_comes_is_a_message_or_a_refusal_in_words(
    fields: dict[str, Any], kind: Any
) -> None:
    found = understood(json.dumps({**fields, "type": kind}))
    assert found.endswith((".", "?")) if isinstance(found, str) else found


@given(st.text(max_size=60))
def test_any_text_is_a_message_or_a_refusal_in_words(text: str) -> None:
    assert understood(text)


@given(st.binary(max_size=400))
def test_any_samples_survive_the_way(pcm: bytes) -> None:
    if len(pcm) % 2:
        with pytest.raises(ProtocolError, match="odd"):
            parse_binary(pcm)
    else:
        assert parse_binary(pcm) == say(type="audio", data=base64.b64encode(pcm).decode())
