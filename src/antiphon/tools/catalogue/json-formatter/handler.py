"""JSON formatter: validation, indented or minified output, and parts picked by a path."""

from __future__ import annotations

from typing import Any

from antiphon import ErrorType, ToolError, ok

from .parser import JsonNumber, parse_json
from .paths import pick
from .serializer import write

LONGEST = 4_000_000
KINDS = {dict: "object", list: "array", str: "text", bool: "boolean", JsonNumber: "number"}


def execute(args: dict[str, Any], context: Any) -> Any:
    value, repeated = parse_json(args["text"])
    data: dict[str, Any] = {}
    if "path" in args:
        values = pick(value, args["path"])
        data["matches"] = len(values)
        value = values if "*" in args["path"] else values[0]
    indent = None if args["action"] == "minify" else args["indent"]
    text = write(value, indent, args["sort_keys"], LONGEST)
    if text is None:
        raise ToolError(
            ErrorType.VALIDATION,
            f"/indent: the result would be longer than {LONGEST} characters; use a smaller indent.",
            pointer="/indent",
        )
    data |= {"text": text, "type": KINDS.get(type(value), "null"), "characters": len(text)}
    if isinstance(value, (dict, list)):
        data["items"] = len(value)
    if repeated:
        data["repeated_keys"] = repeated[:50]
    return ok(data)
