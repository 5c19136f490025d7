"""HTTP client: deadlines, size limits, retries, proxies and redacted errors in one place."""

from __future__ import annotations

import asyncio
import ssl
from collections.abc import AsyncIterator, Iterable, Mapping
from contextlib import asynccontextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Literal

from antiphon.net.errors import NetworkError, ResponseTooLargeError, translate
from antiphon.net.retry import RetryPolicy
from antiphon.secrecy.redaction import redact

if TYPE_CHECKING:
    import httpx2

TIMEOUT = 10.0
MAX_BYTES = 20 * 1024 * 1024
AGENT = "antiphon"
# Which requests go through the proxy that the environment names. Loopback never does.
Proxies = Literal["all", "https", "none"]
_LOOPBACK = ("all://localhost", "all://127.0.0.1", "all://[::1]")


@dataclass(frozen=True, slots=True)
class HttpResponse:
    """A whole response, whatever its status. Names of headers are in lower case; `body` is
    decoded, and cut at the limit where `truncated`; `redirects` are the URLs passed before."""

    url: str
    status: int
    headers: Mapping[str, str]
    body: bytes
    truncated: bool = False
    redirects: tuple[str, ...] = ()


class HttpClient:
    """Requests over kept connections of one event loop. Redirects are not followed, so that a
    key goes nowhere but to the address that was configured. Every method raises NetworkError."""

    def __init__(
        self,
        *,
        timeout: float = TIMEOUT,
        max_bytes: int = MAX_BYTES,
        headers: Mapping[str, str] | None = None,
        auth: tuple[str, str] | None = None,
        tls: ssl.SSLContext | None = None,
        proxies: Proxies = "all",
        retry: RetryPolicy | None = None,
        secrets: Iterable[str] = (),
    ) -> None:
        """`timeout` is for one try, from its start to the last byte of the response.

        `tls` is for servers with an authority of their own; None: the system's authorities.
        `retry` must be given only for idempotent requests. `secrets` never appear in an error.
        """
        self.timeout = timeout
        self.max_bytes = max_bytes
        self.secrets: list[str] = list(secrets)
        self._headers = {"user-agent": AGENT, **(headers or {})}
        self._auth = auth
        self._tls = tls
        self._proxies = proxies
        self._retry = retry or RetryPolicy(retries=0)
        self._reconnects = retry is not None
        self._client: httpx2.AsyncClient | None = None

    async def request(self, method: str, url: str, **content: Any) -> HttpResponse:
        """Send a request and read its whole response, retrying as the policy says.

        `content` are `headers`, `params`, `json`, `content`, `data` and `files` of httpx2.
        """
        tries = 0
        while True:
            response: HttpResponse | None = None
            failure: NetworkError | None = None
            try:
                response = await self._exchange(method, url, content)
            except ResponseTooLargeError:
                raise
            except NetworkError as error:
                failure = error
            wait = self._retry.delay(tries, response)
            if wait is None:
                if response is None:
                    assert failure is not None
                    raise failure
                return response
            tries += 1
            await asyncio.sleep(wait)

    @asynccontextmanager
    async def stream(self, method: str, url: str, **content: Any) -> AsyncIterator[httpx2.Response]:
        """Send a request and yield the response to be read while it comes.

        The time limit is for each step here (connecting, one read), not for the whole.
        """
        import httpx2

        try:
            async with self._opened().stream(
                method, url, timeout=self.timeout, **content
            ) as response:
                yield response
        except (httpx2.HTTPError, httpx2.InvalidURL, OSError) as error:
            raise self._translated(error) from error

    async def close(self) -> None:
        """Close the kept connections; the next request opens new ones."""
        client, self._client = self._client, None
        if client is not None:
            await client.aclose()

    def redact(self, text: str, limit: int = 300) -> str:
        """Text of the service on one line, without secrets and cut to `limit` characters."""
        return redact(text, self.secrets, limit)

    async def _exchange(self, method: str, url: str, content: dict[str, Any]) -> HttpResponse:
        """One try. A kept connection that the server had closed meanwhile is no failed try."""
        opened = False

        async def trace(event: str, _info: Mapping[str, Any]) -> None:
            nonlocal opened
            opened = opened or event.startswith("connection.connect_tcp")

        while True:
            opened = False
            try:
                return await self._send(method, url, {**content, "extensions": {"trace": trace}})
            except NetworkError as error:
                stale = not opened and isinstance(error.__cause__, _disconnects())
                if not (stale and self._reconnects):
                    raise

    async def _send(self, method: str, url: str, content: dict[str, Any]) -> HttpResponse:
        import httpx2

        client = self._opened()  # loads what it needs before the deadline begins
        try:
            async with (
                asyncio.timeout(self.timeout),
                client.stream(method, url, timeout=None, **content) as answer,
            ):
                body = await read_body(answer, self.max_bytes)
                if len(body) > self.max_bytes:
                    raise ResponseTooLargeError(f"longer than {self.max_bytes:,} bytes")
                return HttpResponse(url, answer.status_code, dict(answer.headers), bytes(body))
        except (httpx2.HTTPError, httpx2.InvalidURL, OSError) as error:
            raise self._translated(error) from error

    def _translated(self, error: Exception) -> NetworkError:
        return translate(error, self.redact(str(error) or type(error).__name__))

    def _opened(self) -> httpx2.AsyncClient:
        import httpx2

        if self._client is None:
            import anyio

            # Loads what the first connection would load, and take tens of milliseconds for.
            anyio.get_cancelled_exc_class()
            mounts: dict[str, None] = dict.fromkeys(_LOOPBACK)
            if self._proxies == "https":
                mounts["http://"] = None
            self._client = httpx2.AsyncClient(
                headers=self._headers,
                auth=self._auth,
                verify=self._tls or True,
                follow_redirects=False,
                trust_env=self._proxies != "none",
                mounts=mounts,
            )
        return self._client


async def read_body(answer: httpx2.Response, max_bytes: int) -> bytearray:
    """The decoded body, up to the first piece that goes past `max_bytes`."""
    import httpx2

    body = bytearray()
    try:
        async for piece in answer.aiter_bytes():
            if len(body) > max_bytes:
                continue
            body += piece
            if len(body) > max_bytes:
                # The next read fails and so ends every generator below; httpx2 would leave one
                # of them open if this loop were left.
                await answer.aclose()
    except httpx2.HTTPError:
        if len(body) <= max_bytes:
            raise
    return body


def _disconnects() -> tuple[type[Exception], ...]:
    import httpx2

    return (httpx2.RemoteProtocolError, httpx2.ReadError, httpx2.WriteError)
