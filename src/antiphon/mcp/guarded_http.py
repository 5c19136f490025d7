"""Guarded HTTP: requests to MCP servers and their authorization servers, checked and bounded."""

from __future__ import annotations

from collections.abc import AsyncIterator, Collection, Mapping
from urllib.parse import urlsplit

import httpx2

from antiphon.contracts import ToolError
from antiphon.net.addresses import PORTS, parse_url, resolve_public
from antiphon.net.client import AGENT

_LOOPBACK = ("localhost", "127.0.0.1", "::1")


class GuardedTransport(httpx2.AsyncBaseTransport):
    """A transport that connects to the server of the settings, and else to public addresses only.

    A server may name further addresses, for its authorization and in redirects: what they resolve
    to is checked, and the connection goes there and nowhere else. A server on this machine may name
    others on it. `headers` go to the server's own origin alone. A body of more than `most` bytes is
    not read on, unless it is a stream of events, whose events are bounded one by one.
    """

    def __init__(
        self,
        url: str,
        *,
        headers: Mapping[str, str] | None = None,
        allowed: Collection[str] = (),
        most: int,
    ) -> None:
        self._own = _place(url)
        self._headers = dict(headers or {})
        self._allowed = {*allowed, self._own}
        self._is_local = (urlsplit(url).hostname or "") in _LOOPBACK
        self._most = most
        self._inner = httpx2.AsyncHTTPTransport(retries=0)

    async def handle_async_request(self, request: httpx2.Request) -> httpx2.Response:
        url = str(request.url)
        place = _place(url)
        host = request.url.host
        if place == self._own:
            for name, value in self._headers.items():
                request.headers.setdefault(name, value)
        request.headers["user-agent"] = AGENT
        # What is compressed may unfold to any size.
        request.headers["accept-encoding"] = "identity"
        if not (place == self._own or (self._is_local and host in _LOOPBACK)):
            try:
                target = parse_url(url)
                addresses = await resolve_public(target, self._allowed)
            except ToolError as refused:
                raise httpx2.ConnectError(refused.message) from None
            request.extensions = {**request.extensions, "sni_hostname": host}
            request.url = request.url.copy_with(host=addresses[0])
        response = await self._inner.handle_async_request(request)
        if response.headers.get("content-encoding", "identity") != "identity":
            await response.aclose()
            raise httpx2.RemoteProtocolError("it answered compressed, which it was not asked for")
        if not response.headers.get("content-type", "").startswith("text/event-stream"):
            stream = response.stream
            assert isinstance(stream, httpx2.AsyncByteStream)
            response.stream = _BoundedStream(stream, self._most)
        return response

    async def aclose(self) -> None:
        await self._inner.aclose()


class _BoundedStream(httpx2.AsyncByteStream):
    def __init__(self, inner: httpx2.AsyncByteStream, most: int) -> None:
        self._inner = inner
        self._most = most

    async def __aiter__(self) -> AsyncIterator[bytes]:
        size = 0
        try:
            async for chunk in self._inner:
                size += len(chunk)
                if size <= self._most:
                    yield chunk
                else:
                    # Closed, the stream ends by itself, with all that is behind it.
                    await self._inner.aclose()
        except Exception:
            if size <= self._most:
                raise
        if size > self._most:
            raise httpx2.ReadError(f"it answered with more than {self._most} bytes")

    async def aclose(self) -> None:
        await self._inner.aclose()


def _place(url: str) -> str:
    """Host and port of an address."""
    parts = urlsplit(url)
    return f"{(parts.hostname or '').lower()}:{parts.port or PORTS.get(parts.scheme, 0)}"
