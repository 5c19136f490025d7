"""Errors as RFC 9457 problem documents, for every way in which a request can go wrong."""

from __future__ import annotations

import logging
from collections.abc import Collection
from http import HTTPStatus
from typing import Any

import orjson
from fastapi import FastAPI, Request
from fastapi.exceptions import RequestValidationError
from pydantic import BaseModel, ConfigDict, Field
from starlette.exceptions import HTTPException
from starlette.responses import Response
from starlette.routing import Match
from starlette.types import Receive, Scope, Send

from antiphon.contracts import ErrorType
from antiphon.secrecy.redaction import REDACTOR
from antiphon.server.mount_paths import with_prefix
from antiphon.server.subprotocols import socket_acceptance
from antiphon.storage import StoreError

MEDIA_TYPE = "application/problem+json"

logger = logging.getLogger(__name__)

# The HTTP status of each error type of an envelope.
STATUS = {
    ErrorType.VALIDATION: 422,
    ErrorType.NOT_FOUND: 404,
    ErrorType.INTERNAL: 500,
    ErrorType.MODE_RESTRICTED: 409,
    ErrorType.BUDGET_EXCEEDED: 429,
    ErrorType.CONFIRMATION_REQUIRED: 202,
    ErrorType.LOOP_DETECTED: 409,
    ErrorType.UNAVAILABLE: 403,
    ErrorType.IN_PROGRESS: 202,
    ErrorType.OUTCOME_UNKNOWN: 409,
    ErrorType.CANCELLED: 409,
    ErrorType.SESSION_INACTIVE: 409,
    ErrorType.SESSION_ACTIVE: 409,
    ErrorType.TRANSIENT: 503,
    ErrorType.PERMANENT: 400,
    ErrorType.CONFLICT: 409,
    ErrorType.AUTH: 403,
    ErrorType.RATE_LIMIT: 429,
}


class ProblemDocument(BaseModel):
    """An RFC 9457 problem document. Further members say more about the kind of problem."""

    model_config = ConfigDict(
        extra="allow",
        json_schema_extra={
            "example": {
                "type": "about:blank",
                "title": "Not Found",
                "status": 404,
                "detail": "There is no tool `kb_serch`.",
                "nearest": ["kb_search"],
            }
        },
    )

    type: str = Field(default="about:blank", description="A URI that names the kind of problem.")
    title: str = Field(description="The meaning of the status.")
    status: int
    detail: str = Field(description="What went wrong this time, and what to do.")


class ProblemError(HTTPException):
    """Raised by routes. `members` become further members of the document."""

    def __init__(self, status: int, detail: str, **members: Any) -> None:
        super().__init__(status, detail)
        self.members = members


def check_backend(name: str | None, backends: Collection[str]) -> None:
    """Raises a 422 problem for a backend that there is not. None is no choice."""
    if name is not None and name not in backends:
        raise ProblemError(422, f"`backend` must be one of {', '.join(backends)}, not {name!r}.")


def problem(
    status: int, detail: str, headers: dict[str, str] | None = None, **members: Any
) -> Response:
    body = {"type": "about:blank", "title": HTTPStatus(status).phrase, "status": status}
    # Words of other services, and what somebody sent, may hold a secret that the process knows.
    text = REDACTOR.clean(orjson.dumps({**body, "detail": detail, **members}).decode())
    return Response(
        text.encode(),
        status,
        headers=headers,
        media_type=MEDIA_TYPE,
    )


async def problem_socket(scope: Scope, receive: Receive, send: Send, code: int, words: str) -> None:
    """Accept a socket only to close it with a code and words: a browser is told neither of a
    handshake that is refused."""
    await receive()
    await send(socket_acceptance(scope))
    # The words of a close frame have at most 123 bytes.
    reason = words.encode()[:123].decode(errors="ignore")
    await send({"type": "websocket.close", "code": code, "reason": reason})


def documented(*statuses: int) -> dict[int | str, dict[str, Any]]:
    """The `responses` of a route that may answer with these problems."""
    content = {MEDIA_TYPE: {"schema": {"$ref": "#/components/schemas/ProblemDocument"}}}
    return {
        status: {"description": HTTPStatus(status).phrase, "content": content}
        for status in statuses
    }


def install_problem_handlers(app: FastAPI) -> None:
    app.add_exception_handler(HTTPException, _http)
    app.add_exception_handler(RequestValidationError, _validation)
    app.add_exception_handler(StoreError, _store)
    app.add_exception_handler(Exception, _unexpected)
    made = app.openapi

    def openapi() -> dict[str, Any]:
        # Routes refer to the document by name; nothing else makes FastAPI define it.
        document = made()
        schemas = document.setdefault("components", {}).setdefault("schemas", {})
        schemas.setdefault("ProblemDocument", ProblemDocument.model_json_schema())
        return document

    app.openapi = openapi  # type: ignore[method-assign]


async def _http(request: Request, error: Exception) -> Response:
    assert isinstance(error, HTTPException)
    headers = dict(error.headers) if error.headers else None
    if isinstance(error, ProblemError):
        detail = with_prefix(request.scope, error.detail)
        return problem(error.status_code, detail, headers, **error.members)
    path = request.url.path
    match error.status_code:
        case 404:
            found = with_prefix(request.scope, "GET /openapi.json")
            detail = f"There is nothing at {path}. {found} lists what there is."
        case 405:
            allowed = ", ".join(_allowed(request))
            headers = {"allow": allowed}
            detail = f"{path} does not take {request.method}; it takes {allowed}."
        case _:
            detail = str(error.detail)
    return problem(error.status_code, detail, headers)


def _allowed(request: Request) -> list[str]:
    """The methods that the path takes. Each has a route of its own, and the router that says no
    knows of one of them only."""
    taken = [
        method
        for method in ("GET", "POST", "PUT", "PATCH", "DELETE")
        if any(
            route.matches({**request.scope, "method": method})[0] is Match.FULL
            for route in request.app.router.routes
        )
    ]
    return ["GET", "HEAD", *taken[1:]] if "GET" in taken else taken


async def _validation(request: Request, error: Exception) -> Response:
    assert isinstance(error, RequestValidationError)
    errors = []
    for item in error.errors():
        place, *names = item["loc"]
        name, message = ".".join(map(str, names)), item["msg"]
        if item["type"] == "json_invalid":
            name, message = "", f"is no JSON: {item['ctx']['error']} (at character {names[0] + 1})"
        elif item["type"] == "string_too_long":
            most, length = item["ctx"]["max_length"], len(item["input"])
            message = f"may have at most {most:,} characters; this one has {length:,}"
        elif item["type"] == "string_too_short" and item["ctx"]["min_length"] == 1:
            message = "is empty"
        elif place == "body" and "json" not in request.headers.get("content-type", ""):
            message += "; send JSON, with `Content-Type: application/json`"
        errors.append({"in": place, "name": name, "message": message})
    named = "; ".join(
        f"{e['in']}{' `' + e['name'] + '`' if e['name'] else ''}: {e['message']}" for e in errors
    )
    return problem(422, named, errors=errors)


async def _store(_request: Request, error: Exception) -> Response:
    logger.error("the store did not do its part: %s", error)
    return problem(503, f"The store is not there right now. {error}")


async def _unexpected(_request: Request, _error: Exception) -> Response:
    # The server's log has the traceback; whoever asked has no use for it.
    return problem(500, "Something unexpected went wrong. The server's log says what.")
