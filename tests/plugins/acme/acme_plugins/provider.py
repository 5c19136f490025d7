"""A provider: a model that answers with the words it was told, in capitals."""

import asyncio
from collections.abc import AsyncIterator
from typing import Any

from antiphon.contracts import ToolCall
from antiphon.contracts.events import Event, Input, Prompt, Ready, Text, TurnEnded
from antiphon.providers import Capabilities, Connection, Provider, ProviderSpec, Setup


class AcmeConnection(Connection):
    capabilities = Capabilities()
    pending = frozenset[str]()

    def __init__(self) -> None:
        self._events: asyncio.Queue[Event | None] = asyncio.Queue()
        self._events.put_nowait(Ready())

    async def events(self) -> AsyncIterator[Event]:
        while (event := await self._events.get()) is not None:
            yield event

    async def send(self, event: Input) -> None:
        if isinstance(event, Prompt) and event.answer:
            self._events.put_nowait(Text(event.text.upper()))
            self._events.put_nowait(TurnEnded())

    async def close(self) -> None:
        self._events.put_nowait(None)
        await self._notify_closed()

    def receive_tool_calls(self, message: Any) -> list[ToolCall]:
        return []


class AcmeText(Provider):
    api = "acme"

    def capabilities(self, model: str) -> Capabilities:
        return Capabilities()

    async def connect(self, setup: Setup) -> Connection:
        return AcmeConnection()

    async def probe(self, seconds: float) -> None:
        return


ACME = ProviderSpec(
    "acme", "Acme", text=AcmeText, key_variable="ACME_API_KEY", model="acme-capitals-1"
)
