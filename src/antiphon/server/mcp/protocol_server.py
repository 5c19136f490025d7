"""MCP protocol server: the SDK's server with the handlers of every method."""

from __future__ import annotations

import warnings
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, get_args

from mcp.server.caching import CacheableMethod, CacheHint
from mcp.server.lowlevel import NotificationOptions, Server
from mcp.shared.exceptions import MCPDeprecationWarning
from mcp_types import CallToolRequestParams, NotificationParams

from antiphon import __version__
from antiphon.server.mcp.approvals import McpApprovals
from antiphon.server.mcp.calls import McpCalls
from antiphon.server.mcp.change_notices import McpChanges
from antiphon.server.mcp.completions import McpCompletions
from antiphon.server.mcp.host import McpHost, McpRequest
from antiphon.server.mcp.log_levels import set_level
from antiphon.server.mcp.prompts import McpPrompts
from antiphon.server.mcp.resources import McpResources
from antiphon.server.mcp.task_methods import McpTasks

if TYPE_CHECKING:
    from mcp.server.models import InitializationOptions

_INSTRUCTIONS = (
    "Every call is governed: some tools need a person's approval, which the client or the console "
    "asks for. An error has the whole envelope: follow its `message`. Guides of the tools are the "
    "resources antiphon://guides/{tool}."
)
# Whoever asks again a moment later may be told the same.
_HINT = CacheHint(ttl_ms=5000, scope="private")


class GovernedServer(Server[Any]):
    """The SDK's server, which tells older clients that lists may change."""

    def create_initialization_options(
        self, notification_options: NotificationOptions | None = None, *args: Any, **kwargs: Any
    ) -> InitializationOptions:
        told = notification_options or NotificationOptions(True, True, True)
        return super().create_initialization_options(told, *args, **kwargs)


@dataclass(frozen=True, slots=True)
class ProtocolServer:
    """The server of one application, and what has to run beside it."""

    server: GovernedServer
    changes: McpChanges


def make_server(host: McpHost) -> ProtocolServer:
    """Make the server of an application."""
    calls, tasks, prompts = McpCalls(host), McpTasks(host), McpPrompts(host)
    approvals, resources = McpApprovals(host, calls), McpResources(host)
    changes = McpChanges(host, resources)

    async def call_tool(request: McpRequest, params: CallToolRequestParams) -> Any:
        call = await calls.begin(request, params)
        if params.request_state is not None:
            result = await approvals.resume(request, params, call)
        else:
            result = await approvals.answer(request, *await calls.dispatch(request, call))
        return await tasks.answer(request, result)

    def input_schema(name: str) -> dict[str, Any] | None:
        tool = host.application.orchestrator.registry_snapshot().tools.get(name)
        return None if tool is None else tool.definition.parameters

    with warnings.catch_warnings():
        # Clients of the older revisions still set levels.
        warnings.simplefilter("ignore", MCPDeprecationWarning)
        server = GovernedServer(
            "antiphon",
            version=__version__,
            title="Antiphon",
            description="One governed tool registry.",
            instructions=_INSTRUCTIONS,
            cache_hints=dict.fromkeys(get_args(CacheableMethod), _HINT),
            get_tool_input_schema=input_schema,
            on_list_tools=calls.list_tools,
            on_call_tool=call_tool,
            on_list_resources=resources.list_resources,
            on_list_resource_templates=resources.list_templates,
            on_read_resource=resources.read,
            on_subscribe_resource=changes.subscribe,
            on_unsubscribe_resource=changes.unsubscribe,
            on_subscriptions_listen=changes.listen,
            on_list_prompts=prompts.list_prompts,
            on_get_prompt=prompts.get,
            on_completion=McpCompletions(host, resources, prompts).complete,
            on_set_logging_level=set_level,
        )
    tasks.install(server)
    server.add_notification_handler(
        "notifications/initialized", NotificationParams, changes.initialized
    )
    return ProtocolServer(server, changes)
