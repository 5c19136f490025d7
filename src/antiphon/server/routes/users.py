"""Users over HTTP: made, invited, changed, disabled and removed by who may manage them."""

from __future__ import annotations

from typing import Annotated

from fastapi import APIRouter, Path, Request

from antiphon.access.administration import Administration, Roster
from antiphon.access.delegation import Delegation
from antiphon.access.rows import SingleUse, User
from antiphon.access.single_use import link_address
from antiphon.server.bodies import StrictRoute
from antiphon.server.dependencies import AdministrationDep, ApplicationDep, OrganisationQuery
from antiphon.server.problems import documented
from antiphon.server.schemas.access import (
    InvitationDocument,
    InvitationList,
    LinkDocument,
    NewUser,
    Removed,
    UserChange,
    UserCreated,
    UserDocument,
    UserList,
)

router = APIRouter(prefix="/api", tags=["users"], route_class=StrictRoute)

UserName = Annotated[str, Path(min_length=1, max_length=300, examples=["ada"])]


@router.get(
    "/users", summary="List the users of an organisation", responses=documented(403, 404, 422, 503)
)
async def list_users(
    administration: AdministrationDep, organisation: OrganisationQuery = None
) -> UserList:
    roster = await administration.roster(organisation)
    delegation = await administration.delegation()
    shown = [_document(administration, roster, delegation, user) for user in roster.users]
    return UserList(users=shown, count=len(shown))


@router.post(
    "/users",
    summary="Make a user",
    description="Without a password a link is made by which they set one. The name must not be "
    "taken, nor look like one that is. Nobody gives roles with more than they have themselves.",
    status_code=201,
    responses=documented(403, 404, 409, 422, 503),
)
async def create_user(
    request: Request, administration: AdministrationDep, application: ApplicationDep, body: NewUser
) -> UserCreated:
    user = await administration.create_user(
        body.name,
        organisation=body.organisation,
        roles=body.roles,
        groups=body.groups,
        display_name=body.display_name,
        email=body.email,
        password=body.password,
    )
    link = None
    if body.password is None:
        link = _link(request, application, *await administration.make_link(user.name))
    return UserCreated(user=await _shown(administration, user.name), link=link)


@router.get("/users/{name}", summary="Get a user", responses=documented(403, 404, 422, 503))
async def get_user(administration: AdministrationDep, name: UserName) -> UserDocument:
    return await _shown(administration, name)


@router.patch(
    "/users/{name}",
    summary="Change a user",
    description="Not one's own roles, and not those of somebody who has more than oneself. The "
    "last administrator of the server stays one.",
    responses=documented(403, 404, 409, 422, 503),
)
async def change_user(
    administration: AdministrationDep, name: UserName, body: UserChange
) -> UserDocument:
    changed = await administration.change_user(name, **body.model_dump(exclude_unset=True))
    return await _shown(administration, changed.name)


@router.delete(
    "/users/{name}",
    summary="Remove a user",
    description="With their browser sessions, tokens and memberships. What they made stays, and "
    "their name stays taken.",
    responses=documented(403, 404, 409, 422, 503),
)
async def remove_user(administration: AdministrationDep, name: UserName) -> Removed:
    return Removed(removed=(await administration.remove_user(name)).name)


@router.post(
    "/users/{name}/link",
    summary="Make a link by which a user sets a password",
    description="Good once, for a day. Earlier links of the user are over.",
    status_code=201,
    responses=documented(403, 404, 409, 422, 503),
)
async def make_link(
    request: Request, administration: AdministrationDep, application: ApplicationDep, name: UserName
) -> LinkDocument:
    return _link(request, application, *await administration.make_link(name))


@router.get(
    "/invitations",
    summary="List the links that were not used yet",
    responses=documented(403, 422, 503),
)
async def list_invitations(
    administration: AdministrationDep, organisation: OrganisationQuery = None
) -> InvitationList:
    found = [
        InvitationDocument(user=each.user, created_at=each.created_at, expires_at=each.expires_at)
        for each in await administration.links(organisation)
    ]
    return InvitationList(invitations=found, count=len(found))


@router.delete(
    "/invitations/{name}", summary="Withdraw a link", responses=documented(403, 404, 422, 503)
)
async def withdraw_invitation(administration: AdministrationDep, name: UserName) -> Removed:
    return Removed(removed=(await administration.withdraw_link(name)).name)


async def _shown(administration: Administration, name: str) -> UserDocument:
    user, roster = await administration.user(name)
    return _document(administration, roster, await administration.delegation(), user)


def _document(
    administration: Administration, roster: Roster, delegation: Delegation, user: User
) -> UserDocument:
    return UserDocument(
        name=user.name,
        organisation=user.organisation,
        display_name=user.display_name,
        email=user.email,
        roles=list(user.roles),
        groups=roster.groups_of(user.name),
        has_password=user.has_password,
        identity=None if user.identity is None else user.identity[0],
        disabled=user.disabled,
        created_at=user.created_at,
        updated_at=user.updated_at,
        signed_in_at=user.signed_in_at,
        you=administration.is_self(user.name),
        manageable=delegation.covers(roster.roles_of(user), roster.organisation),
    )


def _link(
    request: Request, application: ApplicationDep, secret: str, made: SingleUse
) -> LinkDocument:
    base = application.settings.access.public_url or str(request.base_url)
    return LinkDocument(
        user=made.user,
        secret=secret,
        url=link_address(base, secret),
        expires_at=made.expires_at,
    )
