"""The strict codec: what goes out in strict form comes back as it was."""

from __future__ import annotations

import json
from typing import Any

import jsonschema_rs
import pytest
from hypothesis import given
from hypothesis import strategies as st

from antiphon.registry import Validator
from antiphon.registry.projections import StrictCodec


def closed(properties: dict[str, Any], **more: Any) -> dict[str, Any]:
    return {"type": "object", "properties": properties, "additionalProperties": False, **more}


def there_and_back(schema: dict[str, Any], args: Any) -> Any:
    """The strict form of `args`, once it is known to fit and to lead back."""
    assert Validator(schema).is_valid(args), "the example must be a valid call"
    codec = StrictCodec(schema)
    strict = codec.encode(args)
    assert jsonschema_rs.Draft202012Validator(codec.schema).is_valid(strict)
    assert codec.decode(strict) == args
    # what really travels is JSON
    assert codec.decode(json.loads(json.dumps(strict))) == args
    return strict


# -- absent and null -------------------------------------------------------------------------

OPTIONAL = closed(
    {
        "q": {"type": "string"},
        "limit": {"type": "integer"},
        "until": {"type": ["string", "null"]},
        "by": {"enum": ["name", None]},
    },
    required=["q"],
)


def test_an_absent_parameter_is_null_outward_and_absent_again_inward() -> None:
    assert there_and_back(OPTIONAL, {"q": "x"}) == {
        "q": "x",
        "limit": None,
        "until": None,
        "by": None,
    }
    assert there_and_back(OPTIONAL, {"q": "x", "limit": 3})["limit"] == 3


def test_null_that_means_something_is_told_from_absent() -> None:
    strict = there_and_back(OPTIONAL, {"q": "x", "until": None, "by": None})
    assert strict["until"] == strict["by"] == {"explicit_null": True}
    codec = StrictCodec(OPTIONAL)
    assert codec.decode({"q": "x", "limit": None, "until": None, "by": None}) == {"q": "x"}
    assert there_and_back(OPTIONAL, {"q": "x", "until": "now"})["until"] == "now"


def test_a_required_parameter_that_may_be_null_is_simply_null() -> None:
    schema = closed({"x": {"type": ["integer", "null"]}}, required=["x"])
    assert there_and_back(schema, {"x": None}) == {"x": None}


def test_a_parameter_of_that_very_name_is_no_explicit_null() -> None:
    schema = closed({"x": closed({"explicit_null": {"type": "boolean"}})})
    assert there_and_back(schema, {"x": {"explicit_null": True}})
    assert there_and_back(schema, {"x": {}}) == {"x": {"explicit_null": None}}


def test_null_and_an_object_of_that_very_name_are_told_apart() -> None:
    marker = closed({"explicit_null": {"const": True}}, required=["explicit_null"])
    schema = closed({"x": {"anyOf": [marker, {"type": "null"}]}})
    codec = StrictCodec(schema)
    for args in ({}, {"x": None}, {"x": {"explicit_null": True}}):
        assert codec.decode(codec.encode(args)) == args


def test_nested_optional_parameters_follow_the_same_rule() -> None:
    schema = closed({"a": closed({"b": closed({"c": {"type": "string"}})})})
    assert there_and_back(schema, {"a": {"b": {}}}) == {"a": {"b": {"c": None}}}
    assert there_and_back(schema, {"a": {}}) == {"a": {"b": None}}
    assert there_and_back(schema, {}) == {"a": None}


# -- what has no declared shape --------------------------------------------------------------


def test_further_properties_of_an_open_object_travel_as_text() -> None:
    schema = {"type": "object", "properties": {"a": {"type": "string"}}}
    assert there_and_back(schema, {"a": "x", "b": [1], "c": None}) == {
        "a": "x",
        "additional_properties": '{"b":[1],"c":null}',
    }
    assert there_and_back(schema, {}) == {"a": None, "additional_properties": None}


def test_a_declared_parameter_keeps_its_name_and_the_rest_gets_another() -> None:
    schema = {"type": "object", "properties": {"additional_properties": {"type": "integer"}}}
    assert there_and_back(schema, {"additional_properties": 1, "z": 2}) == {
        "additional_properties": 1,
        "additional_properties_": '{"z":2}',
    }


def test_the_rest_cannot_overwrite_a_declared_parameter() -> None:
    codec = StrictCodec({"type": "object", "properties": {"a": {"type": "string"}}})
    sent = {"a": "mine", "additional_properties": '{"a": "theirs", "b": 1}'}
    assert codec.decode(sent) == {"a": "mine", "b": 1}


def test_maps_and_free_values_travel_as_text() -> None:
    schema = closed(
        {"labels": {"type": "object", "additionalProperties": {"type": "string"}}, "any": {}}
    )
    strict = there_and_back(schema, {"labels": {"a": "1"}, "any": [None, {"x": 1.5}]})
    assert strict == {"labels": '{"a":"1"}', "any": '[null,{"x":1.5}]'}
    assert there_and_back(schema, {"any": None}) == {"labels": None, "any": "null"}
    assert there_and_back(schema, {"any": "null"})["any"] == '"null"'


def test_a_huge_integer_survives_as_text() -> None:
    assert there_and_back(closed({"any": {}}), {"any": 10**30})


def test_objects_nested_deeper_than_strict_mode_takes_travel_as_text() -> None:
    schema: dict[str, Any] = closed({"leaf": {"type": "integer"}})
    args: Any = {"leaf": 1}
    for _ in range(14):
        schema, args = closed({"a": schema}), {"a": args}
    strict = there_and_back(schema, args)
    assert isinstance(strict["a"]["a"]["a"]["a"]["a"]["a"]["a"]["a"]["a"]["a"], str)


# -- alternatives and recursion --------------------------------------------------------------

PAYMENT = closed(
    {
        "method": {
            "oneOf": [
                closed(
                    {"kind": {"const": "card"}, "number": {"type": "string"}, "note": {}},
                    required=["kind", "number"],
                ),
                closed({"kind": {"const": "cash"}, "tip": {"type": "number"}}, required=["kind"]),
            ]
        }
    },
    required=["method"],
)


def test_discriminated_alternatives_stay_objects() -> None:
    assert there_and_back(PAYMENT, {"method": {"kind": "cash"}}) == {
        "method": {"kind": "cash", "tip": None}
    }
    assert there_and_back(PAYMENT, {"method": {"kind": "card", "number": "1", "note": [2]}}) == {
        "method": {"kind": "card", "number": "1", "note": "[2]"}
    }


def test_alternatives_with_optional_parameters_keep_their_shape() -> None:
    street = closed(
        {
            "street": {"type": "string", "description": "Street and number."},
            "zip": {"type": "string", "description": "Postal code."},
        },
        required=["street"],
        description="By post.",
    )
    point = closed(
        {"lat": {"type": "number"}, "lon": {"type": "number"}, "note": {"type": "string"}},
        required=["lat", "lon"],
    )
    schema = closed({"place": {"anyOf": [street, point]}}, required=["place"])
    branches = StrictCodec(schema).schema["properties"]["place"]["anyOf"]
    assert branches == [
        {
            "type": "object",
            "description": "By post.",
            "properties": {
                "street": {"type": "string", "description": "Street and number."},
                "zip": {"type": ["string", "null"], "description": "Postal code."},
            },
            "required": ["street", "zip"],
            "additionalProperties": False,
        },
        {
            "type": "object",
            "properties": {
                "lat": {"type": "number"},
                "lon": {"type": "number"},
                "note": {"type": ["string", "null"]},
            },
            "required": ["lat", "lon", "note"],
            "additionalProperties": False,
        },
    ]
    assert there_and_back(schema, {"place": {"street": "Main 1"}}) == {
        "place": {"street": "Main 1", "zip": None}
    }
    assert there_and_back(schema, {"place": {"lat": 1, "lon": 2.5, "note": "x"}})
    # the branch that the model chose is the one that is taken back
    codec = StrictCodec(schema)
    sent = {"place": {"lat": 1, "lon": 2, "note": None}}
    assert codec.decode(sent) == {"place": {"lat": 1, "lon": 2}}


def test_alternatives_are_told_apart_by_their_names_alone() -> None:
    either = [closed({"a": {"type": "string"}}), closed({"a": {}, "b": {"type": "integer"}})]
    schema = closed({"x": {"anyOf": either}}, required=["x"])
    assert there_and_back(schema, {"x": {"a": "1"}}) == {"x": {"a": "1"}}
    assert there_and_back(schema, {"x": {"a": [1]}}) == {"x": {"a": "[1]", "b": None}}
    assert there_and_back(schema, {"x": {}}) == {"x": {"a": None}}


def test_alternatives_that_cannot_be_told_apart_travel_as_text_that_says_their_shape() -> None:
    either = [
        closed({"a": {"type": "string", "description": "A word."}}),
        closed({"a": {"description": "Anything."}}, required=["a"]),
    ]
    schema = closed({"x": {"anyOf": either}}, required=["x"])
    assert there_and_back(schema, {"x": {"a": "1"}}) == {"x": '{"a":"1"}'}
    assert there_and_back(schema, {"x": {}}) == {"x": "{}"}
    words = StrictCodec(schema).schema["properties"]["x"]["description"]
    assert "{a?: string (A word.)} or {a: anything (Anything.)}" in words


def test_a_null_that_is_a_value_in_one_alternative_is_not_lost_in_another() -> None:
    either = [
        closed({"a": {"type": "string"}}),
        closed({"a": {"type": ["string", "null"]}, "b": {"type": "integer"}}, required=["a"]),
    ]
    schema = closed({"x": {"anyOf": either}}, required=["x"])
    assert there_and_back(schema, {"x": {"a": None}}) == {"x": {"a": None, "b": None}}
    assert there_and_back(schema, {"x": {}}) == {"x": {"a": None}}


def test_alternatives_of_different_types_need_no_text() -> None:
    schema = closed({"x": {"anyOf": [{"type": "string"}, closed({"a": {"type": "integer"}})]}})
    assert there_and_back(schema, {"x": "text"}) == {"x": "text"}
    assert there_and_back(schema, {"x": {}}) == {"x": {"a": None}}


TREE = closed(
    {"node": {"$ref": "#/$defs/node"}},
    required=["node"],
    **{
        "$defs": {
            "node": closed(
                {
                    "name": {"type": "string"},
                    "note": {"type": ["string", "null"]},
                    "kids": {"type": "array", "items": {"$ref": "#/$defs/node"}},
                },
                required=["name"],
            )
        }
    },
)
NODES = st.recursive(
    st.fixed_dictionaries(
        {"name": st.text(max_size=3)}, optional={"note": st.none() | st.text(max_size=3)}
    ),
    lambda inner: st.fixed_dictionaries(
        {"name": st.text(max_size=3), "kids": st.lists(inner, max_size=3)},
        optional={"note": st.none() | st.text(max_size=3)},
    ),
    max_leaves=8,
)


@given(NODES)
def test_recursive_trees_come_back_as_they_were(node: dict[str, Any]) -> None:
    there_and_back(TREE, {"node": node})


# -- nonsense --------------------------------------------------------------------------------


@pytest.mark.parametrize("args", [None, 5, "text", [], [{"q": 1}], True])
def test_what_is_no_object_is_left_for_validation_to_name(args: Any) -> None:
    assert StrictCodec(OPTIONAL).decode(args) == args


def test_what_does_not_fit_is_left_for_validation_to_name() -> None:
    codec = StrictCodec(OPTIONAL)
    decoded = codec.decode({"q": None, "limit": "3", "until": {"explicit_null": 1}, "zzz": None})
    assert decoded == {"q": None, "limit": "3", "until": {"explicit_null": 1}, "zzz": None}
    pointers = {error.pointer for error in Validator(OPTIONAL).argument_errors(decoded)}
    assert pointers == {"/q", "/limit", "/until", "/zzz"}


@pytest.mark.parametrize("text", ["{", "", "NaN", "[Infinity]", "1" * 5000, "[" * 5000, "'a'"])
def test_text_that_is_no_json_stays_text(text: str) -> None:
    codec = StrictCodec(closed({"labels": {"type": "object"}, "any": {}}))
    assert codec.decode({"labels": text, "any": text}) == {"labels": text, "any": text}


@pytest.mark.parametrize("rest", ["[1]", "5", "{", "null"])
def test_a_rest_that_is_no_object_stays_what_it_is(rest: str) -> None:
    codec = StrictCodec({"type": "object", "properties": {"a": {}}})
    assert codec.decode({"a": None, "additional_properties": rest}) == {
        "additional_properties": rest
    }


def test_arguments_without_end_are_left_alone() -> None:
    deep: dict[str, Any] = {"name": "x"}
    for _ in range(20_000):
        deep = {"name": "x", "kids": [deep], "note": None}
    args = {"node": deep}
    assert StrictCodec(TREE).decode(args) is args


ANY = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=4),
    lambda inner: st.one_of(
        st.lists(inner, max_size=3),
        st.dictionaries(
            st.sampled_from(["method", "kind", "node", "name", "kids", "q", "until"]),
            inner | st.sampled_from(["card", "cash", {"explicit_null": True}, "{}", "[1]"]),
            max_size=3,
        ),
    ),
    max_leaves=8,
)


@given(st.sampled_from([OPTIONAL, PAYMENT, TREE]), ANY)
def test_decoding_never_raises_and_never_touches_what_it_was_given(
    schema: dict[str, Any], args: Any
) -> None:
    before = repr(args)
    StrictCodec(schema).decode(args)
    assert repr(args) == before


@pytest.mark.parametrize(
    "definitions",
    [
        {"d": {"anyOf": [{"$ref": "#/$defs/d"}]}},
        {"d": {"anyOf": [{"type": "string"}, {"$ref": "#/$defs/d"}]}},
        {"d": {"$ref": "#/$defs/e"}, "e": {"anyOf": [{"$ref": "#/$defs/d"}, {"type": "null"}]}},
    ],
)
def test_a_definition_that_is_nothing_but_itself_has_an_end(definitions: Any) -> None:
    schema = {
        "type": "object",
        "properties": {"a": {"$ref": "#/$defs/d"}},
        "additionalProperties": False,
        "$defs": definitions,
    }
    codec = StrictCodec(schema)
    for call in ({}, {"a": None}, {"a": [1, {"b": "c"}]}):
        assert codec.decode(codec.encode(call)) == call
