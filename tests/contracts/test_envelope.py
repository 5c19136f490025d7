"""Envelope 1.0.0: whatever the makers make is valid, and every kind of damage is named."""

from __future__ import annotations

import copy
from typing import Any

import orjson
import pytest
from hypothesis import given
from hypothesis import strategies as st

from antiphon.contracts import (
    RESPONSE_SCHEMA_VERSION,
    ErrorType,
    Intent,
    envelope_problems,
    error_body,
    fail,
    failure,
    make_meta,
    ok,
    success,
)

WORDS = st.text(max_size=20)
JSON = st.recursive(
    st.none() | st.booleans() | st.integers(-(2**53), 2**53) | st.floats(allow_nan=False) | WORDS,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(WORDS, inner, max_size=3),
    max_leaves=6,
)
DATA = st.dictionaries(WORDS, JSON, max_size=4)
METAS = st.builds(
    make_meta,
    WORDS,
    st.none() | WORDS,
    WORDS,
    st.floats(0, 1e9) | st.integers(0, 10**9),
)
INTENTS = st.lists(
    st.one_of(
        st.builds(Intent.end_voice_session, st.sampled_from(["current_turn", "farewell_spoken"])),
        st.builds(Intent.suppress_audio, st.booleans()),
        st.builds(Intent.suppress_transcript, st.booleans()),
        st.builds(Intent.set_pending_message, WORDS),
    ),
    max_size=3,
)
ERRORS = st.builds(
    error_body,
    st.sampled_from(ErrorType),
    st.text(min_size=1, max_size=20),
    retryable=st.none() | st.booleans(),
    partial_side_effects=st.booleans(),
    retry_after=st.none() | st.floats(0, 100),
    details=JSON,
)


@given(DATA, INTENTS, METAS)
def test_every_success_the_maker_makes_is_valid(
    data: dict[str, Any], intents: list[dict[str, Any]], meta: dict[str, Any]
) -> None:
    envelope = success(data, intents, meta)
    assert envelope_problems(envelope) == []
    assert list(envelope) == ["ok", "data", "intents", "meta"]


@given(ERRORS, METAS)
def test_every_failure_the_maker_makes_is_valid_and_stays_so_over_the_wire(
    error: dict[str, Any], meta: dict[str, Any]
) -> None:
    envelope = failure(error, meta)
    assert envelope_problems(envelope) == []
    assert list(envelope) == ["ok", "error", "intents", "meta"]
    assert envelope_problems(orjson.loads(orjson.dumps(envelope))) == []


@given(JSON | st.dictionaries(st.sampled_from(["ok", "data", "error", "intents", "meta"]), JSON))
def test_nothing_at_all_makes_the_check_raise(value: Any) -> None:
    problems = envelope_problems(value)
    assert problems
    assert all(isinstance(problem, str) for problem in problems)


def test_ok_and_fail_are_what_a_handler_returns() -> None:
    done = ok({"n": 1}, intents=[Intent.suppress_audio()])
    assert (done.ok, done.data, done.error) == (True, {"n": 1}, None)
    assert done.intents == [{"type": "SUPPRESS_AUDIO", "value": True}]
    assert (ok().data, ok().intents) == ({}, [])
    failed = fail(ErrorType.PERMANENT, "no", hint="ask")
    assert (failed.ok, failed.data, failed.intents) == (False, None, [])
    assert failed.error == {
        "type": "PERMANENT",
        "message": "no",
        "retryable": False,
        "partialSideEffects": False,
        "hint": "ask",
    }


def test_results_of_two_calls_share_nothing() -> None:
    first, second = ok(), ok()
    assert first.data is not None
    first.data["x"] = 1
    first.intents.append(Intent.suppress_audio())
    assert (second.data, second.intents) == ({}, [])


def test_meta_says_which_tool_of_which_registry_and_how_long() -> None:
    assert make_meta("kb_search", "1.2.3", "1.0.deadbeef", 12.5) == {
        "toolId": "kb_search",
        "toolVersion": "1.2.3",
        "registryVersion": "1.0.deadbeef",
        "duration": 12.5,
        "responseSchemaVersion": RESPONSE_SCHEMA_VERSION,
    }
    assert RESPONSE_SCHEMA_VERSION == "1.0.0"


META = make_meta("t", None, "1.0.00000000", 0)
GOOD = success({}, [], META)
BAD = failure(error_body(ErrorType.AUTH, "no"), META)
GONE = object()


@pytest.mark.parametrize(
    ("base", "path", "value", "problem"),
    [
        (GOOD, ["ok"], "yes", "/ok: must be true or false"),
        (GOOD, ["ok"], GONE, "/ok: must be true or false"),
        (GOOD, ["data"], GONE, "/data: is missing"),
        (GOOD, ["data"], [1], "/data: must be an object"),
        (GOOD, ["error"], {}, "/error: does not belong in an envelope with ok=True"),
        (GOOD, [7], 7, "/7: does not belong"),
        (GOOD, ["intents"], GONE, "/intents: is missing"),
        (GOOD, ["intents"], {}, "/intents: must be an array"),
        (GOOD, ["intents"], [Intent.suppress_audio(), {"type": "X"}], "/intents/1: unknown"),
        (GOOD, ["meta"], GONE, "/meta: is missing"),
        (GOOD, ["meta"], 3, "/meta: must be an object"),
        (GOOD, ["meta", "toolId"], None, "/meta/toolId: must be a string"),
        (GOOD, ["meta", "registryVersion"], GONE, "/meta/registryVersion: must be a string"),
        (GOOD, ["meta", "toolVersion"], 1, "/meta/toolVersion: must be a string, or null"),
        (GOOD, ["meta", "duration"], -1, "/meta/duration: must be milliseconds"),
        (GOOD, ["meta", "duration"], True, "/meta/duration: must be milliseconds"),
        (GOOD, ["meta", "duration"], float("nan"), "/meta/duration: must be milliseconds"),
        (GOOD, ["meta", "duration"], float("inf"), "/meta/duration: must be milliseconds"),
        (GOOD, ["meta", "duration"], "1", "/meta/duration: must be milliseconds"),
        (GOOD, ["meta", "responseSchemaVersion"], "2.0.0", "/meta/responseSchemaVersion: must be"),
        (BAD, ["error"], GONE, "/error: is missing"),
        (BAD, ["error"], "no", "/error: must be an object"),
        (BAD, ["data"], {}, "/data: does not belong in an envelope with ok=False"),
        (BAD, ["intents"], [Intent.suppress_audio()], "/intents: a failure carries none"),
        (BAD, ["error", "type"], "OOPS", "/error/type: 'OOPS' is no error type"),
        (BAD, ["error", "type"], ["AUTH"], "/error/type: ['AUTH'] is no error type"),
        (BAD, ["error", "message"], "", "/error/message: must be a non-empty string"),
        (BAD, ["error", "message"], GONE, "/error/message: must be a non-empty string"),
        (BAD, ["error", "retryable"], 0, "/error/retryable: must be true or false"),
        (BAD, ["error", "partialSideEffects"], GONE, "/error/partialSideEffects: must be true"),
    ],
)
def test_each_kind_of_damage_is_named_where_it_is(
    base: dict[str, Any], path: list[Any], value: Any, problem: str
) -> None:
    envelope = copy.deepcopy(base)
    target = envelope
    for name in path[:-1]:
        target = target[name]
    if value is GONE:
        del target[path[-1]]
    else:
        target[path[-1]] = value
    assert any(found.startswith(problem) for found in envelope_problems(envelope))
    assert envelope_problems(base) == []


@pytest.mark.parametrize("value", [None, [], "ok", 1])
def test_what_is_no_object_is_no_envelope(value: Any) -> None:
    assert envelope_problems(value) == [f"an envelope is an object, not {type(value).__name__}"]


def test_all_damage_is_named_at_once() -> None:
    problems = envelope_problems({"ok": False, "error": {}, "intents": 1, "meta": {}})
    assert [problem.split(":")[0] for problem in problems] == [
        "/error/type",
        "/error/message",
        "/error/retryable",
        "/error/partialSideEffects",
        "/intents",
        "/meta/toolId",
        "/meta/registryVersion",
        "/meta/duration",
        "/meta/responseSchemaVersion",
    ]
