"""JSON is read strictly, and what is wrong with it is located."""

from __future__ import annotations

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from antiphon.registry.strict_json import MAX_DEPTH, nesting, parse

VALUES = st.recursive(
    st.none()
    | st.booleans()
    | st.integers(-(2**63), 2**64 - 1)
    | st.floats(allow_nan=False, allow_infinity=False)
    | st.text(),
    lambda inner: st.lists(inner) | st.dictionaries(st.text(), inner),
    max_leaves=20,
)


@given(VALUES)
def test_valid_json_is_read_without_problems(value: object) -> None:
    assert parse(json.dumps(value).encode()) == (value, [])


@given(st.binary())
def test_no_bytes_raise(raw: bytes) -> None:
    parse(raw)


@pytest.mark.parametrize(
    ("raw", "rule", "pointer", "said"),
    [
        (b"", "json-syntax", "", "is empty"),
        (b'{\n  "a": 1\n  "b": 2}', "json-syntax", "", "line 3:3"),
        (b"\xef\xbb\xbf{}", "json-bom", "", "byte order mark"),
        (b'{\n"a": "\xff"}', "json-encoding", "", "line 2: byte 0xff"),
        (b'{"a": {"b": 1, "b": 2}}', "json-duplicate", "/a/b", "'b'"),
        (b'[{"x/y": NaN}]', "json-number", "/0/x~1y", "NaN"),
        (b"[-Infinity]", "json-number", "/0", "-Infinity"),
        (b"[1e999]", "json-number", "/0", "1e999"),
        (b"[18446744073709551616]", "json-number", "/0", "64 bits"),
        (b"[" + b"9" * 5000 + b"]", "json-number", "/0", "64 bits"),
        (b'{"a": "\\ud800"}', "json-encoding", "/a", "surrogate"),
        (b"[" * 200 + b"]" * 200, "json-depth", "", "200 levels"),
        (b"[" * 100_000, "json-depth", "", "100000 levels"),
    ],
)
def test_each_defect_is_named_and_located(raw: bytes, rule: str, pointer: str, said: str) -> None:
    _, problems = parse(raw)
    assert [(problem.rule, problem.pointer) for problem in problems] == [(rule, pointer)]
    assert said in problems[0].message + problems[0].fix


def test_all_duplicates_and_odd_numbers_are_reported_at_once() -> None:
    _, problems = parse(b'{"a": 1, "a": 2, "b": NaN, "c": {"d": 1, "d": 1}}')
    assert {problem.pointer for problem in problems} == {"/a", "/b", "/c/d"}


def test_brackets_inside_strings_are_no_nesting() -> None:
    raw = json.dumps(["[{" * 1000 + '\\"[']).encode()
    assert nesting(raw) == 1
    assert parse(raw)[1] == []


def test_the_deepest_document_that_is_allowed_is_read() -> None:
    raw = b"[" * MAX_DEPTH + b"]" * MAX_DEPTH
    assert parse(raw)[1] == []
