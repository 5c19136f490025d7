"""The keywords of JSON Schema, sorted by how a change of them is judged."""

from __future__ import annotations

NUMERIC = frozenset({"integer", "number"})
ANNOTATIONS = frozenset(
    {"title", "description", "examples", "deprecated", "readOnly", "writeOnly", "contentEncoding"}
    | {"contentMediaType", "contentSchema"}
)
SILENT = frozenset({"$comment", "$defs", "definitions", "$id", "$anchor", "$dynamicAnchor"})
SIZES = {
    "minLength": "string",
    "maxLength": "string",
    "minItems": "array",
    "maxItems": "array",
    "minProperties": "object",
    "maxProperties": "object",
}
TEXTS = ("pattern", "format")
PLAIN = frozenset(
    {"$ref", "type", "enum", "const", "default", "multipleOf", "uniqueItems", "required"}
    | {"minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum", "dependentRequired"}
    | {"properties", "patternProperties", "additionalProperties", "items", "prefixItems"}
    | {"allOf", "anyOf", "oneOf", *SIZES, *TEXTS}
)
# Keywords that are compared only for being the same, in groups that mean something together.
OPAQUE: tuple[tuple[str, ...], ...] = (
    ("not",),
    ("if", "then", "else"),
    ("dependentSchemas",),
    ("propertyNames",),
    ("contains", "minContains", "maxContains"),
)
OPAQUE_NAMES = frozenset(name for group in OPAQUE for name in group)
UNEVALUATED = ("unevaluatedProperties", "unevaluatedItems")
# Where one of these stands, a default that is filled in may change what else is valid.
COUNTS_PRESENCE = (
    {"minProperties", "maxProperties", "dependentRequired", "allOf", "anyOf", "oneOf", "$ref"}
    | OPAQUE_NAMES
    | set(UNEVALUATED)
)
