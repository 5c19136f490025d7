"""The decision on one call, `decide`. Pure: no I/O, no clock, no randomness."""

from __future__ import annotations

from antiphon.policy.rules import duplicate, known, shape
from antiphon.policy.view import Case, PolicyView, ToolView, Verdict


def decide(case: Case, tool: ToolView | None, view: PolicyView) -> Verdict:
    """Return the verdict on one call: that of the first rule of `view.rules` that decides, else
    `run`."""
    verdict = shape(case, tool, view)
    if verdict is not None:
        return verdict
    if case.earlier is not None:
        verdict = duplicate(case, tool, view)
        if verdict is not None:
            return verdict
    if tool is None:
        unknown = known(case, tool, view)
        assert unknown is not None
        return unknown
    kept = view.gates if case.nested is None else view.nested_gates
    gates = kept.get(case.name)
    if gates is None:
        gates = kept[case.name] = view.rules.gates(
            tool.definition,
            mode=view.mode,
            nested=case.nested is not None,
            may_be_asked=case.name in view.policy.ask_after_reading | view.policy.ask_first,
        )
    for check in gates:
        verdict = check(case, tool, view)
        if verdict is not None:
            return verdict
    return Verdict("run", "run", None, case.args)
