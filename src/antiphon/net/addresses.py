"""Egress guard: which addresses are public, and resolution that refuses all others."""

from __future__ import annotations

import asyncio
import ipaddress
import re
import socket
from collections.abc import Collection
from dataclasses import dataclass
from urllib.parse import urlsplit

from antiphon.contracts import ErrorType, ToolError

PORTS = {"http": 80, "https": 443}
_HOST = re.compile(
    r"[a-z0-9]([a-z0-9_-]{0,62}[a-z0-9])?(\.[a-z0-9]([a-z0-9_-]{0,62}[a-z0-9])?)*\.?"
)
# Prefixes of IPv6 that carry an IPv4 address: what is refused there must not come in here.
_NAT64 = ipaddress.IPv6Network("64:ff9b::/96")


@dataclass(frozen=True, slots=True)
class WebAddress:
    """The parts of an http or https URL; `path` is percent-encoded and has the query."""

    url: str
    scheme: str
    host: str
    port: int
    path: str

    @property
    def authority(self) -> str:
        """Host and port as the Host header has them."""
        host = f"[{self.host}]" if ":" in self.host else self.host
        return host if self.port == PORTS[self.scheme] else f"{host}:{self.port}"

    def pinned(self, address: str) -> str:
        """The URL with the host replaced by one of its resolved addresses."""
        host = f"[{address}]" if ":" in address else address
        return f"{self.scheme}://{host}:{self.port}{self.path}"


async def resolve_public(target: WebAddress, allowed: Collection[str]) -> list[str]:
    """The addresses of a host, all of them public or the host named in `allowed` (`host:port`).

    A connection goes to one of these and no other, so that a name which changes its address
    meanwhile gains nothing. Raises ToolError PERMANENT.
    """
    loop = asyncio.get_running_loop()
    try:
        found = await loop.getaddrinfo(target.host, target.port, type=socket.SOCK_STREAM)
    except (socket.gaierror, UnicodeError):
        message = f"There is no host {target.host!r}."
        raise ToolError(ErrorType.PERMANENT, message) from None
    addresses = list(dict.fromkeys(str(entry[4][0]) for entry in found))
    if f"{target.host}:{target.port}" in allowed:
        return addresses
    for address in addresses:
        if not is_public(address):
            raise refused(target.url, f"{target.host} is not a public address")
    return addresses


def is_public(address: str) -> bool:
    """Whether an IP address is on the open internet, whichever way it is written."""
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


def parse_url(url: str) -> WebAddress:
    """The parts of an http or https URL. Raises ToolError VALIDATION with what is wrong."""
    text = url.strip()
    if any(c <= " " or c == "\x7f" for c in text):
        raise _invalid("holds spaces or control characters; encode them as %20 and so on")
    try:
        parts = urlsplit(text)
        port = parts.port
    except ValueError as error:
        raise _invalid(f"is not a usable URL: {error}") from None
    if parts.scheme not in PORTS:
        raise _invalid("must start with http:// or https://")
    if parts.username is not None or parts.password is not None:
        raise _invalid("must not hold a user name or password")
    host = _host(parts.hostname or "")
    if port is not None and port not in PORTS.values() and port < 1024:
        raise refused(text, f"port {port} is no web port")
    path = parts.path or "/"
    query = f"?{parts.query}" if parts.query else ""
    quoted = _ascii(path + query)
    return WebAddress(text, parts.scheme, host, port or PORTS[parts.scheme], quoted)


def refused(url: str, reason: str) -> ToolError:
    """PERMANENT: the guard does not let this URL be fetched."""
    return ToolError(ErrorType.PERMANENT, f"{url[:200]} is refused: {reason}.")


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


def _invalid(reason: str) -> ToolError:
    return ToolError(ErrorType.VALIDATION, f"/url: {reason}.", pointer="/url")
