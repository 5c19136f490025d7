"""Zoom meetings: created over Zoom's API with server-to-server OAuth, and deleted again."""

from __future__ import annotations

import base64
from collections.abc import Mapping
from datetime import UTC
from math import ceil
from pathlib import Path
from typing import Any

from antiphon.contracts import ErrorType, ToolError
from antiphon.workspace.calendar.endpoint import CalendarEndpoint, retry_after
from antiphon.workspace.calendar.meetings import Meeting
from antiphon.workspace.calendar.oauth import OAuthTokens, TokenRefusedError, json_object
from antiphon.workspace.calendar.port import NewEvent

API = "https://api.zoom.us"
TOKENS = "https://zoom.us"
_SCHEDULED, _RECURRING_WITHOUT_TIMES = 2, 3
_MOST_TITLE, _MOST_AGENDA = 200, 2000


class ZoomLinks:
    """Zoom meetings, created as the user of an account's server-to-server credentials."""

    by_calendar = False
    promise = "a Zoom link will be made"

    def __init__(
        self,
        account_id: str,
        client_id: str,
        client_secret: str,
        *,
        base_url: str | None = None,
        ca_file: Path | None = None,
    ) -> None:
        basic = base64.b64encode(f"{client_id}:{client_secret}".encode()).decode()
        self._endpoint = CalendarEndpoint(
            base_url or API, ca_file=ca_file, what="Zoom", setting="calendar.meeting"
        )
        self._endpoint.secrets += [client_secret, basic]
        self._tokens = OAuthTokens(
            self._endpoint,
            f"{(base_url or TOKENS).rstrip('/')}/oauth/token",
            {"grant_type": "account_credentials", "account_id": account_id},
            headers={"authorization": f"Basic {basic}"},
        )

    async def create(self, event: NewEvent) -> Meeting:
        minutes = max(1, ceil((event.end - event.start).total_seconds() / 60))
        body: dict[str, Any] = {
            "topic": event.title[:_MOST_TITLE],
            "agenda": event.description[:_MOST_AGENDA],
            "type": _RECURRING_WITHOUT_TIMES if event.recurrence else _SCHEDULED,
        }
        if not event.recurrence:
            zone = {"timezone": event.zone} if event.zone else {}
            body |= {"start_time": _utc(event), "duration": minutes, **zone}
        made = await self._json("POST", "/v2/users/me/meetings", body)
        url, number = made.get("join_url"), made.get("id")
        if not isinstance(url, str) or not url.startswith("https://") or number is None:
            raise self._endpoint.malformed("a new meeting has no `join_url`")
        return Meeting(url, str(number))

    async def delete(self, meeting: Meeting) -> None:
        await self._json("DELETE", f"/v2/meetings/{meeting.id}", None)

    async def close(self) -> None:
        await self._endpoint.close()

    async def _json(self, method: str, path: str, body: Any) -> dict[str, Any]:
        for renew in (False, True):
            try:
                bearer = await self._tokens.token(renew=renew)
            except TokenRefusedError as error:
                raise self._refused(error.status, error.headers, error.message) from None
            response = await self._endpoint.request(
                method,
                f"{self._endpoint.base_url}{path}",
                headers={"authorization": f"Bearer {bearer}"},
                json=body,
            )
            if response.status != 401:
                break
        found = json_object(response.body) or {}
        if response.status in (200, 201, 204):
            return found
        raise self._refused(response.status, response.headers, str(found.get("message") or ""))

    def _refused(self, status: int, headers: Mapping[str, str], said: str) -> ToolError:
        words = f" ({status}{f': {self._endpoint.clean(said)}' if said else ''})"
        if status == 429:
            return ToolError(
                ErrorType.RATE_LIMIT,
                f"Zoom takes no more requests right now{words}. Nothing was made.",
                retry_after=retry_after(headers),
            )
        if status in (401, 403):
            return ToolError(
                ErrorType.AUTH,
                f"Zoom refuses the access{words}. Nothing was made. Check `account_id`, "
                "`client_id` and `client_secret` under [calendar.meeting] of the settings, and "
                "that the app may write meetings.",
            )
        if status == 408 or status >= 500:
            return ToolError(ErrorType.TRANSIENT, f"Zoom made no meeting{words}. Nothing was made.")
        return ToolError(ErrorType.PERMANENT, f"Zoom refused the meeting{words}.")


def _utc(event: NewEvent) -> str:
    return f"{event.start.astimezone(UTC):%Y-%m-%dT%H:%M:%SZ}"
