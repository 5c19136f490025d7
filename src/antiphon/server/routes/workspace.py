"""Workspace over HTTP: awareness, guided tours, macros and device temperature."""

from __future__ import annotations

from collections.abc import Awaitable
from typing import Annotated, Any, TypeVar

import orjson
from fastapi import APIRouter, Path

from antiphon.contracts import ErrorType, ToolCall, ToolError
from antiphon.orchestrator import Session
from antiphon.policy import Case, Nesting, decide
from antiphon.server.bodies import StrictRoute, idempotency_key
from antiphon.server.dependencies import HttpSessionsDep, WorkspaceDep
from antiphon.server.http_sessions import HttpSessions
from antiphon.server.problems import STATUS, ProblemError, documented
from antiphon.server.schemas.workspace import (
    AwarenessEvent,
    AwarenessReport,
    AwarenessTaken,
    MacroBody,
    MacroDeleted,
    MacroDocument,
    MacroList,
    MacroOutcome,
    MacroSaved,
    RunBody,
    ThermalReading,
    Tour,
    TourList,
    TourSummary,
)
from antiphon.workspace.errors import NotThere

router = APIRouter(prefix="/api/vox", tags=["vox"], route_class=StrictRoute)

Result = TypeVar("Result")
MacroId = Annotated[str, Path(max_length=200, examples=["5d0c2a9e"])]


async def answered(work: Awaitable[Result]) -> Result:
    """Await a service; its ToolError becomes a problem document in the flat shape of VOX."""
    try:
        return await work
    except ToolError as error:
        raise _problem(error) from None


_MEMBERS = ("errors", "nearest", "macro_id", "current")


def _problem(error: ToolError) -> ProblemError:
    members = {k: v for k, v in error.body.items() if k in _MEMBERS}
    status = 404 if isinstance(error, NotThere) else STATUS[error.type]
    # The flat shape that clients of VOX know, beside what every problem has.
    return ProblemError(status, error.message, success=False, error=error.message, **members)


# -- awareness -------------------------------------------------------------------------------------


@router.post(
    "/awareness",
    summary="Tell what happens on a page",
    responses=documented(404, 409, 422, 503),
    response_model_exclude_none=True,
)
async def log_awareness(
    http_sessions: HttpSessionsDep, workspace: WorkspaceDep, body: AwarenessEvent
) -> AwarenessTaken:
    awareness, user = workspace.awareness, http_sessions.user
    match body:
        case AwarenessEvent(event_type="page_visit", page=str(page)):
            visit = await answered(awareness.record_visit(user, page, body.metadata))
            return AwarenessTaken(visit_id=visit)
        case AwarenessEvent(event_type="error", error_type=str(kind), message=str(message)):
            error = await answered(awareness.record_error(user, kind, message, body.page or ""))
            return AwarenessTaken(error_id=error)
        case AwarenessEvent(event_type="context", key=str(key), value=str(value)):
            await answered(awareness.set_context(user, key, value))
            return AwarenessTaken()
        case AwarenessEvent(event_type="error_resolved", error_id=int(error_id)):
            await answered(awareness.resolve_error(user, error_id))
            return AwarenessTaken(error_id=error_id)
    needs = {
        "page_visit": "`page`",
        "error": "`error_type` and `message`",
        "context": "`key` and `value`",
        "error_resolved": "`error_id`",
    }[body.event_type]
    raise ProblemError(
        422,
        f"Invalid event type or missing fields: `{body.event_type}` needs {needs}.",
        success=False,
        error="Invalid event type or missing fields",
    )


@router.get("/awareness", summary="What is known of the person's doings", responses=documented(503))
async def get_awareness(http_sessions: HttpSessionsDep, workspace: WorkspaceDep) -> AwarenessReport:
    found = await answered(workspace.awareness.report(http_sessions.user))
    return AwarenessReport.model_validate(found)


# -- tours -----------------------------------------------------------------------------------------


@router.get("/tours", summary="The guided tours")
async def list_tours(workspace: WorkspaceDep) -> TourList:
    found = workspace.tours.listed()
    tours = [TourSummary.model_validate(tour) for tour in found]
    return TourList(tours=tours, count=len(tours))


@router.get("/tours/{page}", summary="The tour of a page", responses=documented(404, 422))
async def get_tour(
    workspace: WorkspaceDep, page: Annotated[str, Path(max_length=200, examples=["kg-studio"])]
) -> Tour:
    try:
        found, tour = workspace.tours.get(page)
    except NotThere as error:
        words = f"No tour found for page: {page}"
        raise ProblemError(
            404, f"{words}. {error.message}", error=words, nearest=list(error.nearest)
        ) from None
    return Tour.model_validate({"page": found, **tour})


# -- macros ----------------------------------------------------------------------------------------


@router.get("/macros", summary="The saved macros", responses=documented(503))
async def get_macros(http_sessions: HttpSessionsDep, workspace: WorkspaceDep) -> MacroList:
    found = await answered(workspace.macros.all(http_sessions.user))
    macros = [MacroDocument.model_validate(macro.to_dict()) for macro in found]
    return MacroList(macros=macros, count=len(macros))


@router.post(
    "/macros",
    summary="Save a macro",
    status_code=201,
    responses=documented(404, 409, 422, 503),
)
async def save_macro(
    http_sessions: HttpSessionsDep, workspace: WorkspaceDep, body: MacroBody
) -> MacroSaved:
    macro = await answered(
        workspace.macros.save(
            http_sessions.user,
            body.name,
            body.trigger_phrase,
            body.steps,
            body.error_policy,
            id=body.id,
            base=body.updated_at,
        )
    )
    await _note(http_sessions, "macro_saved", macro.id, macro.name)
    return MacroSaved(macro=MacroDocument.model_validate(macro.to_dict()))


@router.delete("/macros/{id}", summary="Delete a macro", responses=documented(404, 409, 422, 503))
async def remove_macro(
    http_sessions: HttpSessionsDep, workspace: WorkspaceDep, id: MacroId
) -> MacroDeleted:
    macro = await answered(workspace.macros.delete(http_sessions.user, id))
    await _note(http_sessions, "macro_deleted", macro.id, macro.name)
    return MacroDeleted(deleted=macro.id)


async def _note(http_sessions: HttpSessions, event: str, id: str, name: str) -> None:
    """A person's own act at the console is no call of a tool, and is in the audit all the same."""
    session = await http_sessions.shared("text")
    session.append_audit(event, details={"macro": id, "name": name})


@router.post(
    "/macros/{id}/run",
    summary="Run a macro, or say what a run would do",
    description="By its id or its trigger phrase. Every step passes the same gates as any other "
    "call. `success` is false when a step failed or waits for an approval.",
    responses=documented(400, 403, 404, 409, 422, 429, 500, 503),
    response_model_exclude_none=True,
)
async def run_saved_macro(
    http_sessions: HttpSessionsDep,
    workspace: WorkspaceDep,
    id: MacroId,
    body: RunBody | None = None,
    idempotency_key: Annotated[
        str | None,
        idempotency_key("Runs once."),
    ] = None,
) -> MacroOutcome:
    macros = workspace.macros
    if body is not None and body.dry_run:
        session = await http_sessions.shared("text")
        planned = await answered(
            macros.dry_run(http_sessions.user, id, lambda name, args: foreseen(session, name, args))
        )
        success = all(step["outcome"] == "run" for step in planned["steps"])
        return MacroOutcome.model_validate({**planned, "success": success})
    macro = await answered(macros.find(http_sessions.user, id))
    envelope = await http_sessions.call_shared(
        "text", "run_macro", {"macro_id": macro.id}, idempotency_key
    )
    if not envelope["ok"]:
        error = envelope["error"]
        more = {k: v for k, v in error.items() if k in ("errors", "nearest", "retryAfter")}
        raise ProblemError(
            STATUS[ErrorType(error["type"])],
            error["message"],
            success=False,
            error=error["message"],
            error_type=error["type"],
            **more,
        )
    return MacroOutcome.model_validate(envelope["data"])


def foreseen(session: Session, name: str, args: dict[str, Any]) -> dict[str, Any]:
    """The verdict that a step of a macro would get now; nothing is counted, asked or run."""
    tool = session.snapshot.tools.get(name)
    view = session.view
    view.now = session.orchestrator.now()
    call = ToolCall(None, name, args)
    case = Case(call, orjson.dumps(args), None, Nesting(("run_macro",), 1, 0))
    verdict = decide(case, tool, view)
    in_browser = tool is not None and tool.definition.execution == "client"
    if in_browser and verdict.outcome == "run" and session.run_in_client is None:
        words = f"{name} runs in the browser, and none is connected."
        return {"outcome": "refuse", "rule": "client", "message": words}
    message = verdict.error["message"] if verdict.error is not None else None
    if verdict.outcome == "confirm":
        message = f"{name} needs an approval each time it runs."
    return {"outcome": verdict.outcome, "rule": verdict.rule, "message": message}


# -- thermal ---------------------------------------------------------------------------------------


@router.get("/thermal", summary="How hot the device is")
async def get_thermal(workspace: WorkspaceDep) -> ThermalReading:
    return ThermalReading.model_validate(await workspace.thermal.check())
