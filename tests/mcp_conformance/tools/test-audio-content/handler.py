"""A sound."""

from typing import Any

from antiphon import Context, ok

WAV = "UklGRiQAAABXQVZFZm10IBAAAAABAAEAQB8AAEAfAAABAAgAZGF0YQAAAAA="


def execute(args: dict[str, Any], context: Context) -> Any:
    return ok({"content": [{"type": "audio", "data": WAV, "mimeType": "audio/wav"}]})
