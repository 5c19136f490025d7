"""Sums of days and months: what is spent and set aside, held against caps in one transaction."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NamedTuple

from sqlalchemy import Connection, and_, or_, select, update

from antiphon.contracts.metering import CapPeriod, CapScope, CapWarning, Payer
from antiphon.storage.tables import inserting, usage_caps, usage_sums
from antiphon.usage.caps import WARN_AT, SpendingCap, UsualCaps, subjects_of
from antiphon.usage.money import decimal
from antiphon.usage.periods import period_names, resets_at


class SumKey(NamedTuple):
    """What a sum is of."""

    currency: str
    organisation: str
    scope: CapScope
    subject: str
    period: str


class CapCheck(NamedTuple):
    """A sum beside its cap. `cap` is None where there is none; `foreign` is its currency where the
    prices have another one."""

    key: SumKey
    span: CapPeriod
    spent: int
    reserved: int
    cap: int | None
    warned: int | None
    foreign: str | None

    @property
    def used(self) -> int:
        return self.spent + self.reserved


def lock_sums(
    connection: Connection, payer: Payer, currency: str, day: str, usual: UsualCaps
) -> list[CapCheck]:
    """Return the sums that a payer's spending counts towards, and lock them until the transaction
    is over; those of one subject after the other, in the same order everywhere."""
    spans = {
        SumKey(currency, payer.organisation, scope, subject, name): span
        for scope, subject in subjects_of(payer).items()
        for span, name in period_names(day).items()
    }
    keys = sorted(spans)
    fresh = inserting(connection.dialect.name, usage_sums).on_conflict_do_nothing()
    connection.execute(fresh, [{**key._asdict(), "spent": 0, "reserved": 0} for key in keys])
    table = usage_sums.c
    rows = connection.execute(
        select(usage_sums)
        .where(or_(*(_is(key) for key in keys)))
        .order_by(table.scope, table.subject, table.period)
        .with_for_update()
    )
    caps = _caps(connection, payer)
    found = []
    for row in rows:
        key = SumKey(*row[: len(SumKey._fields)])
        own = caps.get((key.scope, key.subject))
        span = spans[key]
        cap = None if own is None else own.of(span)
        foreign = None if cap is None or own is None or own.currency == currency else own.currency
        if cap is None:
            cap = usual.of(key.scope, span)
        found.append(CapCheck(key, span, row.spent, row.reserved, cap, row.warned, foreign))
    return found


def reached(checks: list[CapCheck], estimate: int) -> CapCheck | None:
    """Return the first cap that does not have so much left; a cap in another currency never has."""
    return next(
        (
            check
            for check in checks
            if check.foreign is not None or (check.cap is not None and _over(check, estimate))
        ),
        None,
    )


def _over(check: CapCheck, estimate: int) -> bool:
    assert check.cap is not None
    return check.used + estimate > check.cap


def add(
    connection: Connection, checks: list[CapCheck], *, spent: int, reserved: int, at: float
) -> list[CapWarning]:
    """Add to locked sums; return the warnings that are due, each once for a cap and its period."""
    warnings = []
    for check in checks:
        used = check.used + spent + reserved
        values: dict[str, Any] = {
            "spent": check.spent + spent,
            "reserved": check.reserved + reserved,
        }
        cap = check.cap
        if cap and cap != check.warned and used * 100 >= cap * WARN_AT and spent + reserved > 0:
            values["warned"] = cap
            warnings.append(_warning(check, used, cap, at))
        connection.execute(update(usage_sums).where(_is(check.key)).values(values))
    return warnings


def _warning(check: CapCheck, used: int, cap: int, at: float) -> CapWarning:
    key = check.key
    return CapWarning(
        key.scope,
        key.subject,
        check.span,
        decimal(used),
        decimal(cap),
        key.currency,
        resets_at(check.span, at),
    )


def _is(key: SumKey) -> Any:
    table = usage_sums.c
    return and_(*(table[name] == value for name, value in key._asdict().items()))


def _caps(connection: Connection, payer: Payer) -> Mapping[tuple[CapScope, str], SpendingCap]:
    table = usage_caps.c
    rows = connection.execute(
        select(usage_caps).where(
            table.organisation == payer.organisation,
            or_(
                *(
                    and_(table.scope == scope, table.subject == subject)
                    for scope, subject in subjects_of(payer).items()
                )
            ),
        )
    )
    return {(row.scope, row.subject): SpendingCap(*row) for row in rows}
