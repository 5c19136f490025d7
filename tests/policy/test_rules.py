"""Each rule on its own: what it refuses, what it lets through, and what it says."""

from __future__ import annotations

from typing import Any

import pytest
from tests.policy.helpers import NOW, Scene, refusal

from antiphon.contracts.limits import LimitReached
from antiphon.contracts.provenance import Exposure, Marks
from antiphon.policy import (
    RULES,
    TEXT,
    VOICE,
    Budget,
    CallOrigins,
    EarlierCall,
    Nesting,
    Policy,
)


@pytest.mark.rule("run")
def test_a_good_call_runs_with_its_defaults_applied() -> None:
    verdict = Scene().decide()
    assert (verdict.outcome, verdict.rule, verdict.error) == ("run", "run", None)
    assert verdict.args == {"query": "ada", "top_k": 2}


# -- shape -------------------------------------------------------------------------------------


@pytest.mark.rule("shape")
@pytest.mark.parametrize("name", ["", None, 7, "x" * 201, ["kb_search"]])
def test_a_call_must_name_a_tool(name: Any) -> None:
    scene = Scene()
    scene.name = name
    verdict = scene.decide()
    assert verdict.rule == "shape"
    assert refusal(verdict)["type"] == "VALIDATION"


@pytest.mark.rule("shape")
def test_a_name_may_have_two_hundred_letters() -> None:
    scene = Scene()
    scene.name = "x" * 200
    assert scene.decide().outcome == "run"


@pytest.mark.rule("shape")
@pytest.mark.parametrize("args", [[], "text", 3, None, True])
def test_arguments_must_be_one_object(args: Any) -> None:
    scene = Scene()
    case = scene.case()
    case.args = args
    error = refusal(scene.decide(case))
    assert error["type"] == "VALIDATION"
    assert "kb_search" in error["message"]
    assert error["errors"] == [
        {"pointer": "", "message": "is no JSON object", "expected": "object"}
    ]


@pytest.mark.rule("shape")
def test_arguments_that_are_no_json_are_refused() -> None:
    scene = Scene()
    scene.is_json = False
    verdict = scene.decide()
    assert (verdict.rule, refusal(verdict)["type"]) == ("shape", "VALIDATION")


# -- duplicates --------------------------------------------------------------------------------


@pytest.mark.rule("duplicate")
@pytest.mark.parametrize(("state", "outcome"), [("done", "replay"), ("running", "wait")])
@pytest.mark.parametrize("found_by", ["key", "hash"])
def test_a_duplicate_is_answered_from_its_record(state: Any, outcome: str, found_by: Any) -> None:
    scene = Scene()
    scene.earlier = EarlierCall(state, found_by, True)
    verdict = scene.decide()
    assert (verdict.outcome, verdict.rule, verdict.error) == (outcome, "duplicate", None)


@pytest.mark.rule("duplicate")
@pytest.mark.parametrize("state", ["done", "running", "unknown"])
def test_the_same_key_with_another_call_is_a_conflict(state: Any) -> None:
    scene = Scene()
    scene.earlier = EarlierCall(state, "key", False)
    verdict = scene.decide()
    assert (verdict.rule, refusal(verdict)["type"]) == ("duplicate", "CONFLICT")


@pytest.mark.rule("duplicate")
@pytest.mark.parametrize(
    ("idempotent", "recoverable", "outcome"),
    [(True, False, "recover"), (False, True, "recover"), (False, False, "refuse")],
)
def test_an_unknown_outcome_is_recovered_only_where_that_is_safe(
    idempotent: bool, recoverable: bool, outcome: str
) -> None:
    scene = Scene()
    scene.schema |= {"category": "action", "sideEffects": "writes", "idempotent": idempotent}
    scene.recoverable = recoverable
    scene.earlier = EarlierCall("unknown", "key", True)
    verdict = scene.decide()
    assert (verdict.outcome, verdict.rule) == (outcome, "duplicate")
    if outcome == "refuse":
        error = refusal(verdict)
        assert error["type"] == "OUTCOME_UNKNOWN"
        assert "may have happened" in error["message"]
        assert "do not repeat" in error["message"]


@pytest.mark.rule("duplicate")
@pytest.mark.parametrize(
    ("state", "rule", "kind"),
    [
        ("done", "known", "NOT_FOUND"),
        ("running", "known", "NOT_FOUND"),
        ("unknown", "duplicate", "OUTCOME_UNKNOWN"),
    ],
)
def test_a_duplicate_of_a_tool_that_is_gone_is_refused(state: Any, rule: str, kind: str) -> None:
    """There is nothing left that could replay it; that it may have happened is still said."""
    scene = Scene()
    scene.exists = False
    scene.earlier = EarlierCall(state, "key", True)
    verdict = scene.decide()
    assert (verdict.rule, refusal(verdict)["type"]) == (rule, kind)


@pytest.mark.rule("loop.repeat")
def test_a_replay_found_by_hash_counts_as_a_repetition() -> None:
    scene = Scene()
    scene.earlier = EarlierCall("done", "hash", True)
    scene.called(2)
    verdict = scene.decide()
    assert (verdict.rule, refusal(verdict)["type"]) == ("loop.repeat", "LOOP_DETECTED")


@pytest.mark.rule("loop.repeat")
def test_a_replay_found_by_its_id_is_no_loop_however_often_it_comes() -> None:
    scene = Scene()
    scene.earlier = EarlierCall("done", "key", True)
    scene.called(50)
    assert scene.decide().outcome == "replay"


# -- known, blocked, active, mode, availability ------------------------------------------------


@pytest.mark.rule("known")
@pytest.mark.parametrize("near", [[], ["kb_search"], ["kb_search", "kb_get"]])
def test_an_unknown_tool_is_not_found_and_the_nearest_names_are_offered(near: list[str]) -> None:
    scene = Scene()
    scene.exists = False
    scene.near = near
    verdict = scene.decide()
    error = refusal(verdict)
    assert (verdict.rule, error["type"], error["nearest"]) == ("known", "NOT_FOUND", near)
    assert all(name in error["message"] for name in near)
    assert ("Did you mean" in error["message"]) is bool(near)


@pytest.mark.rule("blocked")
def test_a_blocked_user_is_refused_until_the_time_is_over() -> None:
    scene = Scene()
    scene.view.blocked_until = NOW + 30
    verdict = scene.decide()
    error = refusal(verdict)
    assert (verdict.rule, error["type"]) == ("blocked", "UNAVAILABLE")
    assert error["timeoutUntil"] == (NOW + 30) * 1000
    scene.view.now = NOW + 30
    assert scene.decide().outcome == "run"


@pytest.mark.rule("active")
def test_nothing_runs_in_a_session_that_has_ended() -> None:
    scene = Scene()
    scene.view.active = False
    verdict = scene.decide()
    assert (verdict.rule, refusal(verdict)["type"]) == ("active", "SESSION_INACTIVE")


@pytest.mark.rule("mode")
@pytest.mark.parametrize("mode", ["text", "voice"])
@pytest.mark.parametrize("allowed", [["text"], ["voice"], ["text", "voice"]])
def test_a_tool_runs_only_in_its_modes(mode: str, allowed: list[str]) -> None:
    scene = Scene(mode=mode)
    scene.schema["allowedModes"] = allowed
    verdict = scene.decide()
    if mode in allowed:
        assert verdict.outcome == "run"
        return
    error = refusal(verdict)
    assert (verdict.rule, error["type"]) == ("mode", "MODE_RESTRICTED")
    assert error["allowedModes"] == allowed
    assert allowed[0] in error["message"]


@pytest.mark.rule("mode")
def test_the_modes_of_a_tool_can_be_widened_for_a_session() -> None:
    scene = Scene(mode="voice")
    scene.schema["allowedModes"] = ["text"]
    scene.view.modes = {"kb_get": ("voice",)}
    assert scene.decide().rule == "mode"
    scene.view.modes = {"kb_search": ("voice",)}
    assert scene.decide().outcome == "run"


@pytest.mark.rule("availability")
@pytest.mark.parametrize(
    ("rules", "fields", "environment"),
    [
        ({"requiresAuth": True}, {"authenticated": True}, {}),
        ({"roles": ["admin"]}, {"roles": ("user", "admin")}, {}),
        ({"providers": ["gemini"]}, {"provider": "gemini"}, {}),
        ({"env": ["KEY"]}, {}, {"KEY": "x"}),
        ({"when": "plan.tier == 'pro'"}, {"plan": {"tier": "pro"}}, {}),
    ],
)
def test_a_tool_is_there_only_where_its_conditions_are_met(
    rules: dict[str, Any], fields: dict[str, Any], environment: dict[str, str]
) -> None:
    scene = Scene()
    scene.schema["availability"] = rules
    verdict = scene.decide()
    error = refusal(verdict)
    assert (verdict.rule, error["type"]) == ("availability", "UNAVAILABLE")
    assert error["message"].startswith("kb_search is not available: ")
    scene.fields.update(fields)
    scene.environment.update(environment)
    assert scene.decide().outcome == "run"


# -- rate --------------------------------------------------------------------------------------


@pytest.mark.rule("rate")
def test_the_rate_limit_says_when_the_next_call_is_free() -> None:
    scene = Scene()
    scene.schema["rateLimit"] = {"calls": 2, "windowMs": 10_000}
    scene.view.rates["kb_search"] = [NOW - 9, NOW - 4]
    verdict = scene.decide()
    error = refusal(verdict)
    assert (verdict.rule, error["type"], error["retryAfter"]) == ("rate", "RATE_LIMIT", 1.0)
    assert "2 times in 10 s" in error["message"]
    scene.view.now = NOW + 1
    assert scene.decide().outcome == "run"


@pytest.mark.rule("limit")
def test_a_call_beyond_a_limit_is_refused_with_its_name_and_when_there_is_room() -> None:
    scene = Scene()
    scene.limit = LimitReached("calls_per_minute", "organisation", 60, 60, 2.5)
    verdict = scene.decide()
    error = refusal(verdict)
    assert (verdict.rule, error["type"], error["retryAfter"]) == ("limit", "RATE_LIMIT", 2.5)
    assert (error["limit"], error["scope"], error["used"]) == (
        *("calls_per_minute", "organisation"),
        60,
    )
    assert "60 tool calls a minute" in error["message"]
    scene.limit = None
    assert scene.decide().outcome == "run"


@pytest.mark.rule("shape")
def test_arguments_are_nested_no_deeper_than_anybody_needs() -> None:
    scene = Scene()
    for depth, outcome in ((60, "arguments"), (70, "shape"), (200, "shape")):
        deep: Any = "x"
        for _ in range(depth):
            deep = [deep]
        scene.args = {"query": deep}
        verdict = scene.decide()
        assert verdict.rule == outcome
    assert "64 deep" in refusal(verdict)["message"]
    scene.args = {"query": "[" * 200}
    assert scene.decide().outcome == "run"


@pytest.mark.rule("rate")
@pytest.mark.parametrize(
    ("stamps", "retry_after"),
    [
        ([], None),
        ([-1], None),
        ([-10, -1], None),  # the window's beginning is out of it
        ([-9.5, -1], 0.5),
        ([-9, -8, -7], 2.0),  # the last two must leave but one
        ([0, 0], 10.0),
        ([-9.8766, 0], 0.123),  # in thousandths
        ([5, 6], None),  # the clock was set back: stamps of the future do not count
    ],
)
def test_only_calls_inside_the_window_count(stamps: list[float], retry_after: Any) -> None:
    scene = Scene()
    scene.schema["rateLimit"] = {"calls": 2, "windowMs": 10_000}
    scene.view.rates["kb_search"] = [NOW + s for s in stamps]
    scene.view.rates["another"] = [NOW] * 9
    verdict = scene.decide()
    if retry_after is None:
        assert verdict.outcome == "run"
    else:
        assert refusal(verdict)["retryAfter"] == retry_after


# -- nesting -----------------------------------------------------------------------------------


@pytest.mark.rule("nesting")
@pytest.mark.parametrize(
    ("nested", "kind"),
    [
        (Nesting(("a", "b", "c"), 3, 19), None),
        (Nesting(("a", "b", "c", "d"), 4, 0), "BUDGET_EXCEEDED"),
        (Nesting(("a",), 1, 20), "BUDGET_EXCEEDED"),
        (Nesting(("kb_search",), 1, 0), "LOOP_DETECTED"),
        (Nesting(("a", "kb_search", "b"), 3, 0), "LOOP_DETECTED"),
    ],
)
def test_nested_calls_go_only_so_deep_so_many_and_never_in_a_circle(
    nested: Nesting, kind: str | None
) -> None:
    scene = Scene()
    scene.nested = nested
    verdict = scene.decide()
    if kind is None:
        assert verdict.outcome == "run"
    else:
        assert (verdict.rule, refusal(verdict)["type"]) == ("nesting", kind)


@pytest.mark.rule("nesting")
def test_the_circle_is_named() -> None:
    scene = Scene()
    scene.nested = Nesting(("kb_search", "rank"), 2, 1)
    assert "kb_search → rank → kb_search" in refusal(scene.decide())["message"]


@pytest.mark.rule("nesting")
def test_the_caps_of_nesting_are_configurable() -> None:
    scene = Scene(Policy(nested_depth=1, nested_calls=1))
    scene.nested = Nesting(("a",), 1, 0)
    assert scene.decide().outcome == "run"
    scene.nested = Nesting(("a",), 1, 1)
    assert "1 further" in refusal(scene.decide())["message"]
    scene.nested = Nesting(("a", "b"), 2, 0)
    assert "1 deep" in refusal(scene.decide())["message"]


@pytest.mark.rule("nesting")
def test_nested_calls_are_outside_the_budget_and_the_loops_of_the_turn() -> None:
    scene = Scene()
    scene.nested = Nesting(("a",), 1, 0)
    scene.turn.total = scene.turn.retrieval = scene.turn.rounds = 99
    scene.turn.empty["kb_search"] = 9
    scene.called(9)
    assert scene.decide().outcome == "run"


# -- loops -------------------------------------------------------------------------------------


@pytest.mark.rule("loop.repeat")
def test_the_same_call_a_third_time_is_a_loop() -> None:
    scene = Scene()
    for times in (0, 1):
        scene.called(times)
        assert scene.decide().outcome == "run"
    scene.called(2)
    verdict = scene.decide()
    error = refusal(verdict)
    assert (verdict.rule, error["type"]) == ("loop.repeat", "LOOP_DETECTED")
    assert "3 times" in error["message"]
    assert "different approach" in error["message"]


@pytest.mark.rule("loop.repeat")
def test_other_arguments_or_another_tool_are_no_repetition() -> None:
    scene = Scene()
    scene.turn.calls["kb_search", b'{"query": "someone else"}'] = 9
    scene.turn.calls["kb_get", scene.canonical] = 9
    assert scene.decide().outcome == "run"


@pytest.mark.rule("loop.empty")
@pytest.mark.rule("loop.repeat")
def test_what_another_tool_did_counts_for_none_but_itself() -> None:
    scene = Scene(Policy(same_call_limit=2, empty_result_limit=1))
    scene.turn.empty = {"kb_get": 1}
    scene.turn.calls["kb_get", b"{}"] = 1
    assert scene.decide().outcome == "run"


@pytest.mark.rule("loop.empty")
def test_a_tool_that_found_nothing_twice_is_not_asked_again() -> None:
    scene = Scene()
    scene.turn.empty = {"kb_search": 1, "kb_get": 5}
    assert scene.decide().outcome == "run"
    scene.turn.empty["kb_search"] = 2
    scene.args = {"query": "whatever"}
    verdict = scene.decide()
    error = refusal(verdict)
    assert (verdict.rule, error["type"]) == ("loop.empty", "LOOP_DETECTED")
    assert "different" in error["message"]


@pytest.mark.rule("loop.empty")
@pytest.mark.rule("loop.repeat")
def test_the_limits_of_loops_are_configurable() -> None:
    scene = Scene(Policy(same_call_limit=2, empty_result_limit=1))
    scene.called(1)
    assert scene.decide().rule == "loop.repeat"
    scene.turn.empty["kb_search"] = 1
    assert scene.decide().rule == "loop.empty"


# -- budgets -----------------------------------------------------------------------------------


@pytest.mark.rule("budget.calls")
@pytest.mark.rule("budget.retrieval")
def test_a_voice_turn_has_two_retrievals_and_three_calls() -> None:
    assert Budget(2, 3, None, 3, 1500, None, 5) == VOICE
    scene = Scene(Policy(), "voice")
    scene.turn.total = scene.turn.retrieval = 2
    verdict = scene.decide()
    error = refusal(verdict)
    assert (verdict.rule, error["type"]) == ("budget.retrieval", "BUDGET_EXCEEDED")
    assert error["left"] == {"calls": 1, "retrieval": 0}
    assert "2 retrieval calls" in error["message"]
    assert error["suggestion"] in error["message"]
    scene.schema |= {"category": "utility"}
    assert scene.decide().outcome == "run"
    scene.turn.total = 3
    verdict = scene.decide()
    error = refusal(verdict)
    assert (verdict.rule, error["type"]) == ("budget.calls", "BUDGET_EXCEEDED")
    assert error["left"] == {"calls": 0, "retrieval": 0}


@pytest.mark.rule("budget.retrieval")
@pytest.mark.rule("budget.rounds")
def test_a_text_turn_has_five_retrievals_and_five_rounds() -> None:
    assert Budget(5, 20, 5, 10, None, 8, 5) == TEXT
    scene = Scene(Policy(), "text")
    scene.turn.total, scene.turn.retrieval, scene.turn.rounds = 19, 4, 5
    assert scene.decide().outcome == "run"
    scene.turn.retrieval = 5
    verdict = scene.decide()
    assert (verdict.rule, refusal(verdict)["left"]) == (
        "budget.retrieval",
        {"calls": 1, "retrieval": 0, "rounds": 0, "writes": 8},
    )
    scene.turn.retrieval, scene.turn.rounds = 1, 6
    verdict = scene.decide()
    assert (verdict.rule, refusal(verdict)["left"]) == (
        "budget.rounds",
        {"calls": 1, "retrieval": 4, "rounds": 0, "writes": 8},
    )


@pytest.mark.rule("budget.calls")
@pytest.mark.rule("budget.writes")
def test_a_text_turn_has_twenty_calls_of_which_eight_change_something() -> None:
    scene = Scene(Policy(), "text")
    scene.turn.total, scene.turn.writes = 10, 8
    assert scene.decide().outcome == "run"  # it only reads
    scene.schema |= {"category": "action", "sideEffects": "writes"}
    verdict = scene.decide()
    error = refusal(verdict)
    assert (verdict.rule, error["type"]) == ("budget.writes", "BUDGET_EXCEEDED")
    assert "8 calls that change something" in error["message"]
    assert error["left"]["writes"] == 0
    assert error["suggestion"] in error["message"]
    scene.approved = True
    assert scene.decide().outcome == "run"  # a person wanted it
    scene.approved, scene.turn.writes, scene.turn.total = False, 0, 20
    assert scene.decide().rule == "budget.calls"


@pytest.mark.rule("budget.questions")
@pytest.mark.parametrize("mode", ["text", "voice"])
@pytest.mark.parametrize("where", ["session", "turn"])
def test_nobody_is_asked_more_than_five_things_at_a_time(mode: str, where: str) -> None:
    scene = Scene(Policy(), mode)
    scene.schema["requiresConfirmation"] = True

    def asked(count: int) -> None:
        if where == "session":
            scene.view.open_questions = count
        else:
            scene.turn.questions = count

    asked(4)
    assert scene.decide().outcome == "confirm"
    asked(5)
    verdict = scene.decide()
    error = refusal(verdict)
    assert (verdict.rule, error["type"]) == ("budget.questions", "BUDGET_EXCEEDED")
    assert error["left"] == {"questions": 0}
    assert error["suggestion"] in error["message"]
    scene.approved = True
    assert scene.decide().outcome == "run"


@pytest.mark.rule("untrusted.call")
def test_what_others_wrote_blocks_nobody_by_itself() -> None:
    scene = Scene()
    scene.name = "ignore_user"
    assert scene.decide().outcome == "run"
    scene.view.exposure.marks = Marks("untrusted")
    verdict = scene.decide()
    assert (verdict.outcome, verdict.rule) == ("confirm", "untrusted.call")
    scene.approved = True
    assert scene.decide().outcome == "run"
    # Nor does a macro or a workflow, which may have been written by such text.
    scene.approved, scene.view.exposure = False, Exposure()
    scene.nested = Nesting(("run_macro",), 1, 0)
    assert scene.decide().rule == "untrusted.call"
    scene.view.open_questions = 5
    assert scene.decide().rule == "untrusted.call"  # this policy has no such limit
    other = Scene()
    other.view.exposure.marks = Marks("untrusted")
    assert other.decide().outcome == "run"


@pytest.mark.rule("budget.calls")
@pytest.mark.parametrize("mode", ["text", "voice"])
def test_each_mode_has_its_own_budget_and_both_are_configurable(mode: str) -> None:
    small, large = Budget(None, 1, None, None, None), Budget(None, 9, None, None, None)
    for policy, limit in ((Policy(voice=small, text=large), 1), (Policy(large, small), 9)):
        expected = limit if mode == "voice" else 10 - limit
        scene = Scene(policy, mode)
        scene.turn.total = expected - 1
        assert scene.decide().outcome == "run"
        scene.turn.total = expected
        error = refusal(scene.decide())
        assert f"{mode} budget of {expected} tool calls" in error["message"]


@pytest.mark.rule("budget.calls")
def test_no_limit_is_no_limit() -> None:
    free = Budget(None, None, None, None, None)
    scene = Scene(Policy(text=free))
    scene.turn.total = scene.turn.retrieval = scene.turn.rounds = 10**6
    scene.args = {"query": "ada", "top_k": 50}
    verdict = scene.decide()
    assert (verdict.outcome, verdict.args) == ("run", scene.args)


# -- arguments ---------------------------------------------------------------------------------


@pytest.mark.rule("confirmation.token")
@pytest.mark.parametrize("name", ["confirmationToken", "confirmation_token"])
def test_a_model_cannot_bring_a_confirmation(name: str) -> None:
    scene = Scene()
    scene.args = {"query": "ada", name: "v1.x"}
    scene.approved = True
    verdict = scene.decide()
    error = refusal(verdict)
    assert (verdict.rule, error["type"]) == ("confirmation.token", "VALIDATION")
    assert error["errors"][0]["pointer"] == f"/{name}"
    assert "v1.x" not in str(error)


@pytest.mark.rule("confirmation.token")
def test_a_schema_that_names_a_token_does_not_let_it_through() -> None:
    scene = Scene()
    scene.schema["parameters"] = {"type": "object"}
    scene.args = {"confirmationToken": "x"}
    assert scene.decide().rule == "confirmation.token"


@pytest.mark.rule("arguments")
def test_every_bad_field_is_named() -> None:
    scene = Scene()
    scene.args = {"query": 7, "top_k": "3", "colour": "red"}
    verdict = scene.decide()
    error = refusal(verdict)
    assert (verdict.rule, error["type"]) == ("arguments", "VALIDATION")
    assert {e["pointer"] for e in error["errors"]} == {"/query", "/top_k", "/colour"}
    assert error["message"].startswith("Invalid parameters: ")


@pytest.mark.rule("arguments")
def test_a_missing_field_is_named_and_nothing_is_coerced() -> None:
    scene = Scene()
    scene.args = {}
    assert "query" in refusal(scene.decide())["message"]
    scene.args = {"query": "ada", "top_k": "2"}
    assert scene.decide().rule == "arguments"


@pytest.mark.rule("arguments")
@pytest.mark.parametrize(
    ("mode", "asked", "used"),
    [("voice", 3, 3), ("voice", 4, 3), ("voice", 50, 3), ("text", 10, 10), ("text", 11, 10)],
)
def test_top_k_is_clamped_to_the_mode(mode: str, asked: int, used: int) -> None:
    scene = Scene(Policy(), mode)
    scene.args = {"query": "ada", "top_k": asked}
    case = scene.case()
    verdict = scene.decide(case)
    assert verdict.args == {"query": "ada", "top_k": used}
    assert case.clamped == (None if asked == used else (asked, used))
    assert scene.args["top_k"] == asked


@pytest.mark.rule("arguments")
def test_a_default_top_k_is_clamped_too() -> None:
    scene = Scene(Policy(), "voice")
    top_k = {"type": "integer", "default": 8}
    scene.schema["parameters"] = {"type": "object", "properties": {"top_k": top_k}}
    scene.args = {}
    case = scene.case()
    assert scene.decide(case).args == {"top_k": 3}
    assert case.clamped == (8, 3)
    assert scene.decide().args == {"top_k": 3}


@pytest.mark.rule("arguments")
def test_an_asked_top_k_beyond_the_schema_is_clamped_before_it_is_checked() -> None:
    scene = Scene(Policy(), "voice")
    scene.args = {"query": "ada", "top_k": 5000}
    assert scene.decide().args == {"query": "ada", "top_k": 3}


@pytest.mark.rule("arguments")
@pytest.mark.parametrize("top_k", [True, "9", None, [9], 0, -4])
def test_a_top_k_that_is_no_count_is_left_to_the_schema(top_k: Any) -> None:
    scene = Scene(Policy(), "voice")
    scene.args = {"query": "ada", "top_k": top_k}
    assert scene.decide().rule == "arguments"


@pytest.mark.rule("arguments")
def test_top_k_of_other_tools_is_their_own_business() -> None:
    scene = Scene(Policy(), "voice")
    scene.schema["category"] = "utility"
    scene.args = {"query": "ada", "top_k": 40}
    assert scene.decide().args == {"query": "ada", "top_k": 40}


# -- confirmation ------------------------------------------------------------------------------


@pytest.mark.rule("confirmation")
def test_a_person_is_asked_with_the_validated_arguments() -> None:
    scene = Scene()
    scene.schema["requiresConfirmation"] = True
    verdict = scene.decide()
    assert (verdict.outcome, verdict.rule) == ("confirm", "confirmation")
    assert verdict.args == {"query": "ada", "top_k": 2}
    scene.approved = True
    assert scene.decide().outcome == "run"


@pytest.mark.rule("confirmation")
def test_an_approved_call_is_outside_the_budget_but_passes_every_other_gate() -> None:
    scene = Scene()
    scene.schema |= {"requiresConfirmation": True, "rateLimit": {"calls": 1, "windowMs": 1000}}
    scene.approved = True
    scene.turn.total = scene.turn.retrieval = scene.turn.rounds = 99
    scene.turn.empty["kb_search"] = 9
    scene.called(9)
    assert scene.decide().outcome == "run"
    scene.view.rates["kb_search"] = [NOW]
    assert scene.decide().rule == "rate"
    scene.view.blocked_until = NOW + 1
    assert scene.decide().rule == "blocked"


@pytest.mark.rule("arguments")
def test_an_error_does_not_quote_what_is_redacted() -> None:
    scene = Scene()
    scene.schema["parameters"] = {
        "type": "object",
        "properties": {"pin": {"enum": ["1234"]}, "colour": {"enum": ["red"]}},
        "required": ["pin", "colour"],
    }
    scene.args = {"pin": "hunter2", "colour": "mauve"}
    assert "hunter2" in refusal(scene.decide())["message"]
    scene.schema["redact"] = ["/pin"]
    message = refusal(scene.decide())["message"]
    assert "hunter2" not in message
    assert "/pin is not what it must be" in message
    assert "mauve" in message


@pytest.mark.rule("arguments")
def test_the_message_names_five_bad_fields_and_the_list_all() -> None:
    scene = Scene()
    scene.args = {"query": "ada", **dict.fromkeys("abcdefg", 1)}
    error = refusal(scene.decide())
    assert len(error["errors"]) == 7
    assert error["message"].count("; ") == 4


@pytest.mark.rule("arguments")
def test_a_retrieval_tool_need_not_have_a_top_k() -> None:
    scene = Scene()
    scene.schema["parameters"] = {"type": "object", "properties": {"query": {"type": "string"}}}
    verdict = scene.decide()
    assert (verdict.outcome, verdict.args) == ("run", {"query": "ada"})


def test_a_rule_has_nothing_against_calls_that_are_none_of_its_business() -> None:
    """What `RuleSet.gates` leaves out, as it could never decide."""
    scene = Scene()
    scene.schema["outside"] = False
    scene.turn.empty, scene.turn.total = {"kb_search": 9}, 99
    scene.called(9)
    scene.origins = CallOrigins(read="a page", private=["/query"], secret=["/query"])
    case = scene.case()
    for rule in RULES:
        if rule.id in ("mode", "leak"):
            assert rule.check is not None
            assert rule.check(case, scene.tool(), scene.view) is None, rule.id
    case.nested = Nesting(("macro",), 1, 0)
    for rule in RULES:
        if rule.id in ("loop", "budget"):
            assert rule.check is not None
            assert rule.check(case, scene.tool(), scene.view) is None, rule.id
    assert case.question is None
