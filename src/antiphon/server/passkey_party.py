"""Relying party of passkeys: the host name and origin for which a browser may use them."""

from __future__ import annotations

from ipaddress import ip_address
from urllib.parse import urlsplit

from fastapi import Request

from antiphon.access.passkey_ceremonies import RelyingParty
from antiphon.server.problems import ProblemError
from antiphon.server.sign_in import own_address

_WORDS = (
    "Passkeys are for a host name over https, or for `localhost`. Open the server under such a "
    "name, and set `access.public_url` to it."
)


def relying_party(request: Request) -> RelyingParty:
    """The party that a request is at. Raises a 409 problem where no browser would use passkeys."""
    address = urlsplit(own_address(request))
    host = address.hostname or ""
    is_safe = address.scheme == "https" or host == "localhost"
    if not host or not is_safe or _is_number(host):
        raise ProblemError(409, _WORDS)
    return RelyingParty(host, f"{address.scheme}://{address.netloc.lower()}")


def has_relying_party(request: Request) -> bool:
    """Whether there is one."""
    try:
        relying_party(request)
    except ProblemError:
        return False
    return True


def _is_number(host: str) -> bool:
    try:
        ip_address(host)
    except ValueError:
        return False
    return True
