"""Resilient model connection: one conversation over many, with retry and resumption."""

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
    Audio,
    CallAnswer,
    Event,
    Fault,
    GoAway,
    Input,
    Prompt,
    Ready,
    Resumption,
    SendAudio,
    Text,
    ToolCalls,
    Transcript,
    TurnEnded,
)
from antiphon.providers.port import (
    AudioSink,
    Capabilities,
    Connection,
    Provider,
    ProviderFault,
    Setup,
)

logger = logging.getLogger(__name__)

# Faults after which another connection may well work.
_PASSING = frozenset({"overloaded", "rate_limited", "unreachable", "timeout", "closed", "protocol"})
# What the person says while there is no line waits this long, and is then let go, oldest first.
BUFFERED_AUDIO_BYTES = 2 * INPUT_RATE * 2
BUFFERED_INPUTS = 64
# So long a connection whose setup is outdated is kept while somebody speaks.
RENEWAL_SECONDS = 30.0
# A connection that held this long while nobody waited for an answer was a sound one.
STEADY_SECONDS = 10.0
# Of the connections between two complete turns so many times `attempts` may break in the middle of
# an answer. A model that says a word and hangs up would otherwise be asked for ever.
BREAKS_PER_ATTEMPT = 3


@dataclass(slots=True)
class Reconnecting:
    """Event: the connection broke, and another one is being opened."""


@dataclass(slots=True)
class Rejoined:
    """Event: another connection has taken over. `resumed`: the model remembers by itself."""

    resumed: bool


Change = Reconnecting | Rejoined


class ConnectionOwner(Protocol):
    """Owner of a resilient connection: it knows the conversation."""

    def setup(self, resume: str | None) -> Setup:
        """Return the setup of the next connection: with a resumption handle, or with the
        history."""

    def quiet(self) -> bool:
        """Tell whether nobody speaks and nothing is owed: a good moment to change connections."""

    def unfinished_note(self, resumed: bool) -> str | None:
        """Return what the model has to be told to go on where the last connection broke off."""


class Retries:
    """Retry policy of a conversation's connections.

    What counts is an answer, not a handshake: without one between them, `attempts` in a row are the
    most. A model that says nothing until the deadline costs two of them: a person has waited that
    long.
    """

    def __init__(self, attempts: int, backoff: float) -> None:
        self._attempts = attempts
        self._backoff = backoff
        self._failures = 0
        self._breaks = 0  # since a turn was completed

    def note_progress(self, event: Event) -> None:
        """Reset the counts by what the model did."""
        match event:
            case TurnEnded(reason) if reason != "failed":
                self._failures = self._breaks = 0
            case Audio() | Text() | ToolCalls() | Transcript(role="model"):
                self._failures = 0

    def reset(self) -> None:
        """Reset the counts: the connection was a sound one until now."""
        self._failures = self._breaks = 0

    def delay(self, fault: Fault) -> float | None:
        """Return the seconds until the next attempt; None if there is none after this fault."""
        self._failures += 2 if fault.kind == "timeout" else 1
        self._breaks += 1
        if self._failures > self._attempts or self._breaks > self._attempts * BREAKS_PER_ATTEMPT:
            return None
        wait = max(self._backoff * 2 ** (self._failures - 1), fault.retry_after or 0.0)
        return wait if wait <= 10 else None  # nobody waits that long in a conversation


class ResilientConnection:
    """Connection to a model that outlives its connections. `events` opens the first one and every
    further one; `send` buffers while there is none.

    A connection is changed at a quiet moment after the provider asked for it (go-away) or before it
    would end by itself; after a fault it is replaced, as often as `Retries` allows.
    """

    def __init__(
        self,
        provider: Callable[[], Provider],
        owner: ConnectionOwner,
        *,
        audio_sink: AudioSink | None = None,
        resume: str | None = None,
        attempts: int = 3,
        backoff: float = 0.25,
        margin: float = 2.0,
    ) -> None:
        self.handle = resume
        self.changes = 0
        self._provider = provider
        # The owner holds the line; were it held in turn, only the collector could let go of them.
        self._owner: ConnectionOwner = proxy(owner)
        self._audio_sink = audio_sink
        self._retries = Retries(attempts, backoff)
        self._margin = margin
        self._ready_at: float | None = None
        self._connection: Connection | None = None
        self._buffered: deque[Input] = deque()
        self._buffered_audio = 0
        self._leaving = False  # a change of connections is due at the next quiet moment
        self._timers: list[asyncio.TimerHandle] = []
        self._closing: asyncio.Task[None] | None = None
        self._closed = False

    @property
    def capabilities(self) -> Capabilities | None:
        """The capabilities of the connection of the moment; None while there is none."""
        return self._connection.capabilities if self._connection is not None else None

    @property
    def cancels_calls(self) -> bool:
        """Whether the model takes its calls back by itself."""
        return self.capabilities is not None and self.capabilities.cancellation

    async def events(self) -> AsyncIterator[Event | Change]:
        """Yield what the model does, over all connections. Ends after a fatal Fault or `close`."""
        joined, retries = False, self._retries
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
                            joined = True
                            if not isinstance(event, Reconnecting | Rejoined):
                                retries.note_progress(event)
                        yield event
            finally:
                meant = self._leaving
                await self._release()
            if self._closed:
                return
            lived = self._lived()
            if lived >= STEADY_SECONDS and self._owner.quiet():
                retries.reset()
            self.changes += 1
            if fault is None:
                if meant and lived >= 1.0:  # else it asks for another one all the time
                    continue
                fault = Fault("closed", "The model hung up.", "the events ended without a fault")
            logger.info("the line to the model broke: %s (%s)", fault.message, fault.detail)
            if resume is not None and fault.kind in ("bad_request", "not_found"):
                # The handle is too old, or was lost with a machine of theirs. We remember enough.
                self.handle = None
            elif fault.kind not in _PASSING:
                yield fault
                return
            wait = retries.delay(fault)
            if wait is None:
                yield fault
                return
            yield Reconnecting()
            await asyncio.sleep(wait)

    def _lived(self) -> float:
        """Return how long the connection was ready, in seconds."""
        since, self._ready_at = self._ready_at, None
        return 0.0 if since is None else asyncio.get_running_loop().time() - since

    async def _one(self, resume: str | None, joined: bool) -> AsyncIterator[Event | Change]:
        try:
            connection = await self._provider().connect(self._owner.setup(resume))
        except ProviderFault as failed:
            yield failed.fault
            return
        self._connection = connection
        connection.audio_sink = self._audio_sink
        async with aclosing(connection.events()) as events:  # type: ignore[type-var]
            async for event in events:
                match event:
                    case Ready(resumed=resumed):
                        self._ready_at = asyncio.get_running_loop().time()
                        self._watch_age(connection)
                        if joined:
                            yield Rejoined(resumed)
                            words = self._owner.unfinished_note(resumed)
                            # What the person said while there was no line is held already.
                            if words and Prompt(words) not in self._buffered:
                                self._buffered.appendleft(Prompt(words))
                        else:
                            yield event
                        if not await self._flush_buffer(connection):
                            continue
                    case Resumption(handle=handle):
                        self.handle = handle or self.handle
                    case GoAway(seconds=seconds):
                        self._schedule_change(seconds)
                    case _:
                        yield event
                if self._leaving and self._owner.quiet():
                    return

    async def send(self, event: Input) -> None:
        """Send an event, or buffer it for the next connection. Never raises."""
        connection = self._connection
        if connection is None or self._buffered:
            self._buffer(event)
            return
        try:
            await connection.send(event)
        except ProviderFault as failed:
            if failed.fault.fatal:
                self._buffer(event)
            else:
                logger.warning("the model did not take %s: %s", type(event).__name__, failed.fault)

    def try_send_audio(self, pcm: bytes) -> bool:
        """Send a piece of speech synchronously; return False if that is not possible now, in which
        case nothing was sent."""
        connection = self._connection
        return connection is not None and not self._buffered and connection.try_send_audio(pcm)

    async def send_answer(self, call: ToolCall, envelope: Envelope) -> None:
        """Send the answer to a call; in words, where this connection does not wait for it.

        While there is no connection nothing is done: the owner has an `unfinished_note`.
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
        """Close the connection of the moment, and drop what is buffered."""
        self._closed = True
        self._audio_sink = None
        self._buffered.clear()
        await self._release()

    # -- changing connections

    def _watch_age(self, connection: Connection) -> None:
        age = connection.capabilities.max_session
        if age is not None:
            loop = asyncio.get_running_loop()
            self._timers.append(loop.call_later(age * 0.9, self._schedule_change, age * 0.1))

    def _schedule_change(self, seconds: float) -> None:
        """Schedule a change of connections: at the next quiet moment, or at the last one."""
        if self._leaving:
            return
        self._leaving = True
        loop = asyncio.get_running_loop()
        if self._owner.quiet():
            self._close_current()
        else:
            last = max(0.0, seconds - self._margin)
            self._timers.append(loop.call_later(last, self._close_current))

    def renew(self) -> None:
        """Go over to a connection that is set up anew and remembers nothing by itself, as soon as
        nobody speaks and nothing is owed."""
        self.handle = None
        if self._connection is not None:
            self._schedule_change(RENEWAL_SECONDS)

    def change_if_quiet(self) -> None:
        """Change connections if that is due and the moment is quiet."""
        if self._leaving and self._owner.quiet():
            self._close_current()

    def _close_current(self) -> None:
        connection = self._connection
        if connection is not None and self._closing is None:
            self._connection = None
            self._closing = asyncio.create_task(connection.close(), name="change of lines")

    async def _release(self) -> None:
        for timer in self._timers:
            timer.cancel()
        self._timers.clear()
        self._leaving = False
        connection, self._connection = self._connection, None
        closing, self._closing = self._closing, None
        if closing is not None:
            await closing
        if connection is not None:
            await connection.close()

    # -- while there is no line

    def _buffer(self, event: Input) -> None:
        self._buffered.append(event)
        if isinstance(event, SendAudio):
            self._buffered_audio += len(event.data)
        while (
            self._buffered_audio > BUFFERED_AUDIO_BYTES or len(self._buffered) > BUFFERED_INPUTS * 4
        ):
            for at, held in enumerate(self._buffered):
                if isinstance(held, SendAudio):
                    self._buffered_audio -= len(held.data)
                    del self._buffered[at]
                    break
            else:
                self._buffered.popleft()

    async def _flush_buffer(self, connection: Connection) -> bool:
        """Send what was buffered, in order; return False if the connection broke meanwhile."""
        while self._buffered:
            event = self._buffered[0]
            try:
                await connection.send(event)
            except ProviderFault as failed:
                if failed.fault.fatal:
                    return False
                logger.warning("the model did not take %s: %s", type(event).__name__, failed.fault)
            if self._buffered and self._buffered[0] is event:
                self._buffered.popleft()
                if isinstance(event, SendAudio):
                    self._buffered_audio -= len(event.data)
        return True
