"""Pending confirmations over HTTP: requests that wait for a person, and their answers."""

from __future__ import annotations

from typing import Annotated, Any, Literal

from fastapi import APIRouter, Path, Query
from pydantic import BaseModel, ConfigDict, Field

from antiphon.contracts import ErrorType
from antiphon.contracts.definition import Risk
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


class Confirmation(BaseModel):
    """A call that waits for a person's answer, or has got it. Times are seconds of the epoch."""

    id: str
    session_id: str = Field(examples=["rest-text"])
    user: str = Field(examples=["local"])
    tool: str = Field(examples=["calendar_create_event"])
    preview: str = Field(description="What would happen, in words.")
    risk: Risk
    status: Status
    turn: int
    registry_version: str = Field(examples=["1.0.5f0c2a9e"])
    created_at: float
    expires_at: float
    resolved_at: float | None
    token: str | None = Field(
        default=None,
        description="Proof that an answer comes from the person who was asked. Works once.",
    )
    title: str | None = Field(default=None, description="With the token: what is to be approved.")
    fields: list[dict[str, Any]] | None = Field(
        default=None,
        description="With the token: the arguments as they will be used, each with `name`, "
        "`label`, `value` (the argument itself), `display` (one short line) and `full` (all of it "
        "in words, on several lines).",
    )
    complete: bool | None = Field(
        default=None,
        description="With the token: false when there is more than `fields` can hold, about 65,000 "
        "characters.",
    )
    remember: list[GrantScope] | None = Field(
        default=None, description="With the token: for how long a yes may hold."
    )


class ConfirmationList(BaseModel):
    confirmations: list[Confirmation] = Field(description="Newest first.")


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


class Outcome(BaseModel):
    outcome: Status = Field(
        description="`approved`: it was run, and `result` says how that went. `void`: the tools "
        "have changed since, so it was not."
    )
    result: dict[str, Any] = Field(
        description="The envelope that the model is given.",
        examples=[{"ok": True, "data": {}, "intents": [], "meta": {}}],
    )


@router.get(
    "",
    summary="List confirmations",
    responses=documented(422, 503),
    response_model_exclude_unset=True,
)
async def list_confirmations(
    http_sessions: HttpSessionsDep,
    orchestrator: OrchestratorDep,
    status: Annotated[Status | None, Query(description="Only those that stand so.")] = None,
    session_id: Annotated[str | None, Query(max_length=200, description=_WITH_TOKENS)] = None,
    user: Annotated[str | None, Query(max_length=200, description="Only of this user.")] = None,
    limit: Annotated[int, Query(ge=1, le=1000)] = 100,
) -> ConfirmationList:
    user = http_sessions.choose_user(user)
    waiting = await _waiting(orchestrator, http_sessions, session_id)
    rows = await orchestrator.store.confirmations(
        session_id=session_id, user=user, status=status, limit=limit
    )
    return ConfirmationList(confirmations=[confirmation_of(row, waiting) for row in rows])


@router.get(
    "/{confirmation_id}",
    summary="One confirmation",
    responses=documented(404, 422, 503),
    response_model_exclude_unset=True,
)
async def get_confirmation(
    http_sessions: HttpSessionsDep,
    orchestrator: OrchestratorDep,
    confirmation_id: ConfirmationId,
    session_id: Annotated[str | None, Query(max_length=200, description=_WITH_TOKENS)] = None,
) -> Confirmation:
    row = await _row(orchestrator, http_sessions, confirmation_id)
    if session_id is not None and row.session_id != session_id:
        raise _unknown(confirmation_id)
    return confirmation_of(row, await _waiting(orchestrator, http_sessions, session_id))


@router.post(
    "/{confirmation_id}",
    summary="Approve or deny",
    description="On approval the call runs with the arguments that were shown, all rules checked "
    "once more, and the answer waits for its result.",
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
            409, f"This was answered already; it is {row.status}.", outcome=row.status
        )
    session = await http_sessions.find(row.session_id)
    answer = await http_sessions.confirm(
        session, confirmation_id, body.token, body.approve, body.remember
    )
    row = await _row(orchestrator, http_sessions, confirmation_id)
    if answer.accepted:
        return Outcome(outcome=row.status, result=answer.envelope)  # type: ignore[arg-type]
    error = answer.envelope["error"]
    if error["type"] == ErrorType.AUTH:
        raise ProblemError(403, error["message"])
    if error["type"] == ErrorType.VALIDATION:
        raise ProblemError(422, error["message"])
    if error["type"] == ErrorType.INTERNAL:
        raise ProblemError(503, error["message"])
    raise ProblemError(409, f"{error['message']} It is {row.status}.", outcome=row.status)


def confirmation_of(row: ConfirmationRow, waiting: dict[str, dict[str, Any]]) -> Confirmation:
    """`waiting` are the open requests of its session, by id, for its own person only."""
    shown: dict[str, Any] = {
        "id": row.id,
        "session_id": row.session_id,
        "user": row.user,
        "tool": row.tool_id,
        "preview": row.preview,
        "risk": row.risk,
        "status": row.status,
        "turn": row.turn,
        "registry_version": row.registry_version,
        "created_at": row.created_at,
        "expires_at": row.expires_at,
        "resolved_at": row.resolved_at,
    }
    if row.id in waiting:
        asked = waiting[row.id]
        shown |= {
            name: asked[name] for name in ("token", "title", "fields", "complete", "remember")
        }
    return Confirmation(**shown)


async def _waiting(
    orchestrator: Orchestrator, http_sessions: HttpSessions, session_id: str | None
) -> dict[str, dict[str, Any]]:
    """The pending confirmations of a session, by id; after a restart the session is resumed."""
    session = None if session_id is None else await http_sessions.resumed(session_id)
    if session is None:
        return {}
    waiting = orchestrator.confirmations.waiting(session)
    return {each["id"]: each for each in waiting}


async def _row(orchestrator: Orchestrator, http_sessions: HttpSessions, id: str) -> ConfirmationRow:
    row = await orchestrator.store.confirmation(id)
    if row is None or not http_sessions.sees(row.user):
        raise _unknown(id)
    return row


def _unknown(id: str) -> ProblemError:
    return ProblemError(404, f"There is no confirmation `{id}`.")
