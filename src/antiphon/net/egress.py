"""Egress: fetches of public web pages, checked after DNS and at every redirect."""

from __future__ import annotations

import asyncio
import ssl
from collections.abc import Collection, Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from urllib.parse import urljoin

from antiphon.contracts import ErrorType, ToolError
from antiphon.net.addresses import WebAddress, parse_url, refused, resolve_public
from antiphon.net.client import AGENT, HttpResponse, read_body
from antiphon.net.errors import (
    BrokenResponseError,
    CertificateError,
    HostUnreachableError,
    NetworkError,
    translate,
)
from antiphon.net.tls import client_context
from antiphon.secrecy.redaction import redact

SECONDS = 15.0
LARGEST = 2_000_000
REDIRECTS = 5
_MOVED = (301, 302, 303, 307, 308)


@dataclass(slots=True)
class Egress:
    """Fetches from public addresses only.

    `allowed` names hosts as `host:port` that may be reached although their address is private.
    """

    allowed: Collection[str] = ()
    seconds: float = SECONDS
    limit: int = LARGEST
    ca_file: Path | None = None
    _context: ssl.SSLContext | None = field(default=None, init=False)

    async def fetch(
        self,
        url: str,
        *,
        method: str = "GET",
        headers: Mapping[str, str] | None = None,
        limit: int | None = None,
        content: bytes | None = None,
        follow: bool = True,
    ) -> HttpResponse:
        """Fetch a URL and follow its redirects; a body longer than `limit` is truncated.

        `content` is the body of the request. Without `follow` a redirect is the response.

        Raises ToolError: VALIDATION for a URL that is none, PERMANENT for one that is refused,
        TRANSIENT when the other side does not answer in time.
        """
        most = min(limit or self.limit, self.limit)
        passed: list[str] = []
        target = parse_url(url)
        try:
            async with asyncio.timeout(self.seconds):
                while True:
                    answer = await self._exchange(target, method, headers or {}, content, most)
                    onward = answer.headers.get("location")
                    if not follow or answer.status not in _MOVED or not onward:
                        return replace(answer, redirects=tuple(passed))
                    passed.append(target.url)
                    if len(passed) > REDIRECTS:
                        raise refused(url, f"it redirects more than {REDIRECTS} times")
                    target = parse_url(urljoin(target.url, onward))
        except TimeoutError:
            message = f"{target.host} did not answer within {self.seconds:g} seconds."
            raise ToolError(ErrorType.TRANSIENT, message) from None

    async def _exchange(
        self,
        target: WebAddress,
        method: str,
        headers: Mapping[str, str],
        content: bytes | None,
        most: int,
    ) -> HttpResponse:
        """One request, to the first of the host's checked addresses that takes a connection."""
        failure: NetworkError = HostUnreachableError("")
        for address in await resolve_public(target, self.allowed):
            try:
                return await self._send(target, address, method, headers, content, most)
            except CertificateError as error:
                message = f"The certificate of {target.host} is not accepted: {error}."
                raise ToolError(ErrorType.PERMANENT, message) from None
            except NetworkError as error:
                failure = error
                if isinstance(error, BrokenResponseError):
                    break  # it was there, and has the request
        reason = f": {failure}" if str(failure) else ""
        raise ToolError(ErrorType.TRANSIENT, f"{target.host} cannot be reached{reason}.")

    async def _send(
        self,
        target: WebAddress,
        address: str,
        method: str,
        headers: Mapping[str, str],
        content: bytes | None,
        most: int,
    ) -> HttpResponse:
        import httpx2

        sent = {
            "Host": target.authority,
            "User-Agent": AGENT,
            "Accept": "*/*",
            "Accept-Encoding": "gzip, identity",
            "Connection": "close",
            **headers,
        }
        try:
            async with (
                # Neither a proxy nor a kept connection may come between: the address was checked.
                httpx2.AsyncClient(
                    verify=self._verifying(target), trust_env=False, timeout=None
                ) as client,
                client.stream(
                    method,
                    target.pinned(address),
                    headers=sent,
                    content=content,
                    extensions={"sni_hostname": target.host},
                ) as answer,
            ):
                body = await read_body(answer, most)
        except httpx2.DecodingError:
            raise ToolError(
                ErrorType.PERMANENT, "The answer is damaged: its gzip data is no gzip."
            ) from None
        except (httpx2.HTTPError, httpx2.InvalidURL, OSError) as error:
            if isinstance(error, TimeoutError):
                raise
            raise translate(error, redact(str(error), ())) from None
        return HttpResponse(
            target.url,
            answer.status_code,
            dict(answer.headers),
            bytes(body[:most]),
            truncated=len(body) > most,
        )

    def _verifying(self, target: WebAddress) -> ssl.SSLContext:
        if target.scheme == "http":
            return ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)  # trusts nobody, and takes no time
        if self._context is None:
            self._context = client_context(self.ca_file)
        return self._context
