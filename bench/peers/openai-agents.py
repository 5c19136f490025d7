"""Times openai-agents: a function tool invoked with a ToolContext, as its runner does."""

# ruff: noqa: ARG001 the tool gives one answer whatever it is asked: dispatch is what is timed

import json
import logging
from collections.abc import Awaitable, Callable
from typing import Any

from harness import DispatchPath, KbFilters, Namespace, TopK, kb_results, main

# isort: split
from agents.tool import invoke_function_tool
from agents.tool_context import ToolContext
from openai.types.responses import ResponseFunctionToolCall

from agents import Agent, RunContextWrapper, function_tool

# A refused probe is logged as a trace error without a trace, which says nothing here.
logging.getLogger("openai.agents").setLevel(logging.CRITICAL)

CHECKS = "types, ranges and enums by Pydantic (coerces; drops unknown keys)"


@function_tool
async def kb_search(
    query: str, namespace: Namespace = "studio", top_k: TopK = 5, filters: KbFilters | None = None
) -> dict[str, Any]:
    """Search the knowledge base."""
    return kb_results()


agent = Agent(name="peer", tools=[kb_search])
run_context = RunContextWrapper(context=None)


def tool_call(arguments: dict[str, Any]) -> ResponseFunctionToolCall:
    return ResponseFunctionToolCall(
        name="kb_search",
        arguments=json.dumps(arguments),
        call_id="call-1",
        type="function_call",
    )


def tool_context(call: ResponseFunctionToolCall) -> ToolContext[Any]:
    return ToolContext.from_agent_context(run_context, call.call_id, call, agent)


def prepare_invoke(arguments: dict[str, Any]) -> Callable[[], Awaitable[Any]]:
    call = tool_call(arguments)
    return lambda: invoke_function_tool(
        function_tool=kb_search, context=tool_context(call), arguments=call.arguments
    )


def prepare_bare(arguments: dict[str, Any]) -> Callable[[], Awaitable[Any]]:
    call = tool_call(arguments)
    return lambda: kb_search.on_invoke_tool(tool_context(call), call.arguments)


async def build() -> list[DispatchPath]:
    return [
        DispatchPath(
            name="ToolContext + invoke_function_tool",
            checks=CHECKS,
            prepare=prepare_invoke,
            unpack=lambda output: output,
        ),
        DispatchPath(
            name="ToolContext + on_invoke_tool",
            checks=CHECKS,
            prepare=prepare_bare,
            unpack=lambda output: output,
        ),
    ]


if __name__ == "__main__":
    main("openai-agents", "openai-agents", build)
