"""An argument in a header."""

from typing import Any

from antiphon import Context, ok


def execute(args: dict[str, Any], context: Context) -> Any:
    return ok({"region": args["region"]})
