"""MCP tools: tools of an MCP server with the contract of governed ones."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cached_property
from typing import Any, Protocol

import orjson

from antiphon.contracts import ToolResult, ok
from antiphon.mcp.listed_tool import tool_id
from antiphon.registry.findings import FindingList
from antiphon.registry.functions.contract import write_guide, write_schema
from antiphon.registry.functions.docstring import Docstring
from antiphon.registry.functions.function_tool import FunctionTool
from antiphon.registry.functions.options import ToolOptions
from antiphon.registry.functions.source import FunctionSource
from antiphon.registry.handlers import Handler
from antiphon.registry.lint_fields import first_sentence
from antiphon.registry.sources import GUIDE, HANDLER, SCHEMA

LATENCY_MS = 3000
_MOST_SUMMARY = 200
# What says nothing about values.
_DROPPED = ("$schema", "title")


class ToolServer(Protocol):
    """Whatever calls the tools of one MCP server."""

    name: str

    async def call(
        self, tool: str, args: Mapping[str, Any], *, writes: bool, context: Any = None
    ) -> dict[str, Any]: ...


class McpTool(FunctionTool[..., Any]):
    """One tool of an MCP server. Called, it calls the server: no gate is passed."""

    def __init__(self, server: ToolServer, listed: Any, options: ToolOptions) -> None:
        async def call(**args: Any) -> dict[str, Any]:
            return await server.call(listed.name, args, writes=self.definition.writes)

        call.__name__ = str(options.name)
        call.__doc__ = listed.description or listed.name
        super().__init__(call, options, {})
        self._server = server
        self._listed = listed

    @cached_property
    def source(self) -> FunctionSource:
        """The tool as the builder takes it, with what is wrong with it."""
        listed, label = self._listed, f"mcp:{self._server.name}#{self._listed.name}"
        source = FunctionSource(self.name, label)
        source.present.update((SCHEMA, GUIDE, HANDLER))
        source.kind = "async"
        source.reference = label
        docstring = _docstring(listed)
        found = FindingList(source.label, source.findings)
        parameters = _parameters(listed.input_schema)
        schema = write_schema(self.options, self.name, docstring, parameters, None, found)
        try:
            source.files[SCHEMA] = orjson.dumps(schema, option=orjson.OPT_INDENT_2)
        except TypeError as error:  # a number of many digits, levels without end
            fix = "Leave the tool out with `exclude`, or have the server's author correct it."
            found.error("schema-invalid", "", f"its schema cannot be written as JSON: {error}", fix)
        source.files[GUIDE] = write_guide(schema, docstring).encode()
        source.files[HANDLER] = f'"""{listed.name} of the MCP server."""\n'.encode()
        source.handler = Handler("async", self._execute)
        return source

    async def _execute(self, args: dict[str, Any], context: Any) -> ToolResult:
        writes = self.options.side_effects == "writes"
        listed = self._listed
        return ok(await self._server.call(listed.name, args, writes=writes, context=context))


def tool_options(server: str, listed: Any, overrides: Mapping[str, Any]) -> ToolOptions:
    """Return the options of a tool: one that writes and asks, brings text of others and reaches
    outside, unless `overrides` says otherwise."""
    usual: dict[str, Any] = {
        "name": tool_id(server, listed.name),
        "side_effects": "writes",
        "origin": "untrusted",
        "outside": True,
        "latency_ms": LATENCY_MS,
    }
    return ToolOptions(**{**usual, **overrides})


def _parameters(schema: Mapping[str, Any]) -> dict[str, Any]:
    """Return the schema of the arguments; names that it does not have are refused."""
    made = {name: value for name, value in schema.items() if name not in _DROPPED}
    properties = made.get("properties")
    if isinstance(properties, Mapping):
        made["properties"] = {
            name: {key: value for key, value in body.items() if key not in _DROPPED}
            if isinstance(body, Mapping)
            else body
            for name, body in properties.items()
        }
    return {"properties": {}, "additionalProperties": False, **made, "type": "object"}


def _docstring(listed: Any) -> Docstring:
    description = (listed.description or "").strip()
    summary = first_sentence(" ".join(description.split())) or f"Call {listed.name}."
    if len(summary) > _MOST_SUMMARY:
        summary = f"{summary[: _MOST_SUMMARY - 1]}…"
    return Docstring(summary, description if description != summary else "")
