"""What changed between two artifacts is named, and told apart by whether it breaks callers."""

from __future__ import annotations

import itertools
from copy import deepcopy
from typing import Any

import jsonschema_rs
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.effort import examples

from antiphon.registry.diff import ArtifactDiff, diff_artifacts
from antiphon.registry.validation import Validator

PARAMETERS = {
    "type": "object",
    "properties": {"query": {"type": "string", "maxLength": 20}, "top_k": {"type": "integer"}},
    "required": ["query"],
    "additionalProperties": False,
}


def tool(**changes: Any) -> dict[str, Any]:
    body: dict[str, Any] = {
        "toolId": "kb_search",
        "version": "1.2.3",
        "description": "Search.",
        "category": "retrieval",
        "sideEffects": "none",
        "idempotent": True,
        "requiresConfirmation": False,
        "risk": "high",
        "allowedModes": ["text", "voice"],
        "latencyBudgetMs": 500,
        "execution": "server",
        "timeoutMs": 5000,
        "interruption": "cancel",
        "jsonSchema": PARAMETERS,
        "providerSchemas": {},
        "losses": {},
        "summary": "Search.",
        "documentation": "# kb_search",
        "handlerPath": "kb-search/handler.py",
        "digest": "0",
    }
    return deepcopy(body | changes)


def artifact(*tools: dict[str, Any]) -> dict[str, Any]:
    return {"version": "1.0.00000000", "tools": list(tools)}


def compare(old: dict[str, Any], new: dict[str, Any]) -> ArtifactDiff:
    return diff_artifacts(artifact(old), artifact(new))


def schema_diff(old: Any, new: Any, **rest: Any) -> ArtifactDiff:
    """Compare two schemas of the one parameter `x`, with other keywords of the root in `rest`."""
    root = {"type": "object", "additionalProperties": False} | rest
    return compare(
        tool(jsonSchema=root | {"properties": {"x": old}}),
        tool(jsonSchema=root | {"properties": {"x": new}}),
    )


def kinds(diff: ArtifactDiff) -> dict[str, bool]:
    """Kinds of change and whether they break, without the notes about versions."""
    changes = [c for changed in diff.changed for c in changed.changes]
    return {c.kind: c.breaking for c in changes if c.pointer != "/version"}


def test_equal_artifacts_do_not_differ() -> None:
    diff = compare(tool(), tool())
    assert diff.to_dict() == {"added": [], "removed": [], "changed": [], "breaking": False}


def test_an_added_tool_breaks_nobody_and_a_removed_one_does() -> None:
    other = tool(toolId="kb_get")
    grown = diff_artifacts(artifact(tool()), artifact(tool(), other))
    shrunk = diff_artifacts(artifact(tool(), other), artifact(tool()))
    assert (grown.added, grown.removed, grown.breaking) == (("kb_get",), (), False)
    assert (shrunk.added, shrunk.removed, shrunk.breaking) == ((), ("kb_get",), True)


def test_the_json_form_names_place_kind_and_consequence() -> None:
    new = deepcopy(PARAMETERS)
    new["properties"]["query"]["maxLength"] = 10  # type: ignore[index]
    diff = compare(tool(), tool(jsonSchema=new, version="2.0.0"))
    assert diff.to_dict()["changed"] == [
        {
            "toolId": "kb_search",
            "oldVersion": "1.2.3",
            "newVersion": "2.0.0",
            "breaking": True,
            "changes": [
                {
                    "pointer": "/jsonSchema/properties/query/maxLength",
                    "kind": "bound-tightened",
                    "breaking": True,
                    "message": "`maxLength` tightened: 20 became 10",
                },
                {
                    "pointer": "/version",
                    "kind": "version-changed",
                    "breaking": False,
                    "message": "version 1.2.3 became 2.0.0",
                },
            ],
        }
    ]


@pytest.mark.parametrize(
    ("old", "new", "expected"),
    [
        ({"type": "integer"}, {"type": "number"}, {"type-widened": False}),
        ({"type": "number"}, {"type": "integer"}, {"type-narrowed": True}),
        ({"type": "string"}, {"type": ["string", "null"]}, {"type-widened": False}),
        (
            {"type": "string"},
            {"type": "integer"},
            {"type-narrowed": True, "type-widened": False},
        ),
        ({"enum": ["a"]}, {"enum": ["a"], "type": "string"}, {}),
        ({"enum": ["a", "b"]}, {"enum": ["a"]}, {"values-removed": True}),
        ({"enum": ["a"]}, {"enum": ["b", "a"]}, {"values-added": False}),
        ({"enum": ["a", "b"]}, {"enum": ["b", "a"]}, {}),
        ({"const": 1}, {"const": 1.0}, {}),
        ({"const": 1}, {"const": True}, {"values-removed": True, "values-added": False}),
        ({"const": 1}, {"enum": [1, 2]}, {"values-added": False}),
        ({}, {"enum": [1]}, {"values-restricted": True}),
        ({"enum": [1]}, {}, {"values-unrestricted": False}),
        ({"minimum": 1}, {"minimum": 2}, {"bound-tightened": True}),
        ({"minimum": 2}, {"minimum": 1}, {"bound-loosened": False}),
        ({"minimum": 1}, {"exclusiveMinimum": 1}, {"bound-tightened": True}),
        ({"minimum": 1}, {"exclusiveMinimum": 0}, {"bound-loosened": False}),
        ({"exclusiveMaximum": 5}, {"maximum": 5}, {"bound-loosened": False}),
        ({"maximum": 5}, {"maximum": 4.5}, {"bound-tightened": True}),
        ({}, {"maxItems": 3}, {"bound-tightened": True}),
        ({"maxItems": 3}, {}, {"bound-loosened": False}),
        ({"minLength": 0}, {}, {}),
        ({"type": "string"}, {"type": "string", "minimum": 3}, {"bound-tightened": False}),
        ({"multipleOf": 2}, {"multipleOf": 4}, {"multiple-changed": True}),
        ({"multipleOf": 0.2}, {"multipleOf": 0.1}, {"multiple-changed": False}),
        ({"multipleOf": 2}, {"multipleOf": 3}, {"multiple-changed": True}),
        ({}, {"pattern": "^a"}, {"pattern-added": True}),
        ({"pattern": "^a"}, {"pattern": "^b"}, {"pattern-changed": True}),
        ({"pattern": "^a"}, {}, {"pattern-removed": False}),
        ({}, {"format": "email"}, {"format-added": True}),
        ({"format": "uri"}, {"format": "email"}, {"format-changed": True}),
        ({"uniqueItems": False}, {"uniqueItems": True}, {"uniqueness-changed": True}),
        ({"items": {"maxLength": 5}}, {"items": {"maxLength": 4}}, {"bound-tightened": True}),
        ({"items": {"maxLength": 5}}, {}, {"bound-loosened": False}),
        ({"prefixItems": [{"type": "string"}]}, {}, {"type-widened": False}),
        (
            {"items": {"type": "string"}},
            {"prefixItems": [{"type": "string"}], "items": {"type": "string"}},
            {},
        ),
        ({"default": 1}, {"default": 2}, {"default-changed": False}),
        ({"default": 1}, {}, {"default-changed": False}),
        ({"description": "a"}, {"description": "b"}, {"documentation-changed": False}),
        ({"x-order": 1}, {"x-order": 2}, {"documentation-changed": False}),
        ({"strange": 1}, {"strange": 2}, {"unknown-keyword": True}),
        ({"not": {"const": 1}}, {}, {"not-removed": False}),
        ({}, {"not": {"const": 1}}, {"not-added": True}),
        ({"not": {"const": 1}}, {"not": {"const": 2}}, {"not-changed": True}),
        (
            {"if": {"const": 1}, "then": False},
            {"if": {"const": 1}, "then": True},
            {"if-changed": True},
        ),
        ({"contains": {"const": 1}}, {"contains": {"const": 2}}, {"contains-changed": True}),
        ({"allOf": [{"minLength": 1}]}, {}, {"condition-removed": False}),
        ({}, {"allOf": [{"minLength": 1}]}, {"condition-added": True}),
        (True, False, {"forbidden": True}),
        (False, True, {"allowed": False}),
        (
            {"anyOf": [{"type": "string"}, {"type": "null"}]},
            {"anyOf": [{"type": "null"}, {"type": "string"}]},
            {},
        ),
        (
            {"anyOf": [{"type": "string"}]},
            {"anyOf": [{"type": "string"}, {"type": "null"}]},
            {"alternative-added": False},
        ),
        (
            {"anyOf": [{"type": "string"}, {"type": "null"}]},
            {"anyOf": [{"type": "string"}]},
            {"alternative-removed": True},
        ),
        (
            {"anyOf": [{"type": "string"}, {"type": "integer"}]},
            {"anyOf": [{"type": "string"}, {"type": "number"}]},
            {"type-widened": False},
        ),
        ({"anyOf": [{"type": "integer"}, {"type": "number"}]}, {"anyOf": [{"type": "number"}]}, {}),
        (
            {"oneOf": [{"type": "string"}]},
            {"oneOf": [{"type": "string"}, {"type": "null"}]},
            {"alternative-added": False},
        ),
        (
            {"oneOf": [{"type": "string"}]},
            {"oneOf": [{"type": "string"}, {"maxLength": 3}]},
            {"alternatives-changed": True},
        ),
        (
            {"additionalProperties": False},
            {"additionalProperties": {"type": "string"}},
            {"object-opened": False},
        ),
        ({}, {"additionalProperties": False}, {"object-closed": True}),
        (
            {"additionalProperties": {"type": "string"}},
            {"properties": {"n": {"type": "integer"}}, "additionalProperties": {"type": "string"}},
            {"property-added": True},
        ),
        (
            {"patternProperties": {"^a": {"type": "string"}}},
            {"patternProperties": {"^b": {"type": "string"}}},
            {"patterned-properties-changed": True},
        ),
        (
            {"dependentRequired": {"a": ["b"]}},
            {"dependentRequired": {"a": ["b", "c"]}},
            {"dependency-changed": True},
        ),
        (
            {"properties": {"a": True}, "unevaluatedProperties": False},
            {"properties": {}, "unevaluatedProperties": False},
            {"unevaluated-changed": True},
        ),
    ],
)
def test_each_change_of_a_schema_is_named_and_judged(
    old: Any, new: Any, expected: dict[str, bool]
) -> None:
    diff = schema_diff(old, new)
    assert kinds(diff) == expected
    assert diff.breaking == any(expected.values())


def test_oneof_branches_told_apart_by_a_constant_compare_like_any_alternatives() -> None:
    def shape(kind: str) -> dict[str, Any]:
        return {"type": "object", "properties": {"kind": {"const": kind}}, "required": ["kind"]}

    diff = schema_diff({"oneOf": [shape("a")]}, {"oneOf": [shape("a"), shape("b")]})
    assert kinds(diff) == {"alternative-added": False}


def parameters(required: list[str], **properties: Any) -> dict[str, Any]:
    return {
        "type": "object",
        "properties": properties,
        "required": required,
        "additionalProperties": False,
    }


@pytest.mark.parametrize(
    ("old", "new", "expected"),
    [
        (parameters([]), parameters([], n={}), {"property-added": False}),
        (parameters([], n={}), parameters([]), {"property-removed": True}),
        (parameters([], n={}), parameters(["n"], n={}), {"required-added": True}),
        (parameters(["n"], n={}), parameters([], n={}), {"required-removed": False}),
        (
            parameters([]),
            parameters(["n"], n={"type": "integer"}),
            {"property-added": False, "required-added": True},
        ),
        (
            parameters([]),
            parameters(["n"], n={"type": "integer", "default": 3}),
            {"property-added": False},
        ),
        (
            parameters([]),
            parameters(["n"], n={"type": "integer", "default": "no integer"}),
            {"property-added": False, "required-added": True},
        ),
        (
            parameters(["n"], n={"default": 3}),
            parameters(["n"], n={}),
            {"required-added": True, "default-changed": False},
        ),
        (
            parameters([], o=parameters([])),
            parameters([], o=parameters(["n"], n={"default": 1})),
            {"property-added": False},
        ),
        (
            parameters([]) | {"maxProperties": 1},
            parameters(["n"], n={"default": 1}) | {"maxProperties": 1},
            {"property-added": False, "required-added": True},
        ),
    ],
)
def test_a_required_parameter_breaks_callers_unless_a_default_stands_in(
    old: Any, new: Any, expected: dict[str, bool]
) -> None:
    assert kinds(compare(tool(jsonSchema=old), tool(jsonSchema=new))) == expected


def test_references_are_followed_to_what_they_mean() -> None:
    def root(limit: int) -> dict[str, Any]:
        return parameters([], x={"$ref": "#/$defs/name"}) | {
            "$defs": {"name": {"maxLength": limit}}
        }

    diff = compare(tool(jsonSchema=root(9)), tool(jsonSchema=root(8)))
    assert [c.pointer for c in diff.changed[0].changes][:1] == ["/jsonSchema/$defs/name/maxLength"]
    assert kinds(diff) == {"bound-tightened": True}
    inline = parameters([], x={"maxLength": 9})
    assert kinds(compare(tool(jsonSchema=root(9)), tool(jsonSchema=inline))) == {}


def test_a_reference_inside_a_keyword_compared_as_a_whole_counts() -> None:
    def root(limit: int) -> dict[str, Any]:
        body = parameters([], x={"not": {"$ref": "#/$defs/name"}})
        return body | {"$defs": {"name": {"maxLength": limit}}}

    assert kinds(compare(tool(jsonSchema=root(9)), tool(jsonSchema=root(8)))) == {
        "not-changed": True
    }


def test_recursive_schemas_are_compared_once() -> None:
    def root(limit: int) -> dict[str, Any]:
        node = {
            "type": "object",
            "properties": {
                "label": {"type": "string", "maxLength": limit},
                "children": {"type": "array", "items": {"$ref": "#/$defs/node"}},
                "either": {"anyOf": [{"$ref": "#/$defs/node"}, {"type": "null"}]},
            },
        }
        return parameters([], tree={"$ref": "#/$defs/node"}) | {"$defs": {"node": node}}

    assert kinds(compare(tool(jsonSchema=root(5)), tool(jsonSchema=root(6)))) == {
        "bound-loosened": False
    }
    assert kinds(compare(tool(jsonSchema=root(6)), tool(jsonSchema=root(5)))) == {
        "bound-tightened": True
    }


def test_a_schema_too_large_to_compare_counts_as_breaking() -> None:
    def layers(limit: int) -> dict[str, Any]:
        body: dict[str, Any] = {"type": "string", "maxLength": limit}
        for _ in range(9):
            body = {"anyOf": [{"items": body}, {"items": body}, {"type": "null"}]}
        return body

    assert "too-large" in kinds(schema_diff(layers(1), layers(2)))


@pytest.mark.parametrize(
    ("old", "new", "breaking"),
    [
        ({"allowedModes": ["text", "voice"]}, {"allowedModes": ["text"]}, True),
        ({"allowedModes": ["text"]}, {"allowedModes": ["voice", "text"]}, False),
        ({"requiresConfirmation": False}, {"requiresConfirmation": True}, True),
        ({"requiresConfirmation": True}, {"requiresConfirmation": False}, False),
        ({"risk": "low"}, {"risk": "high"}, False),
        ({}, {"approvals": 2}, True),
        ({"approvals": 2}, {}, False),
        (
            {"risk": "low", "requiresConfirmation": True},
            {"risk": "high", "requiresConfirmation": True},
            True,
        ),
        ({"sideEffects": "none"}, {"sideEffects": "writes"}, True),
        ({"sideEffects": "writes"}, {"sideEffects": "read_only"}, False),
        ({"idempotent": True}, {"idempotent": False}, True),
        ({"idempotent": False}, {"idempotent": True}, False),
        ({"execution": "server"}, {"execution": "background"}, True),
        ({"execution": "client"}, {"execution": "server"}, False),
        ({"timeoutMs": 5000}, {"timeoutMs": 100}, False),
        ({"latencyBudgetMs": 5000}, {"latencyBudgetMs": 100}, False),
        ({"isolation": "thread"}, {"isolation": "process"}, False),
        ({"network": True}, {}, False),
        ({"description": "a"}, {"description": "b"}, False),
        ({"documentation": "a"}, {"documentation": "b"}, False),
        ({"handlerPath": "a"}, {"handlerPath": "b"}, False),
        ({"digest": "a"}, {"digest": "b"}, False),
        ({"redact": ["/a"]}, {"redact": ["/b"]}, False),
        ({}, {"rateLimit": {"calls": 5, "windowMs": 1000}}, True),
        ({"rateLimit": {"calls": 5, "windowMs": 1000}}, {}, False),
        (
            {"rateLimit": {"calls": 5, "windowMs": 1000}},
            {"rateLimit": {"calls": 6, "windowMs": 900}},
            False,
        ),
        (
            {"rateLimit": {"calls": 5, "windowMs": 1000}},
            {"rateLimit": {"calls": 4, "windowMs": 1}},
            True,
        ),
        (
            {"rateLimit": {"calls": 5, "windowMs": 1000}},
            {"rateLimit": {"calls": 9, "windowMs": 60000}},
            True,
        ),
        ({"rateLimit": {"calls": 5, "windowMs": 1000}}, {"rateLimit": "odd"}, True),
        ({}, {"availability": {"requiresAuth": True}}, True),
        ({"availability": {"requiresAuth": True}}, {}, False),
        ({"availability": {"roles": ["a"]}}, {"availability": {"roles": ["a", "b"]}}, False),
        ({"availability": {"roles": ["a", "b"]}}, {"availability": {"roles": ["a"]}}, True),
        ({"availability": {"env": ["A"]}}, {"availability": {"env": ["A", "B"]}}, True),
        ({"availability": {"env": ["A", "B"]}}, {"availability": {"env": ["A"]}}, False),
        ({"availability": {"when": "a"}}, {"availability": {"when": "b"}}, True),
        ({}, {"availability": {"when": "b"}}, True),
        ({}, {"shoeSize": 43}, True),
    ],
)
def test_each_change_of_metadata_is_noted_and_judged(
    old: dict[str, Any], new: dict[str, Any], breaking: bool
) -> None:
    diff = compare(tool(**old), tool(**new))
    assert len(diff.changed) == 1
    assert diff.breaking is breaking


@pytest.mark.parametrize(
    ("old", "new", "breaking"),
    [
        (parameters(["a"], a={}), parameters([], a={}), True),
        (parameters([], a={}), parameters(["a"], a={}), False),
        (parameters([], a={"type": "number"}), parameters([], a={"type": "integer"}), False),
        (parameters([], a={"type": "integer"}), parameters([], a={"type": "number"}), True),
        (parameters([], a={"enum": [1]}), parameters([], a={"enum": [1, 2]}), True),
        (parameters([], a={"maxLength": 9}), parameters([], a={}), True),
        (None, parameters([]), False),
        (parameters([]), None, True),
    ],
)
def test_for_results_the_question_is_turned_round(old: Any, new: Any, breaking: bool) -> None:
    """What a tool returns may be promised more narrowly, never more widely."""
    with_output = [tool(**({} if schema is None else {"output": schema})) for schema in (old, new)]
    assert compare(*with_output).breaking is breaking


def version_notes(old: str, new: str, schema: dict[str, Any]) -> set[str]:
    diff = compare(tool(version=old), tool(version=new, jsonSchema=schema))
    return {c.kind for changed in diff.changed for c in changed.changes if c.pointer == "/version"}


def test_a_version_that_hides_a_change_is_noted() -> None:
    wider = deepcopy(PARAMETERS) | {"required": []}
    tighter = deepcopy(PARAMETERS) | {"required": ["query", "top_k"]}
    assert version_notes("1.2.3", "1.2.3", wider) == {"version-not-raised"}
    assert version_notes("1.2.3", "1.3.0", wider) == {"version-changed"}
    assert version_notes("1.2.3", "1.3.0", tighter) == {"version-changed", "major-not-raised"}
    assert version_notes("1.2.3", "2.0.0", tighter) == {"version-changed"}
    assert version_notes("0.2.3", "0.3.0", tighter) == {"version-changed"}
    assert version_notes("2.0.0", "1.0.0", tighter) == {"version-changed", "major-not-raised"}
    assert version_notes("odd", "odder", tighter) == {"version-changed", "major-not-raised"}


DEEP: dict[str, Any] = {}
for _ in range(400):
    DEEP = {"not": DEEP}


@pytest.mark.parametrize(
    ("broken", "words"),
    [
        (None, "a list `tools`"),
        ({}, "a list `tools`"),
        ({"tools": {}}, "a list `tools`"),
        ({"tools": [3]}, "/tools/0 is not an object"),
        ({"tools": [{"version": "1.0.0"}]}, "/tools/0/toolId"),
        ({"tools": [{"toolId": "a", "version": "1"}]}, "/tools/0/jsonSchema"),
        (artifact(tool(), tool()), "`kb_search` is there twice"),
        (artifact(tool(jsonSchema={"required": 5})), "/jsonSchema/required of `kb_search`"),
        (artifact(tool(jsonSchema={"$ref": "#/nowhere"})), "/jsonSchema/$ref of `kb_search`"),
        (artifact(tool(output="text")), "/output of `kb_search`"),
        (artifact(tool(jsonSchema=DEEP)), "nested deeper"),
    ],
)
def test_a_malformed_artifact_is_refused_in_words(broken: Any, words: str) -> None:
    for which, pair in (
        ("old", (broken, artifact(tool()))),
        ("new", (artifact(tool()), broken)),
    ):
        with pytest.raises(ValueError) as refused:
            diff_artifacts(*pair)
        assert f"the {which} artifact is no compiled registry" in str(refused.value)
        assert words in str(refused.value)


# --- the verdict against the validator -----------------------------------------------------------

LEAVES = st.sampled_from(
    [
        {},
        {"type": "integer"},
        {"type": "number"},
        {"type": ["integer", "null"]},
        {"type": "integer", "minimum": 1},
        {"type": "number", "exclusiveMinimum": 1},
        {"minimum": 0, "maximum": 1.5},
        {"type": "integer", "multipleOf": 2},
        {"type": "string"},
        {"type": "string", "maxLength": 1},
        {"type": "string", "pattern": "^a"},
        {"enum": [1, 2, "a"]},
        {"enum": [1, "a"], "type": ["integer", "string"]},
        {"const": 1},
        {"const": "a"},
        {"not": {"const": 1}},
        {"type": "array", "items": {"type": "integer"}},
        {"type": "array", "items": {"type": "number"}, "maxItems": 2},
        {"prefixItems": [{"type": "integer"}], "items": {"type": "string"}},
        {"type": "array", "uniqueItems": True},
        {"type": "object", "properties": {"k": {"type": "integer"}}, "required": ["k"]},
        {"properties": {"k": {"type": "number", "default": 1}}, "required": ["k"]},
        {"type": "object", "additionalProperties": {"type": "integer"}},
        {"type": "object", "properties": {"k": {}}, "additionalProperties": False},
        {"type": "object", "patternProperties": {"^k": {"type": "string"}}},
        {"$ref": "#/$defs/d"},
        {"$ref": "#/$defs/d", "minimum": 1},
        {"type": "object", "properties": {"k": {"$ref": "#/$defs/d"}}, "minProperties": 1},
    ]
)
SCHEMAS = st.recursive(
    LEAVES,
    lambda inner: st.builds(
        lambda keyword, branches: {keyword: branches},
        st.sampled_from(["anyOf", "oneOf", "allOf"]),
        st.lists(inner, min_size=1, max_size=3),
    ),
    max_leaves=3,
)
VALUES: list[Any] = [None, 0, 1, 1.5, 2, 4, "", "a", "ab", "b", [], [1], [1, 1], [1, "a"], [1.5]]
VALUES += [["a"], {}, {"k": 1}, {"k": 1.5}, {"k": "a"}, {"j": 1}, {"j": 1, "k": 1}]
ABSENT = object()
CALLS = [
    {name: value for name, value in zip("ab", pair, strict=True) if value is not ABSENT}
    for pair in itertools.product([*VALUES, ABSENT], repeat=2)
]


@st.composite
def roots(draw: st.DrawFn, shared: dict[str, Any]) -> dict[str, Any]:
    """An object schema over `a` and `b`, its parts often the same as those of another."""
    names = draw(st.sets(st.sampled_from("ab")))
    properties = {}
    for name in sorted(names):
        schema = deepcopy(shared[name] if draw(st.booleans()) else draw(SCHEMAS))
        if draw(st.integers(0, 3)) == 0:
            schema["default"] = draw(st.sampled_from(VALUES))
        properties[name] = schema
    root: dict[str, Any] = {"type": "object", "properties": properties}
    root["$defs"] = {"d": draw(st.sampled_from([{"type": "integer"}, {"type": "number"}, {}]))}
    root["required"] = sorted(draw(st.sets(st.sampled_from("ab"))))
    if draw(st.booleans()):
        root["additionalProperties"] = draw(st.sampled_from([False, {"type": "integer"}]))
    root |= draw(
        st.sampled_from([{}, {}, {"maxProperties": 1}, {"dependentRequired": {"a": ["b"]}}])
    )
    return root


@st.composite
def pairs(draw: st.DrawFn) -> tuple[dict[str, Any], dict[str, Any]]:
    shared = {"a": draw(SCHEMAS), "b": draw(SCHEMAS)}
    old = draw(roots(shared))
    if draw(st.booleans()):
        return old, draw(roots(shared))
    # A single step away, so that compatible pairs come up often.
    new = deepcopy(old)
    step = draw(st.sampled_from(["property", "required", "defs", "open", "size"]))
    if step == "property":
        new["properties"][draw(st.sampled_from("ab"))] = deepcopy(draw(SCHEMAS))
    elif step == "required":
        new["required"] = sorted(draw(st.sets(st.sampled_from("ab"))))
    elif step == "defs":
        new["$defs"]["d"] = draw(st.sampled_from([{"type": "number"}, {}]))
    elif step == "open":
        new.pop("additionalProperties", None)
    else:
        new.pop("maxProperties", None)
    return old, new


@given(pairs())
@settings(max_examples=examples(250), deadline=None)
def test_no_call_breaks_when_the_diff_says_so(pair: tuple[Any, Any]) -> None:
    old, new = pair
    if compare(tool(jsonSchema=old), tool(jsonSchema=new)).breaking:
        return
    before, after = Validator(old).accept, Validator(new).accept
    broken = [call for call in CALLS if before(call) is not None and after(call) is None]
    assert broken == []


@given(pairs())
@settings(max_examples=examples(250), deadline=None)
def test_no_result_surprises_when_the_diff_says_so(pair: tuple[Any, Any]) -> None:
    old, new = pair
    if compare(tool(output=old), tool(output=new)).breaking:
        return
    promised = jsonschema_rs.Draft202012Validator(old).is_valid
    given_now = jsonschema_rs.Draft202012Validator(new).is_valid
    assert [call for call in CALLS if given_now(call) and not promised(call)] == []
