"""Extraction of marks such as TODO from any text."""

from __future__ import annotations

import re
from collections import Counter
from typing import Any

from antiphon import ok

MOST = 500
DATE = re.compile(r"\b\d{4}-\d\d-\d\d\b")
CLOSING = re.compile(r"(?:\*/|-->|#\}|%>)$")


def execute(args: dict[str, Any], context: Any) -> Any:
    marks = "|".join(sorted({mark.upper() for mark in args["marks"]}, key=len, reverse=True))
    pattern = re.compile(rf"(?<!\w)({marks})(?:\(([^()\n]{{1,80}})\))?(?::|\s|$)(.*)")
    items = []
    for number, line in enumerate(args["text"].splitlines(), start=1):
        if found := pattern.search(line[:5000]):
            said = CLOSING.sub("", found[3].rstrip()).rstrip().strip(" \t:-")
            item: dict[str, Any] = {"mark": found[1], "line": number, "text": said[:500]}
            if found[2]:
                item["owner"] = found[2].strip()
            if due := DATE.search(said):
                item["due"] = due[0]
            items.append(item)
    counts = Counter(item["mark"] for item in items)
    return ok({"items": items[:MOST], "count": len(items), "by_mark": dict(counts)})
