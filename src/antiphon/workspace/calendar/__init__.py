"""Calendars: the local one in the store, Google's and CalDAV's behind the same port."""

from antiphon.workspace.calendar.capability import Calendar
from antiphon.workspace.calendar.ics_import import IcsImportError, IcsImportReport
from antiphon.workspace.calendar.ics_text import IcsProblem
from antiphon.workspace.calendar.local import LocalCalendar
from antiphon.workspace.calendar.port import (
    CALENDARS,
    CalendarSource,
    CreatedEvent,
    NewEvent,
    Occurrence,
    Place,
    StoredEvent,
    Version,
    WritableCalendar,
)

__all__ = [
    "CALENDARS",
    "Calendar",
    "CalendarSource",
    "CreatedEvent",
    "IcsImportError",
    "IcsImportReport",
    "IcsProblem",
    "LocalCalendar",
    "NewEvent",
    "Occurrence",
    "Place",
    "StoredEvent",
    "Version",
    "WritableCalendar",
]
