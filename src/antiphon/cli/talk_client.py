"""In-process client of `/ws/vox`: a socket session without a port."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from antiphon.config import Settings
    from antiphon.providers.local.speech_port import Manner
    from antiphon.registry import Registry

WARM_SECONDS = 60.0


class TalkLine:
    """One socket, from the client's side. `messages` ends when it is closed."""

    def __init__(self) -> None:
        self._to_server: asyncio.Queue[dict[str, Any]] = asyncio.Queue()
        self._from_server: asyncio.Queue[dict[str, Any]] = asyncio.Queue()
        self._to_server.put_nowait({"type": "websocket.connect"})

    def say(self, type: str, **fields: Any) -> None:
        body = json.dumps({"type": type, **fields})
        self._to_server.put_nowait({"type": "websocket.receive", "text": body})

    def audio(self, pcm: bytes) -> None:
        self._to_server.put_nowait({"type": "websocket.receive", "bytes": pcm})

    @property
    def waiting(self) -> int:
        """Messages that the server has not taken yet."""
        return self._to_server.qsize()

    def hang_up(self) -> None:
        self._to_server.put_nowait({"type": "websocket.disconnect", "code": 1000})

    async def messages(self) -> AsyncIterator[dict[str, Any] | tuple[int, bytes]]:
        """What the server says; speech as the turn that it belongs to, and samples."""
        while (event := await self._from_server.get())["type"] != "websocket.close":
            if event.get("bytes") is not None:
                head, pcm = event["bytes"][:4], event["bytes"][4:]
                yield int.from_bytes(head, "little"), pcm
            elif event.get("text") is not None:
                yield json.loads(event["text"])
        self.hang_up()

    # -- the server's side

    async def receive(self) -> dict[str, Any]:
        return await self._to_server.get()

    async def send(self, event: Any) -> None:
        self._from_server.put_nowait(event)


@asynccontextmanager
async def talk_line(
    settings: Settings, registry: Registry, manner: Manner, *, local: bool
) -> AsyncIterator[TalkLine]:
    """The application with one client. `local`: the built-in model is loaded first.

    Raises StoreError, KeyFileError, and ProviderFault when it cannot be loaded.
    """
    from antiphon.server import create_app
    from antiphon.server.ws.socket_session import VoxSocket
    from antiphon.storage import Store

    # The audit goes to the store; the file beside it belongs to the server, which adds it.
    store = await asyncio.to_thread(Store.open, settings.store.url or "sqlite://")
    app = create_app(registry, settings, store)
    app.state.voice_manner = manner
    async with app.router.lifespan_context(app):
        if local:
            for api in ("local-voice", "local"):
                await app.state.backends.provider(api).probe(WARM_SECONDS)
        line = TalkLine()
        socket = VoxSocket(app.state, line.receive, line.send)
        async with asyncio.TaskGroup() as group:
            serving = group.create_task(socket.run(), name="socket")
            try:
                yield line
            finally:
                line.hang_up()
                await asyncio.wait([serving])
