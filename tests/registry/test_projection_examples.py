"""One readable example for each construct and provider, and what no provider can be given."""

from __future__ import annotations

import json
import warnings
from pathlib import Path
from typing import Any

import jsonschema_rs
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from tests.effort import examples

from antiphon.contracts import ToolDefinition
from antiphon.registry.projections import (
    PROVIDERS,
    UnusableSchema,
    codec_of,
    declarations,
    project,
)

KB_SEARCH = json.loads((Path(__file__).parent.parent / "corpus" / "kb_search.json").read_text())


def tool(parameters: dict[str, Any], **changes: Any) -> ToolDefinition:
    return ToolDefinition.from_schema(
        {
            "toolId": "kb_search",
            "version": "1.0.0",
            "description": "Search the knowledge base.",
            "category": "retrieval",
            "sideEffects": "read_only",
            "idempotent": True,
            "requiresConfirmation": False,
            "allowedModes": ["text"],
            "latencyBudgetMs": 100,
            "parameters": parameters,
            **changes,
        }
    )


def with_x(schema: Any, **more: Any) -> dict[str, Any]:
    """The parameters of a tool that takes one required `x`."""
    return {
        "type": "object",
        "properties": {"x": schema},
        "required": ["x"],
        "additionalProperties": False,
        **more,
    }


def projected(provider: str, schema: dict[str, Any]) -> tuple[Any, list[tuple[str, str]]]:
    """What became of `x`, and where what was lost below the top level."""
    projection = project(provider, schema)
    losses = [(loss["pointer"], loss["keyword"]) for loss in projection.losses]
    return projection.schema["properties"]["x"], [loss for loss in losses if loss[0]]


# -- a whole tool ----------------------------------------------------------------------------


def test_kb_search_for_gemini_native() -> None:
    projection = project("geminiNative", KB_SEARCH["parameters"])
    assert projection.schema == {
        "type": "OBJECT",
        "properties": {
            "query": {
                "type": "STRING",
                "minLength": 1,
                "maxLength": 200,
                "description": "Search query text",
            },
            "namespace": {
                "type": "STRING",
                "enum": ["studio", "personal", "public"],
                "description": "Knowledge base namespace to search",
                "default": "studio",
            },
            "filters": {
                "type": "OBJECT",
                "properties": {
                    "type": {
                        "type": "STRING",
                        "enum": ["project", "person", "process", "link", "doc"],
                        "description": "Record type filter",
                    },
                    "tags": {
                        "type": "ARRAY",
                        "maxItems": 5,
                        "items": {"type": "STRING", "minLength": 1},
                        "description": "Tag filters (AND logic)",
                    },
                    "date_range": {
                        "type": "OBJECT",
                        "properties": {
                            "start": {"type": "STRING", "format": "date-time"},
                            "end": {"type": "STRING", "format": "date-time"},
                        },
                        "description": "Filter by last_updated date",
                    },
                },
                "description": "Filter search results No other fields.",
            },
            "top_k": {
                "type": "INTEGER",
                "minimum": 1,
                "maximum": 10,
                "description": "Number of results to return",
                "default": 5,
            },
            "return_fields": {
                "type": "ARRAY",
                "items": {
                    "type": "STRING",
                    "enum": ["snippet", "full_text", "metadata", "sources", "url"],
                },
                "description": "Fields to include in the response (default: all) "
                "uniqueItems: true.",
            },
            "include_snippets": {
                "type": "BOOLEAN",
                "description": "Include text snippets in results",
                "default": True,
            },
        },
        "required": ["query"],
        "description": "No other fields.",
    }
    assert {(loss["pointer"], loss["keyword"]) for loss in projection.losses} == {
        ("", "additionalProperties"),
        ("/properties/filters", "additionalProperties"),
        ("/properties/return_fields", "uniqueItems"),
    }


@pytest.mark.parametrize("provider", ["openai", "anthropic", "mcp", "geminiJson"])
def test_kb_search_needs_no_change_where_json_schema_is_taken(provider: str) -> None:
    projection = project(provider, KB_SEARCH["parameters"])
    assert projection.schema == KB_SEARCH["parameters"]
    assert projection.losses == []


def test_kb_search_declared_for_each_provider() -> None:
    parameters = KB_SEARCH["parameters"]
    schemas, losses = declarations(tool(parameters))
    about = {"name": "kb_search", "description": "Search the knowledge base."}
    assert list(schemas) == list(PROVIDERS)
    assert schemas["openai"] == {
        "type": "function",
        "function": {**about, "parameters": parameters},
    }
    assert schemas["openaiStrict"]["function"]["strict"] is True
    assert schemas["openaiStrict"]["function"]["parameters"]["required"] == [
        "query",
        "namespace",
        "filters",
        "top_k",
        "return_fields",
        "include_snippets",
    ]
    assert schemas["anthropic"] == {**about, "input_schema": parameters}
    assert schemas["geminiJson"] == {**about, "parametersJsonSchema": parameters}
    native = project("geminiNative", parameters)
    assert schemas["geminiNative"] == {**about, "parameters": native.schema}
    assert schemas["mcp"]["inputSchema"] == parameters
    assert losses["geminiNative"] == native.losses
    assert set(losses) == {"geminiNative", "openaiStrict"}


@pytest.mark.parametrize(
    ("effects", "more", "hints"),
    [
        ("none", {}, (True, False, True, False)),
        ("read_only", {}, (True, False, True, True)),
        ("read_only", {"origin": "trusted", "outside": False}, (True, False, True, False)),
        ("read_only", {"origin": "untrusted", "outside": False}, (True, False, True, True)),
        ("writes", {}, (False, False, True, True)),
        ("writes", {"origin": "trusted", "outside": True}, (False, False, True, True)),
        ("writes", {"idempotent": False}, (False, True, False, True)),
    ],
)
def test_mcp_annotations_follow_from_the_metadata(
    effects: str, more: dict[str, Any], hints: tuple[bool, ...]
) -> None:
    fields = {"sideEffects": effects, "idempotent": True, **more}
    schemas, _ = declarations(tool(with_x({}), **fields))
    names = ("readOnlyHint", "destructiveHint", "idempotentHint", "openWorldHint")
    assert schemas["mcp"]["annotations"] == dict(zip(names, hints, strict=True))


def test_mcp_gets_the_output_schema_when_there_is_one() -> None:
    output = {"type": "object", "properties": {"n": {"type": "integer"}}}
    assert declarations(tool(with_x({}), output=output))[0]["mcp"]["outputSchema"] == output
    assert "outputSchema" not in declarations(tool(with_x({})))[0]["mcp"]


# -- construct by construct ------------------------------------------------------------------

EXAMPLES: dict[str, tuple[Any, Any, list[str], Any, list[str]]] = {
    # schema, geminiNative and its losses, openaiStrict and its losses
    "integer": ({"type": "integer"}, {"type": "INTEGER"}, [], {"type": "integer"}, []),
    "number": ({"type": "number"}, {"type": "NUMBER"}, [], {"type": "number"}, []),
    "enum": (
        {"enum": ["a", "b"]},
        {"type": "STRING", "enum": ["a", "b"]},
        [],
        {"type": "string", "enum": ["a", "b"]},
        [],
    ),
    "integer enum": (
        {"type": "integer", "enum": [1, 2]},
        {"type": "INTEGER", "description": "One of 1, 2."},
        ["enum"],
        {"type": "integer", "enum": [1, 2]},
        [],
    ),
    "enum with an empty string": (
        {"enum": ["", "a"]},
        {"type": "STRING", "description": 'One of "", "a".'},
        ["enum"],
        {"type": "string", "enum": ["", "a"]},
        [],
    ),
    "enum of several types": (
        {"enum": ["a", 1, None]},
        {
            "anyOf": [
                {"type": "STRING", "enum": ["a"], "nullable": True},
                {"type": "INTEGER", "description": "One of 1.", "nullable": True},
            ]
        },
        ["enum"],
        {
            "anyOf": [
                {"type": "string", "enum": ["a"]},
                {"type": "integer", "enum": [1]},
                {"type": "null"},
            ]
        },
        [],
    ),
    "const": (
        {"const": "a"},
        {"type": "STRING", "enum": ["a"]},
        [],
        {"type": "string", "enum": ["a"]},
        [],
    ),
    "type list": (
        {"type": ["string", "integer"]},
        {"anyOf": [{"type": "STRING"}, {"type": "INTEGER"}]},
        [],
        {"anyOf": [{"type": "string"}, {"type": "integer"}]},
        [],
    ),
    "nullable": (
        {"type": ["string", "null"]},
        {"type": "STRING", "nullable": True},
        [],
        {"type": ["string", "null"]},
        [],
    ),
    "nullable by anyOf": (
        {"anyOf": [{"type": "integer"}, {"type": "null"}]},
        {"type": "INTEGER", "nullable": True},
        [],
        {"type": ["integer", "null"]},
        [],
    ),
    "null alone": (
        {"type": "null"},
        {"type": "STRING", "nullable": True, "description": "Always null."},
        ["type"],
        {"type": "null"},
        [],
    ),
    "format that is known": (
        {"type": "string", "format": "date-time"},
        {"type": "STRING", "format": "date-time"},
        [],
        {"type": "string", "format": "date-time"},
        [],
    ),
    "format that is not": (
        {"type": "string", "format": "uri", "description": "Where."},
        {"type": "STRING", "description": 'Where. format: "uri".'},
        ["format"],
        {"type": "string", "description": 'Where. format: "uri".'},
        ["format"],
    ),
    "pattern": (
        {"type": "string", "pattern": "^a"},
        {"type": "STRING", "pattern": "^a"},
        [],
        {"type": "string", "pattern": "^a"},
        [],
    ),
    "length": (
        {"type": "string", "minLength": 1, "maxLength": 5},
        {"type": "STRING", "minLength": 1, "maxLength": 5},
        [],
        {"type": "string", "description": "minLength: 1. maxLength: 5."},
        ["minLength", "maxLength"],
    ),
    "exclusive limit of a number": (
        {"type": "number", "exclusiveMinimum": 0},
        {"type": "NUMBER", "minimum": 0, "description": "exclusiveMinimum: 0."},
        ["exclusiveMinimum"],
        {"type": "number", "exclusiveMinimum": 0},
        [],
    ),
    "exclusive limits of an integer": (
        {"type": "integer", "exclusiveMinimum": 0, "exclusiveMaximum": 4.5},
        {"type": "INTEGER", "minimum": 1, "maximum": 4},
        [],
        {"type": "integer", "exclusiveMinimum": 0, "exclusiveMaximum": 4.5},
        [],
    ),
    "multipleOf": (
        {"type": "integer", "multipleOf": 5},
        {"type": "INTEGER", "description": "multipleOf: 5."},
        ["multipleOf"],
        {"type": "integer", "multipleOf": 5},
        [],
    ),
    "default": (
        {"type": "integer", "default": 5},
        {"type": "INTEGER", "default": 5},
        [],
        {"type": "integer", "description": "Default: 5."},
        [],
    ),
    "nested object": (
        {"type": "object", "properties": {"a": {"type": "boolean"}}, "required": ["a"]},
        {"type": "OBJECT", "properties": {"a": {"type": "BOOLEAN"}}, "required": ["a"]},
        [],
        {
            "type": "object",
            "properties": {
                "a": {"type": "boolean"},
                "additional_properties": {
                    "type": ["string", "null"],
                    "description": "Further properties as one JSON object in a string; "
                    "null for none.",
                },
            },
            "required": ["a", "additional_properties"],
            "additionalProperties": False,
        },
        ["additionalProperties"],
    ),
    "closed object": (
        {"type": "object", "properties": {"a": {"type": "string"}}, "additionalProperties": False},
        {
            "type": "OBJECT",
            "properties": {"a": {"type": "STRING"}},
            "description": "No other fields.",
        },
        ["additionalProperties"],
        {
            "type": "object",
            "properties": {"a": {"type": ["string", "null"]}},
            "required": ["a"],
            "additionalProperties": False,
        },
        [],
    ),
    "map": (
        {"type": "object", "additionalProperties": {"type": "integer"}},
        {
            "type": "OBJECT",
            "description": "Further fields may have any name; their values: integer.",
        },
        ["additionalProperties"],
        {
            "type": "string",
            "description": "A string that holds a JSON object as JSON: names to values (integer).",
        },
        ["type"],
    ),
    "array": (
        {"type": "array", "items": {"type": "string"}, "minItems": 1},
        {"type": "ARRAY", "items": {"type": "STRING"}, "minItems": 1},
        [],
        {"type": "array", "items": {"type": "string"}, "minItems": 1},
        [],
    ),
    "uniqueItems": (
        {"type": "array", "items": {"type": "string"}, "uniqueItems": True},
        {"type": "ARRAY", "items": {"type": "STRING"}, "description": "uniqueItems: true."},
        ["uniqueItems"],
        {"type": "array", "items": {"type": "string"}, "description": "uniqueItems: true."},
        ["uniqueItems"],
    ),
    "tuple": (
        {"type": "array", "prefixItems": [{"type": "string"}, {"type": "integer"}], "items": False},
        {
            "type": "ARRAY",
            "maxItems": 2,
            "items": {"anyOf": [{"type": "STRING"}, {"type": "INTEGER"}]},
            "description": 'Items by position: [{"type":"string"},{"type":"integer"}].',
        },
        ["prefixItems"],
        {
            "type": "array",
            "maxItems": 2,
            "items": {"anyOf": [{"type": "string"}, {"type": "integer"}]},
            "description": 'Items by position: [{"type":"string"},{"type":"integer"}].',
        },
        ["prefixItems"],
    ),
    "oneOf": (
        {"oneOf": [{"type": "string"}, {"type": "integer"}]},
        {
            "anyOf": [
                {"type": "STRING", "description": "Exactly one of these forms."},
                {"type": "INTEGER"},
            ]
        },
        ["oneOf"],
        {
            "anyOf": [{"type": "string"}, {"type": "integer"}],
            "description": "Exactly one of these forms.",
        },
        ["oneOf"],
    ),
    "allOf": (
        {"allOf": [{"type": ["string", "null"]}, {"type": "string"}], "description": "Both."},
        {"type": "STRING", "description": "Both."},
        [],
        {"type": "string", "description": "Both."},
        [],
    ),
    "not": (
        {"type": "string", "not": {"const": "a"}},
        {"type": "STRING", "description": 'not: {"const":"a"}.'},
        ["not"],
        {"type": "string", "description": 'not: {"const":"a"}.'},
        ["not"],
    ),
    "reference": (
        {"$ref": "#/$defs/point"},
        {"type": "STRING", "description": "A point."},
        [],
        {"$ref": "#/$defs/point"},
        [],
    ),
    "reference with words of its own": (
        {"$ref": "#/$defs/point", "description": "Where it starts."},
        {"type": "STRING", "description": "Where it starts. A point."},
        [],
        {"type": "string", "description": "Where it starts. A point."},
        [],
    ),
}
DEFS = {"point": {"type": "string", "description": "A point."}}


@pytest.mark.parametrize("name", EXAMPLES)
def test_gemini_native(name: str) -> None:
    schema, native, losses, _, _ = EXAMPLES[name]
    found, lost = projected("geminiNative", with_x(schema, **{"$defs": DEFS}))
    assert found == native
    assert lost == [("/properties/x", keyword) for keyword in losses]


@pytest.mark.parametrize("name", EXAMPLES)
def test_openai_strict(name: str) -> None:
    schema, _, _, strict, losses = EXAMPLES[name]
    found, lost = projected("openaiStrict", with_x(schema, **{"$defs": DEFS}))
    assert found == strict
    assert lost == [("/properties/x", keyword) for keyword in losses]


@pytest.mark.parametrize("name", EXAMPLES)
@pytest.mark.parametrize("provider", ["openai", "anthropic", "mcp", "geminiJson"])
def test_providers_that_take_json_schema_get_it_as_it_is(provider: str, name: str) -> None:
    schema = with_x(EXAMPLES[name][0], **{"$defs": DEFS})
    assert project(provider, schema).schema == schema


def test_anything_at_all() -> None:
    found, _ = projected("geminiNative", with_x({}))
    assert [branch["type"] for branch in found["anyOf"]] == [
        "STRING",
        "NUMBER",
        "BOOLEAN",
        "OBJECT",
        "ARRAY",
    ]
    assert all(branch["nullable"] for branch in found["anyOf"])


def test_an_optional_parameter_is_nullable_in_strict_mode() -> None:
    schema = {
        "type": "object",
        "properties": {
            "plain": {"type": "string"},
            "choice": {"enum": ["x"]},
            "ref": {"$ref": "#/$defs/q"},
            "null": {"type": ["string", "null"]},
        },
        "additionalProperties": False,
        "$defs": {"q": {"type": "integer"}},
    }
    strict = project("openaiStrict", schema).schema
    assert strict["required"] == ["plain", "choice", "ref", "null"]
    assert strict["properties"]["plain"] == {"type": ["string", "null"]}
    assert strict["properties"]["choice"] == {"type": ["string", "null"], "enum": ["x", None]}
    assert strict["properties"]["ref"] == {"anyOf": [{"$ref": "#/$defs/q"}, {"type": "null"}]}
    explicit = strict["properties"]["null"]["anyOf"][1]
    assert explicit["properties"] == {"explicit_null": {"type": "boolean", "enum": [True]}}


@pytest.mark.parametrize("provider", ["openai", "anthropic"])
def test_alternatives_at_the_top_move_into_the_description(provider: str) -> None:
    schema = {
        "type": "object",
        "description": "Find it.",
        "properties": {"id": {"type": "string"}, "name": {"type": "string"}},
        "additionalProperties": False,
        "oneOf": [{"required": ["id"]}, {"required": ["name"]}],
    }
    projection = project(provider, schema)
    assert projection.schema == {
        "type": "object",
        "description": 'Find it. oneOf: [{"required":["id"]},{"required":["name"]}].',
        "properties": schema["properties"],
        "additionalProperties": False,
    }
    assert [(loss["pointer"], loss["keyword"]) for loss in projection.losses] == [("", "oneOf")]


def test_alternatives_at_the_top_are_merged_for_gemini() -> None:
    schema = {
        "type": "object",
        "properties": {"id": {"type": "string"}, "name": {"type": "string"}},
        "anyOf": [{"required": ["id"]}, {"required": ["name"]}],
    }
    projection = project("geminiNative", schema)
    assert projection.schema["properties"] == {"id": {"type": "STRING"}, "name": {"type": "STRING"}}
    assert "required" not in projection.schema
    assert '[["id"],["name"]]' in projection.schema["description"]
    assert projection.losses[0]["keyword"] == "anyOf"


# -- sizes -----------------------------------------------------------------------------------

TREE = with_x(
    {"$ref": "#/$defs/node"},
    **{
        "$defs": {
            "node": {
                "type": "object",
                "properties": {
                    "name": {"type": "string"},
                    "kids": {"type": "array", "items": {"$ref": "#/$defs/node"}},
                },
                "required": ["name"],
                "additionalProperties": False,
            }
        }
    },
)


def test_recursion_is_written_out_to_a_bounded_depth_for_gemini() -> None:
    found, lost = projected("geminiNative", TREE)
    child = found["properties"]["kids"]["items"]
    assert child["properties"]["name"] == {"type": "STRING"}
    assert child["properties"]["kids"]["items"] == {
        "type": "OBJECT",
        "description": "Again a node, as above.",
    }
    assert ("/$defs/node/properties/kids/items", "$ref") in lost


def test_recursion_stays_recursion_in_strict_mode() -> None:
    strict = project("openaiStrict", TREE).schema
    assert strict["properties"]["x"] == {"$ref": "#/$defs/node"}
    kids = strict["$defs"]["node"]["properties"]["kids"]
    assert kids == {"type": ["array", "null"], "items": {"$ref": "#/$defs/node"}}


def laughs(step: Any) -> dict[str, Any]:
    """A small schema whose references unfold to 10 to the 30."""
    defs = {f"d{i}": step(f"#/$defs/d{i + 1}") for i in range(30)}
    return with_x({"$ref": "#/$defs/d0"}, **{"$defs": {**defs, "d30": {"type": "string"}}})


@pytest.mark.timeout(20)
@pytest.mark.parametrize("provider", PROVIDERS)
@pytest.mark.parametrize(
    "step",
    [
        lambda ref: {"type": "object", "properties": {c: {"$ref": ref} for c in "abcdefghij"}},
        lambda ref: {"allOf": [{"$ref": ref}] * 10},
        lambda ref: {"anyOf": [{"type": "array", "items": {"$ref": ref}}, {"$ref": ref}]},
    ],
    ids=["properties", "allOf", "anyOf"],
)
def test_a_small_schema_that_unfolds_without_end_stays_small(provider: str, step: Any) -> None:
    projection = project(provider, laughs(step))
    assert len(json.dumps(projection.schema)) < 1_000_000


@pytest.mark.timeout(20)
@pytest.mark.parametrize("provider", PROVIDERS)
def test_thousands_of_alternatives_and_definitions_convert_quickly(provider: str) -> None:
    many = 2000
    defs = {f"d{i}": {"items": {"type": "string"}} for i in range(many)}
    schema = with_x(
        {"anyOf": [{"type": "object", "properties": {f"p{i}": {}}} for i in range(many)]},
        **{"$defs": defs},
    )
    schema["properties"] |= {f"r{i}": {"$ref": f"#/$defs/d{i}/items"} for i in range(many)}
    assert project(provider, schema).schema["type"] in ("object", "OBJECT")


@pytest.mark.parametrize("provider", PROVIDERS)
def test_a_long_description_is_kept_whole(provider: str) -> None:
    words = "All about it. " * 715
    found, _ = projected(provider, with_x({"type": "string", "description": words}))
    assert len(words) > 10_000
    assert found["description"].strip() == words.strip()


# -- the provider's own types ----------------------------------------------------------------


def function_declaration(**fields: Any) -> Any:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        from google.genai import types
    return types.FunctionDeclaration(**fields)


@pytest.mark.parametrize("name", EXAMPLES)
def test_gemini_takes_both_forms(name: str) -> None:
    schemas, _ = declarations(tool(with_x(EXAMPLES[name][0], **{"$defs": DEFS})))
    native = function_declaration(**schemas["geminiNative"])
    assert native.name == "kb_search"
    assert native.parameters.type.value == "OBJECT"
    assert list(native.parameters.properties) == ["x"]
    as_json = function_declaration(**schemas["geminiJson"])
    assert as_json.parameters_json_schema == schemas["geminiJson"]["parametersJsonSchema"]


# -- what cannot be used ---------------------------------------------------------------------


def deep(levels: int) -> dict[str, Any]:
    schema: dict[str, Any] = {"type": "object"}
    for _ in range(levels):
        schema = {"type": "object", "properties": {"a": schema}}
    return schema


@pytest.mark.parametrize("provider", PROVIDERS)
@pytest.mark.parametrize(
    ("schema", "words"),
    [
        ({"type": "string"}, "/type: arguments are an object, not 'string'"),
        ({"type": ["array", "null"]}, "/type: arguments are an object"),
        (False, "allows no call"),
        (with_x({"$ref": "https://example.org/x"}), "/properties/x/$ref: "),
        (with_x({"$ref": "#/$defs/x"}), "/properties/x/$ref: "),
        (with_x({"type": "text"}), "/properties/x/type: "),
        (with_x({"pattern": "("}), "/properties/x/pattern: "),
        ({"type": "object", "properties": []}, "/properties: "),
        ({"type": "object", "required": [1]}, "/required/0: "),
        (with_x({"$id": "http://[", "$ref": "y"}), "no address"),
        (None, "is not of types"),
        ("object", "is not of types"),
        ([], "is not of types"),
        (5, "is not of types"),
        ({"type": {"object"}}, "cannot be read"),
        ({1: 2}, "cannot be read"),
        (deep(5000), "too deeply"),
    ],
)
def test_an_unusable_schema_is_refused_with_words(provider: str, schema: Any, words: str) -> None:
    with pytest.raises(UnusableSchema) as caught:
        project(provider, schema)
    assert words in str(caught.value)


def test_an_unknown_provider_is_a_key_error() -> None:
    with pytest.raises(KeyError):
        project("grok", {})


KEYWORDS = [
    *("type", "properties", "required", "additionalProperties", "$ref", "$defs", "$id", "$anchor"),
    *("anyOf", "oneOf", "allOf", "not", "items", "prefixItems", "enum", "const", "default", "if"),
    *("then", "minLength", "minimum", "maximum", "pattern", "format", "description", "title", "a"),
    *("examples", "patternProperties", "unevaluatedProperties", "dependentSchemas", "x-own"),
]
ATOMS = st.one_of(
    st.none(),
    st.booleans(),
    st.integers(),
    st.floats(),
    st.text(max_size=3),
    st.sampled_from(["object", "string", "array", "#", "#/$defs/a", "#/properties/a", "urn:a"]),
)
ARBITRARY = st.recursive(
    ATOMS,
    lambda inner: st.one_of(
        st.lists(inner, max_size=3),
        st.dictionaries(st.sampled_from(KEYWORDS), inner, max_size=4),
        st.builds(lambda a: {"a": a}, inner),
        st.builds(lambda a: {"type": "object", "properties": {"a": a}}, inner),
        st.builds(lambda a, b: {"$defs": {"a": a}, "properties": {"a": b}}, inner, inner),
    ),
    max_leaves=12,
)


@settings(max_examples=examples(250), deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(ARBITRARY)
def test_whatever_is_given_either_converts_or_is_refused_with_words(value: Any) -> None:
    for provider in PROVIDERS:
        try:
            projection = project(provider, value)
        except UnusableSchema as error:
            assert len(str(error)) > 5  # noqa: PT017 - either outcome is right
        else:
            assert projection.schema["type"] in ("object", "OBJECT")


# -- names that a provider refuses ---------------------------------------------------------------

NAMED = {
    "type": "object",
    "description": "Sizes.",
    "properties": {
        "größe in mm": {"type": "integer", "description": "How large."},
        "gr__e_in_mm": {"type": "string"},
        "parts": {"type": "array", "items": {"$ref": "#/properties/a~1b"}},
        "a/b": {
            "type": "object",
            "properties": {"": {"type": "string"}, "$id": {"type": "string"}},
            "required": [""],
        },
        "x" * 70: {"enum": [{"a/b": 1}, None]},
    },
    "required": ["größe in mm"],
    "additionalProperties": False,
}


def test_property_names_that_anthropic_refuses_travel_under_others() -> None:
    codec = codec_of("anthropic", NAMED)
    assert codec is not None
    fields = codec.schema["properties"]
    assert list(fields) == ["gr__e_in_mm_2", "gr__e_in_mm", "parts", "a_b", "x" * 64]
    assert codec.schema["required"] == ["gr__e_in_mm_2"]
    assert fields["gr__e_in_mm_2"]["description"] == 'How large. Its name is "größe in mm".'
    assert fields["parts"]["items"] == {"$ref": "#/properties/a_b"}
    assert list(fields["a_b"]["properties"]) == ["_", "_id"]
    args = {
        "größe in mm": 3,
        "gr__e_in_mm": "x",
        "parts": [{"": "y", "_": "also", "gr__e_in_mm_2": 1}],
        "a/b": {"": "z", "$id": "w"},
        "x" * 70: {"a/b": 1},
    }
    sent = codec.encode(args)
    assert list(sent) == ["gr__e_in_mm_2", "gr__e_in_mm", "parts", "a_b", "x" * 64]
    assert jsonschema_rs.Draft202012Validator(codec.schema).is_valid(sent)
    assert codec.decode(sent) == args
    assert [loss["keyword"] for loss in project("anthropic", NAMED).losses] == ["properties"] * 5


def test_names_that_are_allowed_stay_and_so_does_the_schema() -> None:
    schema = with_x({"type": "string"})
    assert project("anthropic", schema).schema is schema


# -- sizes -----------------------------------------------------------------------------------------


def recursive(width: int) -> dict[str, Any]:
    """A small schema that grows with every level that is written out."""
    reference = {"$ref": "#/$defs/block", "description": "A block inside of this one."}
    fields: dict[str, Any] = {f"part_{n}": reference for n in range(width)}
    fields |= {f"field_{n}": {"type": "string", "description": "Words."} for n in range(20)}
    block = {"type": "object", "properties": fields, "additionalProperties": False}
    return {**with_x({"$ref": "#/$defs/block"}), "$defs": {"block": block}}


@pytest.mark.parametrize("width", [1, 4, 12])
def test_recursion_is_written_out_within_bounds_and_the_cut_is_named(width: int) -> None:
    schema = recursive(width)
    projection = project("geminiNative", schema)
    assert len(json.dumps(projection.schema)) <= max(16_000, 4 * len(json.dumps(schema)))
    assert any("bounded depth" in loss["reason"] for loss in projection.losses)


@pytest.mark.parametrize("provider", ["geminiNative", "openaiStrict"])
def test_a_schema_that_is_large_without_recursion_is_not_cut(provider: str) -> None:
    fields = {f"field_{n}": {"type": "string", "description": "x" * 200} for n in range(100)}
    schema = {"type": "object", "properties": fields, "additionalProperties": False}
    found = project(provider, schema).schema
    assert list(found["properties"]) == list(fields)


def test_an_array_of_anything_says_the_types_of_its_items() -> None:
    schema = with_x({"type": "array"})
    codec = codec_of("geminiNative", schema)
    assert codec is not None
    items = codec.schema["properties"]["x"]["items"]
    assert [branch["type"] for branch in items["anyOf"]] == [
        *("STRING", "NUMBER", "BOOLEAN", "OBJECT", "ARRAY"),
    ]
    args = {"x": [1, "a", None, {"b": []}, [2, ["c", [{}]], "d"]]}
    sent = codec.encode(args)
    assert sent == {"x": [1, "a", None, {"b": []}, [2, ['"c"', "[{}]"], "d"]]}
    assert codec.decode(sent) == args
