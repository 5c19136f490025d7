"""FastMCP over HTTP: a server of the peers' tool at the port that it is given."""

# ruff: noqa: ARG001 the tool gives one answer whatever it is asked

import sys
from typing import Any

from harness import KbFilters, Namespace, TopK, kb_results

# isort: split
from fastmcp import FastMCP

server: FastMCP = FastMCP("peer")


@server.tool
async def kb_search(
    query: str, namespace: Namespace = "studio", top_k: TopK = 5, filters: KbFilters | None = None
) -> dict[str, Any]:
    """Search the knowledge base."""
    return kb_results()


if __name__ == "__main__":
    server.run(transport="http", host="127.0.0.1", port=int(sys.argv[1]), show_banner=False)
