"""Request connections: the part of every request-and-answer API that is the same, with retry."""

from __future__ import annotations

import asyncio
import random
import re
from abc import abstractmethod
from collections.abc import AsyncIterator, Iterable
from contextlib import aclosing
from dataclasses import dataclass, replace
from typing import Any

from antiphon.contracts import ErrorType, ToolCall, error_body, failure, make_meta
from antiphon.contracts.events import (
    AnswersTurn,
    CallAnswer,
    EndReason,
    Event,
    Fault,
    Grounded,
    HistoryTurn,
    Input,
    Interrupt,
    Interrupted,
    ModelTurn,
    Prompt,
    Ready,
    Text,
    ToolCalls,
    ToolCallsCancelled,
    TurnEnded,
    Usage,
    UserTurn,
)
from antiphon.contracts.metering import SpendingRefused
from antiphon.providers.faults import fault, not_paid_for
from antiphon.providers.port import Capabilities, Connection, ProviderFault, Setup
from antiphon.providers.request_size import largest_use

FIRST_RETRY = 0.5  # seconds, when the provider does not say
# Requests that end so, before anything came of them, were not served, and cost nothing.
_NOT_SERVED = frozenset(
    {
        *("not_configured", "missing_sdk", "auth", "not_found", "bad_request"),
        *("rate_limited", "overloaded", "unreachable"),
    }
)
_NOT_IN_NAMES = re.compile(r"[^a-zA-Z0-9_-]")
_LONGEST_NAME = 64


@dataclass(slots=True)
class ModelAnswer:
    """End of one request: the model's whole turn, and why it ended.

    `turn.calls` are complete. `lost_call` says that a call was cut off and is not among them.
    """

    turn: ModelTurn
    reason: EndReason = "complete"
    lost_call: bool = False


class TextConnection(Connection):
    """Connection over a request API: it keeps the history, sends a request when it is the model's
    turn, and turns one answer into events.

    A fault ends the answer, never the conversation: the history is ours.
    """

    def __init__(self, vendor: str, setup: Setup, capabilities: Capabilities) -> None:
        self.vendor = vendor
        self.setup = setup
        self.capabilities = capabilities
        self.history: list[HistoryTurn] = list(setup.history)
        self._events: asyncio.Queue[Event | None] = asyncio.Queue()
        self._events.put_nowait(Ready(resumed=bool(setup.history)))
        self._asked: tuple[ToolCall, ...] = ()
        self._answers: dict[str, CallAnswer] = {}
        self._notes: list[str] = []
        # Where the last prompt that was to be answered stands in the history, and the notes before.
        self._prompted: tuple[int, list[str]] = len(self.history), []
        self._said: list[str] = []
        self._request: asyncio.Task[None] | None = None
        self._read = False
        self._closed = False
        self._began = False  # something came of the request that is under way
        self._counted: Usage | None = None  # what the provider says that it used

    # -- what each API does its own way

    @abstractmethod
    def _stream(self) -> AsyncIterator[Text | Usage | Grounded | ModelAnswer]:
        """Send one request with the history as it is, and yield its pieces. Ends with a
        ModelAnswer; raises what the SDK does."""

    @abstractmethod
    def _fault(self, error: Exception) -> Fault:
        """Return the fault that an exception of the SDK means."""

    def history_in(self, form: str) -> list[HistoryTurn]:
        """Return the history with the calls of other models as the model that is asked would have
        written them: by the names and in the shapes that its tools are declared with."""
        written = self.setup.tools.written
        return [
            replace(
                turn,
                calls=tuple(
                    ToolCall(call.id, call.name, written(form, call.name, call.args))
                    for call in turn.calls
                ),
            )
            if isinstance(turn, ModelTurn) and turn.calls
            else turn
            for turn in self.history
        ]

    # -- the port

    async def events(self) -> AsyncIterator[Event]:
        if self._read:
            raise RuntimeError("a connection has one reader")
        self._read = True
        try:
            while (event := await self._events.get()) is not None:
                yield event
        finally:
            self._read = False

    async def send(self, event: Input) -> None:
        if self._closed:
            raise ProviderFault(fault(self.vendor, "closed", "the connection was closed by us"))
        match event:
            case Prompt(text, answer):
                if not event.instead:
                    self._notes.append(text)
                if answer:
                    await self._stop("interrupted" if self._busy() else None)
                    if event.instead:
                        place, notes = self._prompted
                        del self.history[place:]
                        self._notes[:] = [*notes, *self._notes, text]
                    if self._notes:  # else another prompt has asked for both meanwhile
                        self._prompted = len(self.history), self._notes[:-1]
                        self._ask()
            case CallAnswer():
                self._take(event)
            case Interrupt():
                if self._busy():
                    await self._stop("interrupted")
            case _:
                raise ProviderFault(
                    fault(self.vendor, "bad_request", f"{type(event).__name__}: text only")
                )

    async def close(self) -> None:
        if not self._closed:
            self._closed = True
            await self._cancel()
            self._events.put_nowait(None)
            await self._notify_closed()

    @property
    def pending(self) -> frozenset[str]:
        return frozenset(c.id for c in self._asked if c.id and c.id not in self._answers)

    # -- turns

    def _busy(self) -> bool:
        return self._request is not None or bool(self._asked)

    def _ask(self) -> None:
        if self._notes:
            self.history.append(UserTurn("\n\n".join(self._notes)))
            self._notes.clear()
        self._said.clear()
        self._request = asyncio.create_task(self._run(), name=f"{self.vendor} request")

    def _take(self, answer: CallAnswer) -> None:
        key = answer.id
        if key is None:
            key = next((c.id for c in self._asked if c.name == answer.name), None)
        if key is None or key not in self.pending:
            raise ProviderFault(
                fault(
                    self.vendor,
                    "bad_request",
                    f"no call {answer.id!r} of {answer.name} is waiting for an answer",
                    fatal=False,
                )
            )
        self._answers[key] = CallAnswer(key, answer.name, answer.envelope)
        if not self.pending:
            self._settle()
            self._ask()

    def _settle(self) -> None:
        """Give every call of the last turn an answer in the history, its own or a cancellation."""
        if not self._asked:
            return
        answers = [self._answers.get(c.id or "") or _cancelled(c) for c in self._asked]
        self.history.append(AnswersTurn(tuple(answers)))
        self._asked, self._answers = (), {}

    async def _stop(self, reason: EndReason | None) -> None:
        """End the turn that is under way; what was said until now stays said."""
        await self._cancel()
        if self._said:
            self.history.append(ModelTurn("".join(self._said)))
            self._said.clear()
        waiting = tuple(c.id for c in self._asked if c.id and c.id not in self._answers)
        if waiting:
            self._emit(ToolCallsCancelled(waiting))
        self._settle()
        if reason is not None:
            self._emit(Interrupted(), TurnEnded(reason))

    async def _cancel(self) -> None:
        request, self._request = self._request, None
        if request is not None:
            request.cancel()
            await asyncio.gather(request, return_exceptions=True)

    def _emit(self, *events: Event) -> None:
        for event in events:
            self._events.put_nowait(event)

    # -- one request

    async def _run(self) -> None:
        try:
            async with asyncio.timeout(self.setup.deadlines.request):
                answer = await self._attempts()
        except ProviderFault as failed:
            self._fail(failed.fault)
        except TimeoutError:
            self._fail(fault(self.vendor, "timeout", "the whole request", fatal=False))
        else:
            self._request = None
            self._said.clear()
            self._accept(answer)

    def _fail(self, what: Fault) -> None:
        self._request = None
        if self._said:
            self.history.append(ModelTurn("".join(self._said)))
            self._said.clear()
        self._emit(what, TurnEnded("failed"))

    def _accept(self, answer: ModelAnswer) -> None:
        self.history.append(answer.turn)
        if answer.lost_call:
            self._emit(fault(self.vendor, "truncated", fatal=False))
        if answer.reason == "refused":
            self._emit(fault(self.vendor, "refused", fatal=False))
        if answer.turn.calls and answer.reason == "complete":
            self._asked = answer.turn.calls
            self._emit(ToolCalls(answer.turn.calls))
        else:
            self._emit(TurnEnded(answer.reason))

    async def _attempts(self) -> ModelAnswer:
        loop = asyncio.get_running_loop()
        deadline = loop.time() + self.setup.deadlines.request
        attempt = 0
        while True:
            try:
                return await self._attempt()
            except ProviderFault as failed:
                what = failed.fault
            except Exception as error:  # noqa: BLE001 - SDKs let through errors of every layer
                what = self._fault(error)
            what.fatal = False
            pause = what.retry_after
            if pause is None:
                pause = FIRST_RETRY * 2**attempt * (0.5 + random.random())  # noqa: S311 - jitter
            attempt += 1
            # The server may still be at a request that we gave up: another one would only wait
            # behind it, or be refused because of it.
            given_up = what.kind == "timeout" and what.code is None
            hopeless = not what.retryable or attempt > self.setup.retries or bool(self._said)
            hopeless = hopeless or given_up
            if hopeless or loop.time() + pause >= deadline:
                raise ProviderFault(what)
            await asyncio.sleep(pause)

    async def _attempt(self) -> ModelAnswer:
        """Send one request for which money is set aside."""
        meter = self.setup.meter
        if meter is None:
            return await self._answer_of_request()
        try:
            reservation = await meter.reserve(lambda: largest_use(self.setup, self.history))
        except SpendingRefused as refused:
            raise not_paid_for(refused) from None
        try:
            return await self._answer_of_request()
        except ProviderFault as failed:
            if not self._began and failed.fault.kind in _NOT_SERVED:
                reservation.release()
            raise
        except Exception as error:
            if not self._began and self._fault(error).kind in _NOT_SERVED:
                reservation.release()
            raise
        finally:  # what was settled or released already stays so
            if self._counted is None:
                reservation.charge()
            else:
                reservation.settle(self._counted)

    async def _answer_of_request(self) -> ModelAnswer:
        self._counted, self._began = None, False
        deadlines = self.setup.deadlines
        patience = deadlines.answer
        async with aclosing(self._stream()) as pieces:  # type: ignore[type-var]
            while True:
                try:
                    async with asyncio.timeout(patience):
                        piece = await anext(pieces)
                except TimeoutError:
                    raise ProviderFault(
                        fault(self.vendor, "timeout", f"nothing came for {patience:g} s")
                    ) from None
                except StopAsyncIteration:
                    raise ProviderFault(
                        fault(self.vendor, "closed", "the stream ended before the answer did")
                    ) from None
                patience = deadlines.gap
                self._began = True
                if isinstance(piece, Usage):
                    self._counted = piece
                if isinstance(piece, ModelAnswer):
                    return piece
                if isinstance(piece, Text):
                    if not piece.text:
                        continue
                    self._said.append(piece.text)
                self._emit(piece)


def identified(calls: Iterable[ToolCall]) -> tuple[ToolCall, ...]:
    """Return the calls, each with an id of its own: some servers send none, or one twice.

    Made-up ids start with `temp_`, so that nobody takes them for stable ones.
    """
    seen: set[str] = set()
    found = []
    for number, call in enumerate(calls):
        if not isinstance(call.id, str) or not call.id or call.id in seen:
            call = ToolCall(f"temp_{number}", call.name, call.args)
        assert call.id is not None
        seen.add(call.id)
        found.append(call)
    return tuple(found)


def fit_name(name: object) -> str:
    """Return the name of a call as every API takes it back, whatever a model has made up.

    A conversation with a name that is refused would be refused whole, now and ever after.
    """
    plain = name if isinstance(name, str) else ""
    return _NOT_IN_NAMES.sub("_", plain)[:_LONGEST_NAME] or "unknown"


def _cancelled(call: ToolCall) -> CallAnswer:
    body = error_body(ErrorType.CANCELLED, "The person went on before this call was answered.")
    meta: dict[str, Any] = make_meta(call.name, None, "", 0)
    return CallAnswer(call.id, call.name, failure(body, meta))
