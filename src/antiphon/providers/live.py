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
)
from antiphon.providers.faults import Vendor, fault
from antiphon.providers.heap import trim
from antiphon.providers.port import Capabilities, Connection, ProviderFault, Setup


class LiveConnection(Connection):
    """Watches the line: a model that owes an answer and says nothing is a fault, not a hang."""

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
        self._watch: asyncio.TimerHandle | None = None
        self._loop = asyncio.get_running_loop()

    # -- what each API does its own way

    @abstractmethod
    def _messages(self) -> AsyncIterator[Any]:
        """Every message of the provider until the line ends; raises what the SDK does."""

    @abstractmethod
    def _translate(self, message: Any) -> Iterable[Event]:
        """The events in one message, in the order that `Connection.events` promises."""

    @abstractmethod
    def _transmit(self, event: Input) -> Coroutine[Any, Any, None]:
        """Send it; raises what the SDK does."""

    def _speak(self, pcm: bytes) -> bool:
        """Send speech within this call. False: it cannot be done, and nothing was."""
        del pcm
        return False

    @abstractmethod
    def _fault(self, error: Exception) -> Fault:
        """What an exception of the SDK means."""

    @abstractmethod
    def _abort(self) -> None:
        """Break the line at once, so that whoever reads or writes it is woken."""

    @abstractmethod
    async def _hang_up(self) -> None:
        """Close the line politely."""

    # -- the port

    async def events(self) -> AsyncIterator[Event]:
        if self._read:
            raise RuntimeError("a connection has one reader")
        self._read = True
        trim()
        try:
            yield self._ready
            try:
                async with aclosing(self._messages()) as messages:  # type: ignore[type-var]
                    async for message in messages:
                        self._heard()
                        for event in self._understood(message):
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
            self._heard()
            self._read = False

    def _understood(self, message: Any) -> Iterable[Event]:
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
            await self._in_time(event)
        except ProviderFault:
            raise
        except Exception as error:
            raise ProviderFault(self._over or self._fault(error)) from error
        if self._owes_answer(event):
            self._heard()
            wait = self.setup.deadlines.answer
            self._watch = self._loop.call_later(wait, self._give_up, f"said nothing for {wait:g} s")

    def hear(self, pcm: bytes) -> bool:
        return self._over is None and not self._closed and self._speak(pcm)

    async def close(self) -> None:
        if self._closed:
            return
        self._closed = True
        self.speech = None
        self._heard()
        try:
            async with asyncio.timeout(1.0):
                await self._hang_up()
        except TimeoutError:
            self._abort()
        finally:
            await self._released()

    @property
    def pending(self) -> frozenset[str]:
        return frozenset(self._asked)

    # -- inside

    async def _in_time(self, event: Input) -> None:
        work = self._transmit(event)
        try:
            # By hand: audio comes here fifty times a second, and the line nearly always takes it.
            yielded = work.send(None)
        except StopIteration:
            return
        patience = self.setup.deadlines.send
        timer = self._loop.call_later(patience, self._give_up, "did not take what it was sent")
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

    def _heard(self) -> None:
        if self._watch is not None:
            self._watch.cancel()
            self._watch = None

    def _give_up(self, why: str) -> None:
        self._over = self._over or fault(self.vendor, "timeout", why)
        self._abort()
