"""Type definitions inferred from JSON samples; generated Python is parsed before it is returned."""

from __future__ import annotations

import ast
import json
import keyword
import re
from dataclasses import dataclass, field
from typing import Any

from antiphon import ok
from antiphon.toolkit import invalid

MOST_TYPES, MOST_FIELDS, DEEPEST = 200, 500, 30
SCRIPT = {"str": "string", "int": "number", "float": "number", "bool": "boolean", "None": "null"}


@dataclass
class RecordShape:
    """Fields of one inferred type, each with the kinds of value it was seen with."""

    name: str
    fields: dict[str, set[str]] = field(default_factory=dict)
    seen: dict[str, int] = field(default_factory=dict)
    samples: int = 0


def execute(args: dict[str, Any], context: Any) -> Any:
    sample = read(args["sample"])
    shapes: dict[str, RecordShape] = {}
    items = sample if isinstance(sample, list) else [sample]
    if not items or not all(isinstance(item, dict) for item in items):
        raise invalid("/sample", "must be a JSON object, or a list of objects.")
    name = type_name(args["name"])
    for item in items:
        learn(name, item, shapes, 0)
    ordered = [*(s for n, s in shapes.items() if n != name), shapes[name]]
    target = args["target"]
    code = typescript(ordered) if target == "typescript" else python(ordered, target)
    if target != "typescript":
        ast.parse(code)
    count = len(ordered)
    return ok(
        {
            "target": target,
            "code": code,
            "types": [shape.name for shape in ordered],
            "summary": f"{count} type{'' if count == 1 else 's'} from the sample.",
        }
    )


def read(text: str) -> Any:
    try:
        return json.loads(text)
    except json.JSONDecodeError as error:
        where = f"line {error.lineno}, column {error.colno}"
        raise invalid("/sample", f"is no JSON: {error.msg} ({where}).") from None
    except (RecursionError, ValueError):
        raise invalid("/sample", "is nested too deeply, or holds too long a number.") from None


def learn(name: str, item: dict[str, Any], shapes: dict[str, RecordShape], depth: int) -> None:
    if depth > DEEPEST or len(shapes) >= MOST_TYPES or len(item) > MOST_FIELDS:
        limits = f"{DEEPEST} levels, {MOST_TYPES} types and {MOST_FIELDS} fields"
        raise invalid("/sample", f"is too large; {limits} are the limits.")
    shape = shapes.setdefault(name, RecordShape(name))
    shape.samples += 1
    for key, value in item.items():
        shape.seen[key] = shape.seen.get(key, 0) + 1
        shape.fields.setdefault(key, set()).add(kind_of(name, key, value, shapes, depth))


def kind_of(owner: str, key: str, value: Any, shapes: dict[str, RecordShape], depth: int) -> str:
    if isinstance(value, dict):
        inner = type_name(key) if type_name(key) != owner else f"{owner}{type_name(key)}"
        learn(inner, value, shapes, depth + 1)
        return inner
    if isinstance(value, list):
        singular = key[:-1] if key.endswith("s") and len(key) > 2 else f"{key}_item"
        kinds = {kind_of(owner, singular, item, shapes, depth + 1) for item in value[:1000]}
        return f"list[{union(kinds) if kinds else 'object'}]"
    return "None" if value is None else type(value).__name__


def union(kinds: set[str]) -> str:
    kinds = set(kinds)
    if {"int", "float"} <= kinds:
        kinds.discard("int")
    if "list[object]" in kinds and any(
        k.startswith("list[") and k != "list[object]" for k in kinds
    ):
        kinds.discard("list[object]")
    return " | ".join([*sorted(kinds - {"None"}), *(["None"] if "None" in kinds else [])])


def type_name(text: str) -> str:
    words = re.findall(r"[A-Za-z0-9]+", re.sub(r"([a-z0-9])([A-Z])", r"\1 \2", text))
    name = "".join(word[:1].upper() + word[1:] for word in words)[:60]
    if not name or name[0].isdigit():
        name = f"Type{name}"
    return f"{name}Value" if keyword.iskeyword(name) else name


def python(shapes: list[RecordShape], target: str) -> str:
    renamed = target == "pydantic" and any(k != usable(k) for s in shapes for k in s.fields)
    lines = ["from __future__ import annotations", ""]
    if target == "pydantic":
        lines.append(f"from pydantic import BaseModel{', Field' if renamed else ''}")
    else:
        lines.append("from dataclasses import dataclass")
    for shape in shapes:
        lines += ["", ""]
        lines += (
            [f"class {shape.name}(BaseModel):"]
            if target == "pydantic"
            else ["@dataclass", f"class {shape.name}:"]
        )
        # Fields without a default come first: a dataclass takes them in no other order.
        fields = sorted(shape.fields, key=lambda key: shape.seen[key] < shape.samples)
        taken: set[str] = set()
        for key in fields:
            lines.append("    " + python_field(shape, key, target, taken))
        if not fields:
            lines.append("    pass")
    return "\n".join(lines) + "\n"


def python_field(shape: RecordShape, key: str, target: str, taken: set[str]) -> str:
    name = usable(key)
    while name in taken:
        name += "_"
    taken.add(name)
    missing = shape.seen[key] < shape.samples
    kind = union(shape.fields[key] | ({"None"} if missing else set()))
    if target == "pydantic" and name != key:
        default = "default=None, " if missing else ""
        return f"{name}: {kind} = Field({default}alias={json.dumps(key)})"
    return f"{name}: {kind}" + (" = None" if missing else "")


def usable(key: str) -> str:
    name = re.sub(r"\W", "_", key, flags=re.ASCII) or "field"
    name = f"field_{name}" if name[0].isdigit() else name
    return f"{name}_" if keyword.iskeyword(name) else name


def typescript(shapes: list[RecordShape]) -> str:
    parts = []
    for shape in shapes:
        lines = [f"export interface {shape.name} {{"]
        for key, kinds in shape.fields.items():
            name = key if re.fullmatch(r"[A-Za-z_$][\w$]*", key, re.ASCII) else json.dumps(key)
            mark = "?" if shape.seen[key] < shape.samples else ""
            lines.append(f"  {name}{mark}: {script_kind(union(kinds))};")
        parts.append("\n".join([*lines, "}"]))
    return "\n\n".join(parts) + "\n"


def script_kind(kind: str) -> str:
    if kind.startswith("list[") and kind.endswith("]") and " | list[" not in kind:
        inner = script_kind(kind[5:-1])
        return f"({inner})[]" if " | " in inner else f"{inner}[]"
    parts = [SCRIPT.get(part, "unknown" if part == "object" else part) for part in split(kind)]
    return " | ".join(dict.fromkeys(script_kind(p) if p.startswith("list[") else p for p in parts))


def split(kind: str) -> list[str]:
    """Split a union into its members; bars inside brackets belong to a member."""
    parts, depth, start = [], 0, 0
    for place, letter in enumerate(kind):
        depth += (letter == "[") - (letter == "]")
        if letter == "|" and depth == 0:
            parts.append(kind[start:place].strip())
            start = place + 1
    return [*parts, kind[start:].strip()]
