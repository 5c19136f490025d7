"""Gemini Live transport: the WebSocket that the SDK opens for us, with raw audio messages."""

from __future__ import annotations

from contextvars import ContextVar
from typing import Any

import orjson
from pybase64 import b64decode, b64encode
from websockets.exceptions import ConnectionClosed
from websockets.typing import Data

from antiphon.contracts.events import INPUT_RATE
from antiphon.fastpath.client import FastClientConnection

# Where a transport registers when it is opened: the SDK shows nobody its connection.
opened: ContextVar[list[GeminiTransport] | None] = ContextVar("opened", default=None)

# What the SDK writes around the samples, which are base64 of the URL-safe kind.
_HEAD = b'{"realtime_input": {"audio": {"data": "'
_TAIL = b'", "mime_type": "audio/pcm;rate=%d"}}}' % INPUT_RATE
_TURN = frozenset(("role", "parts"))
_URL_SAFE = bytes.maketrans(b"+/", b"-_")


class GeminiTransport(FastClientConnection):
    """WebSocket of one Live session, with a way for audio past the SDK.

    The SDK raises for messages that it cannot make sense of, without telling what they were, so
    `message` keeps the last one. Its objects cost more than all the rest of a conversation, so
    audio is sent by `send_audio` and `try_send_audio` and read by `receive_audio`.

    The SDK holds on to everything that a session was set up with until it has left the
    `async with` that opened it. A transport that is `kept` outlives that, and is closed by
    `hang_up`.
    """

    kept = False

    def __init__(self, *args: Any, **options: Any) -> None:
        super().__init__(*args, **options)
        self.message: Data | None = None  # the one that was read last; None: none came
        self._kept: Data | None = None  # one that was looked at, and is for the SDK
        transports = opened.get()
        if transports is not None:
            transports.append(self)

    async def close(self, code: int = 1000, reason: str = "") -> None:
        if not self.kept:
            await super().close(code, reason)

    async def hang_up(self) -> None:
        """Close the connection, though it is `kept`."""
        await super().close()

    async def recv(self, decode: bool | None = None) -> Data:  # type: ignore[override]
        self.message, self._kept = self._kept, None
        if self.message is None:
            self.message = await super().recv(decode)
        return self.message

    async def receive_audio(self) -> bytes | None:
        """Return the samples of the next message if it is a piece of speech and nothing else.

        None: it is another message, or the connection has ended; `recv` tells.
        """
        if self._kept is not None:
            return None
        try:
            raw = await super().recv(False)
        except ConnectionClosed:
            return None
        samples = decode_audio(raw)
        if samples is None:
            self._kept = raw
        return samples

    async def send_audio(self, pcm: bytes) -> None:
        """Send a piece of speech, waiting while the write buffer is full."""
        await self.send_text(_audio_message(pcm))

    def try_send_audio(self, pcm: bytes) -> bool:
        """Send a piece of speech synchronously; return False if the socket is not writable, in
        which case nothing was sent."""
        return self.try_send(_audio_message(pcm))


def _audio_message(pcm: bytes) -> bytes:
    return b"".join((_HEAD, b64encode(pcm).translate(_URL_SAFE), _TAIL))


def decode_audio(raw: Data) -> bytes | None:
    """Return the samples of a message that has one piece of speech and no other field, or None."""
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
