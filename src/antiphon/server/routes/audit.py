"""Audit log over HTTP: filtered and paged, exported as JSON lines, its chain verified."""

from __future__ import annotations

from collections.abc import AsyncIterator
from datetime import UTC, datetime
from typing import Annotated, Any, Literal

import orjson
from fastapi import APIRouter, Path, Query, Request
from pydantic import BaseModel, ConfigDict, Field
from pydantic.config import JsonDict
from starlette.responses import Response, StreamingResponse

from antiphon.server.bodies import preferred
from antiphon.server.dependencies import HttpSessionsDep, OrchestratorDep
from antiphon.server.problems import ProblemError, documented
from antiphon.server.routes.rules import Passage, passages
from antiphon.storage import Store

_MOMENT: dict[str, Any] = {
    "anyOf": [{"type": "string", "format": "date-time"}, {"type": "number"}, {"type": "null"}]
}

router = APIRouter(prefix="/api/audit", tags=["audit"])

NDJSON = "application/x-ndjson"
PAGE = 1000
DEFAULT_LIMIT = 100

_LINE: JsonDict = {
    "seq": 17,
    "prev": "9c1e…",
    "hash": "41f0…",
    "at": 1767225600.25,
    "event": "tool_execution",
    "sessionId": "rest-text",
    "user": "local",
    "mode": "text",
    "turnId": 3,
    "toolId": "format_datetime",
    "toolVersion": "1.0.0",
    "registryVersion": "1.0.5f0c2a9e",
    "category": "utility",
    "callId": None,
    "idempotencyKey": "client:order-4711",
    "args": {"datetime": "2026-03-01T09:30:00Z"},
    "decision": "run",
    "rule": "run",
    "ok": True,
    "duration": 0.412,
    "errorType": None,
    "intents": [],
    "variant": None,
    "source": "rest",
}


class AuditLines(BaseModel):
    """Lines as they were recorded, each sealed with a hash over itself and the one before."""

    model_config = ConfigDict(json_schema_extra={"example": {"lines": [_LINE], "next": None}})

    lines: list[dict[str, Any]]
    next: int | None = Field(
        description="Ask with this as `after_seq` (or as `before_seq` with `newest_first`) for "
        "what follows; null when nothing does."
    )


class ChainReport(BaseModel):
    ok: bool = Field(description="No line was changed, moved, added or removed.")
    count: int = Field(description="Lines that are in order, from the first one on.", examples=[17])
    pruned: int = Field(
        description="Lines before them that were deleted when they were old enough; a line of the "
        "event `audit_pruned` says so.",
        examples=[0],
    )
    first_bad_seq: int | None
    problem: str | None = Field(examples=["line 12 was changed: its hash does not fit"])


@router.get(
    "",
    summary="Lines of the audit, as JSON or by `Accept` or `format` as JSON lines",
    response_model=AuditLines,
    responses={
        200: {
            "content": {
                NDJSON: {"schema": {"type": "string"}, "example": orjson.dumps(_LINE).decode()}
            }
        },
        **documented(422, 503),
    },
)
async def get_audit(
    request: Request,
    orchestrator: OrchestratorDep,
    http_sessions: HttpSessionsDep,
    event: Annotated[str | None, Query(max_length=200, examples=["tool_execution"])] = None,
    session: Annotated[str | None, Query(max_length=200, description="Id of a session.")] = None,
    tool: Annotated[str | None, Query(max_length=200, description="Id of a tool.")] = None,
    decision: Annotated[str | None, Query(max_length=200, examples=["refuse"])] = None,
    rule: Annotated[str | None, Query(max_length=200, examples=["budget.calls"])] = None,
    ok: Annotated[bool | None, Query(description="Only what succeeded, or what did not.")] = None,
    since: Annotated[
        datetime | None,
        Query(
            description="Not before: ISO 8601 (UTC unless it says otherwise), or epoch seconds.",
            json_schema_extra=_MOMENT,
        ),
    ] = None,
    until: Annotated[
        datetime | None, Query(description="Before this time.", json_schema_extra=_MOMENT)
    ] = None,
    after_seq: Annotated[int, Query(ge=0, le=2**62, description="Lines after this one.")] = 0,
    before_seq: Annotated[
        int | None, Query(ge=0, le=2**62, description="Lines before this one.")
    ] = None,
    newest_first: Annotated[bool, Query(description="From the end; not for JSON lines.")] = False,
    limit: Annotated[
        int | None,
        Query(ge=1, description="At most so many: 100 for JSON (1000 at most), else all."),
    ] = None,
    format: Annotated[
        Literal["json", "jsonl"] | None, Query(description="Instead of the `Accept` header.")
    ] = None,
) -> Response:
    store = orchestrator.store
    await store.flush()
    filters: dict[str, Any] = {
        "owners": http_sessions.scope.owners("audit.read"),
        "event": event,
        "session_id": session,
        "tool_id": tool,
        "decision": decision,
        "rule": rule,
        "ok": ok,
        "since": _seconds(since),
        "until": _seconds(until),
    }
    accept = request.headers.get("accept", "")
    wanted = preferred(accept, ("application/json", NDJSON))
    if format == "jsonl" or (format is None and wanted == NDJSON):
        return StreamingResponse(
            _export(store, filters, after_seq, before_seq, limit),
            headers={
                "content-type": NDJSON,
                "content-disposition": 'attachment; filename="audit.jsonl"',
                "vary": "accept",
            },
        )
    size = min(limit or DEFAULT_LIMIT, PAGE)
    lines = await store.audit_lines(
        after_seq=after_seq,
        before_seq=before_seq,
        newest_first=newest_first,
        limit=size + 1,
        **filters,
    )
    more, page = len(lines) > size, lines[:size]
    body = {
        "lines": [orjson.Fragment(line.line) for line in page],
        "next": page[-1].seq if more else None,
    }
    return Response(orjson.dumps(body), media_type="application/json", headers={"vary": "accept"})


class AuditLineInFull(BaseModel):
    """One line, and what it says of a call's way."""

    line: dict[str, Any] = Field(examples=[_LINE])
    gates: list[Passage] = Field(description="Empty when the line is about no decision.")
    newest: int = Field(description="The number of the last line that may be read.")


@router.get("/verify", summary="Check the chain of the audit", responses=documented(503))
async def verify_audit(orchestrator: OrchestratorDep) -> ChainReport:
    await orchestrator.store.flush()
    report = await orchestrator.store.verify_audit()
    return ChainReport(
        ok=report.ok,
        count=report.count,
        pruned=report.pruned,
        first_bad_seq=report.first_bad_seq,
        problem=report.problem,
    )


@router.get("/{seq:int}", summary="One line of the audit", responses=documented(404, 422, 503))
async def get_audit_line(
    orchestrator: OrchestratorDep,
    http_sessions: HttpSessionsDep,
    seq: Annotated[int, Path(ge=1, le=2**62)],
) -> AuditLineInFull:
    store = orchestrator.store
    owners = http_sessions.scope.owners("audit.read")
    await store.flush()
    newest = await store.audit_lines(owners=owners, limit=1, newest_first=True)
    found = await store.audit_lines(owners=owners, after_seq=seq - 1, before_seq=seq + 1, limit=1)
    if not found:
        last = newest[0].seq if newest else 0
        raise ProblemError(404, f"There is no line {seq} in the audit. The last one is {last}.")
    data = found[0].data
    session = orchestrator.sessions.get(data.get("sessionId") or "")
    snapshot = session.snapshot if session else orchestrator.registry_snapshot()
    tool = snapshot.tools.get(data.get("toolId") or "")
    return AuditLineInFull(
        line=data,
        gates=passages(data, tool.definition if tool else None, orchestrator.rules),
        newest=newest[0].seq,
    )


async def _export(
    store: Store,
    filters: dict[str, Any],
    after_seq: int,
    before_seq: int | None,
    limit: int | None,
) -> AsyncIterator[bytes]:
    """All lines that fit, page by page, up to the last one that there was at the start."""
    newest = await store.audit_lines(owners=filters["owners"], limit=1, newest_first=True)
    end = newest[0].seq + 1 if newest else 1
    end = end if before_seq is None else min(end, before_seq)
    left = limit
    while left is None or left > 0:
        size = PAGE if left is None else min(PAGE, left)
        page = await store.audit_lines(after_seq=after_seq, before_seq=end, limit=size, **filters)
        if page:
            yield b"".join(line.line + b"\n" for line in page)
            after_seq = page[-1].seq
        if len(page) < size:
            return
        left = None if left is None else left - len(page)


def _seconds(moment: datetime | None) -> float | None:
    if moment is None:
        return None
    return (moment if moment.tzinfo else moment.replace(tzinfo=UTC)).timestamp()
