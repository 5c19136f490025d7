"""Request and response bodies of the calendar routes."""

from __future__ import annotations

from datetime import datetime, timedelta, tzinfo
from typing import Annotated, Any, Literal

from pydantic import BaseModel, ConfigDict, Field

from antiphon.server.bodies import Body
from antiphon.workspace.calendar import Occurrence, StoredEvent
from antiphon.workspace.calendar.times import format_time

CalendarName = Literal["primary", "team", "personal"]
Status = Literal["busy", "tentative", "free"]

_DAY_OR_TIME: dict[str, Any] = {
    "anyOf": [{"type": "string", "format": "date"}, {"type": "string", "format": "date-time"}]
}
_TIME = "ISO 8601 with an offset, or without one beside `time_zone`. With `all_day` a day."


class EventBody(Body):
    """What an event is to be. `end_time` of an event of whole days is its last day."""

    model_config = ConfigDict(
        json_schema_extra={
            "example": {
                "title": "Design review",
                "start_time": "2030-01-14T10:00",
                "end_time": "2030-01-14T11:00",
                "time_zone": "Europe/Berlin",
                "recurrence": "FREQ=WEEKLY;COUNT=4",
            }
        }
    )

    title: str = Field(max_length=200)
    start_time: str = Field(max_length=40, description=_TIME, json_schema_extra=_DAY_OR_TIME)
    end_time: str = Field(max_length=40, description=_TIME, json_schema_extra=_DAY_OR_TIME)
    time_zone: str | None = Field(default=None, min_length=1, max_length=64)
    all_day: bool = False
    calendar: CalendarName = "primary"
    description: str = Field(default="", max_length=20_000)
    location: str = Field(default="", max_length=1000)
    attendees: list[Annotated[str, Field(min_length=3, max_length=254, pattern=r"^\S+@\S+$")]] = (
        Field(default_factory=list, max_length=200, description="Addresses.")
    )
    recurrence: str | None = Field(
        default=None, min_length=1, max_length=500, description="A rule of RFC 5545."
    )
    status: Status = Field(default="busy", description="`free` leaves the time free.")
    allow_overlap: bool = Field(
        default=False, description="Save it although something else is at that time."
    )


class CalendarEvent(BaseModel):
    """One event at one time. Events of whole days have days in `start` and `end`, both included."""

    id: str = Field(examples=["primary:4711@example.com"])
    calendar: CalendarName
    title: str
    start: str = Field(examples=["2030-01-14T10:00:00+01:00"])
    end: str = Field(examples=["2030-01-14T11:00:00+01:00"])
    all_day: bool
    status: Status
    description: str
    location: str
    attendees: int = Field(description="How many.")
    recurring: bool
    occurrence: str | None = Field(
        description="Names this time of a recurring event, wherever it was moved to."
    )


class EventPage(BaseModel):
    events: list[CalendarEvent] = Field(description="In order, recurring ones at each time.")
    count: int
    left_off: int = Field(description="How many more there are than fit into one answer.")
    time_zone: str = Field(description="The calendar's own, for days without one.")
    kept_by: str = Field(examples=["the local calendar"])
    changeable: bool = Field(description="Whether events can be changed and deleted here.")
    files: bool = Field(description="Whether .ics files go in and out here.")


class EventDetail(BaseModel):
    """An event as a form shows it; of a series, its first time, unless one was asked for."""

    id: str
    calendar: CalendarName
    title: str
    start: str
    end: str
    all_day: bool
    status: Status
    time_zone: str | None = Field(
        description="Null where the event names one that nobody else knows."
    )
    description: str
    location: str
    attendees: list[str]
    recurrence: str | None
    recurring: bool
    exceptions: int = Field(description="Times of the series that were moved or left out.")
    url: str | None
    occurrence: str | None
    version: str = Field(
        description="Another one after every change, whoever makes it; see `If-Match`."
    )


class EventSaved(BaseModel):
    event: EventDetail
    overlaps: list[Overlap]
    warnings: list[str]


class Overlap(BaseModel):
    model_config = ConfigDict(extra="allow")

    title: str | None
    start: str
    end: str
    calendar: str
    status: Status


class EventDeleted(BaseModel):
    deleted: str = Field(description="The id.")
    occurrence: str | None


class CalendarImportProblem(BaseModel):
    line: int
    uid: str
    title: str
    property: str = Field(examples=["DTEND"])
    problem: str = Field(examples=["the event ends before it starts"])


class CalendarImportResult(BaseModel):
    added: int
    updated: int
    unchanged: int
    skipped: list[CalendarImportProblem]
    others: dict[str, int] = Field(description="Entries that are no events, by their kind.")


class FreeSlot(BaseModel):
    start: str
    end: str
    duration_minutes: int


class DateRange(BaseModel):
    start: str
    end: str


class CalendarAvailability(BaseModel):
    date_range: DateRange
    existing_events: list[Overlap]
    available_slots: list[FreeSlot]
    summary: str
    note: str | None = None


def event_id(calendar: str, uid: str) -> str:
    return f"{calendar}:{uid}"


def listed(one: Occurrence, zone: tzinfo) -> CalendarEvent:
    start, end = format_time(one.start, zone), format_time(one.end, zone)
    if one.days is not None:
        start, end = (day.isoformat() for day in one.days)
    return CalendarEvent.model_validate(
        {
            "id": event_id(one.calendar, one.uid),
            "calendar": one.calendar,
            "title": one.title,
            "start": start,
            "end": end,
            "all_day": one.all_day,
            "status": one.status,
            "description": one.description,
            "location": one.location,
            "attendees": one.attendees,
            "recurring": one.recurring,
            "occurrence": None if one.place is None else format_time(one.place),
        }
    )


def detailed(event: StoredEvent, place: datetime | None) -> EventDetail:
    start, end = format_time(event.start), format_time(event.end)
    if event.all_day:
        start = event.start.date().isoformat()
        end = (event.end.date() - timedelta(days=1)).isoformat()
    return EventDetail.model_validate(
        {
            "id": event_id(event.calendar, event.uid),
            "calendar": event.calendar,
            "title": event.title,
            "start": start,
            "end": end,
            "all_day": event.all_day,
            "status": event.status,
            "time_zone": event.zone,
            "description": event.description,
            "location": event.location,
            "attendees": list(event.attendees),
            "recurrence": event.recurrence,
            "recurring": event.recurring,
            "exceptions": event.exceptions,
            "url": event.url,
            "occurrence": None if place is None else format_time(place),
            "version": event.version,
        }
    )
