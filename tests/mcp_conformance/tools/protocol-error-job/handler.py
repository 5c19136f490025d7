"""A job that breaks."""

from typing import Any

from antiphon import Context


async def execute(args: dict[str, Any], context: Context) -> Any:
    raise RuntimeError("It broke, as it should.")
