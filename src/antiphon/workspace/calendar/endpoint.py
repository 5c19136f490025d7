"""Calendar service endpoint: HTTP requests with a deadline, and errors in words."""

from __future__ import annotations

import re
import ssl
from collections.abc import Awaitable, Callable
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any
from urllib.parse import urlsplit

from antiphon.contracts import ErrorType, ToolError
from antiphon.workspace.calendar.port import StoredEvent

if TYPE_CHECKING:
    import httpx2

# Reading has this long; the tool's own budget is smaller, its deadline larger.
SECONDS = 10.0
MAX_ANSWER = 20 * 1024 * 1024
_SHOWN = 200


class NoAnswerError(ToolError):
    """The service was not reached, or its answer did not come: it may have done its part."""


class CalendarEndpoint:
    """One service. `where` is its host; `secrets` never appear in a message."""

    def __init__(
        self,
        base_url: str,
        *,
        auth: tuple[str, str] | None = None,
        ca_file: Path | None = None,
        seconds: float = SECONDS,
        what: str = "The calendar service",
        setting: str = "calendar.url",
    ) -> None:
        url = urlsplit(base_url)
        if url.scheme not in ("http", "https") or not url.hostname or "@" in url.netloc:
            raise ToolError(
                ErrorType.PERMANENT,
                f"The address of {what[:1].lower() + what[1:]} must look like https://host/path, "
                f"without a user name; check `{setting}` of the settings.",
            )
        self.base_url = base_url.rstrip("/")
        self.where = url.netloc
        self._what, self._setting = what, setting
        self.secrets: list[str] = [auth[1]] if auth else []
        self._auth = auth
        self._ca_file = ca_file
        self._seconds = seconds
        self._client: httpx2.AsyncClient | None = None

    async def ask(
        self,
        method: str,
        url: str,
        *,
        headers: dict[str, str] | None = None,
        params: Any = None,
        json: Any = None,
        content: bytes | None = None,
        data: dict[str, str] | None = None,
    ) -> tuple[int, Any, bytes]:
        """Status, headers and body, whatever the status. Raises NoAnswerError."""
        import httpx2

        client = self._ready()
        body = bytearray()
        try:
            async with client.stream(
                method, url, headers=headers, params=params, json=json, content=content, data=data
            ) as answer:
                async for piece in answer.aiter_bytes():
                    body += piece
                    if len(body) > MAX_ANSWER:
                        raise ToolError(
                            ErrorType.PERMANENT,
                            f"{self._what} {self.where} answers with more than "
                            f"{MAX_ANSWER:,} bytes; ask for less time.",
                        )
                return answer.status_code, answer.headers, bytes(body)
        except httpx2.TimeoutException as error:
            raise NoAnswerError(
                ErrorType.TRANSIENT,
                f"{self._what} {self.where} did not answer within {self._seconds:g} seconds.",
            ) from error
        except (httpx2.HTTPError, httpx2.InvalidURL) as error:
            raise NoAnswerError(
                ErrorType.TRANSIENT,
                f"{self._what} {self.where} cannot be reached "
                f"({self.clean(str(error) or type(error).__name__)}).",
            ) from error

    def refused(
        self,
        status: int,
        headers: Any,
        said: str,
        *,
        limited: bool = False,
        changing: bool = False,
    ) -> ToolError:
        """What a status that is no success means. `limited`: the body says that it is too much.
        `changing`: it is the answer to a change of an event that is there."""
        told = f" ({status}{f': {self.clean(said)}' if said else ''})"
        if status == 429 or limited:
            return ToolError(
                ErrorType.RATE_LIMIT,
                f"Calendar API rate limit exceeded at {self.where}{told}.",
                retry_after=retry_after(headers.get("retry-after")),
            )
        if changing and status in (403, 405, 423):
            return ToolError(
                ErrorType.AUTH,
                f"{self.where} does not let you change this event{told}. Nothing was changed. Ask "
                "whoever the calendar or the event belongs to.",
            )
        if status in (401, 403):
            return ToolError(
                ErrorType.AUTH,
                f"Calendar access denied by {self.where}: re-authentication required{told}. Check "
                "the access that the settings give under [calendar].",
                retryable=True,
            )
        if status == 404:
            return ToolError(
                ErrorType.NOT_FOUND,
                f"The service {self.where} has no such calendar{told}; check the names under "
                "[calendar] of the settings.",
            )
        if status == 408 or status >= 500:
            return ToolError(
                ErrorType.TRANSIENT, f"The calendar service {self.where} is in trouble{told}."
            )
        return ToolError(
            ErrorType.PERMANENT, f"The calendar service {self.where} refused the request{told}."
        )

    def strange(self, why: str) -> ToolError:
        """An answer that is not of the protocol."""
        return ToolError(
            ErrorType.PERMANENT,
            f"{self._what} {self.where} did not answer as it should ({why}); check "
            f"`{self._setting}` of the settings.",
        )

    async def close(self) -> None:
        client, self._client = self._client, None
        if client is not None:
            await client.aclose()

    def _ready(self) -> httpx2.AsyncClient:
        import httpx2

        if self._client is None:
            try:
                trust: ssl.SSLContext | bool = (
                    ssl.create_default_context(cafile=self._ca_file) if self._ca_file else True
                )
            except OSError as error:
                raise ToolError(
                    ErrorType.PERMANENT,
                    f"The certificates in {self._ca_file} cannot be used ({error}); "
                    "`calendar.ca_file` must name a PEM file.",
                ) from error
            self._client = httpx2.AsyncClient(
                auth=self._auth, verify=trust, timeout=self._seconds, follow_redirects=False
            )
        return self._client

    def clean(self, text: str) -> str:
        """What a service says, on one line and without secrets."""
        for secret in self.secrets:
            text = text.replace(secret, "********")
        text = "".join(c for c in re.sub(r"\s+", " ", text) if c.isprintable())
        return text.strip()[:_SHOWN]


async def reconcile_lost_write(
    lost: NoAnswerError,
    read: Callable[[], Awaitable[StoredEvent | None]],
    version: str,
    done: Callable[[StoredEvent | None], bool],
) -> None:
    """Find out what became of a change whose answer did not come. Returns if it was made.

    `version` is what the event had before. Raises `lost` where nothing has happened, else words
    that say that nobody knows.
    """
    try:
        there = await read()
    except ToolError:
        pass
    else:
        if done(there):
            return
        if there is not None and there.version == version:
            raise lost
    raise ToolError(
        ErrorType.TRANSIENT,
        f"{lost.message} The event may have been changed all the same; look before you change it "
        "again.",
        partial_side_effects=True,
    ) from lost


def retry_after(value: str | None) -> float:
    """Seconds; a minute when the service does not say."""
    if value is None:
        return 60.0
    if value.strip().isdigit():
        return float(value)
    try:
        moment = parsedate_to_datetime(value)
    except ValueError:
        return 60.0
    return max((moment.astimezone(UTC) - datetime.now(UTC)).total_seconds(), 0.0)
