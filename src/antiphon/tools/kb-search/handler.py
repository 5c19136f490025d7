"""Knowledge search in one namespace or in every database; results are evidence."""

from __future__ import annotations

import time
from typing import Any

from antiphon import ok

MARKS = ("origin", "sensitivity", "marked")
USUAL = ("snippet", "metadata", "url")
NO_FULL_TEXT = "Full text is not returned in voice mode; the snippet says the most important."


async def execute(args: dict[str, Any], context: Any) -> Any:
    wanted = set(args.get("return_fields", USUAL))
    data: dict[str, Any] = {}
    if "full_text" in wanted and context.mode == "voice":
        wanted = wanted - {"full_text"} | {"snippet"}
        data["note"] = NO_FULL_TEXT
    if not args["include_snippets"]:
        wanted.discard("snippet")
    started = time.perf_counter()
    how = {
        "filters": filters(args.get("filters", {})),
        "k": args["top_k"],
        "full_text": "full_text" in wanted,
    }
    if args["namespace"] == "all":
        found = await context.knowledge.search_all(args["query"], **how)
    else:
        found = await context.knowledge.search(args["namespace"], args["query"], **how)
    spent = round((time.perf_counter() - started) * 1000, 2)
    results = [evidence(one, wanted) for one in found]
    return ok({"results": results, "query_time_ms": spent, "clamped": context.clamped, **data})


def filters(given: dict[str, Any]) -> dict[str, Any]:
    dates = given.get("date_range", {})
    return {
        "types": [given["type"]] if "type" in given else [],
        "tags": given.get("tags", []),
        "since": dates.get("start"),
        "until": dates.get("end"),
    }


def evidence(found: dict[str, Any], wanted: set[str]) -> dict[str, Any]:
    body: dict[str, Any] = {
        "id": found["id"],
        "type": found["type"],
        "title": found["title"],
        "score": found["score"],
        "source_type": found["source_type"] or None,
        "last_updated": found["last_updated"] or None,
    }
    optional = {
        "snippet": found["snippet"],
        "url": found["url"] or None,
        "metadata": found["metadata"],
        "sources": sources(found),
        "full_text": found.get("text"),
    }
    body |= {name: value for name, value in optional.items() if name in wanted}
    body |= {name: found[name] for name in MARKS if name in found}
    return body | {"database_id": found["database_id"]} if "database_id" in found else body


def sources(found: dict[str, Any]) -> list[dict[str, Any]]:
    """Return the origin of a record, and the document that it was learned from."""
    own = {name: found[name] for name in ("source_type", "last_updated", "url") if found[name]}
    metadata = found["metadata"]
    if isinstance(metadata.get("source"), str):
        own["source"] = metadata["source"]
    learned = [{"id": metadata["origin"]}] if isinstance(metadata.get("origin"), str) else []
    return [{"id": found["id"], **own}, *learned]
