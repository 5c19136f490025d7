"""Service tokens over HTTP: one's own, and with a permission those of others."""

from __future__ import annotations

import time
from typing import Annotated, Literal

from fastapi import APIRouter, Path, Query

from antiphon.access.rows import ServiceToken
from antiphon.server.bodies import StrictRoute
from antiphon.server.dependencies import AdministrationDep, OrganisationQuery
from antiphon.server.problems import documented
from antiphon.server.schemas.access import NewToken, TokenCreated, TokenDocument, TokenList

router = APIRouter(prefix="/api/tokens", tags=["users"], route_class=StrictRoute)


@router.get(
    "",
    summary="List tokens",
    description="One's own; with `users.manage` also those of a `user`, or of everybody in the "
    "organisation.",
    responses=documented(403, 404, 422, 503),
)
async def list_tokens(
    administration: AdministrationDep,
    user: Annotated[str | None, Query(max_length=300)] = None,
    everybody: bool = False,
    organisation: OrganisationQuery = None,
) -> TokenList:
    found = await administration.tokens(user, everybody=everybody, organisation=organisation)
    return TokenList(tokens=[_document(token) for token in found], count=len(found))


@router.post(
    "",
    summary="Make a token",
    description="It acts in the name of its user, within permissions, tools and networks, until it "
    "expires or is revoked. The answer has the secret, which is never shown again.",
    status_code=201,
    responses=documented(403, 404, 422, 503),
)
async def create_token(administration: AdministrationDep, body: NewToken) -> TokenCreated:
    token, secret = await administration.create_token(**body.model_dump())
    return TokenCreated(token=_document(token), secret=secret)


@router.delete(
    "/{token_id}",
    summary="Revoke a token",
    description="It is refused everywhere within a second.",
    responses=documented(403, 404, 422, 503),
)
async def revoke_token(
    administration: AdministrationDep, token_id: Annotated[str, Path(max_length=100)]
) -> TokenDocument:
    return _document(await administration.revoke_token(token_id))


def _document(token: ServiceToken) -> TokenDocument:
    state: Literal["active", "expired", "revoked"] = "active"
    if token.revoked_at is not None:
        state = "revoked"
    elif token.expires_at is not None and token.expires_at <= time.time():
        state = "expired"
    lists = {
        name: None if (value := getattr(token, name)) is None else list(value)
        for name in ("permissions", "tools", "networks")
    }
    return TokenDocument(
        id=token.id,
        user=token.user,
        name=token.name,
        **lists,
        created_at=token.created_at,
        created_by=token.created_by,
        expires_at=token.expires_at,
        revoked_at=token.revoked_at,
        used_at=token.used_at,
        state=state,
    )
