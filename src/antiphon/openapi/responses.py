"""Responses of operations: results as data, failures as typed errors."""

from __future__ import annotations

from collections.abc import Mapping
from http import HTTPStatus
from typing import Any

import orjson

from antiphon.contracts import ErrorType, ToolError
from antiphon.net import HttpResponse, parse_retry_after
from antiphon.openapi.operations import ApiOperation
from antiphon.secrecy.redaction import redact

_TYPES = {
    400: ErrorType.VALIDATION,
    401: ErrorType.AUTH,
    403: ErrorType.AUTH,
    404: ErrorType.NOT_FOUND,
    408: ErrorType.TRANSIENT,
    409: ErrorType.CONFLICT,
    410: ErrorType.NOT_FOUND,
    412: ErrorType.CONFLICT,
    422: ErrorType.VALIDATION,
    425: ErrorType.TRANSIENT,
    429: ErrorType.RATE_LIMIT,
}
# Statuses by which a server says that it has done nothing.
_UNTOUCHED = frozenset({429, 503})
_MOST_ERRORS = 20


def result_of(
    operation: ApiOperation, response: HttpResponse, secrets: tuple[str, ...] = ()
) -> dict[str, Any]:
    """The data of a successful response. Raises ToolError for every other one."""
    if not 200 <= response.status < 300:
        raise error_of(operation, response, secrets)
    if not response.body:
        return {"status": response.status}
    kind = response.headers.get("content-type", "").partition(";")[0].strip().lower()
    if kind.endswith("json"):
        try:
            value = orjson.loads(response.body)
        except orjson.JSONDecodeError:
            raise ToolError(
                ErrorType.PERMANENT,
                f"{operation.title} answered with something that is no JSON.",
                partial_side_effects=not operation.reads,
            ) from None
        wraps = operation.wraps_result
        if wraps is None:
            wraps = not isinstance(value, dict)
        return {"result": value} if wraps else _object(operation, value)
    if kind.startswith("text/") or kind.endswith("xml"):
        return {"text": response.body.decode("utf-8", "replace")}
    raise ToolError(
        ErrorType.PERMANENT,
        f"{operation.title} answered with {kind or 'data of no type'}, which a model cannot read.",
        partial_side_effects=not operation.reads,
    )


def _object(operation: ApiOperation, value: Any) -> dict[str, Any]:
    if isinstance(value, dict):
        return value
    raise ToolError(
        ErrorType.PERMANENT,
        f"{operation.title} answered with no object, against its own description.",
        partial_side_effects=not operation.reads,
    )


def error_of(
    operation: ApiOperation, response: HttpResponse, secrets: tuple[str, ...] = ()
) -> ToolError:
    """The error for a response that is no success."""
    status = response.status
    kind = _TYPES.get(status, ErrorType.TRANSIENT if status >= 500 else ErrorType.PERMANENT)
    words, errors = _words(response)
    shown = redact(words, secrets) if words else _phrase(status)
    after = parse_retry_after(response.headers.get("retry-after"))
    # What failed half-way may have happened; another try could make it happen twice.
    unsure = status >= 500 and status not in _UNTOUCHED and not operation.reads
    details: dict[str, Any] = {"status": status}
    if errors:
        details["errors"] = errors
    return ToolError(
        kind,
        f"{operation.title} answered {status}: {shown}",
        retryable=False if unsure else None,
        partial_side_effects=unsure,
        retry_after=after,
        **details,
    )


def _phrase(status: int) -> str:
    try:
        return HTTPStatus(status).phrase
    except ValueError:
        return "no reason given"


def _words(response: HttpResponse) -> tuple[str, list[dict[str, str]]]:
    """What a failed response says, from the shapes that are common, and its single errors."""
    try:
        body = orjson.loads(response.body)
    except orjson.JSONDecodeError:
        kind = response.headers.get("content-type", "")
        return (
            response.body.decode("utf-8", "replace") if kind.startswith("text/plain") else ""
        ), []
    if isinstance(body, str):
        return body, []
    if not isinstance(body, Mapping):
        return "", []
    detail = body.get("detail", body.get("errors"))
    errors = _errors(detail) or _errors(body.get("errors"))
    nested = body.get("error")
    candidates = (
        *(detail, body.get("message"), body.get("error_description")),
        *(nested.get("message") if isinstance(nested, Mapping) else nested, body.get("title")),
    )
    words = next((each for each in candidates if isinstance(each, str) and each.strip()), "")
    if not words and errors:
        words = "; ".join(f"{each['pointer']} {each['message']}".strip() for each in errors)
    return words, errors


def _errors(listed: Any) -> list[dict[str, str]]:
    found = []
    for each in listed[:_MOST_ERRORS] if isinstance(listed, list) else ():
        if not isinstance(each, Mapping):
            continue
        message = each.get("msg", each.get("message", each.get("detail")))
        place = each.get("loc", each.get("pointer", each.get("name", "")))
        if isinstance(place, list):
            place = "".join(f"/{part}" for part in place[1:])
        if isinstance(message, str):
            found.append({"pointer": str(place), "message": message})
    return found
