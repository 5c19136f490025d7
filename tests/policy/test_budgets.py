"""The numbers that ship are those of the documentation."""

from __future__ import annotations

import re
from pathlib import Path

from antiphon.policy import TEXT, VOICE, Budget, Policy

CALLS = (Path(__file__).parents[2] / "docs" / "calls.md").read_text("utf-8")
ROWS = {
    "retrieval_calls": "retrieval calls",
    "total_calls": "calls in all",
    "rounds": "rounds of tool use",
    "top_k": "`top_k` of retrieval tools",
    "tool_time_ms": "tool time, after which",
    "write_calls": "calls of tools that change something",
    "open_questions": "confirmations asked in the turn",
}


def documented(words: str) -> tuple[float | None, float | None]:
    """What docs/calls.md says of voice and of text; None: no limit."""
    found = re.search(rf"^\| {re.escape(words)}[^|]*\|([^|]+)\|([^|]+)\|", CALLS, re.MULTILINE)
    assert found is not None, words
    voice, text = (None if "no" in each else float(each.split()[0]) for each in found.groups())
    return voice, text


def test_the_budgets_are_those_of_the_table() -> None:
    for name, words in ROWS.items():
        assert (getattr(VOICE, name), getattr(TEXT, name)) == documented(words), name
    assert ROWS.keys() == set(Budget.__slots__)


def test_the_other_numbers_are_those_of_the_text() -> None:
    policy = Policy()
    assert (policy.budget("voice"), policy.budget("text")) == (VOICE, TEXT)
    assert f"{policy.nested_calls} calls and {policy.nested_depth} levels" in CALLS
    assert f"works once, for {policy.confirmation_seconds / 60:g} minutes" in CALLS
    assert f"remembers reads for {policy.history_turns} turns" in CALLS
    assert policy.same_call_limit == 3
    assert "the third call of a tool with the same arguments" in CALLS
    assert policy.empty_result_limit == 2
    assert "returned empty results twice" in CALLS
    assert policy.ask_after_reading == {"ignore_user"}
    assert not policy.only_planned
    assert not policy.ask_first | policy.pinned
