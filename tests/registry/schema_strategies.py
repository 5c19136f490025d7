"""Random tool schemas of all shapes, and calls that are valid for them."""

from __future__ import annotations

from typing import Any

from hypothesis import strategies as st

NAMES = st.sampled_from(
    ["a", "b", "c", "kind", "type", "items", "x-y", "explicit_null", "x y", "x_y", "größe"]
)
SCALARS = st.one_of(
    st.none(),
    st.booleans(),
    st.integers(-3, 12),
    st.sampled_from([0.5, 2.0, -1.5]),
    st.sampled_from(["", "a", "b", "abc", "2026-01-13T12:00:00Z", "ada@example.org"]),
)
VALUES = st.recursive(
    SCALARS,
    lambda inner: st.one_of(st.lists(inner, max_size=3), st.dictionaries(NAMES, inner, max_size=3)),
    max_leaves=5,
)
TYPES = ["null", "boolean", "integer", "number", "string", "array", "object"]


@st.composite
def leaves(draw: st.DrawFn) -> Any:
    kind = draw(
        st.sampled_from(["string", "integer", "number", "boolean", "enum", "const", "any", "list"])
    )
    match kind:
        case "string":
            body: dict[str, Any] = {"type": "string"}
            body |= draw(
                st.sampled_from(
                    [
                        {},
                        {"minLength": 1},
                        {"maxLength": 2},
                        {"format": "date-time"},
                        {"format": "email"},
                        {"pattern": "^a"},
                        {"pattern": "^(?=a)"},
                        {"enum": ["a", "b"]},
                        {"enum": ["", "a"]},
                    ]
                )
            )
        case "integer" | "number":
            body = {"type": kind} | draw(
                st.sampled_from(
                    [
                        {},
                        {"minimum": 0},
                        {"maximum": 5},
                        {"exclusiveMinimum": 0},
                        {"exclusiveMaximum": 2.5},
                        {"multipleOf": 2},
                        {"enum": [1, 2, 5]},
                    ]
                )
            )
        case "boolean":
            body = {"type": "boolean"}
        case "enum":
            body = {"enum": draw(st.lists(VALUES, min_size=1, max_size=4))}
        case "const":
            body = {"const": draw(VALUES)}
        case "any":
            return draw(st.sampled_from([{}, True]))
        case _:
            body = {
                "type": draw(st.lists(st.sampled_from(TYPES), min_size=1, max_size=3, unique=True))
            }
    if draw(st.booleans()):
        body["description"] = "What it is."
    if draw(st.integers(0, 5)) == 0:
        body["default"] = draw(SCALARS)
    return body


def subschemas(max_leaves: int = 8) -> st.SearchStrategy[Any]:
    return st.recursive(st.one_of(leaves(), references()), combined, max_leaves=max_leaves)


def references() -> st.SearchStrategy[Any]:
    return st.builds(
        lambda name, more: {"$ref": f"#/$defs/{name}", **more},
        st.sampled_from(["d1", "d2"]),
        st.sampled_from([{}, {}, {"description": "Refers."}, {"type": ["object", "null"]}]),
    )


@st.composite
def combined(draw: st.DrawFn, inner: st.SearchStrategy[Any]) -> Any:
    kind = draw(
        st.sampled_from(
            [
                "object",
                "object",
                "object",
                "array",
                "tuple",
                "anyOf",
                "oneOf",
                "allOf",
                "mixed",
                "odd",
                "forms",
                "forms",
            ]
        )
    )
    match kind:
        case "forms":
            forms = draw(st.lists(objects(inner), min_size=2, max_size=3))
            return {draw(st.sampled_from(["anyOf", "oneOf"])): forms}
        case "object":
            return draw(objects(inner))
        case "array":
            body: dict[str, Any] = {"type": "array", "items": draw(inner)}
            return body | draw(st.sampled_from([{}, {"maxItems": 2}, {"uniqueItems": True}]))
        case "tuple":
            body = {"type": "array", "prefixItems": draw(st.lists(inner, min_size=1, max_size=2))}
            return body | draw(
                st.sampled_from([{}, {"items": False}, {"items": {"type": "string"}}])
            )
        case "anyOf" | "oneOf" | "allOf":
            return {kind: draw(st.lists(inner, min_size=1, max_size=3))}
        case "mixed":
            return draw(objects(inner)) | {"anyOf": draw(st.lists(inner, min_size=1, max_size=2))}
        case _:
            return draw(
                st.sampled_from(
                    [
                        {"not": {"type": "string"}},
                        {"if": {"type": "string"}, "then": {"minLength": 1}},
                        {"type": "array", "contains": {"type": "integer"}},
                        {"type": "object", "propertyNames": {"maxLength": 1}},
                        {"type": "object", "dependentRequired": {"a": ["b"]}},
                        {"properties": {"a": {"type": "integer"}}},
                        {"required": ["a"]},
                        {"type": "array"},
                        {"type": "array", "items": {}},
                        {"type": "array", "items": {"type": "array"}},
                        {"type": "string", "minLength": 3, "maxLength": 1},
                        {"$ref": "#/$defs/d1", "description": "One of these."},
                    ]
                )
            )


@st.composite
def objects(draw: st.DrawFn, inner: st.SearchStrategy[Any]) -> dict[str, Any]:
    fields = draw(st.dictionaries(NAMES, inner, max_size=3))
    body: dict[str, Any] = {"type": "object", "properties": fields}
    if fields:
        body["required"] = draw(st.lists(st.sampled_from(sorted(fields)), unique=True))
    if draw(st.integers(0, 6)) == 0:
        body["required"] = [*body.get("required", []), "undeclared"]
    body |= draw(
        st.sampled_from(
            [
                {},
                {"additionalProperties": False},
                {"additionalProperties": False},
                {"additionalProperties": {"type": "integer"}},
                {"unevaluatedProperties": False},
                {"patternProperties": {"^[ab]": {"type": ["string", "integer"]}}},
                {
                    "patternProperties": {"^[ab]": {"type": ["string", "integer"]}},
                    "additionalProperties": False,
                },
                {"minProperties": 1},
            ]
        )
    )
    return body


@st.composite
def tool_schemas(draw: st.DrawFn) -> dict[str, Any]:
    """Object schemas, open or closed at the top, with definitions that may refer to each other."""
    inner = subschemas()
    root = draw(objects(inner))
    if draw(st.integers(0, 3)) == 0:
        keyword = draw(st.sampled_from(["anyOf", "oneOf", "allOf"]))
        root[keyword] = draw(
            st.lists(st.one_of(objects(inner), references()), min_size=1, max_size=2)
        )
    root["$defs"] = {"d1": draw(subschemas(4)), "d2": draw(subschemas(4))}
    return root


@st.composite
def instances(draw: st.DrawFn, schema: Any, root: Any, depth: int = 0) -> Any:
    """A value that has a good chance to be valid; the caller checks."""
    if not isinstance(schema, dict) or not schema:
        return draw(VALUES)
    if "$ref" in schema:
        if depth > 6:
            return draw(VALUES)
        target = root["$defs"][schema["$ref"].rsplit("/", 1)[1]]
        return draw(instances(target, root, depth + 1))
    if "const" in schema:
        return schema["const"]
    if "enum" in schema:
        return draw(st.sampled_from(schema["enum"]))
    kind = schema.get("type")
    if isinstance(kind, list):
        kind = draw(st.sampled_from(kind))
    for keyword in ("anyOf", "oneOf", "allOf"):
        if keyword in schema:
            branch = draw(st.sampled_from(schema[keyword]))
            value = draw(instances(branch, root, depth + 1))
            if kind == "object" or "properties" in schema:
                own = {k: v for k, v in schema.items() if k != keyword}
                base = draw(instances(own, root, depth + 1))
                return base | value if isinstance(base, dict) and isinstance(value, dict) else base
            return value
    if kind == "object" or (kind is None and "properties" in schema):
        return draw(_objects(schema, root, depth))
    if kind == "array":
        item = schema.get("items", True)
        value = [draw(instances(part, root, depth + 1)) for part in schema.get("prefixItems", ())]
        if item is not False and depth < 6:
            value += draw(st.lists(instances(item, root, depth + 1), max_size=2))
        return value
    if kind is None:
        return draw(VALUES)
    by_type = {
        "string": st.sampled_from(["a", "ab", "b", "", "2026-01-13T12:00:00Z", "ada@example.org"]),
        "integer": st.one_of(st.integers(-2, 7), st.just(2.0)),
        "number": st.sampled_from([0, 1, 2, 0.5, 2.5, 4, -1]),
        "boolean": st.booleans(),
        "null": st.none(),
    }
    return draw(by_type[kind])


@st.composite
def _objects(draw: st.DrawFn, schema: dict[str, Any], root: Any, depth: int) -> Any:
    value: dict[str, Any] = {}
    for name, child in schema.get("properties", {}).items():
        required = name in schema.get("required", ())
        if required or (depth < 5 and draw(st.booleans())):
            value[name] = draw(instances(child, root, depth + 1))
    for name in schema.get("required", ()):
        if name not in value:
            value[name] = draw(SCALARS)
    if schema.get("additionalProperties", True) is not False and draw(st.integers(0, 2)) == 0:
        value["other"] = draw(st.one_of(st.integers(0, 3), VALUES))
    if "patternProperties" in schema and draw(st.booleans()):
        value["bb"] = draw(st.sampled_from([1, "x"]))
    return value
