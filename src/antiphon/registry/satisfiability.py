"""Contradictions in a schema: places where no value at all can be valid.

Judged on the core of the schema (projections/core.py), which only ever widens: what no value fits
there, no value fits in the schema itself. What cannot be decided counts as possible.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

from antiphon.registry.projections.core import CoreBuilder
from antiphon.registry.projections.nodes import SchemaNode
from antiphon.registry.schemas import SchemaDocument, compile_schema, dumps, pointer

# Below these a schema may well be one that nothing fits: it says what must not be.
_NOT_REQUIRED = frozenset(
    {
        *("not", "if", "then", "else", "contains", "propertyNames", "dependentSchemas"),
        *("unevaluatedItems", "unevaluatedProperties"),
    }
)
_PAIRS = {
    "string": (("minLength", "maxLength"),),
    "array": (("minItems", "maxItems"),),
    "object": (("minProperties", "maxProperties"),),
}


@dataclass(frozen=True, slots=True)
class Contradiction:
    """A contradiction in a schema. `whole`: because of it no value fits the schema as a whole."""

    pointer: str
    reason: str
    whole: bool = False


def contradictions(schema: Any) -> list[Contradiction]:
    """List where a valid schema contradicts itself; the one that rules out every value comes
    first."""
    document = SchemaDocument(schema)
    builder = CoreBuilder(schema)
    paths = [path for path, _, _ in document.subschemas() if not _NOT_REQUIRED & set(path)]
    nodes = [builder.build(path) for path in paths]
    judge = _Judge(builder.definitions())
    found: dict[str, Contradiction] = {}
    for path, node in zip(paths, nodes, strict=True):
        cause = judge.why_not(node, frozenset())
        if cause is None:
            continue
        where, reason = cause
        if not path:
            found[where] = Contradiction(where, reason, whole=True)
        elif where == pointer(path):
            found.setdefault(where, Contradiction(where, reason))
    return list(found.values())


class _Judge:
    def __init__(self, definitions: dict[str, SchemaNode]) -> None:
        self._definitions = definitions

    def why_not(self, node: SchemaNode, inside: frozenset[str]) -> tuple[str, str] | None:
        """Where and why no value fits; None when one may."""
        if node.ref is not None:
            if node.ref in inside:
                return None
            return self.why_not(self._definitions[node.ref], inside | {node.ref})
        if node.union is not None:
            causes = [self.why_not(branch, inside) for branch in node.union]
            return causes[0] if causes and all(causes) else None
        if not node.types:
            return node.pointer, "its type, its values and what it is combined with rule all out"
        first: tuple[str, str] | None = None
        for kind in sorted(node.types):
            cause = self._kind(node, kind, inside)
            if cause is None:
                return None
            first = first or cause
        return first

    def _kind(self, node: SchemaNode, kind: str, inside: frozenset[str]) -> tuple[str, str] | None:
        limits, where = node.limits, node.pointer
        if node.enum is not None:
            check = compile_schema({"type": kind, **limits})
            if not any(check.is_valid(value) for value in node.enum):
                return where, "none of its values keeps to its own limits"
            return None
        for low, high in _PAIRS.get(kind, ()):
            if limits.get(low, 0) > limits.get(high, math.inf):
                return where, f"{low} {limits[low]} is above {high} {limits[high]}"
        if kind in ("integer", "number"):
            reason = _empty_range(kind, limits)
            return None if reason is None else (where, reason)
        if kind == "array" and limits.get("minItems", 0) > 0 and node.items is not None:
            return self.why_not(node.items, inside)
        return self._object(node, inside) if kind == "object" else None

    def _object(self, node: SchemaNode, inside: frozenset[str]) -> tuple[str, str] | None:
        most = node.limits.get("maxProperties", math.inf)
        if len(node.required) > most:
            return node.pointer, f"{len(node.required)} are required, and maxProperties is {most}"
        least = node.limits.get("minProperties", 0)
        if node.closed and least > len(node.properties):
            return node.pointer, f"minProperties is {least}, and it has {len(node.properties)}"
        for name in node.required:
            child = node.properties.get(name)
            if child is None and (node.closed or name in node.forbidden):
                where = f"{node.pointer}{pointer(('properties', name))}"
                return where, f"{dumps(name)} is required, and no value of it is allowed"
            cause = None if child is None else self.why_not(child, inside)
            if cause is not None:
                return cause
        return None


def _empty_range(kind: str, limits: dict[str, Any]) -> str | None:
    lows = [(limits[name], name) for name in ("minimum", "exclusiveMinimum") if name in limits]
    highs = [(limits[name], name) for name in ("maximum", "exclusiveMaximum") if name in limits]
    if not lows or not highs:
        return None
    low, from_ = max(lows)
    high, to = min(highs)
    said = f"{from_} {low} and {to} {high} leave no {kind}"
    open_ends = "exclusive" in from_ + to
    if low > high or (low == high and open_ends):
        return said
    step = limits.get("multipleOf") or (1 if kind == "integer" else None)
    if step is None or not float(step).is_integer():
        return None
    first = math.ceil(low / step) * step
    if first == low and from_.startswith("exclusive"):
        first += step
    beyond = first >= high if to.startswith("exclusive") else first > high
    return said if beyond else None
