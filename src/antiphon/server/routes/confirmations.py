"""Pending confirmations over HTTP: requests that wait for a person, and their answers."""

from __future__ import annotations

from typing import Annotated, Any, Literal

import orjson
from fastapi import APIRouter, Path, Query
from pydantic import BaseModel, ConfigDict, Field

from antiphon.contracts import ErrorType
from antiphon.contracts.definition import Risk
from antiphon.contracts.owners import Owners
from antiphon.orchestrator import Orchestrator
from antiphon.orchestrator.grants import GrantScope
from antiphon.server.bodies import Body, StrictRoute
from antiphon.server.dependencies import HttpSessionsDep, OrchestratorDep
from antiphon.server.http_sessions import HttpSessions
from antiphon.server.problems import ProblemError, documented
from antiphon.storage import ConfirmationRow

router = APIRouter(prefix="/api/confirmations", tags=["confirmations"], route_class=StrictRoute)

Status = Literal["pending", "approved", "denied", "expired", "void"]
ConfirmationId = Annotated[
    str, Path(min_length=1, max_length=200, examples=["0d9c2b1f4e775f0c2a9e1b7d4c3f8e6a"])
]
_WITH_TOKENS = (
    "Only of this session, as its person: those that wait for an answer come with their token."
)
_BY = "Who answers, where nobody signs in: the name of the second person. Otherwise leave it out."
_TOKEN_MEMBERS = ("token", "title", "fields", "complete", "remember", "args")
_PAGE = 100
_MOST_OPEN = 1000


class Confirmation(BaseModel):
    """A call that waits for a person's answer, or has got it. Times are seconds of the epoch."""

    id: str
    session_id: str = Field(examples=["rest-text"])
    user: str = Field(examples=["local"])
    tool: str = Field(examples=["calendar_create_event"])
    title: str = Field(description="The question in one sentence. Empty: an earlier version asked.")
    preview: str = Field(description="What would happen, in words.")
    risk: Risk
    rule: str = Field(description="The rule that wants a person asked.", examples=["confirmation"])
    status: Status
    turn: int
    registry_version: str = Field(examples=["1.0.5f0c2a9e"])
    created_at: float
    expires_at: float
    resolved_at: float | None
    approvals: int = Field(description="How many people have to approve it.", examples=[1])
    approved_by: list[str] = Field(description="Who has said yes so far, where two have to.")
    answered_by: str | None = Field(description="Who settled it; null: nobody did.")
    via: str | None = Field(
        description="How it was settled: `channel`, `voice`, `inbox`, `clock`, `restart`, or why.",
        examples=["channel"],
    )
    changes: dict[str, Any] = Field(
        description="Values that the person changed: each as it was `asked` and as it was "
        "`approved`.",
        examples=[{"start_time": {"asked": "2026-01-13T14:00Z", "approved": "2026-01-13T15:00Z"}}],
    )
    audit_seq: int | None = Field(
        default=None, description="Of one confirmation: the audit line that settled it."
    )
    token: str | None = Field(
        default=None,
        description="Proof that an answer comes from the person who was asked. Works once.",
    )
    fields: list[dict[str, Any]] | None = Field(
        default=None,
        description="With the token: the arguments as they will be used, each with `name`, "
        "`label`, `value` (the argument itself), `display` (one short line), `full` (all of it "
        "in words, on several lines), `empty` where it says nothing, and `origin`: `said` by the "
        "person, from the `result` of an earlier call, the schema's `default`, or chosen by the "
        "`model`.",
    )
    complete: bool | None = Field(
        default=None,
        description="With the token: false when there is more than `fields` can hold, about 65,000 "
        "characters.",
    )
    args: dict[str, Any] | None = Field(
        default=None, description="With the token: the arguments, to be changed before a yes."
    )
    remember: list[GrantScope] | None = Field(
        default=None, description="With the token: for how long a yes may hold."
    )


class ConfirmationList(BaseModel):
    confirmations: list[Confirmation] = Field(description="Newest first.")
    next: str | None = Field(description="`before` of the next page; null: this is the last one.")
    open: int = Field(description="How many wait for an answer, up to 1000, whatever is asked for.")


class ConfirmationAnswer(Body):
    model_config = ConfigDict(
        json_schema_extra={"example": {"token": "v1.1767225600000.kq3…", "approve": True}}
    )

    token: str = Field(min_length=1, max_length=200)
    approve: bool
    remember: GrantScope | None = Field(
        default=None,
        description="A yes that holds for further calls of this tool: in this session, or until "
        "the tool changes. What may be chosen came with the request.",
    )
    args: dict[str, Any] | None = Field(
        default=None,
        description="With a yes: run it with these arguments instead, all of them. They are "
        "checked like those of any call; where they are not valid, the question stays open.",
    )
    user: str | None = Field(default=None, min_length=1, max_length=200, description=_BY)


class Outcome(BaseModel):
    outcome: Status = Field(
        description="`approved`: it was run, and `result` says how that went. `pending`: a second "
        "person has to approve it, too. `void`: the tools have changed since, so it was not run."
    )
    result: dict[str, Any] = Field(
        description="The envelope that the model is given.",
        examples=[{"ok": True, "data": {}, "intents": [], "meta": {}}],
    )


class Denial(Body):
    ids: list[str] = Field(min_length=1, max_length=1000, description="Of confirmations.")
    user: str | None = Field(default=None, min_length=1, max_length=200, description=_BY)


class DeniedConfirmation(BaseModel):
    id: str
    outcome: Status | None = Field(description="How it stands now; null: there is none.")
    problem: str | None = Field(description="Why it was not denied; null: it was.")


class Denials(BaseModel):
    denied: int = Field(description="How many of them were denied just now.", examples=[3])
    results: list[DeniedConfirmation]


@router.get(
    "",
    summary="List confirmations",
    responses=documented(403, 422, 503),
    response_model_exclude_unset=True,
)
async def list_confirmations(
    http_sessions: HttpSessionsDep,
    orchestrator: OrchestratorDep,
    status: Annotated[Status | None, Query(description="Only those that stand so.")] = None,
    session_id: Annotated[str | None, Query(max_length=200, description=_WITH_TOKENS)] = None,
    user: Annotated[str | None, Query(max_length=200, description="Only of this user.")] = None,
    tool: Annotated[str | None, Query(max_length=200, description="Only of this tool.")] = None,
    risk: Annotated[Risk | None, Query(description="Only of this risk.")] = None,
    before: Annotated[str | None, Query(max_length=200, description="`next` of a page.")] = None,
    limit: Annotated[int, Query(ge=1, le=1000)] = _PAGE,
) -> ConfirmationList:
    store = orchestrator.store
    name = http_sessions.scope.own_name(user)
    owners = None if name is None else Owners(name)
    wanted: dict[str, Any] = {"session_id": session_id, "tool_id": tool, "risk": risk}
    waiting = await _waiting(orchestrator, http_sessions, session_id)
    rows = await store.confirmations(
        **wanted, owners=owners, status=status, before=_mark(before), limit=limit + 1
    )
    page = rows[:limit]
    more = f"{page[-1].created_at!r}~{page[-1].id}" if len(rows) > limit else None
    others: list[ConfirmationRow] = []
    if before is None and status in (None, "pending"):
        others = await _for_second(orchestrator, http_sessions, wanted)
    unanswered = await store.confirmations(owners=owners, status="pending", limit=1000)
    return ConfirmationList(
        confirmations=[confirmation_of(orchestrator, row, waiting) for row in (*others, *page)],
        next=more,
        open=len(others) + len(unanswered),
    )


async def _for_second(
    orchestrator: Orchestrator, http_sessions: HttpSessions, wanted: dict[str, Any]
) -> list[ConfirmationRow]:
    """What others have asked for and the principal may approve as the second person."""
    asked = wanted["tool_id"]
    tools = [
        name
        for name in orchestrator.registry_snapshot().tools
        if asked in (None, name) and _approvals_of(orchestrator, name) > 1
    ]
    found: dict[str, ConfirmationRow] = {}
    for owners in await http_sessions.approved_owners() if tools else ():
        for name in tools:
            rows = await orchestrator.store.confirmations(
                **{**wanted, "tool_id": name}, owners=owners, status="pending", limit=_MOST_OPEN
            )
            found |= {row.id: row for row in rows if not http_sessions.scope.owns(row.user)}
    return sorted(found.values(), key=lambda row: (row.created_at, row.id), reverse=True)


@router.post(
    "/deny",
    summary="Deny many",
    description="Needs no tokens: nothing can happen by a no. What is not open any more, or not "
    "yours, is told with each id.",
    responses=documented(403, 422, 503),
)
async def deny_confirmations(
    orchestrator: OrchestratorDep, http_sessions: HttpSessionsDep, body: Denial
) -> Denials:
    results: list[DeniedConfirmation] = []
    for each in dict.fromkeys(body.ids):
        row = await orchestrator.store.confirmation(each)
        if row is None or not await _may_see(orchestrator, http_sessions, row):
            words = f"There is no confirmation `{each[:200]}`."
            results.append(DeniedConfirmation(id=each, outcome=None, problem=words))
            continue
        problem = await _deny(http_sessions, row, body.user)
        now: Any = (await orchestrator.store.confirmation(each)) or row
        results.append(DeniedConfirmation(id=each, outcome=now.status, problem=problem))
    return Denials(denied=sum(each.problem is None for each in results), results=results)


async def _deny(http_sessions: HttpSessions, row: ConfirmationRow, user: str | None) -> str | None:
    """Deny one; return why it was not denied."""
    if row.status != "pending":
        return f"This was answered already; it is {row.status}."
    by = http_sessions.answering_as(row.user, user)
    try:
        session = await http_sessions.asked_session(row.session_id, row.user)
    except ProblemError as problem:
        return str(problem.detail)
    answer = await http_sessions.deny(session, row.id, by)
    return None if answer.accepted else str(answer.envelope["error"]["message"])


@router.get(
    "/{confirmation_id}",
    summary="One confirmation",
    responses=documented(403, 404, 422, 503),
    response_model_exclude_unset=True,
)
async def get_confirmation(
    http_sessions: HttpSessionsDep,
    orchestrator: OrchestratorDep,
    confirmation_id: ConfirmationId,
    session_id: Annotated[str | None, Query(max_length=200, description=_WITH_TOKENS)] = None,
    user: Annotated[str | None, Query(max_length=200, description=_BY)] = None,
) -> Confirmation:
    row = await _row(orchestrator, http_sessions, confirmation_id)
    if session_id is not None and row.session_id != session_id:
        raise _unknown(confirmation_id)
    by = http_sessions.answering_as(row.user, user)
    waiting: dict[str, dict[str, Any]] = {}
    if session_id is not None and row.status == "pending":
        session = await http_sessions.asked_session(session_id, row.user)
        asked = orchestrator.confirmations.waiting(session, None if by == row.user else by)
        waiting = {each["id"]: each for each in asked}
    shown = confirmation_of(orchestrator, row, waiting)
    shown.audit_seq = await _settling_line(orchestrator, row)
    return shown


@router.post(
    "/{confirmation_id}",
    summary="Approve or deny",
    description="On approval the call runs with the arguments that were shown, or with those in "
    "`args`, all rules checked once more, and the answer waits for its result.",
    responses=documented(403, 404, 409, 422, 503),
)
async def answer_confirmation(
    orchestrator: OrchestratorDep,
    http_sessions: HttpSessionsDep,
    confirmation_id: ConfirmationId,
    body: ConfirmationAnswer,
) -> Outcome:
    row = await _row(orchestrator, http_sessions, confirmation_id)
    if row.status != "pending":
        raise ProblemError(
            409,
            f"This was answered already; it is {row.status}.",
            outcome=row.status,
            answered_by=row.answered_by,
        )
    by = http_sessions.answering_as(row.user, body.user)
    session = await http_sessions.asked_session(row.session_id, row.user)
    answer = await http_sessions.confirm(
        *(session, confirmation_id, body.token, body.approve, body.remember),
        args=body.args,
        by=by,
    )
    row = await _row(orchestrator, http_sessions, confirmation_id)
    if answer.accepted:
        return Outcome(outcome=row.status, result=answer.envelope)  # type: ignore[arg-type]
    error = answer.envelope["error"]
    if error["type"] == ErrorType.AUTH:
        raise ProblemError(403, error["message"])
    if error["type"] == ErrorType.VALIDATION:
        raise ProblemError(422, error["message"], errors=error.get("errors", []))
    if error["type"] == ErrorType.INTERNAL:
        raise ProblemError(503, error["message"])
    raise ProblemError(409, f"{error['message']} It is {row.status}.", outcome=row.status)


def confirmation_of(
    orchestrator: Orchestrator, row: ConfirmationRow, waiting: dict[str, dict[str, Any]]
) -> Confirmation:
    """`waiting` are the open requests of its session, by id, for its own person only."""
    shown: dict[str, Any] = {
        "id": row.id,
        "session_id": row.session_id,
        "user": row.user,
        "tool": row.tool_id,
        "title": row.title,
        "preview": row.preview,
        "risk": row.risk,
        "rule": row.rule,
        "status": row.status,
        "turn": row.turn,
        "registry_version": row.registry_version,
        "created_at": row.created_at,
        "expires_at": row.expires_at,
        "resolved_at": row.resolved_at,
        "approvals": _approvals(orchestrator, row),
        "approved_by": orjson.loads(row.approvers),
        "answered_by": row.answered_by,
        "via": row.via,
        "changes": orjson.loads(row.changes),
    }
    if row.id in waiting:
        asked = waiting[row.id]
        shown |= {name: asked[name] for name in _TOKEN_MEMBERS}
    return Confirmation(**shown)


def _approvals(orchestrator: Orchestrator, row: ConfirmationRow) -> int:
    session = orchestrator.sessions.get(row.session_id)
    tool = None if session is None else session.snapshot.tools.get(row.tool_id)
    if tool is not None:
        return tool.definition.approvals
    return _approvals_of(orchestrator, row.tool_id)


def _approvals_of(orchestrator: Orchestrator, tool_id: str) -> int:
    """How many people have to approve a tool, in the version that asks for most."""
    versions = orchestrator.registry_snapshot().versions.get(tool_id, {}).values()
    return max((tool.definition.approvals for tool in versions), default=1)


def _mark(before: str | None) -> tuple[float, str] | None:
    if before is None:
        return None
    at, _, last = before.partition("~")
    try:
        return float(at), last
    except ValueError:
        raise ProblemError(
            422, "`before` is the `next` of an earlier page. Leave it out for the first one."
        ) from None


async def _settling_line(orchestrator: Orchestrator, row: ConfirmationRow) -> int | None:
    """The number of the audit line that says how a confirmation was settled."""
    if row.resolved_at is None:
        return None
    await orchestrator.store.flush()
    lines = await orchestrator.store.audit_lines(
        session_id=row.session_id,
        event="confirmation_resolved",
        tool_id=row.tool_id,
        since=row.resolved_at - 1,
    )
    for line in lines:
        if line.data.get("details", {}).get("id") == row.id:
            return line.seq
    return None


async def _waiting(
    orchestrator: Orchestrator, http_sessions: HttpSessions, session_id: str | None
) -> dict[str, dict[str, Any]]:
    """The pending confirmations of a session, by id; after a restart the session is resumed."""
    session = None if session_id is None else await http_sessions.resumed(session_id)
    if session is None:
        return {}
    waiting = orchestrator.confirmations.waiting(session)
    return {each["id"]: each for each in waiting}


async def _may_see(
    orchestrator: Orchestrator, http_sessions: HttpSessions, row: ConfirmationRow
) -> bool:
    """Their own; of others, what they may approve as the second person."""
    if http_sessions.scope.owns(row.user):
        return True
    return _approvals(orchestrator, row) > 1 and await http_sessions.approves_for(row.user)


async def _row(orchestrator: Orchestrator, http_sessions: HttpSessions, id: str) -> ConfirmationRow:
    row = await orchestrator.store.confirmation(id)
    if row is None or not await _may_see(orchestrator, http_sessions, row):
        raise _unknown(id)
    return row


def _unknown(id: str) -> ProblemError:
    return ProblemError(404, f"There is no confirmation `{id}`.")
