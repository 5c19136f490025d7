"""Type model: schemas of tools as records, lists, maps, unions and literals of no language yet.

It is made from the same core as the projections, which only ever widens: an instance of a schema is
an instance of its type.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any, Literal, TypeAlias

from antiphon.registry.projections.core import core_of
from antiphon.registry.projections.nodes import ALL_TYPES, Core, SchemaNode
from antiphon.registry.schemas import json_type
from antiphon.registry.versions import by_tool, default_of

ScalarName = Literal["any", "never", "null", "boolean", "integer", "number", "string"]
_ORDER = ("boolean", "integer", "number", "string", "array", "object", "null")
_WORDS = re.compile(r"[A-Za-z0-9]+")


@dataclass(frozen=True, slots=True)
class ScalarType:
    """A type without parts."""

    name: ScalarName


@dataclass(frozen=True, slots=True)
class LiteralType:
    """One of some values: texts, numbers, booleans or null."""

    values: tuple[Any, ...]


@dataclass(frozen=True, slots=True)
class ListType:
    """An array of values of one type."""

    item: TypeExpression


@dataclass(frozen=True, slots=True)
class MapType:
    """An object with names that nobody knows ahead."""

    value: TypeExpression


@dataclass(frozen=True, slots=True)
class NamedType:
    """A type that is declared by its name."""

    name: str


@dataclass(frozen=True, slots=True)
class UnionType:
    """A value of one of several types."""

    parts: tuple[TypeExpression, ...]


TypeExpression: TypeAlias = ScalarType | LiteralType | ListType | MapType | NamedType | UnionType
ANY, NEVER = ScalarType("any"), ScalarType("never")


@dataclass(frozen=True, slots=True)
class RecordField:
    """A member of a record."""

    name: str
    type: TypeExpression
    required: bool
    description: str


@dataclass(frozen=True, slots=True)
class RecordDeclaration:
    """An object with known members, by its name."""

    name: str
    description: str
    fields: tuple[RecordField, ...]


@dataclass(frozen=True, slots=True)
class AliasDeclaration:
    """Another name of a type."""

    name: str
    description: str
    type: TypeExpression


Declaration: TypeAlias = RecordDeclaration | AliasDeclaration


@dataclass(frozen=True, slots=True)
class ToolSignature:
    """One tool: what it takes and what it gives, by the names of two declarations."""

    tool_id: str
    summary: str
    args: str
    data: str


@dataclass(frozen=True, slots=True)
class ToolTypes:
    """The types of all tools of a registry."""

    version: str
    declarations: tuple[Declaration, ...]
    tools: tuple[ToolSignature, ...]


def tool_types(artifact: Mapping[str, Any]) -> ToolTypes:
    """Return the types of the tools of an artifact, in the order of their ids."""
    taken: set[str] = set()
    declarations: list[Declaration] = []
    tools: list[ToolSignature] = []
    defaults = map(default_of, by_tool(artifact["tools"]).values())
    for entry in sorted(defaults, key=lambda each: str(each["toolId"])):
        tool_id = entry["toolId"]
        names = {}
        for what, schema in (("Args", entry["jsonSchema"]), ("Data", entry.get("output"))):
            namer = _SchemaTypes(core_of(schema or {}), _pascal(tool_id) + what, taken)
            namer.declare_root(f"{'Arguments' if what == 'Args' else 'Data'} of {tool_id}.")
            declarations += namer.declarations
            names[what] = namer.root
        tools.append(ToolSignature(tool_id, str(entry["summary"]), names["Args"], names["Data"]))
    return ToolTypes(str(artifact["version"]), tuple(declarations), tuple(tools))


def union_of(parts: Iterable[TypeExpression]) -> TypeExpression:
    """Return the union of types: flat, each part once, literals together."""
    flat: list[TypeExpression] = []
    values: list[Any] = []
    for part in parts:
        for each in part.parts if isinstance(part, UnionType) else (part,):
            if each == ANY:
                return ANY
            if isinstance(each, LiteralType):
                known = {(type(value), value) for value in values}
                values += [value for value in each.values if (type(value), value) not in known]
            elif each != NEVER and each not in flat:
                flat.append(each)
    if values:
        flat.append(LiteralType(tuple(values)))
    if not flat:
        return NEVER
    return flat[0] if len(flat) == 1 else UnionType(tuple(flat))


@dataclass(slots=True)
class _SchemaTypes:
    """The declarations of one schema, all names beginning with `root`."""

    core: Core
    root: str
    taken: set[str]
    declarations: list[Declaration] = field(default_factory=list)
    names: dict[str, str] = field(default_factory=dict)  # of what references lead to

    def declare_root(self, description: str) -> None:
        """Declare the root, and all that it refers to."""
        self.root = self._free(self.root)
        for name in self.core.defs:
            self.names[name] = self._free(self.root + _pascal(name))
        node = self.core.root
        self._declare(self.root, node, description)
        for name, target in self.core.defs.items():
            self._declare(self.names[name], target, target.description, alias=name)

    def _declare(
        self, name: str, node: SchemaNode, description: str, alias: str | None = None
    ) -> None:
        if alias is None or not self._refers_to_itself(alias):
            is_record = node.plain and node.types == {"object"} and node.enum is None
            if is_record and (node.properties or node.required):
                self.declarations.append(
                    RecordDeclaration(name, description, self._fields(name, node))
                )
                return
            made = self._type(node, name)
        else:
            made = ANY  # a validator takes anything for it, and no language can say it
        self.declarations.append(AliasDeclaration(name, description, made))

    def _refers_to_itself(self, name: str) -> bool:
        """Whether a definition is itself, or a union with itself, with nothing between."""
        seen: set[str] = set()
        waiting = [self.core.defs[name]]
        while waiting:
            node = waiting.pop()
            waiting += node.union or ()
            if node.ref == name:
                return True
            if node.ref is not None and node.ref not in seen:
                seen.add(node.ref)
                waiting.append(self.core.defs[node.ref])
        return False

    def _type(self, node: SchemaNode, name: str) -> TypeExpression:
        if node.ref is not None:
            return NamedType(self.names[node.ref])
        if node.union is not None:
            return union_of(
                self._type(branch, name if number == 1 else f"{name}{number}")
                for number, branch in enumerate(node.union, 1)
            )
        if node.enum is not None:
            return union_of(_literal(value) for value in node.enum)
        if node.types == ALL_TYPES:
            return ANY
        return union_of(self._typed(kind, node, name) for kind in _ORDER if kind in node.types)

    def _typed(self, kind: str, node: SchemaNode, name: str) -> TypeExpression:
        if kind == "array":
            return ListType(ANY if node.items is None else self._type(node.items, f"{name}Item"))
        if kind != "object":
            return ScalarType(kind)  # type: ignore[arg-type]
        if node.properties or node.required:
            own = self._free(name)
            self.declarations.append(
                RecordDeclaration(own, node.description, self._fields(own, node))
            )
            return NamedType(own)
        if node.extra is not None:
            return MapType(self._type(node.extra, f"{name}Value"))
        return MapType(NEVER if node.closed else ANY)

    def _fields(self, name: str, node: SchemaNode) -> tuple[RecordField, ...]:
        fields = [
            RecordField(
                each,
                self._type(child, name + _pascal(each)),
                each in node.required,
                child.description,
            )
            for each, child in node.properties.items()
        ]
        fields += [
            RecordField(each, ANY, True, "")
            for each in node.required
            if each not in node.properties
        ]
        return tuple(fields)

    def _free(self, name: str) -> str:
        """Return the name, with a number behind it where it is taken."""
        number, free = 1, name
        while free in self.taken:
            number += 1
            free = f"{name}_{number}"
        self.taken.add(free)
        return free


def _literal(value: Any) -> TypeExpression:
    kind = json_type(value)
    if kind == "array":
        return ListType(ANY)
    if kind == "object":
        return MapType(ANY)
    if isinstance(value, float):
        return ScalarType("number")  # no literal in Python
    return LiteralType((value,))


def _pascal(name: str) -> str:
    return "".join(word[0].upper() + word[1:] for word in _WORDS.findall(name)) or "Field"
