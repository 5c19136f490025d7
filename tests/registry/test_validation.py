"""Validation: every bad field named, defaults applied to a copy, nothing coerced, no exceptions."""

from __future__ import annotations

import copy
import json
from pathlib import Path
from typing import Any

import jsonschema
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.effort import examples

from antiphon.registry import UnusableSchema, Validator
from antiphon.registry.validation import MAX_ERRORS, FieldError

CORPUS = sorted((Path(__file__).parent.parent / "corpus").glob("*.json"))


def closed(properties: dict[str, Any], **more: Any) -> dict[str, Any]:
    return {
        "type": "object",
        "properties": properties,
        "additionalProperties": False,
        **more,
    }


def pointers(errors: list[FieldError]) -> list[str]:
    return [error.pointer for error in errors]


def accepted(schema: Any, args: Any) -> Any:
    """What `accept` makes of `args`, which it must not touch."""
    before = copy.deepcopy(args)
    result = Validator(schema).accept(args)
    assert args == before
    assert result is not args
    return result


# -- defaults --------------------------------------------------------------------------------


def test_defaults_fill_in_what_is_absent_and_nothing_else() -> None:
    schema = closed(
        {
            "n": {"type": "integer", "default": 5},
            "on": {"type": "boolean", "default": False},
            "note": {"type": ["string", "null"], "default": "x"},
            "free": {"type": "string"},
        }
    )
    assert accepted(schema, {}) == {"n": 5, "on": False, "note": "x"}
    assert accepted(schema, {"n": 1, "note": None}) == {"n": 1, "on": False, "note": None}


def test_a_default_may_stand_in_for_a_required_parameter() -> None:
    schema = closed({"n": {"type": "integer", "default": 5}, "q": {}}, required=["n", "q"])
    assert accepted(schema, {"q": 1}) == {"n": 5, "q": 1}
    assert accepted(schema, {}) is None
    assert pointers(Validator(schema).argument_errors({})) == ["/q"]


INNER = closed({"unit": {"enum": ["c", "f"], "default": "c"}, "deep": {"type": "integer"}})


def test_defaults_reach_into_nested_objects_that_are_there() -> None:
    schema = closed({"where": INNER, "x": {"default": 1}})
    assert accepted(schema, {}) == {"x": 1}
    assert accepted(schema, {"where": {}}) == {"where": {"unit": "c"}, "x": 1}
    assert accepted(schema, {"where": {"unit": "f"}}) == {"where": {"unit": "f"}, "x": 1}


def test_a_default_object_gets_its_own_defaults_too() -> None:
    assert accepted(closed({"where": INNER | {"default": {"deep": 1}}}), {}) == {
        "where": {"deep": 1, "unit": "c"}
    }


def test_defaults_reach_into_arrays() -> None:
    schema = closed({"all": {"type": "array", "items": INNER}})
    assert accepted(schema, {"all": [{}, {"unit": "f"}]}) == {"all": [{"unit": "c"}, {"unit": "f"}]}


def test_defaults_reach_through_references_and_all_of() -> None:
    schema = closed(
        {
            "a": {"$ref": "#/$defs/place"},
            "b": {"allOf": [{"$ref": "#/$defs/place"}]},
            "c": {"$ref": "#/$defs/count"},
        },
        **{"$defs": {"place": INNER, "count": {"type": "integer", "default": 3}}},
    )
    assert accepted(schema, {"a": {}, "b": {}}) == {"a": {"unit": "c"}, "b": {"unit": "c"}, "c": 3}


def test_a_default_beside_a_reference_wins_over_the_one_it_leads_to() -> None:
    schema = closed(
        {"c": {"$ref": "#/$defs/count", "default": 7}},
        **{"$defs": {"count": {"type": "integer", "default": 3}}},
    )
    assert accepted(schema, {}) == {"c": 7}


def test_defaults_do_not_decide_between_alternatives() -> None:
    schema = closed({"where": {"anyOf": [INNER, {"type": "string"}]}})
    assert accepted(schema, {"where": {}}) == {"where": {}}


def test_defaults_follow_recursion_as_far_as_the_call_does() -> None:
    schema = closed({"n": {"default": 1}, "child": {"$ref": "#"}})
    assert accepted(schema, {"child": {"child": {"n": 2}}}) == {
        "n": 1,
        "child": {"n": 1, "child": {"n": 2}},
    }


@pytest.mark.parametrize(
    "more",
    [
        {"maxProperties": 1},
        {"dependentRequired": {"n": ["other"]}},
        {"not": {"required": ["n"]}},
        {"if": {"required": ["n"]}, "then": {"required": ["other"]}},
        {"properties": {"q": {}, "n": {"type": "integer", "default": "no integer"}, "other": {}}},
    ],
)
def test_a_default_that_would_break_a_valid_call_does_not_refuse_it(more: dict[str, Any]) -> None:
    schema = closed({"q": {}, "n": {"default": 1}, "other": {}}) | more
    assert accepted(schema, {"q": 1}) == {"q": 1}


def test_calls_do_not_share_the_default_value() -> None:
    validator = Validator(closed({"tags": {"type": "array", "default": []}}))
    first = validator.accept({})
    assert first is not None
    first["tags"].append("mine")
    assert validator.accept({}) == {"tags": []}


def test_what_was_filled_in_is_named_for_the_log() -> None:
    schema = closed({"a": {"default": 1}, "b/c": INNER, "d": {"type": "array", "items": INNER}})
    validator = Validator(schema)
    args: dict[str, Any] = {"b/c": {}, "d": [{"unit": "f"}, {}]}
    result = validator.accept(args)
    assert result is not None
    assert sorted(validator.defaulted(args, result)) == ["/a", "/b~1c/unit", "/d/1/unit"]
    assert validator.defaulted(result, result) == []


# -- refusals --------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("kind", "value"),
    [
        ("integer", "5"),
        ("integer", 5.5),
        ("integer", True),
        ("number", "1.5"),
        ("number", False),
        ("boolean", 1),
        ("boolean", "true"),
        ("string", 5),
        ("array", "a"),
        ("array", {"0": "a"}),
        ("object", []),
        ("null", 0),
        ("string", None),
    ],
)
def test_nothing_is_coerced(kind: str, value: Any) -> None:
    validator = Validator(closed({"x": {"type": kind}}))
    assert validator.accept({"x": value}) is None
    (error,) = validator.argument_errors({"x": value})
    assert (error.pointer, error.expected) == ("/x", kind)
    assert f"is not of type {kind}" in error.message


def test_an_unknown_parameter_is_refused_with_the_nearest_name() -> None:
    validator = Validator(closed({"top_k": {"type": "integer"}, "query": {"type": "string"}}))
    assert validator.accept({"topk": 3}) is None
    (error,) = validator.argument_errors({"topk": 3})
    assert error.to_dict() == {
        "pointer": "/topk",
        "message": "is not a known parameter; did you mean 'top_k'?",
        "expected": 'one of ["top_k","query"]',
    }
    (error,) = validator.argument_errors({"zzzzzz": 3})
    assert error.message == "is not a known parameter"


def test_a_tool_without_parameters_expects_nothing() -> None:
    (error,) = Validator(closed({})).argument_errors({"a": 1})
    assert (error.pointer, error.expected) == ("/a", "nothing")


def test_every_bad_field_is_named_at_once() -> None:
    schema = closed(
        {
            "query": {"type": "string", "minLength": 1},
            "top_k": {"type": "integer", "maximum": 10},
            "when": {"type": "string", "format": "date-time"},
            "kind": {"enum": ["doc", "link"]},
            "same": {"const": 4},
            "items": {"type": "array", "items": closed({"a/b": {"type": "integer"}})},
            "name": {"type": "string"},
        },
        required=["name", "other"],
    )
    errors = Validator(schema).argument_errors(
        {
            "query": "",
            "top_k": 11,
            "when": "yesterday",
            "kind": "file",
            "same": 5,
            "items": [{"a/b": 1}, {"a/b": "x", "c": 1}],
            "bogus": 1,
            "more": 2,
        }
    )
    found = {error.pointer: error.expected for error in errors}
    assert found == {
        "/query": "minLength 1",
        "/top_k": "maximum 10",
        "/when": "format date-time",
        "/kind": 'one of ["doc","link"]',
        "/same": "4",
        "/items/1/a~1b": "integer",
        "/items/1/c": 'one of ["a/b"]',
        "/bogus": 'one of ["query","top_k","when","kind","same","items","name"]',
        "/more": 'one of ["query","top_k","when","kind","same","items","name"]',
        "/name": "a value",
        "/other": "a value",
    }
    assert all(error.message for error in errors)


def test_errors_about_alternatives_speak_of_the_nearest_one() -> None:
    schema = closed(
        {
            "to": {
                "oneOf": [
                    closed({"kind": {"const": "mail"}, "address": {"type": "string"}}),
                    closed({"kind": {"const": "room"}, "floor": {"type": "integer"}}),
                ]
            }
        }
    )
    errors = Validator(schema).argument_errors({"to": {"kind": "room", "floor": "2"}})
    assert pointers(errors) == ["/to", "/to/floor"]
    assert errors[0].message == "fits none of the alternatives"
    assert errors[1].expected == "integer"


def test_fitting_more_than_one_of_exactly_one_is_said_so() -> None:
    schema = closed({"x": {"oneOf": [{"type": "integer"}, {"minimum": 0}]}})
    (error,) = Validator(schema).argument_errors({"x": 1})
    assert (error.pointer, error.message) == ("/x", "fits more than one of the alternatives")


@pytest.mark.parametrize(
    ("name", "good", "bad"),
    [
        ("date-time", "2026-01-13T12:00:00Z", "2026-01-13 12:00"),
        ("date", "2026-02-28", "2026-02-30"),
        ("time", "12:00:00Z", "25:00:00Z"),
        ("duration", "PT5M", "5 minutes"),
        ("email", "ada@example.org", "ada at example.org"),
        ("uri", "https://example.org/a", "example.org"),
        ("uuid", "123e4567-e89b-12d3-a456-426614174000", "123"),
        ("ipv4", "127.0.0.1", "127.0.0.256"),
        ("ipv6", "::1", "1::2::3"),
        ("hostname", "example.org", "-a-"),
        ("json-pointer", "/a/b", "a/b"),
    ],
)
def test_formats_are_asserted(name: str, good: str, bad: str) -> None:
    validator = Validator(closed({"x": {"type": "string", "format": name}}))
    assert validator.accept({"x": good}) == {"x": good}
    assert validator.accept({"x": bad}) is None
    assert pointers(validator.argument_errors({"x": bad})) == ["/x"]


def test_the_number_of_errors_is_bounded() -> None:
    validator = Validator(closed({"x": {"type": "array", "items": {"type": "string"}}}))
    assert len(validator.argument_errors({"x": list(range(1000))})) == MAX_ERRORS


def test_a_long_value_is_shortened_in_the_message() -> None:
    (error,) = Validator(closed({"x": {"enum": ["a"]}})).argument_errors({"x": "y" * 10_000})
    assert len(error.message) < 200


@pytest.mark.parametrize(
    ("schema", "value", "reason"),
    [
        ({"maxLength": 10}, "y" * 10_000, "is longer than 10 characters"),
        ({"pattern": "^a$"}, 'b\n"ü' * 500, 'does not match "^a$"'),
        ({"maxItems": 1}, [1] * 500, "has more than 1 item"),
        ({"not": {"type": "string"}}, "y" * 10_000, "is not allowed for"),
        ({"propertyNames": {"maxLength": 9}}, {"n" * 500: 1}, "is longer than 9 characters"),
    ],
)
def test_the_reason_stays_when_the_value_is_long(schema: Any, value: Any, reason: str) -> None:
    (error,) = Validator(closed({"x": schema})).argument_errors({"x": value})
    assert error.pointer == "/x"
    assert reason in error.message
    assert len(error.message) < 400


# -- nonsense --------------------------------------------------------------------------------

TREE = closed({"child": {"$ref": "#"}, "n": {"type": "integer"}})
TREE_WITH_DEFAULT = closed({"child": {"$ref": "#"}, "n": {"type": "integer", "default": 1}})


@pytest.mark.parametrize("args", [None, 1, True, "{}", [], [{}], ("a",), b"{}", {1, 2}, object()])
@pytest.mark.parametrize("schema", [TREE, TREE_WITH_DEFAULT, {}])
def test_arguments_that_are_no_object_are_refused_as_a_whole(args: Any, schema: Any) -> None:
    validator = Validator(schema)
    assert validator.accept(args) is None
    assert validator.argument_errors(args) == [
        FieldError("", "the arguments must be one JSON object", "object")
    ]


@pytest.mark.parametrize(
    "value", [float("nan"), float("inf"), {1, 2}, object(), b"x", "\ud800", {1: 2}, 1j]
)
@pytest.mark.parametrize("schema", [TREE, TREE_WITH_DEFAULT])
def test_values_that_are_no_json_are_errors(value: Any, schema: dict[str, Any]) -> None:
    validator = Validator(schema)
    assert validator.accept({"n": value}) is None
    assert validator.argument_errors({"n": value})


def test_names_that_are_no_text_are_errors() -> None:
    validator = Validator(TREE_WITH_DEFAULT)
    for args in ({1: 2}, {None: 1}, {"\ud800": 1}):
        assert validator.accept(args) is None
        assert validator.argument_errors(args)


@pytest.mark.parametrize("schema", [TREE, TREE_WITH_DEFAULT])
def test_arguments_without_end_are_errors(schema: dict[str, Any]) -> None:
    deep: dict[str, Any] = {"unknown": 1}
    for _ in range(5000):
        deep = {"child": deep}
    validator = Validator(schema)
    assert validator.accept(deep) is None
    (error,) = validator.argument_errors(deep)
    assert "too deeply" in error.message
    endless: dict[str, Any] = {"n": "x"}
    endless["child"] = endless
    assert validator.accept(endless) is None
    (error,) = validator.argument_errors(endless)
    assert "too deeply" in error.message


@pytest.mark.parametrize("number", [2**63, -(2**64), 10**400])
def test_huge_integers_are_integers(number: int) -> None:
    validator = Validator(closed({"n": {"type": "integer"}, "m": {"maximum": 10}}))
    assert validator.accept({"n": number}) == {"n": number}
    errors = validator.argument_errors({"n": number, "m": 10**400, "s": 1})
    assert sorted(pointers(errors)) == ["/m", "/s"]


def test_an_integer_may_be_written_with_a_fraction_of_zero() -> None:
    validator = Validator(closed({"n": {"type": "integer"}}))
    assert validator.accept({"n": 2.0}) == {"n": 2.0}
    assert validator.accept({"n": 2.5}) is None


VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=4),
    lambda inner: st.one_of(
        st.lists(inner, max_size=3),
        st.dictionaries(st.sampled_from(["n", "child", "where", "unit", "z"]), inner, max_size=3),
        st.tuples(inner),
    ),
    max_leaves=8,
)
SCHEMAS = [
    TREE,
    TREE_WITH_DEFAULT,
    closed({"where": INNER, "n": {"enum": [1, "a"]}}),
    closed({"where": {"oneOf": [INNER, TREE]}}),
    {"type": "object", "propertyNames": {"maxLength": 1}, "minProperties": 1},
    {},
]


@settings(max_examples=examples(150))
@given(st.sampled_from(SCHEMAS), VALUES)
def test_accept_and_errors_agree_and_never_raise(schema: Any, args: Any) -> None:
    validator = Validator(schema)
    before = repr(args)
    result = validator.accept(args)
    errors = validator.argument_errors(args)
    assert repr(args) == before
    assert (result is None) == bool(errors)
    if result is not None:
        assert validator.is_valid(result)
        assert all(result[name] == args[name] or isinstance(args[name], dict | list | tuple | float)
                   for name in args)  # fmt: skip


# -- patterns --------------------------------------------------------------------------------


def test_patterns_with_lookahead_work() -> None:
    validator = Validator(closed({"code": {"type": "string", "pattern": r"^(?=.*\d)[a-z\d]{4,}$"}}))
    assert validator.accept({"code": "abc1"}) == {"code": "abc1"}
    assert validator.accept({"code": "abcd"}) is None
    assert pointers(validator.argument_errors({"code": "abcd"})) == ["/code"]


@pytest.mark.timeout(20)
@pytest.mark.parametrize("pattern", [r"^(a+)+$", r"^(?=a)(a+)+$", r"^(a|aa)+$(?<=a)"])
def test_a_catastrophic_pattern_is_bounded(pattern: str) -> None:
    validator = Validator(closed({"x": {"type": "string", "pattern": pattern}}))
    args = {"x": "a" * 5000 + "!"}
    assert validator.accept(args) is None
    assert pointers(validator.argument_errors(args)) == ["/x"]


# -- schemas that cannot be used -------------------------------------------------------------


@pytest.mark.parametrize(
    ("schema", "words"),
    [
        (closed({"a": {"type": "text"}}), "/properties/a/type: "),
        (closed({"a": {"pattern": "("}}), "/properties/a/pattern: "),
        (closed({"a": {"minLength": -1}}), "/properties/a/minLength: "),
        (closed({"a": {"$ref": "#/$defs/none"}}), "none"),
        ({"$ref": "https://example.org/schema"}, "https://example.org/schema"),
        ({"required": "a"}, "/required: "),
        (None, "null is not of type"),
        ([], "is not of type"),
        ('{"type": "object"}', "not text"),
        ({"type": {"object"}}, "cannot be read"),
    ],
)
def test_a_schema_that_cannot_be_compiled_is_refused_with_the_place(
    schema: Any, words: str
) -> None:
    with pytest.raises(UnusableSchema) as caught:
        Validator(schema)
    assert words in str(caught.value)


def test_a_schema_that_is_too_deep_or_refers_on_too_far_is_refused() -> None:
    deep: dict[str, Any] = {}
    for _ in range(5000):
        deep = {"properties": {"a": deep}}
    with pytest.raises(UnusableSchema):
        Validator(deep)
    chain: dict[str, Any] = {
        f"d{i}": {"properties": {"a": {"$ref": f"#/$defs/d{i + 1}"}}} for i in range(3000)
    }
    with pytest.raises(UnusableSchema, match="too far"):
        Validator({"$ref": "#/$defs/d0", "$defs": {**chain, "d3000": {}}})


# -- agreement with another implementation ---------------------------------------------------


def formats() -> jsonschema.FormatChecker:
    """The other library knows few formats by itself; given ours, the rest can be compared."""
    checker = jsonschema.FormatChecker(formats=())
    for name in ("date", "date-time", "time", "duration", "email", "hostname", "ipv4", "ipv6",
                 "json-pointer", "regex", "uri", "uri-reference", "uuid"):  # fmt: skip
        checker.checks(name)(Validator({"format": name}).is_valid)
    return checker


FORMATS = formats()


@pytest.mark.parametrize("path", CORPUS, ids=lambda path: path.stem)
def test_the_corpus_is_judged_as_another_validator_judges_it(path: Path) -> None:
    case = json.loads(path.read_text())
    validator = Validator(case["parameters"])
    other = jsonschema.Draft202012Validator(case["parameters"], format_checker=FORMATS)
    for call in case["valid"]:
        assert validator.errors(call) == []
        assert other.is_valid(call)
        assert validator.accept(call) is not None
    for call in case["invalid"]:
        assert validator.errors(call)
        assert not other.is_valid(call)
        mended = validator.accept(call)  # a default may be just what it lacked
        assert mended is None or other.is_valid(mended)
