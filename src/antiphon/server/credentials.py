"""Credentials of requests: cookie, token, ticket or admin token, and the principal behind it."""

from __future__ import annotations

from collections.abc import Callable

from starlette.requests import HTTPConnection
from starlette.types import Scope

from antiphon.access.directory import AccessDirectory
from antiphon.access.errors import AccessRefused
from antiphon.access.oidc_sign_in import is_jwt
from antiphon.access.service_tokens import PREFIX
from antiphon.config import Settings
from antiphon.config.binding import is_loopback
from antiphon.server.authentication import (
    NOBODY,
    OPERATOR,
    Requester,
    bearer_of,
    is_operator,
)
from antiphon.server.forwarded import client_address
from antiphon.server.mcp.access_tokens import AccessTokens
from antiphon.server.mcp.protected_resource import PATH
from antiphon.server.mount_paths import route_path
from antiphon.server.problems import ProblemError
from antiphon.server.route_permissions import is_open
from antiphon.server.services import ServerServices
from antiphon.server.session_cookies import is_own_origin, secret_in, session_cookie
from antiphon.server.subprotocols import tickets_in

OPEN = Requester("open")
_SAFE = ("GET", "HEAD", "OPTIONS")
# What a form of any page can send.
_FORMS = ("application/x-www-form-urlencoded", "multipart/form-data", "text/plain")
# Texts are uploaded here as what they are.
_TEXT_FILES = "/files"
_WHO = "Sign in first, or send a token as `Authorization: Bearer …`."


class SignInRule:
    """Whether people have to sign in, by the settings and by whether there are users yet."""

    def __init__(self, settings: Settings, directory: Callable[[], AccessDirectory]) -> None:
        self._chosen = settings.access.sign_in
        self._is_loopback = is_loopback(settings.server.host)
        self._directory = directory

    async def is_asked(self, scope: Scope | None = None) -> bool:
        """Whether a request needs somebody behind it; without one, whether any does. Raises
        AccessRefused when the store does not answer. Once there are users there always are:
        removed ones keep their names."""
        if self._chosen == "on" or not self._is_loopback or _came_from_elsewhere(scope):
            return True
        if self._chosen == "off":
            return False
        return await self._directory().has_users()


def _came_from_elsewhere(scope: Scope | None) -> bool:
    """Whether a request came to an address that others reach, whatever the settings say."""
    server = scope.get("server") if scope is not None else None
    return server is not None and server[1] is not None and not is_loopback(server[0])


class SignedInRequesters:
    """The one place that decides who makes a request where the server itself signs people in."""

    def __init__(self, rule: SignInRule, services: Callable[[], ServerServices]) -> None:
        self._services = services
        self._rule = rule
        self._access_tokens = AccessTokens(lambda: services().application)

    @property
    def _directory(self) -> AccessDirectory:
        return self._services().application.access

    async def __call__(self, connection: HTTPConnection) -> Requester:
        scope = connection.scope
        if not is_open(scope):
            requester = await self._shown(connection)
            if requester is None:
                raise AccessRefused(_WHO, "unknown")
            return requester
        if not route_path(scope).startswith("/api/"):
            return NOBODY  # the console itself, which asks who one is
        try:
            return await self._shown(connection) or NOBODY
        except AccessRefused as refused:
            if refused.status != 401:
                raise
            return NOBODY

    async def _shown(self, connection: HTTPConnection) -> Requester | None:
        """Who is behind what was shown; None: nothing was. Raises AccessRefused, ProblemError."""
        bearer = bearer_of(connection)
        if bearer:
            return await self._of_bearer(connection.scope, bearer)
        is_socket = connection.scope["type"] == "websocket"
        if is_socket and (tickets := tickets_in(connection.scope)):
            return await self._of_ticket(connection.scope, tickets)
        if not await self._rule.is_asked(connection.scope):
            return OPEN
        secret = secret_in(connection)
        return None if secret is None else await self._of_cookie(connection, secret)

    async def _of_bearer(self, scope: Scope, bearer: str) -> Requester:
        if is_operator(bearer, self._services().admin_token):
            return OPERATOR
        if is_jwt(bearer) and route_path(scope) == PATH and self._access_tokens.are_taken():
            return Requester("token", await self._access_tokens.principal(scope, bearer))
        if not bearer.startswith(PREFIX) and not await self._rule.is_asked(scope):
            return OPEN  # it is for whoever forwarded the request
        found = await self._directory.principal_of_token(bearer, client_address(scope))
        return Requester("token", found)

    async def _of_ticket(self, scope: Scope, tickets: list[str]) -> Requester:
        if len(tickets) > 1:
            raise AccessRefused("A socket is opened with one ticket.", "unknown")
        principal = await self._directory.principal_of_ticket(tickets[0], client_address(scope))
        if principal is not None:
            return Requester("session", principal)
        if await self._rule.is_asked(scope):
            raise AccessRefused(f"This ticket is nobody's by now. {_WHO}", "revoked")
        return OPEN

    async def _of_cookie(self, connection: HTTPConnection, secret: str) -> Requester:
        _check_same_site(connection)
        principal, renewed = await self._directory.principal_of_session(secret)
        header = None
        if renewed is not None:
            seconds = self._directory.lifetimes.absolute
            header = session_cookie(connection, renewed, seconds)
        return Requester("session", principal, header)


def _check_same_site(connection: HTTPConnection) -> None:
    """A browser sends its cookie whoever had it ask. What changes something, and every socket, must
    come from a page of this server, in a form that no other page can send without being asked
    about. Raises a problem."""
    scope = connection.scope
    if scope["type"] == "websocket":
        if not is_own_origin(connection):
            raise ProblemError(403, "A socket with a cookie is opened by a page of this server.")
        return
    if scope["method"] in _SAFE:
        return
    same = connection.headers.getlist("sec-fetch-site") == ["same-origin"]
    if "origin" in connection.headers:
        same = is_own_origin(connection)
    if not same:
        raise ProblemError(
            403,
            "A request with a cookie that changes something must come from a page of this server, "
            "which its browser says by `Origin`. A program sends a token instead.",
        )
    media_type = connection.headers.get("content-type", "").partition(";")[0].strip().lower()
    is_file = media_type == "text/plain" and route_path(scope).endswith(_TEXT_FILES)
    if media_type in _FORMS and not is_file:
        raise ProblemError(
            415, f"Send JSON, with `Content-Type: application/json`, and no form ({media_type})."
        )
