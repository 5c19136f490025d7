"""A function whose process is killed in the middle of a call; run as a program it is that process.

`python -m tests.registry.recoverable_functions STORE`
"""

from __future__ import annotations

import asyncio
import sys

from antiphon import Orchestrator, Registry, ToolCall, tool

CALL = ToolCall("call_00000001", "transfer", {"sum": 5})


@tool(side_effects="writes", confirm=False)
async def transfer(sum: int) -> str:
    """Transfer a sum.

    Args:
        sum: In euros.
    """
    print("started", flush=True)
    await asyncio.Event().wait()
    return f"{sum} euros"


@transfer.reconcile
async def look_up(key: str, sum: int) -> str | None:
    """Find the transfer at the bank."""
    return f"{sum} euros, found by {key}"


async def main(store: str) -> None:
    """Begin a transfer, and never end it."""
    from tests.registry.recoverable_functions import transfer

    async with Orchestrator(Registry.of(transfer), store=store) as orchestrator:
        session = orchestrator.session("text", "ada", id="s1")
        await orchestrator.save(session)
        await session.dispatch(CALL)


if __name__ == "__main__":
    asyncio.run(main(sys.argv[1]))
