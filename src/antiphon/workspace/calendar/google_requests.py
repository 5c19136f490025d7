"""Google Calendar requests: OAuth token refresh, and errors in words."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import orjson

from antiphon.contracts import ErrorType, ToolError
from antiphon.workspace.calendar.endpoint import CalendarEndpoint
from antiphon.workspace.calendar.validation import version_conflict

TOKENS = "https://oauth2.googleapis.com/token"
LIMITED = {"rateLimitExceeded", "userRateLimitExceeded", "quotaExceeded", "dailyLimitExceeded"}


@dataclass(frozen=True, slots=True)
class GoogleAccess:
    """An access token, or what a new one is got with when the old one has run out."""

    token: str | None = None
    refresh_token: str | None = None
    client_id: str | None = None
    client_secret: str | None = None
    token_url: str = TOKENS


class DuplicateEventError(Exception):
    """The id is taken."""


class GoogleRequests:
    """Asks one service, as one person."""

    def __init__(self, remote: CalendarEndpoint, access: GoogleAccess) -> None:
        self._remote = remote
        self._access = access
        self._token = access.token
        self._token_until: float | None = None
        self._refreshing = asyncio.Lock()
        remote.secrets += [
            secret
            for secret in (access.token, access.refresh_token, access.client_secret)
            if secret
        ]

    async def json(
        self,
        method: str,
        path: str,
        *,
        params: dict[str, str] | None = None,
        json: Any = None,
        missing: bool = False,
        etag: str | None = None,
    ) -> Any:
        """The body. With `missing` None where there is nothing of that name. With `etag` an event
        is changed that has this one; raises CONFLICT where it has another."""
        url = f"{self._remote.base_url}{path}"
        guard = {} if etag is None else {"if-match": etag}
        for attempt in (1, 2):
            bearer = await self._bearer(fresh=attempt == 2)
            headers = {"authorization": f"Bearer {bearer}", **guard}
            status, told, content = await self._remote.ask(
                method, url, headers=headers, params=params, json=json
            )
            if status != 401 or not self._access.refresh_token:
                break
        if missing and status in (404, 410):
            return None
        if status == 204:
            return {}
        if status == 412:
            raise version_conflict()
        body = _object(content)
        if status in (200, 201):
            if body is None:
                raise self._remote.strange("the body is no JSON object")
            return body
        error = (body or {}).get("error")
        error = error if isinstance(error, dict) else {}
        reasons = {str(each.get("reason")) for each in object_list(error, "errors")}
        if status == 409 and method == "POST":
            raise DuplicateEventError
        raise self._remote.refused(
            status,
            told,
            str(error.get("message", "")),
            limited=bool(reasons & LIMITED),
            changing=etag is not None,
        )

    async def _bearer(self, *, fresh: bool) -> str:
        async with self._refreshing:
            over = self._token_until is not None and time.monotonic() > self._token_until
            if self._token and not fresh and not over:
                return self._token
            access = self._access
            if not access.refresh_token:
                if self._token:
                    return self._token
                raise ToolError(
                    ErrorType.AUTH,
                    "Google Calendar needs access: set `calendar.token`, or `refresh_token`, "
                    "`client_id` and `client_secret` under [calendar] of the settings.",
                )
            asked = {
                "grant_type": "refresh_token",
                "refresh_token": access.refresh_token,
                "client_id": access.client_id or "",
                "client_secret": access.client_secret or "",
            }
            status, told, content = await self._remote.ask("POST", access.token_url, data=asked)
            body = _object(content) or {}
            token = body.get("access_token")
            if status != 200 or not isinstance(token, str):
                said = str(body.get("error_description") or body.get("error") or "")
                raise self._remote.refused(401 if status in (200, 400) else status, told, said)
            self._token = token
            self._remote.secrets.append(token)
            lasts = body.get("expires_in")
            seconds = float(lasts) if isinstance(lasts, int | float) else 3600.0
            self._token_until = time.monotonic() + max(seconds - 60.0, 0.0)
            return token


def _object(content: bytes) -> dict[str, Any] | None:
    try:
        body = orjson.loads(content)
    except orjson.JSONDecodeError:
        return None
    return body if isinstance(body, dict) else None


def object_list(body: Mapping[str, Any], name: str) -> list[dict[str, Any]]:
    found = body.get(name)
    return [each for each in found if isinstance(each, dict)] if isinstance(found, list) else []
