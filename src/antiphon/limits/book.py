"""Limit book: limits that an administrator has set, and what was used on a day, in the store."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Literal

from sqlalchemy import Row, delete, select

from antiphon.access.book import AccessBook, Change, from_json, to_json
from antiphon.access.errors import AccessError
from antiphon.access.names import shown
from antiphon.contracts.limits import KINDS
from antiphon.limits.counters import Bound
from antiphon.storage.tables import inserting, limit_overrides, limit_usage

DAY = 86_400
KEPT_DAYS = 2

# For whom limits can be set. `*` is everybody in the organisation together.
OverrideFor = Literal["user", "role", "organisation"]
WHOLE = "*"
# None: no limit.
Amounts = Mapping[str, float | None]


@dataclass(frozen=True, slots=True)
class LimitOverride:
    """Limits of a user, of those who have a role, or of an organisation, beside the settings."""

    organisation: str
    kind: OverrideFor
    name: str
    amounts: Amounts
    updated_at: float
    updated_by: str


class NoRoomToday(Exception):
    """A day's amount that would be exceeded; nothing was counted."""

    def __init__(self, index: int, used: float, resets_at: float, now: float) -> None:
        super().__init__(index)
        self.index = index
        self.used = used
        self.wait = resets_at - now


class LimitBook(AccessBook):
    """The tables behind the limits. Every method raises StoreError while the store is away."""

    async def overrides(self) -> list[LimitOverride]:
        """All limits that were set."""
        wanted = select(limit_overrides).order_by("organisation", "kind", "name")
        return await self._read(
            lambda at: [_override_of(row) for row in at.connection.execute(wanted)]
        )

    async def set_override(
        self, organisation: str, kind: OverrideFor, name: str, amounts: Amounts, by: str
    ) -> LimitOverride:
        """Set the limits of somebody, in place of those that were set. Raises AccessError for a
        user, role or organisation that is not there."""

        def work(at: Change) -> LimitOverride:
            self._check_there(at, organisation, kind, name)
            given = to_json(dict(amounts))
            values = {"amounts": given, "updated_at": at.now, "updated_by": by}
            key = {"organisation": organisation, "kind": kind, "name": name}
            statement = inserting(at.connection.dialect.name, limit_overrides)
            at.connection.execute(
                statement.values(**key, **values).on_conflict_do_update(
                    index_elements=list(key), set_=values
                )
            )
            at.record(
                "limits_changed",
                by=by,
                organisation=organisation,
                details={"for": kind, "name": name, "limits": dict(amounts)},
            )
            return LimitOverride(organisation, kind, name, dict(amounts), at.now, by)

        return await self._change(work)

    async def remove_override(
        self, organisation: str, kind: OverrideFor, name: str, by: str
    ) -> None:
        """Give somebody the limits of the settings again. Raises AccessError."""

        def work(at: Change) -> None:
            gone = at.connection.execute(
                delete(limit_overrides).filter_by(organisation=organisation, kind=kind, name=name)
            )
            if not gone.rowcount:
                raise AccessError(f"No limits are set for the {kind} {shown(name)}.", "missing")
            at.record(
                "limits_changed",
                by=by,
                organisation=organisation,
                details={"for": kind, "name": name, "removed": True},
            )

        await self._change(work)

    def _check_there(self, at: Change, organisation: str, kind: OverrideFor, name: str) -> None:
        self._check_organisation(at, organisation)
        if kind == "role" and name not in self._roles_of(at, organisation):
            raise AccessError(f"There is no role {shown(name)}.", "missing")
        if kind == "user" and self._user_row(at, name).organisation != organisation:
            raise AccessError(f"There is no user {shown(name)}.", "missing")

    # -- days

    async def take_today(self, bounds: Sequence[Sequence[Bound]], amounts: Sequence[float]) -> None:
        """Count amounts of today, each against its bounds: all of them or none. Raises
        NoRoomToday, whose index is that of the bound in all of them."""
        flat = [
            (bound, amount) for each, amount in zip(bounds, amounts, strict=True) for bound in each
        ]

        def work(at: Change) -> None:
            day = int(at.now // DAY)
            # In one order everywhere, so that two nodes never wait for each other's rows.
            for index in sorted(range(len(flat)), key=lambda each: flat[each][0][0]):
                (counter, most, _), amount = flat[index]
                if not _count(at, counter, day, amount, most):
                    used = _used(at, counter, day)
                    raise NoRoomToday(index, used, (day + 1) * DAY, at.now)

        await self._write(work)

    async def give_back(self, counters: Sequence[tuple[str, str, str]], amount: float) -> None:
        """Count so much less of today, where less was used than was counted."""

        def work(at: Change) -> None:
            day = int(at.now // DAY)
            for counter in sorted(counters):
                _count(at, counter, day, -min(amount, _used(at, counter, day)), float("inf"))

        await self._write(work)

    async def used_today(
        self, counters: Sequence[tuple[str, str, str]]
    ) -> tuple[list[float], float]:
        """How much of each was used today, and the seconds until the next day."""

        def work(at: Change) -> tuple[list[float], float]:
            day = int(at.now // DAY)
            return [_used(at, counter, day) for counter in counters], (day + 1) * DAY - at.now

        return await self._read(work)

    async def purge(self) -> None:
        """Drop what was counted on days that are over."""

        def work(at: Change) -> None:
            oldest = int(at.now // DAY) - KEPT_DAYS
            at.connection.execute(delete(limit_usage).where(limit_usage.c.day < oldest))

        await self._write(work)


def _count(at: Change, counter: tuple[str, str, str], day: int, amount: float, most: float) -> bool:
    """Add to a day's amount; False where that would exceed the most, and nothing was added."""
    if amount > most:
        return False
    scope, name, limit = counter
    statement = inserting(at.connection.dialect.name, limit_usage).values(
        scope=scope, name=name, limit=limit, day=day, amount=max(0.0, amount)
    )
    added = limit_usage.c.amount + amount
    condition = None if most == float("inf") else added <= most
    upsert = statement.on_conflict_do_update(
        index_elements=["scope", "name", "limit", "day"], set_={"amount": added}, where=condition
    )
    return at.connection.execute(upsert.returning(limit_usage.c.amount)).first() is not None


def _used(at: Change, counter: tuple[str, str, str], day: int) -> float:
    scope, name, limit = counter
    statement = select(limit_usage.c.amount).filter_by(scope=scope, name=name, limit=limit, day=day)
    return float(at.connection.execute(statement).scalar() or 0.0)


def _override_of(row: Row[tuple[object, ...]]) -> LimitOverride:
    return LimitOverride(
        organisation=row.organisation,
        kind=row.kind,
        name=row.name,
        # What a later version knows is not known here.
        amounts={name: each for name, each in from_json(row.amounts).items() if name in KINDS},
        updated_at=row.updated_at,
        updated_by=row.updated_by,
    )
