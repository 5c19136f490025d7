"""Schemas as data: where references lead, what is wrong with a schema, equal and unequal values."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from antiphon.registry.schemas import (
    MAX_NESTING,
    SchemaDocument,
    UnusableSchema,
    compile_schema,
    dumps,
    json_key,
    json_type,
    pointer,
    schema_problems,
    too_deep,
)

# -- references ------------------------------------------------------------------------------


def test_a_reference_leads_to_a_path_of_the_document() -> None:
    document = SchemaDocument({"$defs": {"a": {"type": "string"}}, "properties": {"x": {}}})
    assert document.resolve("#/$defs/a", "") == ("$defs", "a")
    assert document.node(("$defs", "a")) == {"type": "string"}
    assert document.resolve("#/properties/x", "") == ("properties", "x")
    assert document.resolve("#", "") == ()
    assert document.resolve("", "") == ()


def test_a_reference_into_a_list_counts_from_zero() -> None:
    document = SchemaDocument({"allOf": [{}, {"properties": {"a": True}}]})
    assert document.resolve("#/allOf/1", "") == ("allOf", 1)
    assert document.resolve("#/allOf/1/properties/a", "") == ("allOf", 1, "properties", "a")
    for nowhere in ("#/allOf/2", "#/allOf/-1", "#/allOf/x", "#/allOf"):
        assert document.resolve(nowhere, "") is None


def test_escaped_names_are_read_back() -> None:
    schema = {"$defs": {"a/b": {}, "c~d": {}, "e%f": {}, "g h": {}, "~1": {}, "": {}}}
    document = SchemaDocument(schema)
    assert document.resolve("#/$defs/a~1b", "") == ("$defs", "a/b")
    assert document.resolve("#/$defs/c~0d", "") == ("$defs", "c~d")
    assert document.resolve("#/$defs/e%25f", "") == ("$defs", "e%f")
    assert document.resolve("#/$defs/g%20h", "") == ("$defs", "g h")
    assert document.resolve("#/$defs/~01", "") == ("$defs", "~1")
    assert document.resolve("#/$defs/", "") == ("$defs", "")


def test_anchors_are_found_in_their_own_resource_only() -> None:
    inner = {"$id": "https://example.org/inner", "$defs": {"n": {"$anchor": "here"}}}
    document = SchemaDocument({"$defs": {"a": {"$anchor": "there"}, "b": inner}})
    assert document.resolve("#there", "") == ("$defs", "a")
    assert document.resolve("#here", "") is None
    assert document.resolve("#here", "https://example.org/inner") == ("$defs", "b", "$defs", "n")
    assert document.resolve("https://example.org/inner#here", "") == ("$defs", "b", "$defs", "n")


def test_an_embedded_id_is_a_base_for_what_stands_within() -> None:
    schema = {
        "$id": "https://example.org/tools/search",
        "$defs": {"filter": {"$id": "parts/filter", "$defs": {"op": {}}}},
    }
    document = SchemaDocument(schema)
    outer, inner = "https://example.org/tools/search", "https://example.org/tools/parts/filter"
    assert document.base(()) == outer
    assert document.base(("$defs", "filter", "$defs", "op")) == inner
    assert document.resolve("parts/filter", outer) == ("$defs", "filter")
    assert document.resolve("#/$defs/op", inner) == ("$defs", "filter", "$defs", "op")
    assert document.resolve("/tools/search", inner) == ()
    assert document.resolve("#/$defs/filter", outer) == ("$defs", "filter")


@pytest.mark.parametrize(
    "ref",
    [
        "#/$defs/none",
        "#nobody",
        "https://example.org/other",
        "other.json",
        "#/$defs/a/type",
    ],
)
def test_what_is_not_there_leads_nowhere(ref: str) -> None:
    assert SchemaDocument({"$defs": {"a": {"type": "string"}}}).resolve(ref, "") is None


def test_every_schema_object_is_visited_once_with_its_base() -> None:
    schema = {
        "$id": "urn:x:root",
        "properties": {"properties": {"items": {}}, "flag": True},
        "allOf": [{"if": {}, "then": {"not": {}}}],
        "enum": [{"type": "not a schema"}],
        "default": {"properties": {"neither": {}}},
        "patternProperties": {"^a": {"$id": "urn:x:own"}},
    }
    found = {pointer(path): base for path, _, base in SchemaDocument(schema).subschemas()}
    assert found == {
        "": "urn:x:root",
        "/properties/properties": "urn:x:root",
        "/properties/properties/items": "urn:x:root",
        "/allOf/0": "urn:x:root",
        "/allOf/0/if": "urn:x:root",
        "/allOf/0/then": "urn:x:root",
        "/allOf/0/then/not": "urn:x:root",
        "/patternProperties/^a": "urn:x:own",
    }


# -- what is wrong with a schema -------------------------------------------------------------


@pytest.mark.parametrize(
    "schema",
    [
        True,
        False,
        {},
        {"type": "object", "x-own": 1},
        {"properties": {"a": {"$ref": "#/properties/b"}, "b": {"type": "string"}}},
        {"$ref": "https://json-schema.org/draft/2020-12/schema"},
        {"pattern": "^(?!a)"},
    ],
)
def test_a_valid_schema_has_no_problems(schema: Any) -> None:
    assert schema_problems(schema) == []


@pytest.mark.parametrize(
    ("schema", "where", "words"),
    [
        (None, "", "is not of types"),
        ("object", "", "is not of types"),
        ({"properties": {"a~b": {"type": 5}}}, "/properties/a~0b/type", "5"),
        ({"$ref": "#/$defs/x"}, "/$ref", "'#/$defs/x' leads nowhere in this document"),
        ({"items": {"$ref": "#x"}}, "/items/$ref", "leads nowhere"),
        ({"$ref": "https://example.org/a"}, "/$ref", "outside this document; nothing is fetched"),
        ({"properties": {"a": {"pattern": "["}}}, "/properties/a/pattern", "regex"),
        ({"$dynamicRef": "#gone"}, "", "gone"),
        ({"$id": "http://["}, "", "http://["),
        ({"$defs": {"a": {"$id": "http://[", "$ref": "x"}}}, "", "no address"),
        ({"type": {"object"}}, "", "cannot be read"),
    ],
)
def test_each_problem_has_its_place_and_words(schema: Any, where: str, words: str) -> None:
    problems = schema_problems(schema)
    assert problems[0][0] == where
    assert words in problems[0][1]


def test_all_problems_are_found_at_once() -> None:
    schema = {"type": 1, "properties": {"a": {"minLength": -1}, "b": {"enum": 5}}}
    assert {where for where, _ in schema_problems(schema)} == {
        "/type",
        "/properties/a/minLength",
        "/properties/b/enum",
    }


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=4),
    lambda inner: st.one_of(
        st.lists(inner, max_size=3),
        st.dictionaries(
            st.sampled_from(
                ["type", "properties", "$ref", "$id", "$anchor", "items", "enum", "anyOf", "a"]
            ),
            inner | st.sampled_from(["object", "#", "#/a", "urn:x", "//[", "%zz", ":"]),
            max_size=3,
        ),
    ),
    max_leaves=8,
)


@given(JSON)
def test_any_value_either_compiles_or_has_problems(value: Any) -> None:
    if schema_problems(value):
        return
    compile_schema(value)


def test_text_is_no_schema_even_when_it_holds_one() -> None:
    with pytest.raises(UnusableSchema, match="not text"):
        compile_schema('{"type": "object"}')


# -- values ----------------------------------------------------------------------------------


def test_equal_json_values_have_equal_keys_and_others_do_not() -> None:
    assert json_key(1) == json_key(1.0)
    assert json_key({"a": [1, None], "b": {}}) == json_key({"b": {}, "a": [1.0, None]})
    different = [0, False, None, "", [], {}, "0", [0], {"a": 0}, [[]], [{}], 1, True, "1", "null"]
    assert len({json_key(value) for value in different}) == len(different)


@pytest.mark.parametrize(
    ("value", "kind"),
    [
        (None, "null"),
        (True, "boolean"),
        (0, "integer"),
        (2.0, "integer"),
        (2.5, "number"),
        ("", "string"),
        ([], "array"),
        ({}, "object"),
    ],
)
def test_the_json_type_of_a_value(value: Any, kind: str) -> None:
    assert json_type(value) == kind


def test_integers_of_any_size_can_be_written() -> None:
    assert dumps({"a": [1, "ü"]}) == '{"a":[1,"ü"]}'
    assert dumps({"a": 10**30}) == '{"a":1000000000000000000000000000000}'


def test_nesting_without_end_is_noticed_and_sharing_is_not_nesting() -> None:
    deep: list[Any] = []
    for _ in range(MAX_NESTING - 1):
        deep = [deep]
    assert not too_deep(deep)
    assert too_deep([[deep]])
    endless: dict[str, Any] = {}
    endless |= {"a": endless, "b": endless}
    assert too_deep(endless)
    shared: list[Any] = []
    for _ in range(200):
        shared = [shared, shared]
    assert not too_deep(shared)
