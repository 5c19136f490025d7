"""Usage report: what was used and spent, summed up by day, user, agent, model and the like."""

from __future__ import annotations

import csv
import io
from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import date
from typing import Any, Literal, get_args

from sqlalchemy import ColumnElement, Connection, Row, case, func, select

from antiphon.contracts.owners import Owners
from antiphon.storage.tables import usage_entries
from antiphon.usage.ledger import ESTIMATED, RELEASED, RESERVED, UsageLedger
from antiphon.usage.money import decimal
from antiphon.usage.periods import day_of

Grouping = Literal["day", "user", "organisation", "agent", "model", "tool"]
GROUPINGS: tuple[Grouping, ...] = get_args(Grouping)
MOST_ROWS = 10_000
# A spreadsheet takes what begins with one of these for a formula.
_FORMULA = ("=", "+", "-", "@", "\t", "\r")

_table = usage_entries.c
_TOKENS = (
    *("input_tokens", "cached_tokens", "cache_write_tokens", "output_tokens"),
    *("audio_input_tokens", "audio_output_tokens"),
)
_SUMS: dict[str, ColumnElement[Any]] = {
    "requests": func.count(),
    "estimated": func.sum(case((_table.state == ESTIMATED, 1), else_=0)),
    **{name: func.sum(_table[name]) for name in _TOKENS},
    "voice_ms": func.sum(_table.voice_ms),
    "cost": func.sum(_table.cost),
    "reserved": func.sum(case((_table.state == RESERVED, _table.estimate), else_=0)),
}


@dataclass(frozen=True, slots=True)
class UsageQuery:
    """What a report is about: days (both included), whose usage, and what it is grouped by."""

    by: tuple[Grouping, ...] = ("day",)
    since: date | None = None  # None: the first of this month
    until: date | None = None  # None: today
    owners: Owners | None = None  # None: everybody
    only: dict[Grouping, str] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class UsageRow:
    """Sums of one group, in one currency. Money is decimal; voice is in seconds."""

    group: dict[Grouping, str]
    currency: str
    sums: dict[str, Any]

    def to_dict(self) -> dict[str, Any]:
        return dict[str, Any](self.group.items()) | {"currency": self.currency, **self.sums}


@dataclass(frozen=True, slots=True)
class UsageReport:
    """Rows in the order of their groups, and the totals of each currency."""

    since: str
    until: str
    by: tuple[Grouping, ...]
    rows: list[UsageRow]
    totals: list[UsageRow]


class ReportTooLong(ValueError):
    """There are more groups than a report may have."""


async def report_usage(ledger: UsageLedger, query: UsageQuery) -> UsageReport:
    """Sum up what is in the ledger. Raises ReportTooLong, StoreError."""
    return await ledger.store.run(lambda to: _report(to, ledger, query), writes=False)


def _report(connection: Connection, ledger: UsageLedger, query: UsageQuery) -> UsageReport:
    today = day_of(ledger.now(connection))
    since = f"{today[:7]}-01" if query.since is None else query.since.isoformat()
    until = today if query.until is None else query.until.isoformat()
    found = [_table.day >= since, _table.day <= until, _table.state != RELEASED]
    found += [_table[name] == value for name, value in query.only.items()]
    if (owners := query.owners) is not None:
        own = _table.user == owners.user
        shared = owners.organisation
        found.append(own if shared is None else own | (_table.organisation == shared))
    rows = _rows(connection, found, query.by)
    if len(rows) > MOST_ROWS:
        raise ReportTooLong(
            f"There are more than {MOST_ROWS:,} rows. Ask for fewer days, or group by less."
        )
    return UsageReport(since, until, query.by, rows, _rows(connection, found, ()))


def _rows(
    connection: Connection, conditions: Sequence[ColumnElement[bool]], by: Sequence[Grouping]
) -> list[UsageRow]:
    groups = [*(_table[name] for name in by), _table.currency]
    statement = (
        select(*groups, *(column.label(name) for name, column in _SUMS.items()))
        .where(*conditions)
        .group_by(*groups)
        .order_by(*groups)
        .limit(MOST_ROWS + 1)
    )
    return [_row(row, by) for row in connection.execute(statement)]


def _row(row: Row[Any], by: Sequence[Grouping]) -> UsageRow:
    sums = {name: int(getattr(row, name) or 0) for name in _SUMS}
    voice = sums.pop("voice_ms")
    money = {name: decimal(sums.pop(name)) for name in ("cost", "reserved")}
    return UsageRow(
        {name: str(getattr(row, name)) for name in by},
        row.currency,
        {**sums, "voice_seconds": voice / 1000, **money},
    )


def as_csv(report: UsageReport) -> str:
    """Return the rows of a report as CSV that no spreadsheet takes for formulas."""
    sums = [*(name for name in _SUMS if name not in ("voice_ms", "cost", "reserved"))]
    columns = [*report.by, "currency", *sums, "voice_seconds", "cost", "reserved"]
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\r\n")
    writer.writerow(columns)
    for row in report.rows:
        cells = row.to_dict()
        writer.writerow([_cell(cells[name]) for name in columns])
    return out.getvalue()


def _cell(value: Any) -> Any:
    return f"'{value}" if isinstance(value, str) and value.startswith(_FORMULA) else value
