"""Sessions over HTTP: created, listed, inspected and ended."""

from __future__ import annotations

import json
from typing import Annotated, Any

from fastapi import APIRouter, Path, Query, Request, Response
from pydantic import BaseModel, ConfigDict, Field

from antiphon.contracts.definition import Mode
from antiphon.contracts.owners import Owners
from antiphon.orchestrator import Orchestrator, Session
from antiphon.server.bodies import Body, StrictRoute
from antiphon.server.dependencies import HttpSessionsDep, OrchestratorDep
from antiphon.server.http_sessions import HttpSessions, is_shared
from antiphon.server.mount_paths import mount_prefix
from antiphon.server.problems import ProblemError, documented
from antiphon.server.routes.confirmations import Confirmation, confirmation_of
from antiphon.server.routes.images import IMAGE_SENT, ImageShown, image_shown
from antiphon.server.scope import LOCAL_USER, Scope
from antiphon.storage import SessionRow

router = APIRouter(prefix="/api/sessions", tags=["sessions"], route_class=StrictRoute)

LAST_LINES = 20
MAX_IMAGES = 200
PAGE = 500
# The person has said something by then, even where the agent greets them first.
FIRST_TURNS = 4
ABOUT_CHARS = 160

SessionId = Annotated[
    str, Path(min_length=1, max_length=200, examples=["5f0c2a9e1b7d4c3f8e6a0d9c2b1f4e77"])
]


class SessionSummary(BaseModel):
    """Times are seconds of the epoch."""

    id: str
    user: str = Field(examples=["local"])
    mode: Mode
    provider: str | None
    profile: str | None
    registry_version: str = Field(
        description="The tools that the session has.", examples=["1.0.5f0c2a9e"]
    )
    created_at: float
    updated_at: float = Field(description="When it was last saved.")
    ended_at: float | None
    active: bool = Field(description="It has not ended.")
    live: bool = Field(description="This process holds it right now.")
    turn: int
    about: str | None = Field(
        default=None,
        description="The first words of its conversation, cut short. Null where nothing was said.",
        examples=["Who runs the payroll?"],
    )


class SessionPage(BaseModel):
    sessions: list[SessionSummary] = Field(description="Newest first.")
    next_before: str | None = Field(
        description="Ask with this as `before` for those that are older; null when there are none."
    )


class Counters(BaseModel):
    """Calls since the session began, and what the turn has used of its budget."""

    calls: int
    turn_calls: int
    turn_retrieval: int
    turn_rounds: int
    turn_tool_ms: float
    running: int


class SessionDetail(SessionSummary):
    state: dict[str, Any] = Field(description="As the state controller has it, or had it last.")
    counters: Counters | None = Field(description="Null unless this process holds the session.")
    confirmations: list[Confirmation] = Field(description="The open ones, without their tokens.")
    images: list[ImageShown] = Field(description="What was shown to the person, oldest first.")
    audit: list[dict[str, Any]] = Field(description="Its last lines of audit, newest first.")


class NewSession(Body):
    model_config = ConfigDict(json_schema_extra={"example": {"mode": "voice"}})

    mode: Mode = Field(description="Fixed for the life of the session.")
    user: str | None = Field(
        default=None,
        min_length=1,
        max_length=200,
        description=f"`{LOCAL_USER}`, or who the application says is signed in, if left out.",
        examples=["ada"],
    )


class LateResult(BaseModel):
    tool: str
    call_id: str | None
    envelope: dict[str, Any]


class NextTurn(BaseModel):
    turn: int = Field(description="The number of the turn that begins now.", examples=[2])
    late: list[LateResult] = Field(
        description="Results of calls that were answered before they were done, each given once."
    )


@router.get("", summary="List sessions", responses=documented(422, 503))
async def list_sessions(
    orchestrator: OrchestratorDep,
    http_sessions: HttpSessionsDep,
    user: Annotated[str | None, Query(max_length=200, description="Only of this user.")] = None,
    active: Annotated[
        bool | None, Query(description="Only those that go on, or only those that have ended.")
    ] = None,
    mode: Annotated[Mode | None, Query(description="Only those of this mode.")] = None,
    live: Annotated[
        bool | None,
        Query(description="Only those that this process holds right now, or only the others."),
    ] = None,
    limit: Annotated[int, Query(ge=1, le=1000)] = 100,
    before: Annotated[
        str | None, Query(max_length=200, description="`next_before` of the page before.")
    ] = None,
) -> SessionPage:
    scope = http_sessions.scope
    owners = await scope.chosen(user, "others.read")
    mark = None if before is None else await orchestrator.store.session(before)
    if before is not None and not (mark and await scope.includes(mark.user, "others.read")):
        raise ProblemError(
            422,
            f"`before` names no session: `{before}`. Use `next_before` of the page before.",
            errors=[{"in": "query", "name": "before", "message": "names no session"}],
        )
    rows = await _rows(orchestrator, scope, limit + 1, mark, live, owners, mode=mode, active=active)
    page = rows[:limit]
    about = await _about(orchestrator, [row.conversation_id or row.id for row in page])
    summaries = [_summary(row, orchestrator.sessions.get(row.id)) for row in page]
    return SessionPage(
        sessions=[
            SessionSummary(**each, about=about.get(row.conversation_id or row.id))
            for row, each in zip(page, summaries, strict=True)
        ],
        next_before=page[-1].id if len(rows) > limit else None,
    )


async def _rows(
    orchestrator: Orchestrator,
    scope: Scope,
    limit: int,
    mark: SessionRow | None,
    live: bool | None,
    owners: Owners | None,
    **filters: Any,
) -> list[SessionRow]:
    """Which sessions this process holds is not in the store: that is looked at here."""
    store, held = orchestrator.store, orchestrator.sessions
    before = None if mark is None else mark.id
    if live is None:
        return await store.sessions(owners=owners, limit=limit, before=before, **filters)
    found: list[SessionRow] = []
    if live:
        wanted = {name: value for name, value in filters.items() if value is not None}
        seen = await scope.among({each.user for each in held.values()}, "others.read")
        if owners is not None and owners.organisation is None:
            seen &= {owners.user}
        for session in sorted(held.values(), key=_newest, reverse=True):
            if session.user not in seen:
                continue
            if mark is not None and _newest(session) >= (mark.created_at, mark.id):
                continue
            row = await store.session(session.id)
            if row is not None and all(_has(row, *each) for each in wanted.items()):
                found.append(row)
            if len(found) == limit:
                break
        return found
    while len(found) < limit:
        rows = await store.sessions(owners=owners, limit=PAGE, before=before, **filters)
        found += [row for row in rows if (row.id in held) is live]
        if len(rows) < PAGE:
            break
        before = rows[-1].id
    return found[:limit]


def _newest(session: Session) -> tuple[float, str]:
    return session.created_at, session.id


def _has(row: SessionRow, name: str, value: Any) -> bool:
    found: Any = row.ended_at is None if name == "active" else getattr(row, name)
    return bool(found == value)


async def _about(orchestrator: Orchestrator, ids: list[str]) -> dict[str, str]:
    """The first words of each conversation, the person's own where they are among the first."""
    found: dict[str, tuple[bool, str]] = {}
    for row in await orchestrator.store.first_turns(ids, each=FIRST_TURNS):
        body = json.loads(row.turn)
        text = " ".join(str(body.get("text", "")).split())
        by_person = body["role"] == "user"
        if text and (row.session_id not in found or (by_person and not found[row.session_id][0])):
            found[row.session_id] = (by_person, text)
    return {key: text[:ABOUT_CHARS] for key, (_, text) in found.items()}


@router.post("", status_code=201, summary="Start a session", responses=documented(422, 503))
async def create_session(
    orchestrator: OrchestratorDep,
    http_sessions: HttpSessionsDep,
    request: Request,
    response: Response,
    body: NewSession,
) -> SessionDetail:
    session = await http_sessions.create(body.mode, body.user)
    response.headers["location"] = f"{mount_prefix(request.scope)}/api/sessions/{session.id}"
    return await _detail(orchestrator, http_sessions, session.id)


@router.get("/{session_id}", summary="One session", responses=documented(404, 422, 503))
async def get_session(
    orchestrator: OrchestratorDep, http_sessions: HttpSessionsDep, session_id: SessionId
) -> SessionDetail:
    return await _detail(orchestrator, http_sessions, session_id)


@router.post(
    "/{session_id}/turns",
    summary="The turn is complete",
    description="Budgets and loop detection start anew. Calls with a `session_id` belong to the "
    "turn that the session is in until this is said.",
    responses=documented(404, 422, 503),
)
async def end_turn(
    orchestrator: OrchestratorDep, http_sessions: HttpSessionsDep, session_id: SessionId
) -> NextTurn:
    session = await http_sessions.find(session_id)
    session.end_turn()
    await orchestrator.save(session)
    late = [
        LateResult(tool=call.name, call_id=call.id, envelope=envelope)
        for call, envelope in session.drain_late_results()
    ]
    return NextTurn(turn=session.view.turn.number, late=late)


@router.delete(
    "/{session_id}",
    status_code=204,
    response_class=Response,
    summary="End a session",
    description="Calls under way are stopped as an interruption would stop them; what was asked "
    "of the person cannot be approved any more.",
    responses=documented(404, 409, 422, 503),
)
async def delete_session(http_sessions: HttpSessionsDep, session_id: SessionId) -> Response:
    if is_shared(session_id):
        raise ProblemError(
            409, f"`{session_id}` is the session of all requests that bring none; it stays."
        )
    session = await http_sessions.find(session_id, "others.manage")
    await session.end("ended over HTTP")
    return Response(status_code=204)


def _summary(row: SessionRow, session: Session | None) -> dict[str, Any]:
    return {
        "id": row.id,
        "user": row.user,
        "mode": row.mode,
        "provider": row.provider or None,
        "profile": row.profile or None,
        "registry_version": session.snapshot.version if session else row.registry_version,
        "created_at": row.created_at,
        "updated_at": row.updated_at,
        "ended_at": row.ended_at,
        "active": row.ended_at is None,
        "live": session is not None,
        "turn": session.view.turn.number if session else int(row.state.get("turn", 1)),
    }


async def _detail(
    orchestrator: Orchestrator, http_sessions: HttpSessions, session_id: str
) -> SessionDetail:
    store = orchestrator.store
    row = await store.session(session_id)
    if row is None or not await http_sessions.scope.includes(row.user, "others.read"):
        raise ProblemError(404, f"There is no session `{session_id}`.")
    session = orchestrator.sessions.get(session_id)
    await store.flush()
    lines = await store.audit_lines(session_id=session_id, limit=LAST_LINES, newest_first=True)
    shown = await store.audit_lines(
        session_id=session_id, event=IMAGE_SENT, limit=MAX_IMAGES, newest_first=True
    )
    waiting = await store.confirmations(session_id=session_id, status="pending")
    # Under what a session's tasks run is no part of its state.
    state = {name: value for name, value in row.state.items() if name != "origin"}
    counters = None
    if session is not None:
        turn = session.view.turn
        state = {**session.state.snapshot(), "turn": turn.number}
        counters = Counters(
            calls=session.calls,
            turn_calls=turn.total,
            turn_retrieval=turn.retrieval,
            turn_rounds=turn.rounds,
            turn_tool_ms=round(turn.tool_ms, 3),
            running=len(session.running),
        )
    return SessionDetail(
        **_summary(row, session),
        state=state,
        counters=counters,
        confirmations=[confirmation_of(orchestrator, each, {}) for each in waiting],
        images=[found for line in reversed(shown) if (found := image_shown(line.data)) is not None],
        audit=[line.data for line in lines],
    )
