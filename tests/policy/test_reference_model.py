"""The rules against a model of them that was written from the documentation alone."""

from __future__ import annotations

import os
import random

from tests.policy.every_path import EARLY, LESSER, each_early_rule, every_path
from tests.policy.generated_cases import Facts, random_facts, scene
from tests.policy.reference_model import expected

from antiphon.policy import decide

CASES = int(os.environ.get("POLICY_CASES", "10000"))
SEED = int(os.environ.get("POLICY_SEED", "1"))


def difference(facts: Facts) -> str:
    """What the rules and the model say differently of a case; empty where they agree."""
    verdict = decide(*scene(facts))
    said, wanted = (verdict.outcome, verdict.rule), expected(facts)
    return "" if said == wanted else f"decide says {said}, the documentation {wanted}: {facts}"


def test_every_generated_case_is_decided_as_the_documentation_says() -> None:
    draw = random.Random(SEED)
    found: dict[str, None] = {}
    for _ in range(CASES):
        if words := difference(random_facts(draw)):
            found[words] = None
    assert not found, f"seed {SEED}, {len(found)} of {CASES} cases:\n" + "\n".join(list(found)[:10])


def test_the_generated_cases_come_to_every_verdict() -> None:
    draw = random.Random(SEED)
    seen = {expected(random_facts(draw)) for _ in range(min(CASES, 20_000))}
    rules = {rule for _, rule in seen}
    assert {"run", "replay", "wait", "recover", "confirm", "refuse"} == {each for each, _ in seen}
    assert len(rules) >= 28, rules


def test_what_comes_before_the_arguments_only_refuses_and_leaves_no_trace() -> None:
    for rule, inputs, verdict in each_early_rule():
        case = inputs.case
        assert verdict is None or verdict.outcome in ("refuse", "replay", "wait", "recover"), rule
        assert verdict is None or verdict.outcome == "refuse" or rule == "duplicate"
        assert (case.question, case.clamped, case.hidden) == (None, None, False), rule
        assert case.args is inputs.path.facts.get("case.args", case.args), rule


def test_on_no_path_does_text_of_others_act_without_a_yes_or_the_persons_own_wish() -> None:
    """Through the rules as they are, with every input unknown: whatever a conversation has read, a
    call that changes something or talks to the outside runs only if somebody has approved it, or if
    its values are the person's own, it goes nowhere new, and a change is what they asked for."""
    usual = EARLY if os.environ.get("POLICY_ALL_PATHS") else EARLY | LESSER
    paths = acted = 0
    for inputs, verdict in every_path(usual):
        paths += 1
        case, path = inputs.case, inputs.path
        if verdict.outcome != "run" or case.origins is None:
            continue
        writes, outside = inputs.tool.definition.writes, inputs.tool.definition.outside
        if not (writes or outside):
            continue
        acted += 1
        origins = case.origins
        assert not (outside and origins.secret), path.facts
        if case.approved:
            continue
        assert not (outside and not writes and origins.private), path.facts
        if origins.read and origins.reaches:
            assert not origins.new, path.facts
            assert not origins.doubtful, path.facts
            assert origins.planned or not writes, path.facts
    print(f"{paths} paths through decide; on {acted} a call acts after something was read")
    assert acted > 500
