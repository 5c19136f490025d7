"""The rule object, and the placement of further rules among the built-in ones.

A further rule is a pure function with an id and words. It can refuse a call or have a person asked
about it; it cannot let through what another rule refuses: its question is put only once every other
rule has let the call pass, and one that fails refuses the call.
"""

from __future__ import annotations

import copy
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, cast

from antiphon.contracts import ToolCall
from antiphon.contracts.errors import ErrorType, error_body
from antiphon.policy.view import Case, PolicyView, ToolView, Verdict

RuleCheck = Callable[[Case, ToolView, PolicyView], Verdict | None]

# The built-in rule that further ones stand behind unless they name another.
DEFAULT_PLACE = "arguments"
# Behind it nothing is asked any more: what was approved beforehand runs from there.
LAST_PLACE = "confirmation"


@dataclass(frozen=True, slots=True)
class Rule:
    """One gate on a call's way.

    `check` returns a verdict, or None to let the call through; a rule without one is decided by
    the dispatcher itself. `verdicts` has the ids that its verdicts carry, with words for each,
    where there are several; else `id` and `words` are the only ones. `after` names the built-in
    rule that a further rule follows.
    """

    id: str
    title: str
    words: str
    check: RuleCheck | None = None
    after: str = DEFAULT_PLACE
    verdicts: Mapping[str, str] = field(default_factory=dict)

    @property
    def ids(self) -> Mapping[str, str]:
        """Return every id that the audit may show of this rule, with what it sees to."""
        return self.verdicts or {self.id: self.words}


class RuleError(ValueError):
    """A rule cannot be used; the message names it and says why."""


def refuse(rule: str, type: ErrorType, message: str, **details: Any) -> Verdict:
    """Return the verdict of a refusal before execution: nothing has happened, and the same call
    will be refused again."""
    body = error_body(type, message, retryable=False, **details)
    return Verdict("refuse", rule, body)


def ask(rule: str) -> Verdict:
    """Return the verdict that a person has to approve the call first."""
    return Verdict("confirm", rule)


def place(built_in: Sequence[Rule], further: Iterable[Rule]) -> tuple[Rule, ...]:
    """Return all rules in the order in which a call meets them: each further one behind the
    built-in rule that it names, those behind the same one in the order given. Raises RuleError."""
    checked = [rule.id for rule in built_in if rule.check is not None]
    places = checked[checked.index("known") : checked.index(LAST_PLACE)]
    taken = {each for rule in built_in for each in (rule.id, *rule.ids)}
    behind: dict[str, list[Rule]] = {}
    for rule in further:
        problem = _problem(rule, places, taken)
        if problem is not None:
            raise RuleError(f"The rule {getattr(rule, 'id', rule)!r} cannot be used: {problem}.")
        taken.update((rule.id, *rule.ids))
        behind.setdefault(rule.after, []).append(rule)
    return tuple(each for rule in built_in for each in (rule, *behind.get(rule.id, ())))


def _problem(rule: object, places: Sequence[str], taken: set[str]) -> str | None:
    if not isinstance(rule, Rule):
        return "it is no antiphon.policy.Rule"
    if not rule.id or not rule.words or not rule.title:
        return "it needs an id, a title and words"
    if not callable(rule.check):
        return "its check is no function"
    if rule.after not in places:
        return f"it stands after {rule.after!r}, but may stand after one of {', '.join(places)}"
    if clash := sorted(taken & {rule.id, *rule.ids}):
        return f"there is a rule {clash[0]} already"
    return None


def guarded(rule: Rule) -> RuleCheck:
    """Return the check of a further rule as a gate: it sees a copy of the arguments, its question
    waits for the other rules, and anything but a refusal, a question or None refuses the call."""
    check = cast(RuleCheck, rule.check)

    def gate(case: Case, tool: ToolView, view: PolicyView) -> Verdict | None:
        try:
            verdict = check(_copy(case), tool, view)
        except Exception as error:  # noqa: BLE001 - a rule may raise anything
            return _failed(rule, f"{type(error).__name__}: {error}")
        if verdict is None:
            return None
        if not isinstance(verdict, Verdict) or verdict.outcome not in ("refuse", "confirm"):
            return _failed(rule, f"it returned {verdict!r}")
        named = verdict.rule if verdict.rule in rule.ids else rule.id
        if verdict.outcome == "confirm":
            if not case.approved and case.question is None:
                case.question = named
            return None
        if not isinstance(verdict.error, dict) or "type" not in verdict.error:
            return _failed(rule, "its refusal has no error")
        return Verdict("refuse", named, verdict.error)

    return gate


def _failed(rule: Rule, reason: str) -> Verdict:
    return refuse(
        rule.id,
        ErrorType.INTERNAL,
        f"The rule {rule.id} could not be checked, so the call was not run ({reason}).",
    )


def _copy(case: Case) -> Case:
    call = case.call
    args = copy.deepcopy(case.args)
    own = Case(
        ToolCall(call.id, call.name, args, call.client_key),
        case.canonical,
        case.earlier,
        case.nested,
        case.approved,
    )
    own.clamped = case.clamped
    return own
