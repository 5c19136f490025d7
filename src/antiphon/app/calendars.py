"""Calendar factory: the calendar service and meeting links that the settings choose."""

from __future__ import annotations

import logging
from datetime import time

from pydantic import SecretStr

from antiphon.config import Settings
from antiphon.config.settings import CalendarSettings
from antiphon.contracts import ErrorType, ToolError
from antiphon.plugins import PluginError, Plugins
from antiphon.storage import Store
from antiphon.workspace.calendar import CALENDARS, Calendar, CalendarSource
from antiphon.workspace.calendar.factories import CalendarOptions
from antiphon.workspace.calendar.meetings import (
    FixedLink,
    GoogleMeetLinks,
    JitsiLinks,
    MeetingLinks,
)
from antiphon.workspace.calendar.times import local_zone
from antiphon.workspace.calendar.unavailable import UnavailableCalendar

logger = logging.getLogger(__name__)


def open_calendar(settings: Settings, store: Store, plugins: Plugins | None = None) -> Calendar:
    """Make the calendar of the settings; nothing is asked of a service before it is needed.

    With settings that cannot be used, every call of the calendar says what is wrong with them.
    """
    chosen = settings.calendar
    zone = chosen.time_zone or local_zone()
    source: CalendarSource
    try:
        source = _source(settings, store, zone, plugins or Plugins())
    except ToolError as error:
        logger.error("the calendar is not there: %s", error.message)
        source = UnavailableCalendar(error)
    day = time.fromisoformat(chosen.day_start), time.fromisoformat(chosen.day_end)
    return Calendar(source, zone=zone, meetings=_meetings(settings), day=day)


def open_shared_calendar(settings: Settings, store: Store) -> Calendar:
    """Make the calendar of organisations beside the first: the built-in one. The service, the
    account and the meeting room of the settings are the operator's."""
    chosen = settings.calendar
    own = CalendarSettings(
        time_zone=chosen.time_zone, day_start=chosen.day_start, day_end=chosen.day_end
    )
    return open_calendar(settings.model_copy(update={"calendar": own}), store)


def _source(settings: Settings, store: Store, zone: str, plugins: Plugins) -> CalendarSource:
    chosen = settings.calendar
    options = CalendarOptions(
        store=store,
        zone=zone,
        calendars={
            name: place for name in CALENDARS if (place := getattr(chosen, name)) is not None
        },
        url=chosen.url,
        ca_file=chosen.ca_file,
        token=_plain(chosen.token),
        refresh_token=_plain(chosen.refresh_token),
        client_id=chosen.client_id,
        client_secret=_plain(chosen.client_secret),
        username=chosen.username,
        password=_plain(chosen.password),
    )
    try:
        made: CalendarSource = plugins.find("calendars", chosen.service).load()(options)
    except PluginError as error:
        raise ToolError(ErrorType.PERMANENT, str(error)) from error
    return made


def meeting_trouble(settings: Settings) -> str | None:
    """The settings that are missing for the chosen meeting links, in words; None: none."""
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
