"""Listing of the knowledge databases."""

from __future__ import annotations

from typing import Any

from antiphon import ok

# More would fill a prompt without helping anybody to choose.
MOST = 200


async def execute(args: dict[str, Any], context: Any) -> Any:
    found = await context.knowledge.databases()
    listed = sorted(found, key=lambda one: (-one["records"], one["id"]))[:MOST]
    data = {
        "databases": [
            {
                "id": one["id"],
                "name": one["title"] or one["id"],
                "description": one["description"],
                "node_count": one["records"],
                "edge_count": one["edges"],
                "updated": one["updated"],
            }
            for one in listed
        ],
        "count": len(found),
    }
    if len(found) > MOST:
        data["note"] = f"Only the {MOST} largest are listed."
    return ok(data)
