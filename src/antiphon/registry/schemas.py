"""JSON Schema 2020-12 as data: compiling it, finding what is wrong with it, following its refs."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any
from urllib.parse import unquote, urldefrag, urljoin

import jsonschema_rs
import orjson

Path = tuple[str | int, ...]

SINGLE_APPLICATORS = (
    "additionalProperties",
    "contains",
    "contentSchema",
    "else",
    "if",
    "items",
    "not",
    "propertyNames",
    "then",
    "unevaluatedItems",
    "unevaluatedProperties",
)
MAP_APPLICATORS = ("$defs", "definitions", "dependentSchemas", "patternProperties", "properties")
LIST_APPLICATORS = ("allOf", "anyOf", "oneOf", "prefixItems")

META_SCHEMA = "https://json-schema.org/draft/2020-12/schema"

# What JSON parsers take; the validator's own stack ends some way beyond it.
MAX_NESTING = 1024

# A pattern that the linear engine cannot run (lookaround, backreference) gets this many steps.
BACKTRACK_LIMIT = 100_000


class UnusableSchema(ValueError):
    """The schema cannot be used at all; the message says why and where."""


def pointer(path: Path) -> str:
    """Return the JSON pointer for a path of keys and indexes."""
    return "".join("/" + str(part).replace("~", "~0").replace("/", "~1") for part in path)


def json_key(value: Any) -> Any:
    """Return a hashable key that is equal exactly when two JSON values are equal (1 and 1.0 are, 1
    and true are not)."""
    if isinstance(value, bool) or value is None or isinstance(value, str):
        return (type(value).__name__, value)
    if isinstance(value, int | float):
        return ("number", value)
    if isinstance(value, list):
        return ("array", tuple(json_key(item) for item in value))
    return ("object", frozenset((name, json_key(item)) for name, item in value.items()))


def json_type(value: Any) -> str:
    """Return the JSON type of a Python value; a float without a fraction is an integer, as in
    2020-12."""
    if value is None:
        return "null"
    if isinstance(value, bool):
        return "boolean"
    if isinstance(value, int):
        return "integer"
    if isinstance(value, float):
        return "integer" if value.is_integer() else "number"
    if isinstance(value, str):
        return "string"
    return "array" if isinstance(value, list) else "object"


def too_deep(value: Any) -> bool:
    """Whether a value is nested deeper than any JSON text may be, or holds itself."""
    level = [value]
    for _ in range(MAX_NESTING):
        held: dict[int, Any] = {}  # by identity, or what is shared would be walked many times
        for item in level:
            inner = item.values() if isinstance(item, dict) else item
            if isinstance(item, dict | list | tuple):
                held.update((id(part), part) for part in inner)
        if not held:
            return False
        level = list(held.values())
    return True


def dumps(value: Any) -> str:
    """Return compact JSON for messages and descriptions."""
    try:
        return orjson.dumps(value).decode()
    except (TypeError, ValueError):  # integers beyond 64 bits
        import json

        return json.dumps(value, ensure_ascii=False, separators=(",", ":"))


def compile_schema(schema: Any) -> jsonschema_rs.Validator:
    """Compile a validator with formats asserted and no way to the network. Raises
    UnusableSchema."""
    if isinstance(schema, str):  # the library would take it for JSON text
        raise UnusableSchema("the schema: an object or a boolean is needed, not text")
    try:
        return _compile(schema, jsonschema_rs.RegexOptions())
    except jsonschema_rs.ValidationError as error:
        if not _is_pattern_trouble(error):
            raise UnusableSchema(_compile_trouble(error)) from None
    except ValueError as error:
        raise UnusableSchema(f"the schema cannot be read: {error}") from None
    try:
        return _compile(schema, jsonschema_rs.FancyRegexOptions(backtrack_limit=BACKTRACK_LIMIT))
    except jsonschema_rs.ValidationError as error:
        raise UnusableSchema(_compile_trouble(error)) from None


def _compile(schema: Any, patterns: Any) -> jsonschema_rs.Validator:
    return jsonschema_rs.Draft202012Validator(
        schema, validate_formats=True, offline=True, pattern_options=patterns
    )


def _is_pattern_trouble(error: jsonschema_rs.ValidationError) -> bool:
    return error.kind.name in ("format", "pattern") or 'is not a "regex"' in error.message


def _compile_trouble(error: jsonschema_rs.ValidationError) -> str:
    where = pointer(tuple(error.instance_path))
    return f"{where or 'the schema'}: {error.message}"


_META: list[jsonschema_rs.Validator] = []


def schema_problems(schema: object) -> list[tuple[str, str]]:
    """Where and how `schema` breaks the 2020-12 meta-schema; empty when it is a valid schema.

    Also tells what the meta-schema cannot: refs that lead nowhere or out of the document, and
    patterns that are no regular expressions.
    """
    if not _META:
        _META.append(jsonschema_rs.Draft202012Validator({"$ref": META_SCHEMA}, offline=True))
    if too_deep(schema):
        return [("", "the schema is nested too deeply")]
    try:
        found = [
            (pointer(tuple(error.instance_path)), error.message)
            for error in _META[0].iter_errors(schema)
        ]
    except ValueError as error:
        return [("", f"the schema cannot be read: {error}")]
    if found:
        return found
    try:
        found = _broken_references(schema)
    except ValueError as error:
        return [("", f"an `$id` or `$ref` is no address: {error}")]
    if not found:
        try:
            compile_schema(schema)
        except UnusableSchema as error:
            where, _, message = str(error).partition(": ")
            found.append((where if where.startswith("/") else "", message or str(error)))
    return found


def _broken_references(schema: Any) -> list[tuple[str, str]]:
    """References that lead nowhere, and those that lead to something that is no schema."""
    found: list[tuple[str, str]] = []
    document = SchemaDocument(schema)
    known = {path for path, _, _ in document.subschemas()}
    waiting = list(document.subschemas())
    while waiting:
        path, subschema, base = waiting.pop(0)
        ref = subschema.get("$ref")
        if not isinstance(ref, str):
            continue
        target = document.resolve(ref, base)
        if target is not None and target not in known and isinstance(document.node(target), dict):
            # A place that the meta-schema did not look at.
            node = document.node(target)
            known.add(target)
            wrong = [
                (pointer((*target, *error.instance_path)), error.message)
                for error in _META[0].iter_errors(node)
            ]
            found += wrong
            if not wrong:
                inside = [
                    ((*target, *inner), part, document.base((*target, *inner)))
                    for inner, part, _ in SchemaDocument(node).subschemas()
                ]
                known.update(inner for inner, _, _ in inside)
                waiting += inside
        if target is None:
            # the meta-schema's own documents are part of every 2020-12 validator
            if ref.startswith("https://json-schema.org/draft/"):
                continue
            remote = bool(urldefrag(ref)[0])
            found.append(
                (
                    pointer((*path, "$ref")),
                    f"{ref!r} is outside this document; nothing is fetched"
                    if remote
                    else f"{ref!r} leads nowhere in this document",
                )
            )
    return found


def children(schema: dict[str, Any]) -> Iterator[tuple[Path, Any]]:
    """Yield the direct subschemas of a schema object, each with its path from there."""
    for keyword in SINGLE_APPLICATORS:
        if keyword in schema:
            yield (keyword,), schema[keyword]
    for keyword in MAP_APPLICATORS:
        value = schema.get(keyword)
        if isinstance(value, dict):
            for name, child in value.items():
                yield (keyword, name), child
    for keyword in LIST_APPLICATORS:
        value = schema.get(keyword)
        if isinstance(value, list):
            for index, child in enumerate(value):
                yield (keyword, index), child


class SchemaDocument:
    """One schema with its embedded resources, anchors and refs. Never leaves the document."""

    def __init__(self, schema: Any) -> None:
        self.root = schema
        self._resources: dict[str, Path] = {"": ()}
        self._anchors: dict[tuple[str, str], Path] = {}
        for path, subschema, base in self.subschemas():
            if "$id" in subschema and isinstance(subschema["$id"], str):
                self._resources.setdefault(base, path)
            for keyword in ("$anchor", "$dynamicAnchor"):
                if isinstance(subschema.get(keyword), str):
                    self._anchors.setdefault((base, subschema[keyword]), path)

    def subschemas(self) -> Iterator[tuple[Path, dict[str, Any], str]]:
        """Yield every schema object in the document: path, schema, base URI."""
        stack: list[tuple[Path, Any, str]] = [((), self.root, "")]
        while stack:
            path, schema, base = stack.pop()
            if not isinstance(schema, dict):
                continue
            base = _rebase(base, schema)
            yield path, schema, base
            stack.extend(((*path, *step), child, base) for step, child in children(schema))

    def resolve(self, ref: str, base: str) -> Path | None:
        """Return the path that `ref` leads to from a schema with that base URI; None if nowhere."""
        url, fragment = urldefrag(urljoin(base, ref)) if base else urldefrag(ref)
        start = self._resources.get(url)
        if start is None:
            return None
        fragment = unquote(fragment)
        if not fragment:
            return start
        if not fragment.startswith("/"):
            return self._anchors.get((url, fragment))
        path: list[str | int] = list(start)
        node = self.node(start)
        for token in fragment[1:].split("/"):
            name = token.replace("~1", "/").replace("~0", "~")
            if isinstance(node, dict) and name in node:
                node = node[name]
                path.append(name)
            elif isinstance(node, list) and name.isdecimal() and int(name) < len(node):
                node = node[int(name)]
                path.append(int(name))
            else:
                return None
        return tuple(path) if isinstance(node, dict | bool) else None

    def node(self, path: Path) -> Any:
        node = self.root
        for part in path:
            node = node[part]
        return node

    def base(self, path: Path) -> str:
        """Return the base URI in force at `path`, that node's own `$id` included."""
        node, base = self.root, _rebase("", self.root)
        for part in path:
            node = node[part]
            base = _rebase(base, node)
        return base


def _rebase(base: str, schema: Any) -> str:
    if isinstance(schema, dict) and isinstance(schema.get("$id"), str):
        own: str = schema["$id"]
        return urldefrag(urljoin(base, own))[0]
    return base
