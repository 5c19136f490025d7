"""Standing grants over HTTP: calls a person allowed for a session or for always."""

from __future__ import annotations

from typing import Annotated

from fastapi import APIRouter, Path, Query
from pydantic import BaseModel, Field

from antiphon.orchestrator.grants import GrantScope, scope_of
from antiphon.server.dependencies import HttpSessionsDep, OrchestratorDep
from antiphon.server.problems import ProblemError, documented
from antiphon.storage import GrantRow

router = APIRouter(prefix="/api/approvals", tags=["confirmations"])

ApprovalId = Annotated[
    str, Path(min_length=1, max_length=200, examples=["0d9c2b1f4e775f0c2a9e1b7d4c3f8e6a"])
]


class StandingGrant(BaseModel):
    """A tool that needs no further approval, as long as it stays as it is."""

    id: str
    tool: str = Field(examples=["calendar_create_event"])
    scope: GrantScope
    session_id: str | None = Field(description="The session that it holds for; null: all of them.")
    user: str = Field(examples=["local"])
    created_at: float = Field(description="Seconds of the epoch.")


class StandingGrantList(BaseModel):
    approvals: list[StandingGrant] = Field(description="Oldest first.")


@router.get("", summary="List standing approvals", responses=documented(422))
async def list_approvals(
    orchestrator: OrchestratorDep,
    http_sessions: HttpSessionsDep,
    user: Annotated[str | None, Query(max_length=200, description="Only of this user.")] = None,
) -> StandingGrantList:
    scope = http_sessions.scope
    await scope.chosen(user, "others.manage")
    found = orchestrator.grants.of_user(user)
    seen = await scope.among({row.user for row in found}, "others.manage")
    return StandingGrantList(approvals=[_shown(row) for row in found if row.user in seen])


@router.delete(
    "/{approval_id}", summary="Take an approval back", responses=documented(404, 422, 503)
)
async def take_back_approval(
    orchestrator: OrchestratorDep, http_sessions: HttpSessionsDep, approval_id: ApprovalId
) -> StandingGrant:
    """From now on the person is asked again."""
    grants, scope = orchestrator.grants, http_sessions.scope
    known = next((row for row in grants.of_user(None) if row.id == approval_id), None)
    may = known is not None and await scope.includes(known.user, "others.manage")
    row = await grants.revoke(approval_id) if may else None
    if row is None:
        raise ProblemError(404, f"There is no approval `{approval_id}`.")
    return _shown(row)


def _shown(row: GrantRow) -> StandingGrant:
    return StandingGrant(
        id=row.id,
        tool=row.tool_id,
        scope=scope_of(row),
        session_id=row.session_id,
        user=row.user,
        created_at=row.created_at,
    )
