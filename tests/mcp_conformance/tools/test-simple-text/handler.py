"""A text."""

from typing import Any

from antiphon import Context, ok


def execute(args: dict[str, Any], context: Context) -> Any:
    return ok(
        {"content": [{"type": "text", "text": "This is a simple text response for testing."}]}
    )
