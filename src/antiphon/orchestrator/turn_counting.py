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
    if verdict.rule in view.rules.counted or verdict.outcome == "confirm":
        turn.total += 1
        if verdict.outcome == "confirm":
            turn.questions += 1
        if tool is not None:
            definition = tool.definition
            turn.retrieval += definition.category == "retrieval"
            turn.writes += definition.side_effects == "writes"
            reads = definition.side_effects != "none"
            if reads and case.name not in view.policy.ask_after_reading:
                turn.has_read = True
    elif found_by != "hash" or verdict.outcome not in ("replay", "wait"):
        return
    mark = (case.name, case.canonical or b"")
    turn.calls[mark] = turn.calls.get(mark, 0) + 1
