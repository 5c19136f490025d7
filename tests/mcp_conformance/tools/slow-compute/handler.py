"""A slow computation."""

import asyncio
from typing import Any

from antiphon import Context, ok


async def execute(args: dict[str, Any], context: Context) -> Any:
    await asyncio.sleep(args["seconds"])
    return ok({"label": args["label"]})
