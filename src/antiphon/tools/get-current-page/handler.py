"""Current page of the person's browser, which answers."""

from __future__ import annotations

from typing import Any

from antiphon import ErrorType, fail


async def execute(args: dict[str, Any], context: Any) -> Any:
    return fail(ErrorType.UNAVAILABLE, "get_current_page runs in the browser.")
