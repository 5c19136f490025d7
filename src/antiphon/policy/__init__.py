"""Policy: pure rules over a call and the session's state that decide whether the call may run."""

from antiphon.policy.budgets import TEXT, VOICE, Budget, Policy
from antiphon.policy.decision import decide
from antiphon.policy.rules import COUNTED_FROM, RULES
from antiphon.policy.view import Case, EarlierCall, Nesting, PolicyView, TurnCounters, Verdict

__all__ = [
    "COUNTED_FROM",
    "RULES",
    "TEXT",
    "VOICE",
    "Budget",
    "Case",
    "EarlierCall",
    "Nesting",
    "Policy",
    "TurnCounters",
    "Verdict",
    "PolicyView",
    "decide",
]
