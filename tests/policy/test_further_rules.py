"""Rules of others among the built-in ones: they refuse and ask, and overrule nothing."""

from __future__ import annotations

from typing import Any

import pytest
from tests.policy.helpers import Scene, refusal

from antiphon.contracts import ErrorType
from antiphon.contracts.rights import Rights, ToolRule
from antiphon.policy import (
    RULES,
    Case,
    Nesting,
    Policy,
    PolicyView,
    Rule,
    RuleError,
    RuleSet,
    ToolView,
    Verdict,
    ask,
    refuse,
)


def curfew(case: Case, tool: ToolView, view: PolicyView) -> Verdict | None:
    if case.args.get("query") == "night":
        return refuse("acme.curfew", ErrorType.UNAVAILABLE, "Not at night.")
    return None


def two_eyes(case: Case, tool: ToolView, view: PolicyView) -> Verdict | None:
    return ask("acme.two_eyes") if case.args.get("query") == "payroll" else None


def rule(check: Any, id: str = "acme.rule", after: str = "arguments") -> Rule:
    return Rule(id, "Acme", "What Acme wants.", check, after)


CURFEW = rule(curfew, "acme.curfew", "session")
TWO_EYES = rule(two_eyes, "acme.two_eyes", "rate")


def scene(*rules: Rule, query: str = "ada", **options: Any) -> Scene:
    made = Scene(rules=rules, **options)
    made.args = {"query": query}
    return made


def test_it_refuses_under_its_own_id_and_lets_everything_else_through() -> None:
    verdict = scene(CURFEW, TWO_EYES, query="night").decide()
    assert verdict.rule == "acme.curfew"
    assert refusal(verdict)["message"] == "Not at night."
    assert scene(CURFEW, TWO_EYES).decide().rule == "run"


def test_it_stands_after_the_rule_that_it_names() -> None:
    spoiled = scene(CURFEW, query="night")
    spoiled.view.active = False
    assert spoiled.decide().rule == "active"
    spoiled = scene(CURFEW, query="night")
    spoiled.schema["allowedModes"] = ["voice"]
    assert spoiled.decide().rule == "acme.curfew"


def test_rules_after_the_same_one_keep_their_order() -> None:
    rules = RuleSet([rule(curfew, "b.first"), rule(curfew, "a.second")]).rules
    ids = [each.id for each in rules]
    at = ids.index("arguments")
    assert ids[at : at + 4] == ["arguments", "b.first", "a.second", "rights"]


def test_it_has_a_person_asked_with_the_arguments_as_they_will_run() -> None:
    verdict = scene(TWO_EYES, query="payroll").decide()
    assert (verdict.outcome, verdict.rule) == ("confirm", "acme.two_eyes")
    assert verdict.args == {"query": "payroll", "top_k": 2}


def test_what_a_person_has_approved_is_not_asked_again() -> None:
    approved = scene(TWO_EYES, query="payroll")
    approved.approved = True
    assert approved.decide().rule == "run"


def test_an_approval_given_beforehand_does_not_answer_its_question() -> None:
    asked = scene(TWO_EYES, query="payroll")
    asked.schema["requiresConfirmation"] = True
    asked.view.approved = frozenset({"kb_search"})
    assert asked.decide().rule == "acme.two_eyes"
    asked.args = {"query": "ada"}
    assert asked.decide().rule == "approval"


def test_of_several_questions_the_first_is_asked() -> None:
    def four_eyes(case: Case, tool: ToolView, view: PolicyView) -> Verdict:
        return ask("acme.four_eyes")

    late = rule(four_eyes, "acme.four_eyes")
    assert scene(TWO_EYES, late, query="payroll").decide().rule == "acme.two_eyes"
    assert scene(TWO_EYES, late).decide().rule == "acme.four_eyes"


def test_a_question_of_the_rights_comes_after_its_own() -> None:
    asked = scene(TWO_EYES, query="payroll")
    asked.view.rights = Rights(frozenset({"tools.call"}), (ToolRule(("*",), effect="ask"),))
    assert asked.decide().rule == "acme.two_eyes"
    asked.args = {"query": "ada"}
    assert asked.decide().rule == "rights"


def test_it_sees_what_was_clamped() -> None:
    def generous(case: Case, tool: ToolView, view: PolicyView) -> Verdict | None:
        return None if case.clamped is None else ask("acme.generous")

    asked = scene(rule(generous, "acme.generous"))
    assert asked.decide().rule == "run"
    asked.args["top_k"] = 40
    assert asked.decide().rule == "acme.generous"


def test_its_question_does_not_hide_the_refusal_of_a_rule_behind_it() -> None:
    spoiled = scene(TWO_EYES, query="payroll")
    spoiled.args["colour"] = "red"
    assert spoiled.decide().rule == "arguments"
    spoiled = scene(TWO_EYES, rule(curfew_of_payroll, "acme.late"), query="payroll")
    assert spoiled.decide().rule == "acme.late"


def curfew_of_payroll(case: Case, tool: ToolView, view: PolicyView) -> Verdict | None:
    return refuse("acme.late", ErrorType.UNAVAILABLE, "Not payroll.")


def test_its_questions_are_bounded_like_all_others() -> None:
    asked = scene(TWO_EYES, query="payroll", policy=Policy())
    asked.view.open_questions = 5
    assert asked.decide().rule == "budget.questions"


def test_it_is_asked_about_calls_that_calls_make() -> None:
    nested = scene(CURFEW, query="night")
    nested.nested = Nesting(("macro",), 1, 0)
    assert nested.decide().rule == "acme.curfew"


def raising(case: Case, tool: ToolView, view: PolicyView) -> Verdict | None:
    raise ZeroDivisionError("of all things")


@pytest.mark.parametrize(
    ("check", "words"),
    [
        (raising, "ZeroDivisionError: of all things"),
        (lambda case, tool, view: True, "it returned True"),
        (lambda case, tool, view: Verdict("run", "acme.rule"), "it returned Verdict('run'"),
        (lambda case, tool, view: Verdict("replay", "acme.rule"), "it returned Verdict('replay'"),
        (lambda case, tool, view: Verdict("refuse", "acme.rule"), "its refusal has no error"),
        (lambda case, tool, view: Verdict("refuse", "acme.rule", {}), "its refusal has no error"),
        (lambda case: None, "TypeError"),
    ],
)
def test_a_rule_that_fails_refuses_the_call_by_its_name(check: Any, words: str) -> None:
    verdict = scene(rule(check)).decide()
    error = refusal(verdict)
    assert (verdict.rule, error["type"]) == ("acme.rule", "INTERNAL")
    assert "acme.rule" in error["message"]
    assert words in error["message"]


def test_it_decides_under_no_other_name_than_its_own() -> None:
    def posing(case: Case, tool: ToolView, view: PolicyView) -> Verdict:
        return refuse("approval", ErrorType.UNAVAILABLE, "No.")

    assert scene(rule(posing)).decide().rule == "acme.rule"


def test_it_cannot_change_the_call() -> None:
    def meddling(case: Case, tool: ToolView, view: PolicyView) -> None:
        case.args["query"] = case.call.args["query"] = "changed"
        case.approved = True

    asked = scene(rule(meddling, after="known"))
    asked.schema["requiresConfirmation"] = True
    verdict = asked.decide()
    assert verdict.rule == "confirmation"
    assert verdict.args == {"query": "ada", "top_k": 2}


@pytest.mark.parametrize(
    ("wrong", "words"),
    [
        (rule(curfew, after="confirmation"), "after 'confirmation', but may stand after one of"),
        (rule(curfew, after="shape"), "known, session, mode"),
        (rule(curfew, after="curfew"), "after 'curfew'"),
        (rule(curfew, id="mode"), "there is a rule mode already"),
        (rule(curfew, id="loop.empty"), "there is a rule loop.empty already"),
        (rule(None), "its check is no function"),
        (rule(curfew, id=""), "it needs an id, a title and words"),
        (Rule("acme.rule", "", "What Acme wants.", curfew), "it needs an id, a title and words"),
        (Rule("acme.rule", "Acme", "", curfew), "it needs an id, a title and words"),
        (curfew, "it is no antiphon.policy.Rule"),
    ],
)
def test_a_rule_that_cannot_be_placed_is_named(wrong: Any, words: str) -> None:
    with pytest.raises(RuleError, match="cannot be used") as raised:
        RuleSet([wrong])
    assert words in str(raised.value)


def test_two_rules_of_one_id_are_refused() -> None:
    with pytest.raises(RuleError, match=r"there is a rule acme.rule already"):
        RuleSet([rule(curfew), rule(two_eyes)])


def test_what_is_refused_behind_the_budget_counts_against_it() -> None:
    built_in = RuleSet().counted
    assert RuleSet([rule(curfew, after="budget")]).counted == built_in | {"acme.rule"}
    assert RuleSet([rule(curfew, after="loop")]).counted == built_in


def test_every_built_in_rule_has_its_words() -> None:
    ids = [each for rule in RULES for each in rule.ids]
    assert len(ids) == len(set(ids))
    assert all(rule.title and rule.words and all(rule.ids.values()) for rule in RULES)
