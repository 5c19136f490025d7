"""Log levels of MCP clients: what each has asked to be told, and entries for it."""

from __future__ import annotations

import warnings
from typing import TYPE_CHECKING, Any, get_args

from mcp.shared.exceptions import MCPDeprecationWarning
from mcp_types import EmptyResult, LoggingLevel, SetLevelRequestParams

from antiphon.server.mcp.host import McpRequest, is_modern

if TYPE_CHECKING:
    from mcp.server.connection import Connection

_LEVELS = get_args(LoggingLevel)  # the least first
_STATE = "antiphon.log_level"


def connection_of(request: McpRequest) -> Connection:
    """The connection of a request. The SDK has no public name for it."""
    found: Connection = request.session._connection
    return found


async def set_level(request: McpRequest, params: SetLevelRequestParams) -> EmptyResult:
    """Keep from which level on a client of an older revision wants log entries."""
    connection_of(request).state[_STATE] = params.level
    return EmptyResult()


async def send_log(request: McpRequest, level: LoggingLevel, data: Any, logger: str) -> None:
    """Send a log entry that belongs to a request, if its client has asked for that level. Newer
    clients ask with each request, which the SDK sees to."""
    if not is_modern(request):
        least = connection_of(request).state.get(_STATE)
        if least is None or _LEVELS.index(level) < _LEVELS.index(least):
            return
    with warnings.catch_warnings():
        # It is what clients of today read, whatever becomes of it in later revisions.
        warnings.simplefilter("ignore", MCPDeprecationWarning)
        await request.session.send_log_message(
            level, data, logger=logger, related_request_id=request.request_id
        )
