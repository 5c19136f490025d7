"""Node search in one knowledge database."""

from __future__ import annotations

import time
from typing import Any

from antiphon import ok

MOST_IN_VOICE = 3


async def execute(args: dict[str, Any], context: Any) -> Any:
    limit = min(args["limit"], MOST_IN_VOICE) if context.mode == "voice" else args["limit"]
    started = time.perf_counter()
    found = await context.knowledge.search(
        args["database_id"],
        args["query"],
        filters={"types": [args["node_type"]]} if "node_type" in args else None,
        k=limit,
    )
    spent = round((time.perf_counter() - started) * 1000, 2)
    for one in found:
        for name in ("source_type", "last_updated", "url"):
            one[name] = one[name] or None
    return ok(
        {
            "database_id": args["database_id"],
            "results": found,
            "count": len(found),
            "query_time_ms": spent,
        }
    )
