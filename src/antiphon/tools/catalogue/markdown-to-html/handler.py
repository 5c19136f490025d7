"""Markdown to safe HTML: no raw HTML passes, links lead only where people expect."""

from __future__ import annotations

from typing import Any

from antiphon import ok

from .blocks import MarkdownPage


def execute(args: dict[str, Any], context: Any) -> Any:
    page = MarkdownPage(heading_ids=args["heading_ids"])
    html = page.render(args["text"])
    return ok(
        {
            "html": html,
            "headings": page.headings[:500],
            "links": page.links[:500],
            "refused_links": page.refused[:100],
        }
    )
