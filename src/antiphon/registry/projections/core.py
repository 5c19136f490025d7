"""Canonical schema → a small core that every provider can be rendered from.

The core knows one type or several, enumerations, limits, objects, arrays, unions and references.
Everything else of JSON Schema is folded into that (`allOf` merged, `oneOf` widened to a union,
`const` made an enumeration) or dropped with a loss. Two promises hold at every step:

- it only ever widens: an instance of the schema is an instance of the core;
- what it widens is said: the loss names the keyword and where it stood.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from typing import Any

from antiphon.registry.projections.descriptions import brief
from antiphon.registry.projections.nodes import (
    ALL_TYPES,
    INTEGER_LIMITS,
    LIMITS,
    LOWER,
    UPPER,
    Core,
    Loss,
    SchemaNode,
)
from antiphon.registry.schemas import Path, SchemaDocument, json_key, json_type, pointer

# Merging `allOf` of refs of `allOf` can double at each step; past this the rest is dropped.
MAX_WORK = 20_000
MAX_BRANCHES = 24

_TOO_LARGE = "More belongs to this than is written out."

ANNOTATIONS = frozenset(
    {
        "$anchor",
        "$comment",
        "$defs",
        "$dynamicAnchor",
        "$id",
        "$schema",
        "$vocabulary",
        "default",
        "definitions",
        "deprecated",
        "description",
        "examples",
        "readOnly",
        "title",
        "writeOnly",
    }
)

# Keywords that no core can say. Their text moves into the description.
DROPPED = (
    "not",
    "if",
    "then",
    "else",
    "dependentRequired",
    "dependentSchemas",
    "propertyNames",
    "contains",
    "minContains",
    "maxContains",
    "contentEncoding",
    "contentMediaType",
    "contentSchema",
    "unevaluatedItems",
    "$dynamicRef",
)


def core_of(schema: Any) -> Core:
    """Return the core of a valid schema whose instances are the argument objects of a tool."""
    return CoreBuilder(schema).run()


class CoreBuilder:
    """The builder of the nodes of one schema, and of the definitions that they refer to."""

    def __init__(self, schema: Any) -> None:
        self.document = SchemaDocument(schema)
        self.losses: list[Loss] = []
        self.defs: dict[str, SchemaNode] = {}
        self.names: dict[Path, str] = {}
        self.targets: dict[str, Path] = {}  # the same, the other way round
        self.numbers: dict[str, int] = {}  # of the names that were given more than once
        self.waiting: list[Path] = []
        self.expanding: list[Path] = []
        self.merging: list[str] = []
        self.work = 0

    def run(self) -> Core:
        """Build the whole core."""
        root = self.build(())
        if root.ref is not None:
            root = self.expand(root)
        root = self.flatten(root)
        if root.enum is not None:
            told = f"One of {brief(root.enum)}."
            self.lose("", "enum", "the top level must be one object", told)
            root = root.with_notes(told)
        defs = self.definitions()
        root = replace(root, types=frozenset({"object"}), enum=None)
        return Core(root, defs, _unique(self.losses))

    def definitions(self) -> dict[str, SchemaNode]:
        """What the nodes that were built so far refer to."""
        while self.waiting:
            path = self.waiting.pop()
            name = self.names[path]
            self.expanding.append(path)
            node = self.build(path)
            # a definition that is only another reference is resolved here, so that renderers can
            # count on definitions being something
            self.defs[name] = self.expand(node) if node.ref is not None else node
            self.expanding.pop()
        return self.defs

    def lose(self, where: str, keyword: str, reason: str, told: str) -> None:
        """Note a loss."""
        self.losses.append(Loss(where, keyword, reason, told))

    # -- one schema ------------------------------------------------------------------------

    def build(self, path: Path) -> SchemaNode:
        """Build the node of a schema."""
        self.work += 1
        schema = self.document.node(path)
        where = pointer(path)
        if schema is False:
            return SchemaNode(pointer=where, types=frozenset())
        if schema is True or self.work > MAX_WORK:
            if schema is not True:
                self.lose(where, "$ref", "the schema is too large to be written out", _TOO_LARGE)
                return SchemaNode(pointer=where, notes=(_TOO_LARGE,))
            return SchemaNode(pointer=where)
        node = self.local(schema, path)
        parts: list[SchemaNode] = []
        ref = schema.get("$ref")
        if isinstance(ref, str):
            target = self.reference(ref, path)
            if target.ref is not None and node.anything and not _has_branches(schema):
                return _annotate(target, node)
            parts.append(target)
        parts.extend(self.build((*path, "allOf", i)) for i in range(len(schema.get("allOf", ()))))
        for part in parts:
            node = self.merge(node, part)
        for keyword in ("anyOf", "oneOf"):
            if keyword in schema:
                node = self.alternatives(node, schema, path, keyword)
        return self.close_unevaluated(node, schema, path)

    def local(self, schema: dict[str, Any], path: Path) -> SchemaNode:
        """Build the node of the keywords that stand in `schema` itself."""
        where = pointer(path)
        node = SchemaNode(pointer=where, types=_types(schema.get("type")))
        node.description = schema["description"] if schema.get("description") else ""
        node.title = schema.get("title") or ""
        if "default" in schema:
            node.default, node.has_default = schema["default"], True
        if "enum" in schema:
            node.enum = list(schema["enum"])
        if "const" in schema:
            const = schema["const"]
            node.enum = (
                [const] if node.enum is None or json_key(const) in map(json_key, node.enum) else []
            )
        if node.enum is not None:
            _narrow_enum(node)
        for keyword in LIMITS:
            if keyword in schema and schema[keyword] is not False:
                value = schema[keyword]
                node.limits[keyword] = int(value) if keyword in INTEGER_LIMITS else value
        self.objects(node, schema, path)
        self.arrays(node, schema, path)
        for keyword in DROPPED:
            if keyword in schema:
                told = f"{keyword}: {brief(schema[keyword])}."
                self.lose(where, keyword, "cannot be expressed; moved into the description", told)
                node.notes += (told,)
        if schema.get("deprecated") is True:
            node.notes += ("Deprecated.",)
        if schema.get("examples"):
            node.notes += (f"Examples: {brief(schema['examples'])}.",)
        return node

    def objects(self, node: SchemaNode, schema: dict[str, Any], path: Path) -> None:
        for name in schema.get("properties", {}):
            node.properties[name] = self.build((*path, "properties", name))
        node.required = tuple(dict.fromkeys(schema.get("required", ())))
        further = schema.get("additionalProperties", True)
        patterns = schema.get("patternProperties", {})
        extras = [self.build((*path, "patternProperties", name)) for name in patterns]
        if patterns:
            told = f"Names that match: {brief(sorted(patterns))}."
            self.lose(node.pointer, "patternProperties", "names cannot be tied to a pattern", told)
            node.notes += (told,)
        if further is False and not patterns:
            node.closed = True
        elif further is not True and "additionalProperties" in schema and further != {}:
            if further is not False:
                extras.append(self.build((*path, "additionalProperties")))
            node.extra = self.unite(extras, node.pointer)
            if node.extra.impossible:
                node.extra, node.closed = None, True
        for name in [n for n, child in node.properties.items() if child.impossible]:
            del node.properties[name]
            node.forbidden += (name,)
            if not node.closed:
                where, told = pointer((*path, "properties", name)), f"{name!r} must not be given."
                self.lose(where, "false", "a name cannot be forbidden", told)
                node.notes += (told,)

    def arrays(self, node: SchemaNode, schema: dict[str, Any], path: Path) -> None:
        prefix = schema.get("prefixItems")
        items = schema.get("items", True)
        if not prefix:
            if items is False:
                node.limits["maxItems"] = 0
            elif items is not True:
                node.items = self.build((*path, "items"))
            return
        told = f"Items by position: {brief(prefix)}."
        self.lose(node.pointer, "prefixItems", "positions cannot be told apart", told)
        node.notes += (told,)
        kinds = [self.build((*path, "prefixItems", i)) for i in range(len(prefix))]
        if items is False:
            node.limits["maxItems"] = min(len(prefix), node.limits.get("maxItems", len(prefix)))
        elif items is True:
            return
        else:
            kinds.append(self.build((*path, "items")))
        node.items = self.unite(kinds, node.pointer)

    def close_unevaluated(self, node: SchemaNode, schema: dict[str, Any], path: Path) -> SchemaNode:
        if schema.get("unevaluatedProperties", True) is True:
            return node
        if (
            schema["unevaluatedProperties"] is False
            and node.plain
            and self.evaluates_only_names(path, set(), top=True)
        ):
            return replace(node, closed=True)
        told = f"unevaluatedProperties: {brief(schema['unevaluatedProperties'])}."
        self.lose(pointer(path), "unevaluatedProperties", "cannot be expressed", told)
        return node.with_notes(told)

    def evaluates_only_names(self, path: Path, seen: set[Path], top: bool = False) -> bool:
        """Whether all that `unevaluatedProperties` looks at here are plain lists of properties."""
        schema = self.document.node(path)
        if not isinstance(schema, dict) or path in seen:
            return False
        seen.add(path)
        looks = {"additionalProperties", "patternProperties", "anyOf", "oneOf", "if"}
        looks |= {"dependentSchemas", "$dynamicRef"}
        if not top:
            looks.add("unevaluatedProperties")
        if looks & schema.keys():
            return False
        inner = [(*path, "allOf", i) for i in range(len(schema.get("allOf", ())))]
        if isinstance(schema.get("$ref"), str):
            target = self.document.resolve(schema["$ref"], self.document.base(path))
            if target is None:
                return False
            inner.append(target)
        return all(self.evaluates_only_names(part, seen) for part in inner)

    # -- references ------------------------------------------------------------------------

    def reference(self, ref: str, path: Path) -> SchemaNode:
        target = self.document.resolve(ref, self.document.base(path))
        if target is None:
            told = f"As in {ref}."
            self.lose(pointer(path), "$ref", f"{ref} is outside this document", told)
            return SchemaNode(pointer=pointer(path), notes=(told,))
        name = self.names.get(target)
        if name is None:
            name = self.names[target] = self.free_name(target)
            self.targets[name] = target
            self.waiting.append(target)
        return SchemaNode(pointer=pointer(path), ref=name)

    def free_name(self, target: Path) -> str:
        last = str(target[-1]) if target else "root"
        stem = "".join(c if c.isascii() and (c.isalnum() or c in "_-") else "_" for c in last)
        name = stem = stem[:40] or "def"
        while name in self.targets:
            number = self.numbers[stem] = self.numbers.get(stem, 1) + 1
            name = f"{stem}_{number}"
        return name

    def expand(self, node: SchemaNode) -> SchemaNode:
        """Build what a reference leads to, written out; anything where it leads back to itself."""
        assert node.ref is not None
        path = self.targets[node.ref]
        if path in self.expanding:
            told = f"Again a {node.ref}."
            self.lose(node.pointer, "$ref", "the reference leads back to itself", told)
            return SchemaNode(pointer=node.pointer, notes=(told,))
        self.expanding.append(path)
        target = self.build(path)
        if target.ref is not None:
            target = self.expand(target)
        self.expanding.pop()
        return _annotate(target, node)

    # -- alternatives ----------------------------------------------------------------------

    def alternatives(
        self, node: SchemaNode, schema: dict[str, Any], path: Path, keyword: str
    ) -> SchemaNode:
        branches = schema[keyword]
        where = pointer(path)
        if all(_only_requires(branch) for branch in branches):
            groups = [b.get("required", []) for b in branches if isinstance(b, dict)]
            which = "exactly one" if keyword == "oneOf" else "one"
            told = f"Give {which} of these groups: {brief(groups)}."
            self.lose(where, keyword, "which parameters go together cannot be expressed", told)
            return node.with_notes(told)
        if keyword == "oneOf" and len(branches) > 1:
            told = "Exactly one of these forms."
            self.lose(where, "oneOf", "widened to anyOf: exactly one cannot be expressed", told)
            node = node.with_notes(told)
        built = [self.build((*path, keyword, i)) for i in range(len(branches))]
        if node.anything:
            return _annotate(self.unite(built, where), node)
        return self.merge(node, SchemaNode(pointer=where, union=built))

    def unite(self, nodes: Iterable[SchemaNode], where: str) -> SchemaNode:
        """Build the union of some nodes, nested unions taken apart, impossible ones left out."""
        branches: list[SchemaNode] = []
        for node in nodes:
            branches.extend(node.union if node.union is not None else [node])
        possible = [branch for branch in branches if not branch.impossible]
        branches = []
        for branch in possible:
            if len(branches) <= MAX_BRANCHES * 4 and branch not in branches:
                branches.append(branch)
        if not branches:
            return SchemaNode(pointer=where, types=frozenset())
        if len(branches) == 1:
            return branches[0]
        if any(branch.anything for branch in possible):
            return SchemaNode(pointer=where)
        if len(branches) > MAX_BRANCHES * 4:
            told = f"One of {len(possible)} forms."
            self.lose(where, "anyOf", f"more than {MAX_BRANCHES * 4} alternatives", told)
            return SchemaNode(pointer=where, types=self.loose_types(possible), notes=(told,))
        return SchemaNode(pointer=where, union=branches)

    def loose_types(self, nodes: list[SchemaNode]) -> frozenset[str]:
        if any(node.ref is not None for node in nodes):
            return ALL_TYPES
        return frozenset().union(*(node.types for node in nodes))

    def flatten(self, node: SchemaNode) -> SchemaNode:
        """Build one plain object that takes what any of a union's objects takes."""
        if node.union is None:
            return node
        told = "Several forms in one."
        reason = "the top level must be one object; alternatives merged"
        objects = [self.flatten(self.expand(b) if b.ref is not None else b) for b in node.union]
        objects = [branch for branch in objects if "object" in branch.types]
        if not objects:
            self.lose(node.pointer, "anyOf", reason, told)
            return SchemaNode(pointer=node.pointer, notes=(told,))
        names = dict.fromkeys(name for branch in objects for name in branch.properties)
        flat = SchemaNode(pointer=node.pointer, description=node.description, notes=node.notes)
        for name in names:
            kinds = [
                branch.properties.get(name) or branch.extra or SchemaNode(pointer=node.pointer)
                for branch in objects
                if name in branch.properties or not branch.closed
            ]
            described = next((k for k in kinds if k.description), None)
            united = self.unite(kinds, node.pointer)
            if described and not united.description:
                united = replace(united, description=described.description)
            flat.properties[name] = united
        everywhere = set(objects[0].required).intersection(*(set(b.required) for b in objects[1:]))
        flat.required = tuple(name for name in objects[0].required if name in everywhere)
        flat.closed = all(branch.closed for branch in objects)
        if not flat.closed and not any(b.extra is None and not b.closed for b in objects):
            flat.extra = self.unite([b.extra for b in objects if b.extra], node.pointer)
        shapes = [sorted(branch.required) for branch in objects]
        if any(shapes):
            told = f"Give one of these groups: {brief(shapes)}."
        self.lose(node.pointer, "anyOf", reason, told)
        return flat.with_notes(told)

    # -- both at once ----------------------------------------------------------------------

    def merge(self, a: SchemaNode, b: SchemaNode) -> SchemaNode:
        """Build a node for what is an instance of both, widened where that cannot be said."""
        self.work += 1
        if self.work > MAX_WORK:
            self.lose(b.pointer, "allOf", "the schema is too large to be written out", _TOO_LARGE)
            return a.with_notes(_TOO_LARGE)
        if a.anything:
            return _annotate(b, a)
        if b.anything:
            return _annotate(a, b)
        if a.ref is not None and a.ref == b.ref:
            return _annotate(a, b)
        if a.ref is not None:
            return self.merge_reference(a, b)
        if b.ref is not None:
            return self.merge_reference(b, a)
        if (
            a.union is not None
            and b.union is not None
            and (len(a.union) * len(b.union) > MAX_BRANCHES)
        ):
            told = "And one of several further forms, which are not written out."
            self.lose(b.pointer, "anyOf", "too many combinations of alternatives", told)
            return a.with_notes(told)
        if a.union is not None:
            return _annotate(self.unite([self.merge(x, b) for x in a.union], a.pointer), a)
        if b.union is not None:
            return _annotate(self.unite([self.merge(a, x) for x in b.union], a.pointer), b)
        return self.merge_plain(a, b)

    def merge_reference(self, reference: SchemaNode, other: SchemaNode) -> SchemaNode:
        assert reference.ref is not None
        if reference.ref in self.merging:
            # Two recursive schemas merged would unroll for ever; the other alone is wide enough.
            told = f"And again a {reference.ref}."
            self.lose(reference.pointer, "$ref", "recursive schemas cannot be merged", told)
            return other.with_notes(told)
        self.merging.append(reference.ref)
        target = self.expand(reference)
        merged = other if target.anything else self.merge(target, other)
        self.merging.pop()
        return merged

    def merge_plain(self, a: SchemaNode, b: SchemaNode) -> SchemaNode:
        node = SchemaNode(pointer=a.pointer, types=_common_types(a.types, b.types))
        node = _annotate(_annotate(node, a), b)
        if a.enum is not None and b.enum is not None:
            keys = {json_key(value) for value in b.enum}
            node.enum = [value for value in a.enum if json_key(value) in keys]
        else:
            node.enum = a.enum if a.enum is not None else b.enum
        if node.enum is not None:
            node.enum = list(node.enum)
            _narrow_enum(node)
        self.merge_limits(node, a, b)
        self.merge_objects(node, a, b)
        if a.items is not None and b.items is not None:
            node.items = self.merge(a.items, b.items)
        else:
            node.items = a.items or b.items
        return node

    def merge_limits(self, node: SchemaNode, a: SchemaNode, b: SchemaNode) -> None:
        node.limits = dict(a.limits)
        for keyword, value in b.limits.items():
            mine = node.limits.get(keyword)
            if mine is None or mine == value:
                node.limits[keyword] = value
            elif keyword in LOWER:
                node.limits[keyword] = max(mine, value)
            elif keyword in UPPER:
                node.limits[keyword] = min(mine, value)
            else:
                told = f"{keyword}: {brief(value)}."
                self.lose(b.pointer, keyword, f"only one {keyword} can be given", told)
                node.notes += (told,)

    def merge_objects(self, node: SchemaNode, a: SchemaNode, b: SchemaNode) -> None:
        for name in dict.fromkeys((*a.properties, *b.properties)):
            mine, theirs = a.properties.get(name), b.properties.get(name)
            if (mine is None and a.closed) or (theirs is None and b.closed):
                continue  # one side refuses the name
            if mine is not None and theirs is not None:
                both = self.merge(mine, theirs)
            else:
                both = mine if mine is not None else theirs  # type: ignore[assignment]
            if both.impossible:
                node.forbidden += (name,)
            else:
                node.properties[name] = both
        node.forbidden += a.forbidden + b.forbidden
        node.required = tuple(dict.fromkeys((*a.required, *b.required)))
        node.closed = a.closed or b.closed
        if not node.closed:
            if a.extra is not None and b.extra is not None:
                node.extra = self.merge(a.extra, b.extra)
            else:
                node.extra = a.extra or b.extra


def _types(value: Any) -> frozenset[str]:
    if value is None:
        return ALL_TYPES
    return frozenset([value] if isinstance(value, str) else value)


def _common_types(a: frozenset[str], b: frozenset[str]) -> frozenset[str]:
    common = a & b
    if "integer" not in common and (
        ("integer" in a and "number" in b) or ("number" in a and "integer" in b)
    ):
        common |= {"integer"}
    return common


def _narrow_enum(node: SchemaNode) -> None:
    """Keep the values whose type is allowed, and the types that have a value."""
    assert node.enum is not None
    allowed = node.types | ({"integer"} if "number" in node.types else frozenset())
    node.enum = [value for value in node.enum if json_type(value) in allowed]
    node.types = frozenset(json_type(value) for value in node.enum)


def _annotate(node: SchemaNode, other: SchemaNode) -> SchemaNode:
    """Return `node` with the words of `other` where it has none, and with its notes."""
    return replace(
        node,
        description=other.description or node.description,
        title=other.title or node.title,
        default=other.default if other.has_default else node.default,
        has_default=other.has_default or node.has_default,
        notes=tuple(dict.fromkeys((*node.notes, *other.notes))),
    )


def _has_branches(schema: dict[str, Any]) -> bool:
    return any(keyword in schema for keyword in ("allOf", "anyOf", "oneOf"))


def _only_requires(branch: Any) -> bool:
    return isinstance(branch, dict) and bool(branch) and branch.keys() <= ANNOTATIONS | {"required"}


def _unique(losses: list[Loss]) -> list[Loss]:
    return list(dict.fromkeys(losses))
