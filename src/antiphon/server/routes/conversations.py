"""Conversations over HTTP: listed, read, named, filed, judged, branched, shared and deleted."""

from __future__ import annotations

import re
from typing import Annotated

from fastapi import APIRouter, Header, Path, Query
from starlette.responses import Response

from antiphon.server.bodies import StrictRoute
from antiphon.server.conversation_reader import ReaderDep
from antiphon.server.problems import ProblemError, documented
from antiphon.server.schemas.conversations import (
    ConversationChange,
    ConversationDocument,
    ConversationFolder,
    ConversationPage,
    ConversationSummary,
)
from antiphon.storage.conversations import ConversationChanged

router = APIRouter(prefix="/api", tags=["conversations"], route_class=StrictRoute)

MAX_TURNS = 5000  # of one answer
MAX_QUERY = 200

ConversationId = Annotated[
    str, Path(min_length=1, max_length=200, examples=["5f0c2a9e1b7d4c3f8e6a0d9c2b1f4e77"])
]
TurnId = Annotated[str, Path(min_length=1, max_length=40, examples=["42"])]
ShareToken = Annotated[str, Path(min_length=1, max_length=200)]


@router.get("/conversations", summary="List conversations", responses=documented(422, 503))
async def list_conversations(
    reader: ReaderDep,
    query: Annotated[
        str,
        Query(
            max_length=MAX_QUERY,
            description="Only those with all these words, in the title or in what was said.",
        ),
    ] = "",
    folder: Annotated[
        str | None, Query(max_length=200, description="Only those in it; empty: those in none.")
    ] = None,
    limit: Annotated[int, Query(ge=1, le=200)] = 50,
    before: Annotated[
        str | None, Query(max_length=200, description="`next` of the page before.")
    ] = None,
) -> ConversationPage:
    user = reader.http_sessions.user
    try:
        rows = await reader.index.page(
            user, query=query, folder=folder, limit=limit + 1, before=before
        )
    except LookupError:
        raise ProblemError(
            422,
            f"`before` names no conversation: `{before}`. Use `next` of the page before.",
            errors=[{"in": "query", "name": "before", "message": "names no conversation"}],
        ) from None
    page, active = rows[:limit], reader.active
    previews = await reader.previews(page, query)
    found = [reader.summary(row, active) for row in page]
    for each in found:
        each.preview = previews.get(each.id, each.preview)
    return ConversationPage(
        conversations=found,
        folders=[
            ConversationFolder(name=name, count=count)
            for name, count in await reader.index.folders(user)
        ],
        next=page[-1].id if len(rows) > limit else None,
    )


@router.get(
    "/conversations/{conversation_id}",
    summary="One conversation",
    description="All that was said, called and shown, over all its sessions.",
    responses=documented(404, 422, 503),
)
async def get_conversation(
    reader: ReaderDep,
    response: Response,
    conversation_id: ConversationId,
    limit: Annotated[
        int, Query(ge=1, le=MAX_TURNS, description="At most so many turns, the newest.")
    ] = 1000,
    before: Annotated[
        str | None, Query(max_length=40, description="`next` of the page before.")
    ] = None,
    after: Annotated[
        str | None, Query(max_length=40, description="Only what came after this turn.")
    ] = None,
) -> ConversationDocument:
    row = await reader.find(conversation_id)
    response.headers["etag"] = f'"{row.version}"'
    return await reader.document(row, limit=limit, before=before, after=after)


@router.patch(
    "/conversations/{conversation_id}",
    summary="Rename a conversation, or file it",
    responses=documented(404, 409, 422, 503),
)
async def change_conversation(
    reader: ReaderDep,
    response: Response,
    conversation_id: ConversationId,
    body: ConversationChange,
    if_match: Annotated[
        str | None,
        Header(
            max_length=40,
            description="The `version` that the change was made of: it is refused where there is a "
            "newer one.",
        ),
    ] = None,
) -> ConversationSummary:
    row = await reader.find(conversation_id)
    if body.title is not None and not body.title.strip():
        raise ProblemError(
            422,
            "`title` is empty. Write one, or leave it out.",
            errors=[{"in": "body", "name": "title", "message": "is empty"}],
        )
    try:
        changed = await reader.index.change(
            row.id, title=body.title, folder=body.folder, version=_version(if_match)
        )
    except ConversationChanged as conflict:
        raise ProblemError(
            409,
            f"This conversation was changed elsewhere meanwhile: its title is now "
            f"“{conflict.row.title}”. Load it again, then make your change.",
            current=reader.summary(conflict.row, reader.active).model_dump(),
        ) from None
    if changed is None:
        raise ProblemError(404, f"There is no conversation `{conversation_id}`.")
    response.headers["etag"] = f'"{changed.version}"'
    return reader.summary(changed, reader.active)


def _version(if_match: str | None) -> int | None:
    if if_match is None or if_match.strip() == "*":
        return None
    found = re.fullmatch(r'\s*(?:W/)?"?(\d{1,9})"?\s*', if_match)
    if found is None:
        raise ProblemError(
            422,
            f'`If-Match` is the `version` of the conversation, such as "3", not `{if_match}`.',
            errors=[{"in": "header", "name": "if-match", "message": "is no version"}],
        )
    return int(found[1])
