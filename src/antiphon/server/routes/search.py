"""Search over HTTP: records, conversations, tools, automations, projects, settings and events."""

from __future__ import annotations

from typing import Annotated

from fastapi import APIRouter, Query

from antiphon.server.dependencies import ApplicationDep, HttpSessionsDep
from antiphon.server.everything_search import EverythingSearch, FoundEverywhere
from antiphon.server.problems import documented

router = APIRouter(prefix="/api/search", tags=["search"])


@router.get(
    "",
    summary="Find anything by its words",
    description="Records by title as it is typed and by words of their text; no model is asked.",
    responses=documented(422, 503),
)
async def search_everything(
    application: ApplicationDep,
    http_sessions: HttpSessionsDep,
    q: Annotated[str, Query(max_length=200, description="A few words, or their beginnings.")],
    limit: Annotated[int, Query(ge=1, le=20, description="At most so many of each kind.")] = 8,
) -> FoundEverywhere:
    return await EverythingSearch(application, http_sessions).find(q, limit)
