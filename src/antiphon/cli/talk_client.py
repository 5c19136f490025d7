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


class TalkClient:
    """The client's side of one socket. `messages` ends when it is closed."""

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
        """Receive messages of the server; speech comes as its turn's number and PCM samples."""
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
async def connected(
    settings: Settings, registry: Registry, manner: Manner, *, local: bool
) -> AsyncIterator[TalkClient]:
    """An application with one client. `local`: the built-in model is loaded first.

    Raises StoreError, KeyFileError, and ProviderFault when the model cannot be loaded.
    """
    from antiphon.app import Application
    from antiphon.server.ws.sessions import VoiceLimits, VoiceSessions
    from antiphon.server.ws.socket_session import VoxSocket

    # The audit goes to the store; the file beside it belongs to the server, which adds it.
    application = Application(settings, registry, manner=manner, keys_required=False)
    async with application, application.maintained():
        sessions = VoiceSessions(application.orchestrator, VoiceLimits())
        if local:
            for api in ("local-voice", "local"):
                await application.backends.provider(api).probe(WARM_SECONDS)
        client = TalkClient()
        socket = VoxSocket(application, sessions, client.receive, client.send)
        async with asyncio.TaskGroup() as group:
            serving = group.create_task(socket.run(), name="socket")
            try:
                yield client
            finally:
                client.hang_up()
                await asyncio.wait([serving])
        sessions.close()
        for session in list(application.orchestrator.sessions.values()):
            await application.orchestrator.save(session)
