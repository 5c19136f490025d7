"""Calendars: the local one in the store, Google's and CalDAV's behind the same port."""

from antiphon.workspace.calendar.capability import Calendar
from antiphon.workspace.calendar.ics_text import Problem
from antiphon.workspace.calendar.importing import BrokenIcsError, ImportReport
from antiphon.workspace.calendar.local import LocalCalendar
from antiphon.workspace.calendar.port import (
    CALENDARS,
    CalendarSource,
    KeptEvent,
    Made,
    NewEvent,
    Occurrence,
    OwnCalendars,
)

__all__ = [
    "CALENDARS",
    "BrokenIcsError",
    "Calendar",
    "CalendarSource",
    "ImportReport",
    "KeptEvent",
    "LocalCalendar",
    "Made",
    "NewEvent",
    "Occurrence",
    "OwnCalendars",
    "Problem",
]
