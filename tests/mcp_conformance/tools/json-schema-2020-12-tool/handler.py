"""A tool with a rich schema."""

from typing import Any

from antiphon import Context, ok


def execute(args: dict[str, Any], context: Context) -> Any:
    return ok({"name": args.get("name", "")})
