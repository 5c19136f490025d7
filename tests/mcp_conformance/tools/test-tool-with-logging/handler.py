"""Reports without a fraction."""

import asyncio
from typing import Any

from antiphon import Context, ok


async def execute(args: dict[str, Any], context: Context) -> Any:
    for words in ("started", "processing data", "completed"):
        context.progress(f"Tool execution {words}")
        await asyncio.sleep(0.02)
    return ok({"done": True})
