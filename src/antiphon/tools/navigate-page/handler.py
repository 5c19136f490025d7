"""Page navigation in the person's browser; which page is meant is resolved here."""

from __future__ import annotations

from typing import Any

from antiphon import ErrorType, fail


async def prepare(args: dict[str, Any], context: Any) -> dict[str, Any]:
    """Replace the page's name by its id; refuse a page that does not exist."""
    return {"path": context.workspace.pages.resolve_path(args["path"])}


async def execute(args: dict[str, Any], context: Any) -> Any:
    return fail(ErrorType.UNAVAILABLE, "navigate_page runs in the browser.")
