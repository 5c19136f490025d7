"""An embedded resource."""

from typing import Any

from antiphon import Context, ok


def execute(args: dict[str, Any], context: Context) -> Any:
    resource = {
        "uri": "test://embedded-resource",
        "mimeType": "text/plain",
        "text": "This is an embedded resource content.",
    }
    return ok({"content": [{"type": "resource", "resource": resource}]})
