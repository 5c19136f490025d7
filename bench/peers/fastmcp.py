"""Times fastmcp: `FastMCP.call_tool`, the server's own path to a tool (no transport)."""

# ruff: noqa: ARG001 the tool gives one answer whatever it is asked: dispatch is what is timed

from collections.abc import Awaitable, Callable
from typing import Any

from harness import DispatchPath, KbFilters, Namespace, TopK, kb_results, main

# isort: split
from fastmcp import FastMCP

server: FastMCP = FastMCP("peer")


@server.tool
async def kb_search(
    query: str, namespace: Namespace = "studio", top_k: TopK = 5, filters: KbFilters | None = None
) -> dict[str, Any]:
    """Search the knowledge base."""
    return kb_results()


def prepare(arguments: dict[str, Any]) -> Callable[[], Awaitable[Any]]:
    return lambda: server.call_tool("kb_search", arguments)


async def build() -> list[DispatchPath]:
    return [
        DispatchPath(
            name="FastMCP.call_tool",
            checks="types, ranges and enums by Pydantic (coerces)",
            prepare=prepare,
            unpack=lambda result: result.structured_content,
        )
    ]


if __name__ == "__main__":
    main("fastmcp", "fastmcp", build)
