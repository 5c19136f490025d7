"""The validator of arguments: every bad field named, defaults applied, by the canonical schema."""

from __future__ import annotations

from collections.abc import Callable
from copy import deepcopy
from dataclasses import dataclass
from difflib import get_close_matches
from typing import Any

import jsonschema_rs

from antiphon.registry.schemas import (
    Path,
    SchemaDocument,
    UnusableSchema,
    compile_schema,
    dumps,
    pointer,
    schema_problems,
    too_deep,
)

__all__ = ["FieldError", "UnusableSchema", "Validator", "schema_problems"]

MAX_ERRORS = 50


@dataclass(frozen=True, slots=True)
class FieldError:
    """A validation error of one field: its pointer, what is wrong, what was expected."""

    pointer: str
    message: str
    expected: str

    def to_dict(self) -> dict[str, str]:
        return {"pointer": self.pointer, "message": self.message, "expected": self.expected}


class Validator:
    """A compiled schema. Raises UnusableSchema when there is nothing to compile."""

    __slots__ = ("_plan", "_validator", "accept", "is_valid", "schema")

    def __init__(self, schema: Any) -> None:
        self.schema = schema
        self._validator = compile_schema(schema)
        self.is_valid = self._validator.is_valid
        try:
            self._plan = _Defaults.of(schema)
        except RecursionError:
            raise UnusableSchema("its references lead on too far to be followed") from None
        self.accept = self._acceptor()

    def _acceptor(self) -> Callable[[Any], dict[str, Any] | None]:
        """`accept(args)`: `args` with the defaults applied, in a new object; None when not valid.

        A call that is valid as it stands is never refused because of a default: where the
        defaults would break it, it is taken without them. A closure, because every call of every
        tool goes through here and attribute look-ups would cost as much as the check itself.
        """
        is_valid, plan = self.is_valid, self._plan
        # Most tools have plain defaults at the top only: one dictionary merge applies them all.
        flat = plan.flat() if plan else {}
        if flat is not None and self._harmless(flat):
            return _plain_acceptor(is_valid, flat)

        def accept(args: Any) -> dict[str, Any] | None:
            try:
                merged: dict[str, Any] = flat | args if flat is not None else fill(args)
                if is_valid(merged):
                    return merged
                return dict(args) if merged != args and is_valid(args) else None
            except (TypeError, ValueError, RecursionError):  # not an object, or not JSON
                return None

        def fill(args: Any) -> dict[str, Any]:
            if type(args) is not dict or plan is None:
                raise TypeError
            filled: dict[str, Any] = plan.apply(args)
            return filled

        return accept

    def _harmless(self, defaults: dict[str, Any]) -> bool:
        """Whether a valid call stays valid with these defaults, whatever else is in it.

        So it is where the top level looks at each property by itself, and a call of nothing but
        the defaults lacks nothing but required properties.
        """
        if not isinstance(self.schema, dict) or not self.schema.keys() <= _PROPERTY_BY_PROPERTY:
            return False
        return all(
            error.kind.name == "required" and not error.instance_path
            for error in self._validator.iter_errors(defaults)
        )

    def defaulted(self, args: dict[str, Any], accepted: dict[str, Any]) -> list[str]:
        """Return the pointers of the values that `accept` filled in, for the log."""
        return [pointer(path) for path in _filled(args, accepted, ())]

    def errors(self, instance: Any) -> list[FieldError]:
        """Return everything wrong with `instance` as it stands, the first MAX_ERRORS of it."""
        found: list[FieldError] = []
        if too_deep(instance):
            return [FieldError("", "this is nested too deeply", "fewer levels")]
        try:
            for error in self._validator.iter_errors(instance):
                found.extend(_explain(error, self.schema))
                if len(found) >= MAX_ERRORS:
                    break
        except ValueError as trouble:
            return [FieldError("", f"this is no JSON value: {trouble}", "JSON")]
        return found[:MAX_ERRORS]

    def argument_errors(self, args: Any) -> list[FieldError]:
        """Return why `accept` refused `args`: the errors that remain once the defaults are in."""
        if type(args) is not dict:
            return [FieldError("", "the arguments must be one JSON object", "object")]
        try:
            return self.errors(self._plan.apply(args) if self._plan else args)
        except RecursionError:  # the error is that there is no end to them
            return self.errors(args)


def _plain_acceptor(
    is_valid: Callable[[Any], bool], defaults: dict[str, Any]
) -> Callable[[Any], dict[str, Any] | None]:
    """`accept` for harmless defaults: they need not be checked again with every call."""

    def accept(args: Any) -> dict[str, Any] | None:
        try:
            # As it stands, or with a default for what it lacks.
            if is_valid(args) or (defaults and is_valid(defaults | args)):
                merged: dict[str, Any] = defaults | args
                return merged
            return None
        except (TypeError, ValueError):  # not an object, or not JSON
            return None

    return accept


# -- defaults ---------------------------------------------------------------------------------

_ABSENT = object()
_PROPERTY_BY_PROPERTY = frozenset(
    {
        *("$comment", "$defs", "$id", "$schema", "deprecated", "description", "examples", "title"),
        *("additionalProperties", "patternProperties", "properties", "required", "type"),
    }
)
_PLAIN = (str, int, float, bool, type(None))


class _Defaults:
    """The defaults of one schema. Looks through `$ref` and `allOf`, not into alternatives: there a
    default would decide which alternative was meant."""

    __slots__ = ("fill", "inside", "items")

    def __init__(self) -> None:
        self.fill: dict[str, Any] = {}
        self.inside: dict[str, _Defaults] = {}
        self.items: _Defaults | None = None

    @classmethod
    def of(cls, schema: Any) -> _Defaults | None:
        plans: dict[Path, _Defaults] = {}
        plan = cls._plan(SchemaDocument(schema), (), plans)
        useful = _useful(plan, set())
        return plan if useful else None

    @classmethod
    def _plan(cls, document: SchemaDocument, path: Path, plans: dict[Path, _Defaults]) -> _Defaults:
        if path in plans:
            return plans[path]
        plan = plans[path] = cls()
        plan._read(document, path, plans, set())
        return plan

    def _read(
        self, document: SchemaDocument, path: Path, plans: dict[Path, _Defaults], seen: set[Path]
    ) -> None:
        schema = document.node(path)
        if not isinstance(schema, dict) or path in seen:
            return
        seen.add(path)
        for name, child in schema.get("properties", {}).items():
            if isinstance(child, dict):
                default = _default_of(document, (*path, "properties", name))
                if default is not _ABSENT:
                    self.fill.setdefault(name, default)
                self.inside.setdefault(
                    name, self._plan(document, (*path, "properties", name), plans)
                )
        if isinstance(schema.get("items"), dict) and "prefixItems" not in schema:
            self.items = self.items or self._plan(document, (*path, "items"), plans)
        for index in range(len(schema.get("allOf", ()))):
            self._read(document, (*path, "allOf", index), plans, seen)
        if isinstance(schema.get("$ref"), str):
            target = document.resolve(schema["$ref"], document.base(path))
            if target is not None:
                self._read(document, target, plans, seen)

    def flat(self) -> dict[str, Any] | None:
        """The defaults as one dictionary, when that is all there is to them."""
        deep = any(_useful(plan, {id(self)}) for plan in self.inside.values())
        if deep or self.items or any(type(value) not in _PLAIN for value in self.fill.values()):
            return None
        return self.fill

    def apply(self, value: Any) -> Any:
        if type(value) is dict:
            merged = dict(value)
            for name, default in self.fill.items():
                if name not in merged:
                    merged[name] = deepcopy(default)
            for name, plan in self.inside.items():
                if name in merged:
                    merged[name] = plan.apply(merged[name])
            return merged
        if type(value) is list and self.items is not None:
            return [self.items.apply(item) for item in value]
        return value


def _default_of(document: SchemaDocument, path: Path) -> Any:
    """Return the default of a property, its own or that of the schema it refers to."""
    seen: set[Path] = set()
    while path not in seen:
        seen.add(path)
        schema = document.node(path)
        if not isinstance(schema, dict):
            break
        if "default" in schema:
            return schema["default"]
        target = (
            document.resolve(schema["$ref"], document.base(path))
            if isinstance(schema.get("$ref"), str)
            else None
        )
        if target is None:
            break
        path = target
    return _ABSENT


def _useful(plan: _Defaults, seen: set[int]) -> bool:
    if id(plan) in seen:
        return False
    seen.add(id(plan))
    if plan.fill or (plan.items and _useful(plan.items, seen)):
        return True
    return any(_useful(child, seen) for child in plan.inside.values())


def _filled(before: Any, after: Any, path: Path) -> list[Path]:
    if isinstance(before, dict) and isinstance(after, dict):
        found: list[Path] = []
        for name, value in after.items():
            if name not in before:
                found.append((*path, name))
            else:
                found.extend(_filled(before[name], value, (*path, name)))
        return found
    if isinstance(before, list) and isinstance(after, list):
        return [
            filled
            for index, (old, new) in enumerate(zip(before, after, strict=False))
            for filled in _filled(old, new, (*path, index))
        ]
    return []


# -- errors -----------------------------------------------------------------------------------


def _explain(error: jsonschema_rs.ValidationError, schema: Any) -> list[FieldError]:
    """Translate one library error into one error per bad field, in words a model can act on."""
    path = tuple(error.instance_path)
    here = pointer(path)
    kind: Any = error.kind
    match kind.name:
        case "required":
            return [FieldError(pointer((*path, kind.property)), "is missing", "a value")]
        case "additionalProperties" | "unevaluatedProperties":
            known = _known_names(schema, tuple(error.schema_path[:-1]))
            return [
                FieldError(pointer((*path, name)), _unknown(name, known), _one_of(known))
                for name in kind.unexpected
            ]
        case "enum":
            return [
                FieldError(
                    here,
                    f"{_short(error.instance)} is none of the allowed values",
                    _one_of(kind.options),
                )
            ]
        case "const":
            return [FieldError(here, "is not the one allowed value", _short(kind.expected_value))]
        case "type":
            wanted = " or ".join(kind.types)
            return [FieldError(here, f"{_short(error.instance)} is not of type {wanted}", wanted)]
        case "format":
            return [
                FieldError(
                    here,
                    f"{_short(error.instance)} is no valid {kind.format}",
                    f"format {kind.format}",
                )
            ]
        case "anyOf" | "oneOf":
            return _explain_alternatives(error, schema)
        case "propertyNames":
            return [
                FieldError(here, f"a name in it is not allowed: {_said(kind.error)}", "other names")
            ]
        case name:
            limit = kind.value if isinstance(kind.value, str | int | float) else ""
            return [FieldError(here, _said(error), f"{name} {limit}".strip())]


def _explain_alternatives(error: jsonschema_rs.ValidationError, schema: Any) -> list[FieldError]:
    """Return, for alternatives, the errors of the one that was nearest: the fewest, the deepest."""
    kind: Any = error.kind
    here = pointer(tuple(error.instance_path))
    summary = FieldError(here, "fits none of the alternatives", f"one of the {kind.name} schemas")
    branches = [branch for branch in kind.context if branch]
    if len(branches) < len(kind.context):
        return [
            FieldError(
                here, "fits more than one of the alternatives", "exactly one of the oneOf schemas"
            )
        ]
    if not branches:
        return [summary]
    nearest = min(branches, key=lambda errors: (len(errors), -len(errors[0].instance_path)))
    return [summary, *(found for inner in nearest for found in _explain(inner, schema))]


def _known_names(schema: Any, path: Path) -> list[str]:
    node = schema
    for part in path:
        try:
            node = node[part]
        except (KeyError, IndexError, TypeError):  # the path went through a `$ref`
            return []
    properties = node.get("properties") if isinstance(node, dict) else None
    return list(properties) if isinstance(properties, dict) else []


def _unknown(name: str, known: list[str]) -> str:
    close = get_close_matches(name, known, n=1)
    return "is not a known parameter" + (f"; did you mean {close[0]!r}?" if close else "")


def _one_of(values: list[Any]) -> str:
    if not values:
        return "nothing"
    return "one of " + _short(values, 300)


def _said(error: jsonschema_rs.ValidationError) -> str:
    """Return the library's words with the value in them shortened: what is wrong with it stands
    behind."""
    text = error.message.replace(dumps(error.instance), _short(error.instance), 1)
    # Where the value is written in another way, both ends say more than the beginning.
    return text if len(text) <= 300 else f"{text[:120]}…{text[-179:]}"


def _short(value: Any, limit: int = 80) -> str:
    text = dumps(value)
    return text if len(text) <= limit else text[: limit - 1] + "…"
