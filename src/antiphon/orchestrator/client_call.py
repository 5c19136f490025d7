"""Client execution: tools that run in the person's browser and answer over its connection."""

from __future__ import annotations

import inspect
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import orjson

from antiphon.contracts import ErrorType, ToolCall, ToolError, ToolResult, ok

if TYPE_CHECKING:
    from antiphon.orchestrator.context import Context
    from antiphon.orchestrator.governed_call import GovernedCall


@dataclass(frozen=True, slots=True)
class ClientRequest:
    """What a browser is asked to run: the tool, its checked arguments, and the call it is for."""

    tool_id: str
    args: dict[str, Any]
    call: ToolCall
    rule: str  # that let the call run
    nested: bool  # made by another call, a macro or a workflow


RunInClient = Callable[[ClientRequest], Awaitable[Any]]


async def run_in_client(governed: GovernedCall, context: Context) -> ToolResult:
    """Run a tool in the person's browser. Raises ToolError when none is connected, when it fails,
    or when its answer is no JSON."""
    session, definition, args = governed.session, governed.tool.definition, governed.case.args
    prepare = governed.tool.handler.prepare
    if prepare is not None:
        prepared = prepare(args, context)
        args = await prepared if inspect.isawaitable(prepared) else prepared
    if session.run_in_client is None:
        raise ToolError(
            ErrorType.UNAVAILABLE,
            f"{definition.tool_id} runs in the browser, and none is connected.",
        )
    answer = await session.run_in_client(
        ClientRequest(
            definition.tool_id, args, governed.call, governed.rule, governed.frame is not None
        )
    )
    if not isinstance(answer, dict):
        answer = {"result": answer}
    try:
        orjson.dumps(answer)
    except (TypeError, ValueError):
        raise ToolError(ErrorType.PERMANENT, "The browser's answer is no JSON.") from None
    return ok(answer)
