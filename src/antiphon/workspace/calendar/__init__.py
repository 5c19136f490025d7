"""Calendars: the local one in the store, Google's and CalDAV's behind the same port."""

from antiphon.workspace.calendar.capability import Calendar
from antiphon.workspace.calendar.ics_text import Problem
from antiphon.workspace.calendar.local import BrokenIcsError, ImportReport, LocalCalendar
from antiphon.workspace.calendar.port import CALENDARS, CalendarSource, Made, NewEvent, Occurrence

__all__ = [
    "CALENDARS",
    "BrokenIcsError",
    "Calendar",
    "CalendarSource",
    "ImportReport",
    "LocalCalendar",
    "Made",
    "NewEvent",
    "Occurrence",
    "Problem",
]
