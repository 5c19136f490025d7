"""Counting of calls in their turn: what a decided call adds to it, for the rules of later ones."""

from __future__ import annotations

from antiphon.policy import Case, PolicyView, Verdict
from antiphon.policy.view import FoundBy
from antiphon.registry.registry import Tool


def count_call(
    view: PolicyView, case: Case, tool: Tool | None, verdict: Verdict, found_by: FoundBy
) -> None:
    """Count a decided call in its turn: budgets from the rules on that say it was asked for,
    repetitions also where it was answered from a record found by its hash."""
    turn = view.turn
    outcome = verdict.outcome
    if verdict.rule in view.rules.counted or outcome == "confirm":
        turn.total += 1
        if outcome == "confirm":
            turn.questions += 1
        if tool is not None:
            definition = tool.definition
            if definition.category == "retrieval":
                turn.retrieval += 1
            if definition.side_effects == "writes":
                turn.writes += 1
    elif found_by != "hash" or outcome not in ("replay", "wait"):
        return
    mark = (case.name, case.canonical or b"")
    turn.calls[mark] = turn.calls.get(mark, 0) + 1
