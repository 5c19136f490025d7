"""Tool declarations as Gemini takes them: its own dialect of OpenAPI, or any JSON Schema."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

_NAME = re.compile(r"[A-Za-z_][A-Za-z0-9_.:-]{0,63}")
_TYPES = ("STRING", "NUMBER", "INTEGER", "BOOLEAN", "ARRAY", "OBJECT", "NULL", "TYPE_UNSPECIFIED")
_FIELDS = frozenset(
    (
        *("type", "format", "title", "description", "nullable", "enum", "default", "example"),
        *("items", "minItems", "maxItems", "properties", "required", "propertyOrdering", "anyOf"),
        *("minProperties", "maxProperties", "minimum", "maximum", "minLength", "maxLength"),
        *("pattern", "additionalProperties", "ref", "defs"),
    )
)


def check_tools(tools: Any) -> str | None:
    """The service's objection to these tools; None when it takes them."""
    if not isinstance(tools, list) or not all(isinstance(tool, dict) for tool in tools):
        return "Invalid value at 'tools'"
    seen: set[str] = set()
    for number, tool in enumerate(tools):
        for place, declared in enumerate(_declarations(tool)):
            where = f"tools[{number}].function_declarations[{place}]"
            problem = _check(declared, where)
            if problem is not None:
                return problem
            if declared["name"] in seen:
                return f"Duplicate function declaration found: {declared['name']}"
            seen.add(declared["name"])
    return None


def names_of(tools: list[dict[str, Any]]) -> list[str]:
    """The names of the declared functions."""
    return [str(d.get("name")) for tool in tools for d in _declarations(tool)]


def searches(tools: list[dict[str, Any]]) -> bool:
    """Whether Google Search is among the tools."""
    return any("googleSearch" in tool or "google_search" in tool for tool in tools)


def _declarations(tool: dict[str, Any]) -> list[dict[str, Any]]:
    found = tool.get("functionDeclarations", tool.get("function_declarations")) or []
    return [d for d in found if isinstance(d, dict)]


def _check(declared: dict[str, Any], where: str) -> str | None:
    name = declared.get("name")
    if not isinstance(name, str) or not _NAME.fullmatch(name):
        return (
            f"* GenerateContentRequest.{where}.name: [FIELD_INVALID] Invalid function name. Must "
            "start with a letter or an underscore. Must be alphanumeric (a-z, A-Z, 0-9), "
            "underscores (_), dots (.), colons (:), or dashes (-), with a maximum length of 64.\n"
        )
    schema = declared.get("parameters")
    json_schema = declared.get("parametersJsonSchema", declared.get("parameters_json_schema"))
    if schema is not None and json_schema is not None:
        return f"{where}: parameters and parameters_json_schema are mutually exclusive"
    if schema is None:
        return None
    return next(_problems(schema, f"{where}.parameters"), None)


def _problems(schema: Any, where: str) -> Iterator[str]:
    if not isinstance(schema, dict):
        yield f"Invalid value at '{where}' (type.googleapis.com/…Schema)"
        return
    fields = {_camel(key): value for key, value in schema.items()}
    for key in schema:
        if _camel(key) not in _FIELDS:
            yield (
                f"Invalid JSON payload received. Unknown name \"{key}\" at '{where}': "
                "Cannot find field."
            )
    kind = fields.get("type")
    if isinstance(kind, list):
        yield (
            f"Invalid JSON payload received. Unknown name \"type\" at '{where}': Proto field is "
            "not repeating, cannot start list."
        )
    elif kind is not None and str(kind).upper() not in _TYPES:
        yield f"Invalid value at '{where}.type' (type.googleapis.com/…Type), \"{kind}\""
    for number, value in enumerate(fields.get("enum") or []):
        if not isinstance(value, str):
            yield f"Invalid value at '{where}.enum[{number}]' (TYPE_STRING), {value}"
    if str(kind).upper() == "ARRAY" and fields.get("items") is None:
        yield f"* GenerateContentRequest.{where}.items: missing field.\n"
    properties = fields.get("properties") or {}
    for name in fields.get("required") or []:
        if name not in properties:
            yield f"* GenerateContentRequest.{where}.required: property is not defined: {name}\n"
    for number, (_, inner) in enumerate(properties.items()):
        yield from _problems(inner, f"{where}.properties[{number}].value")
    if fields.get("items") is not None:
        yield from _problems(fields["items"], f"{where}.items")
    for number, inner in enumerate(fields.get("anyOf") or []):
        yield from _problems(inner, f"{where}.any_of[{number}]")


def _camel(name: str) -> str:
    first, *rest = name.split("_")
    return first + "".join(word.capitalize() for word in rest)
