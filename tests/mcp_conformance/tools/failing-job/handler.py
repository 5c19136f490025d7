"""A job that fails."""

import asyncio
from typing import Any

from antiphon import Context, ErrorType, fail


async def execute(args: dict[str, Any], context: Context) -> Any:
    await asyncio.sleep(0.1)
    return fail(ErrorType.PERMANENT, "It failed, as it should.")
