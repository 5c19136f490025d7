"""The gates told to people: the same as in docs/rules.md, and the way of each recorded call."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest

from antiphon.policy import BUILT_IN, RULES
from antiphon.server.routes.rules import RuleList, passages

DOCUMENT = Path(__file__).parents[3] / "docs" / "rules.md"
ROW = re.compile(r"^\| `([a-z._]+)` \|", re.MULTILINE)


def way(line: dict[str, Any], definition: Any = None) -> dict[str, list[str]]:
    """The gates of a call by what happened there, in their order."""
    found: dict[str, list[str]] = {}
    for passage in passages(line, definition, BUILT_IN):
        found.setdefault(passage.outcome, []).append(passage.id)
    return found


def test_every_documented_rule_has_its_gate_in_the_documented_order() -> None:
    told = [rule for gate in RULES for rule in gate.ids]
    documented = ROW.findall(DOCUMENT.read_text("utf-8"))
    documented.remove("registry.version")  # is looked at before all others, and stands by its kind
    assert told == ["registry.version", *documented]


def test_they_are_served_with_the_numbers_in_force(shop: Any) -> None:
    told = RuleList.model_validate(shop.get("/api/rules").json)
    assert [gate.id for gate in told.gates] == [gate.id for gate in RULES]
    assert told.policy["voice.total_calls"] == 3
    assert told.policy["text.total_calls"] == 20
    assert told.policy["voice.rounds"] is None
    assert "ask_after_reading" not in told.policy
    assert told.policy["same_call_limit"] == 3


@pytest.mark.parametrize(
    ("line", "outcome", "gate"),
    [
        ({"decision": "refuse", "rule": "budget.calls"}, "stopped", "budget"),
        ({"decision": "refuse", "rule": "shape"}, "stopped", "shape"),
        ({"decision": "confirm", "rule": "confirmation"}, "asked", "confirmation"),
        ({"decision": "replay", "rule": "duplicate"}, "answered", "duplicate"),
        ({"decision": "run", "rule": "run"}, "ran", "run"),
        ({"decision": "run", "rule": "approval"}, "ran", "run"),
        ({"decision": "run", "rule": "duplicate"}, "ran", "run"),
    ],
)
def test_a_call_passes_gates_until_one_decides(
    line: dict[str, Any], outcome: str, gate: str
) -> None:
    ids = [each.id for each in RULES]
    found = way(line)
    assert found[outcome] == [gate]
    at = ids.index(gate)
    assert sorted([*found.get("passed", []), *found.get("idle", [])]) == sorted(ids[:at])
    assert found.get("not_reached", []) == ids[at + 1 :]
    [named] = [each for each in passages(line, None, BUILT_IN) if each.rule]
    assert named.rule == line["rule"]


def test_gates_that_have_nothing_to_say_are_told_apart(shop: Any, workshop: Any) -> None:
    definitions = {
        tool_id: tool.definition for tool_id, tool in workshop.registry.snapshot().tools.items()
    }
    ran = {"decision": "run", "rule": "run", "toolVersion": "1.0.0"}
    assert way(ran, definitions["find"])["idle"] == [
        *("availability", "rate", "nesting", "plan", "leak", "untrusted", "confirmation")
    ]
    assert "rate" in way(ran, definitions["limited"])["passed"]
    assert "confirmation" in way(ran, definitions["ask_first"])["passed"]
    nested = way({**ran, "source": "tool"}, definitions["limited"])
    assert nested["idle"] == [
        *("availability", "plan", "loop", "budget", "leak", "untrusted", "confirmation")
    ]
    approved = way({**ran, "source": "confirmation"}, definitions["ask_first"])
    assert approved["idle"] == [
        *("availability", "rate", "nesting", "plan", "loop", "budget", "leak", "untrusted")
    ]
    traced = {**ran, "origins": {"values": {}, "read": "a page"}}
    assert {"leak", "untrusted"} <= set(way(traced, definitions["find"])["passed"])
    # The tool may have been another one then.
    older = way({**ran, "toolVersion": "0.9.0"}, definitions["find"])
    assert older["idle"] == ["nesting", "plan", "leak", "untrusted"]


@pytest.mark.parametrize("line", [{}, {"rule": "task", "decision": "run"}, {"rule": "run"}])
def test_what_is_no_decision_has_no_gates(line: dict[str, Any]) -> None:
    assert passages(line, None, BUILT_IN) == []
