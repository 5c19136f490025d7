"""Calling a tool: the envelope is the body, and the status mirrors its error type.

| error type | status | error type | status |
|---|---|---|---|
| none, the call succeeded | 200 | `SESSION_INACTIVE` | 409 |
| `VALIDATION` | 422 | `SESSION_ACTIVE` | 409 |
| `NOT_FOUND` | 404 | `TRANSIENT` | 503 |
| `INTERNAL` | 500 | `PERMANENT` | 400 |
| `MODE_RESTRICTED` | 409 | `CONFLICT` | 409 |
| `BUDGET_EXCEEDED` | 429 | `AUTH` | 403 |
| `CONFIRMATION_REQUIRED` | 202 | `RATE_LIMIT` | 429 |
| `LOOP_DETECTED` | 409 | `IN_PROGRESS` | 202 |
| `UNAVAILABLE` | 403 | `OUTCOME_UNKNOWN` | 409 |
| `CANCELLED` | 409 | | |

Where the error says when to try again, so does the `Retry-After` header.
"""

from __future__ import annotations

from http import HTTPStatus
from math import ceil
from typing import Annotated, Any, Literal

import orjson
from fastapi import APIRouter, Path
from pydantic import BaseModel, ConfigDict, Field
from pydantic.config import JsonDict
from starlette.responses import Response

from antiphon.contracts import Envelope, ErrorType
from antiphon.contracts.definition import Mode
from antiphon.server.bodies import Body, StrictRoute, idempotency_key
from antiphon.server.dependencies import HttpSessionsDep
from antiphon.server.problems import STATUS, ProblemError, documented

router = APIRouter(prefix="/api/tools", tags=["tools"], route_class=StrictRoute)


class CallBody(Body):
    model_config = ConfigDict(
        json_schema_extra={
            "example": {"args": {"datetime": "2026-03-01T09:30:00Z", "timezone": "Europe/Vienna"}}
        }
    )

    args: dict[str, Any] = Field(
        default_factory=dict, description="The arguments, by the tool's schema."
    )
    mode: Mode | None = Field(
        default=None,
        description="`text` unless said otherwise. A session has its own, which this must not "
        "contradict.",
    )
    session_id: str | None = Field(
        default=None,
        min_length=1,
        max_length=200,
        description="The session whose turn this call belongs to. Without one the call is a turn "
        "of its own, in a session that all such calls share.",
    )


class EnvelopeMeta(BaseModel):
    model_config = ConfigDict(extra="allow")

    toolId: str
    toolVersion: str | None = Field(description="Null where there is no such tool.")
    registryVersion: str
    duration: float = Field(description="Milliseconds.")
    responseSchemaVersion: Literal["1.0.0"] = "1.0.0"
    replayed: bool | None = Field(default=None, description="The stored answer of an earlier call.")
    originalTurn: int | None = Field(default=None, description="The turn of that earlier call.")
    variant: str | None = None
    budget: dict[str, Any] | None = None


class ErrorBody(BaseModel):
    """Further members depend on the type: `errors`, `nearest`, `left`, `confirmation_request`…"""

    model_config = ConfigDict(extra="allow")

    type: ErrorType
    message: str
    retryable: bool
    partialSideEffects: bool
    retryAfter: float | None = Field(default=None, description="Seconds.")


_META: JsonDict = {
    "toolId": "format_datetime",
    "toolVersion": "1.0.0",
    "registryVersion": "1.0.5f0c2a9e",
    "duration": 0.4,
    "responseSchemaVersion": "1.0.0",
}


class SuccessEnvelope(BaseModel):
    """Envelope 1.0.0 of a call that succeeded."""

    model_config = ConfigDict(
        json_schema_extra={
            "example": {
                "ok": True,
                "data": {"text": "1 March 2026, 10:30"},
                "intents": [],
                "meta": _META,
            }
        }
    )

    ok: Literal[True]
    data: dict[str, Any]
    intents: list[dict[str, Any]]
    meta: EnvelopeMeta


class FailureEnvelope(BaseModel):
    """Envelope 1.0.0 of a call that failed, was refused, or waits for a person."""

    model_config = ConfigDict(
        json_schema_extra={
            "example": {
                "ok": False,
                "error": {
                    "type": "VALIDATION",
                    "message": "Invalid parameters: /timezone must be a string.",
                    "retryable": False,
                    "partialSideEffects": False,
                    "errors": [
                        {
                            "pointer": "/timezone",
                            "message": "must be a string",
                            "expected": "string",
                        }
                    ],
                },
                "intents": [],
                "meta": _META,
            }
        }
    )

    ok: Literal[False]
    error: ErrorBody
    intents: list[dict[str, Any]]
    meta: EnvelopeMeta


def _responses() -> dict[int | str, dict[str, Any]]:
    found: dict[int | str, dict[str, Any]] = {}
    for status in sorted(set(STATUS.values())):
        types = [f"`{kind}`" for kind, mirrored in STATUS.items() if mirrored == status]
        found[status] = {
            "model": FailureEnvelope,
            "description": f"{HTTPStatus(status).phrase}: {', '.join(types)}.",
        }
    # Before a call comes to be: no such session, a wrong body, no store.
    for refused, problem in documented(404, 422, 503).items():
        found[refused]["content"] = problem["content"]
    return found


@router.post(
    "/{tool_id}/call",
    summary="Call a tool",
    description=__doc__,
    response_model=SuccessEnvelope,
    responses=_responses(),
)
async def call_tool(
    http_sessions: HttpSessionsDep,
    tool_id: Annotated[str, Path(max_length=200, examples=["format_datetime"])],
    body: CallBody,
    idempotency_key: Annotated[
        str | None,
        idempotency_key(
            "A tool that writes does it once for a key, for 24 hours and across "
            "restarts: the same call again gets the same answer, another call is a `CONFLICT`. A "
            "tool that only reads may be run again after some more calls.",
            examples=["order-4711-confirmation-mail"],
        ),
    ] = None,
) -> Response:
    if body.session_id is None:
        envelope = await http_sessions.call_shared(
            body.mode or "text", tool_id, body.args, idempotency_key
        )
    else:
        session = await http_sessions.find(body.session_id)
        if body.mode is not None and body.mode != session.mode:
            raise ProblemError(
                422,
                f"The session is in {session.mode} mode, and stays so. Leave `mode` out, or use "
                "another session.",
                errors=[{"in": "body", "name": "mode", "message": f"must be {session.mode}"}],
            )
        envelope = await http_sessions.call_in(session, tool_id, body.args, idempotency_key)
    return answer(envelope)


def answer(envelope: Envelope) -> Response:
    """The envelope under the status that its error type has."""
    headers = {}
    status = 200
    if not envelope["ok"]:
        error = envelope["error"]
        status = STATUS[ErrorType(error["type"])]
        after = error.get("retryAfter")
        if isinstance(after, int | float) and status in (429, 503):
            headers["retry-after"] = str(max(1, ceil(after)))
    return Response(orjson.dumps(envelope), status, headers, "application/json")
