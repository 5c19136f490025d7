"""The decision on one call, `decide`. Pure: no I/O, no clock, no randomness."""

from __future__ import annotations

from antiphon.policy.rules import arguments, duplicate, is_hidden, known, rights, shape
from antiphon.policy.view import Case, PolicyView, ToolView, Verdict


def decide(case: Case, tool: ToolView | None, view: PolicyView) -> Verdict:
    """Return the verdict on one call: that of the first rule of `view.rules` that decides, else
    `run`. A tool that the principal may not use at all is one that does not exist."""
    verdict = shape(case, tool, view)
    if verdict is not None:
        return verdict
    if tool is not None and view.rights is not None and is_hidden(tool, view):
        case.hidden, tool = True, None
    if case.earlier is not None:
        verdict = duplicate(case, tool, view)
        if verdict is not None:
            return _answer(case, tool, view, verdict)
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
            may_be_asked=case.name in view.policy.ask_first,
            has_rights=view.rights is not None,
            narrowed=view.policy.only_planned,
            is_doubted=case.name in view.policy.ask_after_reading,
        )
    for check in gates:
        if (verdict := check(case, tool, view)) is not None:
            return verdict
    return Verdict("run", "run", None, case.args)


def check_rights(case: Case, tool: ToolView, view: PolicyView) -> Verdict | None:
    """Return the refusal of a call that the rights of the principal do not allow, which was let
    through when it was made; None: they do."""
    if view.rights is None:
        return None
    return known(case, None, view) if is_hidden(tool, view) else rights(case, tool, view)


def _answer(case: Case, tool: ToolView | None, view: PolicyView, verdict: Verdict) -> Verdict:
    """Return the verdict on a repeated call: what came of it is shown to whoever may make it today.
    Arguments that no longer fit the tool are looked at as they came."""
    if view.rights is None or tool is None or verdict.outcome not in ("replay", "wait"):
        return verdict
    arguments(case, tool, view)
    return rights(case, tool, view) or verdict
