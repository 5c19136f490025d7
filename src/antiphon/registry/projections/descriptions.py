"""Descriptions of a projection: short JSON in words, and a sentence for every loss."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from antiphon.registry.projections.nodes import Core, Loss, SchemaNode
from antiphon.registry.schemas import dumps

# What could not be put where it belongs goes into a description further up, within bounds.
MAX_LEFTOVER = 4_000
_MORE = "Further rules are not written out; calls are checked against all of them."


def brief(value: Any, limit: int = 240) -> str:
    """Return a value as JSON, cut to a length."""
    text = dumps(value)
    return text if len(text) <= limit else text[: limit - 1] + "…"


def tell(schema: dict[str, Any], losses: list[Loss]) -> tuple[dict[str, Any], list[Loss]]:
    """`schema` with every loss told in a description, and the losses that it has.

    Renderers put words where they belong. What they had no place for, because a part of the schema
    was merged, cut short or made JSON text, is told by the parameter that it is about.
    """
    said = "\n".join(_descriptions(schema))
    told: list[Loss] = []
    missing: dict[str, list[str]] = {}
    left, cut = MAX_LEFTOVER, False
    for loss in dict.fromkeys(losses):
        if loss.told not in said:
            words = missing.setdefault(_parameter(schema, loss.pointer), [])
            if loss.told not in words:
                if len(loss.told) > left:
                    cut = True
                    continue
                left -= len(loss.told)
                words.append(loss.told)
        told.append(loss)
    if cut:
        told.append(Loss("", "$ref", "too much is lost to be told one by one", _MORE))
        missing.setdefault("", []).append(_MORE)
    for name, words in missing.items():
        if words:
            schema = _described(schema, name, " ".join(words))
    return schema, told


def _parameter(schema: dict[str, Any], pointer: str) -> str:
    """Return the parameter that a pointer leads into; empty for what is about the whole call."""
    parts = pointer.split("/")
    if len(parts) > 2 and parts[1] == "properties":
        name = parts[2].replace("~1", "/").replace("~0", "~")
        if "$ref" not in schema.get("properties", {}).get(name, {"$ref": ""}):
            return name
    return ""


def _described(schema: dict[str, Any], name: str, words: str) -> dict[str, Any]:
    if not name:
        return _with_words(schema, words)
    fields = schema["properties"]
    return {**schema, "properties": {**fields, name: _with_words(fields[name], words)}}


def _with_words(schema: dict[str, Any], words: str) -> dict[str, Any]:
    if set(schema) == {"anyOf"}:  # where nothing may stand beside it, words are the first branch's
        first, *others = schema["anyOf"]
        return {"anyOf": [_with_words(first, words), *others]}
    return {**schema, "description": f"{schema.get('description', '')} {words}".strip()}


def _descriptions(schema: Any) -> Iterator[str]:
    waiting = [schema]
    while waiting:
        node = waiting.pop()
        if not isinstance(node, dict):
            continue
        if isinstance(node.get("description"), str):
            yield node["description"]
        for keyword in ("properties", "$defs"):
            inner = node.get(keyword)
            waiting.extend(inner.values() if isinstance(inner, dict) else ())
        waiting.append(node.get("items"))
        waiting.extend(node.get("anyOf") or ())


def sketch(core: Core, node: SchemaNode, depth: int = 3) -> str:
    """Sketch a value in one line: names, types and descriptions."""
    if node.ref is not None:
        if depth <= 0:
            return node.ref
        return sketch(core, core.defs[node.ref], depth - 1)
    if node.union is not None:
        return " or ".join(dict.fromkeys(sketch(core, part, depth - 1) for part in node.union))
    if node.enum is not None:
        return f"one of {brief(node.enum)}"
    types = core.types_of(node)
    if len(types) > 1 or not types:
        return "anything" if node.anything else " or ".join(sorted(types))
    [kind] = types
    if kind == "array" and node.items is not None:
        return f"[{sketch(core, node.items, depth - 1)}]" if depth > 0 else "[…]"
    if kind != "object" or not node.properties:
        return kind
    if depth <= 0:
        return f"{{{', '.join(node.properties)}}}"
    fields = []
    for name, child in node.properties.items():
        optional = "" if name in node.required else "?"
        words = f" ({child.text()})" if child.text() else ""
        fields.append(f"{name}{optional}: {sketch(core, child, depth - 1)}{words}")
    return f"{{{', '.join(fields)}}}"
