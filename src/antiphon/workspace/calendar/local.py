"""The local calendar: events in the store, read from and written to .ics files."""

from __future__ import annotations

import asyncio
import hashlib
import time
from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass, replace
from datetime import UTC, datetime, tzinfo
from typing import TYPE_CHECKING, Any, TypeVar
from uuid import uuid4

from antiphon.contracts import ErrorType, ToolError
from antiphon.storage import Store, StoreError
from antiphon.workspace.calendar import editing
from antiphon.workspace.calendar.ics_import import IcsImportError, IcsImportReport, parse_ics
from antiphon.workspace.calendar.ics_text import wrap_calendar
from antiphon.workspace.calendar.ics_writer import event_uid, merge_zones, render_event
from antiphon.workspace.calendar.port import (
    CALENDARS,
    CreatedEvent,
    NewEvent,
    Occurrence,
    Place,
    StoredEvent,
    Version,
)
from antiphon.workspace.calendar.series import Series
from antiphon.workspace.calendar.times import zone_named
from antiphon.workspace.calendar.validation import check_version

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

    @property
    def version(self) -> str:
        return hashlib.sha256(f"{self.zone}\0{self.events}".encode()).hexdigest()[:16]


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

    async def find(self, user: str, calendar: str, key: str) -> CreatedEvent | None:
        from sqlalchemy import select

        from antiphon.storage.tables import calendar_events as table

        owner = _owner(user, calendar)
        query = select(table).where(table.c.key == key, table.c.user == owner)
        rows = await self._run(lambda to: _as_rows(to.execute(query)), writes=False)
        return await asyncio.to_thread(self._made, rows[0]) if rows else None

    async def create(self, user: str, event: NewEvent, key: str) -> CreatedEvent:
        from antiphon.storage.tables import calendar_events as table
        from antiphon.storage.tables import inserting

        text = await asyncio.to_thread(render_event, event, key, self._now())
        series = Series(event_uid(key), event.title, text)
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
        """Nothing to close: the store belongs to its owner."""

    # -- files

    async def import_ics(
        self, user: str, data: bytes, calendar: str = "primary", *, skip_broken: bool = False
    ) -> IcsImportReport:
        """Import the events of an .ics file; one with a known UID replaces the event there.

        Raises IcsImportError, which names every event that has a problem, and imports nothing; with
        `skip_broken` those events are left out and reported. All or nothing otherwise.
        """
        _check_name(calendar)
        found, zone, report = await asyncio.to_thread(parse_ics, data)
        if report.skipped and not skip_broken:
            raise IcsImportError(report.skipped)
        rows = await asyncio.to_thread(
            lambda: [self._row(user, calendar, series, zone, None) for series in found]
        )
        if rows:
            await self._run(lambda connection: _save(connection, rows, report))
        return report

    async def export_ics(self, user: str, calendar: str = "primary") -> bytes:
        """Every event of a calendar as an .ics file, as it was imported or made."""
        _check_name(calendar)
        rows = await self._rows(user, (calendar,))
        return await asyncio.to_thread(_written, calendar, rows)

    # -- changes

    async def read(
        self, user: str, calendar: str, uid: str, place: Place = None
    ) -> StoredEvent | None:
        """The event of a UID, or one of its times; None where there is none."""

        def work(connection: Connection) -> StoredEvent | None:
            row = _row_of(connection, user, calendar, uid)
            if row is None:
                return None
            found = editing.stored_event(row.series, calendar, self._meant(row), place)
            return None if found is None else replace(found, version=row.version)

        return await self._run(work, writes=False)

    async def change(
        self, user: str, uid: str, event: NewEvent, place: Place = None, version: Version = None
    ) -> int | None:
        """Change an event with all its times, or one of them; see WritableCalendar.change."""
        now = self._now()

        def work(connection: Connection) -> int | None:
            row = _row_of(connection, user, event.calendar, uid, writes=True)
            if row is None:
                return None
            check_version(row.version, version)
            zone, lost = self._meant(row), 0
            if place is None:
                new, lost = editing.edit_series(row.series, event, zone, now)
            elif (once := editing.edit_occurrence(row.series, event, zone, place, now)) is None:
                return None
            else:
                new = once
            self._put(connection, row, new)
            return lost

        return await self._run(work)

    async def remove(
        self, user: str, calendar: str, uid: str, place: Place = None, version: Version = None
    ) -> bool:
        """Delete an event with all its times, or one of them; see WritableCalendar.remove."""
        from sqlalchemy import delete

        from antiphon.storage.tables import calendar_events as table

        now = self._now()

        def work(connection: Connection) -> bool:
            row = _row_of(connection, user, calendar, uid, writes=True)
            if row is None:
                return False
            check_version(row.version, version)
            left: Series | None = None
            if place is not None:
                left = editing.exclude_occurrence(row.series, self._meant(row), place, now)
                if left is None:
                    return False
            if left is None or editing.has_ended(left, self._meant(row)):
                connection.execute(delete(table).where(table.c.id == row.id))
            else:
                self._put(connection, row, left)
            return True

        return await self._run(work)

    def _put(self, connection: Connection, row: _Row, series: Series) -> None:
        from sqlalchemy import update

        from antiphon.storage.tables import calendar_events as table

        starts_at, ends_at = series.bounds()
        values = {
            "title": series.title,
            "events": series.events,
            "zones": series.zones,
            "starts_at": starts_at,
            "ends_at": ends_at,
            "updated_at": self._now(),
        }
        connection.execute(update(table).where(table.c.id == row.id).values(values))

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

    def _made(self, row: _Row) -> CreatedEvent | None:
        since = datetime.fromtimestamp(row.starts_at, UTC)
        until = datetime.fromtimestamp(row.starts_at + 400 * 86400, UTC)
        found = row.series.occurrences(row.calendar, since, until, self._meant(row))
        first = min(found, key=lambda one: one.start, default=None)
        return None if first is None else CreatedEvent(row.uid, first, "not_sent")


def _owner(user: str, calendar: str) -> str:
    return "" if calendar == SHARED else user


def _check_name(calendar: str) -> None:
    if calendar not in CALENDARS:
        raise ToolError(
            ErrorType.VALIDATION,
            f"There is no calendar {calendar!r}; there are {', '.join(CALENDARS)}.",
        )


def _row_of(
    connection: Connection, user: str, calendar: str, uid: str, *, writes: bool = False
) -> _Row | None:
    """The row of a UID; with `writes` it is locked until the end of the transaction."""
    from sqlalchemy import select

    from antiphon.storage.tables import calendar_events as table

    of = (table.c.user == _owner(user, calendar), table.c.calendar == calendar)
    query = select(table).where(*of, table.c.uid == uid)
    rows = _as_rows(connection.execute(query.with_for_update() if writes else query))
    return rows[0] if rows else None


def _as_rows(result: Any) -> list[_Row]:
    return [_Row(**row._mapping) for row in result]


def _save(connection: Connection, rows: Sequence[_Row], report: IcsImportReport) -> None:
    """Insert or replace rows in few statements, as nobody else can write meanwhile."""
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
    events, zones = merge_zones([(row.events, row.zones) for row in rows])
    return wrap_calendar(events, zones, calendar).encode()
