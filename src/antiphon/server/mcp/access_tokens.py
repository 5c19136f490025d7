"""Access tokens of identity providers: the principal of one that was made for MCP here."""

from __future__ import annotations

import time
from collections import OrderedDict
from collections.abc import Callable
from hashlib import sha256
from typing import TYPE_CHECKING

from starlette.types import Scope

from antiphon.contracts import Principal
from antiphon.server.mcp.protected_resource import resource_of

if TYPE_CHECKING:
    from antiphon.app import Application

# So long a token that was checked is not checked again. What its user may do is of today.
KEPT_SECONDS = 60.0
MAX_KEPT = 10_000


class AccessTokens:
    """Checks JWT access tokens: signature, issuer, audience, time and scopes."""

    def __init__(self, application: Callable[[], Application]) -> None:
        self._application = application
        self._known: OrderedDict[tuple[bytes, str], tuple[str, float]] = OrderedDict()

    def are_taken(self) -> bool:
        """Whether there is an identity provider whose tokens count."""
        return bool(self._application().oidc.titles)

    async def principal(self, scope: Scope, token: str) -> Principal:
        """Whose token it is. Raises AccessRefused."""
        application = self._application()
        serving = application.settings.mcp
        audience = resource_of(scope, serving.resource)
        key = (sha256(token.encode("utf-8", "replace")).digest(), audience)
        user, until = self._known.get(key, ("", 0.0))
        if time.time() >= until:
            found, expires = await application.oidc.user_of_access_token(
                token, audience, serving.scopes
            )
            user = found.name
            self._known[key] = user, min(expires, time.time() + KEPT_SECONDS)
            while len(self._known) > MAX_KEPT:
                self._known.popitem(last=False)
        return await application.access.todays_principal(user)
