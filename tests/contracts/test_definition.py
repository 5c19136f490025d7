"""The tool definition: defaults that follow from the rest, and the way back to `schema.json`."""

from __future__ import annotations

import dataclasses
from typing import Any

import pytest

from antiphon.contracts import RateLimit, ToolCall, ToolDefinition, Variant

SHORTEST: dict[str, Any] = {
    "toolId": "kb_get",
    "version": "1.0.0",
    "description": "Fetch one record.",
    "category": "retrieval",
    "sideEffects": "read_only",
    "idempotent": True,
    "requiresConfirmation": False,
    "allowedModes": ["text", "voice"],
    "latencyBudgetMs": 300,
    "parameters": {"type": "object", "additionalProperties": False},
}
LONGEST: dict[str, Any] = {
    **SHORTEST,
    "risk": "low",
    "execution": "background",
    "timeoutMs": 5000,
    "interruption": "detach",
    "rateLimit": {"calls": 3, "windowMs": 60_000},
    "availability": {"roles": ["admin"], "when": "mode == 'text'"},
    "output": {"type": "object"},
    "redact": ["/secret"],
    "variants": [{"name": "b", "weight": 0.5, "handler": "b.py"}],
    "catalogue": "text",
    "isolation": "process",
    "network": True,
    "origin": "trusted",
    "sensitivity": "secret",
    "outside": False,
}


def test_what_is_left_out_follows_from_the_rest() -> None:
    tool = ToolDefinition.from_schema(SHORTEST)
    assert (tool.risk, tool.consent_risk) == ("low", "high")  # nothing changes, nobody is asked
    for more in ({"sideEffects": "writes"}, {"requiresConfirmation": True}):
        asked = ToolDefinition.from_schema({**SHORTEST, **more})
        assert (asked.risk, asked.consent_risk, asked.approvals) == ("high", "high", 1)
    assert tool.execution == "server"
    assert tool.timeout_ms == 3000
    assert tool.interruption == "cancel"
    assert tool.rate_limit is None
    assert tool.availability == {}
    assert tool.output is None
    assert tool.redact == ()
    assert tool.variants == ()
    assert tool.catalogue is None
    assert tool.isolation == "inline"
    assert ToolDefinition.from_schema(SHORTEST, "sync").isolation == "thread"
    assert tool.network is False


@pytest.mark.parametrize(
    ("more", "expected"),
    [
        ({}, ("untrusted", "private", True)),
        ({"sideEffects": "writes"}, ("untrusted", "private", True)),
        ({"sideEffects": "none"}, ("trusted", "public", False)),
        # It says that it computes from its arguments alone, and may use the network all the same.
        ({"sideEffects": "none", "network": True}, ("untrusted", "private", True)),
        ({"origin": "trusted", "outside": False}, ("trusted", "private", False)),
        ({"sideEffects": "none", "origin": "untrusted"}, ("untrusted", "public", False)),
        ({"sensitivity": "secret"}, ("untrusted", "secret", True)),
    ],
)
def test_a_tool_that_does_not_say_where_its_text_comes_from_counts_as_the_worst(
    more: dict[str, Any], expected: tuple[str, str, bool]
) -> None:
    tool = ToolDefinition.from_schema({**SHORTEST, **more})
    assert (tool.origin, tool.sensitivity, tool.outside) == expected
    assert tool.marks.origin == ("house" if expected[0] == "trusted" else "untrusted")
    assert ToolDefinition.from_schema({**SHORTEST, **tool.metadata()}) == tool


def test_what_is_given_is_taken() -> None:
    tool = ToolDefinition.from_schema(LONGEST)
    assert (tool.risk, tool.execution, tool.timeout_ms) == ("low", "background", 5000)
    assert tool.interruption == "detach"
    assert tool.rate_limit == RateLimit(3, 60_000)
    assert tool.variants == (Variant("b", 0.5, "b.py"),)
    assert tool.redact == ("/secret",)
    assert tool.output == {"type": "object"}
    assert tool.catalogue == "text"


@pytest.mark.parametrize(
    ("budget", "timeout"), [(1, 10), (0.5, 5), (12_000, 120_000), (12_001, 120_000)]
)
def test_the_timeout_is_ten_budgets_and_at_most_two_minutes(budget: float, timeout: float) -> None:
    tool = ToolDefinition.from_schema(SHORTEST | {"latencyBudgetMs": budget})
    assert tool.timeout_ms == timeout


@pytest.mark.parametrize(
    ("effects", "interruption", "writes"),
    [("none", "cancel", False), ("read_only", "cancel", False), ("writes", "finish", True)],
)
def test_barge_in_cancels_reads_and_lets_writes_finish(
    effects: str, interruption: str, writes: bool
) -> None:
    tool = ToolDefinition.from_schema(SHORTEST | {"sideEffects": effects})
    assert tool.interruption == interruption
    assert tool.writes is writes


@pytest.mark.parametrize("schema", [SHORTEST, LONGEST], ids=["shortest", "longest"])
def test_metadata_says_everything_but_the_parameters_and_reads_back_the_same(
    schema: dict[str, Any],
) -> None:
    tool = ToolDefinition.from_schema(schema)
    metadata = tool.metadata()
    assert "parameters" not in metadata
    given = {k: v for k, v in schema.items() if k != "parameters"}
    assert metadata | given == metadata
    again = ToolDefinition.from_schema({**metadata, "parameters": schema["parameters"]})
    assert again == tool


def test_a_definition_never_changes() -> None:
    tool = ToolDefinition.from_schema(SHORTEST)
    with pytest.raises(dataclasses.FrozenInstanceError):
        tool.version = "2.0.0"  # type: ignore[misc]


def test_a_call_has_arguments_of_its_own_and_keeps_them_out_of_logs() -> None:
    call = ToolCall(id="call_1", name="kb_get", args={"password": "hunter2"})
    assert call.args == {"password": "hunter2"}
    assert "hunter2" not in repr(call)
    assert "call_1" in repr(call)
    assert "kb_get" in repr(call)
    first, second = ToolCall(name="a"), ToolCall(name="b")
    first.args["x"] = 1
    assert second.args == {}


def test_a_call_keeps_arguments_that_are_no_object_for_validation_to_refuse() -> None:
    assert ToolCall(name="a", args=[]).args == []
    assert ToolCall(name="a", args=0).args == 0
