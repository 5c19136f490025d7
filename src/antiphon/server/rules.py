"""The gates that every call passes, told to people: what each sees to, and which one decided."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, fields
from typing import Any, Literal

from fastapi import APIRouter, Request
from pydantic import BaseModel, Field

from antiphon.contracts.definition import ToolDefinition
from antiphon.orchestrator import Orchestrator
from antiphon.policy import Budget, Policy

router = APIRouter(prefix="/api/rules", tags=["rules"])

Outcome = Literal["passed", "idle", "stopped", "asked", "answered", "ran", "not_reached"]


@dataclass(frozen=True, slots=True)
class _Gate:
    id: str
    title: str
    rules: dict[str, str]  # id and what it sees to


# In the order in which a call meets them; docs/rules.md has more about each.
GATES = (
    _Gate(
        "registry",
        "Same tools",
        {"registry.version": "The tools are still those that the session began with."},
    ),
    _Gate(
        "shape",
        "Well formed",
        {"shape": "The call names a tool and brings one JSON object of arguments."},
    ),
    _Gate(
        "duplicate",
        "Not a repeat",
        {"duplicate": "The same call is answered from its record and not run again."},
    ),
    _Gate("known", "Known tool", {"known": "There is such a tool."}),
    _Gate(
        "session",
        "Session open",
        {"blocked": "The user is not blocked.", "active": "The session has not ended."},
    ),
    _Gate("mode", "Mode", {"mode": "The tool may be used in this mode, text or voice."}),
    _Gate(
        "availability",
        "Available",
        {"availability": "The tool is there for this user, role, provider and environment."},
    ),
    _Gate("rate", "Rate limit", {"rate": "The tool was not called too often in its window."}),
    _Gate(
        "nesting",
        "Nesting",
        {"nesting": "Calls made by calls go only so deep, are only so many, and form no circle."},
    ),
    _Gate(
        "loop",
        "No loop",
        {
            "loop.empty": "The tool has not returned empty results again and again in this turn.",
            "loop.repeat": "The same call is not made again and again in this turn.",
        },
    ),
    _Gate(
        "budget",
        "Budget",
        {
            "budget.rounds": "The turn has rounds of tool use left.",
            "budget.calls": "The turn has calls left.",
            "budget.retrieval": "The turn has retrieval calls left.",
            "budget.writes": "The turn has calls left that change something.",
        },
    ),
    _Gate(
        "arguments",
        "Arguments",
        {
            "confirmation.token": "The arguments bring no confirmation: a person gives it.",
            "arguments": "The arguments are valid by the tool's schema; nothing is converted.",
        },
    ),
    _Gate(
        "confirmation",
        "Confirmed",
        {
            "confirmation": "A person has approved; if not, they are asked.",
            "confirmation.untrusted": "A person has approved what text of others may have led to.",
            "budget.questions": "The person has not too many questions to answer already.",
            "approval": "A person has approved this tool beforehand.",
        },
    ),
    _Gate("run", "Runs", {"run": "Nothing stands against the call."}),
)
_OF_RULE = {rule: gate.id for gate in GATES for rule in gate.rules}
# What a call that a person has approved, and one that another call makes, is not asked again.
_IDLE_APPROVED = frozenset({"nesting", "loop", "budget"})
_IDLE_NESTED = frozenset({"loop", "budget"})


class Rule(BaseModel):
    id: str = Field(examples=["budget.calls"])
    about: str


class Gate(BaseModel):
    id: str = Field(examples=["budget"])
    title: str
    rules: list[Rule]


class Rules(BaseModel):
    gates: list[Gate] = Field(description="In the order in which a call meets them.")
    policy: dict[str, float | None] = Field(
        description="The numbers in force, by the names that a replay takes; null is no limit.",
        examples=[{"voice.total_calls": 3, "text.rounds": 5, "same_call_limit": 3}],
    )


class Passage(BaseModel):
    """One gate on a call's way."""

    id: str = Field(examples=["budget"])
    outcome: Outcome = Field(
        description="`idle`: it has nothing to say about such calls. `asked`: the person was. "
        "`answered`: from the record of the same call."
    )
    rule: str | None = Field(default=None, description="The rule that decided, at its gate.")


@router.get("", summary="The gates that every call passes, and the numbers they go by")
async def get_rules(request: Request) -> Rules:
    orchestrator: Orchestrator = request.app.state.orchestrator
    return Rules(
        gates=[
            Gate(
                id=gate.id,
                title=gate.title,
                rules=[Rule(id=rule, about=about) for rule, about in gate.rules.items()],
            )
            for gate in GATES
        ],
        policy=numbers(orchestrator.policy),
    )


def numbers(policy: Policy) -> dict[str, float | None]:
    """All numbers of a policy by name, those of a mode with the mode and a dot before."""
    found: dict[str, float | None] = {}
    for field in fields(Policy):
        value = getattr(policy, field.name)
        if isinstance(value, Budget):
            for each in fields(Budget):
                found[f"{field.name}.{each.name}"] = getattr(value, each.name)
        elif isinstance(value, int | float):
            found[field.name] = value
    return found


def passages(line: Mapping[str, Any], definition: ToolDefinition | None) -> list[Passage]:
    """The way of one recorded call through the gates. Empty when the line is about no decision.

    `definition` is the tool's as it was for the call; without it a gate that has nothing to say
    about the tool counts as passed.
    """
    decision, rule = line.get("decision"), line.get("rule")
    last = _OF_RULE.get(rule) if isinstance(rule, str) else None
    if last is None or decision is None:
        return []
    end: Outcome = "stopped"
    if decision == "confirm":
        end = "asked"
    elif decision in ("replay", "wait"):
        end = "answered"
    elif decision in ("run", "recover"):
        last, end = "run", "ran"
    idle = _idle(line, definition)
    found: list[Passage] = []
    reached = True
    for gate in GATES:
        if not reached:
            found.append(Passage(id=gate.id, outcome="not_reached"))
        elif gate.id == last:
            found.append(Passage(id=gate.id, outcome=end, rule=_own(rule, gate)))
            reached = False
        else:
            # A rule before the last one is why it ran: approved beforehand, or safe to run again.
            named = _own(rule, gate)
            outcome: Outcome = "idle" if gate.id in idle and named is None else "passed"
            found.append(Passage(id=gate.id, outcome=outcome, rule=named))
    return found


def _own(rule: str | None, gate: _Gate) -> str | None:
    return rule if rule in gate.rules else None


def _idle(line: Mapping[str, Any], definition: ToolDefinition | None) -> set[str]:
    approved = line.get("source") == "confirmation"
    if approved:
        idle = set(_IDLE_APPROVED)
    else:
        idle = set(_IDLE_NESTED) if line.get("source") == "tool" else {"nesting"}
    if definition is not None and definition.version == line.get("toolVersion"):
        if not definition.availability:
            idle.add("availability")
        if definition.rate_limit is None:
            idle.add("rate")
        if not definition.requires_confirmation:
            idle.add("confirmation")
    return idle
