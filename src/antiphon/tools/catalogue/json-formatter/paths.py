"""Paths into JSON: `users[0].name`, `items[*].price`, `["odd key"].x`."""

from __future__ import annotations

import json
import re
from typing import Any

from antiphon.toolkit import invalid

STEP = re.compile(
    r"\.?(?P<name>[^\s.\[\]\"'*]+)|\[(?P<index>-?[0-9]{1,9})\]|\.?\[?(?P<all>\*)\]?"
    r"|\[(?P<quoted>\"(?:[^\"\\]|\\.)*\")\]"
)


def pick(value: Any, path: str) -> list[Any]:
    """Return every value at the path; raise the error of `/path` if there is none."""
    text = path.strip().removeprefix("$")
    found, at = [value], 0
    while at < len(text):
        step = STEP.match(text, at)
        if not step:
            raise invalid(
                "/path", f"{text[at:][:40]!r} is no step; write users[0].name or items[*].price."
            )
        at = step.end()
        before, found = found, [one for here in found for one in follow(here, step)]
        if not found:
            raise invalid(
                "/path", f"nothing is at {path[: at + len(path) - len(text)]!r}; {hint(before)}"
            )
    return found


def follow(value: Any, step: re.Match[str]) -> list[Any]:
    if step["all"]:
        if isinstance(value, dict):
            return list(value.values())
        return value if isinstance(value, list) else []
    if step["index"] is not None:
        index = int(step["index"])
        inside = isinstance(value, list) and -len(value) <= index < len(value)
        return [value[index]] if inside else []
    try:
        name = json.loads(step["quoted"]) if step["quoted"] else step["name"]
    except json.JSONDecodeError:
        raise invalid("/path", f"{step['quoted'][:40]} is no text in JSON.") from None
    return [value[name]] if isinstance(value, dict) and name in value else []


def hint(before: list[Any]) -> str:
    first = before[0] if before else None
    if isinstance(first, dict):
        names = ", ".join(list(first)[:10])
        return f"the object there has {names[:200] or 'no keys'}."
    if isinstance(first, list):
        return f"the array there has {len(first)} items."
    return "there is neither an object nor an array there."
