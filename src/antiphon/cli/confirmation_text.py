"""A confirmation request as terminal text: what would be done, with every value in full."""

from __future__ import annotations

from typing import Any


def confirmation_text(request: dict[str, Any]) -> str:
    """The title, then each argument; further lines of a value are indented."""
    lines = [request["title"]]
    for field in request["fields"]:
        lines.append(f"  {field['label']}: " + field["full"].replace("\n", "\n    "))
    if not request["complete"]:
        lines.append("  There is more than can be shown here.")
    return "\n".join(lines)
