"""Size of a JSON Schema: its depth, and how large it gets once its references are followed."""

from __future__ import annotations

from typing import Any

from antiphon.registry.schemas import Path, SchemaDocument, children

MAX_DEPTH = 32
MAX_NODES = 10_000
# Each reference counts as a step here: a chain of thousands would exhaust a compiler's stack.
MAX_PATH = 256

# Anything larger is only ever reported as "more than"; keeps the sums small.
_SATURATED = 1_000_000
_SHELVES = ("$defs", "definitions")


def depth(schema: Any) -> tuple[int, Path]:
    """Return the number of schemas around the most deeply nested one, and its path."""
    deepest: tuple[int, Path] = (0, ())
    waiting: list[tuple[int, Path, Any]] = [(0, (), schema)]
    while waiting:
        level, path, node = waiting.pop()
        if level > deepest[0]:
            deepest = (level, path)
        if isinstance(node, dict):
            waiting.extend((level + 1, (*path, *step), child) for step, child in children(node))
    return deepest


def unfolded(document: SchemaDocument) -> tuple[int, int]:
    """Return (subschemas, longest path) with every reference written out and recursion cut.

    Counted without unfolding: each subschema is visited once.
    """
    edges = _edges(document)
    size: dict[Path, int] = {}
    height: dict[Path, int] = {}
    entered: set[Path] = set()
    stack: list[tuple[Path, bool]] = [((), False)]
    while stack:
        node, left = stack.pop()
        below = edges.get(node, ())
        if left:
            # What is entered but not yet left is an ancestor: the recursion that is cut.
            size[node] = min(1 + sum(size.get(path, 0) for path in below), _SATURATED)
            height[node] = 1 + max((height.get(path, 0) for path in below), default=0)
        elif node not in entered:
            entered.add(node)
            stack.append((node, True))
            stack.extend((path, False) for path in below if path not in entered)
    return size[()], height[()]


def _edges(document: SchemaDocument) -> dict[Path, list[Path]]:
    edges: dict[Path, list[Path]] = {}
    for path, schema, base in document.subschemas():
        # Definitions count where they are used, not where they are kept.
        below = [(*path, *step) for step, _ in children(schema) if step[0] not in _SHELVES]
        for keyword in ("$ref", "$dynamicRef"):
            if isinstance(ref := schema.get(keyword), str):
                target = document.resolve(ref, base)
                if target is not None:
                    below.append(target)
        edges[path] = below
    return edges
