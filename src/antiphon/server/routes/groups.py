"""Groups of users over HTTP."""

from __future__ import annotations

from typing import Annotated

from fastapi import APIRouter, Path

from antiphon.access.administration import Roster
from antiphon.access.delegation import Delegation
from antiphon.access.rows import UserGroup
from antiphon.server.bodies import StrictRoute
from antiphon.server.dependencies import AdministrationDep, OrganisationQuery
from antiphon.server.problems import documented
from antiphon.server.schemas.access import GroupBody, GroupDocument, GroupList, Removed

router = APIRouter(prefix="/api/groups", tags=["users"], route_class=StrictRoute)

GroupName = Annotated[str, Path(min_length=1, max_length=300, examples=["sales"])]


@router.get(
    "", summary="List the groups of an organisation", responses=documented(403, 404, 422, 503)
)
async def list_groups(
    administration: AdministrationDep, organisation: OrganisationQuery = None
) -> GroupList:
    roster = await administration.roster(organisation)
    delegation = await administration.delegation()
    shown = [_document(roster, delegation, group) for group in roster.groups]
    return GroupList(groups=shown, count=len(shown))


@router.put(
    "/{name}",
    summary="Make or replace a group",
    description="Its members have its roles beside their own. Nobody gives roles with more than "
    "they have themselves, nor joins or leaves a group with roles by themselves.",
    responses=documented(403, 404, 422, 503),
)
async def set_group(
    administration: AdministrationDep,
    name: GroupName,
    body: GroupBody,
    organisation: OrganisationQuery = None,
) -> GroupDocument:
    made = await administration.set_group(
        name, organisation=organisation, roles=body.roles, members=body.members
    )
    roster = await administration.roster(made.organisation)
    return _document(roster, await administration.delegation(), made)


@router.delete("/{name}", summary="Remove a group", responses=documented(403, 404, 422, 503))
async def remove_group(
    administration: AdministrationDep, name: GroupName, organisation: OrganisationQuery = None
) -> Removed:
    await administration.remove_group(name, organisation)
    return Removed(removed=name)


def _document(roster: Roster, delegation: Delegation, group: UserGroup) -> GroupDocument:
    return GroupDocument(
        organisation=group.organisation,
        name=group.name,
        roles=list(group.roles),
        members=list(group.members),
        updated_at=group.updated_at,
        manageable=delegation.covers(roster.resolved(group.roles), group.organisation),
    )
