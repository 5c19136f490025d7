"""Macro runs over HTTP: dry run of unsaved steps, and a run streamed step by step."""

from __future__ import annotations

from collections.abc import AsyncIterator
from typing import Annotated, Any
from uuid import uuid4

import orjson
from fastapi import APIRouter
from pydantic import BaseModel, ConfigDict, Field
from starlette.responses import StreamingResponse

from antiphon.server.bodies import Body, StrictRoute, idempotency_key
from antiphon.server.dependencies import HttpSessionsDep, ServicesDep, WorkspaceDep
from antiphon.server.problems import documented
from antiphon.server.routes.workspace import MacroId, answered, foreseen
from antiphon.server.schemas.workspace import PlannedStep

router = APIRouter(prefix="/api/vox", tags=["vox"], route_class=StrictRoute)

EVENTS = "text/event-stream"


class StepsBody(Body):
    model_config = ConfigDict(
        json_schema_extra={"example": {"steps": [{"function": "list_kgs", "args": {}}]}}
    )

    steps: list[dict[str, Any]]
    id: str | None = Field(
        default=None, max_length=200, description="The macro that they are going to change."
    )


class Rehearsal(BaseModel):
    success: bool = Field(description="No gate would stop any of them.")
    steps: list[PlannedStep]


@router.post(
    "/macros/dry-run",
    summary="Say what steps would do, without saving them",
    description="The steps are checked as if the macro were saved; what is wrong comes with a "
    "pointer to each place. Nothing is saved, counted, asked or run.",
    responses=documented(422, 503),
    response_model_exclude_none=True,
)
async def rehearse_macro(
    http_sessions: HttpSessionsDep, workspace: WorkspaceDep, body: StepsBody
) -> Rehearsal:
    session = await http_sessions.shared("text")
    planned = await answered(
        workspace.macros.rehearse(
            http_sessions.user,
            body.steps,
            lambda name, args: foreseen(session, name, args),
            id=body.id,
        )
    )
    success = all(step["outcome"] == "run" for step in planned)
    return Rehearsal.model_validate({"success": success, "steps": planned})


_EXAMPLE = (
    'event: step\ndata: {"type":"step","message":"Step 1 of 1: list_kgs","fraction":0.0,'
    '"macro_id":"5d0c2a9e","step":1,"function":"list_kgs","last":null}\n\n'
    'event: done\ndata: {"type":"done","macro_id":"5d0c2a9e","completed":1,"failed":0}\n\n'
)


@router.post(
    "/macros/{id}/run/events",
    summary="Run a macro and watch its steps",
    description="Server-sent events: `step` when a step begins (`macro_id` tells those of a macro "
    "inside apart), with what came of the one `last`; then `done` with all of the outcome, or "
    "`failed` with the `error` of the run and the `status` that it has elsewhere. The run goes on "
    "when the connection is closed.",
    response_class=StreamingResponse,
    responses={
        200: {"content": {EVENTS: {"example": _EXAMPLE}}},
        **documented(404, 422, 503),
    },
)
async def watch_macro(
    workspace: WorkspaceDep,
    services: ServicesDep,
    http_sessions: HttpSessionsDep,
    id: MacroId,
    idempotency_key: Annotated[
        str | None,
        idempotency_key("Runs once."),
    ] = None,
) -> StreamingResponse:
    runs = services.macro_runs
    macro = await answered(workspace.macros.find(http_sessions.user, id))

    key = idempotency_key or uuid4().hex

    async def told() -> AsyncIterator[bytes]:
        async for event in runs.events(http_sessions, macro.id, key):
            body = orjson.dumps(event, default=str)
            yield b"event: %b\ndata: %b\n\n" % (event["type"].encode(), body)

    # Proxies that collect pieces would hold them back.
    headers = {"cache-control": "no-store", "x-accel-buffering": "no"}
    return StreamingResponse(told(), media_type=EVENTS, headers=headers)
