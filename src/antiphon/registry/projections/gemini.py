"""Gemini: the `Type.*` subset of OpenAPI that Live 2.5 takes.

Facts the native form rests on: types in upper case, one per schema; enumerations of non-empty
strings only; no references, no `additionalProperties` (Live closes the session with 1007); an
array must say its items and their type; next to `anyOf` nothing else may stand, so words and
`nullable` go into the branches.

Without references "any value" has no end: an array of any values holds arrays of JSON text.
`NativeCodec` leads there and back.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

from antiphon.registry.projections.codec import parsed
from antiphon.registry.projections.core import core_of
from antiphon.registry.projections.descriptions import brief, tell
from antiphon.registry.projections.nodes import ALL_TYPES, LIMITS_OF, Core, Loss, SchemaNode
from antiphon.registry.schemas import dumps

# How often one definition may stand inside itself, how deep, and how many schemas in all. What
# gets too large when references are written out is written out less far.
LIMITS = ((2, 24, 4_000), (1, 24, 4_000), (1, 8, 1_000), (1, 6, 500), (1, 4, 250), (1, 2, 100))
MAX_BYTES = 12_000
MAX_GROWTH = 3  # times the size of the schema itself, where that is more

FORMATS = {"string": {"date-time"}}
KEPT = frozenset(
    {
        "minLength",
        "maxLength",
        "pattern",
        "minimum",
        "maximum",
        "minItems",
        "maxItems",
        "minProperties",
        "maxProperties",
    }
)
TYPE_ORDER = ("string", "integer", "number", "boolean", "object", "array")
JSON_TEXT = {"type": "STRING", "description": "Any JSON value, as JSON text."}


class NativeCodec:
    """The native schema of one canonical schema, with `encode` and `decode`."""

    def __init__(self, schema: Any) -> None:
        self.schema, self.losses = native(schema)
        self._plain = not _holds_text(self.schema)

    def encode(self, args: Any) -> Any:
        """Canonical arguments in the native form."""
        return args if self._plain else _walk(self.schema, args, dumps)

    def decode(self, args: Any) -> Any:
        """Arguments in the native form as canonical ones; what does not fit stays as it is."""
        return args if self._plain else _walk(self.schema, args, parsed)


def native(schema: Any) -> tuple[dict[str, Any], list[Loss]]:
    """Return `parameters` of a function declaration, and what it could not say."""
    core = core_of(schema)
    limits = LIMITS if core.defs else LIMITS[:1]
    most = max(MAX_BYTES, MAX_GROWTH * len(dumps(schema)))
    for limit in limits:
        body, losses = _Native(core, *limit).run()
        if len(dumps(body)) <= most:
            break
    return body, losses


class _Native:
    def __init__(self, core: Core, unroll: int, depth: int, nodes: int) -> None:
        self.core = core
        self.max_unroll, self.max_depth, self.max_nodes = unroll, depth, nodes
        self.losses = list(core.losses)
        self.open: list[str] = []
        self.nodes = 0

    def run(self) -> tuple[dict[str, Any], list[Loss]]:
        return tell(self.render(self.core.root, 0), self.losses)

    def lose(self, node: SchemaNode, keyword: str, reason: str, told: str) -> None:
        self.losses.append(Loss(node.pointer, keyword, reason, told))

    def render(self, node: SchemaNode, depth: int) -> dict[str, Any]:
        self.nodes += 1
        if node.ref is not None:
            return self.reference(node, depth)
        if node.union is not None:
            return self.union(node, depth)
        if depth > self.max_depth or self.nodes > self.max_nodes:
            return self.described(node)
        types = node.types or ALL_TYPES
        nullable = "null" in types
        single = [t for t in TYPE_ORDER if t in types]
        if "number" in single and "integer" in single:
            single.remove("integer")
        if not single:
            self.lose(node, "type", "null alone has no type", "Always null.")
            body = {"type": "STRING", "nullable": True}
            return self.worded(body, node, "Always null.")
        if node.anything:
            return self.worded(self.anything(), node)
        branches = [self.typed(node, kind, depth) for kind in single]
        return self.worded(_any_of(branches, nullable), node)

    def reference(self, node: SchemaNode, depth: int) -> dict[str, Any]:
        assert node.ref is not None
        target = self.core.defs[node.ref]
        inside = self.open.count(node.ref)
        too_far = depth > self.max_depth or self.nodes > self.max_nodes
        if inside >= self.max_unroll or (too_far and inside):
            told = f"Again a {node.ref}, as above."
            self.lose(node, "$ref", f"{node.ref} is repeated to a bounded depth only", told)
            kinds = self.core.types_of(target) or ALL_TYPES
            shallow = SchemaNode(pointer=node.pointer, types=kinds, description=target.description)
            return self.worded(self.bare_types(shallow), node, told)
        self.open.append(node.ref)
        body = self.render(target, depth)
        self.open.pop()
        return self.worded(body, node)

    def described(self, node: SchemaNode) -> dict[str, Any]:
        """Only the types of a node, for where its structure cannot be written out."""
        if node.ref is None and not node.anything:
            named = brief(list(node.properties))
            told = f"Its fields: {named}." if node.properties else "Given by its type alone."
            self.lose(node, "properties", "too deep or too large; given by its type alone", told)
            node = node.with_notes(told)
        return self.bare_types(node)

    def bare_types(self, node: SchemaNode) -> dict[str, Any]:
        kinds = self.core.types_of(node) or ALL_TYPES
        if kinds >= ALL_TYPES - {"integer"}:
            return self.worded(self.anything(), node)
        shallow = [_bare(kind) for kind in TYPE_ORDER if kind in kinds]
        return self.worded(_any_of(shallow or [_bare("string")], "null" in kinds), node)

    def anything(self) -> dict[str, Any]:
        return _anything(1)

    def union(self, node: SchemaNode, depth: int) -> dict[str, Any]:
        assert node.union is not None
        nullable = False
        branches: list[dict[str, Any]] = []
        for branch in node.union:
            if branch.plain and branch.types == {"null"}:
                nullable = True
                continue
            rendered = self.render(branch, depth + 1)
            nested = rendered.get("anyOf", [rendered])
            branches.extend(b for b in nested if b not in branches)
        if not branches:
            branches = [_bare("string")]
        return self.worded(_any_of(branches, nullable), node)

    # -- one type ----------------------------------------------------------------------------

    def typed(self, node: SchemaNode, kind: str, depth: int) -> dict[str, Any]:
        body: dict[str, Any] = {"type": kind.upper()}
        notes: list[str] = []
        self.limits(node, kind, body, notes)
        if node.enum is not None:
            self.enumeration(node, kind, body, notes)
        if kind == "array":
            body["items"] = self.render(node.items or SchemaNode(pointer=node.pointer), depth + 1)
        if kind == "object":
            self.objects(node, body, notes, depth)
        if notes:
            body["description"] = " ".join(notes)
        return body

    def limits(self, node: SchemaNode, kind: str, body: dict[str, Any], notes: list[str]) -> None:
        for keyword in LIMITS_OF.get(kind, ()):
            if keyword not in node.limits:
                continue
            value = node.limits[keyword]
            if keyword in KEPT or (keyword == "format" and value in FORMATS.get(kind, ())):
                body[keyword] = value
            elif keyword.startswith("exclusive"):
                self.exclusive(node, kind, keyword, value, body, notes)
            else:
                told = f"{keyword}: {dumps(value)}."
                reason = "not in the native form; moved into the description"
                self.lose(node, keyword, reason, told)
                notes.append(told)

    def exclusive(
        self,
        node: SchemaNode,
        kind: str,
        keyword: str,
        value: float,
        body: dict[str, Any],
        notes: list[str],
    ) -> None:
        lower = keyword == "exclusiveMinimum"
        plain = "minimum" if lower else "maximum"
        if kind == "integer" and math.isfinite(value):
            value = math.floor(value) + 1 if lower else math.ceil(value) - 1
        else:
            told = f"{keyword}: {dumps(value)}."
            self.lose(node, keyword, f"widened to {plain}", told)
            notes.append(told)
        known = body.get(plain)
        body[plain] = value if known is None else (max if lower else min)(value, known)

    def enumeration(
        self, node: SchemaNode, kind: str, body: dict[str, Any], notes: list[str]
    ) -> None:
        values = [v for v in node.enum or () if _is_kind(v, kind)]
        if kind == "string" and values and all(values):
            body["enum"] = values
            return
        told = f"One of {', '.join(dumps(v) for v in values)}."
        self.lose(node, "enum", "only non-empty strings can be enumerated", told)
        notes.append(told)

    def objects(self, node: SchemaNode, body: dict[str, Any], notes: list[str], depth: int) -> None:
        fields = dict(node.properties)
        for name in node.required:
            fields.setdefault(name, node.extra or SchemaNode(pointer=node.pointer))
        if fields:
            body["properties"] = {n: self.render(f, depth + 1) for n, f in fields.items()}
        if node.required:
            body["required"] = list(node.required)
        if not node.closed and node.extra is None:
            return
        told = "No other fields."
        if node.extra is not None:
            kinds = " or ".join(sorted(self.core.types_of(node.extra)))
            told = f"Further fields may have any name; their values: {kinds}."
        self.lose(node, "additionalProperties", "not in the native form", told)
        notes.append(told)

    # -- words -------------------------------------------------------------------------------

    def worded(self, body: dict[str, Any], node: SchemaNode, *more: str) -> dict[str, Any]:
        """`body` with the node's words; in a union they go to the first branch."""
        text = " ".join(part for part in (node.text(), *more) if part)
        target = body["anyOf"][0] if "anyOf" in body else body
        own = target.get("description", "")
        if text and text not in own:
            target["description"] = f"{text} {own}".strip()
        if node.title and "anyOf" not in body:
            body["title"] = node.title
        if node.has_default and node.default is not None and "anyOf" not in body:
            body["default"] = node.default
        return body


def _bare(kind: str) -> dict[str, Any]:
    return {"type": "ARRAY", "items": _anything(0)} if kind == "array" else {"type": kind.upper()}


def _anything(level: int) -> dict[str, Any]:
    """Any value; arrays in it hold any values `level` times over, and JSON text after that."""
    kinds: list[dict[str, Any]] = [
        {"type": kind} for kind in ("STRING", "NUMBER", "BOOLEAN", "OBJECT")
    ]
    items = _anything(level - 1) if level else dict(JSON_TEXT)
    return _any_of([*kinds, {"type": "ARRAY", "items": items}], True)


def _holds_text(schema: dict[str, Any]) -> bool:
    if schema == JSON_TEXT:
        return True
    inner = [*schema.get("properties", {}).values(), *schema.get("anyOf", ())]
    return any(_holds_text(part) for part in (*inner, schema.get("items", {})) if part)


def _walk(schema: dict[str, Any], value: Any, change: Callable[[Any], Any]) -> Any:
    """`value` with every JSON text that the native schema has in it changed."""
    if schema == JSON_TEXT:
        return change(value)
    branches = schema.get("anyOf", [schema])
    if isinstance(value, list):
        for branch in branches:
            if branch["type"] == "ARRAY" and _holds_text(branch["items"]):
                return [_walk(branch["items"], item, change) for item in value]
    if isinstance(value, dict):
        fields: dict[str, Any] = {}
        for branch in reversed(branches):
            fields |= branch.get("properties", {})
        return {
            name: _walk(fields[name], item, change) if name in fields else item
            for name, item in value.items()
        }
    return value


def _any_of(branches: list[dict[str, Any]], nullable: bool) -> dict[str, Any]:
    if nullable:
        branches = [{**branch, "nullable": True} for branch in branches]
    return branches[0] if len(branches) == 1 else {"anyOf": branches}


def _is_kind(value: Any, kind: str) -> bool:
    if kind in ("integer", "number"):
        return isinstance(value, int | float) and not isinstance(value, bool)
    names = {"string": str, "boolean": bool, "array": list, "object": dict}
    return isinstance(value, names[kind])
