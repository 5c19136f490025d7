"""Calendar service endpoint: HTTP requests with a deadline, and errors in words."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

from antiphon.contracts import ErrorType, ToolError
from antiphon.net import (
    HttpClient,
    HttpResponse,
    NetworkError,
    RequestTimeoutError,
    ResponseTooLargeError,
    client_context,
    parse_retry_after,
)
from antiphon.net.client import MAX_BYTES
from antiphon.secrecy.redaction import redact
from antiphon.workspace.calendar.port import CreatedEvent, StoredEvent

# Reading has this long; the tool's own budget is smaller, its deadline larger.
SECONDS = 10.0
_SHOWN = 200


class NoAnswerError(ToolError):
    """No response came: the service may have carried out the request all the same."""


class CalendarEndpoint:
    """HTTP requests to one service. `where` is its host; `secrets` never appear in an error."""

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
        """`what` and `setting` name the service and its setting in errors. Raises ToolError."""
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
        self._client: HttpClient | None = None

    async def request(self, method: str, url: str, **content: Any) -> HttpResponse:
        """Send a request; return the response, whatever its status. Raises NoAnswerError.

        `content` are `headers`, `params`, `json`, `content` and `data` (see HttpClient).
        """
        try:
            return await self._opened().request(method, url, **content)
        except ResponseTooLargeError as error:
            raise ToolError(
                ErrorType.PERMANENT,
                f"{self._what} {self.where} answers with more than {MAX_BYTES:,} bytes; ask for "
                "less time.",
            ) from error
        except RequestTimeoutError as error:
            raise NoAnswerError(
                ErrorType.TRANSIENT,
                f"{self._what} {self.where} did not answer within {self._seconds:g} seconds.",
            ) from error
        except NetworkError as error:
            raise NoAnswerError(
                ErrorType.TRANSIENT, f"{self._what} {self.where} cannot be reached ({error})."
            ) from error

    def refused(
        self,
        status: int,
        headers: Mapping[str, str],
        said: str,
        *,
        limited: bool = False,
        changing: bool = False,
    ) -> ToolError:
        """The error for a status that is no success, with what the service `said`.

        `limited`: the body names a rate limit. `changing`: the request was to change an event.
        """
        told = f" ({status}{f': {self.clean(said)}' if said else ''})"
        if status == 429 or limited:
            return ToolError(
                ErrorType.RATE_LIMIT,
                f"Calendar API rate limit exceeded at {self.where}{told}.",
                retry_after=retry_after(headers),
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

    def malformed(self, why: str) -> ToolError:
        """The error for a response that does not follow the protocol."""
        return ToolError(
            ErrorType.PERMANENT,
            f"{self._what} {self.where} did not answer as it should ({why}); check "
            f"`{self._setting}` of the settings.",
        )

    async def close(self) -> None:
        """Close the kept connections."""
        client, self._client = self._client, None
        if client is not None:
            await client.close()

    def clean(self, text: str) -> str:
        """Text of the service on one line, bounded and without secrets."""
        return redact(text, self.secrets, _SHOWN)

    def _opened(self) -> HttpClient:
        if self._client is None:
            try:
                tls = client_context(self._ca_file) if self._ca_file else None
            except OSError as error:
                raise ToolError(
                    ErrorType.PERMANENT,
                    f"The certificates in {self._ca_file} cannot be used ({error}); "
                    "`calendar.ca_file` must name a PEM file.",
                ) from error
            self._client = HttpClient(timeout=self._seconds, auth=self._auth, tls=tls)
            self._client.secrets = self.secrets  # the same list: tokens come later
        return self._client


async def recover_lost_create(
    lost: NoAnswerError, find: Callable[[], Awaitable[CreatedEvent | None]]
) -> CreatedEvent:
    """The event of a create request whose response was lost, looked up by its id.

    Raises `lost` where it was not created, else an error that says that the outcome is unknown.
    """
    try:
        created = await find()
    except ToolError:
        raise ToolError(
            ErrorType.TRANSIENT,
            f"{lost.message} The event may have been created all the same; look before it is "
            "created again.",
            partial_side_effects=True,
        ) from lost
    if created is None:
        raise lost
    return created


async def reconcile_lost_write(
    lost: NoAnswerError,
    read: Callable[[], Awaitable[StoredEvent | None]],
    version: str,
    done: Callable[[StoredEvent | None], bool],
) -> None:
    """Find out what became of a write whose response was lost; return if it was carried out.

    `version` is the event's before the write. Raises `lost` where nothing was changed, else an
    error that says that the outcome is unknown.
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


def retry_after(headers: Mapping[str, str]) -> float:
    """Seconds of the Retry-After header; a minute when the service does not say."""
    asked = parse_retry_after(headers.get("retry-after"))
    return 60.0 if asked is None else asked
