"""Usage ledger: what was used and spent, reserved before it is and counted once."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any
from uuid import uuid4

from sqlalchemy import Connection, Row, insert, select, update

from antiphon.contracts.events import Usage
from antiphon.contracts.metering import (
    SPENDING_RULE,
    CapWarning,
    Payer,
    SpendingRefused,
    nobody_to_warn,
)
from antiphon.storage import Store, StoreError
from antiphon.storage.clock import database_time
from antiphon.storage.tables import usage_entries
from antiphon.storage.writer import Transaction
from antiphon.usage import sums
from antiphon.usage.caps import UsualCaps
from antiphon.usage.money import decimal
from antiphon.usage.periods import day_of, in_words, resets_at
from antiphon.usage.prices import PriceList

logger = logging.getLogger(__name__)

RESERVED, COUNTED, ESTIMATED, RELEASED = "reserved", "counted", "estimated", "released"
# So much that was not written down is kept to be tried again.
MOST_UNWRITTEN = 10_000

_AWAY = (
    "What this would cost cannot be checked, as the store does not answer; so it was not done. "
    "Please try again in a minute."
)
_COUNTS = (
    *("input_tokens", "cached_tokens", "cache_write_tokens", "output_tokens"),
    *("audio_input_tokens", "audio_output_tokens"),
)


@dataclass(frozen=True, slots=True)
class PaidItem:
    """What is paid for: a model of a backend, or a tool."""

    backend: str = ""
    model: str = ""
    tool: str = ""


@dataclass(frozen=True, slots=True)
class Ending:
    """How a reservation ends: its state, what it cost, and what was counted."""

    state: str
    cost: int = 0
    usage: Usage = field(default_factory=Usage)
    voice_ms: int = 0


Warn = Callable[[CapWarning], None]


class UsageLedger:
    """The ledger of one process over the store that all share.

    `reserve` waits until the estimate is set aside; endings are queued and written in the
    background. A reservation whose process is gone is charged at its estimate. `clock` is for
    tests: without one, times are those of the database.
    """

    def __init__(
        self,
        store: Store,
        prices: PriceList,
        caps: UsualCaps | None = None,
        *,
        clock: Callable[[], float] | None = None,
        spent: Callable[[PaidItem, str, int], None] | None = None,
        warned: Callable[[CapWarning], None] | None = None,
    ) -> None:
        self.store = store
        self.prices = prices
        self.usual_caps = caps or UsualCaps()
        self._clock = clock
        self._spent = spent
        self._warned = warned
        self._ending: dict[str, tuple[Callable[[Transaction], list[CapWarning]], Warn]] = {}
        self._writing: dict[str, asyncio.Future[list[CapWarning]]] = {}

    def now(self, connection: Connection) -> float:
        return database_time(connection) if self._clock is None else self._clock()

    # -- setting aside

    async def reserve(
        self, item: PaidItem, payer: Payer, estimate: int, warn: Warn, *, key: str | None = None
    ) -> str | None:
        """Set the estimate aside and return the id of the reservation; None for a `key` under which
        that was done before. Raises SpendingRefused."""
        own = key or uuid4().hex

        def work(transaction: Transaction) -> _Reserved:
            return self._reserve(transaction, own, item, payer, estimate)

        try:
            done = await self.store.transact(work)
        except StoreError as error:
            logger.error("nothing can be spent: %s", error)
            raise SpendingRefused(_AWAY, "store", retry_after=60.0) from error
        except asyncio.CancelledError:
            if key is None:  # it is carried out all the same
                self.end(own, item, Ending(RELEASED), warn)
            raise
        if done.refusal is not None:
            raise done.refusal
        self._tell(done.warnings, warn)
        return None if done.known else own

    def _reserve(
        self, to: Transaction, id: str, item: PaidItem, payer: Payer, estimate: int
    ) -> _Reserved:
        connection, currency = to.connection, self.prices.currency
        found = _entry(connection, id)
        if found is not None and found.state != RELEASED:
            return _Reserved(known=True)
        now = self.now(connection)
        day = day_of(now)
        checks = sums.lock_sums(connection, payer, currency, day, self.usual_caps)
        over = sums.reached(checks, estimate)
        if over is not None:
            refusal = _refusal(over, estimate, now)
            to.lines.append(_refused_line(over, item, payer, refusal))
            return _Reserved(refusal=refusal)
        warnings = sums.add(connection, checks, spent=0, reserved=estimate, at=now)
        to.lines.extend(_warned_line(each, payer) for each in warnings)
        values = self._values(item, payer, now, day) | {"state": RESERVED, "estimate": estimate}
        if found is None:
            connection.execute(insert(usage_entries).values(id=id, **values))
        else:
            connection.execute(
                update(usage_entries).where(usage_entries.c.id == id).values(**values)
            )
        return _Reserved(warnings=warnings)

    def _values(self, item: PaidItem, payer: Payer, now: float, day: str) -> dict[str, Any]:
        return {
            "at": now,
            "day": day,
            "user": payer.user,
            "organisation": payer.organisation,
            "agent": payer.agent,
            "session_id": payer.session,
            "backend": item.backend,
            "model": item.model,
            "tool": item.tool,
            "node": self.store.node,
            "currency": self.prices.currency,
            "estimate": 0,
            "cost": 0,
            "voice_ms": 0,
            **dict.fromkeys(_COUNTS, 0),
        }

    # -- endings

    def end(self, id: str, item: PaidItem, ending: Ending, warn: Warn) -> None:
        """Queue the end of a reservation. The first one counts. Never waits, never raises."""

        def work(transaction: Transaction) -> list[CapWarning]:
            return self._end(transaction, id, ending)

        self._queue(id, work, warn)
        if self._spent is not None and ending.state != RELEASED:
            self._spent(item, self.prices.currency, ending.cost)

    def note(self, item: PaidItem, payer: Payer, usage: Usage) -> None:
        """Queue an entry of what costs nothing. Never waits, never raises."""
        own = uuid4().hex

        def work(transaction: Transaction) -> list[CapWarning]:
            connection = transaction.connection
            if _entry(connection, own) is None:  # else the first try was carried out after all
                now = self.now(connection)
                values = self._values(item, payer, now, day_of(now)) | {"state": COUNTED}
                connection.execute(insert(usage_entries).values(id=own, **values | _counts(usage)))
            return []

        self._queue(own, work, nobody_to_warn)

    def _end(self, to: Transaction, id: str, ending: Ending) -> list[CapWarning]:
        connection = to.connection
        row = _entry(connection, id)
        if row is None or row.state != RESERVED:
            return []
        payer = Payer(row.user, row.organisation, row.agent, row.session_id)
        checks = sums.lock_sums(connection, payer, row.currency, row.day, self.usual_caps)
        warnings = sums.add(
            connection, checks, spent=ending.cost, reserved=-row.estimate, at=row.at
        )
        connection.execute(
            update(usage_entries)
            .where(usage_entries.c.id == id)
            .values(
                state=ending.state,
                cost=ending.cost,
                voice_ms=ending.voice_ms,
                **_counts(ending.usage),
            )
        )
        to.lines.extend(_warned_line(each, payer) for each in warnings)
        return warnings

    def _queue(self, id: str, work: Callable[[Transaction], list[CapWarning]], warn: Warn) -> None:
        self._ending[id] = work, warn
        while len(self._ending) > MOST_UNWRITTEN:
            lost = next(iter(self._ending))
            del self._ending[lost]
            logger.error("what request %s cost was not written down: the store is away", lost)
        self._write(id)

    def _write(self, id: str) -> None:
        work, warn = self._ending[id]
        try:
            future = self.store.queue(work)
        except StoreError as error:  # it is closed
            logger.error("what request %s cost was not written down: %s", id, error)
            return
        self._writing[id] = future
        future.add_done_callback(lambda done: self._written(id, done, warn))

    def _written(self, id: str, done: asyncio.Future[list[CapWarning]], warn: Warn) -> None:
        self._writing.pop(id, None)
        if done.cancelled():
            return
        error = done.exception()
        if error is None:
            self._ending.pop(id, None)
            self._tell(done.result(), warn)
        else:
            logger.error("what request %s cost is not written down yet: %s", id, error)

    def _tell(self, warnings: Sequence[CapWarning], warn: Warn) -> None:
        for warning in warnings:
            if self._warned is not None:
                self._warned(warning)
            warn(warning)

    # -- upkeep

    async def upkeep(self) -> None:
        """Write what could not be written before, and charge what dead processes have reserved at
        its estimate. Raises StoreError."""
        await self.close()
        await self.recover()

    async def recover(self) -> int:
        """Charge the reservations of processes that are gone at their estimates; return how many
        there were. Raises StoreError."""
        table = usage_entries.c
        nodes = select(table.node).where(table.state == RESERVED).distinct()
        owners = await self.store.run(
            lambda to: [str(node) for (node,) in to.execute(nodes)], writes=False
        )
        dead = await self.store.dead([each for each in owners if each != self.store.node])
        if not dead:
            return 0

        def work(transaction: Transaction) -> int:
            rows = transaction.connection.execute(
                select(table.id, table.estimate)
                .where(table.state == RESERVED, table.node.in_(dead))
                .order_by(table.id)
            ).all()
            for row in rows:
                self._end(transaction, row.id, Ending(ESTIMATED, row.estimate))
            return len(rows)

        return await self.store.transact(work)

    async def flush(self) -> None:
        """Wait until what is queued is written, or could not be."""
        while self._writing:
            await asyncio.wait(tuple(self._writing.values()))

    async def close(self) -> None:
        """Write what is left; what cannot be written is charged at its estimate later."""
        for each in self._ending.keys() - self._writing.keys():
            self._write(each)
        await self.flush()


@dataclass(frozen=True, slots=True)
class _Reserved:
    warnings: Sequence[CapWarning] = ()
    refusal: SpendingRefused | None = None
    known: bool = False


def _entry(connection: Connection, id: str) -> Row[Any] | None:
    return connection.execute(
        select(usage_entries).where(usage_entries.c.id == id).with_for_update()
    ).one_or_none()


def _counts(usage: Usage) -> dict[str, int]:
    return {name: getattr(usage, name) for name in _COUNTS}


def _refusal(over: sums.CapCheck, estimate: int, now: float) -> SpendingRefused:
    key, end = over.key, resets_at(over.span, now)
    span = "today" if over.span == "day" else "this month"
    whose = {
        "user": "your spending cap",
        "organisation": "the spending cap of your organisation",
        "agent": f"the spending cap of the agent {key.subject}",
    }[key.scope]
    if over.foreign is not None:
        words = (
            f"Not done: {whose} is in {over.foreign}, and the prices are in {key.currency}. An "
            "administrator has to set it anew."
        )
        return SpendingRefused(words, "cap")
    # What others have spent is nobody else's business.
    left = f" ({_of_cap(over, estimate)})" if key.scope == "user" else ""
    words = f"Not done: {whose} for {span} is used up{left}. It is reset at {in_words(end)}."
    return SpendingRefused(words, "cap", resets_at=end, retry_after=max(0.0, end - now))


def _of_cap(over: sums.CapCheck, estimate: int) -> str:
    assert over.cap is not None
    currency = over.key.currency
    return (
        f"{decimal(over.used)} of {decimal(over.cap)} {currency}, and this may cost "
        f"{decimal(estimate)} {currency}"
    )


def _line(event: str, payer: Payer, **details: Any) -> dict[str, Any]:
    line: dict[str, Any] = {"event": event, "user": payer.user, "rule": SPENDING_RULE}
    if payer.organisation:
        line["organisation"] = payer.organisation
    if payer.session:
        line["sessionId"] = payer.session
    return line | {"details": {"agent": payer.agent, **details}}


def _refused_line(
    over: sums.CapCheck, item: PaidItem, payer: Payer, refusal: SpendingRefused
) -> dict[str, Any]:
    return _line(
        "spending_refused",
        payer,
        scope=over.key.scope,
        subject=over.key.subject,
        period=over.key.period,
        used=decimal(over.used),
        cap=None if over.cap is None else decimal(over.cap),
        currency=over.key.currency,
        model=item.model,
        tool=item.tool,
        resetsAt=refusal.resets_at,
    )


def _warned_line(warning: CapWarning, payer: Payer) -> dict[str, Any]:
    return _line(
        "spending_warning",
        payer,
        scope=warning.scope,
        subject=warning.subject,
        period=warning.period,
        used=warning.spent,
        cap=warning.cap,
        currency=warning.currency,
        resetsAt=warning.resets_at,
    )
