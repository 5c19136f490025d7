"""The server's own voice over HTTP."""

from __future__ import annotations

import asyncio
import http.client
import io
import json
import wave
from typing import Any

import pytest
from tests.server.test_guard import refused
from tests.speech.helpers import heard, together, utterances, word_errors

from antiphon.speech.audio import from_pcm, resample
from antiphon.speech.ports import INPUT_RATE, OUTPUT_RATE

WORDS = "This is the talk button. Press it, and say what you want."


def test_a_text_comes_back_as_speech_that_can_be_understood(client: Any) -> None:
    reply = client.post("/api/vox/speech", {"text": WORDS})
    assert (reply.status, reply.media_type) == (200, "audio/wav")
    assert reply.headers["cache-control"] == "no-store"
    # Its length was not known when it began: the header says as much as there may be.
    assert reply.body[4:8] == reply.body[40:44] == b"\xff\xff\xff\xff"
    with wave.open(io.BytesIO(reply.body), "rb") as file:
        shape = (file.getframerate(), file.getnchannels(), file.getsampwidth())
    assert shape == (OUTPUT_RATE, 1, 2)
    spoken = resample(from_pcm(reply.body[44:]), OUTPUT_RATE, INPUT_RATE)
    understood = asyncio.run(heard(together(spoken, spoken[:INPUT_RATE] * 0)))
    # What follows a pause is joined to what was heard before: the last one is all of it.
    text = utterances(understood)[-1].text
    assert word_errors(WORDS, text) < 0.2, text


def test_it_begins_before_it_is_complete(client: Any) -> None:
    connection = http.client.HTTPConnection("127.0.0.1", client.port, timeout=60)
    body = json.dumps({"text": "One sentence after the other. " * 30})
    connection.request("POST", "/api/vox/speech", body, {"content-type": "application/json"})
    answer = connection.getresponse()
    assert answer.headers["transfer-encoding"] == "chunked"
    assert len(answer.read(4096)) == 4096
    # Who leaves in the middle of it is no trouble for the next.
    connection.close()
    assert client.post("/api/vox/speech", {"text": "Next."}).status == 200


@pytest.mark.parametrize("text", ["", "x" * 1001, None, 5])
def test_what_is_too_long_or_no_text_is_refused(client: Any, text: Any) -> None:
    assert "text" in refused(client.post("/api/vox/speech", {"text": text}), 422)


def test_pages_of_other_origins_may_not_have_anything_said(client: Any) -> None:
    reply = client.post("/api/vox/speech", {"text": "Hello."}, Origin="https://evil.example")
    assert "origin" in refused(reply, 403)


def test_a_server_without_a_voice_says_what_to_do(serve: Any) -> None:
    with serve.running(serve.app(speech={"synthesizer": "kokoro"})) as client:
        reply = client.post("/api/vox/speech", {"text": "Hello."})
    assert "kokoro" in refused(reply, 503)
