"""OAuth 2.0 access tokens: one grant, a cached token, and its renewal before it expires."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Mapping
from typing import Any

import orjson

from antiphon.workspace.calendar.endpoint import CalendarEndpoint

# A token is renewed this long before it expires, so that none expires on its way.
_MARGIN = 60.0
_USUAL_LIFETIME = 3600.0


class TokenRefusedError(Exception):
    """The token endpoint gave no token. `status` is 401 where the grant itself is refused."""

    def __init__(self, status: int, headers: Mapping[str, str], message: str) -> None:
        super().__init__(message)
        self.status = status
        self.headers = headers
        self.message = message


class OAuthTokens:
    """Access tokens of one grant, requested once for all callers that wait at the same time."""

    def __init__(
        self,
        endpoint: CalendarEndpoint,
        url: str,
        grant: Mapping[str, str] | None,
        *,
        headers: Mapping[str, str] | None = None,
        token: str | None = None,
    ) -> None:
        """`grant` is the form that the token endpoint `url` takes; None where `token` is all."""
        self._endpoint = endpoint
        self._url = url
        self._grant = grant
        self._headers = dict(headers or {})
        self._token = token
        self._expires: float | None = None
        self._renewing = asyncio.Lock()

    @property
    def is_renewable(self) -> bool:
        """Whether a new token can be requested."""
        return self._grant is not None

    async def token(self, *, renew: bool = False) -> str | None:
        """The token, renewed where it has expired or with `renew`; None where there is none.

        Raises TokenRefusedError, and NoAnswerError when the endpoint cannot be reached.
        """
        async with self._renewing:
            expired = self._expires is not None and time.monotonic() > self._expires
            if self._grant is None or (self._token and not renew and not expired):
                return self._token
            response = await self._endpoint.request(
                "POST", self._url, headers=self._headers, data=dict(self._grant)
            )
            body = json_object(response.body) or {}
            token = body.get("access_token")
            if response.status != 200 or not isinstance(token, str):
                said = body.get("error_description") or body.get("reason") or body.get("error")
                status = 401 if response.status in (200, 400) else response.status
                raise TokenRefusedError(status, response.headers, str(said or ""))
            self._token = token
            self._endpoint.secrets.append(token)
            lifetime = body.get("expires_in")
            seconds = float(lifetime) if isinstance(lifetime, int | float) else _USUAL_LIFETIME
            self._expires = time.monotonic() + max(seconds - _MARGIN, 0.0)
            return token


def json_object(content: bytes) -> dict[str, Any] | None:
    """A body that is a JSON object; None for every other."""
    try:
        body = orjson.loads(content)
    except orjson.JSONDecodeError:
        return None
    return body if isinstance(body, dict) else None
