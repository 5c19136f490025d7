"""Usage over HTTP: what was used and spent, as JSON and CSV, and spending caps."""

from __future__ import annotations

from datetime import date
from typing import Annotated, Literal

from fastapi import APIRouter, Depends, Path, Query, Request, Response

from antiphon.contracts.metering import CapPeriod, CapScope
from antiphon.server.bodies import StrictRoute, preferred
from antiphon.server.dependencies import (
    AdministrationDep,
    ApplicationDep,
    HttpSessionsDep,
    OrganisationQuery,
)
from antiphon.server.problems import ProblemError, documented
from antiphon.server.schemas.access import Removed
from antiphon.server.schemas.usage import (
    CapDocument,
    CapList,
    CapsBody,
    CapStanding,
    CapStandings,
    UsageDocument,
    UsageGroup,
    UsageSums,
    UsualCapDocument,
)
from antiphon.usage.cap_administration import CapAdministration
from antiphon.usage.cap_book import CapBook
from antiphon.usage.caps import SCOPES, SpendingCap
from antiphon.usage.money import decimal
from antiphon.usage.periods import PERIODS
from antiphon.usage.report import (
    Grouping,
    ReportTooLong,
    UsageQuery,
    UsageReport,
    as_csv,
    report_usage,
)

router = APIRouter(prefix="/api", tags=["usage"], route_class=StrictRoute)

JSON, CSV = "application/json", "text/csv"
Scope = Annotated[Literal["user", "agent"], Path()]
Subject = Annotated[str, Path(min_length=1, max_length=300, examples=["ada"])]
Only = Annotated[str | None, Query(max_length=300)]


async def report(
    application: ApplicationDep,
    http_sessions: HttpSessionsDep,
    by: Annotated[
        list[Grouping] | None, Query(max_length=6, description="Once for each; else by day.")
    ] = None,
    since: Annotated[
        date | None, Query(alias="from", description="A day in UTC; else the first of this month.")
    ] = None,
    until: Annotated[
        date | None, Query(alias="to", description="The last day; else today.")
    ] = None,
    user: Only = None,
    organisation: Only = None,
    agent: Only = None,
    model: Only = None,
    tool: Only = None,
) -> UsageReport:
    """The report that a request asks for, of the usage that its principal may see."""
    scope = http_sessions.scope
    if user not in (None, scope.user) and not scope.may("usage.read"):
        raise ProblemError(403, f"You are `{scope.user}` here. Leave `user` out.")
    given: dict[Grouping, str | None] = {
        "user": user,
        "organisation": organisation,
        "agent": agent,
        "model": model,
        "tool": tool,
    }
    query = UsageQuery(
        tuple(dict.fromkeys(by or ["day"])),
        since,
        until,
        scope.owners("usage.read"),
        {name: value for name, value in given.items() if value is not None},
    )
    try:
        return await report_usage(application.usage, query)
    except ReportTooLong as error:
        raise ProblemError(422, str(error)) from None


ReportDep = Annotated[UsageReport, Depends(report)]


@router.get(
    "/usage",
    summary="Sum up what was used and spent",
    description="One's own; with `usage.read` that of everybody in the organisation. As CSV with "
    "`Accept: text/csv`.",
    response_model=UsageDocument,
    responses={
        200: {"content": {CSV: {"schema": {"type": "string"}}}},
        **documented(403, 422, 503),
    },
)
async def get_usage(request: Request, found: ReportDep) -> Response:
    if preferred(request.headers.get("accept", ""), (JSON, CSV)) == CSV:
        return _csv(found)
    document = UsageDocument(
        since=found.since,
        until=found.until,
        by=list(found.by),
        rows=[UsageGroup(**row.to_dict()) for row in found.rows],
        totals=[UsageSums(**row.to_dict()) for row in found.totals],
    )
    text = document.model_dump_json(by_alias=True, exclude_none=True)
    return Response(text, media_type=JSON, headers={"vary": "accept"})


@router.get(
    "/usage.csv",
    summary="Sum up what was used and spent, as CSV",
    response_class=Response,
    responses={
        200: {"content": {CSV: {"schema": {"type": "string"}}}},
        **documented(403, 422, 503),
    },
)
async def get_usage_csv(found: ReportDep) -> Response:
    return _csv(found)


def _csv(found: UsageReport) -> Response:
    name = f"usage-{found.since}-{found.until}.csv"
    headers = {"content-disposition": f'attachment; filename="{name}"', "vary": "accept"}
    return Response(as_csv(found), media_type=f"{CSV}; charset=utf-8", headers=headers)


# -- caps -----------------------------------------------------------------------------------------


async def cap_book(application: ApplicationDep) -> CapBook:
    """The caps in the store."""
    return CapBook(application.usage)


CapBookDep = Annotated[CapBook, Depends(cap_book)]


async def cap_administration(
    book: CapBookDep, administration: AdministrationDep
) -> CapAdministration:
    """The caps, as the principal of the request may set them."""
    return CapAdministration(book, administration)


CapAdministrationDep = Annotated[CapAdministration, Depends(cap_administration)]


@router.get(
    "/usage/caps/me",
    summary="How you stand with your spending caps",
    responses=documented(422, 503),
)
async def my_caps(book: CapBookDep, http_sessions: HttpSessionsDep) -> CapStandings:
    scope = http_sessions.scope
    subjects: dict[CapScope, str] = {"user": scope.user}
    if scope.may("usage.read"):
        subjects["organisation"] = ""
    found = await book.states(scope.organisation, subjects)
    return CapStandings(
        user=scope.user,
        organisation=scope.organisation,
        caps=[
            CapStanding(
                scope=each.scope,
                period=each.period,
                cap=decimal(each.cap),
                spent=decimal(each.spent),
                reserved=decimal(each.reserved),
                currency=book.currency,
                resets_at=each.resets_at,
                usual=each.usual,
            )
            for each in found
        ],
    )


@router.get(
    "/usage/caps",
    summary="List the spending caps of an organisation",
    responses=documented(403, 422, 503),
)
async def list_caps(
    administration: CapAdministrationDep, organisation: OrganisationQuery = None
) -> CapList:
    own, book = administration.organisation(organisation), administration.book
    return CapList(
        organisation=own,
        currency=book.currency,
        usual=[
            UsualCapDocument(scope=scope, period=period, cap=decimal(most))
            for scope in SCOPES
            for period in PERIODS
            if (most := book.usual.of(scope, period)) is not None
        ],
        caps=[_document(each) for each in await book.caps(own)],
    )


@router.put(
    "/usage/caps/organisation",
    summary="Set the spending caps of an organisation",
    description="Of everybody in it together; administrators of the whole server do this.",
    responses=documented(403, 404, 422, 503),
)
async def set_organisation_caps(
    administration: CapAdministrationDep, body: CapsBody, organisation: OrganisationQuery = None
) -> CapDocument:
    return _document(await administration.set("organisation", "", _amounts(body), organisation))


@router.delete(
    "/usage/caps/organisation",
    summary="Give an organisation the caps of the settings",
    responses=documented(403, 404, 422, 503),
)
async def remove_organisation_caps(
    administration: CapAdministrationDep, organisation: OrganisationQuery = None
) -> Removed:
    await administration.remove("organisation", "", organisation)
    return Removed(removed="organisation")


@router.put(
    "/usage/caps/{scope}/{subject}",
    summary="Set the spending caps of a user or an agent",
    description="In place of what was set before. Within one organisation none may be above that "
    "of the settings. Nobody sets their own.",
    responses=documented(403, 404, 422, 503),
)
async def set_caps(
    administration: CapAdministrationDep,
    scope: Scope,
    subject: Subject,
    body: CapsBody,
    organisation: OrganisationQuery = None,
) -> CapDocument:
    return _document(await administration.set(scope, subject, _amounts(body), organisation))


@router.delete(
    "/usage/caps/{scope}/{subject}",
    summary="Give a user or an agent the caps of the settings",
    responses=documented(403, 404, 422, 503),
)
async def remove_caps(
    administration: CapAdministrationDep,
    scope: Scope,
    subject: Subject,
    organisation: OrganisationQuery = None,
) -> Removed:
    await administration.remove(scope, subject, organisation)
    return Removed(removed=subject)


def _amounts(body: CapsBody) -> dict[CapPeriod, str | None]:
    return {"day": body.day, "month": body.month}


def _document(cap: SpendingCap) -> CapDocument:
    return CapDocument(
        scope=cap.scope,
        subject=cap.subject,
        organisation=cap.organisation,
        currency=cap.currency,
        day=None if cap.day is None else decimal(cap.day),
        month=None if cap.month is None else decimal(cap.month),
        updated_at=cap.updated_at,
        updated_by=cap.updated_by,
    )
