"""Redact pointers: the values of a call that a contract does not want written down."""

from __future__ import annotations

from typing import Any

# So many letters of a value give it away in a message, which may cut it short.
_TELLING = 8


def values_at(value: Any, pointer: str) -> list[Any]:
    """The values that a redact pointer leads to; `*` stands for any item."""
    found = [value]
    for part in pointer.split("/")[1:]:
        name = part.replace("~1", "/").replace("~0", "~")
        below: list[Any] = []
        for each in found:
            if isinstance(each, dict):
                below += each.values() if name == "*" else [each[name]] if name in each else []
            elif isinstance(each, list):
                if name == "*":
                    below += each
                elif name.isdecimal() and int(name) < len(each):
                    below.append(each[int(name)])
        found = below
    return found


def quotes_redacted(words: str, args: Any, pointers: tuple[str, ...]) -> bool:
    """Whether words about some arguments quote what the pointers lead to."""
    return any(
        isinstance(value, str) and value != "" and value[:_TELLING] in words
        for pointer in pointers
        for value in values_at(args, pointer)
    )
