"""The local calendar: events in the store, read from and written to .ics files."""

from __future__ import annotations

import asyncio
import hashlib
import time
from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass, field
from datetime import UTC, datetime, tzinfo
from typing import TYPE_CHECKING, Any, TypeVar
from uuid import uuid4

from antiphon.contracts import ErrorType, ToolError
from antiphon.storage import Store, StoreError
from antiphon.workspace.calendar.ics_text import Block, Problem, cut, wrapped
from antiphon.workspace.calendar.port import CALENDARS, Made, NewEvent, Occurrence
from antiphon.workspace.calendar.series import Series, read_series
from antiphon.workspace.calendar.times import zone_named
from antiphon.workspace.calendar.writing import event_text, uid_of, with_zones

if TYPE_CHECKING:
    from sqlalchemy import Connection

Result = TypeVar("Result")

# Everybody sees this one; the others are each person's own.
SHARED = "team"


@dataclass(frozen=True, slots=True)
class _Row:
    id: str
    user: str
    calendar: str
    uid: str
    key: str | None
    title: str
    zone: str
    events: str
    zones: str
    starts_at: float
    ends_at: float | None
    created_at: float
    updated_at: float

    @property
    def series(self) -> Series:
        return Series(self.uid, self.title, self.events, self.zones)


@dataclass(slots=True)
class ImportReport:
    """What became of a file. `skipped` are events with a problem, left out because that was asked.

    `others` counts entries that are no events (tasks, journals), which a calendar does not hold.
    """

    added: int = 0
    updated: int = 0
    unchanged: int = 0
    skipped: list[Problem] = field(default_factory=list)
    others: dict[str, int] = field(default_factory=dict)

    def to_dict(self) -> dict[str, Any]:
        return {
            **asdict(self),
            "skipped": [problem.to_dict() for problem in self.skipped],
        }


class BrokenIcsError(ToolError):
    """Nothing was imported; `problems` has one entry for each thing that is wrong."""

    def __init__(self, problems: Sequence[Problem]) -> None:
        self.problems = list(problems)
        shown = "; ".join(str(problem) for problem in self.problems[:5])
        more = f"; and {len(self.problems) - 5} more" if len(self.problems) > 5 else ""
        super().__init__(
            ErrorType.VALIDATION,
            f"Nothing was imported: {shown}{more}. Correct the file, or ask for the broken events "
            "to be skipped.",
            events=[problem.to_dict() for problem in self.problems],
        )


class LocalCalendar:
    """Calendars in a store. `zone` is where events without a time zone are meant.

    `primary` and `personal` are each person's own, `team` is everybody's. Every method raises
    ToolError and nothing else.
    """

    label = "the local calendar"

    def __init__(
        self, store: Store, zone: str = "UTC", *, now: Callable[[], float] = time.time
    ) -> None:
        self._store = store
        self._zone = zone_named(zone)
        self._now = now

    # -- the port

    async def occurrences(
        self, user: str, calendars: Sequence[str], start: datetime, end: datetime
    ) -> list[Occurrence]:
        rows = await self._rows(user, calendars, start.timestamp(), end.timestamp())
        return await asyncio.to_thread(self._expand, rows, start, end)

    async def busy(
        self, user: str, calendars: Sequence[str], start: datetime, end: datetime
    ) -> list[Occurrence]:
        return [one for one in await self.occurrences(user, calendars, start, end) if one.is_busy]

    async def find(self, user: str, calendar: str, key: str) -> Made | None:
        from sqlalchemy import select

        from antiphon.storage.tables import calendar_events as table

        owner = _owner(user, calendar)
        query = select(table).where(table.c.key == key, table.c.user == owner)
        rows = await self._run(lambda to: _as_rows(to.execute(query)), writes=False)
        return await asyncio.to_thread(self._made, rows[0]) if rows else None

    async def create(self, user: str, event: NewEvent, key: str) -> Made:
        from antiphon.storage.tables import calendar_events as table
        from antiphon.storage.tables import inserting

        text = await asyncio.to_thread(event_text, event, key, self._now())
        series = Series(uid_of(key), event.title, text)
        row = self._row(user, event.calendar, series, "", key)

        def work(connection: Connection) -> None:
            statement = inserting(connection.dialect.name, table).values(**asdict(row))
            connection.execute(statement.on_conflict_do_nothing())

        await self._run(work)
        made = await self.find(user, event.calendar, key)
        if made is None:
            raise ToolError(
                ErrorType.CONFLICT, "The event was made before and has been cancelled since."
            )
        return made

    async def close(self) -> None:
        """The store is its owner's to close."""

    # -- files

    async def import_ics(
        self, user: str, data: bytes, calendar: str = "primary", *, skip_broken: bool = False
    ) -> ImportReport:
        """Adds the events of an .ics file; one with a known UID replaces the event there.

        Raises BrokenIcsError, which names every event that has a problem, and imports nothing;
        with `skip_broken` those events are left out and reported. All or nothing otherwise.
        """
        _check_name(calendar)
        rows, report = await asyncio.to_thread(
            _read, data, lambda series, zone: self._row(user, calendar, series, zone, None)
        )
        if report.skipped and not skip_broken:
            raise BrokenIcsError(report.skipped)
        if rows:
            await self._run(lambda connection: _save(connection, rows, report))
        return report

    async def export_ics(self, user: str, calendar: str = "primary") -> bytes:
        """Every event of a calendar as an .ics file, as it was imported or made."""
        _check_name(calendar)
        rows = await self._rows(user, (calendar,))
        return await asyncio.to_thread(_written, calendar, rows)

    async def delete(self, user: str, calendar: str, uid: str) -> bool:
        """Removes an event with all its occurrences; False when there was none."""
        from sqlalchemy import delete

        from antiphon.storage.tables import calendar_events as table

        statement = delete(table).where(
            table.c.user == _owner(user, calendar),
            table.c.calendar == calendar,
            table.c.uid == uid,
        )
        return await self._run(lambda to: to.execute(statement).rowcount > 0)

    # -- inside

    async def _run(self, work: Callable[[Connection], Result], *, writes: bool = True) -> Result:
        try:
            return await self._store.run(work, writes=writes)
        except StoreError as error:
            raise ToolError(
                ErrorType.TRANSIENT, f"The calendar's store is not there right now. {error}"
            ) from error

    async def _rows(
        self,
        user: str,
        calendars: Sequence[str],
        start: float | None = None,
        end: float | None = None,
    ) -> list[_Row]:
        from sqlalchemy import or_, select

        from antiphon.storage.tables import calendar_events as table

        of = [
            (table.c.user == _owner(user, name)) & (table.c.calendar == name) for name in calendars
        ]
        query = select(table).where(or_(*of)).order_by(table.c.starts_at, table.c.id)
        if start is not None and end is not None:
            query = query.where(
                table.c.starts_at < end, or_(table.c.ends_at.is_(None), table.c.ends_at > start)
            )
        return await self._run(lambda to: _as_rows(to.execute(query)), writes=False)

    def _row(self, user: str, calendar: str, series: Series, zone: str, key: str | None) -> _Row:
        starts_at, ends_at = series.bounds()
        now = self._now()
        return _Row(
            id=uuid4().hex,
            user=_owner(user, calendar),
            calendar=calendar,
            uid=series.uid,
            key=key,
            title=series.title,
            zone=zone,
            events=series.events,
            zones=series.zones,
            starts_at=starts_at,
            ends_at=ends_at,
            created_at=now,
            updated_at=now,
        )

    def _expand(self, rows: Sequence[_Row], start: datetime, end: datetime) -> list[Occurrence]:
        return [
            one
            for row in rows
            for one in row.series.occurrences(row.calendar, start, end, self._meant(row))
        ]

    def _meant(self, row: _Row) -> tzinfo:
        return zone_named(row.zone) if row.zone else self._zone

    def _made(self, row: _Row) -> Made | None:
        since = datetime.fromtimestamp(row.starts_at, UTC)
        until = datetime.fromtimestamp(row.starts_at + 400 * 86400, UTC)
        found = row.series.occurrences(row.calendar, since, until, self._meant(row))
        first = min(found, key=lambda one: one.start, default=None)
        return None if first is None else Made(row.uid, first, "not_sent")


def _owner(user: str, calendar: str) -> str:
    return "" if calendar == SHARED else user


def _check_name(calendar: str) -> None:
    if calendar not in CALENDARS:
        raise ToolError(
            ErrorType.VALIDATION,
            f"There is no calendar {calendar!r}; there are {', '.join(CALENDARS)}.",
        )


def _as_rows(result: Any) -> list[_Row]:
    return [_Row(**row._mapping) for row in result]


def _read(data: bytes, made: Callable[[Series, str], _Row]) -> tuple[list[_Row], ImportReport]:
    """The events of a file by UID as rows, and a report that names the broken ones."""
    file = cut(data)
    report = ImportReport(skipped=list(file.problems), others=dict(file.others))
    groups: dict[str, list[Block]] = {}
    for block in file.events:
        # Without a UID the same text is the same event, so that importing twice adds it once.
        written = hashlib.sha256(block.text.encode()).hexdigest()[:40]
        groups.setdefault(block.value("UID").strip() or f"{written}@antiphon", []).append(block)
    zone = ""
    if file.zone:
        try:
            zone = getattr(zone_named(file.zone), "key", "UTC")
        except ToolError:
            zone = ""  # a name of another program's; the calendar's own zone is meant
    rows: list[_Row] = []
    for uid, blocks in groups.items():
        distinct = list({block.text: block for block in blocks}.values())
        twice = [block for block in distinct if not block.value("RECURRENCE-ID")][1:]
        problems = [
            Problem(b.line, uid, b.title, "UID", "another event of the file has the same one")
            for b in twice
        ]
        if not problems:
            series, problems = read_series(uid, distinct, file.zones)
            if series is not None:
                rows.append(made(series, zone))
        report.skipped += problems
    report.skipped.sort(key=lambda problem: problem.line)
    return rows, report


def _save(connection: Connection, rows: Sequence[_Row], report: ImportReport) -> None:
    """In few statements: nobody else can write meanwhile."""
    from sqlalchemy import bindparam, insert, select, update

    from antiphon.storage.tables import calendar_events as table

    content = ("title", "zone", "events", "zones", "starts_at", "ends_at")
    query = select(table.c.id, table.c.uid, *(table.c[name] for name in content)).where(
        table.c.user == rows[0].user, table.c.calendar == rows[0].calendar
    )
    there = {row.uid: row._mapping for row in connection.execute(query)}
    added: list[dict[str, Any]] = []
    changed: list[dict[str, Any]] = []
    for row in rows:
        known = there.get(row.uid)
        if known is None:
            added.append(asdict(row))
        elif any(known[name] != getattr(row, name) for name in content):
            new = {name: getattr(row, name) for name in (*content, "updated_at")}
            changed.append({"known_id": known["id"], **new})
    if added:
        connection.execute(insert(table), added)
    if changed:
        values: dict[str, Any] = {name: bindparam(name) for name in (*content, "updated_at")}
        statement = update(table).where(table.c.id == bindparam("known_id")).values(**values)
        connection.execute(statement, changed)
    report.added, report.updated = len(added), len(changed)
    report.unchanged = len(rows) - len(added) - len(changed)


def _written(calendar: str, rows: Sequence[_Row]) -> bytes:
    events, zones = with_zones([(row.events, row.zones) for row in rows])
    return wrapped(events, zones, calendar).encode()
