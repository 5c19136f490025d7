"""Policy: pure rules over a call and the session's state that decide whether the call may run."""

from antiphon.policy.budgets import TEXT, VOICE, Budget, Policy
from antiphon.policy.decision import check_rights, decide
from antiphon.policy.rule import Rule, RuleError, ask, refuse
from antiphon.policy.rules import BUILT_IN, COUNTED_FROM, RULES, RuleSet
from antiphon.policy.view import (
    CallOrigins,
    Case,
    EarlierCall,
    Nesting,
    PolicyView,
    ToolView,
    TurnCounters,
    Verdict,
)

__all__ = [
    "BUILT_IN",
    "COUNTED_FROM",
    "RULES",
    "TEXT",
    "VOICE",
    "Budget",
    "CallOrigins",
    "Case",
    "EarlierCall",
    "Nesting",
    "Policy",
    "PolicyView",
    "Rule",
    "RuleError",
    "RuleSet",
    "ToolView",
    "TurnCounters",
    "Verdict",
    "ask",
    "check_rights",
    "decide",
    "refuse",
]
