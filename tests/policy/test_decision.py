"""What `decide` keeps from one call to the next, and what is looked at again before a call runs."""

from __future__ import annotations

from tests.policy.helpers import Scene, refusal
from tests.policy.test_rights import rights

from antiphon.contracts.rights import ToolRule
from antiphon.policy import EarlierCall, Nesting, check_rights, decide


def test_rules_for_nested_calls_and_for_the_models_own_are_kept_apart() -> None:
    scene = Scene()
    scene.turn.total = 3  # the turn's budget is used up, which nested calls have nothing to do with
    own, deep = scene.case(), scene.case()
    deep.nested = Nesting(("macro",), 9, 0)
    tool, view = scene.tool(), scene.view
    for _ in range(2):
        assert decide(own, tool, view).rule == "budget.calls"
        assert decide(deep, tool, view).rule == "nesting"


def test_rights_are_looked_at_again_before_a_call_runs() -> None:
    scene = Scene()
    case, tool, view = scene.case(), scene.tool(), scene.view
    assert check_rights(case, tool, view) is None
    view.rights = rights(ToolRule(("*",)))
    assert check_rights(case, tool, view) is None
    view.rights = rights()
    hidden = check_rights(case, tool, view)
    assert hidden is not None
    assert hidden.rule == "known"
    refusal(hidden)
    view.rights = rights(ToolRule(("*",)), ToolRule(("*",), "refuse", when="args.query == 'ada'"))
    refused = check_rights(case, tool, view)
    assert refused is not None
    assert refused.rule == "rights"
    refusal(refused)


def test_a_hidden_tool_is_noted_in_the_case() -> None:
    scene = Scene()
    case = scene.case()
    scene.view.rights = rights()
    assert scene.decide(case).rule == "known"
    assert case.hidden


def test_a_stored_answer_is_shown_by_the_rights_to_the_arguments_that_ran() -> None:
    scene = Scene()
    scene.earlier = EarlierCall("done", "key", True)
    scene.view.rights = rights(ToolRule(("*",), when="args.top_k == 2"))  # the schema's default
    assert scene.decide().outcome == "replay"
    scene.args = {"query": "ada", "top_k": 1}
    assert scene.decide().rule == "rights"
