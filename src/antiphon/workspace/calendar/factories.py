"""Calendar factories: each service made from the same options."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from antiphon.workspace.calendar.port import CalendarSource


@dataclass(frozen=True, slots=True)
class CalendarOptions:
    """What the settings say of a calendar service; a factory takes what it needs of it.

    `calendars` has the service's own names for those of `port.CALENDARS` that are set; `store` is
    the application's, for services that keep events there.
    """

    store: Any
    zone: str
    calendars: Mapping[str, str] = field(default_factory=dict)
    url: str | None = None
    ca_file: Path | None = None
    token: str | None = field(default=None, repr=False)
    refresh_token: str | None = field(default=None, repr=False)
    client_id: str | None = None
    client_secret: str | None = field(default=None, repr=False)
    username: str | None = None
    password: str | None = field(default=None, repr=False)


def local_calendar(options: CalendarOptions) -> CalendarSource:
    """The calendar in the application's own store."""
    from antiphon.workspace.calendar.local import LocalCalendar

    return LocalCalendar(options.store, options.zone)


def google_calendar(options: CalendarOptions) -> CalendarSource:
    """Google Calendar. Raises ToolError when the access is not complete."""
    from antiphon.workspace.calendar.google import ADDRESS, GoogleCalendar
    from antiphon.workspace.calendar.google_requests import GoogleAccess

    access = GoogleAccess(
        token=options.token,
        refresh_token=options.refresh_token,
        client_id=options.client_id,
        client_secret=options.client_secret,
    )
    return GoogleCalendar(
        access,
        {"primary": "primary", **options.calendars},
        base_url=options.url or ADDRESS,
        ca_file=options.ca_file,
        zone=options.zone,
    )


def caldav_calendar(options: CalendarOptions) -> CalendarSource:
    """A CalDAV server. Raises ToolError when the address cannot be used."""
    from antiphon.workspace.calendar.caldav import CalDavCalendar

    return CalDavCalendar(
        options.url or "",
        {"primary": "", **options.calendars},
        username=options.username,
        password=options.password,
        token=options.token,
        ca_file=options.ca_file,
        zone=options.zone,
    )
