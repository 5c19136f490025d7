"""The core that providers are rendered from: its nodes, and what was lost on the way to it."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import Any

SCALARS = frozenset({"null", "boolean", "integer", "number", "string"})
ALL_TYPES = SCALARS | {"array", "object"}

LOWER = ("minimum", "exclusiveMinimum", "minLength", "minItems", "minProperties")
UPPER = ("maximum", "exclusiveMaximum", "maxLength", "maxItems", "maxProperties")
LIMITS = (*LOWER, *UPPER, "multipleOf", "pattern", "format", "uniqueItems")
INTEGER_LIMITS = frozenset(
    {"minLength", "minItems", "minProperties", "maxLength", "maxItems", "maxProperties"}
)
LIMITS_OF = {
    "string": ("minLength", "maxLength", "pattern", "format"),
    "number": ("minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum", "multipleOf"),
    "array": ("minItems", "maxItems", "uniqueItems"),
    "object": ("minProperties", "maxProperties"),
}
LIMITS_OF["integer"] = LIMITS_OF["number"]


@dataclass(frozen=True, slots=True)
class Loss:
    """A loss: what a form cannot say. Its place, the keyword, why, and the words that say it
    instead, which stand in some description of the projection."""

    pointer: str
    keyword: str
    reason: str
    told: str

    def to_dict(self) -> dict[str, str]:
        return {
            "pointer": self.pointer,
            "keyword": self.keyword,
            "reason": self.reason,
            "told": self.told,
        }


@dataclass(slots=True)
class SchemaNode:
    """One schema of the core: a reference, a union, or a plain one."""

    pointer: str = ""
    types: frozenset[str] = ALL_TYPES
    enum: list[Any] | None = None
    limits: dict[str, Any] = field(default_factory=dict)
    properties: dict[str, SchemaNode] = field(default_factory=dict)
    required: tuple[str, ...] = ()
    forbidden: tuple[str, ...] = ()  # names of properties that no value fits
    closed: bool = False
    extra: SchemaNode | None = None  # schema of further properties, when they are not free
    items: SchemaNode | None = None
    union: list[SchemaNode] | None = None
    ref: str | None = None
    description: str = ""
    title: str = ""
    default: Any = None
    has_default: bool = False
    notes: tuple[str, ...] = ()

    @property
    def plain(self) -> bool:
        """Whether it is neither a reference nor a union."""
        return self.ref is None and self.union is None

    @property
    def impossible(self) -> bool:
        """Whether no value fits it."""
        return self.plain and not self.types

    @property
    def anything(self) -> bool:
        """Whether every value fits it."""
        return (
            self.plain
            and self.types == ALL_TYPES
            and self.enum is None
            and not (self.limits or self.properties or self.required or self.closed)
            and self.extra is None
            and self.items is None
        )

    def with_notes(self, *notes: str) -> SchemaNode:
        """Return a copy with further notes."""
        return replace(self, notes=self.notes + tuple(n for n in notes if n not in self.notes))

    def text(self) -> str:
        """Return the description with the notes behind it."""
        return " ".join(part for part in (self.description, *self.notes) if part)


@dataclass(slots=True)
class Core:
    """A whole schema: its root, always a plain object, and what references lead to."""

    root: SchemaNode
    defs: dict[str, SchemaNode]
    losses: list[Loss]

    def types_of(self, node: SchemaNode, _seen: frozenset[str] = frozenset()) -> frozenset[str]:
        """Return the JSON types a node may take, through unions and references."""
        if node.union is not None:
            return frozenset().union(*(self.types_of(branch, _seen) for branch in node.union))
        if node.ref is not None:
            if node.ref in _seen:
                return ALL_TYPES  # defined by nothing but itself: validators accept anything
            return self.types_of(self.defs[node.ref], _seen | {node.ref})
        return node.types
