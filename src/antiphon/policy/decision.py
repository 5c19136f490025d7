"""The decision on one call, `decide`. Pure: no I/O, no clock, no randomness."""

from __future__ import annotations

from antiphon.policy.rules import duplicate, gates_of, known, shape
from antiphon.policy.view import Case, PolicyView, ToolView, Verdict


def decide(case: Case, tool: ToolView | None, view: PolicyView) -> Verdict:
    """The verdict on one call.

    Order: shape, duplicate, known, active and not blocked, mode, availability, rate, nesting,
    loop, budget, arguments (clamp and validate), confirmation, run.
    """
    verdict = shape(case)
    if verdict is not None:
        return verdict
    if case.earlier is not None:
        verdict = duplicate(case, tool, view)
        if verdict is not None:
            return verdict
    if tool is None:
        return known(case, view)
    kept = view.gates if case.nested is None else view.nested_gates
    gates = kept.get(case.name)
    if gates is None:
        gates = kept[case.name] = gates_of(
            tool.definition,
            nested=case.nested is not None,
            may_be_asked=case.name in view.policy.ask_after_reading | view.policy.ask_first,
        )
    for rule in gates:
        verdict = rule(case, tool, view)
        if verdict is not None:
            return verdict
    return Verdict("run", "run", None, case.args)
