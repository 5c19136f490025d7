"""A greeting."""

from typing import Any

from antiphon import Context, ok


def execute(args: dict[str, Any], context: Context) -> Any:
    return ok({"content": [{"type": "text", "text": f"Hello, {args['name']}!"}]})
