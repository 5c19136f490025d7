"""Policy rules over HTTP: the gates of a call in words, and the deciding gate of a call."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import fields
from typing import Any, Literal

from fastapi import APIRouter
from pydantic import BaseModel, Field

from antiphon import policy
from antiphon.contracts.definition import ToolDefinition
from antiphon.policy import Budget, Policy, RuleSet
from antiphon.server.dependencies import OrchestratorDep

router = APIRouter(prefix="/api/rules", tags=["rules"])

Outcome = Literal["passed", "idle", "stopped", "asked", "answered", "ran", "not_reached"]


# What a call that a person has approved, and one that another call makes, is not asked again.
_IDLE_APPROVED = frozenset({"nesting", "loop", "budget"})
_IDLE_NESTED = frozenset({"loop", "budget"})


class RuleDescription(BaseModel):
    id: str = Field(examples=["budget.calls"])
    about: str


class GateDescription(BaseModel):
    id: str = Field(examples=["budget"])
    title: str
    rules: list[RuleDescription]


class RuleList(BaseModel):
    gates: list[GateDescription] = Field(description="In the order in which a call meets them.")
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
async def get_rules(orchestrator: OrchestratorDep) -> RuleList:
    return RuleList(
        gates=[
            GateDescription(
                id=gate.id,
                title=gate.title,
                rules=[RuleDescription(id=rule, about=about) for rule, about in gate.ids.items()],
            )
            for gate in orchestrator.rules.rules
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
        elif isinstance(value, int | float) and not isinstance(value, bool):
            found[field.name] = value
    return found


def passages(
    line: Mapping[str, Any], definition: ToolDefinition | None, rules: RuleSet
) -> list[Passage]:
    """The way of one recorded call through the gates. Empty when the line is about no decision.

    `definition` is the tool's as it was for the call; without it a gate that has nothing to say
    about the tool counts as passed.
    """
    decision, rule = line.get("decision"), line.get("rule")
    last = next((gate.id for gate in rules.rules if rule in gate.ids), None)
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
    reached, asked_by_further = True, False
    for gate in rules.rules:
        if asked_by_further and gate.id == "confirmation":
            reached = False
        if not reached:
            found.append(Passage(id=gate.id, outcome="not_reached"))
        elif gate.id == last:
            found.append(Passage(id=gate.id, outcome=end, rule=_own(rule, gate)))
            # The question of a further rule is put once the rules behind it are passed as well.
            asked_by_further = end == "asked" and gate not in policy.RULES
            reached = asked_by_further
        else:
            # A rule before the last one is why it ran: approved beforehand, or safe to run again.
            named = _own(rule, gate)
            outcome: Outcome = "idle" if gate.id in idle and named is None else "passed"
            found.append(Passage(id=gate.id, outcome=outcome, rule=named))
    return found


def _own(rule: str | None, gate: policy.Rule) -> str | None:
    return rule if rule in gate.ids else None


def _idle(line: Mapping[str, Any], definition: ToolDefinition | None) -> set[str]:
    approved = line.get("source") == "confirmation"
    if approved:
        idle = set(_IDLE_APPROVED)
    else:
        idle = set(_IDLE_NESTED) if line.get("source") == "tool" else {"nesting"}
    # They are for turns that are held to their plan, and for what text that was read may have led
    # to; where they decided, the line says so.
    idle |= {"plan"} if line.get("origins") else {"plan", "leak", "untrusted"}
    if definition is not None and definition.version == line.get("toolVersion"):
        if not definition.availability:
            idle.add("availability")
        if definition.rate_limit is None:
            idle.add("rate")
        if not definition.requires_confirmation:
            idle.add("confirmation")
    return idle
