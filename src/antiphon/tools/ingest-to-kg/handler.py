"""Ingestion of a text into a knowledge database."""

from __future__ import annotations

from typing import Any

from antiphon import ErrorType, ToolError, ok

# Written down with everything that is learned from the text.
SOURCE = "conversation"


async def prepare(args: dict[str, Any], context: Any) -> dict[str, Any]:
    """Refuse what cannot be ingested before a task is made of the call."""
    if not args["text"].strip():
        raise ToolError(
            ErrorType.VALIDATION,
            "The text is blank; there is nothing to add.",
            errors=[{"pointer": "/text", "message": "is blank", "expected": "a text with words"}],
        )
    await context.knowledge.check([args["database_id"]])
    return args


async def execute(args: dict[str, Any], context: Any) -> Any:
    # A call that another call makes is no task and comes here at once.
    await prepare(args, context)

    def told(done: int, total: int) -> None:
        words = "Reading the text" if done * 2 < total else "Writing to the graph"
        context.progress(words, round(done / total, 3))

    report = await context.knowledge.ingest(
        args["database_id"],
        args["text"],
        SOURCE,
        last_updated=context.now().isoformat("T", "seconds"),
        progress=told,
    )
    return ok({"database_id": args["database_id"], "report": report})
