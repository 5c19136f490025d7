"""Something to decide on: a call, a tool and a session, good until a test spoils them."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from types import SimpleNamespace
from typing import Any

from antiphon.contracts import ToolCall, ToolDefinition
from antiphon.contracts.availability import Availability
from antiphon.contracts.limits import LimitReached
from antiphon.policy import (
    Budget,
    CallOrigins,
    Case,
    EarlierCall,
    Nesting,
    Policy,
    PolicyView,
    Rule,
    RuleSet,
    Verdict,
    decide,
)
from antiphon.registry.validation import Validator

NOW = 1_800_000_000.0
# Every limit is on, in both modes, so that each rule can be tested in either.
LIMITS = Budget(retrieval_calls=2, total_calls=3, rounds=5, top_k=3, tool_time_ms=1500)
STRICT = Policy(voice=LIMITS, text=LIMITS)

PARAMETERS = {
    "type": "object",
    "properties": {
        "query": {"type": "string"},
        "top_k": {"type": "integer", "minimum": 1, "maximum": 50, "default": 2},
    },
    "required": ["query"],
    "additionalProperties": False,
}


class Scene:
    """One decision. Change what is to be different, then `decide`."""

    def __init__(
        self, policy: Policy = STRICT, mode: Any = "text", rules: Sequence[Rule] = ()
    ) -> None:
        self.name: Any = "kb_search"
        self.args: Any = {"query": "ada"}
        self.is_json = True
        self.schema: dict[str, Any] = {
            "toolId": "kb_search",
            "version": "1.0.0",
            "description": "Look for something.",
            "category": "retrieval",
            "sideEffects": "read_only",
            "idempotent": True,
            "requiresConfirmation": False,
            "allowedModes": ["text", "voice"],
            "latencyBudgetMs": 500,
            "parameters": PARAMETERS,
        }
        self.exists = True
        self.recoverable = False
        self.earlier: EarlierCall | None = None
        self.nested: Nesting | None = None
        self.approved = False
        self.limit: LimitReached | None = None
        self.origins: CallOrigins | None = None
        self.fields: dict[str, Any] = {"roles": ()}
        self.environment: dict[str, str] = {}
        self.near: list[str] = []
        self.view = PolicyView(
            mode, policy, self.fields, self.environment, lambda _: self.near, RuleSet(rules)
        )
        self.view.now = NOW

    @property
    def turn(self) -> Any:
        return self.view.turn

    @property
    def canonical(self) -> bytes:
        return json.dumps(self.args, sort_keys=True).encode()

    def called(self, times: int) -> None:
        """The same call was made so often in this turn."""
        self.turn.calls[self.name, self.canonical] = times

    def case(self) -> Case:
        canonical = self.canonical if self.is_json else None
        call = ToolCall("call_0123456789", self.name, self.args)
        case = Case(call, canonical, self.earlier, self.nested, self.approved)
        case.limit, case.origins = self.limit, self.origins
        return case

    def tool(self) -> Any:
        if not self.exists:
            return None
        definition = ToolDefinition.from_schema(self.schema)
        rules: Mapping[str, Any] = definition.availability
        return SimpleNamespace(
            definition=definition,
            validator=Validator(definition.parameters),
            availability=Availability(rules) if rules else None,
            recoverable=self.recoverable,
        )

    def decide(self, case: Case | None = None) -> Verdict:
        self.view.nested_gates.clear()
        self.view.gates.clear()  # they are kept by name, and the tool may have changed
        return decide(case or self.case(), self.tool(), self.view)


def refusal(verdict: Verdict) -> dict[str, Any]:
    """The error of a refusal: a repeat will not help, and nothing has happened before execution.

    Only of a call that a crash has cut short that cannot be said.
    """
    assert verdict.outcome == "refuse"
    assert verdict.error is not None
    assert verdict.error["retryable"] is False
    assert verdict.error["partialSideEffects"] is (verdict.error["type"] == "OUTCOME_UNKNOWN")
    assert verdict.error["message"]
    return verdict.error
