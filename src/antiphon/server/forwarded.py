"""Forwarded requests: the client and the scheme that a proxy of the settings tells of."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from ipaddress import IPv4Address, IPv4Network, IPv6Address, IPv6Network, ip_address, ip_network

from starlette.types import Scope

Network = IPv4Network | IPv6Network
_FOR, _PROTO = b"x-forwarded-for", b"x-forwarded-proto"
# More proxies than these stand before no server; whoever names more is making them up.
_MAX_HOPS = 32
# What a browser calls its own machine.
LOOPBACK_NAMES = ("localhost", "127.0.0.1", "[::1]")


class Proxies:
    """The proxies whose word is taken. What others say in these headers is not looked at."""

    def __init__(self, networks: Sequence[str]) -> None:
        self._networks = [ip_network(each, strict=False) for each in networks]

    def resolved(self, scope: Scope, headers: Mapping[bytes, Sequence[bytes]]) -> Scope:
        """The scope as the client sent it to the first of the proxies. Raises ValueError for a
        header of a proxy that cannot be read."""
        peer = scope.get("client")
        if not self._networks or peer is None or not self.includes(plain_address(peer[0])):
            return scope
        changed = dict(scope)
        hops = [
            each.strip()
            for line in headers.get(_FOR, ())
            for each in line.decode("latin-1").split(",")
        ]
        if len(hops) > _MAX_HOPS:
            raise ValueError(f"X-Forwarded-For names more than {_MAX_HOPS} addresses")
        # From the right: each proxy adds whom it was asked by, and the first that is no proxy of
        # ours is the client. What stands before it is the client's own claim.
        for hop in reversed(hops):
            address = plain_address(hop)
            if address is None:
                raise ValueError("X-Forwarded-For has something that is no address")
            changed["client"] = (str(address), 0)
            if not self.includes(address):
                break
        if protos := headers.get(_PROTO):
            scheme = protos[-1].decode("latin-1").rpartition(",")[2].strip().lower()
            if scheme not in ("http", "https"):
                raise ValueError("X-Forwarded-Proto is neither http nor https")
            socket = {"http": "ws", "https": "wss"}
            changed["scheme"] = socket[scheme] if scope["type"] == "websocket" else scheme
        return changed

    def includes(self, address: IPv4Address | IPv6Address | None) -> bool:
        """Whether an address is a proxy's."""
        return address is not None and any(address in each for each in self._networks)


def scheme_of(scope: Scope) -> str:
    """http or https, of a socket as well."""
    scheme: str = scope["scheme"]
    return {"ws": "http", "wss": "https"}.get(scheme, scheme)


def plain_address(text: str) -> IPv4Address | IPv6Address | None:
    """The address in a text, an IPv4 one in the form of IPv6 as what it is; None: there is none."""
    try:
        found = ip_address(text.strip("[]"))
    except ValueError:
        return None
    if isinstance(found, IPv6Address) and found.ipv4_mapped is not None:
        return found.ipv4_mapped
    return found


def client_address(scope: Scope) -> str:
    """The address that a request comes from; '' where the server does not know it."""
    client = scope.get("client")
    address = plain_address(client[0]) if client else None
    return "" if address is None else str(address)
