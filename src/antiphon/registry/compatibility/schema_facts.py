"""Facts read off one schema: types, values, properties, defaults, references."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from antiphon.registry.compatibility.keywords import ANNOTATIONS, SILENT
from antiphon.registry.schemas import (
    Path,
    SchemaDocument,
    UnusableSchema,
    compile_schema,
    json_key,
    json_type,
    pointer,
)

_ALL_TYPES = frozenset({"null", "boolean", "integer", "number", "string", "array", "object"})


def lost_and_gained(before: Any, after: Any) -> tuple[list[Any], list[Any]]:
    """Return the values that only the first and only the second of two lists has; what is no list
    has none."""
    old = before if isinstance(before, list) else []
    new = after if isinstance(after, list) else []
    return without(old, new), without(new, old)


def without(values: Iterable[Any], others: Iterable[Any]) -> list[Any]:
    """Return the values that have no equal, as JSON, among the others."""
    keys = {json_key(other) for other in others}
    return [value for value in values if json_key(value) not in keys]


def is_number(value: Any) -> bool:
    """Whether a value is a JSON number."""
    return isinstance(value, int | float) and not isinstance(value, bool)


def settle(document: SchemaDocument, path: Path | None) -> tuple[Path | None, Any]:
    """Follow references that stand alone (but for annotations); True becomes the empty schema."""
    passed: set[Path] = set()
    while path is not None and path not in passed:
        passed.add(path)
        schema = document.node(path)
        if schema is False:
            return path, False
        if not isinstance(schema, dict):
            break
        if "$ref" not in schema or schema.keys() - ANNOTATIONS - SILENT - {"$ref", "default"}:
            return path, schema
        behind = target(document, path, schema["$ref"])
        if behind is None:
            return path, schema
        path = behind
    return path, {}


def target(document: SchemaDocument, path: Path | None, ref: Any) -> Path | None:
    """Return where a `$ref` that stands at a path leads; None when it is none or leads out."""
    if path is None or not isinstance(ref, str):
        return None
    return document.resolve(ref, document.base(path))


def identical(old: SchemaDocument, old_path: Path, new: SchemaDocument, new_path: Path) -> bool:
    """Whether two places hold equal JSON and all that is referred to from there is equal too."""
    waiting = [(old_path, new_path)]
    passed: set[tuple[Path, Path]] = set()
    while waiting:
        pair = waiting.pop()
        if pair in passed:
            continue
        passed.add(pair)
        one, other = old.node(pair[0]), new.node(pair[1])
        if json_key(one) != json_key(other):
            return False
        for steps in _references(one):
            ref = one
            for step in steps:
                ref = ref[step]
            old_to = target(old, (*pair[0], *steps[:-1]), ref)
            new_to = target(new, (*pair[1], *steps[:-1]), ref)
            if (old_to is None) != (new_to is None):
                return False
            if old_to is not None and new_to is not None:
                waiting.append((old_to, new_to))
    return True


def _references(value: Any) -> list[Path]:
    """Yield the places in a JSON value where a `$ref` stands."""
    found: list[Path] = []
    waiting: list[tuple[Path, Any]] = [((), value)]
    while waiting:
        path, node = waiting.pop()
        if isinstance(node, dict):
            if isinstance(node.get("$ref"), str):
                found.append((*path, "$ref"))
            waiting.extend(((*path, name), child) for name, child in node.items())
        elif isinstance(node, list):
            waiting.extend(((*path, index), child) for index, child in enumerate(node))
    return found


def disjoint(document: SchemaDocument, one: Path, other: Path, depth: int) -> bool:
    """Whether it is plain that no value matches both: by type, values, or a required property."""
    one_path, a = settle(document, one)
    other_path, b = settle(document, other)
    if a is False or b is False:
        return True
    types = possible_types(a) & possible_types(b)
    if not types:
        return True
    a_values, b_values = listed_values(a), listed_values(b)
    if (
        a_values is not None
        and b_values is not None
        and len(without(a_values, b_values)) == len(a_values)
    ):
        return True
    if depth == 0 or one_path is None or other_path is None or types != {"object"}:
        return False
    shared = set(a.get("required") or ()) & set(b.get("required") or ())
    return any(
        disjoint(
            document,
            (*one_path, "properties", name),
            (*other_path, "properties", name),
            depth - 1,
        )
        for name in sorted(shared & properties_of(a).keys() & properties_of(b).keys())
    )


def declared_types(schema: dict[str, Any]) -> set[str]:
    """Return the types that `type` names; all where there is none."""
    declared = schema.get("type")
    if declared is None:
        return set(_ALL_TYPES)
    names = {declared} if isinstance(declared, str) else set(declared)
    return names | {"integer"} if "number" in names else names


def possible_types(schema: dict[str, Any]) -> set[str]:
    """Return the types that can match; of listed values only theirs."""
    values = listed_values(schema)
    if values is None:
        return declared_types(schema)
    return declared_types(schema) & {json_type(value) for value in values}


def listed_values(schema: dict[str, Any]) -> list[Any] | None:
    """Return the values of `enum` or `const`; None where there is neither."""
    if "const" in schema:
        return [schema["const"]]
    listed = schema.get("enum")
    return listed if isinstance(listed, list) else None


def bound(
    schema: dict[str, Any], inclusive: str, exclusive: str, sign: int
) -> tuple[float, bool] | None:
    """Return the tighter limit, turned so that greater is tighter, and whether it is exclusive.

    Raises TypeError when a limit is no number.
    """
    limits = [
        (schema[name] * sign, name == exclusive)
        for name in (inclusive, exclusive)
        if name in schema
    ]
    if not all(is_number(limit) for limit, _ in limits):
        raise TypeError
    return max(limits, default=None)


def properties_of(schema: dict[str, Any]) -> dict[str, Any]:
    """Return the schemas of the properties by name."""
    properties = schema.get("properties")
    return properties if isinstance(properties, dict) else {}


def defaults_of(
    document: SchemaDocument, path: Path | None, schema: dict[str, Any]
) -> dict[str, Any]:
    """Return the default of every property that has one, its own or that of what it refers to."""
    found: dict[str, Any] = {}
    for name in properties_of(schema) if path is not None else ():
        at: Path | None = (*(path or ()), "properties", name)
        passed: set[Path] = set()
        while at is not None and at not in passed:
            passed.add(at)
            child = document.node(at)
            if not isinstance(child, dict):
                break
            if "default" in child:
                found[name] = child["default"]
                break
            at = target(document, at, child.get("$ref"))
    return found


def is_valid(document: SchemaDocument, path: Path, value: Any) -> bool:
    """Whether a value is valid by the schema at a path."""
    if not isinstance(document.root, dict):
        return document.root is True
    # An own identity keeps the schema's inner references pointing into it.
    identity = document.root.get("$id", "urn:antiphon:schema")
    part = f"{identity}#{pointer(path)}"
    wrapped = {"$defs": {"schema": {**document.root, "$id": identity}}, "$ref": part}
    try:
        return bool(compile_schema(wrapped).is_valid(value))
    except (UnusableSchema, ValueError):
        return False
