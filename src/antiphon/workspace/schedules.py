"""Schedules: when macros, workflows and agents run by themselves, by the clock or the calendar."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING, Annotated, Any, Literal
from uuid import uuid4

import orjson
from pydantic import Field, TypeAdapter

from antiphon.contracts import ErrorType, ToolError
from antiphon.storage import Store
from antiphon.text.cron import CronError, explain_cron, next_times, parse_cron
from antiphon.workspace.calendar import Calendar
from antiphon.workspace.calendar.times import zone_named
from antiphon.workspace.errors import NotThere, field_error, from_store, invalid
from antiphon.workspace.runs.log import RunKind
from antiphon.workspace.validation import Line, StrictModel

if TYPE_CHECKING:
    from sqlalchemy import Connection

MAX_SCHEDULES = 100
# So far ahead events are looked for.
LOOK_AHEAD = timedelta(days=35)
MAX_MINUTES = 7 * 24 * 60

# What becomes of times at which no server was there: nothing, or one run for all of them.
Missed = Literal["skip", "run_once"]


class CronTrigger(StrictModel):
    """Times by a cron expression: minute, hour, day of month, month, day of week."""

    type: Literal["cron"]
    expression: Annotated[Line, Field(max_length=200, examples=["0 8 * * 1-5"])]


class EventTrigger(StrictModel):
    """The start of each event whose title contains some words, or minutes before it."""

    type: Literal["event"]
    title: Annotated[Line, Field(max_length=200, examples=["Stand-up"])]
    minutes_before: Annotated[int, Field(ge=0, le=MAX_MINUTES)] = 0


Trigger = Annotated[CronTrigger | EventTrigger, Field(discriminator="type")]
_TRIGGER: TypeAdapter[CronTrigger | EventTrigger] = TypeAdapter(Trigger)


@dataclass(frozen=True, slots=True)
class Schedule:
    """When one automation of a user runs by itself. `data` is what the program knew of the user
    when it was saved; None: nobody signs in. `credential` is what they had shown then, '' for
    none: it runs with their rights of the day, within its bounds; None: they have none that say
    so. Times are epoch seconds, `next_at` None: never."""

    id: str
    user: str
    data: Mapping[str, Any] | None
    kind: RunKind
    name: str
    input: str
    trigger: CronTrigger | EventTrigger
    zone: str
    missed: Missed
    enabled: bool
    created_at: float
    updated_at: float
    next_at: float | None = None
    last_at: float | None = None
    last_run: str | None = None
    problem: str | None = None
    organisation: str = ""
    credential: str | None = None


def describe(trigger: CronTrigger | EventTrigger) -> str:
    """Return when it runs, in words. Raises VALIDATION for an expression that is none."""
    if isinstance(trigger, CronTrigger):
        return explain_cron(_cron(trigger))
    minutes = trigger.minutes_before
    when = "At the start of" if not minutes else f"{_span(minutes)} before"
    return f"{when} each event called “{trigger.title}”."


def _span(minutes: int) -> str:
    for size, unit in ((24 * 60, "day"), (60, "hour"), (1, "minute")):
        if minutes % size == 0:
            count = minutes // size
            return f"{count} {unit}{'' if count == 1 else 's'}"
    raise AssertionError


async def upcoming(
    trigger: CronTrigger | EventTrigger,
    zone: str,
    user: str,
    calendar: Calendar | None,
    after: float,
    count: int = 1,
) -> list[float]:
    """Return the next times after a moment. Raises VALIDATION for a trigger that is none, and what
    the calendar raises."""
    moment = datetime.fromtimestamp(after, UTC)
    if isinstance(trigger, CronTrigger):
        times = next_times(_cron(trigger), moment, zone_named(zone, "/zone"), count)
        return [each.timestamp() for each in times]
    if calendar is None:
        raise ToolError(ErrorType.UNAVAILABLE, "This server has no calendar.")
    before = timedelta(minutes=trigger.minutes_before)
    found = await calendar.occurrences(user, moment, moment + before + LOOK_AHEAD)
    wanted = trigger.title.casefold()
    starts = {each.start.timestamp() for each in found if wanted in each.title.casefold()}
    return sorted(at for start in starts if (at := start - before.total_seconds()) > after)[:count]


def _cron(trigger: CronTrigger) -> Any:
    try:
        return parse_cron(trigger.expression)
    except CronError as error:
        expected = "minute, hour, day of month, month and day of week, such as 0 8 * * 1-5"
        raise invalid(
            [field_error("/trigger/expression", str(error), expected)], "It cannot be scheduled"
        ) from None


class Schedules:
    """The schedules of every user, in the store. All methods raise ToolError and nothing else."""

    def __init__(self, store: Store, *, now: Callable[[], float] = time.time) -> None:
        self._store = store
        self._now = now

    # -- reading -------------------------------------------------------------------------------

    async def all(self, user: str | None) -> list[Schedule]:
        """Return the schedules of a user, or of all users, the oldest first."""
        return await from_store(self._store.run(lambda to: _rows(to, user=user), writes=False))

    async def find(self, user: str | None, id: str) -> Schedule:
        """Return the schedule of that id. Raises NotThere."""
        rows = await from_store(
            self._store.run(lambda to: _rows(to, user=user, id=id), writes=False)
        )
        if not rows:
            raise NotThere(f"There is no schedule {id!r}.")
        return rows[0]

    async def enabled(self) -> list[Schedule]:
        """Return the schedules of all users that are not switched off."""
        return await from_store(self._store.run(lambda to: _rows(to, enabled=True), writes=False))

    # -- writing -------------------------------------------------------------------------------

    async def save(self, schedule: Schedule, calendar: Calendar | None) -> Schedule:
        """Save a schedule, a new one where its id is empty, and work out when it runs next. Raises
        VALIDATION for one that would never run, CONFLICT where there are too many."""
        now = self._now()
        zone_named(schedule.zone, "/zone")
        describe(schedule.trigger)
        next_at = await self._next(schedule, calendar, now)
        if isinstance(schedule.trigger, CronTrigger) and next_at is None:
            words = "never comes: there is no such day"
            raise invalid(
                [field_error("/trigger/expression", words, "a day that there is")],
                "It cannot be scheduled",
            )
        saved = replace(
            schedule,
            id=schedule.id or uuid4().hex,
            created_at=schedule.created_at or now,
            updated_at=now,
            next_at=next_at if schedule.enabled else None,
            problem=None,
        )

        def work(connection: Connection) -> None:
            from antiphon.storage.tables import inserting, schedules

            there = [each.id for each in _rows(connection, user=saved.user)]
            if saved.id not in there and len(there) >= MAX_SCHEDULES:
                words = f"There are {MAX_SCHEDULES} schedules already. Delete one first."
                raise ToolError(ErrorType.CONFLICT, words)
            values = _values(saved)
            changed = {name: value for name, value in values.items() if name != "id"}
            connection.execute(
                inserting(connection.dialect.name, schedules)
                .values(values)
                .on_conflict_do_update(index_elements=["id"], set_=changed)
            )

        await from_store(self._store.run(work))
        return saved

    async def _next(
        self, schedule: Schedule, calendar: Calendar | None, after: float
    ) -> float | None:
        times = await upcoming(schedule.trigger, schedule.zone, schedule.user, calendar, after)
        return times[0] if times else None

    async def delete(self, user: str | None, id: str) -> Schedule:
        """Delete a schedule and return it. Raises NotThere."""
        schedule = await self.find(user, id)

        def work(connection: Connection) -> None:
            from sqlalchemy import delete

            from antiphon.storage.tables import schedules

            connection.execute(delete(schedules).where(schedules.c.id == id))

        await from_store(self._store.run(work))
        return schedule

    async def advance(self, schedule: Schedule, **changes: Any) -> bool:
        """Change `next_at`, `last_at`, `last_run`, `problem` or `enabled` of a schedule as it was
        read; return False where it was changed meanwhile, by a person or by another process."""

        def work(connection: Connection) -> bool:
            from sqlalchemy import update

            from antiphon.storage.tables import schedules

            same = schedules.c.next_at == schedule.next_at
            if schedule.next_at is None:
                same = schedules.c.next_at.is_(None)
            unchanged = schedules.c.updated_at == schedule.updated_at
            statement = update(schedules).where(schedules.c.id == schedule.id, same, unchanged)
            return connection.execute(statement.values(**changes)).rowcount == 1

        return await from_store(self._store.run(work))


def _rows(connection: Connection, **wanted: Any) -> list[Schedule]:
    from sqlalchemy import select

    from antiphon.storage.tables import schedules

    statement = select(schedules).order_by(schedules.c.created_at, schedules.c.id)
    for name, value in wanted.items():
        if value is not None:
            statement = statement.where(schedules.c[name] == value)
    found = []
    for row in connection.execute(statement).mappings():
        values = dict(row)
        values["data"] = None if row["data"] is None else orjson.loads(row["data"])
        values["trigger"] = _TRIGGER.validate_json(row["trigger"])
        found.append(Schedule(**values))
    return found


def _values(schedule: Schedule) -> dict[str, Any]:
    values = {name: getattr(schedule, name) for name in Schedule.__dataclass_fields__}
    data = schedule.data
    values["data"] = None if data is None else orjson.dumps(dict(data)).decode()
    values["trigger"] = schedule.trigger.model_dump_json()
    return values
