"""Times pydantic-ai: its bare FunctionToolset, its ToolManager, and the one a run builds."""

# ruff: noqa: ARG001 the tool gives one answer whatever it is asked: dispatch is what is timed

from collections.abc import Awaitable, Callable
from typing import Any

from harness import DispatchPath, KbFilters, Namespace, TopK, kb_results, main

# isort: split
from pydantic_ai import Agent, FunctionToolset, RunContext
from pydantic_ai.messages import ModelMessage, ModelResponse, TextPart, ToolCallPart
from pydantic_ai.models.function import AgentInfo, FunctionModel
from pydantic_ai.tool_manager import ToolManager
from pydantic_ai.usage import RunUsage

CHECKS = "types, ranges and enums by Pydantic (coerces)"
toolset: FunctionToolset[None] = FunctionToolset()
contexts: list[RunContext[None]] = []


@toolset.tool_plain
async def kb_search(
    query: str, namespace: Namespace = "studio", top_k: TopK = 5, filters: KbFilters | None = None
) -> dict[str, Any]:
    """Search the knowledge base."""
    return kb_results()


@toolset.tool
async def keep_context(context: RunContext[None]) -> str:
    """Keep the run's context: it holds the ToolManager that the run dispatches with."""
    contexts.append(context)
    return "kept"


def scripted_model(messages: list[ModelMessage], info: AgentInfo) -> ModelResponse:
    """Calls keep_context once and then ends the run; no model is asked."""
    if contexts:
        return ModelResponse(parts=[TextPart("done")])
    return ModelResponse(parts=[ToolCallPart("keep_context", {}, "call-0")])


def through(manager: ToolManager[None]) -> Callable[[dict[str, Any]], Callable[[], Awaitable[Any]]]:
    def prepare(arguments: dict[str, Any]) -> Callable[[], Awaitable[Any]]:
        call = ToolCallPart("kb_search", arguments, "call-1")
        return lambda: manager.handle_call(call)

    return prepare


async def build() -> list[DispatchPath]:
    model = FunctionModel(scripted_model)
    context = RunContext(deps=None, model=model, usage=RunUsage())
    manager = await ToolManager(toolset).for_run_step(context)
    tool = (await toolset.get_tools(context))["kb_search"]

    await Agent(model, toolsets=[toolset]).run("start")
    run_manager = contexts[0].tool_manager
    if run_manager is None:
        raise SystemExit("pydantic-ai: the run's context holds no ToolManager")

    def prepare_bare(arguments: dict[str, Any]) -> Callable[[], Awaitable[Any]]:
        async def call() -> Any:
            valid = tool.args_validator.validate_python(arguments)
            return await toolset.call_tool("kb_search", valid, context, tool)

        return call

    return [
        DispatchPath(
            name="FunctionToolset.call_tool",
            checks=CHECKS,
            prepare=prepare_bare,
            unpack=lambda result: result,
        ),
        DispatchPath(
            name="ToolManager.handle_call",
            checks=CHECKS,
            prepare=through(manager),
            unpack=lambda result: result,
        ),
        DispatchPath(
            name="ToolManager.handle_call (as Agent.run builds it)",
            checks=CHECKS,
            prepare=through(run_manager),
            unpack=lambda result: result,
        ),
    ]


if __name__ == "__main__":
    main("pydantic-ai", "pydantic-ai-slim", build)
