"""Background tasks over HTTP: listed, inspected and cancelled."""

from __future__ import annotations

import logging
from typing import Annotated, Any

from fastapi import APIRouter, Path, Query
from pydantic import BaseModel, Field

from antiphon.app import Application
from antiphon.contracts.definition import Mode
from antiphon.contracts.tasks import Task, TaskStatus
from antiphon.orchestrator import Orchestrator
from antiphon.orchestrator.background import BackgroundTasks
from antiphon.server.bodies import StrictRoute
from antiphon.server.dependencies import ApplicationDep, HttpSessionsDep
from antiphon.server.http_sessions import HttpSessions
from antiphon.server.problems import ProblemError, documented
from antiphon.server.scope import Wider

router = APIRouter(prefix="/api/tasks", tags=["tasks"], route_class=StrictRoute)

logger = logging.getLogger(__name__)

# How soon the tasks of a node that died are taken over by another.
RESUME_SECONDS = 5.0

TaskId = Annotated[
    str, Path(min_length=1, max_length=200, examples=["9b1f4e775f0c2a9e0d9c2b8e6a1b7d4c"])
]


class TaskSummary(BaseModel):
    """A call that runs apart from whoever made it. Times are seconds of the epoch."""

    id: str
    tool: str = Field(examples=["ingest_to_kg"])
    tool_version: str = Field(examples=["1.1.0"])
    status: TaskStatus = Field(
        description="`unknown`: it was under way when the server stopped, and may have happened."
    )
    session_id: str = Field(examples=["rest-text"])
    user: str = Field(examples=["local"])
    mode: Mode
    turn: int
    call_id: str | None = Field(description="The model's own id of the call, where it has one.")
    progress: dict[str, Any] | None = Field(
        description="What the task said last of how far it is: `message`, `fraction` from 0 to 1 "
        "or null, `at`, and what else the tool tells.",
        examples=[{"message": "Reading", "fraction": 0.5, "at": 1767225600.0}],
    )
    attempts: int = Field(description="How often it was begun; more than once after a crash.")
    cancel_requested: bool
    created_at: float
    started_at: float | None
    finished_at: float | None


class TaskDetail(TaskSummary):
    args: dict[str, Any] = Field(description="The arguments, without what is to be kept secret.")
    result: dict[str, Any] | None = Field(
        description="The envelope that the model is given, as soon as there is one.",
        examples=[{"ok": True, "data": {}, "intents": [], "meta": {}}],
    )


class TaskPage(BaseModel):
    tasks: list[TaskSummary] = Field(description="Newest first.")
    next_before: str | None = Field(
        description="Ask with this as `before` for those that are older; null when there are none."
    )


@router.get("", summary="List tasks", responses=documented(422, 503))
async def list_tasks(
    application: ApplicationDep,
    http_sessions: HttpSessionsDep,
    status: Annotated[TaskStatus | None, Query(description="Only those that stand so.")] = None,
    session_id: Annotated[
        str | None, Query(max_length=200, description="Only of this session.")
    ] = None,
    user: Annotated[str | None, Query(max_length=200, description="Only of this user.")] = None,
    tool: Annotated[str | None, Query(max_length=200, description="Only of this tool.")] = None,
    limit: Annotated[int, Query(ge=1, le=1000)] = 100,
    before: Annotated[
        str | None, Query(max_length=200, description="`next_before` of the page before.")
    ] = None,
) -> TaskPage:
    backend = _background(application).backend
    scope = http_sessions.scope
    mark = None if before is None else await backend.get(before)
    if before is not None and not (mark and await scope.includes(mark.user, "others.read")):
        raise ProblemError(
            422,
            f"`before` names no task: `{before}`. Use `next_before` of the page before.",
            errors=[{"in": "query", "name": "before", "message": "names no task"}],
        )
    found = await backend.list(
        session_id=session_id,
        owners=await scope.chosen(user, "others.read"),
        tool_id=tool,
        status=status,
        limit=limit + 1,
        before=before,
    )
    page = found[:limit]
    return TaskPage(
        tasks=[TaskSummary(**_summary(task)) for task in page],
        next_before=page[-1].id if len(found) > limit else None,
    )


@router.get("/{task_id}", summary="One task", responses=documented(404, 422, 503))
async def get_task(
    application: ApplicationDep, http_sessions: HttpSessionsDep, task_id: TaskId
) -> TaskDetail:
    background = _background(application)
    return _detail(background, await _task(background, http_sessions, task_id, "others.read"))


@router.post(
    "/{task_id}/cancel",
    summary="Stop a task",
    description="One that has not begun does not begin. One that runs does what its tool says of "
    "interruptions: it is stopped, or it comes to its end and says so; `status` tells which.",
    responses=documented(404, 409, 422, 503),
)
async def cancel_task(
    application: ApplicationDep, http_sessions: HttpSessionsDep, task_id: TaskId
) -> TaskDetail:
    background = _background(application)
    before = await _task(background, http_sessions, task_id, "others.manage")
    if before.finished:
        raise ProblemError(
            409, f"This task is over already; it has {_ended(before)}.", task_status=before.status
        )
    task = await background.backend.cancel(task_id)
    return _detail(background, task or before)


def _background(application: Application) -> BackgroundTasks:
    orchestrator: Orchestrator = application.orchestrator
    assert orchestrator.background is not None
    return orchestrator.background


async def _task(
    background: BackgroundTasks, http_sessions: HttpSessions, id: str, permission: Wider
) -> Task:
    task = await background.backend.get(id)
    if task is None or not await http_sessions.scope.includes(task.user, permission):
        raise _unknown(id)
    return task


def _ended(task: Task) -> str:
    return {"cancelled": "been cancelled", "unknown": "been cut short"}.get(
        task.status, str(task.status)
    )


def _unknown(id: str) -> ProblemError:
    return ProblemError(
        404, f"There is no task `{id}`. Tasks are kept for a week after they are over."
    )


def _summary(task: Task) -> dict[str, Any]:
    return {
        "id": task.id,
        "tool": task.tool_id,
        "tool_version": task.tool_version,
        "status": task.status,
        "session_id": task.session_id,
        "user": task.user,
        "mode": task.mode,
        "turn": task.turn,
        "call_id": task.call_id,
        "progress": task.progress,
        "attempts": task.attempts,
        "cancel_requested": task.cancel_requested,
        "created_at": task.created_at,
        "started_at": task.started_at,
        "finished_at": task.finished_at,
    }


def _detail(background: BackgroundTasks, task: Task) -> TaskDetail:
    return TaskDetail(
        **_summary(task), args=background.executor.redacted_args(task), result=task.envelope
    )
