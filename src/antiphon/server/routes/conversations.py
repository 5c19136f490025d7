"""Conversations over HTTP: listed, read, named, filed, judged, branched, shared and deleted."""

from __future__ import annotations

import asyncio
import re
from typing import Annotated, Literal

from fastapi import APIRouter, Header, Path, Query
from starlette.responses import Response

from antiphon.agents.text import TurnRefused
from antiphon.server.bodies import StrictRoute
from antiphon.server.conversation_entries import ImageEntry
from antiphon.server.conversation_export import exported
from antiphon.server.conversation_reader import ConversationReader, ReaderDep
from antiphon.server.dependencies import ServicesDep
from antiphon.server.problems import ProblemError, documented
from antiphon.server.schemas.conversations import (
    BranchBody,
    ConversationBranch,
    ConversationChange,
    ConversationDocument,
    ConversationFolder,
    ConversationPage,
    ConversationShare,
    ConversationSummary,
    FeedbackBody,
    SharedConversation,
)
from antiphon.server.shares import shared_conversation
from antiphon.server.workspace_errors import note
from antiphon.storage import ConversationRow, MessageRow
from antiphon.storage.conversations import ConversationChanged

router = APIRouter(prefix="/api", tags=["conversations"], route_class=StrictRoute)

MAX_TURNS = 5000  # of one answer
MAX_EXPORTED = 100_000
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


@router.delete(
    "/conversations/{conversation_id}",
    status_code=204,
    response_class=Response,
    summary="Delete what was said in a conversation",
    description="Its sessions end, and recordings of their sound are deleted. The audit stays: it "
    "has the calls that were made, and who approved them, without what was said.",
    responses=documented(404, 409, 422, 503),
)
async def delete_conversation(
    reader: ReaderDep, services: ServicesDep, conversation_id: ConversationId
) -> Response:
    row = await reader.find(conversation_id)
    if row.id in reader.active:
        raise ProblemError(
            409, "This conversation is under way. Stop the answer or hang up, then delete it."
        )
    await services.voice.drop(row.id)
    for session in await reader.store.sessions_of(row.id):
        live = await reader.http_sessions.resumed(session.id)
        if live is not None:
            await live.end("conversation deleted")
        await asyncio.to_thread(services.application.recordings.delete, session.id)
    await reader.index.delete(row.id)
    await note(reader.http_sessions, "conversation_deleted", conversation=row.id)
    return Response(status_code=204)


@router.post(
    "/conversations/{conversation_id}/branch",
    status_code=201,
    summary="Begin another conversation with what was said up to a turn",
    description="To ask something again in other words, branch before it and send the new words.",
    responses=documented(404, 422, 503),
)
async def branch_conversation(
    reader: ReaderDep, services: ServicesDep, conversation_id: ConversationId, body: BranchBody
) -> ConversationBranch:
    row = await reader.find(conversation_id)
    turns = [each.turn for each in await _before(reader, row, body)]
    last, *_ = await reader.store.sessions_of(row.id)
    try:
        session = await services.application.text_agent.branch(
            turns,
            user=row.user,
            profile=last.profile or None,
            branched_from=row.id,
            principal=reader.http_sessions.scope.principal,
        )
    except TurnRefused as refused:
        raise ProblemError(422, refused.message) from None
    await reader.index.file_branch(session.id, row, session.orchestrator.now())
    return ConversationBranch(id=session.id)


async def _before(
    reader: ConversationReader, row: ConversationRow, body: BranchBody
) -> list[MessageRow]:
    if body.turn is None:
        return await reader.index.messages(row.id, limit=MAX_TURNS)
    edge = "through" if body.include else "before"
    number = reader.turn_number(row, body.turn)
    try:
        return await reader.index.messages(row.id, limit=MAX_TURNS, **{edge: number})
    except LookupError:
        raise reader.no_turn(row, body.turn) from None


@router.put(
    "/conversations/{conversation_id}/turns/{turn}/feedback",
    status_code=204,
    response_class=Response,
    summary="Say what you think of an answer",
    responses=documented(404, 422, 503),
)
async def judge_answer(
    reader: ReaderDep, conversation_id: ConversationId, turn: TurnId, body: FeedbackBody
) -> Response:
    row = await reader.find(conversation_id)
    number = reader.turn_number(row, turn)
    if not await reader.index.judge(row.id, number, body.value, body.comment):
        raise ProblemError(
            404, f"`{turn}` is no answer of this conversation: feedback is for the model's words."
        )
    return Response(status_code=204)


@router.post(
    "/conversations/{conversation_id}/share",
    summary="Share a conversation",
    description="Whoever of the same organisation has the token may read it, and what is said in "
    "it later, until it is revoked.",
    responses=documented(404, 422, 503),
)
async def share_conversation(
    reader: ReaderDep, conversation_id: ConversationId
) -> ConversationShare:
    row = await reader.find(conversation_id)
    token = await reader.index.share(row.id)
    if token is None:
        raise ProblemError(404, f"There is no conversation `{conversation_id}`.")
    await note(reader.http_sessions, "conversation_shared", conversation=row.id)
    return ConversationShare(token=token)


@router.delete(
    "/conversations/{conversation_id}/share",
    status_code=204,
    response_class=Response,
    summary="Revoke the share of a conversation",
    responses=documented(404, 422, 503),
)
async def unshare_conversation(reader: ReaderDep, conversation_id: ConversationId) -> Response:
    row = await reader.find(conversation_id)
    await reader.index.unshare(row.id)
    await note(reader.http_sessions, "conversation_unshared", conversation=row.id)
    return Response(status_code=204)


@router.get(
    "/conversations/{conversation_id}/export",
    summary="A conversation as a file",
    response_class=Response,
    responses={
        200: {"content": {"text/markdown": {}, "application/json": {}}},
        **documented(404, 422, 503),
    },
)
async def export_conversation(
    reader: ReaderDep,
    conversation_id: ConversationId,
    format: Annotated[
        Literal["md", "json"], Query(description="`json` has everything, feedback too.")
    ] = "md",
) -> Response:
    row = await reader.find(conversation_id)
    found = await reader.document(row, limit=MAX_EXPORTED, before=None, after=None)
    return exported(found, format)


@router.get(
    "/shared/{token}",
    summary="A conversation that somebody shared",
    description="To read only: what was said, which tools were called, without their answers and "
    "without arguments that must not be written down.",
    responses=documented(404, 422, 503),
)
async def get_shared(reader: ReaderDep, token: ShareToken) -> SharedConversation:
    row = await shared_conversation(reader.store, reader.http_sessions.scope, token)
    if row is None:
        raise ProblemError(
            404,
            "Nothing is shared under this address. It was revoked, or the address is not whole.",
        )
    sessions = await reader.store.sessions_of(row.id)
    entries, _ = await reader.entries(row, sessions, limit=MAX_TURNS, answers=False)
    for entry in entries:
        if isinstance(entry, ImageEntry):
            entry.url = f"{entry.url}?share={token}"
    return SharedConversation(
        title=row.title or row.preview,
        created_at=row.created_at,
        updated_at=row.updated_at,
        entries=entries,
    )
