"""Tool requests: one call of a tool over the connection to its server, its errors typed."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from antiphon.contracts import ErrorType, ToolError
from antiphon.mcp.results import result_data

if TYPE_CHECKING:
    from mcp import Client

_INVALID_PARAMS = -32602
_CONNECTION_CLOSED = -32000
_REQUEST_TIMEOUT = 408
_MOST_WORDS = 500


async def request_tool(
    client: Client,
    server: str,
    tool: str,
    args: Mapping[str, Any],
    *,
    writes: bool,
    seconds: float,
    max_bytes: int,
    context: Any = None,
) -> dict[str, Any]:
    """Call a tool by the server's own name for it; return its result as an object.

    Raises ToolError: OUTCOME_UNKNOWN where the connection was lost during a call that writes.
    """

    async def progressed(progress: float, total: float | None, message: str | None) -> None:
        if context is not None:
            context.progress((message or "")[:_MOST_WORDS], progress / total if total else None)

    from mcp import MCPError
    from pydantic import ValidationError

    try:
        result = await client.call_tool(
            tool, dict(args), read_timeout_seconds=seconds, progress_callback=progressed
        )
    except MCPError as refused:
        if refused.code in (_CONNECTION_CLOSED, _REQUEST_TIMEOUT, -32001):
            raise lost_call(server, writes) from refused
        kind = ErrorType.VALIDATION if refused.code == _INVALID_PARAMS else ErrorType.PERMANENT
        words = str(refused.message)[:_MOST_WORDS]
        raise ToolError(kind, f"{server} refused the call: {words}") from refused
    except (ValidationError, RuntimeError) as error:
        # The SDK holds an answer against the protocol, and against the schema of the tool's result.
        words = " ".join(str(error).split())[:200]
        raise ToolError(
            ErrorType.PERMANENT,
            f"{server} answered with something else than it says it does: {words}",
            partial_side_effects=writes,
        ) from error
    except Exception as error:
        raise lost_call(server, writes) from error
    return result_data(result, server, writes=writes, max_bytes=max_bytes)


def lost_call(server: str, writes: bool, why: str = "") -> ToolError:
    """The error of a call that was sent and not answered."""
    words = f"{server} did not answer{f': {why}' if why else ''}."
    if writes:
        return ToolError(
            ErrorType.OUTCOME_UNKNOWN,
            f"{words} It may have happened: tell the user, do not repeat it.",
            partial_side_effects=True,
        )
    return ToolError(ErrorType.TRANSIENT, words)
