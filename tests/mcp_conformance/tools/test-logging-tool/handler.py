"""One report."""

from typing import Any

from antiphon import Context, ok


def execute(args: dict[str, Any], context: Context) -> Any:
    context.progress("Tool execution started")
    return ok({"done": True})
