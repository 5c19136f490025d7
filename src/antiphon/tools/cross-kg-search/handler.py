"""Search across several knowledge databases, merged into one ranking."""

from __future__ import annotations

import time
from typing import Any

from antiphon import ok

MOST_DATABASES = 10
MOST_IN_VOICE = 3


async def prepare(args: dict[str, Any], context: Any) -> dict[str, Any]:
    """Refuse databases that do not exist before a task is made of the call."""
    await context.knowledge.check(args.get("database_ids", ()))
    return args


async def execute(args: dict[str, Any], context: Any) -> Any:
    knowledge = context.knowledge
    limit = min(args["limit"], MOST_IN_VOICE) if context.mode == "voice" else args["limit"]
    left_out = 0
    ids = args.get("database_ids")
    if ids is None:
        known = sorted(await knowledge.databases(), key=lambda one: (-one["records"], one["id"]))
        ids = [one["id"] for one in known[:MOST_DATABASES]]
        left_out = len(known) - len(ids)
    started = time.perf_counter()
    found = await knowledge.search_all(args["query"], ids, k=limit)
    spent = round((time.perf_counter() - started) * 1000, 2)
    searched = dict.fromkeys(ids, 0)
    for one in found:
        searched[one["database_id"]] += 1
        for name in ("source_type", "last_updated", "url"):
            one[name] = one[name] or None
    data = {
        "results": found,
        "count": len(found),
        "searched": searched,
        "query_time_ms": spent,
    }
    return ok({**data, "not_searched": left_out} if left_out else data)
