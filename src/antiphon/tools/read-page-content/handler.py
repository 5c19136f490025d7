"""Content of the open page, read by the person's browser."""

from __future__ import annotations

from typing import Any

from antiphon import ErrorType, fail


async def execute(args: dict[str, Any], context: Any) -> Any:
    return fail(ErrorType.UNAVAILABLE, "read_page_content runs in the browser.")
