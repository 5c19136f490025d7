"""Gemini Live transport: the WebSocket that the SDK opens for us, with raw audio messages."""

from __future__ import annotations

from contextvars import ContextVar
from typing import Any

import orjson
from pybase64 import b64decode, b64encode
from websockets.exceptions import ConnectionClosed
from websockets.typing import Data

from antiphon.contracts.events import INPUT_RATE
from antiphon.providers.socket import Socket

# Where a line puts itself when it is opened: the SDK shows nobody its connection.
opened: ContextVar[list[GeminiTransport] | None] = ContextVar("opened", default=None)

# What the SDK writes around the samples, which are base64 of the URL-safe kind.
_HEAD = b'{"realtime_input": {"audio": {"data": "'
_TAIL = b'", "mime_type": "audio/pcm;rate=%d"}}}' % INPUT_RATE
_TURN = frozenset(("role", "parts"))
_URL_SAFE = bytes.maketrans(b"+/", b"-_")


class GeminiTransport(Socket):
    """Keeps the message that is being read.

    The SDK raises for messages that it cannot make sense of, without telling what they were.
    Speech does not go by way of the SDK, whose objects cost more than all the rest of a
    conversation: `speak` writes it, `heard` reads it.

    Nor does its end: the SDK holds on to everything that a session was set up with until it has
    left the `async with` that opened it. A line that is `kept` outlives that, and is closed by
    `hang_up`.
    """

    kept = False

    def __init__(self, *args: Any, **options: Any) -> None:
        super().__init__(*args, **options)
        self.message: Data | None = None  # the one that was read last; None: none came
        self._kept: Data | None = None  # one that was looked at, and is for the SDK
        lines = opened.get()
        if lines is not None:
            lines.append(self)

    async def close(self, code: int = 1000, reason: str = "") -> None:
        if not self.kept:
            await super().close(code, reason)

    async def hang_up(self) -> None:
        await super().close()

    async def recv(self, decode: bool | None = None) -> Data:  # type: ignore[override]
        self.message, self._kept = self._kept, None
        if self.message is None:
            self.message = await super().recv(decode)
        return self.message

    async def heard(self) -> bytes | None:
        """The samples in the next message, when it is a piece of speech and nothing else.

        None: it is something else, or there is none any more; `recv` tells.
        """
        if self._kept is not None:
            return None
        try:
            raw = await super().recv(False)
        except ConnectionClosed:
            return None
        samples = speech(raw)
        if samples is None:
            self._kept = raw
        return samples

    async def speak(self, pcm: bytes) -> None:
        await self.send_text(_spoken(pcm))

    def speak_at_once(self, pcm: bytes) -> bool:
        """The same within this call. False: it cannot be done now."""
        if not self.free:
            return False
        self.write_text(_spoken(pcm))
        return True


def _spoken(pcm: bytes) -> bytes:
    return b"".join((_HEAD, b64encode(pcm).translate(_URL_SAFE), _TAIL))


def speech(raw: Data) -> bytes | None:
    """The samples in a message that has one piece of speech, and not a single field beside it."""
    try:
        body = orjson.loads(raw)
        content = body["serverContent"]
        turn = content["modelTurn"]
        (part,) = turn["parts"]
        blob = part["inlineData"]
        alone = len(body) == len(content) == len(part) == 1 and turn.keys() <= _TURN
        if not alone or not blob["mimeType"].startswith("audio/pcm"):
            return None
        return b64decode(blob["data"], validate=True) or None
    except (AttributeError, KeyError, TypeError, ValueError):
        return None  # whatever it is, it is for the SDK to make sense of
