"""The order of the gates, and that deciding changes nothing."""

from __future__ import annotations

import copy
from collections.abc import Callable
from dataclasses import replace
from itertools import combinations
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.policy.helpers import NOW, Scene

from antiphon.contracts.rights import Rights, ToolRule
from antiphon.policy import (
    BUILT_IN,
    COUNTED_FROM,
    CallOrigins,
    EarlierCall,
    Nesting,
    Rule,
    RuleSet,
)
from antiphon.policy.provenance_rules import ONE_CALL_RULES


def _shape(scene: Scene) -> None:
    scene.is_json = False


def _duplicate(scene: Scene) -> None:
    scene.earlier = EarlierCall("done", "key", False)


def _known(scene: Scene) -> None:
    scene.exists = False


def _blocked(scene: Scene) -> None:
    scene.view.blocked_until = NOW + 60


def _active(scene: Scene) -> None:
    scene.view.active = False


def _mode(scene: Scene) -> None:
    scene.schema["allowedModes"] = ["voice"]


def _availability(scene: Scene) -> None:
    scene.schema["availability"] = {"roles": ["admin"]}


def _rate(scene: Scene) -> None:
    scene.schema["rateLimit"] = {"calls": 1, "windowMs": 1000}
    scene.view.rates["kb_search"] = [NOW]


def _nesting(scene: Scene) -> None:
    scene.nested = Nesting(("a", "b", "c", "d"), 4, 0)


def _empty(scene: Scene) -> None:
    scene.turn.empty["kb_search"] = 2


def _repeat(scene: Scene) -> None:
    scene.called(2)


def _rounds(scene: Scene) -> None:
    scene.turn.rounds = 6


def _calls(scene: Scene) -> None:
    scene.turn.total = 3


def _retrieval(scene: Scene) -> None:
    scene.turn.retrieval = 2


def _token(scene: Scene) -> None:
    scene.args["confirmationToken"] = "x"


def _arguments(scene: Scene) -> None:
    scene.args["colour"] = "red"


def _rights(scene: Scene) -> None:
    narrow = ToolRule(("kb_search",), when="args.query == 'grace'")
    scene.view.rights = Rights(frozenset({"tools.call"}), (narrow,))


def _plan(scene: Scene) -> None:
    scene.view.policy = replace(scene.view.policy, only_planned=True)
    scene.view.planned = frozenset()


def _secret(scene: Scene) -> None:
    scene.origins = CallOrigins(secret=["/query"])


def _confirmation(scene: Scene) -> None:
    scene.schema["requiresConfirmation"] = True


# What a call may break, in the order in which it must be told.
BREAKS: dict[str, Callable[[Scene], None]] = {
    "shape": _shape,
    "duplicate": _duplicate,
    "known": _known,
    "blocked": _blocked,
    "active": _active,
    "mode": _mode,
    "availability": _availability,
    "rate": _rate,
    "nesting": _nesting,
    "plan": _plan,
    "loop.empty": _empty,
    "loop.repeat": _repeat,
    "budget.rounds": _rounds,
    "budget.calls": _calls,
    "budget.retrieval": _retrieval,
    "confirmation.token": _token,
    "arguments": _arguments,
    "rights": _rights,
    "leak.secret": _secret,
    "confirmation": _confirmation,
}


def broken(rules: Any) -> Scene:
    # The repeated call is the one with the arguments that the others spoil, so it comes last.
    scene = Scene()
    for rule in sorted(rules, key=lambda rule: rule == "loop.repeat"):
        BREAKS[rule](scene)
    return scene


@pytest.mark.parametrize("rule", BREAKS)
def test_each_break_alone_is_found_by_its_rule(rule: str) -> None:
    assert broken([rule]).decide().rule == rule


@pytest.mark.parametrize(("first", "second"), list(combinations(BREAKS, 2)))
def test_a_call_that_breaks_two_rules_is_stopped_by_the_first(first: str, second: str) -> None:
    assert broken([first, second]).decide().rule == first


@given(st.sets(st.sampled_from(list(BREAKS))))
def test_whatever_is_broken_the_first_rule_stops_the_call(rules: set[str]) -> None:
    expected = next((rule for rule in BREAKS if rule in rules), "run")
    assert broken(rules).decide().rule == expected


def test_only_what_passed_the_budget_counts_against_it() -> None:
    later = list(BREAKS)[list(BREAKS).index("confirmation.token") :]
    assert (
        set(later) | ONE_CALL_RULES | {"approval", "before_call", "spending_cap", "run"}
        == COUNTED_FROM
    )


@pytest.mark.rule("approval")
@pytest.mark.parametrize("rule", BREAKS)
def test_what_is_approved_beforehand_passes_every_gate_but_the_question(rule: str) -> None:
    scene = broken([rule])
    scene.view.approved = frozenset({str(scene.name)})
    verdict = scene.decide()
    assert verdict.rule == ("approval" if rule == "confirmation" else rule)


def photograph(scene: Scene) -> Any:
    """Everything that a decision may look at, but the table of rules by tool, which is a cache."""
    view = scene.view
    turn = {name: getattr(view.turn, name) for name in view.turn.__slots__}
    seen = {
        name: getattr(view, name)
        for name in view.__slots__
        if name not in ("gates", "nearest", "nested_gates", "rules", "turn")
    }
    return copy.deepcopy((seen, turn, scene.args, scene.schema))


@given(
    st.sets(st.sampled_from(list(BREAKS))),
    st.dictionaries(
        st.sampled_from(["query", "top_k", "x"]),
        st.one_of(st.text(max_size=3), st.integers(), st.lists(st.integers(), max_size=2)),
    ),
    st.booleans(),
)
def test_deciding_changes_nothing_and_always_comes_out_the_same(
    rules: set[str], args: dict[str, Any], approved: bool
) -> None:
    scene = Scene()
    scene.args = args
    scene.approved = approved
    for rule in rules:
        BREAKS[rule](scene)
    before = photograph(scene)
    verdicts = [scene.decide() for _ in range(2)]
    assert photograph(scene) == before
    first, second = ((v.outcome, v.rule, v.error, v.args) for v in verdicts)
    assert first == second


def test_what_runs_is_not_the_callers_own_object() -> None:
    """Defaults and clamping must not show in the caller's arguments, nor later changes in ours."""
    scene = Scene()
    args = scene.args
    verdict = scene.decide()
    assert verdict.args is not args
    args["query"] = "changed"
    assert verdict.args == {"query": "ada", "top_k": 2}


OWN = ("loop", "budget")


@pytest.mark.parametrize(
    ("schema", "options", "further"),
    [
        ({}, {}, OWN),
        ({}, {"nested": True}, ("nesting",)),
        ({}, {"has_rights": True}, (*OWN, "rights", "question")),
        ({}, {"narrowed": True}, (*OWN, "plan")),
        ({}, {"may_be_asked": True}, (*OWN, "confirmation")),
        ({}, {"is_doubted": True}, (*OWN, "untrusted", "question")),
        ({"requiresConfirmation": True}, {}, (*OWN, "confirmation")),
        ({"allowedModes": ["voice"]}, {}, (*OWN, "mode")),
        ({"availability": {"roles": ["guest"]}}, {}, (*OWN, "availability")),
        ({"rateLimit": {"calls": 1, "windowMs": 1000}}, {}, (*OWN, "rate")),
        ({"sideEffects": "writes"}, {}, (*OWN, "untrusted", "question")),
        ({"outside": True}, {}, (*OWN, "leak", "untrusted", "question")),
    ],
)
def test_a_call_meets_the_rules_that_can_decide_about_it_and_no_others(
    schema: Any, options: Any, further: tuple[str, ...]
) -> None:
    scene = Scene()
    scene.schema |= {"outside": False, **schema}
    found = BUILT_IN.gates(scene.tool().definition, mode="text", **{"nested": False, **options})
    names = [each.__name__ for each in found]
    assert sorted(names) == sorted(("active", "limit", "arguments", *further))


def test_a_further_rule_may_have_a_person_asked_about_any_call() -> None:
    rule = Rule("acme.rule", "Acme", "What Acme wants.", lambda *_: None)
    scene = Scene()
    scene.schema["outside"] = False
    found = RuleSet([rule]).gates(scene.tool().definition, mode="text", nested=False)
    names = [each.__name__ for each in found]
    assert names == ["active", "limit", "loop", "budget", "arguments", "gate", "question"]
