"""One's own account over HTTP: names, password, browser sessions and tickets for sockets."""

from __future__ import annotations

from typing import Annotated

from fastapi import APIRouter, Path, Request, Response

from antiphon.access.errors import AccessError
from antiphon.access.single_use import TICKET_SECONDS
from antiphon.server.authentication import requester_of
from antiphon.server.bodies import StrictRoute
from antiphon.server.dependencies import ApplicationDep, ServicesDep
from antiphon.server.problems import ProblemError, documented
from antiphon.server.schemas.sign_in import (
    AccountChange,
    AccountDocument,
    BrowserSessionDocument,
    BrowserSessionList,
    PasswordChange,
    SocketTicket,
)
from antiphon.server.sign_in import account_of, browser_session_of, put_cookie

router = APIRouter(prefix="/api/account", tags=["account"], route_class=StrictRoute)

_EVERY = (401, 403, 503)


@router.get("", summary="Get one's account", responses=documented(*_EVERY))
async def get_account(request: Request) -> AccountDocument:
    return await account_of(request)


@router.patch(
    "",
    summary="Change one's display name or e-mail address",
    responses=documented(*_EVERY, 415, 422),
)
async def change_account(
    request: Request, application: ApplicationDep, body: AccountChange
) -> AccountDocument:
    user = browser_session_of(requester_of(request.scope)).user
    await application.access.change_user(user, by=user, **body.model_dump(exclude_unset=True))
    return await account_of(request)


@router.put(
    "/password",
    summary="Change one's password",
    description="All other browser sessions of the user end; this one goes on under a new secret.",
    status_code=204,
    response_class=Response,
    responses=documented(*_EVERY, 409, 413, 415, 422, 429),
)
async def change_password(
    request: Request,
    response: Response,
    application: ApplicationDep,
    services: ServicesDep,
    body: PasswordChange,
) -> None:
    principal = browser_session_of(requester_of(request.scope))
    directory = application.access
    known = await directory.user(principal.user)
    if known is None or not known.has_password:
        raise ProblemError(
            409, "You have no password yet. An administrator makes a link by which you set one."
        )
    with services.sign_in_throttle.of_session(principal.credential) as attempt:
        fits = await directory.check_password(principal.user, body.old)
        attempt.succeeded = fits is not None
    if fits is None:
        raise ProblemError(403, "The old password is wrong.")
    secret = await directory.change_password(principal.user, body.new, session=principal.credential)
    put_cookie(request, response, secret)


@router.get("/sessions", summary="List one's browser sessions", responses=documented(*_EVERY))
async def list_browser_sessions(
    request: Request, application: ApplicationDep
) -> BrowserSessionList:
    principal = browser_session_of(requester_of(request.scope))
    shown = [
        BrowserSessionDocument(
            id=each.id,
            way=each.way,
            agent=each.agent,
            created_at=each.created_at,
            used_at=each.used_at,
            expires_at=each.expires_at,
            current=each.id == principal.credential,
        )
        for each in await application.access.sessions_of(principal.user)
    ]
    return BrowserSessionList(sessions=shown, count=len(shown))


@router.delete(
    "/sessions",
    summary="End all other browser sessions of one's own",
    status_code=204,
    response_class=Response,
    responses=documented(*_EVERY, 415),
)
async def end_other_sessions(request: Request, application: ApplicationDep) -> None:
    principal = browser_session_of(requester_of(request.scope))
    await application.access.end_sessions(
        principal.user, but=principal.credential, by=principal.user
    )


@router.delete(
    "/sessions/{session_id}",
    summary="End a browser session of one's own",
    description="It is refused everywhere within a second.",
    status_code=204,
    response_class=Response,
    responses=documented(*_EVERY, 404, 415, 422),
)
async def end_browser_session(
    request: Request,
    application: ApplicationDep,
    session_id: Annotated[str, Path(max_length=100)],
) -> None:
    principal = browser_session_of(requester_of(request.scope))
    own = await application.access.sessions_of(principal.user)
    if all(each.id != session_id for each in own):
        raise AccessError("You have no browser session of that id.", "missing")
    await application.access.end_session(session_id, by=principal.user)


@router.post(
    "/ticket",
    summary="Get a ticket that opens one socket",
    description="For pages and programs that cannot send a header with a socket. It is good once, "
    "for 30 seconds, and as long as the session or token that asks for it.",
    responses=documented(*_EVERY, 409, 415),
)
async def issue_ticket(request: Request, application: ApplicationDep) -> SocketTicket:
    requester = requester_of(request.scope)
    if requester.kind in ("operator", "host"):
        raise ProblemError(
            409, "Open the socket in the same way as this request: tickets are for who signs in."
        )
    ticket = await application.access.issue_ticket(requester.principal)
    return SocketTicket(ticket=ticket, expires_in=int(TICKET_SECONDS))
