"""Parsers given what nobody meant them to read: a result or a refusal in words, in time."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.effort import examples
from tests.fuzz.damage import damaged
from tests.fuzz.found import FOUND
from tests.fuzz.targets import TARGETS, Target

# Each of these costs many times the others.
DEAR = {"schema_json": 4, "pdf": 4, "ics": 2, "openapi": 2}


@pytest.mark.parametrize("target", TARGETS, ids=lambda target: target.name)
def test_whatever_comes_is_a_result_or_a_refusal_in_words(target: Target) -> None:
    @settings(
        max_examples=max(
            5,
            examples(60) // DEAR.get(target.name, 1),
        )
    )
    @given(damaged(target) | st.binary(max_size=200))
    def check(data: bytes) -> None:
        target.check(data)

    check()


@pytest.mark.parametrize(
    ("name", "data"), FOUND, ids=[f"{name}-{number}" for number, (name, _) in enumerate(FOUND)]
)
def test_what_was_found_once_is_refused_or_read(name: str, data: bytes) -> None:
    next(target for target in TARGETS if target.name == name).check(data)
