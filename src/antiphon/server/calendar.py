"""The calendar that the settings choose, as handlers find it under `context.calendar`."""

from __future__ import annotations

import logging
from datetime import time

from pydantic import SecretStr

from antiphon.config import Settings
from antiphon.contracts import ToolError
from antiphon.storage import Store
from antiphon.workspace.calendar import CALENDARS, Calendar, CalendarSource, LocalCalendar
from antiphon.workspace.calendar.times import zone_here
from antiphon.workspace.calendar.unavailable import NoCalendar

logger = logging.getLogger(__name__)


def open_calendar(settings: Settings, store: Store) -> Calendar:
    """Nothing is asked of a service before it is needed.

    With settings that cannot be used, every call of the calendar says what is wrong with them.
    """
    chosen = settings.calendar
    zone = chosen.time_zone or zone_here()
    source: CalendarSource
    try:
        source = _source(settings, store, zone)
    except ToolError as error:
        logger.error("the calendar is not there: %s", error.message)
        source = NoCalendar(error)
    day = time.fromisoformat(chosen.day_start), time.fromisoformat(chosen.day_end)
    return Calendar(source, zone=zone, meeting_url=chosen.meeting_url, day=day)


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


def _plain(secret: SecretStr | None) -> str | None:
    return None if secret is None else secret.get_secret_value() or None
