"""Whether a call may run. Pure functions over what the orchestrator shows them."""

from antiphon.policy.budgets import TEXT, VOICE, Budget, Policy
from antiphon.policy.decide import decide
from antiphon.policy.rules import COUNTED_FROM, RULES
from antiphon.policy.view import Case, Earlier, Nested, Turn, Verdict, View

__all__ = [
    "COUNTED_FROM",
    "RULES",
    "TEXT",
    "VOICE",
    "Budget",
    "Case",
    "Earlier",
    "Nested",
    "Policy",
    "Turn",
    "Verdict",
    "View",
    "decide",
]
