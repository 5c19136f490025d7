"""Zoom meetings: created over Zoom's API with server-to-server OAuth, and deleted again."""

from __future__ import annotations

import asyncio
import base64
import time
from datetime import UTC
from math import ceil
from pathlib import Path
from typing import Any

import orjson

from antiphon.contracts import ErrorType, ToolError
from antiphon.workspace.calendar.endpoint import CalendarEndpoint, retry_after
from antiphon.workspace.calendar.meetings import Meeting
from antiphon.workspace.calendar.port import NewEvent

API = "https://api.zoom.us"
TOKENS = "https://zoom.us"
_SCHEDULED, _RECURRING_WITHOUT_TIMES = 2, 3
_MOST_TITLE, _MOST_AGENDA = 200, 2000


class ZoomLinks:
    """Makes meetings as the user that the credentials of an account stand for."""

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
        self._account_id = account_id
        basic = base64.b64encode(f"{client_id}:{client_secret}".encode()).decode()
        self._basic = f"Basic {basic}"
        self._remote = CalendarEndpoint(
            base_url or API, ca_file=ca_file, what="Zoom", setting="calendar.meeting"
        )
        self._remote.secrets += [client_secret, basic]
        self._token_url = f"{(base_url or TOKENS).rstrip('/')}/oauth/token"
        self._token = ""
        self._token_until = 0.0
        self._renewing = asyncio.Lock()

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
            raise self._remote.strange("a new meeting has no `join_url`")
        return Meeting(url, str(number))

    async def delete(self, meeting: Meeting) -> None:
        await self._json("DELETE", f"/v2/meetings/{meeting.id}", None)

    async def close(self) -> None:
        await self._remote.close()

    async def _json(self, method: str, path: str, body: Any) -> dict[str, Any]:
        for fresh in (False, True):
            bearer = await self._bearer(fresh=fresh)
            status, told, content = await self._remote.ask(
                method,
                f"{self._remote.base_url}{path}",
                headers={"authorization": f"Bearer {bearer}"},
                json=body,
            )
            if status != 401:
                break
        found = _object(content)
        if status in (200, 201, 204):
            return found
        raise self._refused(status, told, str(found.get("message") or ""))

    async def _bearer(self, *, fresh: bool) -> str:
        async with self._renewing:
            if self._token and not fresh and time.monotonic() < self._token_until:
                return self._token
            asked = {"grant_type": "account_credentials", "account_id": self._account_id}
            status, told, content = await self._remote.ask(
                "POST", self._token_url, headers={"authorization": self._basic}, data=asked
            )
            found = _object(content)
            token = found.get("access_token")
            if status != 200 or not isinstance(token, str):
                said = str(found.get("reason") or found.get("error") or "")
                raise self._refused(401 if status in (200, 400) else status, told, said)
            self._token = token
            self._remote.secrets.append(token)
            lasts = found.get("expires_in")
            seconds = float(lasts) if isinstance(lasts, int | float) else 3600.0
            self._token_until = time.monotonic() + max(seconds - 60.0, 0.0)
            return token

    def _refused(self, status: int, headers: Any, said: str) -> ToolError:
        words = f" ({status}{f': {self._remote.clean(said)}' if said else ''})"
        if status == 429:
            return ToolError(
                ErrorType.RATE_LIMIT,
                f"Zoom takes no more requests right now{words}. Nothing was made.",
                retry_after=retry_after(headers.get("retry-after")),
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


def _object(content: bytes) -> dict[str, Any]:
    try:
        body = orjson.loads(content)
    except orjson.JSONDecodeError:
        return {}
    return body if isinstance(body, dict) else {}
