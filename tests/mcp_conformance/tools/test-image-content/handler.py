"""An image."""

from typing import Any

from antiphon import Context, ok

PNG = (
    "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8"
    "z8DwHwAFBQIAX8jx0gAAAABJRU5ErkJggg=="
)


def execute(args: dict[str, Any], context: Context) -> Any:
    return ok({"content": [{"type": "image", "data": PNG, "mimeType": "image/png"}]})
