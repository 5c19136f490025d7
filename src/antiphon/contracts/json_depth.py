"""JSON depth: how deep arrays and objects are nested in each other."""

from __future__ import annotations

from typing import Any

# Deeper than what people and models write, and far from where a walk over a value would end.
MAX_DEPTH = 64


def is_deeper(value: Any, most: int = MAX_DEPTH) -> bool:
    """Whether arrays and objects are nested deeper than `most`. It does not recurse."""
    level = [value] if _holds(value) else []
    for _ in range(most):
        level = [
            inner
            for each in level
            for inner in (each.values() if type(each) is dict else each)
            if _holds(inner)
        ]
        if not level:
            return False
    return True


def _holds(value: Any) -> bool:
    return type(value) is dict or type(value) is list


def may_be_deeper(text: bytes | str, most: int = MAX_DEPTH) -> bool:
    """Whether a JSON text has brackets enough for it. Most have not, and need no walk."""
    if isinstance(text, str):
        return text.count("[") + text.count("{") > most
    return text.count(b"[") + text.count(b"{") > most
