"""Property names that a provider refuses, and the names that stand for them.

Names are exchanged everywhere at once, in schemas and in arguments, and both ways: where the tool
takes any name, an argument that happens to be called like a stand-in gets the name that it stands
for. So the way there and the way back are the same, and no position has to be known.
"""

from __future__ import annotations

import re
from typing import Any

from antiphon.registry.projections.descriptions import brief
from antiphon.registry.projections.nodes import Loss
from antiphon.registry.projections.roots import plain_root
from antiphon.registry.schemas import (
    LIST_APPLICATORS,
    SINGLE_APPLICATORS,
    Path,
    SchemaDocument,
    compile_schema,
    pointer,
)

ALLOWED = re.compile(r"[a-zA-Z0-9_.-]{1,64}")
_LONGEST = 64
_NAMED = ("properties", "dependentSchemas")  # their keys are names of properties
_VALUES = ("const", "default")
_LISTS_OF_VALUES = ("enum", "examples")


class NameCodec:
    """A schema whose property names are all allowed, with `encode` and `decode`."""

    def __init__(self, schema: Any) -> None:
        body, self.losses = plain_root(schema)
        self.stand_ins = stand_ins(body)
        self._exchanged = {**self.stand_ins, **{new: old for old, new in self.stand_ins.items()}}
        self.schema: dict[str, Any] = body
        if self.stand_ins:
            self._document = SchemaDocument(body)
            self.schema = self._renamed(body, ())

    def encode(self, args: Any) -> Any:
        """Canonical arguments under the names that the provider takes."""
        return self._exchange(args) if self._exchanged else args

    def decode(self, args: Any) -> Any:
        """Arguments of the provider under their own names."""
        try:
            return self._exchange(args) if self._exchanged else args
        except RecursionError:
            return args

    def _exchange(self, value: Any) -> Any:
        if isinstance(value, list):
            return [self._exchange(item) for item in value]
        if isinstance(value, dict):
            return {self._name(name): self._exchange(item) for name, item in value.items()}
        return value

    def _name(self, name: str) -> str:
        return self._exchanged.get(name, name)

    # -- the schema ------------------------------------------------------------------------

    def _renamed(self, schema: Any, path: Path) -> Any:
        if not isinstance(schema, dict):
            return schema
        body: dict[str, Any] = {}
        for keyword, value in schema.items():
            body[keyword] = self._keyword(keyword, value, (*path, keyword))
        if isinstance(schema.get("$ref"), str):
            body["$ref"] = self._reference(schema["$ref"], path)
        return body

    def _keyword(self, keyword: str, value: Any, path: Path) -> Any:
        if keyword in _NAMED and isinstance(value, dict):
            return {
                self._name(name): self._property(child, (*path, name), keyword)
                for name, child in value.items()
            }
        if keyword == "patternProperties" and isinstance(value, dict):
            return {
                self._pattern(name): self._renamed(child, (*path, name))
                for name, child in value.items()
            }
        if keyword == "propertyNames" and not _refers(value):
            return self._name_schema(value)
        if keyword in ("$defs", "definitions") and isinstance(value, dict):
            return {name: self._renamed(child, (*path, name)) for name, child in value.items()}
        if keyword in LIST_APPLICATORS and isinstance(value, list):
            return [self._renamed(child, (*path, index)) for index, child in enumerate(value)]
        if keyword in SINGLE_APPLICATORS:
            return self._renamed(value, path)
        if keyword == "required" and isinstance(value, list):
            return [self._name(name) for name in value]
        if keyword == "dependentRequired" and isinstance(value, dict):
            return {self._name(n): [self._name(m) for m in more] for n, more in value.items()}
        if keyword in _VALUES or keyword in _LISTS_OF_VALUES:
            return self._exchange(value)
        return value

    def _property(self, schema: Any, path: Path, keyword: str) -> Any:
        renamed, name = self._renamed(schema, path), str(path[-1])
        stand_in = self.stand_ins.get(name)
        if stand_in is None or keyword != "properties":
            return renamed
        told = f"Its name is {brief(name)}."
        reason = f"the name is not allowed; {stand_in} stands for it"
        self.losses.append(Loss(pointer(path), "properties", reason, told))
        if renamed is False:
            return renamed
        body = renamed if isinstance(renamed, dict) else {}
        return {**body, "description": f"{body.get('description', '')} {told}".strip()}

    def _pattern(self, pattern: str) -> str:
        """A pattern of names that judges each stand-in as it judges the name behind it."""
        matches = compile_schema({"pattern": pattern}).is_valid
        more = [new for old, new in self.stand_ins.items() if matches(old) and not matches(new)]
        less = [new for old, new in self.stand_ins.items() if matches(new) and not matches(old)]
        if less:
            pattern = f"^(?!{_either(less)})(?=[\\s\\S]*?(?:{pattern}))"
        return f"(?:{pattern})|{_either(more)}" if more else pattern

    def _name_schema(self, schema: Any) -> Any:
        """The same for `propertyNames`."""
        check = compile_schema(schema)
        fit = [new for old, new in self.stand_ins.items() if check.is_valid(old)]
        if all(check.is_valid(new) is (new in fit) for new in self.stand_ins.values()):
            return schema
        others = {"allOf": [schema, {"not": {"enum": list(self.stand_ins.values())}}]}
        return {"anyOf": [others, {"enum": fit}]} if fit else others

    def _reference(self, ref: str, path: Path) -> str:
        """A reference by pointer, with the names on its way exchanged."""
        start, hash_, fragment = ref.partition("#")
        if not fragment.startswith("/"):
            return ref
        target = self._document.resolve(ref, self._document.base(path))
        if target is None:
            return ref
        steps = fragment.count("/")
        # What a pointer may lead through, from the schema that it starts at.
        tail, shown, named = list(target[len(target) - steps :]), [], False
        at_schema = True
        for step in tail:
            shown.append(self._name(step) if named and isinstance(step, str) else step)
            if at_schema:
                named = step in _NAMED
                at_schema = step in SINGLE_APPLICATORS
            else:
                at_schema, named = True, False
        return f"{start}{hash_}{pointer(tuple(shown))}"


def _either(names: list[str]) -> str:
    return f"^(?:{'|'.join(re.escape(name) for name in names)})$"


def _refers(schema: Any) -> bool:
    return any("$ref" in sub for _, sub, _ in SchemaDocument(schema).subschemas())


def stand_ins(schema: Any) -> dict[str, str]:
    """Return an allowed name for each property name of a schema that a provider does not allow."""
    declared: dict[str, None] = {}
    for _, sub, _ in SchemaDocument(schema).subschemas():
        for keyword in _NAMED:
            if isinstance(sub.get(keyword), dict):
                declared.update(dict.fromkeys(sub[keyword]))
        declared.update(dict.fromkeys(sub.get("required", ())))
        for name, more in sub.get("dependentRequired", {}).items():
            declared.update(dict.fromkeys((name, *more)))
    found: dict[str, str] = {}
    taken = set(declared)
    for name in declared:
        if ALLOWED.fullmatch(name):
            continue
        stem = re.sub(r"[^a-zA-Z0-9_.-]", "_", name)[:_LONGEST] or "_"
        new, number = stem, 1
        while new in taken:
            number += 1
            tail = f"_{number}"
            new = stem[: _LONGEST - len(tail)] + tail
        taken.add(new)
        found[name] = new
    return found
