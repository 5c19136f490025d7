"""Macro runs over HTTP: dry run of unsaved steps, and a run streamed step by step."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import AsyncIterator
from typing import Annotated, Any
from uuid import uuid4

import orjson
from fastapi import APIRouter, Header, Request
from pydantic import BaseModel, ConfigDict, Field
from starlette.responses import StreamingResponse

from antiphon.contracts import Envelope, ErrorType
from antiphon.orchestrator import Orchestrator, Session
from antiphon.server.bodies import Body, StrictRoute
from antiphon.server.http_sessions import LOCAL_USER, HttpSessions
from antiphon.server.problems import documented
from antiphon.server.routes.calls import STATUS
from antiphon.server.routes.workspace import MacroId, answered, foreseen
from antiphon.server.schemas.workspace import PlannedStep
from antiphon.storage import StoreError
from antiphon.workspace import Workspace

logger = logging.getLogger(__name__)

router = APIRouter(prefix="/api/vox", tags=["vox"], route_class=StrictRoute)

EVENTS = "text/event-stream"
RUN_MACRO = "run_macro"


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


class MacroRuns:
    """Runs of macros that somebody watches. A run goes on when nobody does any more."""

    def __init__(self, orchestrator: Orchestrator, rest: HttpSessions) -> None:
        self._rest = rest
        self._watching: dict[str, list[asyncio.Queue[dict[str, Any] | None]]] = {}
        self._running: set[asyncio.Task[Envelope]] = set()
        orchestrator.progress_listeners.subscribe(self._progressed)

    async def events(self, id: str, key: str) -> AsyncIterator[dict[str, Any]]:
        """Each step as it begins, with what came of the one before; at the end `done`, or `failed`
        where the run itself was refused."""
        queue: asyncio.Queue[dict[str, Any] | None] = asyncio.Queue()
        run = asyncio.create_task(
            self._rest.call_shared("text", RUN_MACRO, {"macro_id": id}, key), name="macro run"
        )
        self._running.add(run)
        run.add_done_callback(self._ended)
        run.add_done_callback(lambda _: queue.put_nowait(None))
        watched = f"client:{key}"
        self._watching.setdefault(watched, []).append(queue)
        try:
            while (told := await queue.get()) is not None:
                yield {"type": "step", **told}
            yield _end(run.result())
        except StoreError as error:
            words = f"The store is not there right now. {error}"
            yield {
                "type": "failed",
                "status": 503,
                "error": {"type": "TRANSIENT", "message": words},
            }
        finally:
            self._watching[watched].remove(queue)
            if not self._watching[watched]:
                del self._watching[watched]

    async def close(self) -> None:
        """Nobody waits for what is under way; the calls themselves end with the orchestrator."""
        for run in self._running:
            run.cancel()
        await asyncio.gather(*self._running, return_exceptions=True)

    def _ended(self, run: asyncio.Task[Envelope]) -> None:
        self._running.discard(run)
        if not run.cancelled() and run.exception() is not None:
            logger.error("a run of a macro did not come to its end: %s", run.exception())

    def _progressed(self, _session: Session, event: dict[str, Any]) -> None:
        if event["toolId"] == RUN_MACRO:
            told = {name: each for name, each in event.items() if name not in ("toolId", "key")}
            for queue in self._watching.get(event["key"], ()):
                queue.put_nowait(told)


def _end(envelope: Envelope) -> dict[str, Any]:
    if envelope["ok"]:
        replayed = envelope["meta"].get("replayed", False)
        return {"type": "done", **envelope["data"], "replayed": replayed}
    error = envelope["error"]
    status = STATUS[ErrorType(error["type"])]
    return {"type": "failed", "status": status, "error": error}


@router.post(
    "/macros/dry-run",
    summary="Say what steps would do, without saving them",
    description="The steps are checked as if the macro were saved; what is wrong comes with a "
    "pointer to each place. Nothing is saved, counted, asked or run.",
    responses=documented(422, 503),
    response_model_exclude_none=True,
)
async def rehearse_macro(request: Request, body: StepsBody) -> Rehearsal:
    rest: HttpSessions = request.app.state.rest
    workspace: Workspace = request.app.state.workspace
    session = await rest.shared("text")
    planned = await answered(
        workspace.macros.rehearse(
            LOCAL_USER, body.steps, lambda name, args: foreseen(session, name, args), id=body.id
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
    request: Request,
    id: MacroId,
    idempotency_key: Annotated[
        str | None,
        Header(min_length=1, max_length=200, pattern=r"^[\x20-\x7e]+$", description="Runs once."),
    ] = None,
) -> StreamingResponse:
    workspace: Workspace = request.app.state.workspace
    runs: MacroRuns = request.app.state.macro_runs
    macro = await answered(workspace.macros.find(LOCAL_USER, id))

    async def told() -> AsyncIterator[bytes]:
        async for event in runs.events(macro.id, idempotency_key or uuid4().hex):
            body = orjson.dumps(event, default=str)
            yield b"event: %b\ndata: %b\n\n" % (event["type"].encode(), body)

    # Proxies that collect pieces would hold them back.
    headers = {"cache-control": "no-store", "x-accel-buffering": "no"}
    return StreamingResponse(told(), media_type=EVENTS, headers=headers)
