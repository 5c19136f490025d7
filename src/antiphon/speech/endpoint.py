"""Speech services that speak OpenAI's protocol: recognition and voices behind a base URL."""

from __future__ import annotations

import io
import ssl
import threading
import wave
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import Any
from urllib.parse import urlsplit

from antiphon.contracts import ErrorType
from antiphon.net import HttpClient, NetworkError, RequestTimeoutError, client_context
from antiphon.net.blocking import BlockingHttpClient, BlockingStream
from antiphon.secrecy.redaction import redact
from antiphon.speech.audio import from_pcm, master
from antiphon.speech.ports import INPUT_RATE, OUTPUT_RATE, CannotSpeakError, SpeechError, number
from antiphon.speech.recognition import SegmentedRecognition
from antiphon.speech.synthesis import spoken_parts

BASE_URL = "https://api.openai.com/v1"
PARALLEL = 4
_MOST_NAMES = 40
# Of one part of a text: two minutes of speech.
_MOST_BYTES = 2 * OUTPUT_RATE * 120
_PIECE = 2 * OUTPUT_RATE // 5


class SpeechEndpoint:
    """HTTP endpoint of a speech service, with deadlines and errors as SpeechError."""

    def __init__(
        self, base_url: str, api_key: str | None, timeout: float, ca_file: str | None = None
    ) -> None:
        url = urlsplit(base_url)
        if url.scheme not in ("http", "https") or not url.hostname or "@" in url.netloc:
            raise SpeechError(
                "The base_url of a speech service must look like https://host/v1, without a user "
                "name.",
                ErrorType.VALIDATION,
            )
        self._base = base_url.rstrip("/")
        self.where = url.netloc
        self._key = api_key
        self._timeout = number("timeout", timeout, 0.5, 600.0)
        self._ca_file = ca_file
        self._guard = threading.Lock()
        self._client: BlockingHttpClient | None = None

    @contextmanager
    def post(self, path: str, **content: Any) -> Iterator[BlockingStream]:
        """Send a request and yield its response, to be read while it comes. Raises SpeechError."""
        try:
            with self._opened().stream("POST", f"{self._base}{path}", **content) as answer:
                if answer.status != 200:
                    raise self._refused(answer.status, answer.read())
                yield answer
        except RequestTimeoutError as error:
            raise SpeechError(
                f"The speech service {self.where} did not answer within {self._timeout:g} seconds.",
                ErrorType.TRANSIENT,
            ) from error
        except NetworkError as error:
            raise SpeechError(
                f"The speech service {self.where} cannot be reached ({error}); check its address "
                "and the network.",
                ErrorType.TRANSIENT,
            ) from error

    def close(self) -> None:
        """Close the kept connections."""
        with self._guard:
            client, self._client = self._client, None
        if client is not None:
            client.close()

    def _opened(self) -> BlockingHttpClient:
        with self._guard:
            if self._client is None:
                headers = {"Authorization": f"Bearer {self._key}"} if self._key else {}
                self._client = BlockingHttpClient(
                    HttpClient(
                        headers=headers,
                        timeout=self._timeout,
                        tls=self._context(),
                        secrets=[self._key or ""],
                    )
                )
            return self._client

    def _context(self) -> ssl.SSLContext | None:
        try:
            return client_context(self._ca_file) if self._ca_file else None
        except OSError as error:  # ssl.SSLError is one
            raise SpeechError(
                f"The certificates in {self._ca_file} cannot be used ({error}); name a PEM file.",
                ErrorType.VALIDATION,
            ) from error

    def _refused(self, status: int, answer: bytes) -> SpeechError:
        reason = self._message(answer)
        told = f" ({status}{f': {reason}' if reason else ''})"
        if status in (401, 403):
            what = "refused the key" if self._key else "wants a key, and none is set"
            return SpeechError(
                f"The speech service {self.where} {what}{told}; check api_key.", ErrorType.AUTH
            )
        if status == 429:
            return SpeechError(
                f"The speech service {self.where} takes no more requests for now{told}.",
                ErrorType.RATE_LIMIT,
            )
        if status == 408 or status >= 500:
            return SpeechError(
                f"The speech service {self.where} is in trouble{told}.", ErrorType.TRANSIENT
            )
        return SpeechError(
            f"The speech service {self.where} refused the request{told}; check base_url, model "
            "and voice."
        )

    def _message(self, answer: bytes) -> str:
        """The error message in a response body, on one line and without the key."""
        import orjson

        try:
            body = orjson.loads(answer)
        except orjson.JSONDecodeError:
            return ""
        body = body.get("error", body) if isinstance(body, dict) else body
        words = body.get("message", "") if isinstance(body, dict) else body
        if not isinstance(words, str):
            return ""
        return redact(words, [self._key or ""])


class OpenAIRecognizer:
    """Recognizer behind `POST /audio/transcriptions`, which gets a WAV file."""

    parallel = PARALLEL

    def __init__(
        self,
        *,
        base_url: str = BASE_URL,
        api_key: str | None = None,
        model: str = "gpt-4o-mini-transcribe",
        language: str | None = "en",
        timeout: float = 20.0,
        ca_file: str | None = None,
        partials: bool = False,
    ) -> None:
        """`partials` makes several requests for every utterance."""
        self.partials = partials
        self._service = SpeechEndpoint(base_url, api_key, timeout, ca_file)
        self._model = model
        self._language = language

    def warm(self) -> None:
        """Do nothing: no model is loaded here, and a request would cost money."""

    def close(self) -> None:
        self._service.close()

    def recognition(self, hints: Sequence[str] = ()) -> SegmentedRecognition:
        names = ", ".join(list(hints)[:_MOST_NAMES])
        return SegmentedRecognition(lambda pcm: self._words(pcm, names), hints)

    def _words(self, pcm: bytes, names: str) -> str:
        import orjson

        fields = {"model": self._model, "response_format": "json"}
        if self._language:
            fields["language"] = self._language
        if names:
            fields["prompt"] = names
        file = ("speech.wav", _wav(pcm), "audio/wav")
        with self._service.post(
            "/audio/transcriptions", data=fields, files={"file": file}
        ) as answer:
            content = answer.read()
        try:
            body = orjson.loads(content)
        except orjson.JSONDecodeError:
            body = None
        text = body.get("text") if isinstance(body, Mapping) else None
        if not isinstance(text, str):
            raise SpeechError(
                f"The speech service {self._service.where} did not answer with a text; check "
                "base_url."
            )
        return text.strip()


class OpenAISynthesizer:
    """Synthesizer behind `POST /audio/speech`, whose response is streamed."""

    parallel = PARALLEL

    def __init__(
        self,
        *,
        base_url: str = BASE_URL,
        api_key: str | None = None,
        model: str = "gpt-4o-mini-tts",
        voice: str = "alloy",
        speed: float = 1.0,
        volume: float = 1.0,
        timeout: float = 20.0,
        ca_file: str | None = None,
    ) -> None:
        self._service = SpeechEndpoint(base_url, api_key, timeout, ca_file)
        self._model = model
        self._voice = voice
        self._speed = number("speed", speed, 0.25, 4.0)
        self._volume = number("volume", volume, 0.05, 8.0)

    def warm(self) -> None:
        """Do nothing: no model is loaded here, and a request would cost money."""

    def close(self) -> None:
        self._service.close()

    def speak(self, text: str) -> Iterator[bytes]:
        for part in spoken_parts(text):
            yield from self._part(part)

    def _part(self, part: str) -> Iterator[bytes]:
        body = {
            "model": self._model,
            "voice": self._voice,
            "input": part,
            "response_format": "pcm",
            "speed": self._speed,
        }
        total, rest = 0, b""
        with self._service.post("/audio/speech", json=body) as answer:
            kind = answer.headers.get("content-type", "")
            if kind.startswith(("text/", "application/json")):
                raise SpeechError(
                    f"The speech service {self._service.where} answered with {kind} instead of "
                    "speech; check base_url and model."
                )
            for data in answer.iter_bytes(_PIECE):
                total += len(data)
                if total > _MOST_BYTES:
                    raise SpeechError(
                        f"The speech service {self._service.where} does not stop speaking."
                    )
                data = rest + data
                rest = data[len(data) & ~1 :]
                if len(data) > 1:
                    yield self._loud(data)
        if total < 2:
            raise CannotSpeakError(
                f"The speech service {self._service.where} has no sounds for {part[:60]!r}."
            )

    def _loud(self, pcm: bytes) -> bytes:
        # Pieces follow each other inside a word: no fades, and no work where nothing changes.
        if self._volume == 1.0:
            return pcm[: len(pcm) & ~1]
        return master(from_pcm(pcm), OUTPUT_RATE, OUTPUT_RATE, self._volume, fade=False)


def _wav(pcm: bytes) -> bytes:
    file = io.BytesIO()
    with wave.open(file, "wb") as out:
        out.setnchannels(1)
        out.setsampwidth(2)
        out.setframerate(INPUT_RATE)
        out.writeframes(pcm)
    return file.getvalue()
