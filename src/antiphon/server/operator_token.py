"""Operator token: the dependency of routes that nobody uses without it where nobody signs in."""

from __future__ import annotations

import hmac
from typing import Annotated

from fastapi import Depends, Request
from fastapi.security import HTTPAuthorizationCredentials, HTTPBearer

from antiphon.server.authentication import principal_of
from antiphon.server.dependencies import ServicesDep
from antiphon.server.problems import ProblemError

_bearer = HTTPBearer(auto_error=False, description="The admin token.")


async def admin(
    request: Request,
    services: ServicesDep,
    given: Annotated[HTTPAuthorizationCredentials | None, Depends(_bearer)],
) -> None:
    """Lets nobody through without the admin token, but a principal with the permission."""
    if principal_of(request.scope) is not None:
        return  # the table of permissions let it through
    expected: str = services.admin_token
    token = given.credentials if given is not None else ""
    if not hmac.compare_digest(token.encode("utf-8", "replace"), expected.encode()):
        said = "The admin token is wrong." if token else "This needs the admin token."
        refusal = ProblemError(
            401,
            f"{said} Send it as `Authorization: Bearer …`; it is `server.admin_token` of the "
            "settings, or in the file `admin-token` of the data folder.",
        )
        refusal.headers = {"www-authenticate": "Bearer"}
        raise refusal
