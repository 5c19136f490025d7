"""Python stubs: a TypedDict for each record, and a class with one method for each tool."""

from __future__ import annotations

import keyword
import re

from antiphon.registry.type_stubs.model import (
    AliasDeclaration,
    Declaration,
    ListType,
    LiteralType,
    MapType,
    NamedType,
    RecordDeclaration,
    ScalarType,
    ToolTypes,
    TypeExpression,
    UnionType,
)
from antiphon.registry.type_stubs.words import one_line

_SCALARS = {
    "any": "Any",
    "never": "Never",
    "null": "None",
    "boolean": "bool",
    "integer": "int",
    "number": "float",
    "string": "str",
}
# A member of such a name would hide the type from the members after it.
_TYPE_NAMES = frozenset({"bool", "dict", "float", "int", "list", "str"})
_PLAIN_NAME = re.compile(r"[a-z][A-Za-z0-9_]*")
_IMPORTED = (
    *("Any", "Literal", "Never", "NotRequired", "Protocol", "TypeAlias", "TypedDict", "cast"),
)

_HEAD = '''"""Types of the tools of a registry (version {version}).

Made by `antiphon tools types`. Do not edit: make it anew.
"""

# ruff: noqa
from __future__ import annotations

from collections.abc import Awaitable, Callable
from typing import {names}
'''

_CLIENT = '''

class ToolAnswer(Protocol):
    """What came of a call: its data, or its error."""

    @property
    def ok(self) -> bool: ...
    @property
    def data(self) -> Any: ...
    @property
    def error(self) -> Any: ...


class ToolCallFailed(Exception):
    """A call that was answered with an error."""

    def __init__(self, tool: str, error: Any) -> None:
        super().__init__(f"{tool}: {error['message']}")
        self.tool = tool
        self.error = error


class Tools:
    """The tools as methods: `Tools(app.call)`. A call that fails raises ToolCallFailed."""

    def __init__(self, call: Callable[[str, dict[str, Any]], Awaitable[ToolAnswer]]) -> None:
        self._call = call

    async def _data(self, tool: str, args: Any) -> Any:
        answer = await self._call(tool, dict(args))
        if not answer.ok:
            raise ToolCallFailed(tool, answer.error)
        return answer.data
'''


def python_stubs(types: ToolTypes) -> str:
    """Return the source of a Python module with the types, which `mypy --strict` takes."""
    body = "".join(_declared(each) for each in types.declarations)
    methods = "".join(
        f"\n    async def {_safe(tool.tool_id)}(self, args: {tool.args}) -> {tool.data}:\n"
        f'        """{_docstring(tool.summary)}"""\n'
        f'        return cast("{tool.data}", await self._data("{tool.tool_id}", args))\n'
        for tool in types.tools
    )
    used = [name for name in _IMPORTED if re.search(rf"\b{name}\b", body + methods + _CLIENT)]
    return _HEAD.format(version=types.version, names=", ".join(used)) + body + _CLIENT + methods


def _declared(declaration: Declaration) -> str:
    comment = _comment(declaration.description)
    if isinstance(declaration, AliasDeclaration):
        return f'\n{comment}{declaration.name}: TypeAlias = "{_quotable(declaration.type)}"\n'
    return _record(declaration, comment)


def _record(record: RecordDeclaration, comment: str) -> str:
    if any(not member.name for member in record.fields):  # no TypedDict may have such a member
        return f'\n{comment}{record.name}: TypeAlias = "dict[str, Any]"\n'
    lines = []
    if all(_usable(member.name) for member in record.fields):
        for member in record.fields:
            kind = _rendered(member.type)
            kind = kind if member.required else f"NotRequired[{kind}]"
            lines.append(f"{_comment(member.description, '    ')}    {member.name}: {kind}\n")
        return f"\n\n{comment}class {record.name}(TypedDict):\n" + "".join(lines)
    for member in record.fields:
        kind = _quotable(member.type)
        kind = f'"{kind}"' if member.required else f'NotRequired["{kind}"]'
        lines.append(f"{_comment(member.description, '    ')}    {member.name!a}: {kind},\n")
    members = "".join(lines)
    return f'\n{comment}{record.name} = TypedDict("{record.name}", {{\n{members}}})\n'


def _rendered(kind: TypeExpression) -> str:
    match kind:
        case ScalarType(name):
            return _SCALARS[name]
        case LiteralType(values):
            return f"Literal[{', '.join(ascii(value) for value in values)}]"
        case ListType(item):
            return f"list[{_rendered(item)}]"
        case MapType(value):
            return f"dict[str, {_rendered(value)}]"
        case NamedType(name):
            return name
        case UnionType(parts):
            return " | ".join(_rendered(part) for part in parts)


def _quotable(kind: TypeExpression) -> str:
    """Return a type as it stands between double quotes."""
    return _rendered(kind).replace("\\", "\\\\").replace('"', '\\"')


def _usable(name: str) -> bool:
    """Whether a class may have a member of that name."""
    return (
        _PLAIN_NAME.fullmatch(name) is not None
        and not keyword.iskeyword(name)
        and name not in _TYPE_NAMES
    )


def _safe(tool_id: str) -> str:
    return f"{tool_id}_" if keyword.iskeyword(tool_id) else tool_id


def _comment(text: str, indent: str = "") -> str:
    return f"{indent}# {one_line(text)}\n" if text.strip() else ""


def _docstring(text: str) -> str:
    return one_line(text).replace("\\", "\\\\").replace('"', "'")
