"""Error types, their layers, and the bodies that report them."""

from __future__ import annotations

import re

import pytest

from antiphon.contracts import ErrorType, ToolError, error_body, errors, fail

LAYERS = {
    "registry": {"VALIDATION", "NOT_FOUND", "INTERNAL"},
    "orchestrator": {
        "MODE_RESTRICTED",
        "BUDGET_EXCEEDED",
        "CONFIRMATION_REQUIRED",
        "LOOP_DETECTED",
        "UNAVAILABLE",
        "IN_PROGRESS",
        "OUTCOME_UNKNOWN",
        "CANCELLED",
    },
    "handler": {
        "SESSION_INACTIVE",
        "SESSION_ACTIVE",
        "TRANSIENT",
        "PERMANENT",
        "CONFLICT",
        "AUTH",
        "RATE_LIMIT",
    },
}


def drawn() -> dict[str, set[str]]:
    """The tree in the module's docstring: layer to types."""
    tree: dict[str, set[str]] = {}
    layer = ""
    for line in (errors.__doc__ or "").splitlines():
        if found := re.match(r"[├└]── (\w+)", line):
            layer = found[1]
            tree[layer] = set()
        elif found := re.match(r"[│ ]   [├└]── (\w+) +\S", line):
            tree[layer].add(found[1])
    return tree


def test_every_error_type_belongs_to_the_layer_that_says_it() -> None:
    assert {t: t.layer for t in ErrorType} == {
        ErrorType(name): layer for layer, names in LAYERS.items() for name in names
    }


def test_the_tree_in_the_docstring_shows_every_type_under_its_layer_and_no_other() -> None:
    assert drawn() == LAYERS


def test_an_error_type_is_its_own_name_on_the_wire() -> None:
    for kind in ErrorType:
        assert kind == kind.name == str(kind)


@pytest.mark.parametrize("kind", ErrorType)
def test_only_transient_and_rate_limit_are_retryable_unless_the_handler_says_so(
    kind: ErrorType,
) -> None:
    assert error_body(kind, "m")["retryable"] is (kind in ("TRANSIENT", "RATE_LIMIT"))
    assert error_body(kind, "m", retryable=True)["retryable"] is True
    assert error_body(kind, "m", retryable=False)["retryable"] is False


def test_a_body_has_four_members_and_the_further_ones_that_were_given() -> None:
    assert error_body(ErrorType.CONFLICT, "taken") == {
        "type": "CONFLICT",
        "message": "taken",
        "retryable": False,
        "partialSideEffects": False,
    }
    assert error_body(
        ErrorType.RATE_LIMIT, "slow down", partial_side_effects=True, retry_after=2.5, limit=3
    ) == {
        "type": "RATE_LIMIT",
        "message": "slow down",
        "retryable": True,
        "partialSideEffects": True,
        "retryAfter": 2.5,
        "limit": 3,
    }


def test_a_tool_error_carries_the_same_body_as_fail() -> None:
    error = ToolError(ErrorType.TRANSIENT, "try again", retry_after=0, host="kb")
    assert str(error) == error.message == "try again"
    assert error.type is ErrorType.TRANSIENT
    assert error.body == fail(ErrorType.TRANSIENT, "try again", retry_after=0, host="kb").error
    assert error.body["retryAfter"] == 0


def test_a_type_may_be_given_by_name_but_must_be_one() -> None:
    assert ToolError("AUTH", "who are you").type is ErrorType.AUTH  # type: ignore[arg-type]
    assert fail("AUTH", "who").error["type"] is ErrorType.AUTH  # type: ignore[arg-type, index]
    with pytest.raises(ValueError, match="OOPS"):
        ToolError("OOPS", "x")  # type: ignore[arg-type]
    with pytest.raises(ValueError, match="OOPS"):
        fail("OOPS", "x")  # type: ignore[arg-type]
