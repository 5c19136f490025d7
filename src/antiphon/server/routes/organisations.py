"""Organisations over HTTP, for who manages the whole server."""

from __future__ import annotations

from typing import Annotated

from fastapi import APIRouter, Path

from antiphon.access.rows import Organisation
from antiphon.server.bodies import StrictRoute
from antiphon.server.dependencies import AdministrationDep
from antiphon.server.problems import documented
from antiphon.server.schemas.access import (
    NewOrganisation,
    OrganisationChange,
    OrganisationDocument,
    OrganisationList,
    Removed,
)

router = APIRouter(prefix="/api/organisations", tags=["users"], route_class=StrictRoute)

OrganisationId = Annotated[str, Path(min_length=1, max_length=100, examples=["north-wing"])]


@router.get("", summary="List the organisations", responses=documented(403, 422, 503))
async def list_organisations(administration: AdministrationDep) -> OrganisationList:
    found = [_document(each, users) for each, users in await administration.organisations()]
    return OrganisationList(organisations=found, count=len(found))


@router.post(
    "",
    summary="Make an organisation",
    status_code=201,
    responses=documented(403, 409, 422, 503),
)
async def create_organisation(
    administration: AdministrationDep, body: NewOrganisation
) -> OrganisationDocument:
    return _document(await administration.create_organisation(body.id, body.name), 0)


@router.patch(
    "/{organisation_id}",
    summary="Rename an organisation",
    responses=documented(403, 404, 422, 503),
)
async def rename_organisation(
    administration: AdministrationDep, organisation_id: OrganisationId, body: OrganisationChange
) -> OrganisationDocument:
    renamed = await administration.rename_organisation(organisation_id, body.name)
    counts = {each.id: users for each, users in await administration.organisations()}
    return _document(renamed, counts.get(renamed.id, 0))


@router.delete(
    "/{organisation_id}",
    summary="Remove an organisation that no user is in",
    responses=documented(403, 404, 409, 422, 503),
)
async def remove_organisation(
    administration: AdministrationDep, organisation_id: OrganisationId
) -> Removed:
    await administration.remove_organisation(organisation_id)
    return Removed(removed=organisation_id)


def _document(organisation: Organisation, users: int) -> OrganisationDocument:
    return OrganisationDocument(
        id=organisation.id,
        name=organisation.name,
        created_at=organisation.created_at or None,
        users=users,
    )
