"""Schedules over HTTP: when automations run by themselves."""

from __future__ import annotations

from typing import Annotated, Any
from uuid import uuid4

from fastapi import APIRouter, Path, Query
from pydantic import BaseModel, Field

from antiphon.contracts import ToolError
from antiphon.server.bodies import Body, StrictRoute
from antiphon.server.dependencies import CalendarDep, HttpSessionsDep, ServicesDep, WorkspaceDep
from antiphon.server.http_sessions import HttpSessions
from antiphon.server.problems import documented
from antiphon.server.run_documents import run_summary
from antiphon.server.schemas.runs import AutomationRun, RunStarted
from antiphon.server.services import ServerServices
from antiphon.server.workspace_errors import answered, note
from antiphon.workspace.calendar.times import zone_named
from antiphon.workspace.runs.log import RunKind
from antiphon.workspace.schedules import Missed, Schedule, Trigger, describe, upcoming

router = APIRouter(prefix="/api/schedules", tags=["automations"], route_class=StrictRoute)

SHOWN_TIMES = 3

ScheduleId = Annotated[
    str, Path(min_length=1, max_length=200, examples=["9b1f4e775f0c2a9e0d9c2b8e6a1b7d4c"])
]


class TriggerBody(Body):
    trigger: Trigger
    zone: str = Field(
        default="UTC",
        max_length=64,
        description="The time zone of a cron expression, by its IANA name.",
        examples=["Europe/Berlin"],
    )


class ScheduleBody(TriggerBody):
    kind: RunKind
    name: str = Field(
        max_length=200, description="The workflow's or agent's name, or the macro's id."
    )
    input: str = Field(default="", max_length=20_000, description="What it works on.")
    missed: Missed = Field(
        default="skip",
        description="What becomes of times at which no server was there: `skip`, or `run_once` for "
        "all of them.",
    )
    enabled: bool = True


class TriggerPreview(BaseModel):
    words: str = Field(description="When it runs.")
    next: list[float] = Field(description="The next three times at most, in epoch seconds.")


class ScheduleDocument(TriggerPreview):
    id: str
    kind: RunKind
    name: str
    title: str | None = Field(description="Of what it runs; null: that is not there any more.")
    input: str
    trigger: Trigger
    zone: str
    missed: Missed
    enabled: bool
    created_at: float
    updated_at: float
    last_at: float | None = Field(description="The last time at which it ran.")
    last_run: AutomationRun | None
    problem: str | None = Field(description="What kept it from running.")


class ScheduleList(BaseModel):
    schedules: list[ScheduleDocument] = Field(description="The oldest first.")
    count: int


@router.get("", summary="List the schedules", responses=documented(422, 503))
async def get_schedules(
    services: ServicesDep,
    http_sessions: HttpSessionsDep,
    workspace: WorkspaceDep,
    kind: Annotated[RunKind | None, Query(description="Only of this kind.")] = None,
    name: Annotated[str | None, Query(max_length=200, description="Only of this one.")] = None,
) -> ScheduleList:
    found = [
        await _document(services, http_sessions, each)
        for each in await answered(workspace.schedules.all(http_sessions.user))
        if kind in (None, each.kind) and name in (None, each.name)
    ]
    return ScheduleList(schedules=found, count=len(found))


@router.post("/preview", summary="Say when a trigger would run", responses=documented(422, 503))
async def preview_schedule(
    services: ServicesDep,
    http_sessions: HttpSessionsDep,
    calendar: CalendarDep,
    body: TriggerBody,
) -> TriggerPreview:
    application = services.application
    zone_name = body.zone

    async def preview() -> TriggerPreview:
        zone_named(zone_name, "/zone")
        words = describe(body.trigger)
        now = application.orchestrator.now()
        times = await upcoming(
            body.trigger, zone_name, http_sessions.user, calendar, now, SHOWN_TIMES
        )
        return TriggerPreview(words=words, next=times)

    return await answered(preview())


@router.post(
    "", summary="Add a schedule", status_code=201, responses=documented(404, 409, 422, 503)
)
async def add_schedule(
    services: ServicesDep, http_sessions: HttpSessionsDep, body: ScheduleBody
) -> ScheduleDocument:
    made = await _saved(services, http_sessions, body, None)
    await note(http_sessions, "schedule_saved", schedule=made.id, kind=made.kind, name=made.name)
    return await _document(services, http_sessions, made)


@router.put("/{id}", summary="Change a schedule", responses=documented(404, 409, 422, 503))
async def change_schedule(
    services: ServicesDep, http_sessions: HttpSessionsDep, id: ScheduleId, body: ScheduleBody
) -> ScheduleDocument:
    schedules = services.application.workspace.schedules
    before = await answered(schedules.find(http_sessions.user, id))
    made = await _saved(services, http_sessions, body, before)
    await note(http_sessions, "schedule_saved", schedule=made.id, kind=made.kind, name=made.name)
    return await _document(services, http_sessions, made)


@router.delete(
    "/{id}", summary="Delete a schedule", status_code=204, responses=documented(404, 422, 503)
)
async def remove_schedule(
    http_sessions: HttpSessionsDep, workspace: WorkspaceDep, id: ScheduleId
) -> None:
    gone = await answered(workspace.schedules.delete(http_sessions.user, id))
    await note(http_sessions, "schedule_deleted", schedule=gone.id, kind=gone.kind, name=gone.name)


@router.post(
    "/{id}/run",
    summary="Run what a schedule runs, now",
    responses=documented(400, 403, 404, 409, 422, 429, 503),
)
async def run_schedule(
    services: ServicesDep, http_sessions: HttpSessionsDep, workspace: WorkspaceDep, id: ScheduleId
) -> RunStarted:
    schedule = await answered(workspace.schedules.find(http_sessions.user, id))
    key = f"schedule:{schedule.id}:{uuid4().hex}"
    return RunStarted(
        id=await answered(
            services.automation_runs.start(
                http_sessions, schedule.kind, schedule.name, schedule.input, key
            )
        )
    )


async def _saved(
    services: ServerServices, sessions: HttpSessions, body: ScheduleBody, before: Schedule | None
) -> Schedule:
    name, _ = await answered(services.automation_runs.title_of(sessions, body.kind, body.name))
    principal = sessions.scope.principal
    schedule = Schedule(
        id="" if before is None else before.id,
        user=sessions.user,
        data=sessions.data,
        kind=body.kind,
        name=name,
        input=body.input,
        trigger=body.trigger,
        zone=body.zone,
        missed=body.missed,
        enabled=body.enabled,
        created_at=0.0 if before is None else before.created_at,
        updated_at=0.0,
        last_at=None if before is None else before.last_at,
        last_run=None if before is None else before.last_run,
        organisation=sessions.scope.organisation,
        credential=None if principal is None or principal.rights is None else principal.credential,
    )
    application = services.application
    calendar = application.calendars.chosen(sessions.scope.organisation)
    return await answered(application.workspace.schedules.save(schedule, calendar))


async def _document(
    services: ServerServices, sessions: HttpSessions, schedule: Schedule
) -> ScheduleDocument:
    application, runs = services.application, services.automation_runs
    title: str | None = None
    times: list[float] = []
    problem = schedule.problem
    try:
        _, title = await runs.title_of(sessions, schedule.kind, schedule.name)
        if schedule.enabled:
            times = await upcoming(
                schedule.trigger,
                schedule.zone,
                schedule.user,
                application.calendars.chosen(sessions.scope.organisation),
                application.orchestrator.now(),
                SHOWN_TIMES,
            )
    except ToolError as error:
        problem = problem or error.message
    last = None
    if schedule.last_run is not None:
        run = await answered(runs.journal.log.get(schedule.last_run))
        last = None if run is None else run_summary(await answered(runs.settled(run)))
    members: dict[str, Any] = {
        name: getattr(schedule, name)
        for name in (
            *("id", "kind", "name", "input", "trigger", "zone", "missed", "enabled"),
            *("created_at", "updated_at", "last_at"),
        )
    }
    return ScheduleDocument(
        **members,
        title=title,
        words=describe(schedule.trigger),
        next=times,
        last_run=last,
        problem=problem,
    )
