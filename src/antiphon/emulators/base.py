"""Emulator base class: an address, a script that is played, and a record of all traffic."""

from __future__ import annotations

import asyncio
import math
import struct
import wave
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator, Sequence
from functools import lru_cache
from pathlib import Path
from typing import Any, TypeVar

from antiphon.emulators.requests import RequestRefusal
from antiphon.emulators.script import Beat, Script, ScriptError, ScriptPlayback
from antiphon.emulators.wire import (
    HttpReply,
    HttpRequest,
    LoopbackServer,
    WebSocketUpgrade,
    WireEvent,
)

KEY = "test-key"
RATE = 24_000
CHUNK_MS = 40
_MS_PER_CHARACTER = 15
# Where each vendor's SDK looks for its key and its address.
_VARIABLES = {
    "gemini": ("GEMINI_API_KEY", "GOOGLE_GEMINI_BASE_URL"),
    "openai": ("OPENAI_API_KEY", "OPENAI_BASE_URL"),
    "anthropic": ("ANTHROPIC_API_KEY", "ANTHROPIC_BASE_URL"),
}

_State = TypeVar("_State")


class Emulator(ABC):
    """An emulated provider on loopback: start, point the provider's own SDK at it, stop, `check`.

    `received` has every message of every client in order, as data; `problems` of `playback` what a
    real service would have refused or the script did not foresee.
    """

    api: str
    usual_models: Sequence[str] = ()
    needs_tls = False  # the SDK takes nothing else

    def __init__(
        self,
        script: Script | None = None,
        *,
        key: str | None = KEY,
        host: str = "127.0.0.1",
        port: int = 0,
        tls: bool | None = None,
        folder: Path | None = None,
        watch: Callable[[WireEvent], None] | None = None,
    ) -> None:
        """`key` is the only key that is accepted; None takes any. `folder` keeps the test CA.

        `watch` is called with every event of the traffic.
        """
        self.playback = ScriptPlayback(script or Script())
        self._models = _listed_models(self.playback.script)
        self._states: dict[type, Any] = {}
        self.key = key
        self.received: list[Any] = []
        self.ca_file: Path | None = None
        self._host = host
        self._port = port
        self._tls = self.needs_tls if tls is None else tls
        self._folder = folder
        self._watch = watch
        self._server: LoopbackServer | None = None
        self._temporary: Any = None

    # -- what each provider does its own way

    @abstractmethod
    async def handle(self, request: HttpRequest, reply: HttpReply) -> None:
        """Answer one HTTP request. Raises RequestRefusal for what the service does not take."""

    @abstractmethod
    async def websocket(self, request: HttpRequest, upgrade: WebSocketUpgrade) -> None:
        """Accept or refuse one WebSocket, and serve it until it ends."""

    # -- what all of them share

    async def http(self, request: HttpRequest, reply: HttpReply) -> None:
        """Answer one HTTP request as the script says, or refuse it as the service would."""
        try:
            await self.handle(request, reply)
        except RequestRefusal as refusal:
            if refusal.mistake:
                self.playback.report_problem(f"{request.method} {request.path}: {refusal}")
            await reply.respond(refusal.status, refusal.body, refusal.headers)

    def state(self, kind: type[_State]) -> _State:
        """State of the service over all clients: one object of each kind, made on first use."""
        found: _State = self._states.setdefault(kind, kind())
        return found

    @property
    def models(self) -> Sequence[str]:
        """The names of models that the service lists: those of the script, or the usual ones."""
        return self.usual_models if self._models is None else self._models

    def has_model(self, name: str) -> bool:
        """Whether a request may name this model; any may be without `models` in the script."""
        return self._models is None or name in self._models

    # -- its life

    async def start(self) -> None:
        """Listen, with TLS where the provider's SDK needs it."""
        context = None
        if self._tls:
            import tempfile

            from antiphon.emulators.wire.tls import TestAuthority

            if self._folder is None:
                self._temporary = tempfile.TemporaryDirectory(prefix="antiphon-emulator-")
                self._folder = Path(self._temporary.name)
            authority = await asyncio.to_thread(TestAuthority.saved, self._folder)
            self.ca_file = self._folder / "ca.pem"
            context = authority.server_context()
        self._server = LoopbackServer(
            self.http,
            self.websocket,
            host=self._host,
            port=self._port,
            tls=context,
            watch=self._watch,
        )
        await self._server.start()

    async def stop(self) -> None:
        """Close every connection; failures of the emulator itself become problems."""
        if self._server is not None:
            await self._server.stop()
            for error in self._server.failures:
                self.playback.report_problem(f"the emulator itself failed: {error!r}")
            self._server = None
        if self._temporary is not None:
            self._temporary.cleanup()
            self._temporary = None

    async def __aenter__(self) -> Emulator:
        await self.start()
        return self

    async def __aexit__(self, *error: object) -> None:
        await self.stop()

    @property
    def url(self) -> str:
        """Scheme, host and port."""
        assert self._server is not None, "not started"
        return self._server.url

    @property
    def base_url(self) -> str:
        """The address that the provider's SDK, and `providers.….base_url`, take."""
        return self.url

    @property
    def environment(self) -> dict[str, str]:
        """The environment variables by which the vendor's SDK, and Antiphon, find it."""
        key_name, url_name = _VARIABLES[self.api]
        variables = {key_name: self.key or "any", url_name: self.base_url}
        return (
            variables if self.ca_file is None else {**variables, "SSL_CERT_FILE": str(self.ca_file)}
        )

    def check(self) -> None:
        """Raises AssertionError unless everything went as the script says."""
        self.playback.check()


def _listed_models(script: Script) -> list[str] | None:
    found = script.options.get("models")
    if found is None:
        return None
    if not isinstance(found, list) or not found or not all(isinstance(n, str) for n in found):
        raise ScriptError(f"options: models: must be a list of names, not {found!r}")
    return found


def speech(beat: Beat) -> bytes:
    """The PCM16 mono audio at 24 kHz of a `say` or `audio` beat. Raises ScriptError."""
    if wav := beat.options.get("wav"):
        return read_wav(Path(wav))
    if beat.kind == "audio":
        ms = int(beat.value)
    else:
        ms = int(beat.options.get("ms", max(100, _MS_PER_CHARACTER * len(beat.value))))
    return tone(ms)


@lru_cache(maxsize=32)
def tone(ms: int, rate: int = RATE) -> bytes:
    """A quiet 440 Hz tone as PCM16: audible, and comparable byte by byte."""
    samples = ms * rate // 1000
    step = 2 * math.pi * 440 / rate
    return struct.pack(f"<{samples}h", *(int(6000 * math.sin(step * n)) for n in range(samples)))


def read_wav(path: Path) -> bytes:
    """The frames of a mono 16-bit WAV file at 24 kHz. Raises ScriptError for any other."""
    try:
        with wave.open(str(path)) as file:
            shape = (file.getnchannels(), file.getsampwidth(), file.getframerate())
            if shape != (1, 2, RATE):
                raise ScriptError(f"{path}: must be mono, 16 bit, {RATE} Hz; it is {shape}")
            frames: bytes = file.readframes(file.getnframes())
            return frames
    except (OSError, wave.Error, EOFError, RuntimeError) as error:
        # The library meets a chunk that is cut off with a RuntimeError of no words.
        raise ScriptError(f"{path} cannot be read as WAV: {error or 'it is cut off'}") from None


def chunks(audio: bytes, ms: int = CHUNK_MS, rate: int = RATE) -> Iterator[bytes]:
    """Audio in chunks of `ms` milliseconds."""
    size = 2 * (rate * ms // 1000)
    for start in range(0, len(audio), size):
        yield audio[start : start + size]


def pieces(text: str) -> Iterator[str]:
    """A text in pieces that end where its words do, as models stream it."""
    start = 0
    for at, character in enumerate(text):
        if character == " " and at > start:
            yield text[start:at]
            start = at
    if start < len(text):
        yield text[start:]
