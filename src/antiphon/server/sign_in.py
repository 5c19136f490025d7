"""Sign-in: a browser session begun for somebody who has shown who they are, and their account."""

from __future__ import annotations

from typing import Literal
from urllib.parse import urlsplit

from fastapi import Request, Response

from antiphon.access.errors import AccessRefused
from antiphon.access.service_tokens import ID_PREFIX as TOKEN_PREFIX
from antiphon.app import Application
from antiphon.contracts import Principal
from antiphon.contracts.principal import OWN_PERMISSIONS
from antiphon.contracts.rights import PERMISSIONS
from antiphon.server.authentication import Requester, requester_of
from antiphon.server.forwarded import scheme_of
from antiphon.server.problems import ProblemError
from antiphon.server.schemas.sign_in import AccountDocument
from antiphon.server.scope import LOCAL_USER
from antiphon.server.session_cookies import (
    Header,
    authority_of,
    is_on_loopback,
    is_own_origin,
    mark_cookie,
    session_cookie,
)

SignInWay = Literal["password", "link", "oidc", "passkey"]


async def sign_in(
    request: Request, response: Response, user: str, way: SignInWay
) -> AccountDocument:
    """Begin a browser session of a user who has shown who they are by `way`, put its cookie into
    the response, and return their account. The session that the browser had is over.

    Raises AccessRefused for a user who may not come in, and what `check_sign_in` does.
    """
    await check_sign_in(request)
    application = _application(request)
    directory = application.access
    before = requester_of(request.scope)
    agent = request.headers.get("user-agent", "")
    session, secret = await directory.begin_session(user, way, agent)
    if before.kind == "session" and before.principal is not None:
        await directory.end_session(before.principal.credential, by=before.principal.user)
    mark = request.app.services.sign_in_throttle.mark(session.user)
    put_header(response, mark_cookie(request, mark))
    put_cookie(request, response, secret)
    principal, _ = await directory.principal_of_session(secret)
    return await _account(application, principal, way, session.id)


def put_cookie(request: Request, response: Response, secret: str) -> None:
    """Give the browser the secret of its session."""
    seconds = _application(request).access.lifetimes.absolute
    put_header(response, session_cookie(request, secret, seconds))


def put_header(response: Response, header: Header) -> None:
    """Add a header of bytes to a response."""
    name, value = header
    response.headers.append(name.decode(), value.decode())


async def check_sign_in(request: Request) -> None:
    """Raise a problem where nobody can sign in: 409 where nobody is asked to, and 403 where a
    password or cookie would cross a network without https. That a proxy has ended https it says
    itself, or the origin of the page, or the settings."""
    rule = request.app.sign_in_rule
    if rule is None:
        raise ProblemError(409, "The application that this server is part of signs people in.")
    if not await rule.is_asked(request.scope):
        raise ProblemError(
            409, "Nobody is asked to sign in here. `access.sign_in` of the settings says when."
        )
    application = _application(request)
    if scheme_of(request.scope) == "https" or is_on_loopback(request):
        return
    public = urlsplit(application.settings.access.public_url or "")
    host = authority_of(request)
    if public.scheme == "https" and public.netloc.lower() == host:
        return
    if is_own_origin(request) and request.headers["origin"].lower().startswith("https:"):
        return
    raise ProblemError(
        403,
        "Nobody signs in over plain http but on the machine itself: everybody on the way could "
        "read along. Put a proxy with https before the server, name it in `server.proxies`, and "
        "set `access.public_url` to its address.",
    )


def own_address(request: Request) -> str:
    """The address of this server as the browser of a request reaches it, without its last slash:
    on the machine itself as it was asked for, elsewhere as the settings have it."""
    public = _application(request).settings.access.public_url
    if public is None or is_on_loopback(request):
        return str(request.base_url).rstrip("/")
    return public.rstrip("/")


async def account_of(request: Request) -> AccountDocument:
    """The account of whoever makes a request."""
    application, requester = _application(request), requester_of(request.scope)
    principal = requester.principal
    if requester.kind == "nobody":
        raise AccessRefused("Sign in first.", "unknown")
    if principal is None:
        way: Literal["token", "open"] = "token" if requester.kind == "operator" else "open"
        return AccountDocument(
            user=LOCAL_USER,
            display_name="",
            email="",
            organisation="",
            roles=[],
            permissions=sorted(PERMISSIONS),
            way=way,
            session=None,
            has_password=False,
        )
    if requester.kind == "host":
        return _hosts(principal)
    if principal.credential.startswith(TOKEN_PREFIX):
        return await _account(application, principal, "token", None)
    session = await application.access.session(principal.credential)
    return await _account(application, principal, session.way, session.id)


def browser_session_of(requester: Requester) -> Principal:
    """The principal of a request from a browser that is signed in. Raises a 403 problem: with a
    token nobody changes an account, nor where the server has none."""
    principal = requester.principal
    if (
        requester.kind != "session"
        or principal is None
        or principal.credential.startswith(TOKEN_PREFIX)
    ):
        raise ProblemError(
            403, "An account is managed by its user, signed in with a browser: not with a token."
        )
    return principal


def _application(request: Request) -> Application:
    found: Application = request.app.services.application
    return found


def _hosts(principal: Principal) -> AccountDocument:
    rights = principal.rights
    return AccountDocument(
        user=principal.user,
        display_name="",
        email="",
        organisation=principal.organisation,
        roles=list(principal.roles),
        permissions=sorted(OWN_PERMISSIONS if rights is None else rights.permissions),
        way="host",
        session=None,
        has_password=False,
    )


async def _account(
    application: Application, principal: Principal, way: str, session: str | None
) -> AccountDocument:
    user = await application.access.user(principal.user)
    if user is None:
        raise AccessRefused("This user was removed.", "revoked")
    document = _hosts(principal)
    return document.model_copy(
        update={
            "display_name": user.display_name,
            "email": user.email,
            "way": way,
            "session": session,
            "has_password": user.has_password,
        }
    )
