"""Live connections: the part of every streaming voice API that is the same, with its watchdog."""

from __future__ import annotations

import asyncio
from abc import abstractmethod
from collections.abc import AsyncIterator, Coroutine, Iterable
from contextlib import aclosing
from typing import Any

from antiphon._eager import resume
from antiphon.contracts.events import (
    Activity,
    CallAnswer,
    Event,
    Fault,
    Input,
    Prompt,
    Ready,
    SendAudio,
    Usage,
)
from antiphon.providers.faults import Vendor, fault
from antiphon.providers.heap import trim
from antiphon.providers.port import Capabilities, Connection, ProviderFault, Setup


class LiveConnection(Connection):
    """Connection over a streaming transport, with a watchdog: a model that owes an answer and says
    nothing until the deadline is a fault, not a hang."""

    def __init__(
        self, vendor: Vendor, setup: Setup, capabilities: Capabilities, ready: Ready
    ) -> None:
        self.vendor = vendor
        self.setup = setup
        self.capabilities = capabilities
        self._ready = ready
        self._asked: dict[str, str] = {}  # id and name of each call that waits for its answer
        self._read = False
        self._over: Fault | None = None  # why the line is dead, once it is
        self._closed = False
        self._watchdog: asyncio.TimerHandle | None = None
        self._loop = asyncio.get_running_loop()

    # -- what each API does its own way

    @abstractmethod
    def _messages(self) -> AsyncIterator[Any]:
        """Yield every message of the provider until the transport ends; raise what the SDK does."""

    @abstractmethod
    def _translate(self, message: Any) -> Iterable[Event]:
        """Return the events in one message, in the order that `Connection.events` promises."""

    @abstractmethod
    def _transmit(self, event: Input) -> Coroutine[Any, Any, None]:
        """Send one event; raise what the SDK does."""

    def _try_transmit_audio(self, pcm: bytes) -> bool:
        """Send a piece of speech synchronously; return False if that is not possible now, in which
        case nothing was sent."""
        del pcm
        return False

    @abstractmethod
    def _fault(self, error: Exception) -> Fault:
        """Return the fault that an exception of the SDK means."""

    @abstractmethod
    def _abort(self) -> None:
        """Cut the transport at once, waking whoever reads or writes it."""

    @abstractmethod
    async def _close_transport(self) -> None:
        """Close the transport with a closing handshake."""

    # -- the port

    async def events(self) -> AsyncIterator[Event]:
        if self._read:
            raise RuntimeError("a connection has one reader")
        self._read = True
        trim()
        if self.slices is not None:
            self.slices.watch(self._not_paid_for)
        try:
            yield self._ready
            try:
                async with aclosing(self._messages()) as messages:  # type: ignore[type-var]
                    async for message in messages:
                        self._cancel_watchdog()
                        for event in self._translate_safely(message):
                            if self.slices is not None and isinstance(event, Usage):
                                self.slices.count(event)
                            if isinstance(event, Fault) and event.fatal:
                                self._over = event
                                yield event
                                return
                            yield event
                what = fault(self.vendor, "closed", "the line ended without a word")
            except Exception as error:  # noqa: BLE001 - SDKs let through errors of every layer
                what = self._fault(error)
            if not self._closed:
                self._over = self._over or what
                yield self._over
        finally:
            self._cancel_watchdog()
            if self.slices is not None:
                self.slices.end()
            self._read = False

    def _translate_safely(self, message: Any) -> Iterable[Event]:
        try:
            yield from self._translate(message)
        except (AttributeError, KeyError, IndexError, TypeError, ValueError) as error:
            # A message that is not as agreed. What follows may well be.
            yield fault(
                self.vendor,
                "protocol",
                f"{type(error).__name__}: {error} in {message}",
                fatal=False,
            )

    async def send(self, event: Input) -> None:
        if self._over is not None:
            raise ProviderFault(self._over)
        if self._closed:
            raise ProviderFault(fault(self.vendor, "closed", "the connection was closed by us"))
        if isinstance(event, CallAnswer) and event.id not in self._asked:
            raise ProviderFault(
                fault(
                    self.vendor,
                    "bad_request",
                    f"no call {event.id!r} of {event.name} is waiting for an answer",
                    fatal=False,
                )
            )
        try:
            await self._transmit_in_time(event)
        except ProviderFault:
            raise
        except Exception as error:
            raise ProviderFault(self._over or self._fault(error)) from error
        if self._owes_answer(event):
            self._cancel_watchdog()
            wait = self.setup.deadlines.answer
            self._watchdog = self._loop.call_later(
                wait, self._time_out, f"said nothing for {wait:g} s"
            )

    def try_send_audio(self, pcm: bytes) -> bool:
        return self._over is None and not self._closed and self._try_transmit_audio(pcm)

    async def close(self) -> None:
        if self._closed:
            return
        self._closed = True
        self.audio_sink = None
        self._cancel_watchdog()
        if self.slices is not None:
            self.slices.end()
        try:
            async with asyncio.timeout(1.0):
                await self._close_transport()
        except TimeoutError:
            self._abort()
        finally:
            await self._notify_closed()

    @property
    def pending(self) -> frozenset[str]:
        return frozenset(self._asked)

    # -- inside

    async def _transmit_in_time(self, event: Input) -> None:
        work = self._transmit(event)
        try:
            # By hand: audio comes here fifty times a second, and the line nearly always takes it.
            yielded = work.send(None)
        except StopIteration:
            return
        patience = self.setup.deadlines.send
        timer = self._loop.call_later(patience, self._time_out, "did not take what it was sent")
        try:
            await resume(work, yielded)
        finally:
            timer.cancel()

    def _owes_answer(self, event: Input) -> bool:
        match event:
            case SendAudio():
                return False
            case Prompt(answer=answer):
                return answer
            case CallAnswer():
                return not self._asked
            case Activity(active=active):
                return not active
        return False  # whoever turns the microphone off may have said nothing

    def _cancel_watchdog(self) -> None:
        if self._watchdog is not None:
            self._watchdog.cancel()
            self._watchdog = None

    def _not_paid_for(self, why: Fault) -> None:
        why.fatal = True
        self._over = self._over or why
        self._abort()

    def _time_out(self, why: str) -> None:
        self._over = self._over or fault(self.vendor, "timeout", why)
        self._abort()
