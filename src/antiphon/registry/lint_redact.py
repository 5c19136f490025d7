"""Lint rule for `redact`: every pointer leads to something that a call or a result can hold."""

from __future__ import annotations

from collections.abc import Iterator
from difflib import get_close_matches
from typing import Any

from antiphon.registry.findings import FindingList, shown
from antiphon.registry.projections.core import CoreBuilder
from antiphon.registry.projections.nodes import SchemaNode

_MAX_DEPTH = 8
_MAX_POINTERS = 500


def lint_redact(found: FindingList, schema: dict[str, Any]) -> None:
    """Check that each pointer of `redact` leads to something that parameters or output can have."""
    parts = [
        _Part(schema[name])
        for name in ("parameters", "output")
        if isinstance(schema.get(name), dict)
    ]
    for index, pointer in enumerate(schema["redact"]):
        steps = [step.replace("~1", "/").replace("~0", "~") for step in pointer.split("/")[1:]]
        if any(part.has(part.root, steps, top=True) for part in parts):
            continue
        there = [known for part in parts for known in part.pointers()]
        near = get_close_matches(pointer, there, n=1, cutoff=0.4)
        fix = f"Did you mean {shown(near[0])}?" if near else "Name a field, such as /email."
        message = f"{shown(pointer)} is neither in `parameters` nor in `output`"
        found.error("redact", f"/redact/{index}", f"{message}: nothing would be hidden", fix)


class _Part:
    def __init__(self, schema: dict[str, Any]) -> None:
        builder = CoreBuilder(schema)
        self.root = builder.build(())
        self._definitions = builder.definitions()

    def has(
        self, node: SchemaNode, steps: list[str], *, top: bool = False, depth: int = 64
    ) -> bool:
        """Whether a value of this node can hold something there."""
        if not steps:
            return True
        if depth == 0:
            return True
        for plain in self._plain(node):
            step, rest = steps[0], steps[1:]
            if plain.anything and not top:
                return True
            if "object" in plain.types:
                if step == "*":
                    children = list(plain.properties.values())
                else:
                    children = [c for n, c in plain.properties.items() if n == step]
                if plain.extra is not None:
                    children.append(plain.extra)
                free = not plain.closed and plain.extra is None and not plain.properties
                if (free and not top) or any(
                    self.has(child, rest, depth=depth - 1) for child in children
                ):
                    return True
            if (
                "array" in plain.types
                and (step == "*" or step.isdecimal())
                and (plain.items is None or self.has(plain.items, rest, depth=depth - 1))
            ):
                return True
        return False

    def pointers(self) -> list[str]:
        """What could be named, to find out what was meant."""
        found: list[str] = []
        waiting: list[tuple[str, SchemaNode, int]] = [("", self.root, 0)]
        while waiting and len(found) < _MAX_POINTERS:
            at, node, depth = waiting.pop(0)
            if depth > _MAX_DEPTH:
                continue
            for plain in self._plain(node):
                inner = [
                    (f"{at}/{name.replace('~', '~0').replace('/', '~1')}", child)
                    for name, child in plain.properties.items()
                ]
                inner += [(f"{at}/*", child) for child in (plain.items, plain.extra) if child]
                found += [where for where, _ in inner]
                waiting += [(where, child, depth + 1) for where, child in inner]
        return found

    def _plain(
        self, node: SchemaNode, inside: frozenset[str] = frozenset()
    ) -> Iterator[SchemaNode]:
        """The forms of a node, its references followed."""
        if node.ref is not None:
            if node.ref not in inside:
                yield from self._plain(self._definitions[node.ref], inside | {node.ref})
        elif node.union is not None:
            for branch in node.union:
                yield from self._plain(branch, inside)
        else:
            yield node
