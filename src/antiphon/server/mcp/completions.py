"""MCP completion: values for the arguments of prompts and resource templates."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from mcp_types import (
    CompleteRequestParams,
    CompleteResult,
    Completion,
    PromptReference,
)

from antiphon.knowledge import KnowledgeError
from antiphon.server.mcp.host import McpHost, McpRequest
from antiphon.server.mcp.prompts import McpPrompts
from antiphon.server.mcp.resources import KNOWLEDGE, McpResources

if TYPE_CHECKING:
    from antiphon.knowledge import KnowledgeBase

MOST = 100
_MAX_PREFIX = 200


class McpCompletions:
    """Completes what begins a value: ids of databases, records, tools and playbooks by the name of
    the argument, and the values of the parameter of that name where tools have a list of them."""

    def __init__(self, host: McpHost, resources: McpResources, prompts: McpPrompts) -> None:
        self._host = host
        self._resources = resources
        self._prompts = prompts

    async def complete(self, request: McpRequest, params: CompleteRequestParams) -> CompleteResult:
        """The values that fit, at most a hundred."""
        name, begun = params.argument.name, params.argument.value[:_MAX_PREFIX]
        values = await self._values(request, params, name, begun)
        found = [each for each in dict.fromkeys(values) if each.lower().startswith(begun.lower())]
        return CompleteResult(
            completion=Completion(values=found[:MOST], total=len(found), has_more=len(found) > MOST)
        )

    async def _values(
        self, request: McpRequest, params: CompleteRequestParams, name: str, begun: str
    ) -> list[str]:
        if name in ("tool", "tool_id"):
            return list(await self._host.tools(await self._host.sessions(request)))
        if name == "playbook":
            return [each.id for each in await self._prompts.all(request)]
        if name in ("database", "database_id", "record"):
            return await self._knowledge(request, params, name, begun)
        if isinstance(params.ref, PromptReference):
            tools = (await self._host.tools(await self._host.sessions(request))).values()
            return [
                value
                for tool in tools
                for value in _listed(tool.definition.parameters.get("properties"), name)
            ]
        return []

    async def _knowledge(
        self, request: McpRequest, params: CompleteRequestParams, name: str, begun: str
    ) -> list[str]:
        sessions = await self._host.sessions(request)
        if not sessions.scope.may("knowledge.read"):
            return []
        chosen = (params.context.arguments or {}).get("database") if params.context else None

        def work(base: KnowledgeBase) -> list[str]:
            if name != "record":
                return base.ids()
            uri = getattr(params.ref, "uri", "")
            if chosen is None or not uri.startswith(KNOWLEDGE):
                return []
            database = base.database(chosen)
            # In the order of ids, those that begin with it come right behind it.
            found = [*database.get([begun]), *database.records(begun or None, MOST + 1)]
            return [each.id for each in found]

        try:
            return await self._resources.in_knowledge(sessions, work)
        except (KnowledgeError, ValueError):
            return []


def _listed(properties: Any, name: str) -> list[str]:
    """The values that a parameter lists."""
    found = properties.get(name) if isinstance(properties, dict) else None
    values = found.get("enum") if isinstance(found, dict) else None
    return [each for each in values or () if isinstance(each, str)]
