"""Where text comes from: what a tainted conversation does by itself, and what it asks."""

from __future__ import annotations

from typing import Any

import pytest
from tests.policy.helpers import STRICT, Scene, refusal

from antiphon.contracts.person_messages import ValueOrigin
from antiphon.contracts.rights import Rights, ToolRule
from antiphon.policy import Budget, CallOrigins, Nesting, Policy
from antiphon.policy.provenance_rules import ONE_CALL_RULES

MAIL = "an e-mail from eve@example.org"
SAID = {"/query": ValueOrigin(kind="said", text="ada")}


def tainted(writes: bool = True, outside: bool = False, **origins: Any) -> Scene:
    """A call after an e-mail of a stranger was read."""
    scene = Scene()
    scene.schema |= {"sideEffects": "writes" if writes else "read_only", "outside": outside}
    scene.origins = CallOrigins(read=MAIL, **{"planned": True, **origins})
    return scene


def asked(scene: Scene) -> str | None:
    """The rule for which a person is asked; None: the call runs."""
    verdict = scene.decide()
    assert verdict.outcome in ("run", "confirm")
    return verdict.rule if verdict.outcome == "confirm" else None


@pytest.mark.rule("untrusted.call")
def test_what_nobody_asked_for_is_asked_about_once_text_of_others_was_read() -> None:
    assert asked(tainted(planned=False)) == "untrusted.call"
    assert asked(tainted(planned=True)) is None
    clean = tainted(planned=False)
    clean.origins = None
    assert asked(clean) is None
    reads = tainted(writes=False, planned=False)
    assert asked(reads) is None
    asks_the_web = tainted(writes=False, outside=True, planned=False, values=SAID)
    assert asked(asks_the_web) is None


@pytest.mark.rule("untrusted.values")
@pytest.mark.parametrize(("writes", "outside"), [(True, False), (True, True), (False, True)])
def test_values_of_others_or_of_the_model_are_asked_about(writes: bool, outside: bool) -> None:
    scene = tainted(writes, outside, doubtful=["/query"])
    assert asked(scene) == "untrusted.values"
    scene.approved = True
    assert asked(scene) is None
    assert asked(tainted(writes, outside)) is None


@pytest.mark.rule("untrusted.destination")
def test_a_new_destination_is_asked_about_whoever_named_it() -> None:
    assert asked(tainted(new=["/query"])) == "untrusted.destination"
    assert asked(tainted(new=["/query"], doubtful=["/query"])) == "untrusted.destination"


@pytest.mark.rule("untrusted.values")
def test_without_private_data_within_reach_there_is_nothing_to_take() -> None:
    assert asked(tainted(reaches=False, doubtful=["/query"], new=["/query"])) is None


@pytest.mark.rule("untrusted.values")
def test_no_standing_approval_lifts_the_question() -> None:
    scene = tainted(doubtful=["/query"])
    scene.schema["requiresConfirmation"] = True
    scene.view.approved = frozenset({str(scene.name)})
    assert asked(scene) == "untrusted.values"
    scene.origins = CallOrigins(read=MAIL, planned=True)
    verdict = scene.decide()
    assert (verdict.outcome, verdict.rule) == ("run", "approval")


@pytest.mark.rule("untrusted.values")
def test_a_call_of_a_call_is_held_to_the_same() -> None:
    scene = tainted(doubtful=["/query"])
    scene.nested = Nesting(("run_macro",), 1, 0)
    assert asked(scene) == "untrusted.values"


@pytest.mark.rule("untrusted.values")
def test_a_refusal_comes_before_the_question_and_other_questions_give_way_to_it() -> None:
    scene = tainted(doubtful=["/query"])
    narrow = ToolRule(("kb_search",), when="args.query == 'grace'")
    scene.view.rights = Rights(frozenset({"tools.call"}), (narrow,))
    assert scene.decide().rule == "rights"
    scene.view.rights = Rights(frozenset({"tools.call"}), (ToolRule(("*",), effect="ask"),))
    assert asked(scene) == "untrusted.values"


@pytest.mark.rule("budget.questions")
@pytest.mark.parametrize("kind", ["new", "doubtful"])
def test_nobody_is_asked_more_than_they_can_read(kind: str) -> None:
    scene = tainted(**{kind: ["/query"]})
    scene.view.budget = Budget(open_questions=2)
    scene.view.open_questions = 2
    assert refusal(scene.decide())["left"] == {"questions": 0}


@pytest.mark.rule("leak.secret")
@pytest.mark.parametrize("approved", [False, True])
def test_secrets_do_not_leave_whoever_approves_it(approved: bool) -> None:
    scene = tainted(writes=False, outside=True, secret=["/query"])
    scene.approved = approved
    error = refusal(scene.decide())
    assert (error["type"], error["errors"][0]["pointer"]) == ("AUTH", "/query")
    scene.schema["outside"] = False
    assert scene.decide().outcome == "run"


@pytest.mark.rule("leak.private")
def test_private_data_are_asked_about_before_they_leave_by_a_read() -> None:
    scene = tainted(writes=False, outside=True, private=["/query"])
    scene.origins = CallOrigins(values=SAID, private=["/query"])
    assert asked(scene) == "leak.private"
    scene.schema["outside"] = False
    assert asked(scene) is None


@pytest.mark.rule("plan")
def test_a_turn_that_is_held_to_its_plan_has_no_other_tools() -> None:
    scene = Scene(Policy(text=STRICT.text, only_planned=True))
    scene.view.planned = frozenset({"calculator"})
    error = refusal(scene.decide())
    assert error["type"] == "UNAVAILABLE"
    assert "does not need kb_search" in error["message"]
    scene.nested = Nesting(("calculator",), 1, 0)  # what the needed tool calls is its own affair
    assert scene.decide().outcome == "run"
    scene.nested, scene.view.planned = None, frozenset({"kb_search"})
    assert scene.decide().outcome == "run"


def test_what_these_rules_want_asked_is_in_the_table_of_rules() -> None:
    scene = Scene()
    known = {each for rule in scene.view.rules.rules for each in rule.ids}
    assert known >= ONE_CALL_RULES


def test_the_audit_has_of_the_origins_what_the_rules_go_by_but_no_words() -> None:
    kinds = ("said", "result", "default", "untrusted", "model")
    origins = CallOrigins(
        read=MAIL,
        reaches=True,
        planned=True,
        values={f"/{kind}": ValueOrigin(kind=kind, text="hunter2") for kind in kinds},
        doubtful=["/untrusted", "/model"],
        new=["/to"],
        private=["/query"],
        secret=["/pin"],
    )
    told = origins.to_dict()
    assert told == {
        "values": {f"/{kind}": kind for kind in kinds},
        "read": MAIL,
        "planned": True,
        "reaches": True,
        "new": ["/to"],
        "private": ["/query"],
        "secret": ["/pin"],
    }
    again = CallOrigins.from_dict(told)
    assert again.to_dict() == told
    assert {one["text"] for one in again.values.values()} == {""}
    assert again.doubtful == ["/untrusted", "/model"]


def test_where_nothing_is_told_of_the_origins_nothing_was_read_or_asked_for() -> None:
    origins = CallOrigins.from_dict({})
    assert (origins.read, origins.reaches, origins.planned) == ("", False, False)
    assert (origins.values, origins.doubtful) == ({}, [])
    assert (origins.new, origins.private, origins.secret) == ([], [], [])
    assert origins.to_dict() == {"values": {}}


def test_private_data_count_as_within_reach_and_nothing_as_asked_for_unless_said() -> None:
    origins = CallOrigins()
    assert (origins.reaches, origins.planned) == (True, False)
