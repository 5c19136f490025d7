"""The handler of a tool directory with a typed context, for type checkers in their strict mode."""

from __future__ import annotations

from collections.abc import AsyncIterator
from typing import Any

from antiphon import Budget, Context, ErrorType, Policy, ToolError, ok

POLICY = Policy(voice=Budget(top_k=3))


async def execute(args: dict[str, Any], context: Context) -> Any:
    context.progress("begun", 0.5)
    key: str = context.idempotency_key
    zone: str | None = context.session.time_zone
    found: list[dict[str, Any]] = await context.knowledge.search("studio", args["text"], k=3)
    other = await context.call_tool("kb_search", {"query": key})
    if not other["ok"] or zone is None:
        raise ToolError(ErrorType.PERMANENT, "Not found.")
    await context.messaging.send({"type": "note"})
    context.audit.log("found", {"count": len(found)})
    until: float = await context.users.block(60, "rude")
    return ok({"found": found, "crm": context.capabilities["crm"], "until": until})


async def steps(args: dict[str, Any], context: Context) -> AsyncIterator[Any]:
    yield {"message": f"half of {len(args)}", "fraction": 0.5}
    yield ok({}, intents=[context.voice.end_session()])


async def mistaken(context: Context) -> int:
    """A checker that no longer found these two would find the comments needless."""
    context.progres("begun")  # type: ignore[attr-defined]  # pyright: ignore
    return context.idempotency_key  # type: ignore[return-value]  # pyright: ignore
