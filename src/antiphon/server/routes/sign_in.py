"""Sign-in over HTTP: by password and by link, the ways there are, and signing out."""

from __future__ import annotations

from fastapi import APIRouter, Request, Response

from antiphon.server.authentication import requester_of
from antiphon.server.bodies import StrictRoute
from antiphon.server.dependencies import ApplicationDep, ServicesDep
from antiphon.server.forwarded import client_address
from antiphon.server.passkey_party import has_relying_party
from antiphon.server.problems import ProblemError, documented
from antiphon.server.schemas.sign_in import (
    AccountDocument,
    LinkLook,
    LinkSecret,
    LinkUse,
    PasswordSignIn,
    SignInProvider,
    SignInState,
)
from antiphon.server.session_cookies import mark_in, no_session_cookie
from antiphon.server.sign_in import check_sign_in, put_header, sign_in

router = APIRouter(prefix="/api", tags=["sign-in"], route_class=StrictRoute)

# The same for whoever is not there, is disabled or has no password.
_WRONG = "User name and password do not fit together, or this user may not sign in."


@router.get("/sign-in", summary="See whether and how to sign in", responses=documented(503))
async def sign_in_state(request: Request, application: ApplicationDep) -> SignInState:
    rule, kind = request.app.sign_in_rule, requester_of(request.scope).kind
    required = rule is not None and await rule.is_asked(request.scope)
    return SignInState(
        required=required,
        signed_in=kind not in ("nobody", "open"),
        password=required,
        passkey=required and has_relying_party(request),
        providers=[
            SignInProvider(id=name, title=title)
            for name, title in application.oidc.titles.items()
            if required
        ],
    )


@router.post(
    "/sign-in/password",
    summary="Sign in with a password",
    description="Sets the cookie of the browser's session. After some wrong passwords it answers "
    "with 429 for a while; a browser or address that the user has signed in from is not held up by "
    "what others try.",
    responses=documented(401, 403, 409, 413, 422, 429, 503),
)
async def sign_in_with_password(
    request: Request,
    response: Response,
    application: ApplicationDep,
    services: ServicesDep,
    body: PasswordSignIn,
) -> AccountDocument:
    await check_sign_in(request)
    address = client_address(request.scope)
    trying = services.sign_in_throttle.attempt(body.user, address, mark_in(request))
    with trying as attempt:
        user = await application.access.check_password(body.user, body.password)
        attempt.succeeded = user is not None
    if user is None:
        raise ProblemError(401, _WRONG)
    return await sign_in(request, response, user.name, "password")


@router.post(
    "/sign-in/link/look",
    summary="See what a link is for",
    description="It stays good.",
    responses=documented(401, 403, 409, 413, 422, 429, 503),
)
async def look_at_link(
    request: Request, application: ApplicationDep, services: ServicesDep, body: LinkSecret
) -> LinkLook:
    await check_sign_in(request)
    with services.sign_in_throttle.of_address(client_address(request.scope)) as attempt:
        found = await application.access.peek("link", body.secret)
        attempt.succeeded = True
    return LinkLook(
        purpose="password" if found.user else "first_admin",
        user=found.user or None,
        expires_at=found.expires_at,
    )


@router.post(
    "/sign-in/link",
    summary="Set a password by a link, and sign in",
    description="A link of a new server makes its first administrator, of the name `user`.",
    responses=documented(401, 403, 409, 413, 422, 429, 503),
)
async def sign_in_with_link(
    request: Request,
    response: Response,
    application: ApplicationDep,
    services: ServicesDep,
    body: LinkUse,
) -> AccountDocument:
    await check_sign_in(request)
    with services.sign_in_throttle.of_address(client_address(request.scope)) as attempt:
        # Before the password is hashed, which takes a while.
        await application.access.peek("link", body.secret)
        attempt.succeeded = True
        user = await application.access.accept_link(body.secret, body.password, name=body.user)
    return await sign_in(request, response, user.name, "link")


@router.post(
    "/sign-out",
    summary="Sign out",
    description="Ends the session of this browser, and takes its cookie.",
    status_code=204,
    response_class=Response,
    responses=documented(403, 409, 415, 503),
)
async def sign_out(request: Request, response: Response, application: ApplicationDep) -> None:
    requester = requester_of(request.scope)
    if requester.kind == "session" and requester.principal is not None:
        principal = requester.principal
        await application.access.end_session(principal.credential, by=principal.user)
    put_header(response, no_session_cookie(request))
