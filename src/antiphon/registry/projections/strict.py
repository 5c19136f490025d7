"""OpenAI strict mode as a codec pair: a schema outward, and the way back for the arguments.

Strict mode wants every property required, every object closed, and knows few keywords. So:

- an optional property becomes nullable; null comes back as absent. Where null itself is a valid
  value of an optional property, `{"explicit_null": true}` says null and plain null says absent;
- an open object with declared properties gets one more, a JSON string for the rest;
- what has no declared shape at all (any value, a free map, a deep nest) becomes a JSON string;
- alternatives stay `anyOf`, as long as what fits several of them leads back to one and the same
  value; beside `$ref` nothing may stand, so a reference with words of its own is written out.

`encode` turns canonical arguments into the strict form, `decode` turns them back, without loss.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from antiphon.registry.projections.codec import (
    Codec,
    Coder,
    Fields,
    Items,
    JsonText,
    Reference,
    Union,
)
from antiphon.registry.projections.core import core_of
from antiphon.registry.projections.descriptions import brief, sketch, tell
from antiphon.registry.projections.nodes import ALL_TYPES, LIMITS_OF, Core, Loss, SchemaNode
from antiphon.registry.projections.references import bare_references
from antiphon.registry.schemas import dumps, json_key

MAX_DEPTH = 10
MAX_ENUM = 1000
MAX_SKETCH = 2_000
MAX_COMPARISONS = 5_000
_REST = "Further properties as one JSON object in a string; null for none."
FORMATS = frozenset(
    {"date-time", "time", "date", "duration", "email", "hostname", "ipv4", "ipv6", "uuid"}
)
KEPT = frozenset(
    {
        "pattern",
        "multipleOf",
        "minimum",
        "maximum",
        "exclusiveMinimum",
        "exclusiveMaximum",
        "minItems",
        "maxItems",
    }
)
SCALAR_ORDER = ("string", "integer", "number", "boolean")
NULL_BRANCH = {
    "type": "object",
    "description": "Passes an explicit null. Plain null leaves the parameter out.",
    "properties": {"explicit_null": {"type": "boolean", "enum": [True]}},
    "required": ["explicit_null"],
    "additionalProperties": False,
}


class StrictCodec(Coder):
    """The strict schema of one canonical schema, with `encode` and `decode`."""

    def __init__(self, schema: Any) -> None:
        renderer = _Strict(core_of(schema))
        strict, codec = renderer.run()
        super().__init__(strict, codec, renderer.codecs, renderer.schemas)
        self.losses: list[Loss] = renderer.losses


class _Strict:
    def __init__(self, core: Core) -> None:
        self.core = core
        self.losses = list(core.losses)
        self.schemas: dict[str, dict[str, Any]] = {}
        self.codecs: dict[str, Codec] = {}
        self.doing: list[str] = []
        self.enums = 0
        self.comparisons = 0
        # Where a tool itself has a property of that name, its objects and the marker look alike.
        self.marker_taken = any(
            "explicit_null" in node.properties or "explicit_null" in node.required
            for node in _every_node(core)
        )

    def run(self) -> tuple[dict[str, Any], Codec]:
        schema, codec = self.objects(self.core.root, 0)
        schema = bare_references(schema, self.schemas)
        schema, self.losses = tell(schema, self.losses)
        return schema, codec

    def lose(self, node: SchemaNode, keyword: str, reason: str, told: str) -> None:
        self.losses.append(Loss(node.pointer, keyword, reason, told))

    def render(self, node: SchemaNode, depth: int) -> tuple[dict[str, Any], Codec]:
        if node.ref is not None:
            return self.reference(node)
        if node.union is not None:
            return self.union(node, depth)
        types = node.types or ALL_TYPES
        if node.anything or types == ALL_TYPES:
            return self.text(node, "any JSON value")
        kinds = [t for t in SCALAR_ORDER if t in types]
        if "number" in kinds and "integer" in kinds:
            kinds.remove("integer")
        branches: list[tuple[dict[str, Any], Codec]] = [
            (self.scalar(node, kind), None) for kind in kinds
        ]
        for kind, shape in (("array", self.arrays), ("object", self.objects)):
            if kind in types:
                branches.append(shape(node, depth))
        if "null" in types:
            branches.append(({"type": "null"}, None))
        return self.unite(branches, node)

    def reference(self, node: SchemaNode) -> tuple[dict[str, Any], Codec]:
        name = node.ref
        assert name is not None
        if name not in self.schemas and name not in self.doing:
            self.doing.append(name)
            # A definition stands at the top of the document, so its depth starts anew.
            schema, codec = self.render(self.core.defs[name], 1)
            if self.leads_to(codec, name, set()):
                # Defined in place by itself: there is no end to following it.
                schema, codec = self.text(self.core.defs[name], "any JSON value")
            self.schemas[name], self.codecs[name] = schema, codec
            self.doing.remove(name)
        return self.worded({"$ref": f"#/$defs/{name}"}, node), Reference(name)

    def leads_to(self, codec: Codec, name: str, seen: set[str]) -> bool:
        """Whether a codec comes to the definition `name` without going into the value."""
        if isinstance(codec, Union):
            return any(self.leads_to(inner, name, seen) for _, inner in codec.branches)
        if not isinstance(codec, Reference) or codec.name in seen:
            return False
        if codec.name == name:
            return True
        seen.add(codec.name)
        return self.leads_to(self.codecs.get(codec.name), name, seen)

    def union(self, node: SchemaNode, depth: int) -> tuple[dict[str, Any], Codec]:
        assert node.union is not None
        return self.unite([self.render(branch, depth + 1) for branch in node.union], node)

    def unite(
        self, branches: list[tuple[dict[str, Any], Codec]], node: SchemaNode
    ) -> tuple[dict[str, Any], Codec]:
        flat: list[tuple[dict[str, Any], Codec]] = []
        for schema, codec in branches:
            inner = codec.branches if isinstance(codec, Union) else None
            if inner is None and set(schema) <= {"anyOf", "description"} and "anyOf" in schema:
                inner = [(branch, None) for branch in schema["anyOf"]]
            for pair in inner or [(schema, codec)]:
                if pair not in flat:
                    flat.append(pair)
        if len(flat) == 1:
            return self.worded(flat[0][0], node), flat[0][1]
        if not self.agree_on_all(flat):
            return self.text(node, "one of several shapes that strict mode cannot tell apart")
        merged = self.worded(_compact([schema for schema, _ in flat]), node)
        if all(codec is None for _, codec in flat):
            return merged, None
        return merged, Union(flat)

    def agree_on_all(self, branches: list[tuple[dict[str, Any], Codec]]) -> bool:
        """Whether the way back is the same for every branch that a value may fit."""
        return all(
            self.agree(mine, theirs, frozenset())
            for i, mine in enumerate(branches)
            for theirs in branches[i + 1 :]
        )

    def agree(
        self,
        mine: tuple[dict[str, Any], Codec],
        theirs: tuple[dict[str, Any], Codec],
        seen: frozenset[tuple[str, str]],
    ) -> bool:
        """Whether whatever fits both schemas leads back to the same by either codec; no, too, where
        finding out would take too long."""
        self.comparisons += 1
        if self.comparisons > MAX_COMPARISONS:
            return False
        if mine[1] == theirs[1] or not self.kinds(mine[0], set()) & self.kinds(theirs[0], set()):
            return True
        (a, mine_codec), (b, their_codec) = self.followed(*mine), self.followed(*theirs)
        if a is None or b is None:
            return False  # a definition that is not finished yet
        if isinstance(mine[1], Reference) and isinstance(theirs[1], Reference):
            pair = (mine[1].name, theirs[1].name)
            if pair in seen:
                return True
            seen |= {pair}
        for one, codec, other in (
            (a, mine_codec, (b, their_codec)),
            (b, their_codec, (a, mine_codec)),
        ):
            if isinstance(codec, Union):
                return all(self.agree(branch, other, seen) for branch in codec.branches)
            if "anyOf" in one:
                return all(self.agree((branch, codec), other, seen) for branch in one["anyOf"])
        shared = self.kinds(a, set()) & self.kinds(b, set())
        if isinstance(mine_codec, JsonText) or isinstance(their_codec, JsonText):
            return "string" not in shared or mine_codec == their_codec
        if "object" in shared and not self.fields_agree(a, mine_codec, b, their_codec, seen):
            return False
        return "array" not in shared or self.agree(
            (a["items"], mine_codec.item if isinstance(mine_codec, Items) else None),
            (b["items"], their_codec.item if isinstance(their_codec, Items) else None),
            seen,
        )

    def fields_agree(
        self,
        a: dict[str, Any],
        mine: Codec,
        b: dict[str, Any],
        theirs: Codec,
        seen: frozenset[tuple[str, str]],
    ) -> bool:
        # Every property is there and no other: objects with other names never look alike.
        if a["properties"].keys() != b["properties"].keys() or self.discriminated(a, b):
            return True
        rests = [c.rest if isinstance(c, Fields) else None for c in (mine, theirs)]
        if rests[0] != rests[1]:
            return False
        for name, schema in a["properties"].items():
            other = b["properties"][name]
            if name == rests[0]:
                continue
            here, there = _field_codec(mine, name), _field_codec(theirs, name)
            nulls = ["null" in self.kinds(part, set()) for part in (schema, other)]
            # A null that means "left out" to one of them must not be a value to the other.
            if here[1] != there[1] and all(nulls):
                return False
            if here[2] != there[2]:
                return False
            if not self.agree((schema, here[0]), (other, there[0]), seen):
                return False
        return True

    def followed(self, schema: dict[str, Any], codec: Codec) -> tuple[dict[str, Any] | None, Codec]:
        """What a reference leads to; None where that is not known yet."""
        seen: set[str] = set()
        while "$ref" in schema:
            name = schema["$ref"].rsplit("/", 1)[1]
            if name not in self.schemas or name in seen:
                return None, codec
            seen.add(name)
            schema = self.schemas[name]
            if isinstance(codec, Reference):
                codec = self.codecs[name]
        return schema, codec

    def kinds(self, schema: dict[str, Any], seen: set[str]) -> set[str]:
        if "anyOf" in schema:
            return set().union(*(self.kinds(branch, seen) for branch in schema["anyOf"]))
        if "$ref" in schema:
            name = schema["$ref"].rsplit("/", 1)[1]
            if name in seen or name not in self.schemas:
                # Not finished yet: its own types, or a string if it ends up as JSON text.
                return set(self.core.types_of(self.core.defs[name])) | {"string"}
            return self.kinds(self.schemas[name], seen | {name})
        kinds = {schema["type"]} if isinstance(schema["type"], str) else set(schema["type"])
        return kinds | {"integer"} if "number" in kinds else kinds

    def discriminated(self, a: dict[str, Any], b: dict[str, Any]) -> bool:
        for name, mine in a.get("properties", {}).items():
            theirs = b.get("properties", {}).get(name, {})
            if "enum" in mine and "enum" in theirs:
                keys = {json_key(value) for value in mine["enum"]}
                if not keys & {json_key(value) for value in theirs["enum"]}:
                    return True
        return False

    # -- one type --------------------------------------------------------------------------

    def scalar(self, node: SchemaNode, kind: str) -> dict[str, Any]:
        body: dict[str, Any] = {"type": kind}
        notes: list[str] = []
        for keyword in LIMITS_OF.get(kind, ()):
            if keyword in node.limits:
                self.limit(node, keyword, body, notes)
        if node.enum is not None:
            values = [v for v in node.enum if _is_kind(v, kind)]
            self.enums += len(values)
            if self.enums <= MAX_ENUM:
                body["enum"] = values
            else:
                told = f"One of {brief(values, 2000)}."
                reason = f"strict mode takes {MAX_ENUM} enumerated values in all"
                self.lose(node, "enum", reason, told)
                notes.append(told)
        if notes:
            body["description"] = " ".join(notes)
        return body

    def limit(self, node: SchemaNode, keyword: str, body: dict[str, Any], notes: list[str]) -> None:
        value = node.limits[keyword]
        if (keyword in KEPT and not (keyword == "pattern" and "(?" in value)) or (
            keyword == "format" and value in FORMATS
        ):
            body[keyword] = value
            return
        told = f"{keyword}: {dumps(value)}."
        self.lose(node, keyword, "not in strict mode; moved into the description", told)
        notes.append(told)

    def arrays(self, node: SchemaNode, depth: int) -> tuple[dict[str, Any], Codec]:
        if depth >= MAX_DEPTH or (node.enum is not None):
            return self.text(node, "a JSON array")
        items, codec = self.render(node.items or SchemaNode(pointer=node.pointer), depth + 1)
        body: dict[str, Any] = {"type": "array", "items": items}
        notes: list[str] = []
        for keyword in LIMITS_OF["array"]:
            if keyword in node.limits:
                self.limit(node, keyword, body, notes)
        if notes:
            body["description"] = " ".join(notes)
        return body, (None if codec is None else Items(codec))

    def objects(self, node: SchemaNode, depth: int) -> tuple[dict[str, Any], Codec]:
        fields = dict(node.properties)
        for name in node.required:
            fields.setdefault(name, node.extra or SchemaNode(pointer=node.pointer))
        root = depth == 0
        if not root and (
            depth >= MAX_DEPTH or node.enum is not None or (not fields and not node.closed)
        ):
            return self.text(node, "a JSON object")
        body: dict[str, Any] = {"type": "object", "properties": {}}
        codec = Fields({})
        notes: list[str] = []
        for keyword in LIMITS_OF["object"]:
            if keyword in node.limits:
                self.limit(node, keyword, body, notes)
        for name, child in fields.items():
            body["properties"][name], codec.fields[name] = self.field(
                child, depth, optional=name not in node.required
            )
        if not node.closed:
            reason = "further properties travel as a JSON string"
            self.lose(node, "additionalProperties", reason, _REST)
            codec.rest = _free("additional_properties", fields)
            body["properties"][codec.rest] = {
                "type": ["string", "null"],
                "description": _REST,
            }
        body["required"] = list(body["properties"])
        body["additionalProperties"] = False
        if notes:
            body["description"] = " ".join(notes)
        if root:
            self.worded(body, node)
        plain = codec.rest is None and all(
            inner is None and not optional for inner, optional, _ in codec.fields.values()
        )
        return body, (None if plain and not root else codec)

    def field(
        self, node: SchemaNode, depth: int, *, optional: bool
    ) -> tuple[dict[str, Any], tuple[Codec, bool, bool]]:
        schema, codec = self.render(node, depth + 1)
        if optional and self.marker_taken and {"null", "object"} <= self.kinds(schema, set()):
            schema, codec = self.text(node, "a value that may be null")
        if node.has_default:
            note = f"Default: {dumps(node.default)}."
            schema = {**schema, "description": f"{schema.get('description', '')} {note}".strip()}
        if not optional:
            return schema, (codec, False, False)
        explicit = "null" in self.kinds(schema, set()) and "null" in self.core.types_of(node)
        if explicit:
            return _with_branch(_nullable(schema), NULL_BRANCH), (codec, True, True)
        return _nullable(schema), (codec, True, False)

    def text(self, node: SchemaNode, what: str) -> tuple[dict[str, Any], Codec]:
        shape = self.shape(node)
        note = f"A string that holds {what} as JSON{': ' + shape if shape else ''}."
        self.lose(node, "type", f"{what} travels as a JSON string", note)
        return self.worded({"type": "string", "description": note}, node), JsonText()

    def shape(self, node: SchemaNode) -> str:
        """A few words on what the JSON text should hold."""
        if node.extra is not None and not node.properties:
            return f"names to values ({' or '.join(sorted(self.core.types_of(node.extra)))})"
        if node.plain and node.enum is None and not node.properties and node.items is None:
            return ""
        text = sketch(self.core, node)
        return text if len(text) <= MAX_SKETCH else text[: MAX_SKETCH - 1] + "…"

    def worded(self, body: dict[str, Any], node: SchemaNode) -> dict[str, Any]:
        text, own = node.text(), body.get("description", "")
        if not text or text in own:
            return body
        return {**body, "description": f"{text} {own}".strip()}


def _field_codec(codec: Codec, name: str) -> tuple[Codec, bool, bool]:
    nothing = (None, False, False)
    return codec.fields.get(name, nothing) if isinstance(codec, Fields) else nothing


def _compact(branches: list[dict[str, Any]]) -> dict[str, Any]:
    """`anyOf`, or a type list where only null was added to one simple type."""
    real = [branch for branch in branches if branch != {"type": "null"}]
    if len(real) == 1 and len(branches) == 2:
        return _nullable(real[0])
    return {"anyOf": branches}


def _nullable(schema: dict[str, Any]) -> dict[str, Any]:
    kind = schema.get("type")
    if kind is None:
        return _with_branch(schema, {"type": "null"})
    kinds = [kind] if isinstance(kind, str) else list(kind)
    if "null" in kinds:
        return schema
    nullable = {**schema, "type": [*kinds, "null"]}
    if "enum" in schema:
        nullable["enum"] = [*schema["enum"], None]
    return nullable


def _with_branch(schema: dict[str, Any], branch: dict[str, Any]) -> dict[str, Any]:
    if "anyOf" in schema:
        if branch in schema["anyOf"]:
            return schema
        return {**schema, "anyOf": [*schema["anyOf"], branch]}
    words = schema.get("description")
    inner = {k: v for k, v in schema.items() if k != "description"} if words else schema
    united: dict[str, Any] = {"anyOf": [inner, branch]}
    if words:
        united["description"] = words
    return united


def _every_node(core: Core) -> Iterator[SchemaNode]:
    waiting = [core.root, *core.defs.values()]
    seen: set[int] = set()
    while waiting:
        node = waiting.pop()
        if id(node) in seen:
            continue
        seen.add(id(node))
        yield node
        inner = (*node.properties.values(), *(node.union or ()), node.items, node.extra)
        waiting.extend(child for child in inner if child is not None)


def _free(name: str, taken: dict[str, Any]) -> str:
    while name in taken:
        name += "_"
    return name


def _is_kind(value: Any, kind: str) -> bool:
    if kind == "string":
        return isinstance(value, str)
    if kind == "boolean":
        return isinstance(value, bool)
    return isinstance(value, int | float) and not isinstance(value, bool)
