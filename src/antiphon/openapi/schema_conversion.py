"""Schema conversion: schemas of OpenAPI 3.0 and 3.1 as JSON Schema 2020-12 with `$defs`."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any, Literal

from antiphon.openapi.document import BrokenReference, OpenApiDocument, pointer_to_ref
from antiphon.registry.findings import FindingList, pointer_to, shown

Direction = Literal["request", "response"]

# What says nothing about values, or nothing that JSON Schema knows.
_DROPPED = frozenset(
    {"$schema", "$id", "discriminator", "example", "externalDocs", "nullable", "xml"}
    | {"readOnly", "writeOnly", "deprecated", "contentEncoding", "contentMediaType"}
)
# Widths of numbers and hints for forms: no format of JSON Schema.
_FORMATS = frozenset({"int32", "int64", "float", "double", "password", "binary", "byte"})
_SINGLE = (
    "additionalProperties",
    "contains",
    "else",
    "if",
    "items",
    "not",
    "propertyNames",
    "then",
)
_MAPS = ("$defs", "dependentSchemas", "patternProperties", "properties")
_LISTS = ("allOf", "anyOf", "oneOf", "prefixItems")
_NAME = re.compile(r"[^A-Za-z0-9_.-]+")
MAX_DEPTH = 60


class SchemaConverter:
    """Converts the schemas of one side of one operation. What they refer to is gathered in `defs`,
    each once, so that schemas may refer to themselves. What cannot be converted is a finding."""

    def __init__(self, document: OpenApiDocument, found: FindingList, direction: Direction) -> None:
        self.defs: dict[str, Any] = {}
        self._document = document
        self._found = found
        self._hidden = "readOnly" if direction == "request" else "writeOnly"
        self._names: dict[str, str] = {}  # by the place of the definition

    def convert(self, schema: Any, pointer: str, depth: int = 0) -> Any:
        """The schema at `pointer` as JSON Schema."""
        if depth > MAX_DEPTH:
            self._found.error("schema-depth", pointer, "is nested too deeply", "Flatten it.")
            return {}
        if isinstance(schema, bool):
            return schema
        if not isinstance(schema, Mapping):
            message = f"{shown(schema)} is no schema"
            self._found.error("schema-invalid", pointer, message, "Write an object.")
            return {}
        if isinstance(schema.get("$ref"), str):
            return self._reference(schema, pointer, depth)
        made = {
            name: value
            for name, value in schema.items()
            if name not in _DROPPED and not name.startswith("x-")
        }
        if made.get("format") in _FORMATS:
            del made["format"]
        for name in _SINGLE:
            if isinstance(made.get(name), Mapping):
                made[name] = self.convert(made[name], f"{pointer}/{name}", depth + 1)
        for name in _MAPS:
            if isinstance(made.get(name), Mapping):
                made[name] = self._members(name, made, pointer, depth)
        for name in _LISTS:
            if isinstance(made.get(name), list):
                made[name] = [
                    self.convert(each, f"{pointer}/{name}/{index}", depth + 1)
                    for index, each in enumerate(made[name])
                ]
        return _modernized(made, schema) if self._document.is_30 else made

    def root(self, schema: Any, pointer: str) -> tuple[Any, str]:
        """The schema that stands at the end of the references, unconverted, and its place."""
        try:
            return self._document.follow(schema, pointer)
        except BrokenReference as broken:
            self._found.error("dangling-ref", broken.pointer, broken.message, broken.fix)
            return {}, pointer

    def _members(self, name: str, made: dict[str, Any], pointer: str, depth: int) -> dict[str, Any]:
        kept = {
            each: value
            for each, value in made[name].items()
            if name != "properties" or not self._is_hidden(value, f"{pointer}/properties")
        }
        required = made.get("required")
        if name == "properties" and isinstance(required, list):
            left = [each for each in required if each in kept or each not in made[name]]
            made.pop("required")
            if left:
                made["required"] = left
        return {
            each: self.convert(value, f"{pointer}/{name}{pointer_to(each)}", depth + 1)
            for each, value in kept.items()
        }

    def _is_hidden(self, schema: Any, pointer: str) -> bool:
        """Whether a property belongs to the other direction only."""
        try:
            schema, _ = self._document.follow(schema, pointer)
        except BrokenReference:
            return False  # reported where it is converted
        return isinstance(schema, Mapping) and schema.get(self._hidden) is True

    def _reference(self, schema: Mapping[str, Any], pointer: str, depth: int) -> Any:
        try:
            # All the way through: two names that stand for each other define nothing.
            target, place = self._document.follow(schema, pointer)
        except BrokenReference as broken:
            self._found.error("dangling-ref", broken.pointer, broken.message, broken.fix)
            return {}
        if place not in self._names:
            name = self._names[place] = self._free_name(place)
            self.defs[name] = {}  # so that it may refer to itself
            self.defs[name] = self.convert(target, place, depth + 1)
        made: dict[str, Any] = {"$ref": f"#/$defs/{self._names[place]}"}
        if not self._document.is_30:
            beside = {name: value for name, value in schema.items() if name != "$ref"}
            made = {**self.convert(beside, pointer_to_ref(pointer), depth + 1), **made}
        elif isinstance(schema.get("description"), str):
            made["description"] = schema["description"]
        return made

    def _free_name(self, place: str) -> str:
        wanted = _NAME.sub("_", place.rpartition("/")[2]) or "schema"
        name, number = wanted, 2
        while name in self.defs:
            name, number = f"{wanted}_{number}", number + 1
        return name


def _modernized(made: dict[str, Any], schema: Mapping[str, Any]) -> dict[str, Any]:
    """The keywords of 3.0 that mean something else in JSON Schema 2020-12."""
    for limit in ("Minimum", "Maximum"):
        exclusive = made.get(f"exclusive{limit}")
        if isinstance(exclusive, bool):
            del made[f"exclusive{limit}"]
            if exclusive and limit.lower() in made:
                made[f"exclusive{limit}"] = made.pop(limit.lower())
    if schema.get("nullable") is not True:
        return made
    if isinstance(made.get("type"), str):
        made["type"] = [made["type"], "null"]
        if isinstance(made.get("enum"), list) and None not in made["enum"]:
            made["enum"] = [*made["enum"], None]
        return made
    return {"anyOf": [made, {"type": "null"}]}
