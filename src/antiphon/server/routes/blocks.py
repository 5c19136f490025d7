"""Blocked users over HTTP: listed, and unblocked by an operator."""

from __future__ import annotations

from typing import Annotated

from fastapi import APIRouter, Depends, Path
from pydantic import BaseModel, Field

from antiphon.server.dependencies import HttpSessionsDep, OrchestratorDep
from antiphon.server.operator_token import admin
from antiphon.server.problems import ProblemError, documented
from antiphon.storage import Block

router = APIRouter(prefix="/api/blocks", tags=["users"])

BlockedUser = Annotated[str, Path(min_length=1, max_length=200, examples=["local"])]


class UserBlock(BaseModel):
    """A user who is refused everywhere until a time. Times are seconds of the epoch."""

    user: str = Field(examples=["local"])
    until: float
    reason: str = Field(description="What blocked them.", examples=["ignore_user"])
    created_at: float


class BlockList(BaseModel):
    blocks: list[UserBlock] = Field(description="By user; those that are over are left out.")


@router.get("", summary="List the users who are blocked")
async def list_blocks(orchestrator: OrchestratorDep, http_sessions: HttpSessionsDep) -> BlockList:
    found = list(orchestrator.blocks.in_force())
    seen = await http_sessions.scope.among({each.user for each in found}, "others.read")
    return BlockList(blocks=[_shown(block) for block in found if block.user in seen])


@router.delete(
    "/{user:path}",
    summary="Lift a block",
    description="The user is let in again at once; the audit keeps that it was lifted. Needs the "
    "admin token or the permission `others.manage`: a block must not be lifted by whom it keeps "
    "out.",
    responses=documented(401, 403, 404, 422, 503),
    dependencies=[Depends(admin)],
)
async def lift_block(
    orchestrator: OrchestratorDep, http_sessions: HttpSessionsDep, user: BlockedUser
) -> UserBlock:
    scope = http_sessions.scope
    if scope.principal is not None and scope.user == user:
        raise ProblemError(403, "Nobody lifts the block of their own. Ask another person.")
    known = await scope.includes(user, "others.manage")
    lifted = await orchestrator.blocks.lift(user, "api") if known else None
    if lifted is None:
        raise ProblemError(404, f"The user `{user}` is not blocked.")
    return _shown(lifted)


def _shown(block: Block) -> UserBlock:
    return UserBlock(
        user=block.user, until=block.until, reason=block.reason, created_at=block.created_at
    )
