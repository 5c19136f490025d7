"""Calendar port: the protocols that a service implements, and the records they exchange."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date, datetime
from typing import Literal, Protocol, runtime_checkable

# The calendars that people speak of. A service maps them to its own.
CALENDARS = ("primary", "team", "personal")

Status = Literal["busy", "tentative", "free"]
# Who tells the attendees: the service has done it, the server of the calendar may, or nobody.
Invitations = Literal["sent", "by_server", "not_sent"]


# One time of a series (see Occurrence); None: the event with all its times.
Place = datetime | None
# The version of an event when it was read; None: whichever it has by now.
Version = str | None


@dataclass(frozen=True, slots=True)
class Occurrence:
    """One event at one time; a recurring event has several. `start` and `end` are aware.

    `days` are the first and the last day of an all-day event. `place` is when this one is due by
    the rule of its series, wherever it was moved to; None where nothing repeats.
    """

    calendar: str
    uid: str
    start: datetime
    end: datetime
    status: Status = "busy"
    title: str = ""
    description: str = ""
    location: str = ""
    attendees: int = 0
    all_day: bool = False
    recurring: bool = False
    days: tuple[date, date] | None = None
    place: datetime | None = None
    url: str | None = None  # of the online meeting

    @property
    def is_busy(self) -> bool:
        return self.status != "free"


@dataclass(frozen=True, slots=True)
class NewEvent:
    """An event to be created. Where `zone` is a name, `start` and `end` are in that zone.

    An all-day event starts and ends at midnights there.
    """

    calendar: str
    title: str
    start: datetime
    end: datetime
    zone: str | None = None
    attendees: tuple[str, ...] = ()
    description: str = ""
    location: str = ""
    recurrence: str | None = None
    url: str | None = None
    all_day: bool = False
    status: Status = "busy"
    conference: bool = False  # the service is to add an online meeting of its own


@dataclass(frozen=True, slots=True)
class StoredEvent(NewEvent):
    """An event as it is kept: of a series, its first time. `zone` is None where the event names
    one that nobody else knows. `exceptions` counts times that were moved or left out. `version` is
    another one after every change, whoever makes it."""

    uid: str = ""
    recurring: bool = False
    exceptions: int = 0
    version: str = ""


@dataclass(frozen=True, slots=True)
class CreatedEvent:
    """An event that was created; `event` is its first occurrence."""

    id: str
    event: Occurrence
    invitations: Invitations
    link: str | None = None


class CalendarSource(Protocol):
    """A calendar service that can be read and can create events. Methods raise only ToolError."""

    label: str

    async def occurrences(
        self, user: str, calendars: Sequence[str], start: datetime, end: datetime
    ) -> list[Occurrence]:
        """Every occurrence between two times that is not cancelled, in no order."""
        ...

    async def busy(
        self, user: str, calendars: Sequence[str], start: datetime, end: datetime
    ) -> list[Occurrence]:
        """The busy periods between two times, without what they are about."""
        ...

    async def find(self, user: str, calendar: str, key: str) -> CreatedEvent | None:
        """The event that was created with a key; None where there is none."""
        ...

    async def create(self, user: str, event: NewEvent, key: str) -> CreatedEvent:
        """Create one event for a key, however often it is called with it."""
        ...

    async def close(self) -> None: ...


@runtime_checkable
class WritableCalendar(Protocol):
    """A service whose events are ours to change. Every method raises ToolError and nothing else.

    `place` is one time of a series (see Occurrence); None means the event with all its times.
    `version` is that of the event as it was read: where it is another one by now, nothing is done
    and CONFLICT raised. None: whatever it is by now.
    """

    async def read(
        self, user: str, calendar: str, uid: str, place: Place = None
    ) -> StoredEvent | None: ...

    async def change(
        self, user: str, uid: str, event: NewEvent, place: Place = None, version: Version = None
    ) -> int | None:
        """Replace an event or one time of it. Return how many moved or left-out times of the series
        were given up for it, or None where there is no such event."""
        ...

    async def remove(
        self, user: str, calendar: str, uid: str, place: Place = None, version: Version = None
    ) -> bool:
        """Delete an event or one time of it. Return False where there is no such event or time."""
        ...
