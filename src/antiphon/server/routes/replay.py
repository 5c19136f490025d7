"""Audit replay over HTTP: recorded calls decided anew by today's or by other policy."""

from __future__ import annotations

import asyncio
from dataclasses import replace
from typing import Any

from fastapi import APIRouter
from pydantic import BaseModel, ConfigDict, Field

from antiphon.contracts.owners import Owners
from antiphon.orchestrator.replay import ReplayError
from antiphon.orchestrator.replay import replay as replayed
from antiphon.policy import Policy
from antiphon.server.bodies import Body, StrictRoute
from antiphon.server.dependencies import HttpSessionsDep, OrchestratorDep, ServicesDep
from antiphon.server.problems import ProblemError, documented
from antiphon.server.routes.rules import numbers
from antiphon.storage import AuditLine, Store

router = APIRouter(prefix="/api/audit", tags=["audit"], route_class=StrictRoute)

MAX_LINES = 20_000
MAX_DIFFERENCES = 500
# Lines before the first one compared, by which turns and rate windows are rebuilt.
SCENE = 5000
_PAGE = 1000
_MOST = 1_000_000_000


class ReplayBody(Body):
    model_config = ConfigDict(
        json_schema_extra={"example": {"last": 2000, "policy": {"voice.total_calls": 5}}}
    )

    last: int = Field(
        default=2000, ge=1, le=MAX_LINES, description="The newest so many lines of the audit."
    )
    session: str | None = Field(
        default=None, min_length=1, max_length=200, description="Only the lines of this session."
    )
    policy: dict[str, float | int | None] = Field(
        default_factory=dict,
        description="Other numbers than those in force, by the names of GET /api/rules; null is "
        "no limit, for the ones of a mode.",
    )


class ReplayedVerdict(BaseModel):
    decision: str = Field(examples=["refuse"])
    rule: str = Field(examples=["budget.calls"])
    errorType: str | None = None
    message: str | None = None


class ReplayedDifference(BaseModel):
    """One call that would be decided differently."""

    seq: int
    at: float
    sessionId: str
    turnId: int
    toolId: str
    recorded: ReplayedVerdict
    now: ReplayedVerdict


class ReplayedPolicyChange(BaseModel):
    recorded: str = Field(description="The rule that decided then.")
    now: str
    count: int


class Replay(BaseModel):
    registry_version: str = Field(description="The tools that were replayed against.")
    from_seq: int | None = Field(description="The first line that was compared.")
    to_seq: int | None
    compared: int = Field(description="Decisions that were made anew.")
    sessions: int
    different: int
    changes: list[ReplayedPolicyChange] = Field(description="The most frequent first.")
    assumed: dict[str, int] = Field(
        description="What a log does not tell and was taken as unchanged, by the rule that it "
        "concerns: how often."
    )
    differences: list[ReplayedDifference] = Field(
        description=f"The first {MAX_DIFFERENCES} of them."
    )


@router.post(
    "/replay",
    summary="Decide recorded calls anew",
    description="Nothing is run and nothing is written down. Turns, budgets, loops and rate "
    "windows are rebuilt from the lines.",
    responses=documented(409, 422, 503),
)
async def replay_audit(
    orchestrator: OrchestratorDep,
    services: ServicesDep,
    http_sessions: HttpSessionsDep,
    body: ReplayBody,
) -> Replay:
    policy = changed(orchestrator.policy, body.policy)
    snapshot = orchestrator.registry_snapshot()
    # It is work for a processor: one at a time, and never on the event loop.
    async with services.replaying:
        owners = http_sessions.scope.owners("audit.read")
        lines, scene = await _lines(orchestrator.store, owners, body)
        from_seq = lines[scene].seq if lines else None
        try:
            report = await asyncio.to_thread(
                lambda: replayed(
                    (line.data for line in lines), snapshot, policy, from_seq=from_seq or 0
                )
            )
        except ReplayError as error:
            raise ProblemError(409, f"The audit cannot be replayed: {error}.") from None
    found = report.to_dict()
    return Replay(
        registry_version=snapshot.version,
        from_seq=from_seq,
        to_seq=lines[-1].seq if lines else None,
        compared=report.compared,
        sessions=report.sessions,
        different=len(report.differences),
        changes=found["changes"],
        assumed=found["assumed"],
        differences=found["differences"][:MAX_DIFFERENCES],
    )


async def _lines(
    store: Store, owners: Owners | None, body: ReplayBody
) -> tuple[list[AuditLine], int]:
    """The lines in their order, and how many of them come before those that are compared."""
    await store.flush()
    found: list[AuditLine] = []
    before: int | None = None
    wanted = body.last + SCENE
    while len(found) < wanted:
        page = await store.audit_lines(
            owners=owners,
            session_id=body.session,
            before_seq=before,
            limit=min(_PAGE, wanted - len(found)),
            newest_first=True,
        )
        found += page
        if len(page) < _PAGE:
            break
        before = page[-1].seq
    found.reverse()
    return found, max(0, len(found) - body.last)


def changed(policy: Policy, changes: dict[str, float | int | None]) -> Policy:
    """The policy with some of its numbers changed. Raises a problem that names what is wrong."""
    known = numbers(policy)
    errors = [_error(name, value, known) for name, value in changes.items()]
    wrong = [error for error in errors if error is not None]
    if wrong:
        raise ProblemError(
            422,
            f"{wrong[0]['message']} The numbers of the policy are {', '.join(sorted(known))}.",
            errors=wrong,
        )
    for name, value in changes.items():
        mode, _, key = name.rpartition(".")
        given: dict[str, Any] = {key: value}
        policy = replace(
            policy, **({mode: replace(getattr(policy, mode), **given)} if mode else given)
        )
    return policy


def _error(name: str, value: float | int | None, known: dict[str, Any]) -> dict[str, str] | None:
    words = None
    if name not in known:
        words = f"`{name}` is no number of the policy."
    elif value is None and "." not in name:
        words = f"`{name}` needs a number."
    elif value is not None and not 0 <= value <= _MOST:
        words = f"`{name}` must be from 0 to {_MOST}."
    if words is None:
        return None
    return {"in": "body", "name": f"policy.{name}", "message": words}
