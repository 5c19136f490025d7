"""Roles over HTTP: the built-in ones, and those of an organisation."""

from __future__ import annotations

from typing import Annotated

from fastapi import APIRouter, Path

from antiphon.access.administration import Roster
from antiphon.access.delegation import Delegation
from antiphon.access.role_content import role_content, role_of
from antiphon.access.roles import BUILT_IN, Role
from antiphon.contracts.rights import PERMISSIONS
from antiphon.server.bodies import StrictRoute
from antiphon.server.dependencies import AdministrationDep, OrganisationQuery
from antiphon.server.problems import documented
from antiphon.server.schemas.access import (
    PermissionDocument,
    Removed,
    RoleBody,
    RoleDocument,
    RoleList,
)

router = APIRouter(prefix="/api/roles", tags=["users"], route_class=StrictRoute)

RoleName = Annotated[str, Path(min_length=1, max_length=300, examples=["support"])]


@router.get(
    "", summary="List the roles of an organisation", responses=documented(403, 404, 422, 503)
)
async def list_roles(
    administration: AdministrationDep, organisation: OrganisationQuery = None
) -> RoleList:
    roster = await administration.roster(organisation)
    delegation = await administration.delegation()
    return RoleList(
        roles=[_document(roster, delegation, role) for role in roster.roles.values()],
        permissions=[
            PermissionDocument(name=name, description=words) for name, words in PERMISSIONS.items()
        ],
    )


@router.put(
    "/{name}",
    summary="Make or replace a role",
    description="Permissions, rules about tools, roles that it includes, and whose calls it may "
    "approve. Nobody makes a role with more than they have themselves.",
    responses=documented(403, 404, 422, 503),
)
async def set_role(
    administration: AdministrationDep,
    name: RoleName,
    body: RoleBody,
    organisation: OrganisationQuery = None,
) -> RoleDocument:
    role = role_of(name, body.model_dump())
    made, roster = await administration.set_role(role, organisation)
    return _document(roster, await administration.delegation(), made)


@router.delete(
    "/{name}",
    summary="Remove a role that nobody has",
    responses=documented(403, 404, 409, 422, 503),
)
async def remove_role(
    administration: AdministrationDep, name: RoleName, organisation: OrganisationQuery = None
) -> Removed:
    await administration.remove_role(name, organisation)
    return Removed(removed=name)


def _document(roster: Roster, delegation: Delegation, role: Role) -> RoleDocument:
    behind = roster.resolved([role.name])
    return RoleDocument(
        name=role.name,
        built_in=role.name in BUILT_IN,
        **role_content(role),
        all_permissions=sorted({each for one in behind for each in one.permissions}),
        grantable=delegation.covers(behind, roster.organisation),
        used_by=roster.use_of(role.name),
    )
