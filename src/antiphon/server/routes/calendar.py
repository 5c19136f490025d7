"""The calendar over HTTP: events in a range, one event, files, and free time.

A person's own form is its own confirmation: what is done here is in the audit, and nobody is asked.
"""

from __future__ import annotations

from datetime import UTC, datetime, time, timedelta
from typing import Annotated, Any
from uuid import uuid4

from fastapi import APIRouter, Header, Path, Query, Request
from starlette.responses import Response

from antiphon.contracts import ErrorType, ToolError
from antiphon.orchestrator import Orchestrator
from antiphon.server.bodies import StrictRoute, idempotency_key
from antiphon.server.dependencies import HttpSessionsDep, ServicesDep
from antiphon.server.http_sessions import HttpSessions
from antiphon.server.problems import ProblemError, documented
from antiphon.server.schemas.calendar import (
    CalendarAvailability,
    CalendarImportResult,
    CalendarName,
    EventBody,
    EventDeleted,
    EventDetail,
    EventPage,
    EventSaved,
    detailed,
    event_id,
    listed,
)
from antiphon.server.services import ServerServices
from antiphon.server.stored_knowledge import UploadGateDep
from antiphon.server.workspace_errors import answered, note, problem_of
from antiphon.workspace.calendar import (
    CALENDARS,
    Calendar,
    LocalCalendar,
    StoredEvent,
    WritableCalendar,
)
from antiphon.workspace.calendar.times import invalid, parse_time, zone_named
from antiphon.workspace.calendar.validation import version_conflict

router = APIRouter(prefix="/api/calendar", tags=["calendar"], route_class=StrictRoute)

ICS = "text/calendar"
MAX_DAYS = 100
MOST = 5000

DAY_OR_TIME: dict[str, Any] = {
    "anyOf": [{"type": "string", "format": "date"}, {"type": "string", "format": "date-time"}]
}
EventId = Annotated[str, Path(max_length=1200, examples=["primary:4711@example.com"])]
TimeZone = Annotated[
    str | None, Query(max_length=64, description="Of answers, and of days without an offset.")
]
Occurrence = Annotated[
    str | None,
    Query(
        max_length=40,
        description="Only this time of a recurring event; `occurrence` of one.",
        json_schema_extra={"format": "date-time"},
    ),
]
Seen = Annotated[
    str | None,
    Header(
        alias="If-Match",
        max_length=300,
        description="The `version` of the event as it was read: where it is another one by now, "
        "nothing is done.",
    ),
]
Calendars = Annotated[list[CalendarName] | None, Query(description="All, if left out.")]


# -- events ----------------------------------------------------------------------------------------


@router.get(
    "/events",
    summary="The events of a range of time",
    responses=documented(400, 403, 422, 429, 503),
)
async def get_events(
    services: ServicesDep,
    http_sessions: HttpSessionsDep,
    start: Annotated[
        str, Query(max_length=40, examples=["2030-01-01"], json_schema_extra=DAY_OR_TIME)
    ],
    end: Annotated[
        str,
        Query(
            max_length=40,
            description="A day is included.",
            examples=["2030-01-31"],
            json_schema_extra=DAY_OR_TIME,
        ),
    ],
    time_zone: TimeZone = None,
    calendar: Calendars = None,
) -> EventPage:
    opened = _calendar(services, http_sessions)
    try:
        zone = opened.zone if time_zone is None else zone_named(time_zone)
        since = parse_time(start, "/start", zone, zone)
        until = parse_time(end, "/end", zone, zone, end=True)
        if until <= since:
            raise invalid("/end", "it is not after start", "a range that starts before it ends")
        if until - since > timedelta(days=MAX_DAYS, hours=2):
            raise invalid("/end", "the range is too long", f"at most {MAX_DAYS} days")
    except ToolError as error:
        raise problem_of(error) from None
    found = await answered(
        opened.occurrences(http_sessions.user, since, until, calendar or CALENDARS)
    )
    return EventPage(
        events=[listed(one, zone) for one in found[:MOST]],
        count=min(len(found), MOST),
        left_off=max(0, len(found) - MOST),
        time_zone=str(getattr(opened.zone, "key", "UTC")),
        kept_by=opened.source.label,
        changeable=isinstance(opened.source, WritableCalendar),
        files=isinstance(opened.source, LocalCalendar),
    )


@router.post(
    "/events",
    summary="Make an event",
    description="A time that is taken is a 409 that names what is there, unless `allow_overlap`.",
    status_code=201,
    responses=documented(400, 403, 409, 422, 429, 503),
)
async def make_event(
    services: ServicesDep,
    http_sessions: HttpSessionsDep,
    body: EventBody,
    idempotency_key: Annotated[
        str | None,
        idempotency_key("Makes one event."),
    ] = None,
) -> EventSaved:
    opened = _calendar(services, http_sessions)
    key = f"console/{http_sessions.user}/{idempotency_key or uuid4().hex}"
    made = await answered(
        opened.create(
            http_sessions.user,
            key,
            now=_now(services),
            allow_overlap=body.allow_overlap,
            details=True,
            **_wanted(body),
        )
    )
    event = await _made(opened, http_sessions.user, body, made)
    await note(http_sessions, "calendar_event_saved", event=event.id, title=event.title)
    return EventSaved(event=event, overlaps=made["overlaps"], warnings=made["warnings"])


@router.get(
    "/events/{id:path}",
    summary="One event",
    responses=documented(400, 403, 404, 422, 429, 503),
)
async def get_event(
    services: ServicesDep,
    http_sessions: HttpSessionsDep,
    id: EventId,
    occurrence: Occurrence = None,
) -> EventDetail:
    opened = _calendar(services, http_sessions)
    place = _place(occurrence)
    return detailed(await _kept(opened, http_sessions.user, id, place), place)


@router.put(
    "/events/{id:path}",
    summary="Change an event, or one time of it",
    description="Everything of the event is given; what the body has no member for stays as it "
    "was written, attendees' answers and alarms among it. An event stays in its calendar.",
    responses=documented(400, 403, 404, 409, 412, 422, 429, 503),
)
async def change_event(
    services: ServicesDep,
    http_sessions: HttpSessionsDep,
    id: EventId,
    body: EventBody,
    occurrence: Occurrence = None,
    if_match: Seen = None,
) -> EventSaved:
    opened = _calendar(services, http_sessions)
    place = _place(occurrence)
    before = await _kept(opened, http_sessions.user, id, place)
    _check_seen(before, if_match)
    if body.calendar != before.calendar:
        raise ProblemError(
            422,
            f"The event is in {before.calendar}, and stays there. Make it anew in another.",
            errors=[{"pointer": "/calendar", "message": f"must be {before.calendar}"}],
        )
    if place is not None and body.recurrence is not None:
        raise ProblemError(
            422,
            "One time of a series has no rule of its own. Change the whole series instead.",
            errors=[{"pointer": "/recurrence", "message": "must be left out"}],
        )
    event = await answered(opened.parse_event(**_wanted(body)))
    done = await answered(
        opened.change(
            http_sessions.user,
            before,
            event,
            place,
            now=_now(services),
            allow_overlap=body.allow_overlap,
        )
    )
    saved = detailed(await _kept(opened, http_sessions.user, id, place), place)
    await note(
        http_sessions, "calendar_event_saved", event=id, title=saved.title, occurrence=occurrence
    )
    return EventSaved(event=saved, **done)


@router.delete(
    "/events/{id:path}",
    summary="Delete an event, or one time of it",
    responses=documented(400, 403, 404, 409, 412, 422, 429, 503),
)
async def delete_event(
    services: ServicesDep,
    http_sessions: HttpSessionsDep,
    id: EventId,
    occurrence: Occurrence = None,
    if_match: Seen = None,
) -> EventDeleted:
    opened = _calendar(services, http_sessions)
    name, uid = _parts(id)
    place, version = _place(occurrence), None
    if if_match is not None:
        before = await _kept(opened, http_sessions.user, id, place)
        _check_seen(before, if_match)
        version = before.version
    if not await answered(_own(opened).remove(http_sessions.user, name, uid, place, version)):
        raise _no_event(id, occurrence)
    await note(http_sessions, "calendar_event_deleted", event=id, occurrence=occurrence)
    return EventDeleted(deleted=id, occurrence=occurrence)


# -- files -----------------------------------------------------------------------------------------


@router.post(
    "/import",
    summary="Add the events of an .ics file",
    description="All or nothing: an event that cannot be followed is named with its line, unless "
    "such events are to be skipped. One with a known UID replaces the event there. At most "
    "10 MiB.",
    openapi_extra={"requestBody": {"required": True, "content": {ICS: {"schema": {}}}}},
    responses=documented(400, 413, 415, 422, 429, 503),
)
async def import_events(
    request: Request,
    services: ServicesDep,
    http_sessions: HttpSessionsDep,
    uploads: UploadGateDep,
    calendar: Annotated[CalendarName, Query()] = "primary",
    skip_broken: Annotated[bool, Query(description="Leave those out, and report them.")] = False,
) -> CalendarImportResult:
    media_type = request.headers.get("content-type", "").partition(";")[0].strip().lower()
    if media_type != ICS:
        raise ProblemError(415, f"Send the file itself, with `Content-Type: {ICS}`.")
    local = _local(services, http_sessions)
    content = await request.body()
    await uploads.take_file(len(content))
    report = await answered(
        local.import_ics(http_sessions.user, content, calendar, skip_broken=skip_broken)
    )
    await note(
        http_sessions,
        "calendar_imported",
        calendar=calendar,
        added=report.added,
        updated=report.updated,
        skipped=len(report.skipped),
    )
    return CalendarImportResult.model_validate(report.to_dict())


@router.get(
    "/export",
    summary="A calendar as an .ics file",
    response_class=Response,
    responses={
        200: {"description": "The file.", "content": {ICS: {"schema": {"type": "string"}}}},
        **documented(400, 422, 503),
    },
)
async def export_events(
    services: ServicesDep,
    http_sessions: HttpSessionsDep,
    calendar: Annotated[CalendarName, Query()] = "primary",
) -> Response:
    content = await answered(
        _local(services, http_sessions).export_ics(http_sessions.user, calendar)
    )
    return Response(
        content,
        headers={"content-disposition": f'attachment; filename="{calendar}.ics"'},
        media_type=ICS,
    )


# -- free time -------------------------------------------------------------------------------------


@router.get(
    "/availability",
    summary="Free time in a range",
    responses=documented(400, 403, 422, 429, 503),
    response_model_exclude_none=True,
)
async def get_availability(
    services: ServicesDep,
    http_sessions: HttpSessionsDep,
    start: Annotated[
        str, Query(max_length=40, examples=["2030-01-14"], json_schema_extra=DAY_OR_TIME)
    ],
    end: Annotated[
        str,
        Query(max_length=40, description="At most 31 days later.", json_schema_extra=DAY_OR_TIME),
    ],
    time_zone: TimeZone = None,
    calendar: Calendars = None,
    min_minutes: Annotated[int, Query(ge=5, le=1440, description="Of each slot.")] = 30,
    day_start: Annotated[str | None, Query(pattern=r"^\d\d:\d\d$", examples=["09:00"])] = None,
    day_end: Annotated[str | None, Query(pattern=r"^\d\d:\d\d$", examples=["17:00"])] = None,
    workdays: Annotated[bool, Query(description="From Monday to Friday only.")] = False,
) -> CalendarAvailability:
    found = await answered(
        _calendar(services, http_sessions).availability(
            http_sessions.user,
            start,
            end,
            now=_now(services),
            time_zone=time_zone,
            calendars=calendar or CALENDARS,
            details=True,
            min_minutes=min_minutes,
            hours=_hours(day_start, day_end),
            workdays=workdays,
        )
    )
    return CalendarAvailability.model_validate(found)


# -- inside ----------------------------------------------------------------------------------------


def _calendar(services: ServerServices, http_sessions: HttpSessions) -> Calendar:
    found: Calendar = services.application.calendars.chosen(http_sessions.scope.organisation)
    return found


def _now(services: ServerServices) -> datetime:
    orchestrator: Orchestrator = services.application.orchestrator
    return datetime.fromtimestamp(orchestrator.now(), UTC)


def _wanted(body: EventBody) -> dict[str, Any]:
    return {
        "start": body.start_time,
        "end": body.end_time,
        **body.model_dump(exclude={"start_time", "end_time", "allow_overlap"}),
    }


def _own(opened: Calendar) -> WritableCalendar:
    try:
        return opened.writable
    except ToolError as error:
        raise problem_of(error) from None


def _local(services: ServerServices, http_sessions: HttpSessions) -> LocalCalendar:
    source = _calendar(services, http_sessions).source
    if isinstance(source, LocalCalendar):
        return source
    raise problem_of(
        ToolError(
            ErrorType.PERMANENT,
            f"These events are kept by {source.label}; files go in and out there.",
        )
    )


def _parts(id: str) -> tuple[str, str]:
    calendar, _, uid = id.partition(":")
    if calendar not in CALENDARS or not uid:
        raise _no_event(id, None)
    return calendar, uid


async def _kept(opened: Calendar, user: str, id: str, place: datetime | None) -> StoredEvent:
    name, uid = _parts(id)
    found = await answered(_own(opened).read(user, name, uid, place))
    if found is None:
        raise _no_event(id, None if place is None else place.isoformat())
    return found


def _check_seen(event: StoredEvent, seen: str | None) -> None:
    """Quotes belong to the header, and many leave them out."""
    if seen is not None and seen.strip() != "*" and _bare(seen) != _bare(event.version):
        raise ProblemError(412, version_conflict().message)


def _bare(version: str) -> str:
    return version.strip().removeprefix("W/").strip('"')


async def _made(opened: Calendar, user: str, body: EventBody, made: dict[str, Any]) -> EventDetail:
    """The event as it is kept; where another service keeps it, as it was asked for."""
    if isinstance(opened.source, WritableCalendar):
        known_id = event_id(made["calendar"], made["event_id"])
        return detailed(await _kept(opened, user, known_id, None), None)
    event = await answered(opened.parse_event(**_wanted(body)))
    known = {name: getattr(event, name) for name in event.__dataclass_fields__}
    recurring = event.recurrence is not None
    return detailed(StoredEvent(**known, uid=made["event_id"], recurring=recurring), None)


def _no_event(id: str, occurrence: str | None) -> ProblemError:
    what = f"the event `{id[:200]}`"
    if occurrence is not None:
        return ProblemError(404, f"There is no time {occurrence} of {what}.")
    return ProblemError(404, f"There is no such event: {what}. It may have been deleted.")


def _place(occurrence: str | None) -> datetime | None:
    if occurrence is None:
        return None
    try:
        return parse_time(occurrence, "/occurrence", None, UTC).astimezone(UTC)
    except ToolError as error:
        raise problem_of(error) from None


def _hours(since: str | None, until: str | None) -> tuple[time, time] | None:
    if since is None and until is None:
        return None
    try:
        begin = time.fromisoformat(since or "00:00")
        # The end of a day is the midnight after it, which no clock shows.
        finish = time.max if until in (None, "24:00") else time.fromisoformat(str(until))
        if begin >= finish:
            raise invalid("/day_end", "it is not after day_start", "a later hour, like 17:00")
    except ValueError:
        raise problem_of(
            invalid("/day_start", f"{since} to {until} are no hours", "like 09:00 to 17:00")
        ) from None
    except ToolError as error:
        raise problem_of(error) from None
    return begin, finish
