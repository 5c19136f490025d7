"""MCP host: what the handlers of an MCP server work on, and in whose name."""

from __future__ import annotations

from base64 import urlsafe_b64decode, urlsafe_b64encode
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, TypeAlias, TypeVar

from mcp.shared.exceptions import MCPError
from mcp_types import INVALID_PARAMS
from mcp_types.version import MODERN_PROTOCOL_VERSIONS

from antiphon.contracts.definition import Mode
from antiphon.server.http_sessions import MCP, HttpSessions

if TYPE_CHECKING:
    from mcp.server.context import ServerRequestContext

    from antiphon.app import Application
    from antiphon.orchestrator import Session
    from antiphon.registry.registry import Tool

# A request as its handler sees it.
McpRequest: TypeAlias = "ServerRequestContext[Any, Any]"

MODE: Mode = "text"
PAGE = 250
_MAX_CURSOR = 500

Item = TypeVar("Item")


@dataclass(frozen=True, slots=True)
class McpHost:
    """The application that is served. `sessions` are those of whoever makes a request, with the
    rights of that moment, and `console` the address where a person finds the console, in words."""

    application: Application
    sessions: Callable[[McpRequest], Awaitable[HttpSessions]]
    console: Callable[[McpRequest], str]

    async def tools(self, sessions: HttpSessions) -> dict[str, Tool]:
        """The tools that whoever has these sessions may call, by name."""
        return listed_tools(await sessions.shared(MODE, MCP))

    async def todays(self, sessions: HttpSessions) -> HttpSessions:
        """The sessions of somebody with the rights that they have now. Raises PrincipalRefused for
        who may do nothing any more."""
        principal = sessions.scope.principal
        if principal is None or principal.rights is None:
            return sessions
        access = self.application.access
        return sessions.of(await access.todays_principal(principal.user, principal.credential))


def listed_tools(session: Session) -> dict[str, Tool]:
    """The tools that an MCP client is told of: those that may be called in the session, but for
    those that run in the person's browser."""
    names = (each["name"] for each in session.declarations().declared("mcp"))
    tools = session.snapshot.tools
    return {name: tools[name] for name in names if tools[name].definition.execution != "client"}


def is_modern(request: McpRequest) -> bool:
    """Whether a request is of a revision in which each request stands for itself."""
    return request.protocol_version in MODERN_PROTOCOL_VERSIONS


def invalid(words: str, **data: Any) -> MCPError:
    """The error of a request that cannot be answered as it is."""
    return MCPError(INVALID_PARAMS, words, data or None)


def page_of(
    items: Sequence[Item], name: Callable[[Item], str], cursor: str | None
) -> tuple[Sequence[Item], str | None]:
    """One page of a list that stays in its order, and the cursor of the next. Raises MCPError for
    a cursor that is none of this list."""
    begin = 0
    if cursor is not None:
        last = _decoded(cursor)
        found = next((at for at, item in enumerate(items) if name(item) == last), None)
        if last is None or found is None:
            raise invalid("The cursor is of no page of this list. Begin again without one.")
        begin = found + 1
    page = items[begin : begin + PAGE]
    more = begin + PAGE < len(items)
    return page, _encoded(name(page[-1])) if more else None


def _encoded(name: str) -> str:
    return urlsafe_b64encode(name.encode()).decode()


def _decoded(cursor: str) -> str | None:
    if len(cursor) > _MAX_CURSOR:
        return None
    try:
        return urlsafe_b64decode(cursor.encode("ascii")).decode()
    except ValueError:
        return None
