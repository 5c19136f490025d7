"""MCP change notices: clients are told when tools, prompts or resources are not what they were."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field
from hashlib import sha256
from typing import TYPE_CHECKING, Any, TypeAlias

from mcp.server.subscriptions import InMemorySubscriptionBus, ListenHandler
from mcp.shared.exceptions import MCPError
from mcp.shared.subscriptions import (
    PromptsListChanged,
    ResourcesListChanged,
    ResourceUpdated,
    ServerEvent,
    ToolsListChanged,
    event_to_notification,
)
from mcp_types import (
    INTERNAL_ERROR,
    EmptyResult,
    NotificationParams,
    SubscribeRequestParams,
    SubscriptionsListenRequestParams,
    SubscriptionsListenResult,
    UnsubscribeRequestParams,
)

from antiphon.contracts.principal import PrincipalRefused
from antiphon.knowledge import KnowledgeError
from antiphon.server.http_sessions import HttpSessions
from antiphon.server.mcp.host import McpHost, McpRequest, invalid
from antiphon.server.mcp.log_levels import connection_of
from antiphon.storage import StoreError

if TYPE_CHECKING:
    from mcp.server.connection import Connection

    from antiphon.server.mcp.resources import McpResources

logger = logging.getLogger(__name__)

LOOK_SECONDS = 1.0
MAX_WATCHERS = 2000
MAX_RESOURCES = 100  # that one client watches

_READ = "knowledge.read"

# The version of the registry, how often playbooks have changed, the ids of databases (None: not
# looked at).
Lists: TypeAlias = tuple[str, int, tuple[str, ...] | None]
Publish = Callable[[ServerEvent], Awaitable[None]]


@dataclass(slots=True, eq=False)
class _Watcher:
    """A client that is told of changes, and what it was told of last."""

    sessions: HttpSessions
    publish: Publish
    resources: dict[str, bytes] = field(default_factory=dict)  # digest of each, by URI
    lists: Lists | None = None  # None: not looked at yet


class McpChanges:
    """Looks for changes every second while anybody wants to be told of them.

    Clients of 2026-07-28 listen on a stream of their own, older ones on their connection.
    """

    def __init__(self, host: McpHost, resources: McpResources) -> None:
        self._host = host
        self._resources = resources
        self._watchers: set[_Watcher] = set()
        self._connections: dict[Connection, _Watcher] = {}
        self._listening: set[ListenHandler] = set()
        self._some = asyncio.Event()

    async def keep(self) -> None:
        """Look again and again, until it is cancelled."""
        while True:
            await self._some.wait()
            await asyncio.sleep(LOOK_SECONDS)
            # What is the same for many is looked at once.
            seen: dict[tuple[str, bool], Lists] = {}
            for watcher in tuple(self._watchers):
                try:
                    watcher.sessions = await self._host.todays(watcher.sessions)
                    await self._look(watcher, seen)
                except PrincipalRefused:
                    self._watchers.discard(watcher)
                except (MCPError, KnowledgeError, StoreError) as error:
                    logger.info("an MCP client could not be told of changes: %s", error)
            if not self._watchers:
                self._some.clear()

    def close(self) -> None:
        """End the streams on which clients listen."""
        for each in tuple(self._listening):
            each.close()

    # -- revision 2026-07-28

    async def listen(
        self, request: McpRequest, params: SubscriptionsListenRequestParams
    ) -> SubscriptionsListenResult:
        """Tell a client of changes for as long as it keeps the stream open. Raises MCPError."""
        uris = params.notifications.resource_subscriptions or []
        bus = InMemorySubscriptionBus()
        handler = ListenHandler(bus, max_subscriptions=1)
        watcher = await self._watching(request, bus.publish, uris)
        # The client waits for its stream, and a knowledge base may take a while to open.
        watcher.lists = await self._lists(watcher.sessions, databases=False)
        self._listening.add(handler)
        try:
            return await handler(request, params)
        finally:
            self._listening.discard(handler)
            self._watchers.discard(watcher)

    # -- older revisions

    async def initialized(self, request: McpRequest, _params: NotificationParams) -> None:
        """Tell a client that has just come of changes from now on."""
        await self._of_connection(request)

    async def subscribe(self, request: McpRequest, params: SubscribeRequestParams) -> EmptyResult:
        """Tell a client when a resource changes. Raises MCPError where it may not read it."""
        watcher = await self._of_connection(request)
        if len(watcher.resources) >= MAX_RESOURCES and params.uri not in watcher.resources:
            raise invalid(f"A client may watch at most {MAX_RESOURCES} resources.", uri=params.uri)
        watcher.resources[params.uri] = await self._digest(watcher.sessions, params.uri)
        return EmptyResult()

    async def unsubscribe(
        self, request: McpRequest, params: UnsubscribeRequestParams
    ) -> EmptyResult:
        """Tell it no more of that resource."""
        (await self._of_connection(request)).resources.pop(params.uri, None)
        return EmptyResult()

    async def _of_connection(self, request: McpRequest) -> _Watcher:
        connection = connection_of(request)
        known = self._connections.get(connection)
        if known is not None:
            return known

        async def publish(event: ServerEvent) -> None:
            await connection.outbound.notify(**_sent(event))

        watcher = await self._watching(request, publish, [])
        self._connections[connection] = watcher

        def gone() -> None:
            self._connections.pop(connection, None)
            self._watchers.discard(watcher)

        connection.exit_stack.callback(gone)
        return watcher

    # -- looking

    async def _watching(self, request: McpRequest, publish: Publish, uris: list[str]) -> _Watcher:
        if len(self._watchers) >= MAX_WATCHERS:
            raise MCPError(INTERNAL_ERROR, "Too many clients wait for changes. Try again later.")
        if len(uris) > MAX_RESOURCES:
            raise invalid(f"A client may watch at most {MAX_RESOURCES} resources.")
        watcher = _Watcher(await self._host.sessions(request), publish)
        for uri in uris:
            watcher.resources[uri] = await self._digest(watcher.sessions, uri)
        self._watchers.add(watcher)
        self._some.set()
        return watcher

    async def _look(self, watcher: _Watcher, seen: dict[tuple[str, bool], Lists]) -> None:
        scope = watcher.sessions.scope
        mark = (scope.organisation, scope.may(_READ))
        if mark not in seen:
            seen[mark] = await self._lists(watcher.sessions)
        before, now = watcher.lists, seen[mark]
        watcher.lists = now
        if before is not None and before != now:
            tools, prompts = before[0] != now[0], before[1] != now[1]
            databases = before[2] is not None and before[2] != now[2]
            if tools:
                await watcher.publish(ToolsListChanged())
            if prompts:
                await watcher.publish(PromptsListChanged())
            if tools or databases:
                await watcher.publish(ResourcesListChanged())
        for uri, digest in tuple(watcher.resources.items()):
            found = await self._digest(watcher.sessions, uri)
            if found != digest and uri in watcher.resources:
                watcher.resources[uri] = found
                await watcher.publish(ResourceUpdated(uri=uri))

    async def _lists(self, sessions: HttpSessions, *, databases: bool = True) -> Lists:
        """Something that is another when the tools, prompts and databases are."""
        application = self._host.application
        organisation = sessions.scope.organisation
        files = application.workspaces.chosen(organisation).playbooks.files
        _, playbooks = await asyncio.to_thread(files.load_with_version)
        version = application.orchestrator.registry_snapshot().version
        if not databases:
            return version, playbooks, None
        ids: list[str] = []
        if sessions.scope.may(_READ):
            ids = await self._resources.in_knowledge(sessions, lambda base: base.ids())
        return version, playbooks, tuple(ids)

    async def _digest(self, sessions: HttpSessions, uri: str) -> bytes:
        """What the content of a resource is now; that it is gone is a change, too."""
        try:
            text, _ = await self._resources.content(sessions, uri)
        except MCPError:
            return b""
        return sha256(text.encode()).digest()


def _sent(event: ServerEvent) -> dict[str, Any]:
    sent = event_to_notification(event, {}).model_dump(
        by_alias=True, mode="json", exclude_none=True
    )
    params = sent.get("params") or {}
    return {"method": sent["method"], "params": {k: v for k, v in params.items() if k != "_meta"}}
