"""Gemini: the `Type.*` subset of OpenAPI that Live 2.5 takes.

Facts the native form rests on: types in upper case, one per schema; enumerations of non-empty
strings only; no references, no `additionalProperties` (Live closes the session with 1007); an
array must say its items; next to `anyOf` nothing else may stand, so words and `nullable` go into
the branches.
"""

from __future__ import annotations

import math
from typing import Any

from antiphon.registry.projections.core import core_of
from antiphon.registry.projections.nodes import ALL_TYPES, LIMITS_OF, Core, Loss, Node
from antiphon.registry.schemas import dumps

MAX_UNROLL = 2  # times that one definition may stand inside itself
MAX_DEPTH = 24
MAX_NODES = 4_000

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


def native(schema: Any) -> tuple[dict[str, Any], list[Loss]]:
    """`parameters` of a function declaration, and what it could not say."""
    return _Native(core_of(schema)).run()


class _Native:
    def __init__(self, core: Core) -> None:
        self.core = core
        self.losses = list(core.losses)
        self.open: list[str] = []
        self.nodes = 0

    def run(self) -> tuple[dict[str, Any], list[Loss]]:
        rendered = self.render(self.core.root, 0)
        return rendered, list(dict.fromkeys(self.losses))

    def lose(self, node: Node, keyword: str, reason: str) -> None:
        self.losses.append(Loss(node.pointer, keyword, reason))

    def render(self, node: Node, depth: int) -> dict[str, Any]:
        self.nodes += 1
        if node.ref is not None:
            return self.reference(node, depth)
        if node.union is not None:
            return self.union(node, depth)
        if depth > MAX_DEPTH or self.nodes > MAX_NODES:
            return self.described(node)
        types = node.types or ALL_TYPES
        nullable = "null" in types
        single = [t for t in TYPE_ORDER if t in types]
        if "number" in single and "integer" in single:
            single.remove("integer")
        if not single:
            self.lose(node, "type", "null alone has no type")
            body = {"type": "STRING", "nullable": True}
            return self.worded(body, node, "Always null.")
        if node.anything:
            return self.worded(self.anything(), node)
        branches = [self.typed(node, kind, depth) for kind in single]
        return self.worded(_any_of(branches, nullable), node)

    def reference(self, node: Node, depth: int) -> dict[str, Any]:
        assert node.ref is not None
        target = self.core.defs[node.ref]
        if self.open.count(node.ref) >= MAX_UNROLL or depth > MAX_DEPTH or self.nodes > MAX_NODES:
            self.lose(node, "$ref", f"{node.ref} is repeated to a bounded depth only")
            kinds = self.core.types_of(target) or ALL_TYPES
            shallow = Node(pointer=node.pointer, types=kinds, description=target.description)
            return self.worded(self.described(shallow), node, f"Again a {node.ref}, as above.")
        self.open.append(node.ref)
        body = self.render(target, depth)
        self.open.pop()
        return self.worded(body, node)

    def described(self, node: Node) -> dict[str, Any]:
        """Only the types of a node, for where its structure cannot be written out."""
        if node.ref is None and not node.anything:
            self.lose(node, "properties", "too deep or too large; given by its type alone")
        kinds = self.core.types_of(node) or ALL_TYPES
        if kinds >= ALL_TYPES - {"integer"}:
            return self.worded(self.anything(), node)
        shallow = [_bare(kind) for kind in TYPE_ORDER if kind in kinds]
        return self.worded(_any_of(shallow or [_bare("string")], "null" in kinds), node)

    def anything(self) -> dict[str, Any]:
        kinds = [kind for kind in TYPE_ORDER if kind != "integer"]
        return _any_of([_bare(kind) for kind in kinds], True)

    def union(self, node: Node, depth: int) -> dict[str, Any]:
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

    def typed(self, node: Node, kind: str, depth: int) -> dict[str, Any]:
        body: dict[str, Any] = {"type": kind.upper()}
        notes: list[str] = []
        self.limits(node, kind, body, notes)
        if node.enum is not None:
            self.enumeration(node, kind, body, notes)
        if kind == "array":
            body["items"] = self.render(node.items or Node(pointer=node.pointer), depth + 1)
        if kind == "object":
            self.objects(node, body, notes, depth)
        if notes:
            body["description"] = " ".join(notes)
        return body

    def limits(self, node: Node, kind: str, body: dict[str, Any], notes: list[str]) -> None:
        for keyword in LIMITS_OF.get(kind, ()):
            if keyword not in node.limits:
                continue
            value = node.limits[keyword]
            if keyword in KEPT or (keyword == "format" and value in FORMATS.get(kind, ())):
                body[keyword] = value
            elif keyword.startswith("exclusive"):
                self.exclusive(node, kind, keyword, value, body, notes)
            else:
                self.lose(node, keyword, "not in the native form; moved into the description")
                notes.append(f"{keyword}: {dumps(value)}.")

    def exclusive(
        self,
        node: Node,
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
            self.lose(node, keyword, f"widened to {plain}")
            notes.append(f"{keyword}: {dumps(value)}.")
        known = body.get(plain)
        body[plain] = value if known is None else (max if lower else min)(value, known)

    def enumeration(self, node: Node, kind: str, body: dict[str, Any], notes: list[str]) -> None:
        values = [v for v in node.enum or () if _is_kind(v, kind)]
        if kind == "string" and values and all(values):
            body["enum"] = values
            return
        self.lose(node, "enum", "only non-empty strings can be enumerated")
        notes.append(f"One of {', '.join(dumps(v) for v in values)}.")

    def objects(self, node: Node, body: dict[str, Any], notes: list[str], depth: int) -> None:
        fields = dict(node.properties)
        for name in node.required:
            fields.setdefault(name, node.extra or Node(pointer=node.pointer))
        if fields:
            body["properties"] = {n: self.render(f, depth + 1) for n, f in fields.items()}
        if node.required:
            body["required"] = list(node.required)
        if node.closed:
            self.lose(node, "additionalProperties", "not in the native form")
            notes.append("No other fields.")
        elif node.extra is not None:
            self.lose(node, "additionalProperties", "not in the native form")
            kinds = " or ".join(sorted(self.core.types_of(node.extra)))
            notes.append(f"Further fields may have any name; their values: {kinds}.")

    # -- words -------------------------------------------------------------------------------

    def worded(self, body: dict[str, Any], node: Node, *more: str) -> dict[str, Any]:
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
    return {"type": "ARRAY", "items": {}} if kind == "array" else {"type": kind.upper()}


def _any_of(branches: list[dict[str, Any]], nullable: bool) -> dict[str, Any]:
    if nullable:
        branches = [{**branch, "nullable": True} for branch in branches]
    return branches[0] if len(branches) == 1 else {"anyOf": branches}


def _is_kind(value: Any, kind: str) -> bool:
    if kind in ("integer", "number"):
        return isinstance(value, int | float) and not isinstance(value, bool)
    names = {"string": str, "boolean": bool, "array": list, "object": dict}
    return isinstance(value, names[kind])
