"""A model that does what a test says, behind the same port as the real ones."""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import AsyncIterator
from typing import Any, TypeVar, cast

from antiphon.contracts import ToolCall
from antiphon.contracts.events import (
    CallAnswer,
    Event,
    Fault,
    Input,
    Ready,
    SendAudio,
    ToolCalls,
    ToolCallsCancelled,
)
from antiphon.providers.port import Access, Capabilities, Connection, Provider, ProviderFault, Setup

T = TypeVar("T")

EVERYTHING = Capabilities(
    audio=True,
    transcripts=True,
    cancellation=True,
    hears_interruption=True,
    truncation=True,
    resumption=True,
    go_away=True,
)


class ScriptedModel(Provider):
    """Every `connect` makes a `ScriptedConnection`; `refusals` are faults for the next ones."""

    api = "local"

    def __init__(self, capabilities: Capabilities = EVERYTHING) -> None:
        super().__init__(Access())
        self.connections: list[ScriptedConnection] = []
        self.refusals: deque[Fault] = deque()
        self._capabilities = capabilities
        self._made = asyncio.Condition()

    def capabilities(self, model: str) -> Capabilities:
        del model
        return self._capabilities

    async def connect(self, setup: Setup) -> ScriptedConnection:
        if self.refusals:
            raise ProviderFault(self.refusals.popleft())
        connection = ScriptedConnection(setup, self._capabilities)
        async with self._made:
            self.connections.append(connection)
            self._made.notify_all()
        return connection

    async def probe(self, seconds: float) -> None:
        del seconds
        if self.refusals:
            raise ProviderFault(self.refusals.popleft())

    async def connection(self, number: int = 0, seconds: float = 30.0) -> ScriptedConnection:
        """The connection with that number, once it is there. Raises TimeoutError."""
        async with asyncio.timeout(seconds), self._made:
            await self._made.wait_for(lambda: len(self.connections) > number)
        return self.connections[number]


class ScriptedConnection(Connection):
    """`play` makes the model do things; `sent` has what it was told, audio apart in `audio`."""

    def __init__(self, setup: Setup, capabilities: Capabilities) -> None:
        self.setup = setup
        self.capabilities = capabilities
        self.sent: list[Input] = []
        self.audio = b""
        self.closed = False
        self._asked: set[str] = set()
        self._events: asyncio.Queue[Event | None] = asyncio.Queue()
        self._events.put_nowait(Ready(resumed=setup.resume is not None))
        self._news = asyncio.Condition()
        self._looked = 0

    # -- for the test

    def play(self, *events: Event) -> None:
        for event in events:
            self._events.put_nowait(event)

    async def told(self, kind: type[T], seconds: float = 60.0) -> T:
        """The next thing of this kind that the model is told. Raises TimeoutError."""

        def found() -> bool:
            while self._looked < len(self.sent):
                if isinstance(self.sent[self._looked], kind):
                    return True
                self._looked += 1
            return False

        async with asyncio.timeout(seconds), self._news:
            await self._news.wait_for(found)
            event = cast(T, self.sent[self._looked])
            self._looked += 1
        return event

    # -- the port

    async def events(self) -> AsyncIterator[Event]:
        while (event := await self._events.get()) is not None:
            match event:
                case ToolCalls(calls):
                    self._asked.update(c.id for c in calls if c.id)
                case ToolCallsCancelled(ids):
                    self._asked.difference_update(ids)
            yield event
            if isinstance(event, Fault) and event.fatal:
                self.closed = True
                return

    async def send(self, event: Input) -> None:
        if self.closed:
            raise ProviderFault(Fault("closed", "The model has hung up."))
        if isinstance(event, SendAudio):
            self.audio += event.data
            return
        if isinstance(event, CallAnswer):
            self._asked.discard(event.id or "")
        async with self._news:
            self.sent.append(event)
            self._news.notify_all()

    async def close(self) -> None:
        if not self.closed:
            self.closed = True
            self._events.put_nowait(None)

    def receive_tool_calls(self, message: Any) -> list[ToolCall]:
        return list(message.calls) if isinstance(message, ToolCalls) else []

    @property
    def pending(self) -> frozenset[str]:
        return frozenset(self._asked)
