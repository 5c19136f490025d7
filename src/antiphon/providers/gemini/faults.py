"""Gemini Live faults: close codes, API errors and garbage as provider faults."""

from __future__ import annotations

import json
from typing import Any

from antiphon.contracts.events import Fault, FaultKind
from antiphon.providers.auth import kind_of_transport, redact_key
from antiphon.providers.faults import fault, kind_of_status, retry_after, words_in
from antiphon.providers.port import Access

_MISSING = ("is not found", "not supported for bidigeneratecontent")
_KEY = ("api key", "api_key", "unregistered callers", "unauthenticated", "credential", "permission")
_QUOTA = ("quota", "exhausted", "rate limit")
_ABORTED = ("aborted", "deadline", "session expired", "timed out")


def of_error(error: Exception, access: Access, model: str | None = None) -> Fault:
    """Return the fault in an exception of the SDK, or of the layers under it."""
    from google.genai.errors import APIError
    from websockets.exceptions import ConnectionClosed, InvalidHandshake, InvalidStatus

    code: int | None = None
    after: float | None = None
    said: object = ""
    kind: FaultKind
    if isinstance(error, APIError):
        code = error.code if isinstance(error.code, int) else None
        said = error.message or _words(error.details)
        kind = _of_code(code, f"{error.message or ''} {error.details}")
    elif isinstance(error, ConnectionClosed):
        code = error.rcvd.code if error.rcvd else 1006
        said = error.rcvd.reason if error.rcvd else ""
        kind = _of_code(code, said)
    elif isinstance(error, InvalidStatus):
        code = error.response.status_code
        kind = _of_code(code, (error.response.body or b"").decode(errors="replace"))
        said = words_in(error.response.body)
        after = retry_after(error.response.headers)
    elif isinstance(error, TimeoutError):
        kind = "timeout"
    elif isinstance(error, OSError | InvalidHandshake):
        kind = "unreachable"
    else:
        kind = kind_of_transport(error) or "protocol"
    where = {"unreachable": access.base_url or "its own address", "not_found": model}.get(kind)
    detail = f"{type(error).__name__}: {error}"
    what = fault("gemini", kind, detail, code=code, retry_after=after, where=where, said=said)
    return redact_key(what, access)


def _words(details: Any) -> str:
    """Return what the SDK keeps of an error: the reason of a close, or the body of an answer."""
    if isinstance(details, str):
        return details
    error = details.get("error") if isinstance(details, dict) else None
    return str(error.get("message") or "") if isinstance(error, dict) else ""


def of_message(raw: Any, *, fatal: bool) -> Fault:
    """Return the fault in a message that is no proper one: an error of the service, or garbage."""
    try:
        body = json.loads(raw)
        error = body["error"]
        code, said = error.get("code"), f"{error.get('status', '')} {error.get('message', '')}"
    except (ValueError, TypeError, KeyError, AttributeError):
        shown = raw.decode(errors="replace") if isinstance(raw, bytes) else str(raw)
        return fault("gemini", "protocol", f"unexpected message: {shown}", fatal=fatal)
    number = code if type(code) is int else None
    kind = _of_code(number, said)
    return fault("gemini", kind, body, fatal=fatal, code=number, said=error.get("message"))


def _of_code(code: int | None, said: str) -> FaultKind:
    """Return the kind of fault of a close code or HTTP status; the words know more than the
    number."""
    words = said.lower()
    if any(word in words for word in _KEY):
        return "auth"
    if any(word in words for word in _QUOTA):
        return "rate_limited"
    if any(word in words for word in _MISSING):
        return "not_found"
    if code is None:
        return "overloaded"
    if code < 1000:
        return kind_of_status(code)
    if code in (1003, 1007, 1008, 1009):
        return "closed" if any(word in words for word in _ABORTED) else "bad_request"
    return "overloaded" if code in (1011, 1013, 1014) else "closed"
