"""Google Calendar requests: OAuth token refresh, and errors in words."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from antiphon.contracts import ErrorType, ToolError
from antiphon.workspace.calendar.endpoint import CalendarEndpoint
from antiphon.workspace.calendar.oauth import OAuthTokens, TokenRefusedError, json_object
from antiphon.workspace.calendar.validation import version_conflict

TOKENS = "https://oauth2.googleapis.com/token"
LIMITED = {"rateLimitExceeded", "userRateLimitExceeded", "quotaExceeded", "dailyLimitExceeded"}


@dataclass(frozen=True, slots=True)
class GoogleAccess:
    """OAuth access: a token, or the refresh token and client that a new one is requested with."""

    token: str | None = None
    refresh_token: str | None = None
    client_id: str | None = None
    client_secret: str | None = None
    token_url: str = TOKENS


class DuplicateEventError(Exception):
    """An event with this id exists already."""


class GoogleRequests:
    """JSON requests to Google Calendar with the access of one person."""

    def __init__(self, endpoint: CalendarEndpoint, access: GoogleAccess) -> None:
        self._endpoint = endpoint
        grant = {
            "grant_type": "refresh_token",
            "refresh_token": access.refresh_token or "",
            "client_id": access.client_id or "",
            "client_secret": access.client_secret or "",
        }
        self._tokens = OAuthTokens(
            endpoint,
            access.token_url,
            grant if access.refresh_token else None,
            token=access.token,
        )
        endpoint.secrets += [
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
        """Send a request and return the JSON object of its response.

        With `missing`, None where nothing has that name. With `etag` only that version of an
        event is changed; raises CONFLICT where it has another. Raises ToolError.
        """
        url = f"{self._endpoint.base_url}{path}"
        guard = {} if etag is None else {"if-match": etag}
        for attempt in (1, 2):
            bearer = await self._bearer(renew=attempt == 2)
            response = await self._endpoint.request(
                method,
                url,
                headers={"authorization": f"Bearer {bearer}", **guard},
                params=params,
                json=json,
            )
            if response.status != 401 or not self._tokens.is_renewable:
                break
        status = response.status
        if missing and status in (404, 410):
            return None
        if status == 204:
            return {}
        if status == 412:
            raise version_conflict()
        body = json_object(response.body)
        if status in (200, 201):
            if body is None:
                raise self._endpoint.malformed("the body is no JSON object")
            return body
        error = (body or {}).get("error")
        error = error if isinstance(error, dict) else {}
        reasons = {str(each.get("reason")) for each in object_list(error, "errors")}
        if status == 409 and method == "POST":
            raise DuplicateEventError
        raise self._endpoint.refused(
            status,
            response.headers,
            str(error.get("message", "")),
            limited=bool(reasons & LIMITED),
            changing=etag is not None,
        )

    async def _bearer(self, *, renew: bool) -> str:
        try:
            token = await self._tokens.token(renew=renew)
        except TokenRefusedError as error:
            raise self._endpoint.refused(error.status, error.headers, error.message) from None
        if not token:
            raise ToolError(
                ErrorType.AUTH,
                "Google Calendar needs access: set `calendar.token`, or `refresh_token`, "
                "`client_id` and `client_secret` under [calendar] of the settings.",
            )
        return token


def object_list(body: Mapping[str, Any], name: str) -> list[dict[str, Any]]:
    """The objects in a list of the body; empty where there is no such list."""
    found = body.get(name)
    return [each for each in found if isinstance(each, dict)] if isinstance(found, list) else []
