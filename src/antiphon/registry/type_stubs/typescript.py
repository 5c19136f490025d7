"""TypeScript stubs: an interface for each record, and the tools by name and as methods."""

from __future__ import annotations

import json
import re

from antiphon.registry.type_stubs.model import (
    AliasDeclaration,
    Declaration,
    ListType,
    LiteralType,
    MapType,
    NamedType,
    ScalarType,
    ToolTypes,
    TypeExpression,
    UnionType,
)
from antiphon.registry.type_stubs.words import one_line

_SCALARS = {
    "any": "unknown",
    "never": "never",
    "null": "null",
    "boolean": "boolean",
    "integer": "number",
    "number": "number",
    "string": "string",
}
_PLAIN_NAME = re.compile(r"[A-Za-z_][A-Za-z0-9_]*")


def typescript_stubs(types: ToolTypes) -> str:
    """Return the source of a TypeScript module with the types, which `tsc --strict` takes."""
    parts = [
        f"// Types of the tools of a registry (version {types.version}).\n"
        "// Made by `antiphon tools types`. Do not edit: make it anew.\n"
    ]
    parts += [_declared(each) for each in types.declarations]
    members = "".join(
        f"  {_key(tool.tool_id)}: {{ args: {tool.args}; data: {tool.data} }};\n"
        for tool in types.tools
    )
    parts.append(
        f"/** The arguments and the data of each tool. */\n"
        f"export interface ToolTypes {{\n{members}}}\n"
    )
    parts.append("export type ToolName = keyof ToolTypes;\n")
    methods = "".join(
        f"{_comment(tool.summary, '  ')}"
        f"  {_key(tool.tool_id)}(args: {tool.args}): Promise<{tool.data}>;\n"
        for tool in types.tools
    )
    parts.append(f"/** The tools as methods. */\nexport interface Tools {{\n{methods}}}\n")
    return "\n".join(parts)


def _declared(declaration: Declaration) -> str:
    comment = _comment(declaration.description)
    if isinstance(declaration, AliasDeclaration):
        return f"{comment}export type {declaration.name} = {_rendered(declaration.type)};\n"
    fields = "".join(
        f"{_comment(member.description, '  ')}"
        f"  {_key(member.name)}{'' if member.required else '?'}: {_rendered(member.type)};\n"
        for member in declaration.fields
    )
    return f"{comment}export interface {declaration.name} {{\n{fields}}}\n"


def _rendered(kind: TypeExpression) -> str:
    match kind:
        case ScalarType(name):
            return _SCALARS[name]
        case LiteralType(values):
            return " | ".join(json.dumps(value) for value in values)
        case ListType(item):
            inner = _rendered(item)
            bare = isinstance(item, ScalarType | NamedType)
            return f"{inner}[]" if bare else f"({inner})[]"
        case MapType(value):
            return f"{{ [name: string]: {_rendered(value)} }}"
        case NamedType(name):
            return name
        case UnionType(parts):
            return " | ".join(_rendered(part) for part in parts)


def _key(name: str) -> str:
    return name if _PLAIN_NAME.fullmatch(name) else json.dumps(name)


def _comment(text: str, indent: str = "") -> str:
    words = one_line(text).replace("*/", "* /")
    return f"{indent}/** {words} */\n" if words else ""
