"""Egress guard: fetches of public web addresses, and refusal of everything behind them."""

from __future__ import annotations

import asyncio
import contextlib
import ipaddress
import re
import socket
import ssl
import zlib
from collections.abc import Collection, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any
from urllib.parse import urljoin, urlsplit

import h11

from antiphon.contracts import ErrorType, ToolError

SECONDS = 15.0
LARGEST = 2_000_000
REDIRECTS = 5
AGENT = "antiphon"
_PORTS = {"http": 80, "https": 443}
_MOVED = (301, 302, 303, 307, 308)
_HOST = re.compile(
    r"[a-z0-9]([a-z0-9_-]{0,62}[a-z0-9])?(\.[a-z0-9]([a-z0-9_-]{0,62}[a-z0-9])?)*\.?"
)
# Prefixes of IPv6 that carry an IPv4 address: what is refused there must not come in here.
_NAT64 = ipaddress.IPv6Network("64:ff9b::/96")


@dataclass(frozen=True, slots=True)
class Response:
    """What came back. `body` is decoded as far as transport goes, and cut at the limit."""

    url: str
    status: int
    headers: Mapping[str, str]
    body: bytes
    truncated: bool
    redirects: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class _Target:
    url: str
    scheme: str
    host: str
    port: int
    path: str

    @property
    def authority(self) -> str:
        host = f"[{self.host}]" if ":" in self.host else self.host
        return host if self.port == _PORTS[self.scheme] else f"{host}:{self.port}"


@dataclass(slots=True)
class Egress:
    """Fetches from public addresses only, checked after DNS and at every redirect.

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
    ) -> Response:
        """Raises ToolError: VALIDATION for a URL that is none, PERMANENT for one that is refused,
        TRANSIENT when the other side does not answer in time."""
        most = min(limit or self.limit, self.limit)
        passed: list[str] = []
        target = read_url(url)
        try:
            async with asyncio.timeout(self.seconds):
                while True:
                    answer = await self._exchange(target, method, headers or {}, most)
                    onward = answer.headers.get("location")
                    if answer.status not in _MOVED or not onward:
                        return Response(
                            target.url,
                            answer.status,
                            answer.headers,
                            answer.body,
                            answer.truncated,
                            tuple(passed),
                        )
                    passed.append(target.url)
                    if len(passed) > REDIRECTS:
                        raise _refused(url, f"it redirects more than {REDIRECTS} times")
                    target = read_url(urljoin(target.url, onward))
        except TimeoutError:
            message = f"{target.host} did not answer within {self.seconds:g} seconds."
            raise ToolError(ErrorType.TRANSIENT, message) from None

    async def _exchange(
        self, target: _Target, method: str, headers: Mapping[str, str], most: int
    ) -> Response:
        reader, writer = await self._connect(target)
        try:
            return await _converse(reader, writer, target, method, headers, most)
        except (OSError, ssl.SSLError, h11.ProtocolError, EOFError) as error:
            raise _unreachable(target, error) from None
        finally:
            writer.close()
            with contextlib.suppress(OSError, ssl.SSLError):
                await writer.wait_closed()

    async def _connect(self, target: _Target) -> tuple[asyncio.StreamReader, asyncio.StreamWriter]:
        secure = self._secure() if target.scheme == "https" else None
        name = target.host if secure else None
        problem: OSError | None = None
        for address in await self._addresses(target):
            try:
                return await asyncio.open_connection(
                    address, target.port, ssl=secure, server_hostname=name
                )
            except ssl.SSLCertVerificationError as error:
                reason = error.verify_message or "it cannot be verified"
                message = f"The certificate of {target.host} is not accepted: {reason}."
                raise ToolError(ErrorType.PERMANENT, message) from None
            except OSError as error:
                problem = problem or error
        raise _unreachable(target, problem or OSError())

    async def _addresses(self, target: _Target) -> list[str]:
        """The host's addresses, all of them public. The connection goes to one of these and no
        other, so a name that changes its address meanwhile gains nothing."""
        loop = asyncio.get_running_loop()
        try:
            found = await loop.getaddrinfo(target.host, target.port, type=socket.SOCK_STREAM)
        except (socket.gaierror, UnicodeError):
            message = f"There is no host {target.host!r}."
            raise ToolError(ErrorType.PERMANENT, message) from None
        addresses = list(dict.fromkeys(str(entry[4][0]) for entry in found))
        if f"{target.host}:{target.port}" in self.allowed:
            return addresses
        for address in addresses:
            if not is_public(address):
                raise _refused(target.url, f"{target.host} is not a public address")
        return addresses

    def _secure(self) -> ssl.SSLContext:
        if self._context is None:
            cafile = str(self.ca_file) if self.ca_file else None
            self._context = ssl.create_default_context(cafile=cafile)
        return self._context


def is_public(address: str) -> bool:
    """Whether an address is on the open internet, whichever way it is written."""
    try:
        found = ipaddress.ip_address(address.partition("%")[0])
    except ValueError:
        return False
    if isinstance(found, ipaddress.IPv6Address):
        inner = found.ipv4_mapped or found.sixtofour
        if found in _NAT64:
            inner = ipaddress.IPv4Address(int(found) & 0xFFFFFFFF)
        if inner is not None:
            return is_public(str(inner))
        # Python counts fec0::/10 as global; it was meant for the inside of an organisation.
        if found.teredo is not None or found.is_site_local:
            return False
    return found.is_global and not (found.is_multicast or found.is_reserved)


def read_url(url: str) -> _Target:
    """The parts of an http or https URL. Raises ToolError VALIDATION with what is wrong."""
    text = url.strip()
    if any(c <= " " or c == "\x7f" for c in text):
        raise _invalid("holds spaces or control characters; encode them as %20 and so on")
    try:
        parts = urlsplit(text)
        port = parts.port
    except ValueError as error:
        raise _invalid(f"is not a usable URL: {error}") from None
    if parts.scheme not in _PORTS:
        raise _invalid("must start with http:// or https://")
    if parts.username is not None or parts.password is not None:
        raise _invalid("must not hold a user name or password")
    host = _host(parts.hostname or "")
    if port is not None and port not in _PORTS.values() and port < 1024:
        raise _refused(text, f"port {port} is no web port")
    path = parts.path or "/"
    query = f"?{parts.query}" if parts.query else ""
    quoted = _ascii(path + query)
    return _Target(text, parts.scheme, host, port or _PORTS[parts.scheme], quoted)


def _host(name: str) -> str:
    if not name:
        raise _invalid("names no host")
    if ":" in name:
        return name
    try:
        host = name.encode("idna").decode("ascii").lower()
    except UnicodeError:
        raise _invalid(f"names {name[:80]!r}, which is no host name") from None
    if not _HOST.fullmatch(host):
        raise _invalid(f"names {name[:80]!r}, which is no host name")
    return host


def _ascii(text: str) -> str:
    return "".join(
        c if c.isascii() else "".join(f"%{byte:02X}" for byte in c.encode("utf-8", "replace"))
        for c in text
    )


async def _converse(
    reader: asyncio.StreamReader,
    writer: asyncio.StreamWriter,
    target: _Target,
    method: str,
    headers: Mapping[str, str],
    most: int,
) -> Response:
    connection = h11.Connection(h11.CLIENT, max_incomplete_event_size=65_536)
    sent = [
        ("Host", target.authority),
        ("User-Agent", AGENT),
        ("Accept", "*/*"),
        ("Accept-Encoding", "gzip, identity"),
        ("Connection", "close"),
        *headers.items(),
    ]
    request = h11.Request(method=method, target=target.path, headers=sent)
    writer.write(connection.send(request) or b"")
    writer.write(connection.send(h11.EndOfMessage()) or b"")
    await writer.drain()
    body, status, got = bytearray(), 0, {}
    decoder: Any = None
    truncated = False
    while True:
        event = connection.next_event()
        if event is h11.NEED_DATA:
            connection.receive_data(await reader.read(65_536))
        elif isinstance(event, h11.Response):
            status = event.status_code
            got = _joined(event.headers)
            if got.get("content-encoding", "").lower() in ("gzip", "x-gzip", "deflate"):
                decoder = zlib.decompressobj(wbits=47)  # either header, told by its first bytes
        elif isinstance(event, h11.Data):
            room = most - len(body)
            body += _decoded(decoder, bytes(event.data), room + 1)
            if len(body) > most:
                truncated = True
                del body[most:]
                break
        elif isinstance(event, h11.EndOfMessage | h11.ConnectionClosed):
            break
    return Response(target.url, status, got, bytes(body), truncated, ())


def _joined(headers: Any) -> dict[str, str]:
    found: dict[str, str] = {}
    for name, value in headers:
        key, text = name.decode("ascii"), value.decode("latin-1")
        found[key] = f"{found[key]}, {text}" if key in found else text
    return found


def _decoded(decoder: Any, data: bytes, room: int) -> bytes:
    if decoder is None:
        return data
    try:
        # A few kilobytes may unpack to gigabytes; no more is made than anybody will read.
        unpacked: bytes = decoder.decompress(data, room)
    except zlib.error:
        raise ToolError(
            ErrorType.PERMANENT, "The answer is damaged: its gzip data is no gzip."
        ) from None
    return unpacked


def _unreachable(target: _Target, error: BaseException) -> ToolError:
    reason = getattr(error, "strerror", None) or getattr(error, "reason", None) or str(error)
    said = f": {reason}" if reason else ""
    return ToolError(ErrorType.TRANSIENT, f"{target.host} cannot be reached{said}.")


def _refused(url: str, reason: str) -> ToolError:
    return ToolError(ErrorType.PERMANENT, f"{url[:200]} is refused: {reason}.")


def _invalid(reason: str) -> ToolError:
    return ToolError(ErrorType.VALIDATION, f"/url: {reason}.", pointer="/url")
