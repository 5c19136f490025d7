"""Workflows and agents over HTTP: what there is, how each run stands, and going on with one.

A run is started like any call, at `/api/tools/run_workflow/call` and `/api/tools/run_agent/call`,
watched here or at `/api/tasks`, and stopped at `/api/tasks/{task_id}/cancel`.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated, Any

import orjson
from fastapi import APIRouter, Depends, Path, Query

from antiphon.contracts import ErrorType
from antiphon.contracts.definition import Mode
from antiphon.contracts.tasks import Task
from antiphon.orchestrator import Orchestrator
from antiphon.orchestrator.call_frame import nested_key, outside_key
from antiphon.registry import Snapshot
from antiphon.server.bodies import StrictRoute
from antiphon.server.dependencies import HttpSessionsDep, ServicesDep
from antiphon.server.http_sessions import HttpSessions
from antiphon.server.problems import STATUS, ProblemError, documented
from antiphon.server.schemas.runs import (
    AgentList,
    PipelineDocument,
    Resumed,
    RunDocument,
    RunList,
    RunStep,
    RunSummary,
    StepDocument,
    WorkflowList,
)
from antiphon.server.services import ServerServices
from antiphon.server.user_folders import own_folder, shown
from antiphon.server.workspace_errors import answered
from antiphon.workspace.agents import OWN as AGENTS
from antiphon.workspace.agents import Agents
from antiphon.workspace.errors import NotThere
from antiphon.workspace.runs.pipelines import Pipeline
from antiphon.workspace.workflows import OWN as WORKFLOWS
from antiphon.workspace.workflows import Workflows

router = APIRouter(prefix="/api", tags=["workflows and agents"], route_class=StrictRoute)

LOOKED_AT = 1000
RESUME = "resume:"

Name = Annotated[str, Path(max_length=200, examples=["knowledge-synthesis"])]
TaskId = Annotated[
    str, Path(min_length=1, max_length=200, examples=["9b1f4e775f0c2a9e0d9c2b8e6a1b7d4c"])
]
Limit = Annotated[int, Query(ge=1, le=200)]
Results = Annotated[bool, Query(description="With what each step gave.")]


@dataclass(frozen=True, slots=True)
class PipelineKind:
    """Workflows or agents: the name of the kind, the tool that runs one, its service, and the
    sessions of whoever asks."""

    noun: str
    tool: str
    service: Workflows | Agents
    sessions: HttpSessions

    @property
    def parameter(self) -> str:
        return f"{self.noun}_name"


async def _workflows(services: ServicesDep, http_sessions: HttpSessionsDep) -> PipelineKind:
    service = services.application.workspace.workflows
    return PipelineKind("workflow", "run_workflow", service, http_sessions)


async def _agents(services: ServicesDep, http_sessions: HttpSessionsDep) -> PipelineKind:
    service = services.application.workspace.agents
    return PipelineKind("agent", "run_agent", service, http_sessions)


WorkflowsDep = Annotated[PipelineKind, Depends(_workflows)]
AgentsDep = Annotated[PipelineKind, Depends(_agents)]


# -- workflows -------------------------------------------------------------------------------------


@router.get("/workflows", summary="The workflow templates with their steps")
async def get_workflows(services: ServicesDep, kind: WorkflowsDep) -> WorkflowList:
    found = await _documents(services, kind)
    return WorkflowList(workflows=found, count=len(found), **await _own(services, kind, WORKFLOWS))


@router.get("/workflows/{name}", summary="One workflow", responses=documented(404, 422))
async def get_workflow(services: ServicesDep, kind: WorkflowsDep, name: Name) -> PipelineDocument:
    return await _document(services, kind, name)


@router.get(
    "/workflows/{name}/runs", summary="Runs of a workflow", responses=documented(404, 422, 503)
)
async def get_workflow_runs(
    services: ServicesDep, kind: WorkflowsDep, name: Name, limit: Limit = 50
) -> RunList:
    return await _runs(services, kind, name, limit)


@router.get(
    "/workflows/{name}/runs/{task_id}",
    summary="One run of a workflow, step by step",
    responses=documented(404, 422, 503),
)
async def get_workflow_run(
    services: ServicesDep, kind: WorkflowsDep, name: Name, task_id: TaskId, results: Results = False
) -> RunDocument:
    return await _run(services, kind, name, task_id, results)


@router.post(
    "/workflows/{name}/runs/{task_id}/resume",
    summary="Go on with a run that ended before its end",
    description="As a new call with the same arguments, through all gates. Steps that were "
    "finished are not run again. A run goes on once: asked again, it is the same run.",
    responses=documented(400, 403, 404, 409, 422, 429, 503),
)
async def resume_workflow_run(
    services: ServicesDep, kind: WorkflowsDep, name: Name, task_id: TaskId
) -> Resumed:
    return await _resume(services, kind, name, task_id)


# -- agents ----------------------------------------------------------------------------------------


@router.get("/agents", summary="The agents with their steps")
async def get_agents(services: ServicesDep, kind: AgentsDep) -> AgentList:
    found = await _documents(services, kind)
    return AgentList(agents=found, count=len(found), **await _own(services, kind, AGENTS))


@router.get("/agents/{name}", summary="One agent", responses=documented(404, 422))
async def get_agent(services: ServicesDep, kind: AgentsDep, name: Name) -> PipelineDocument:
    return await _document(services, kind, name)


@router.get("/agents/{name}/runs", summary="Runs of an agent", responses=documented(404, 422, 503))
async def get_agent_runs(
    services: ServicesDep, kind: AgentsDep, name: Name, limit: Limit = 50
) -> RunList:
    return await _runs(services, kind, name, limit)


@router.get(
    "/agents/{name}/runs/{task_id}",
    summary="One run of an agent, step by step",
    responses=documented(404, 422, 503),
)
async def get_agent_run(
    services: ServicesDep, kind: AgentsDep, name: Name, task_id: TaskId, results: Results = False
) -> RunDocument:
    return await _run(services, kind, name, task_id, results)


@router.post(
    "/agents/{name}/runs/{task_id}/resume",
    summary="Go on with a run that ended before its end",
    description="As for workflows.",
    responses=documented(400, 403, 404, 409, 422, 429, 503),
)
async def resume_agent_run(
    services: ServicesDep, kind: AgentsDep, name: Name, task_id: TaskId
) -> Resumed:
    return await _resume(services, kind, name, task_id)


# -- what there is ---------------------------------------------------------------------------------


async def _documents(services: ServerServices, kind: PipelineKind) -> list[PipelineDocument]:
    snapshot = _orchestrator(services).registry_snapshot()
    return [_described(each, snapshot) for each in await kind.service.all()]


async def _own(services: ServerServices, kind: PipelineKind, folder: str) -> dict[str, Any]:
    """The folder of people's own files, and those in it that cannot be used."""
    left_out = await answered(kind.service.left_out())
    return {"folder": str(own_folder(services.application, folder)), "left_out": shown(left_out)}


async def _document(services: ServerServices, kind: PipelineKind, name: str) -> PipelineDocument:
    found = await answered(kind.service.find(name))
    return _described(found, _orchestrator(services).registry_snapshot())


def _described(pipeline: Pipeline, snapshot: Snapshot) -> PipelineDocument:
    known = {
        name: snapshot.tools[name].definition for name in pipeline.tools if name in snapshot.tools
    }
    modes = [
        mode
        for mode in ("text", "voice")
        if all(mode in definition.allowed_modes for definition in known.values())
    ]
    steps = [
        StepDocument(
            id=step.id,
            title=step.title,
            tool=step.tool or None,
            optional=step.optional,
            condition=step.when or None,
            asks_model=bool(step.ask),
            asks_first=step.tool in known and known[step.tool].requires_confirmation,
            known=not step.tool or step.tool in known,
        )
        for step in pipeline.steps
    ]
    return PipelineDocument.model_validate({**pipeline.to_dict(), "modes": modes, "steps": steps})


# -- runs ------------------------------------------------------------------------------------------


async def _runs(services: ServerServices, kind: PipelineKind, name: str, limit: int) -> RunList:
    pipeline = await answered(kind.service.find(name))
    tasks = await _backend(services).list(
        tool_id=kind.tool, user=kind.sessions.owner, limit=LOOKED_AT
    )
    names: dict[str, str] = {}
    found = []
    for task in tasks:
        said = str(task.args.get(kind.parameter, ""))
        if said not in names:
            names[said] = await _meant(kind, said)
        if names[said] == pipeline.name:
            found.append(_summary(task, pipeline.name))
    return RunList(runs=found[:limit], count=len(found[:limit]))


async def _meant(kind: PipelineKind, said: str) -> str:
    """Calls name agents as people say them."""
    try:
        return (await kind.service.find(said)).name
    except NotThere:
        return ""


async def _task(
    services: ServerServices, kind: PipelineKind, name: str, task_id: str
) -> tuple[Pipeline, Task]:
    pipeline = await answered(kind.service.find(name))
    task = await _backend(services).get(task_id)
    own = task is not None and task.tool_id == kind.tool and kind.sessions.sees(task.user)
    if task is None or not own:
        raise ProblemError(
            404,
            f"The {kind.noun} {pipeline.name} has no run `{task_id}`. Runs are kept for a week "
            "after they are over.",
        )
    said = str(task.args.get(kind.parameter, ""))
    if await _meant(kind, said) != pipeline.name:
        raise ProblemError(404, f"`{task_id}` is a run of {said!r}, not of {pipeline.name}.")
    return pipeline, task


async def _run(
    services: ServerServices, kind: PipelineKind, name: str, task_id: str, results: bool
) -> RunDocument:
    pipeline, task = await _task(services, kind, name, task_id)
    history = await answered(kind.service.journal.history(outside_key(task.session_id, task.key)))
    envelope = task.envelope
    data = envelope["data"] if envelope is not None and envelope["ok"] else {}
    error = envelope["error"] if envelope is not None and not envelope["ok"] else {}
    told = {each["step"]: each for each in (data.get("steps") or error.get("steps") or ())}
    progress = task.progress or {}
    return RunDocument(
        **_summary(task, pipeline.name).model_dump(),
        attempts=task.attempts,
        cancel_requested=task.cancel_requested,
        message=progress.get("message"),
        fraction=1.0 if task.status == "succeeded" else progress.get("fraction"),
        steps=_steps(pipeline, task, history, told, results),
        text=data.get("text"),
        by=data.get("by"),
        note=data.get("note"),
        evidence=data.get("evidence") or [],
        error=error.get("message"),
        error_type=error.get("type"),
        waiting=data.get("waiting"),
        can_resume=_can_resume(task),
    )


def _steps(
    pipeline: Pipeline,
    task: Task,
    history: dict[str, tuple[float, dict[str, Any]]],
    told: dict[str, dict[str, Any]],
    results: bool,
) -> list[RunStep]:
    """What is kept of finished steps comes first, then what the outcome says of the others."""
    found: list[RunStep] = []
    since = task.started_at or task.created_at
    ahead = True  # of the step that is at work, or at which it ended
    for step in pipeline.steps:
        one = RunStep(step=step.id, title=step.title, tool=step.tool or None, status="pending")
        if step.id in history:
            at, outcome = history[step.id]
            one.status = outcome["status"]
            one.error = outcome.get("error")
            one.reused = "from" in outcome
            if not one.reused:
                one.seconds = max(0.0, round(at - since, 3))
                since = at
            if results:
                one.result = outcome.get("result")
        elif step.id in told:
            one.status = told[step.id]["status"]
            one.error = told[step.id].get("error")
            ahead = one.status not in ("failed", "waiting")
        elif ahead:
            ahead = False
            if task.status == "running":
                one.status = "running"
            elif task.finished:
                one.status = "stopped"
        found.append(one)
    return found


def _summary(task: Task, name: str) -> RunSummary:
    data = task.envelope["data"] if task.envelope is not None and task.envelope["ok"] else {}
    resumed = task.key.removeprefix("client:")
    return RunSummary(
        task_id=task.id,
        session_id=task.session_id,
        name=name,
        input=str(task.args.get("input", "")),
        status=task.status,
        waits=data.get("status") == "waiting",
        created_at=task.created_at,
        started_at=task.started_at,
        finished_at=task.finished_at,
        resumed_from=resumed.removeprefix(RESUME) if resumed.startswith(RESUME) else None,
    )


def _can_resume(task: Task) -> bool:
    if not task.finished or task.envelope is None:
        return False
    if task.envelope["ok"]:
        return bool(task.envelope["data"].get("status") == "waiting")
    # The same input would be refused again.
    return bool(task.envelope["error"]["type"] != ErrorType.VALIDATION)


# -- going on --------------------------------------------------------------------------------------


async def _resume(services: ServerServices, kind: PipelineKind, name: str, task_id: str) -> Resumed:
    pipeline, task = await _task(services, kind, name, task_id)
    if not _can_resume(task):
        words = "is still under way" if not task.finished else "has nothing left to go on with"
        raise ProblemError(
            409,
            f"This run {words}. Only one that ended before its end can go on.",
            status_now=task.status,
        )
    mode: Mode = "voice" if task.mode == "voice" else "text"
    key = f"{RESUME}{task.id}"
    new = outside_key(kind.sessions.shared_id(mode), f"client:{key}")
    finished = await answered(kind.service.journal.load(outside_key(task.session_id, task.key)))
    warnings = await _settle(services, pipeline, task, finished)
    for step, outcome in finished.items():
        await answered(kind.service.journal.save(new, step, {**outcome, "from": task.id}))
    envelope = await kind.sessions.call_shared(mode, kind.tool, task.args, key)
    if not envelope["ok"]:
        error = envelope["error"]
        raise ProblemError(
            STATUS[ErrorType(error["type"])], error["message"], error_type=error["type"]
        )
    return Resumed(
        task_id=envelope["data"]["task_id"],
        resumed_from=task.id,
        reused=[step.id for step in pipeline.steps if step.id in finished],
        warnings=warnings,
    )


async def _settle(
    services: ServerServices, pipeline: Pipeline, task: Task, finished: dict[str, dict[str, Any]]
) -> list[str]:
    """What became of the step at which the run ended: a write that was approved or done since is
    not repeated. Adds it to `finished`."""
    place = next((n for n, step in enumerate(pipeline.steps, 1) if step.id not in finished), None)
    if place is None:
        return []
    step = pipeline.steps[place - 1]
    row = await _orchestrator(services).store.find(task.session_id, nested_key(task.key, place))
    envelope = orjson.loads(row.envelope) if row is not None and row.envelope else None
    if envelope is None:
        return []
    if envelope["ok"]:
        finished[step.id] = {"status": "done", "result": envelope["data"]}
        return []
    if envelope["error"].get("partialSideEffects"):
        return [
            f"The step {step.title!r} had begun when the run ended, and may have happened in part. "
            "It is run again."
        ]
    return []


def _orchestrator(services: ServerServices) -> Orchestrator:
    found: Orchestrator = services.application.orchestrator
    return found


def _backend(services: ServerServices) -> Any:
    background = _orchestrator(services).background
    assert background is not None
    return background.backend
