"""Progress."""

import asyncio
from typing import Any

from antiphon import Context, ok


async def execute(args: dict[str, Any], context: Context) -> Any:
    for fraction in (0.0, 0.5, 1.0):
        context.progress(f"{fraction:.0%}", fraction)
        await asyncio.sleep(0.02)
    return ok({"done": True})
