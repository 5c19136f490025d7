"""Limits over HTTP: what is set for users, roles and organisations, and how one stands."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import partial
from typing import Annotated, Literal

from fastapi import APIRouter, Depends, Path, Request

from antiphon.contracts.limits import KINDS, LimitScope, LimitSubject, subject_of
from antiphon.limits.administration import LimitAdministration
from antiphon.limits.book import WHOLE, Amounts, LimitOverride, OverrideFor
from antiphon.limits.limiter import Limiter
from antiphon.server.authentication import principal_of
from antiphon.server.bodies import StrictRoute
from antiphon.server.dependencies import (
    AdministrationDep,
    ApplicationDep,
    HttpSessionsDep,
    OrganisationQuery,
)
from antiphon.server.problems import ProblemError, documented
from antiphon.server.schemas.access import Removed
from antiphon.server.schemas.limits import (
    LimitOverrideDocument,
    LimitOverview,
    LimitsBody,
    LimitStandingDocument,
    LimitStandings,
    LimitValues,
)
from antiphon.server.stored_knowledge import stored_bytes

router = APIRouter(prefix="/api/limits", tags=["users"], route_class=StrictRoute)

Kind = Annotated[Literal["user", "role"], Path()]
Name = Annotated[str, Path(min_length=1, max_length=300, examples=["ada"])]


async def limit_administration(
    application: ApplicationDep, administration: AdministrationDep
) -> LimitAdministration:
    """The limits, as the principal of the request may set them."""
    return LimitAdministration(application.limiter, administration)


LimitAdministrationDep = Annotated[LimitAdministration, Depends(limit_administration)]


@router.get(
    "",
    summary="List the limits of an organisation",
    description="Those of the settings, and what was set for the organisation, its users and roles "
    "beside them.",
    responses=documented(403, 422, 503),
)
async def list_limits(
    application: ApplicationDep,
    administration: LimitAdministrationDep,
    organisation: OrganisationQuery = None,
) -> LimitOverview:
    limiter, own = application.limiter, administration.organisation(organisation)
    return LimitOverview(
        organisation=own,
        user_defaults=_values(limiter.defaults["user"]),
        organisation_defaults=_values(limiter.defaults["organisation"]),
        overrides=[_document(each) for each in limiter.overrides(own)],
    )


@router.get(
    "/me",
    summary="How you stand with your limits",
    description="What you and your organisation may use, what is used, and when there is room "
    "again. Rates and what is open are counted by the node that answers.",
    responses=documented(422, 503),
)
async def my_limits(
    request: Request, application: ApplicationDep, http_sessions: HttpSessionsDep
) -> LimitStandings:
    subject = subject_of(principal_of(request.scope))
    if subject is None:
        return LimitStandings(user=http_sessions.user, organisation="", limits=[])
    return await _standings(application, subject)


@router.get(
    "/organisation",
    summary="What was set for an organisation",
    responses=documented(403, 404, 422, 503),
)
async def organisation_limits(
    application: ApplicationDep,
    administration: LimitAdministrationDep,
    organisation: OrganisationQuery = None,
) -> LimitOverrideDocument:
    own = administration.organisation(organisation)
    return _found(application.limiter, own, "organisation", WHOLE)


@router.put(
    "/organisation",
    summary="Set the limits of an organisation",
    description="Of everybody in it together; administrators of the whole server do this.",
    responses=documented(403, 404, 422, 503),
)
async def set_organisation_limits(
    administration: LimitAdministrationDep,
    body: LimitsBody,
    organisation: OrganisationQuery = None,
) -> LimitOverrideDocument:
    return _document(await administration.set("organisation", WHOLE, body.limits, organisation))


@router.delete(
    "/organisation",
    summary="Give an organisation the limits of the settings",
    responses=documented(403, 404, 422, 503),
)
async def remove_organisation_limits(
    administration: LimitAdministrationDep, organisation: OrganisationQuery = None
) -> Removed:
    await administration.remove("organisation", WHOLE, organisation)
    return Removed(removed=WHOLE)


@router.get(
    "/{kind}/{name}",
    summary="What was set for a user or a role",
    responses=documented(403, 404, 422, 503),
)
async def get_limits(
    application: ApplicationDep,
    administration: LimitAdministrationDep,
    kind: Kind,
    name: Name,
    organisation: OrganisationQuery = None,
) -> LimitOverrideDocument:
    if kind == "user":
        subject = await administration.subject(name)
        return _found(application.limiter, subject.organisation, kind, subject.user)
    return _found(application.limiter, administration.organisation(organisation), kind, name)


@router.put(
    "/{kind}/{name}",
    summary="Set the limits of a user or a role",
    description="In place of what was set before. What is set for a user counts before what is set "
    "for their roles, of which the widest counts; none may be wider than the organisation's. "
    "Nobody sets their own.",
    responses=documented(403, 404, 422, 503),
)
async def set_limits(
    administration: LimitAdministrationDep,
    kind: Kind,
    name: Name,
    body: LimitsBody,
    organisation: OrganisationQuery = None,
) -> LimitOverrideDocument:
    return _document(await administration.set(kind, name, body.limits, organisation))


@router.delete(
    "/{kind}/{name}",
    summary="Give a user or a role the limits of the settings",
    responses=documented(403, 404, 422, 503),
)
async def remove_limits(
    administration: LimitAdministrationDep,
    kind: Kind,
    name: Name,
    organisation: OrganisationQuery = None,
) -> Removed:
    await administration.remove(kind, name, organisation)
    return Removed(removed=name)


async def _standings(application: ApplicationDep, subject: LimitSubject) -> LimitStandings:
    stored = await stored_bytes(application, subject.organisation)
    unfinished = await _unfinished_tasks(application)

    def tasks(scope: LimitScope) -> int:
        place = 0 if scope == "user" else 1
        return sum(each[place] == subject.name(scope) for each in unfinished)

    counts: Mapping[str, Callable[[LimitScope], float]] = {
        "sessions": partial(application.orchestrator.count_open, subject),
        "tasks": tasks,
        "knowledge_bytes": lambda _scope: stored,
    }
    found = await application.limiter.standing(subject, counts)
    return LimitStandings(
        user=subject.user,
        organisation=subject.organisation,
        limits=[
            LimitStandingDocument(
                limit=each.limit,
                words=KINDS[each.limit].words,
                scope=each.scope,
                most=each.most,
                used=each.used,
                resets_in=each.resets_in,
            )
            for each in found
        ],
    )


async def _unfinished_tasks(application: ApplicationDep) -> list[tuple[str, str]]:
    background = application.orchestrator.background
    return [] if background is None else await background.backend.unfinished()


def _values(amounts: Amounts) -> LimitValues:
    return {name: "unlimited" if most is None else most for name, most in amounts.items()}


def _found(
    limiter: Limiter, organisation: str, kind: OverrideFor, name: str
) -> LimitOverrideDocument:
    found = limiter.override(organisation, kind, name)
    if found is None:
        raise ProblemError(404, f"Nothing is set there; the limits of {name!r} are the settings'.")
    return _document(found)


def _document(override: LimitOverride) -> LimitOverrideDocument:
    return LimitOverrideDocument(
        kind=override.kind,
        name=override.name,
        organisation=override.organisation,
        limits=_values(override.amounts),
        updated_at=override.updated_at,
        updated_by=override.updated_by,
    )
