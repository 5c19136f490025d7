"""Passkeys over HTTP: signing in with one, and those of one's own account."""

from __future__ import annotations

from typing import Annotated

from fastapi import APIRouter, Path, Request, Response

from antiphon.access.passkey_ceremonies import PasskeyCeremonies
from antiphon.access.rows import Passkey
from antiphon.server.authentication import requester_of
from antiphon.server.bodies import StrictRoute
from antiphon.server.dependencies import ApplicationDep, ServicesDep
from antiphon.server.forwarded import client_address
from antiphon.server.passkey_party import relying_party
from antiphon.server.problems import documented
from antiphon.server.schemas.sign_in import (
    AccountDocument,
    NewPasskey,
    PasskeyCeremony,
    PasskeyDocument,
    PasskeyList,
    PasskeySignIn,
)
from antiphon.server.sign_in import browser_session_of, check_sign_in, sign_in

router = APIRouter(prefix="/api", route_class=StrictRoute)

_ENTRY = (401, 403, 409, 413, 415, 422, 429, 503)


@router.post(
    "/sign-in/passkey/options",
    tags=["sign-in"],
    summary="Begin to sign in with a passkey",
    responses=documented(403, 409, 415, 429, 503),
)
async def begin_passkey_sign_in(request: Request, application: ApplicationDep) -> PasskeyCeremony:
    await check_sign_in(request)
    ceremonies = PasskeyCeremonies(application.access)
    ceremony, options = await ceremonies.begin_sign_in(relying_party(request))
    return PasskeyCeremony(ceremony=ceremony, options=options)


@router.post(
    "/sign-in/passkey",
    tags=["sign-in"],
    summary="Sign in with a passkey",
    description="Sets the cookie of the browser's session.",
    responses=documented(*_ENTRY),
)
async def sign_in_with_passkey(
    request: Request,
    response: Response,
    application: ApplicationDep,
    services: ServicesDep,
    body: PasskeySignIn,
) -> AccountDocument:
    await check_sign_in(request)
    party, ceremonies = relying_party(request), PasskeyCeremonies(application.access)
    with services.sign_in_throttle.of_address(client_address(request.scope)) as attempt:
        user = await ceremonies.sign_in(party, body.ceremony, body.credential)
        attempt.succeeded = True
    return await sign_in(request, response, user, "passkey")


@router.get(
    "/account/passkeys",
    tags=["account"],
    summary="List one's passkeys",
    responses=documented(401, 403, 503),
)
async def list_passkeys(request: Request, application: ApplicationDep) -> PasskeyList:
    user = browser_session_of(requester_of(request.scope)).user
    found = [_document(each) for each in await application.access.passkeys(user)]
    return PasskeyList(passkeys=found, count=len(found))


@router.post(
    "/account/passkeys/options",
    tags=["account"],
    summary="Begin to add a passkey",
    responses=documented(401, 403, 409, 415, 503),
)
async def begin_passkey(request: Request, application: ApplicationDep) -> PasskeyCeremony:
    user = browser_session_of(requester_of(request.scope)).user
    ceremonies = PasskeyCeremonies(application.access)
    ceremony, options = await ceremonies.begin_registration(relying_party(request), user)
    return PasskeyCeremony(ceremony=ceremony, options=options)


@router.post(
    "/account/passkeys",
    tags=["account"],
    summary="Add a passkey",
    status_code=201,
    responses=documented(*_ENTRY),
)
async def add_passkey(
    request: Request, application: ApplicationDep, body: NewPasskey
) -> PasskeyDocument:
    user = browser_session_of(requester_of(request.scope)).user
    ceremonies = PasskeyCeremonies(application.access)
    made = await ceremonies.register(
        relying_party(request), user, body.ceremony, body.name, body.credential
    )
    return _document(made)


@router.delete(
    "/account/passkeys/{passkey_id}",
    tags=["account"],
    summary="Remove a passkey of one's own",
    status_code=204,
    response_class=Response,
    responses=documented(401, 403, 404, 415, 422, 503),
)
async def remove_passkey(
    request: Request,
    application: ApplicationDep,
    passkey_id: Annotated[str, Path(max_length=1500)],
) -> None:
    user = browser_session_of(requester_of(request.scope)).user
    await application.access.remove_passkey(user, passkey_id, by=user)


def _document(passkey: Passkey) -> PasskeyDocument:
    return PasskeyDocument(
        id=passkey.id,
        name=passkey.name,
        created_at=passkey.created_at,
        used_at=passkey.used_at,
    )
