"""Session cookies: how a browser keeps the secret of its session, and when it is asked for."""

from __future__ import annotations

import re
from typing import TypeAlias

from starlette.requests import HTTPConnection

from antiphon.access.errors import AccessRefused
from antiphon.server.forwarded import LOOPBACK_NAMES, scheme_of

Header: TypeAlias = tuple[bytes, bytes]

SESSION, MARK, PROVIDER = "antiphon", "antiphon-browser", "antiphon-oidc"
# A browser takes such a cookie from https alone, for one host and all of its paths.
HTTPS_PREFIX = "__Host-"
MARK_SECONDS = 365 * 86_400
# More than a secret of ours has.
MAX_LENGTH = 200
_VALUE = re.compile(r"[\x21\x23-\x2b\x2d-\x3a\x3c-\x5b\x5d-\x7e]+")


def authority_of(connection: HTTPConnection) -> str:
    """Host name and port that the request is for."""
    return connection.headers.get("host", "").lower()


def is_on_loopback(connection: HTTPConnection) -> bool:
    """Whether the browser asks for a name of its own machine without https."""
    if scheme_of(connection.scope) == "https":
        return False
    return re.sub(r":\d+$", "", authority_of(connection)) in LOOPBACK_NAMES


def is_own_origin(connection: HTTPConnection) -> bool:
    """Whether the header `Origin` is exactly that of this server. On another name than loopback a
    proxy may have ended https."""
    host = authority_of(connection)
    own = {f"{scheme_of(connection.scope)}://{host}"}
    if not is_on_loopback(connection):
        own.add(f"https://{host}")
    origins = [each.lower() for each in connection.headers.getlist("origin")]
    return len(origins) == 1 and origins[0] in own


def secret_in(connection: HTTPConnection) -> str | None:
    """The secret of the session that the browser sends; None: it sends none. Raises AccessRefused
    for more than one: another page of the host may have set it."""
    return _value(connection, SESSION)


def mark_in(connection: HTTPConnection) -> str | None:
    """The mark that the browser has from signing in before; None: it has none."""
    try:
        return _value(connection, MARK)
    except AccessRefused:
        return None


def provider_secret_in(connection: HTTPConnection) -> str | None:
    """The secret of the browser's sign-in by an identity provider; None: it sends none. Raises
    AccessRefused for more than one."""
    return _value(connection, PROVIDER)


def session_cookie(connection: HTTPConnection, secret: str, seconds: float) -> Header:
    """The header that gives the browser the secret of its session for so long."""
    return _header(connection, SESSION, secret, seconds)


def mark_cookie(connection: HTTPConnection, mark: str) -> Header:
    """The header that gives the browser a mark."""
    return _header(connection, MARK, mark, MARK_SECONDS)


def provider_cookie(connection: HTTPConnection, secret: str, seconds: float) -> Header:
    """The header that gives the browser the secret of a sign-in by an identity provider for so
    long; 0 takes it away."""
    return _header(connection, PROVIDER, secret, seconds)


def no_session_cookie(connection: HTTPConnection) -> Header:
    """The header that takes the secret of its session from the browser."""
    return _header(connection, SESSION, "", 0)


def _name(connection: HTTPConnection, name: str) -> str:
    return name if is_on_loopback(connection) else HTTPS_PREFIX + name


def _value(connection: HTTPConnection, name: str) -> str | None:
    sent, found = _name(connection, name), []
    for header in connection.headers.getlist("cookie"):
        for part in header.split(";"):
            key, equals, value = part.strip().partition("=")
            if key == sent and equals:
                found.append(value)
    if len(found) > 1:
        raise AccessRefused(
            f"The browser sent several cookies `{sent}`. Delete the cookies of this address, and "
            "sign in again.",
            "unknown",
        )
    if not found or len(found[0]) > MAX_LENGTH or _VALUE.fullmatch(found[0]) is None:
        return None
    return found[0]


def _header(connection: HTTPConnection, name: str, value: str, seconds: float) -> Header:
    secure = "" if is_on_loopback(connection) else "; Secure"
    text = (
        f"{_name(connection, name)}={value}; Max-Age={int(seconds)}; Path=/; HttpOnly; "
        f"SameSite=Lax{secure}"
    )
    return b"set-cookie", text.encode("ascii")
