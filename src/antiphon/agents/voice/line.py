"""One conversation with a model over as many connections as it takes, none of them noticed."""

from __future__ import annotations

import asyncio
import logging
from collections import deque
from collections.abc import AsyncIterator, Callable
from contextlib import aclosing
from dataclasses import dataclass
from typing import Protocol
from weakref import proxy

from antiphon.agents.notes import results_note
from antiphon.contracts import Envelope, ToolCall
from antiphon.contracts.events import (
    INPUT_RATE,
    CallAnswer,
    Event,
    Fault,
    GoAway,
    Input,
    Prompt,
    Ready,
    Resumption,
    SendAudio,
)
from antiphon.providers.port import (
    Capabilities,
    Connection,
    Provider,
    ProviderFault,
    Setup,
    Speech,
)

logger = logging.getLogger(__name__)

# Faults after which another connection may well work.
_PASSING = frozenset({"overloaded", "rate_limited", "unreachable", "timeout", "closed", "protocol"})
# What the person says while there is no line waits this long, and is then let go, oldest first.
HELD_AUDIO_BYTES = 2 * INPUT_RATE * 2
HELD_INPUTS = 64


@dataclass(slots=True)
class Rejoined:
    """Another connection has taken over. `resumed`: the model remembers by itself."""

    resumed: bool


class Memory(Protocol):
    """What the line asks its owner."""

    def setup(self, resume: str | None) -> Setup:
        """For the next connection: with a handle, or with what was said so far."""

    def quiet(self) -> bool:
        """Nobody speaks and nothing is owed: a good moment to change connections."""

    def unfinished(self, resumed: bool) -> str | None:
        """What the model has to be told to go on where the last connection broke off."""


class Line:
    """`events` opens the first connection and every further one; `send` holds while there is none.

    A connection is changed at a quiet moment after the provider asked for it (go-away) or before
    it would end by itself; after a fault it is replaced, `attempts` times in a row at most.
    """

    def __init__(
        self,
        provider: Callable[[], Provider],
        memory: Memory,
        *,
        speech: Speech | None = None,
        resume: str | None = None,
        attempts: int = 3,
        backoff: float = 0.25,
        margin: float = 2.0,
    ) -> None:
        self.handle = resume
        self.changes = 0
        self._provider = provider
        # The owner holds the line; were it held in turn, only the collector could let go of them.
        self._memory: Memory = proxy(memory)
        self._speech = speech
        self._attempts = attempts
        self._backoff = backoff
        self._margin = margin
        self._connection: Connection | None = None
        self._held: deque[Input] = deque()
        self._held_audio = 0
        self._leaving = False  # a change of connections is due at the next quiet moment
        self._timers: list[asyncio.TimerHandle] = []
        self._hanging_up: asyncio.Task[None] | None = None
        self._closed = False

    @property
    def capabilities(self) -> Capabilities | None:
        return self._connection.capabilities if self._connection is not None else None

    async def events(self) -> AsyncIterator[Event | Rejoined]:
        """What the model does, over all connections. Ends after a fatal Fault or `close`."""
        failures, joined = 0, False
        while True:
            resume = self.handle
            fault: Fault | None = None
            try:
                async with aclosing(self._one(resume, joined)) as events:  # type: ignore[type-var]
                    async for event in events:
                        if isinstance(event, Fault):
                            if event.fatal:
                                fault = event
                                break
                        else:
                            joined, failures = True, 0
                        yield event
            finally:
                meant = self._leaving
                await self._let_go()
            if self._closed:
                return
            self.changes += 1
            if fault is None:
                if meant:
                    continue
                fault = Fault("closed", "The model hung up.", "the events ended without a fault")
            logger.info("the line to the model broke: %s (%s)", fault.message, fault.detail)
            if resume is not None and fault.kind in ("bad_request", "not_found"):
                # The handle is too old, or was lost with a machine of theirs. We remember enough.
                self.handle = None
            elif fault.kind not in _PASSING:
                yield fault
                return
            failures += 1
            if failures > self._attempts:
                yield fault
                return
            wait = self._backoff * 2 ** (failures - 1)
            if fault.retry_after is not None:
                wait = max(wait, fault.retry_after)
            if wait > 10:  # nobody waits that long in a conversation
                yield fault
                return
            await asyncio.sleep(wait)

    async def _one(self, resume: str | None, joined: bool) -> AsyncIterator[Event | Rejoined]:
        try:
            connection = await self._provider().connect(self._memory.setup(resume))
        except ProviderFault as failed:
            yield failed.fault
            return
        self._connection = connection
        connection.speech = self._speech
        async with aclosing(connection.events()) as events:  # type: ignore[type-var]
            async for event in events:
                match event:
                    case Ready(resumed=resumed):
                        self._watch_age(connection)
                        if joined:
                            yield Rejoined(resumed)
                            words = self._memory.unfinished(resumed)
                            # What the person said while there was no line is held already.
                            if words and Prompt(words) not in self._held:
                                self._held.appendleft(Prompt(words))
                        else:
                            yield event
                        if not await self._catch_up(connection):
                            continue
                    case Resumption(handle=handle):
                        self.handle = handle or self.handle
                    case GoAway(seconds=seconds):
                        self._leave_within(seconds)
                    case _:
                        yield event
                if self._leaving and self._memory.quiet():
                    return

    async def send(self, event: Input) -> None:
        """Never raises: what cannot be sent now waits for the next connection."""
        connection = self._connection
        if connection is None or self._held:
            self._hold(event)
            return
        try:
            await connection.send(event)
        except ProviderFault as failed:
            if failed.fault.fatal:
                self._hold(event)
            else:
                logger.warning("the model did not take %s: %s", type(event).__name__, failed.fault)

    def hear(self, pcm: bytes) -> bool:
        """Speech, sent within this call. False: it cannot be, and nothing was done."""
        connection = self._connection
        return connection is not None and not self._held and connection.hear(pcm)

    async def answer(self, call: ToolCall, envelope: Envelope) -> None:
        """The answer to a call; in words, where this connection does not wait for it.

        While there is no connection nothing is done: the owner tells what is `unfinished`.
        """
        connection = self._connection
        if connection is None:
            return
        waits = call.id in connection.pending
        event = (
            CallAnswer(call.id, call.name, envelope)
            if waits
            else Prompt(results_note([(call, envelope)]))
        )
        try:
            await connection.send(event)
        except ProviderFault as failed:
            logger.info("an answer will be given on the next connection: %s", failed.fault)

    async def close(self) -> None:
        self._closed = True
        self._speech = None
        self._held.clear()
        await self._let_go()

    # -- changing connections

    def _watch_age(self, connection: Connection) -> None:
        age = connection.capabilities.max_session
        if age is not None:
            loop = asyncio.get_running_loop()
            self._timers.append(loop.call_later(age * 0.9, self._leave_within, age * 0.1))

    def _leave_within(self, seconds: float) -> None:
        """At the next quiet moment, and at the last one if none comes before."""
        if self._leaving:
            return
        self._leaving = True
        loop = asyncio.get_running_loop()
        if self._memory.quiet():
            self._hang_up()
        else:
            last = max(0.0, seconds - self._margin)
            self._timers.append(loop.call_later(last, self._hang_up))

    def settled(self) -> None:
        """The owner says that the moment is quiet now."""
        if self._leaving and self._memory.quiet():
            self._hang_up()

    def _hang_up(self) -> None:
        connection = self._connection
        if connection is not None and self._hanging_up is None:
            self._connection = None
            self._hanging_up = asyncio.create_task(connection.close(), name="change of lines")

    async def _let_go(self) -> None:
        for timer in self._timers:
            timer.cancel()
        self._timers.clear()
        self._leaving = False
        connection, self._connection = self._connection, None
        hanging_up, self._hanging_up = self._hanging_up, None
        if hanging_up is not None:
            await hanging_up
        if connection is not None:
            await connection.close()

    # -- while there is no line

    def _hold(self, event: Input) -> None:
        self._held.append(event)
        if isinstance(event, SendAudio):
            self._held_audio += len(event.data)
        while self._held_audio > HELD_AUDIO_BYTES or len(self._held) > HELD_INPUTS * 4:
            for at, held in enumerate(self._held):
                if isinstance(held, SendAudio):
                    self._held_audio -= len(held.data)
                    del self._held[at]
                    break
            else:
                self._held.popleft()

    async def _catch_up(self, connection: Connection) -> bool:
        """Send what waited, in order. False when the line broke again meanwhile."""
        while self._held:
            event = self._held[0]
            try:
                await connection.send(event)
            except ProviderFault as failed:
                if failed.fault.fatal:
                    return False
                logger.warning("the model did not take %s: %s", type(event).__name__, failed.fault)
            if self._held and self._held[0] is event:
                self._held.popleft()
                if isinstance(event, SendAudio):
                    self._held_audio -= len(event.data)
        return True
