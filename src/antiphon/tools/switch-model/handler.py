"""Model switch, done by the browser."""

from __future__ import annotations

from typing import Any

from antiphon import ErrorType, fail


async def execute(args: dict[str, Any], context: Any) -> Any:
    return fail(ErrorType.UNAVAILABLE, "switch_model runs in the browser.")
