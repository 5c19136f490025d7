"""Access problems: refusals of the directory as problem documents, with a line in the audit."""

from __future__ import annotations

from fastapi import FastAPI, Request
from starlette.responses import Response

from antiphon.access.administration import OPERATOR
from antiphon.access.errors import AccessError, AccessRefused
from antiphon.contracts.rights import RightsError
from antiphon.server.authentication import requester_of
from antiphon.server.forwarded import client_address
from antiphon.server.problems import problem
from antiphon.server.sign_in_throttle import Throttled

_STATUS = {"invalid": 422, "missing": 404, "conflict": 409}
_READS = ("GET", "HEAD")


def install_access_problems(app: FastAPI) -> None:
    """Answer what the directory refuses: the input, the request, or a change that cannot be."""
    for kind in (AccessError, AccessRefused, RightsError):
        app.add_exception_handler(kind, _refused)
    app.add_exception_handler(Throttled, _throttled)


async def _refused(request: Request, error: Exception) -> Response:
    assert isinstance(error, AccessRefused | AccessError | RightsError)
    code: str
    if isinstance(error, AccessRefused):
        status, code, words = error.status, error.code, error.reason
    elif isinstance(error, AccessError):
        status, code, words = _STATUS[error.kind], error.kind, error.message
    else:
        status, code, words = 422, "invalid", _sentence(str(error))
    if request.method not in _READS:
        _record(request, status, code, words)
    headers = {"www-authenticate": "Bearer"} if status == 401 else None
    field = error.field
    about = {"errors": [{"in": "body", "name": field, "message": words}]} if field else {}
    return problem(status, words, headers, code=code, **about)


async def _throttled(request: Request, error: Exception) -> Response:
    """429; of those who come again too early, only the first one is recorded."""
    assert isinstance(error, Throttled)
    if error.is_first:
        principal = requester_of(request.scope).principal
        request.app.services.application.store.append_audit(
            {
                "event": "sign_in_throttled",
                "by": "",
                "user": "" if principal is None else principal.user,
                "details": {
                    "route": request.scope["route"].path_format,
                    "address": client_address(request.scope),
                    "seconds": error.retry_after,
                },
            }
        )
    return problem(429, str(error), {"retry-after": str(error.retry_after)})


def _record(request: Request, status: int, code: str, words: str) -> None:
    requester = requester_of(request.scope)
    principal = requester.principal
    nameless = "" if requester.kind == "nobody" else OPERATOR
    route = request.scope["route"].path_format
    request.app.services.application.store.append_audit(
        {
            "event": "access_change_refused",
            "by": nameless if principal is None else principal.user,
            "user": "" if principal is None else principal.user,
            "details": {
                "route": f"{request.method} {route}",
                "status": status,
                "code": code,
                "reason": words[:300],
            },
        }
    )


def _sentence(text: str) -> str:
    return text[:1].upper() + text[1:] + ("" if text.endswith(".") else ".")
