"""Call grammar: what a model may write, an answer in words or a call of one of its tools."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any

import orjson

CALL, CALL_END = "<tool_call>", "</tool_call>"

# Keywords that llguidance knows. A grammar with any other would not hold at all, so they are left
# out: the call is then valid for a wider schema, and dispatch checks it against the whole one.
_KEPT = frozenset(
    ("type", "required", "enum", "const", "minLength", "maxLength", "minimum", "maximum")
    + ("exclusiveMinimum", "exclusiveMaximum", "minItems", "maxItems", "$ref")
)
_FORMATS = frozenset(
    ("date-time", "time", "date", "duration", "email", "hostname", "ipv4", "ipv6", "uuid")
)
# Groups that look around or have a name, references to groups, and boundaries of words.
_BEYOND_REGULAR = re.compile(r"\(\?|\\[bBAZzGk1-9pP]")
_LONGEST_PATTERN = 500

_GRAMMAR = r"""%llguidance {}
start: WORDS | lead "\n" call "\n</tool_call>" | call
WORDS: /[^{\s](?s:.*)/ & ~/(?s:.*)<tool_call>(?s:.*)/
lead[lazy]: /([^{\s](?s:.*))?<tool_call>/
call: %json """
# As most models have learned to write it; a small one loses itself in free white space.
_WRITTEN = {"whitespace_flexible": False, "item_separator": ", ", "key_separator": ": "}


def call_grammar(tools: Sequence[dict[str, Any]]) -> str:
    """The grammar of an answer with these tools, which are declared in OpenAI's form."""
    calls = []
    definitions: dict[str, Any] = {}
    for number, tool in enumerate(tools):
        function = tool["function"]
        # Each tool's definitions under names of their own, as all of them share one schema.
        prefix = f"t{number}_"
        parameters = function.get("parameters") or {"type": "object"}
        for name, definition in (parameters.get("$defs") or {}).items():
            definitions[f"{prefix}{name}"] = _fitting(definition, prefix)
        calls.append(
            {
                "type": "object",
                "properties": {
                    "name": {"const": function["name"]},
                    "arguments": _fitting(parameters, prefix),
                },
                "required": ["name", "arguments"],
                "additionalProperties": False,
            }
        )
    schema: dict[str, Any] = {"x-guidance": _WRITTEN, "anyOf": calls}
    if definitions:
        schema["$defs"] = definitions
    return f"{_GRAMMAR}{orjson.dumps(schema).decode()}\n"


def _fitting(schema: Any, prefix: str) -> Any:
    """A schema that lets at least as much through, in keywords that a grammar is made of."""
    if not isinstance(schema, dict):
        return schema
    found: dict[str, Any] = {key: value for key, value in schema.items() if key in _KEPT}
    if "$ref" in found:
        name = str(found["$ref"])
        return {"$ref": f"#/$defs/{prefix}{name[8:]}"} if name.startswith("#/$defs/") else {}
    for key in ("anyOf", "oneOf"):
        if key in schema:
            found["anyOf"] = [_fitting(each, prefix) for each in schema[key]]
    if "properties" in schema:
        found["properties"] = {
            name: _fitting(each, prefix) for name, each in schema["properties"].items()
        }
    for key in ("items", "additionalProperties"):
        if key in schema:
            found[key] = _fitting(schema[key], prefix)
    if schema.get("format") in _FORMATS:
        found["format"] = schema["format"]
    elif _is_regular(schema.get("pattern")):
        found["pattern"] = schema["pattern"]
    return found


def _is_regular(pattern: Any) -> bool:
    return (
        isinstance(pattern, str)
        and len(pattern) <= _LONGEST_PATTERN
        and _BEYOND_REGULAR.search(pattern) is None
    )
