"""Speech services with OpenAI's protocol, against a real server on loopback."""

from __future__ import annotations

import io
import json
import threading
import wave
from collections.abc import Callable, Iterator
from email.parser import BytesParser
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

import pytest

from antiphon.contracts import ErrorType
from antiphon.speech import CannotSpeakError, SpeechError, recognizer_for, synthesizer_for
from antiphon.speech.endpoint import OpenAIRecognizer, OpenAISynthesizer

KEY = "sk-secret-0123456789"
Answer = tuple[int, str, bytes]


class Service:
    """A server that answers as it is told, and notes what it was asked."""

    def __init__(self) -> None:
        self.requests: list[tuple[str, dict[str, str], bytes]] = []
        self.answer: Answer | Callable[[BaseHTTPRequestHandler], None] = (200, "", b"")
        service = self

        class Handler(BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"

            def do_POST(self) -> None:
                body = self.rfile.read(int(self.headers["Content-Length"]))
                headers = {name.lower(): value for name, value in self.headers.items()}
                service.requests.append((self.path, headers, body))
                if callable(service.answer):
                    service.answer(self)
                    self.close_connection = True
                    return
                status, kind, content = service.answer
                self.send_response(status)
                self.send_header("Content-Type", kind)
                self.send_header("Content-Length", str(len(content)))
                self.end_headers()
                self.wfile.write(content)

            def log_message(self, *_: object) -> None:
                pass

        class Server(ThreadingHTTPServer):
            daemon_threads = False

            def handle_error(self, *_: object) -> None:
                """A client that goes away in the middle is what some tests are about."""

        self.server = Server(("127.0.0.1", 0), Handler)
        self.url = f"http://127.0.0.1:{self.server.server_port}/v1"
        self.thread = threading.Thread(target=self.server.serve_forever, args=(0.01,))
        self.thread.start()

    def stop(self) -> None:
        self.server.shutdown()
        self.thread.join(10)
        self.server.server_close()


@pytest.fixture
def service() -> Iterator[Service]:
    made = Service()
    yield made
    made.stop()


@pytest.fixture
def recognizer(service: Service) -> Iterator[OpenAIRecognizer]:
    options = {"base_url": service.url, "api_key": KEY, "timeout": 5.0}
    made = recognizer_for("openai", options)
    assert isinstance(made, OpenAIRecognizer)
    yield made
    made.close()


@pytest.fixture
def voice(service: Service) -> Iterator[OpenAISynthesizer]:
    options = {"base_url": service.url, "api_key": KEY, "voice": "nova", "timeout": 5.0}
    made = synthesizer_for("openai", options)
    assert isinstance(made, OpenAISynthesizer)
    yield made
    made.close()


def form(headers: dict[str, str], body: bytes) -> dict[str, bytes]:
    head = f"Content-Type: {headers['content-type']}\r\n\r\n".encode()
    message = BytesParser().parsebytes(head + body)
    return {
        str(part.get_param("name", header="content-disposition")): part.get_payload(decode=True)
        for part in message.get_payload()
    }


def test_an_utterance_is_sent_as_a_wav_file(service: Service, recognizer: OpenAIRecognizer) -> None:
    service.answer = (200, "application/json", b'{"text": " Hello Framm. "}')
    recognition = recognizer.recognition(["Fram"])
    pcm = bytes(range(256)) * 100
    recognition.feed(pcm)
    assert recognition.partial() == "Hello Framm."
    assert recognition.finish() == "Hello Fram."
    ((path, headers, body),) = service.requests
    assert path == "/v1/audio/transcriptions"
    assert headers["authorization"] == f"Bearer {KEY}"
    fields = form(headers, body)
    assert fields["model"] == b"gpt-4o-mini-transcribe"
    assert fields["prompt"] == b"Fram"
    with wave.open(io.BytesIO(fields["file"])) as file:
        assert (file.getframerate(), file.getnchannels(), file.getsampwidth()) == (16_000, 1, 2)
        assert file.readframes(file.getnframes()) == pcm


def test_speech_is_read_sentence_by_sentence(service: Service, voice: OpenAISynthesizer) -> None:
    sound = bytes(range(250)) * 200
    service.answer = (200, "audio/pcm", sound)
    pieces = voice.speak("See **this**. And that.")
    first = next(pieces)
    assert len(service.requests) == 1
    path, _, body = service.requests[0]
    assert path == "/v1/audio/speech"
    asked = json.loads(body)
    assert (asked["input"], asked["voice"], asked["response_format"]) == (
        "See this.",
        "nova",
        "pcm",
    )
    assert sound.startswith(first)
    assert first + b"".join(pieces) == sound * 2
    assert json.loads(service.requests[1][2])["input"] == "And that."


def test_leaving_in_the_middle_ends_the_request(service: Service, voice: OpenAISynthesizer) -> None:
    service.answer = (200, "audio/pcm", bytes(2_000_000))
    pieces = voice.speak("A long story. Another one.")
    next(pieces)
    pieces.close()  # type: ignore[attr-defined]
    assert len(service.requests) == 1
    service.answer = (200, "audio/pcm", bytes(100))
    assert b"".join(voice.speak("Again.")) == bytes(100)


@pytest.mark.parametrize(
    ("status", "kind", "words"),
    [
        (401, ErrorType.AUTH, "refused the key"),
        (403, ErrorType.AUTH, "refused the key"),
        (429, ErrorType.RATE_LIMIT, "no more requests"),
        (500, ErrorType.TRANSIENT, "in trouble"),
        (404, ErrorType.PERMANENT, "check base_url"),
        (307, ErrorType.PERMANENT, "check base_url"),
    ],
)
def test_a_refusal_is_told_in_words_and_without_the_key(
    service: Service,
    recognizer: OpenAIRecognizer,
    voice: OpenAISynthesizer,
    status: int,
    kind: ErrorType,
    words: str,
) -> None:
    body = json.dumps({"error": {"message": f"bad key {KEY}\n!"}}).encode()
    service.answer = (status, "application/json", body)
    recognition = recognizer.recognition()
    recognition.feed(bytes(3_200))
    for attempt in (recognition.finish, lambda: list(voice.speak("Hello."))):
        with pytest.raises(SpeechError, match=words) as caught:
            attempt()
        assert caught.value.type is kind
        assert KEY not in str(caught.value)
        assert "bad key ********" in str(caught.value)


@pytest.mark.parametrize("content", [b"<html>", b"[]", b'{"text": 7}', b""])
def test_an_answer_that_is_no_text_is_refused(
    service: Service, recognizer: OpenAIRecognizer, content: bytes
) -> None:
    service.answer = (200, "text/html", content)
    recognition = recognizer.recognition()
    recognition.feed(bytes(3_200))
    with pytest.raises(SpeechError, match="did not answer with a text"):
        recognition.finish()


def test_an_answer_that_is_no_speech_is_refused(service: Service, voice: OpenAISynthesizer) -> None:
    service.answer = (200, "text/html; charset=utf-8", b"<html>")
    with pytest.raises(SpeechError, match="text/html"):
        list(voice.speak("Hello."))
    service.answer = (200, "audio/pcm", b"")
    with pytest.raises(CannotSpeakError, match="no sounds"):
        list(voice.speak("Hello."))


def test_a_service_that_hangs_up_is_told(service: Service, voice: OpenAISynthesizer) -> None:
    def hang_up(handler: BaseHTTPRequestHandler) -> None:
        handler.send_response(200)
        handler.send_header("Content-Type", "audio/pcm")
        handler.send_header("Content-Length", "1000")
        handler.end_headers()
        handler.wfile.write(bytes(10))

    service.answer = hang_up
    with pytest.raises(SpeechError) as caught:
        list(voice.speak("Hello."))
    assert caught.value.type is ErrorType.TRANSIENT


def test_a_service_that_is_not_there_is_told(service: Service) -> None:
    gone = Service()
    gone.stop()
    engine = recognizer_for("openai", {"base_url": gone.url})
    recognition = engine.recognition()
    recognition.feed(bytes(3_200))
    with pytest.raises(SpeechError, match="cannot be reached") as caught:
        recognition.finish()
    assert caught.value.type is ErrorType.TRANSIENT
    assert isinstance(engine, OpenAIRecognizer)
    engine.close()


@pytest.mark.parametrize("url", ["ftp://host/v1", "host/v1", "http://user:pw@host/v1", ""])
def test_a_wrong_address_is_refused(url: str) -> None:
    with pytest.raises(SpeechError, match="base_url"):
        recognizer_for("openai", {"base_url": url})


def test_warming_asks_nothing(service: Service, recognizer: Any, voice: Any) -> None:
    recognizer.warm()
    voice.warm()
    assert service.requests == []
