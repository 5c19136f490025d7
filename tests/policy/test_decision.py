"""What `decide` keeps from one call to the next, and what is looked at again before a call runs."""

from __future__ import annotations

from tests.policy.helpers import Scene, refusal
from tests.policy.test_rights import rights

from antiphon.contracts import ToolCall
from antiphon.contracts.rights import ToolRule
from antiphon.contracts.session_data import session_data
from antiphon.policy import (
    Case,
    EarlierCall,
    Nesting,
    Policy,
    PolicyView,
    RuleSet,
    check_rights,
    decide,
)
from antiphon.policy.rules import is_hidden


def test_rules_for_nested_calls_and_for_the_models_own_are_kept_apart() -> None:
    scene = Scene()
    scene.turn.total = 3  # the turn's budget is used up, which nested calls have nothing to do with
    own, deep = scene.case(), scene.case()
    deep.nested = Nesting(("macro",), 9, 0)
    tool, view = scene.tool(), scene.view
    for _ in range(2):
        assert decide(own, tool, view).rule == "budget.calls"
        assert decide(deep, tool, view).rule == "nesting"


def test_the_rules_of_a_tool_are_kept_for_its_next_call() -> None:
    scene = Scene()
    own, deep = scene.case(), scene.case()
    deep.nested = Nesting(("macro",), 1, 0)
    decide(own, scene.tool(), scene.view)
    assert (list(scene.view.gates), list(scene.view.nested_gates)) == (["kb_search"], [])
    decide(deep, scene.tool(), scene.view)
    assert list(scene.view.nested_gates) == ["kb_search"]


def test_rights_are_looked_at_again_before_a_call_runs() -> None:
    scene = Scene()
    case, tool, view = scene.case(), scene.tool(), scene.view
    assert check_rights(case, tool, view) is None
    assert not is_hidden(tool, view)
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
    assert scene.decide(case).rule == "run"
    assert not case.hidden
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


def test_without_rights_a_repeated_call_stays_as_it_came() -> None:
    scene = Scene()
    scene.earlier = EarlierCall("done", "key", True)
    case = scene.case()
    assert scene.decide(case).outcome == "replay"
    assert case.args == {"query": "ada"}


def test_a_session_begins_with_nothing_done_and_nothing_waiting() -> None:
    fresh = PolicyView("text", Policy(), {}, {}, lambda _: [], RuleSet())
    assert (fresh.now, fresh.blocked_until, fresh.open_questions, fresh.active) == (0, 0, 0, True)
    turn = fresh.turn
    assert (turn.number, turn.rounds, turn.total, turn.retrieval, turn.writes) == (1, 0, 0, 0, 0)
    assert (turn.questions, turn.tool_ms, turn.calls, turn.empty) == (0, 0, {}, {})
    assert (fresh.approved, fresh.planned, fresh.rights) == (frozenset(), None, None)
    assert (fresh.modes, fresh.rates, fresh.gates, fresh.nested_gates) == ({}, {}, {}, {})
    assert fresh.data == {}
    told = session_data({"tenant": "acme"})
    assert PolicyView("text", Policy(), {"data": told}, {}, lambda _: [], RuleSet()).data is told
    case = Case(ToolCall("call_0123456789", "kb_search", {}), b"{}")
    assert (case.approved, case.hidden, case.clamped, case.question) == (False, False, None, None)
    assert (case.origins, case.limit, case.earlier, case.nested) == (None, None, None, None)
