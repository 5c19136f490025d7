"""MCP resources: the guides of tools, and the databases and records of the knowledge base."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from dataclasses import asdict
from typing import TYPE_CHECKING, Any, TypeVar
from urllib.parse import quote, unquote

import orjson
from mcp_types import (
    ListResourcesResult,
    ListResourceTemplatesResult,
    PaginatedRequestParams,
    ReadResourceRequestParams,
    ReadResourceResult,
    Resource,
    ResourceTemplate,
    TextResourceContents,
)

from antiphon.knowledge import KnowledgeError
from antiphon.server.http_sessions import HttpSessions
from antiphon.server.mcp.host import McpHost, McpRequest, invalid, page_of

if TYPE_CHECKING:
    from antiphon.knowledge import KnowledgeBase

GUIDES, KNOWLEDGE = "antiphon://guides/", "antiphon://knowledge/"
MARKDOWN, JSON = "text/markdown", "application/json"
_MAX_URI = 2000
_READ = "knowledge.read"

Found = TypeVar("Found")
TEMPLATES = [
    ResourceTemplate(
        name="guide",
        title="Guide of a tool",
        uri_template=f"{GUIDES}{{tool}}",
        description="When to use a tool, and how.",
        mime_type=MARKDOWN,
    ),
    ResourceTemplate(
        name="database",
        title="Knowledge database",
        uri_template=f"{KNOWLEDGE}{{database}}",
        description="What a database holds.",
        mime_type=JSON,
    ),
    ResourceTemplate(
        name="record",
        title="Knowledge record",
        uri_template=f"{KNOWLEDGE}{{database}}/{{record}}",
        description="One record by its id, such as person:ada_lovelace.",
        mime_type=JSON,
    ),
]


class McpResources:
    """Lists and reads resources, each as far as whoever asks may read it."""

    def __init__(self, host: McpHost) -> None:
        self._host = host

    async def list_resources(
        self, request: McpRequest, params: PaginatedRequestParams | None
    ) -> ListResourcesResult:
        """The guides of the tools that may be called, and the knowledge databases."""
        sessions = await self._host.sessions(request)
        tools = await self._host.tools(sessions)
        found = [
            Resource(
                uri=GUIDES + quote(name, safe=""),
                name=f"guide:{name}",
                title=f"Guide: {name}",
                description=tool.entry["summary"],
                mime_type=MARKDOWN,
            )
            for name, tool in tools.items()
        ]
        if sessions.scope.may(_READ):
            for info in await self.in_knowledge(sessions, lambda base: base.databases()):
                found.append(
                    Resource(
                        uri=KNOWLEDGE + info.id,
                        name=f"database:{info.id}",
                        title=info.title or info.id,
                        description=info.description or f"{info.records} records.",
                        mime_type=JSON,
                    )
                )
        page, following = page_of(found, lambda each: each.uri, params.cursor if params else None)
        return ListResourcesResult(resources=list(page), next_cursor=following)

    async def list_templates(
        self, _request: McpRequest, params: PaginatedRequestParams | None
    ) -> ListResourceTemplatesResult:
        """The templates of all resources."""
        page, following = page_of(
            TEMPLATES, lambda each: each.name, params.cursor if params else None
        )
        return ListResourceTemplatesResult(resource_templates=list(page), next_cursor=following)

    async def read(
        self, request: McpRequest, params: ReadResourceRequestParams
    ) -> ReadResourceResult:
        """The content of a resource. Raises MCPError where there is none."""
        sessions = await self._host.sessions(request)
        text, media_type = await self.content(sessions, params.uri)
        contents = TextResourceContents(uri=params.uri, mime_type=media_type, text=text)
        return ReadResourceResult(contents=[contents])

    async def content(self, sessions: HttpSessions, uri: str) -> tuple[str, str]:
        """The text of a resource and its media type. Raises MCPError where there is none."""
        if len(uri) <= _MAX_URI:
            if uri.startswith(GUIDES):
                tool = (await self._host.tools(sessions)).get(unquote(uri.removeprefix(GUIDES)))
                if tool is not None:
                    return tool.entry["documentation"], MARKDOWN
            elif uri.startswith(KNOWLEDGE):
                document = await self._knowledge(sessions, uri)
                return orjson.dumps(document, default=str).decode(), JSON
        raise invalid(f"There is no resource {uri[:200]}.", uri=uri[:_MAX_URI])

    async def _knowledge(self, sessions: HttpSessions, uri: str) -> Any:
        if not sessions.scope.may(_READ):
            raise invalid(f"This needs the permission `{_READ}`.", uri=uri)
        database, slash, record = uri.removeprefix(KNOWLEDGE).partition("/")

        def work(base: KnowledgeBase) -> Any:
            if not slash:
                base.database(unquote(database))
                return next(asdict(e) for e in base.databases() if e.id == unquote(database))
            found = base.database(unquote(database)).get([unquote(record)])
            return found[0].to_dict() if found else None

        try:
            found = await self.in_knowledge(sessions, work)
        except KnowledgeError as error:
            raise invalid(str(error), uri=uri) from None
        if found is None:
            raise invalid(f"There is no record {unquote(record)[:200]} in {database}.", uri=uri)
        return found

    async def in_knowledge(
        self, sessions: HttpSessions, work: Callable[[KnowledgeBase], Found]
    ) -> Found:
        """What a function makes of the knowledge base of whoever asks, in a thread."""
        knowledge = self._host.application.organisation_knowledge

        def within() -> Found:
            with knowledge.base(sessions.scope.organisation) as base:
                return work(base)

        return await asyncio.to_thread(within)
