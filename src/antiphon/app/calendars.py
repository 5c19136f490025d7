"""Calendar factory: the calendar service and meeting links that the settings choose."""

from __future__ import annotations

import logging
from datetime import time

from pydantic import SecretStr

from antiphon.config import Settings
from antiphon.contracts import ToolError
from antiphon.storage import Store
from antiphon.workspace.calendar import CALENDARS, Calendar, CalendarSource, LocalCalendar
from antiphon.workspace.calendar.meetings import (
    FixedLink,
    GoogleMeetLinks,
    JitsiLinks,
    MeetingLinks,
)
from antiphon.workspace.calendar.times import local_zone
from antiphon.workspace.calendar.unavailable import UnavailableCalendar

logger = logging.getLogger(__name__)


def open_calendar(settings: Settings, store: Store) -> Calendar:
    """Nothing is asked of a service before it is needed.

    With settings that cannot be used, every call of the calendar says what is wrong with them.
    """
    chosen = settings.calendar
    zone = chosen.time_zone or local_zone()
    source: CalendarSource
    try:
        source = _source(settings, store, zone)
    except ToolError as error:
        logger.error("the calendar is not there: %s", error.message)
        source = UnavailableCalendar(error)
    day = time.fromisoformat(chosen.day_start), time.fromisoformat(chosen.day_end)
    return Calendar(source, zone=zone, meetings=_meetings(settings), day=day)


def _source(settings: Settings, store: Store, zone: str) -> CalendarSource:
    chosen = settings.calendar
    names = {name: place for name in CALENDARS if (place := getattr(chosen, name)) is not None}
    if chosen.service == "google":
        from antiphon.workspace.calendar.google import ADDRESS, GoogleCalendar
        from antiphon.workspace.calendar.google_requests import GoogleAccess

        access = GoogleAccess(
            token=_plain(chosen.token),
            refresh_token=_plain(chosen.refresh_token),
            client_id=chosen.client_id,
            client_secret=_plain(chosen.client_secret),
        )
        return GoogleCalendar(
            access,
            {"primary": "primary", **names},
            base_url=chosen.url or ADDRESS,
            ca_file=chosen.ca_file,
            zone=zone,
        )
    if chosen.service == "caldav":
        from antiphon.workspace.calendar.caldav import CalDavCalendar

        return CalDavCalendar(
            chosen.url or "",
            {"primary": "", **names},
            username=chosen.username,
            password=_plain(chosen.password),
            token=_plain(chosen.token),
            ca_file=chosen.ca_file,
            zone=zone,
        )
    return LocalCalendar(store, zone)


def meeting_trouble(settings: Settings) -> str | None:
    """What is missing for the meeting links that the settings choose; None: nothing."""
    chosen = settings.calendar.meeting
    if chosen.kind == "link" and not chosen.url:
        return "`calendar.meeting.url` must be the link of the meeting room"
    if chosen.kind == "google_meet" and settings.calendar.service != "google":
        return 'Google Meet needs `calendar.service = "google"`'
    if chosen.kind == "zoom":
        wanted = ("account_id", "client_id", "client_secret")
        missing = [f"`{name}`" for name in wanted if not getattr(chosen, name)]
        if missing:
            return f"Zoom needs {', '.join(missing)} under [calendar.meeting]"
    return None


def _meetings(settings: Settings) -> MeetingLinks | None:
    chosen = settings.calendar.meeting
    if trouble := meeting_trouble(settings):
        logger.error("there are no meeting links: %s", trouble)
        return None
    match chosen.kind:
        case "link":
            return FixedLink(chosen.url or "")
        case "jitsi":
            return JitsiLinks(chosen.url) if chosen.url else JitsiLinks()
        case "google_meet":
            return GoogleMeetLinks()
        case "zoom":
            from antiphon.workspace.calendar.zoom import ZoomLinks

            return ZoomLinks(
                chosen.account_id or "",
                chosen.client_id or "",
                _plain(chosen.client_secret) or "",
                base_url=chosen.url,
                ca_file=chosen.ca_file,
            )
    return None


def _plain(secret: SecretStr | None) -> str | None:
    return None if secret is None else secret.get_secret_value() or None
