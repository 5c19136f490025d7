"""Times langchain-core: `BaseTool.ainvoke` with a ToolCall, as its agents' tool nodes do."""

# ruff: noqa: ARG001 the tool gives one answer whatever it is asked: dispatch is what is timed

import json
from collections.abc import Awaitable, Callable
from typing import Any

from harness import DispatchPath, KbFilters, Namespace, TopK, kb_results, main

# isort: split
from langchain_core.tools import tool


@tool
async def kb_search(
    query: str, namespace: Namespace = "studio", top_k: TopK = 5, filters: KbFilters | None = None
) -> dict[str, Any]:
    """Search the knowledge base."""
    return kb_results()


def prepare(arguments: dict[str, Any]) -> Callable[[], Awaitable[Any]]:
    call = {"name": "kb_search", "args": arguments, "id": "call-1", "type": "tool_call"}
    return lambda: kb_search.ainvoke(call)


async def build() -> list[DispatchPath]:
    return [
        DispatchPath(
            name="BaseTool.ainvoke(ToolCall)",
            checks="types, ranges and enums by Pydantic (coerces; drops unknown keys)",
            prepare=prepare,
            unpack=lambda message: json.loads(message.content),
        )
    ]


if __name__ == "__main__":
    main("langchain-core", "langchain-core", build)
