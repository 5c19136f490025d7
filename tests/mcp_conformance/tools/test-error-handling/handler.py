"""A failure."""

from typing import Any

from antiphon import Context, ErrorType, fail


def execute(args: dict[str, Any], context: Context) -> Any:
    return fail(ErrorType.PERMANENT, "This tool intentionally returns an error for testing")
