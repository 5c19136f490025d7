"""Limiter: the one place that says whether somebody may use more of what is bounded."""

from __future__ import annotations

import logging
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass

from antiphon.contracts.limits import (
    KINDS,
    SCOPES,
    LimitReached,
    LimitRefused,
    LimitsAway,
    LimitScope,
    LimitSubject,
)
from antiphon.limits.book import WHOLE, Amounts, LimitBook, LimitOverride, NoRoomToday
from antiphon.limits.counters import Bound, Counter, MemoryCounters, RateCounters
from antiphon.storage import StoreError

# A refusal is in the audit once in so long, or once in the window of its limit.
NOTED_SECONDS = 60.0
_MAX_KEPT = 4096
_CALLS = ("calls_per_minute", "calls_per_hour")
_NONE = float("inf")

log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class LimitStanding:
    """How somebody stands with one limit: the most (None: no limit), what is used (None: it is
    not counted up), and the seconds until it is counted anew."""

    limit: str
    scope: LimitScope
    most: float | None
    used: float | None
    resets_in: float | None


class Limiter:
    """Limits of users and organisations: what they are, what is used, and who is refused.

    Paces, windows and what is open are counted by `counters`, in the memory of this node unless
    others are given. A day's amounts are counted in the store: while that is away they refuse. Who
    has no subject (nobody signs in, or it is the operator) is not bounded.
    """

    def __init__(
        self,
        book: LimitBook,
        *,
        user: Amounts,
        organisation: Amounts,
        record: Callable[[Mapping[str, object]], None],
        counters: RateCounters | None = None,
        monotonic: Callable[[], float] = time.monotonic,
    ) -> None:
        """`user` and `organisation` are the limits of those for whom no others are set; `record`
        takes audit lines."""
        self.book = book
        self.defaults: Mapping[LimitScope, Amounts] = {"user": user, "organisation": organisation}
        self._record = record
        self._counters = counters or MemoryCounters(monotonic)
        self._monotonic = monotonic
        self._overrides: dict[tuple[str, str, str], LimitOverride] = {}
        self._amounts: dict[LimitSubject, Mapping[LimitScope, Amounts]] = {}
        self._noted: dict[tuple[Counter, str], float] = {}

    # -- what the limits are

    async def load(self) -> None:
        """Read the limits that were set, with those that other nodes have. Raises StoreError."""
        found = await self.book.overrides()
        self._overrides = {(each.organisation, each.kind, each.name): each for each in found}
        self._amounts = {}

    def override(self, organisation: str, kind: str, name: str) -> LimitOverride | None:
        """What was set for somebody."""
        return self._overrides.get((organisation, kind, name))

    def overrides(self, organisation: str) -> list[LimitOverride]:
        """All that was set in an organisation."""
        return [each for key, each in self._overrides.items() if key[0] == organisation]

    def amounts(self, subject: LimitSubject) -> Mapping[LimitScope, Amounts]:
        """The limits in force: what was set for the user, else the widest of what was set for
        their roles, else those of the settings; and those of the organisation."""
        found = self._amounts.get(subject)
        if found is None:
            if len(self._amounts) >= _MAX_KEPT:
                self._amounts.clear()
            own = self._of("user", subject.user, subject)
            roles = [self._of("role", role, subject) for role in subject.roles]
            amounts = {**self.defaults["user"], **_widest(roles), **own}
            whole = self.organisation_amounts(subject.organisation)
            found = {"user": amounts, "organisation": whole}
            self._amounts[subject] = found
        return found

    def organisation_amounts(self, organisation: str) -> Amounts:
        """The limits in force of an organisation."""
        given = self.override(organisation, "organisation", WHOLE)
        return {**self.defaults["organisation"], **(given.amounts if given else {})}

    def _of(self, kind: str, name: str, subject: LimitSubject) -> Amounts:
        given = self.override(subject.organisation, kind, name)
        return {} if given is None else given.amounts

    def bounds(self, subject: LimitSubject, limit: str) -> list[Bound]:
        """What a subject is held to by a limit: as a user, and as one of an organisation."""
        found: list[Bound] = []
        for scope in SCOPES:
            amounts = self.amounts(subject)[scope]
            most = amounts.get(limit)
            if most is not None:
                kind = KINDS[limit]
                burst = amounts.get(kind.burst) if kind.burst else most * kind.seconds
                counter = (scope, subject.name(scope), limit)
                found.append((counter, most, most if burst is None else burst))
        return found

    # -- paces and windows

    async def take_request(self, subject: LimitSubject) -> None:
        """Count a request. Raises LimitRefused, also for somebody who has sent too many bytes and
        has not waited long enough since."""
        await self._take(subject, "bytes_per_second", amount=0, over=True)
        await self._take(subject, "requests_per_second")

    async def note_bytes(self, subject: LimitSubject, size: int) -> None:
        """Count bytes that came, whether or not there was room: what has begun is taken to its
        end, and the next request waits."""
        bounds = self.bounds(subject, "bytes_per_second")
        await self._counters.add(bounds, size)

    async def take_bytes(self, subject: LimitSubject, size: int) -> None:
        """Count bytes that came. Raises LimitRefused for somebody who has sent too many before
        them."""
        await self._take(subject, "bytes_per_second", amount=size, over=True)

    async def take_call(self, subject: LimitSubject) -> LimitReached | None:
        """Count a tool call; return the limit that has no room for it."""
        try:
            await self._take(subject, *_CALLS)
        except LimitRefused as refused:
            return refused.reached
        return None

    async def _take(
        self, subject: LimitSubject, *limits: str, amount: float = 1.0, over: bool = False
    ) -> None:
        bounds = [bound for limit in limits for bound in self.bounds(subject, limit)]
        if not bounds:
            return
        full = await self._counters.take(bounds, amount, over=over)
        if full is not None:
            counter, most, _ = bounds[full[0]]
            used = self._counters.used(counter, most)
            raise self._refused(subject, counter, most, used, full[1])

    # -- what is open at once

    @contextmanager
    def held(self, subject: LimitSubject | None, limit: str) -> Iterator[None]:
        """Count one thing as open until the context is left. Raises LimitRefused."""
        bounds = [] if subject is None else self.bounds(subject, limit)
        if subject is not None:
            full = self._counters.hold(bounds)
            if full is not None:
                counter, most, _ = bounds[full]
                raise self._refused(
                    subject, counter, most, self._counters.used(counter, most), None
                )
        try:
            yield
        finally:
            self._counters.release([counter for counter, _, _ in bounds])

    def check_open(
        self, subject: LimitSubject, limit: str, count: Callable[[LimitScope], int]
    ) -> None:
        """Raise LimitRefused unless one more may be open beside those that `count` finds."""
        for counter, most, _ in self.bounds(subject, limit):
            used = count("user" if counter[0] == "user" else "organisation")
            used += int(self._counters.used(counter, most))
            if used + 1 > most:
                raise self._refused(subject, counter, most, used, None)

    # -- sizes and what is kept

    def check_size(self, subject: LimitSubject, limit: str, size: float) -> None:
        """Raise LimitRefused for something larger than the limit."""
        for counter, most, _ in self.bounds(subject, limit):
            if size > most:
                raise self._refused(subject, counter, most, size, None)

    # -- days

    async def take_today(self, subject: LimitSubject, amounts: Mapping[str, float]) -> None:
        """Count amounts of today, all of them or none. Raises LimitRefused, and LimitsAway when
        the store cannot be asked."""
        bounds = [self.bounds(subject, limit) for limit in amounts]
        if not any(bounds):
            return
        try:
            await self.book.take_today(bounds, list(amounts.values()))
        except NoRoomToday as full:
            counter, most, _ = [bound for each in bounds for bound in each][full.index]
            raise self._refused(subject, counter, most, full.used, full.wait) from None
        except StoreError as error:
            raise _away(error) from error

    async def take_up_to(
        self, subject: LimitSubject, limit: str, amount: float, least: float
    ) -> float:
        """Count an amount of today, or the rest where less is left, but at least `least`; return
        how much it was. Raises what `take_today` does."""
        bounds = self.bounds(subject, limit)
        for _ in bounds:
            try:
                await self.book.take_today([bounds], [amount])
            except NoRoomToday as full:
                amount = max(least, min(amount, bounds[full.index][1] - full.used))
            except StoreError as error:
                raise _away(error) from error
            else:
                return amount
        await self.take_today(subject, {limit: amount})
        return amount

    async def give_back(self, subject: LimitSubject, limit: str, amount: float) -> None:
        """Count less of today, where less was used than was counted. What the store does not take
        stays counted."""
        counters = [counter for counter, _, _ in self.bounds(subject, limit)]
        if not counters or amount <= 0:
            return
        try:
            await self.book.give_back(counters, amount)
        except StoreError as error:
            log.warning("%s of %s stay counted: %s", amount, limit, error)

    # -- as it stands

    async def standing(
        self,
        subject: LimitSubject,
        counts: Mapping[str, Callable[[LimitScope], float]],
    ) -> list[LimitStanding]:
        """How somebody stands with every limit; `counts` has what is counted elsewhere. Raises
        StoreError."""
        found = []
        for scope in SCOPES:
            amounts = self.amounts(subject)[scope]
            names = [name for name in KINDS if name in amounts]
            days = [name for name in names if KINDS[name].counting == "day"]
            used, resets_in = await self.book.used_today(
                [(scope, subject.name(scope), name) for name in days]
            )
            today = dict(zip(days, used, strict=True))
            for name in names:
                found.append(
                    self._standing(subject, scope, name, amounts[name], today, resets_in, counts)
                )
        return found

    def _standing(
        self,
        subject: LimitSubject,
        scope: LimitScope,
        name: str,
        most: float | None,
        today: Mapping[str, float],
        resets_in: float,
        counts: Mapping[str, Callable[[LimitScope], float]],
    ) -> LimitStanding:
        kind = KINDS[name]
        if name in today:
            return LimitStanding(name, scope, most, today[name], resets_in)
        if kind.counting == "size":
            return LimitStanding(name, scope, most, None, None)
        counter = (scope, subject.name(scope), name)
        used = self._counters.used(counter, most or 0.0)
        if name in counts:
            used += counts[name](scope)
        if kind.counting == "window":
            return LimitStanding(name, scope, most, used, kind.seconds)
        resets = used / most if most and kind.counting == "pace" else None
        return LimitStanding(name, scope, most, used, resets)

    # -- refusals

    def _refused(
        self,
        subject: LimitSubject,
        counter: Counter,
        most: float,
        used: float,
        wait: float | None,
    ) -> LimitRefused:
        scope: LimitScope = "user" if counter[0] == "user" else "organisation"
        reached = LimitReached(counter[2], scope, most, used, wait)
        self._note(subject, counter, reached)
        return LimitRefused(reached)

    def _note(self, subject: LimitSubject, counter: Counter, reached: LimitReached) -> None:
        """Write an audit line at the first refusal of a window."""
        now = self._monotonic()
        key = counter, subject.user
        if self._noted.get(key, 0.0) > now:
            return
        kind = KINDS[reached.limit]
        until = (reached.wait or 0.0) if kind.counting == "day" else kind.seconds
        if len(self._noted) >= _MAX_KEPT:
            self._noted = {each: at for each, at in self._noted.items() if at > now}
        self._noted[key] = now + max(NOTED_SECONDS, until)
        self._record(
            {
                "event": "limit_reached",
                "by": subject.user,
                "user": subject.user,
                "organisation": subject.organisation,
                "details": reached.members,
            }
        )


def _away(error: StoreError) -> LimitsAway:
    log.error("what was used today cannot be counted: %s", error)
    return LimitsAway(
        "How much was used today cannot be counted right now, so nothing more is let through. Try "
        "again in a moment."
    )


def _widest(given: Sequence[Amounts]) -> dict[str, float | None]:
    """For each limit the most that one of these gives."""
    found: dict[str, float | None] = {}
    for amounts in given:
        for name, most in amounts.items():
            known = found.get(name, most)
            found[name] = None if known is None or most is None else max(known, most)
    return found
