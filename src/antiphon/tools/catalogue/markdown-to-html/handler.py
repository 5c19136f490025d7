"""Markdown to safe HTML by markdown-it: no raw HTML passes, links lead only where people expect."""

from __future__ import annotations

from typing import Any

from antiphon import ok


def execute(args: dict[str, Any], context: Any) -> Any:
    # Imported by the call: markdown-it takes longer to import than most texts to convert.
    from .document import MarkdownDocument

    document = MarkdownDocument(args["text"], heading_ids=args["heading_ids"])
    return ok(
        {
            "html": document.html,
            "headings": document.headings[:500],
            "links": document.links[:500],
            "refused_links": document.refused[:100],
        }
    )
