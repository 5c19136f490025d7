"""Automations over HTTP: what there is, and the runs of macros, workflows and agents alike."""

from __future__ import annotations

from typing import Annotated
from uuid import uuid4

from fastapi import APIRouter, Path, Query
from pydantic import BaseModel, Field

from antiphon.server.automation_runs import AutomationRuns
from antiphon.server.bodies import Body, StrictRoute, idempotency_key
from antiphon.server.dependencies import HttpSessionsDep, OrchestratorDep, ServicesDep, WorkspaceDep
from antiphon.server.http_sessions import HttpSessions
from antiphon.server.problems import ProblemError, documented
from antiphon.server.run_documents import can_resume, run_document, run_summary
from antiphon.server.schemas.runs import (
    AutomationRun,
    AutomationRunDocument,
    AutomationRunPage,
    RunResumed,
    RunStarted,
)
from antiphon.server.scope import Wider
from antiphon.server.workspace_errors import answered
from antiphon.workspace.runs.log import UNDER_WAY, LoggedRun, RunKind, RunStatus

router = APIRouter(prefix="/api/automations", tags=["automations"], route_class=StrictRoute)

RunId = Annotated[
    str, Path(min_length=1, max_length=200, examples=["9b1f4e775f0c2a9e0d9c2b8e6a1b7d4c"])
]
Name = Annotated[str, Path(max_length=200, examples=["knowledge-synthesis"])]


class Automation(BaseModel):
    """A macro, workflow or agent, and how it ran last."""

    kind: RunKind
    name: str = Field(description="The workflow's or agent's name, or the macro's id.")
    title: str
    description: str = Field(description="What it does; of a macro, its trigger phrase.")
    step_count: int
    last_run: AutomationRun | None
    next_at: float | None = Field(description="When a schedule runs it next.")


class AutomationList(BaseModel):
    automations: list[Automation] = Field(description="By kind and title.")
    count: int


class RunInput(Body):
    input: str = Field(default="", max_length=100_000, description="What it works on.")


class ResumeBody(Body):
    step: str | None = Field(
        default=None,
        max_length=200,
        description="The first step to run; results of earlier steps are kept. Without it, the "
        "step at which the run ended.",
    )


@router.get("", summary="Macros, workflows and agents, each with its last run")
async def get_automations(
    services: ServicesDep, http_sessions: HttpSessionsDep, workspace: WorkspaceDep
) -> AutomationList:
    user = http_sessions.user
    log = services.automation_runs.journal.log
    latest = await answered(log.latest(http_sessions.scope.owners("others.read")))
    times: dict[tuple[str, str], float] = {}
    for schedule in await answered(workspace.schedules.all(user)):
        if schedule.enabled and schedule.next_at is not None:
            key = (schedule.kind, schedule.name)
            times[key] = min(times.get(key, schedule.next_at), schedule.next_at)
    found: list[tuple[RunKind, str, str, str, int]] = [
        ("macro", each.id, each.name, each.trigger_phrase, len(each.steps))
        for each in await answered(workspace.macros.all(user))
    ]
    kinds: tuple[tuple[RunKind, str], ...] = (("workflow", "workflows"), ("agent", "agents"))
    for kind, service in kinds:
        for each in await getattr(workspace, service).all():
            found.append((kind, each.name, each.title, each.description, len(each.steps)))
    automations = [
        Automation(
            kind=kind,
            name=name,
            title=title,
            description=description,
            step_count=count,
            last_run=run_summary(run) if (run := latest.get((kind, name))) else None,
            next_at=times.get((kind, name)),
        )
        for kind, name, title, description, count in found
    ]
    return AutomationList(automations=automations, count=len(automations))


@router.get("/runs", summary="Runs of automations", responses=documented(422, 503))
async def get_automation_runs(
    services: ServicesDep,
    http_sessions: HttpSessionsDep,
    kind: Annotated[RunKind | None, Query(description="Only of this kind.")] = None,
    name: Annotated[
        str | None, Query(max_length=200, description="Only of the one with this name or id.")
    ] = None,
    status: Annotated[RunStatus | None, Query(description="Only those that stand so.")] = None,
    limit: Annotated[int, Query(ge=1, le=200)] = 50,
    before: Annotated[
        str | None, Query(max_length=200, description="`next_before` of the page before.")
    ] = None,
) -> AutomationRunPage:
    runs = services.automation_runs
    scope = http_sessions.scope
    mark = None if before is None else await answered(runs.journal.log.get(before))
    if before is not None and not (mark and await scope.includes(mark.user, "others.read")):
        raise ProblemError(
            422, f"`before` names no run: `{before}`. Use `next_before` of the page before."
        )
    found = await answered(
        runs.journal.log.list(
            owners=scope.owners("others.read"),
            kind=kind,
            name=name,
            status=status,
            limit=limit + 1,
            before=before,
        )
    )
    page = [await answered(runs.settled(each)) for each in found[:limit]]
    return AutomationRunPage(
        runs=[run_summary(each) for each in page],
        next_before=page[-1].id if len(found) > limit else None,
    )


@router.get("/runs/{id}", summary="One run, step by step", responses=documented(404, 422, 503))
async def get_automation_run(
    services: ServicesDep,
    http_sessions: HttpSessionsDep,
    orchestrator: OrchestratorDep,
    id: RunId,
    details: Annotated[
        bool, Query(description="With arguments, results and gates of each step.")
    ] = False,
) -> AutomationRunDocument:
    runs = services.automation_runs
    run = await _run(runs, http_sessions, id, "others.read")
    return await answered(run_document(orchestrator, runs.journal, run, details=details))


@router.post(
    "/runs/{id}/stop",
    summary="Stop a run",
    description="A workflow or an agent stops at once, a macro before its next step.",
    responses=documented(404, 409, 422, 503),
)
async def stop_automation_run(
    services: ServicesDep, http_sessions: HttpSessionsDep, id: RunId
) -> AutomationRun:
    runs = services.automation_runs
    run = await _run(runs, http_sessions, id, "others.manage")
    if run.status not in (*UNDER_WAY, "waiting"):
        raise ProblemError(409, f"This run is over: {run.status}.", run_status=run.status)
    await answered(runs.stop(run))
    return run_summary(await _run(runs, http_sessions, id, "others.manage"))


@router.post(
    "/runs/{id}/resume",
    summary="Go on with a run",
    description="As a new run with the same input, through all gates. Steps that were finished are "
    "not run again, nor is a write that was approved or done since. With `step` it begins there, "
    "and results of earlier steps are kept. Asked again, it is the same run, unless there is "
    "another Idempotency-Key.",
    responses=documented(400, 403, 404, 409, 422, 429, 503),
)
async def resume_automation_run(
    services: ServicesDep,
    http_sessions: HttpSessionsDep,
    id: RunId,
    body: ResumeBody | None = None,
    idempotency_key: Annotated[
        str | None, idempotency_key("Another key makes another run of it.")
    ] = None,
) -> RunResumed:
    runs = services.automation_runs
    run = await _run(runs, http_sessions, id)
    step = None if body is None else body.step
    if run.status in UNDER_WAY or (step is None and not can_resume(run)):
        under_way = run.status in UNDER_WAY
        words = "is still running" if under_way else "has nothing left to go on with"
        raise ProblemError(
            409,
            f"This run {words}. {'Stop it first' if under_way else 'Choose a step to begin at'}.",
            run_status=run.status,
        )
    new, reused, warnings = await answered(runs.resume(http_sessions, run, step, idempotency_key))
    return RunResumed(id=new, resumed_from=run.id, reused=reused, warnings=warnings)


@router.post(
    "/{kind}/{name}/run",
    summary="Run a macro, workflow or agent",
    description="It is begun and answered with its id; GET /api/automations/runs/{id} tells how it "
    "goes.",
    responses=documented(400, 403, 404, 409, 422, 429, 503),
)
async def run_automation(
    services: ServicesDep,
    http_sessions: HttpSessionsDep,
    kind: RunKind,
    name: Name,
    body: RunInput | None = None,
    idempotency_key: Annotated[str | None, idempotency_key("Runs once.")] = None,
) -> RunStarted:
    text = "" if body is None else body.input
    key = idempotency_key or uuid4().hex
    made = await answered(services.automation_runs.start(http_sessions, kind, name, text, key))
    return RunStarted(id=made)


async def _run(
    runs: AutomationRuns, sessions: HttpSessions, id: str, permission: Wider | None = None
) -> LoggedRun:
    """The run of that id: one's own, with `permission` also of those whose things it opens."""
    run = await answered(runs.journal.log.get(id))
    if run is None or not (
        sessions.scope.owns(run.user)
        or (permission is not None and await sessions.scope.includes(run.user, permission))
    ):
        raise ProblemError(404, f"There is no run `{id}`. Runs are kept for 30 days.")
    return await answered(runs.settled(run))
