"""A write that is approved."""

from typing import Any

from antiphon import Context, ok


def execute(args: dict[str, Any], context: Context) -> Any:
    return ok({"approved": True})
