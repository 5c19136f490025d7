"""Transports of operations: to an address through the one outbound client, or in this process."""

from __future__ import annotations

import ssl
from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Protocol, TypeAlias
from urllib.parse import urlsplit

from antiphon.contracts import ErrorType, ToolError
from antiphon.net import (
    HostUnreachableError,
    HttpClient,
    HttpResponse,
    NetworkError,
    ResponseTooLargeError,
    client_context,
)
from antiphon.openapi.document import OpenApiError
from antiphon.openapi.operations import IDEMPOTENCY_KEY, ApiOperation
from antiphon.openapi.requests import ApiRequest

TIMEOUT = 30.0
MAX_BYTES = 2 * 1024 * 1024
IN_PROCESS = "http://localhost"

Headers: TypeAlias = Mapping[str, str]
# A bearer token, user and password, headers, or a function of the call's context that gives one.
ApiAuth: TypeAlias = str | tuple[str, str] | Headers | Callable[[Any], Any]
AsgiApp: TypeAlias = Callable[..., Awaitable[None]]


class ApiTransport(Protocol):
    """The way of requests to the API."""

    async def send(
        self, request: ApiRequest, headers: Headers, secrets: Sequence[str]
    ) -> HttpResponse:
        """Send a request and return its whole response. Raises NetworkError."""


class HttpTransport:
    """Requests below one address. Neither an argument nor a redirect leads anywhere else."""

    def __init__(
        self, base_url: str, *, timeout: float, max_bytes: int, ca_file: Path | str | None
    ) -> None:
        """Raises OpenApiError for an address that is none."""
        parts = urlsplit(base_url)
        if parts.scheme not in ("http", "https") or not parts.hostname or parts.query:
            raise OpenApiError(
                f"`base_url` is {base_url!r}. Give the whole address of the API, such as "
                "https://api.example.com/v1."
            )
        self._base_url = base_url.rstrip("/")
        self._timeout = timeout
        self._max_bytes = max_bytes
        self._ca_file = ca_file
        self._is_tls = parts.scheme == "https"
        self._tls: ssl.SSLContext | None = None

    async def send(
        self, request: ApiRequest, headers: Headers, secrets: Sequence[str]
    ) -> HttpResponse:
        if self._is_tls and self._tls is None:
            self._tls = client_context(self._ca_file)
        # Tools have no end at which kept connections could be closed.
        client = HttpClient(
            timeout=self._timeout, max_bytes=self._max_bytes, tls=self._tls, secrets=secrets
        )
        try:
            return await client.request(
                request.method,
                self._base_url + request.target,
                headers={**request.headers, **headers},
                content=request.content,
            )
        finally:
            await client.close()


class AsgiTransport:
    """Requests to an ASGI application in this process, whose lifespan is its owner's business."""

    def __init__(self, app: AsgiApp, *, max_bytes: int) -> None:
        self._app = app
        self._max_bytes = max_bytes

    async def send(
        self, request: ApiRequest, headers: Headers, secrets: Sequence[str]
    ) -> HttpResponse:
        import httpx2

        del secrets
        transport = httpx2.ASGITransport(app=self._app, raise_app_exceptions=False)
        async with httpx2.AsyncClient(transport=transport, timeout=None) as client:
            answer = await client.request(
                request.method,
                IN_PROCESS + request.target,
                headers={**request.headers, **headers},
                content=request.content,
            )
        if len(answer.content) > self._max_bytes:
            raise ResponseTooLargeError(f"longer than {self._max_bytes:,} bytes")
        return HttpResponse(
            str(answer.url), answer.status_code, dict(answer.headers), answer.content
        )


@dataclass(frozen=True, slots=True)
class ApiCredentials:
    """The headers that prove who calls the API, and what of them no error may show."""

    headers: Mapping[str, str] = field(default_factory=dict)
    secrets: tuple[str, ...] = ()


async def credentials_of(auth: ApiAuth | None, context: Any) -> ApiCredentials:
    """The credentials of a call. Raises ToolError (AUTH) for what is none."""
    import base64
    import inspect

    given: Any = auth(context) if callable(auth) else auth
    if inspect.isawaitable(given):
        given = await given
    if given is None:
        return ApiCredentials()
    if isinstance(given, str):
        return ApiCredentials({"authorization": f"Bearer {given}"}, (given,))
    if isinstance(given, tuple) and len(given) == 2:
        pair = base64.b64encode(":".join(given).encode()).decode()
        return ApiCredentials({"authorization": f"Basic {pair}"}, (pair, given[1]))
    if isinstance(given, Mapping):
        headers = {str(name): str(value) for name, value in given.items()}
        # With a scheme before it, or without.
        secrets = {part for value in headers.values() for part in (value, value.split(" ")[-1])}
        return ApiCredentials(headers, tuple(sorted(secrets, key=len, reverse=True)))
    raise ToolError(
        ErrorType.AUTH, "`auth` gave neither a token, user and password, nor headers for the API."
    )


async def exchange(
    transport: ApiTransport,
    operation: ApiOperation,
    request: ApiRequest,
    credentials: ApiCredentials,
    key: str | None,
) -> HttpResponse:
    """Send the request of a call. Raises ToolError when no response came: TRANSIENT where nothing
    can have happened, else OUTCOME_UNKNOWN."""
    headers = {"accept": "application/json", **credentials.headers}
    if key is not None and not operation.reads:
        headers[IDEMPOTENCY_KEY] = key
    try:
        return await transport.send(request, headers, credentials.secrets)
    except ResponseTooLargeError as error:
        raise ToolError(
            ErrorType.PERMANENT,
            f"The answer to {operation.title} is {error}. Ask for less.",
            partial_side_effects=not operation.reads,
        ) from None
    except NetworkError as error:
        if operation.reads or isinstance(error, HostUnreachableError):
            message = f"{operation.title} could not be sent or answered: {error}."
            raise ToolError(ErrorType.TRANSIENT, message) from None
        raise ToolError(
            ErrorType.OUTCOME_UNKNOWN,
            f"{operation.title} was sent, and no answer came: {error}. It may have happened.",
            partial_side_effects=True,
        ) from None
