"""JSON parser that keeps numbers as written and notes duplicate keys."""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import Any

from antiphon import ToolError
from antiphon.toolkit import invalid

DEEPEST = 200


@dataclass(frozen=True)
class JsonNumber:
    """Number as it was written: 1.10 stays 1.10 and no digit of a long one is lost."""

    text: str


def parse_json(text: str) -> tuple[Any, list[str]]:
    repeated: dict[str, None] = {}

    def gather(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
        found = dict(pairs)
        if len(found) < len(pairs):
            seen: set[str] = set()
            for key, _ in pairs:
                if key in seen:
                    repeated[key[:200]] = None
                seen.add(key)
        return found

    def refuse(word: str) -> Any:
        raise invalid("/text", f"JSON has no {word}; write a number, null or text.")

    try:
        value = json.loads(
            text.removeprefix("\ufeff"),
            parse_int=JsonNumber,
            parse_float=JsonNumber,
            parse_constant=refuse,
            object_pairs_hook=gather,
        )
    except json.JSONDecodeError as error:
        near = text.split("\n")[error.lineno - 1 : error.lineno] or [""]
        shown = near[0][max(0, error.colno - 21) : error.colno + 19]
        raise invalid(
            "/text",
            f"no JSON at line {error.lineno}, column {error.colno}: {error.msg}; near {shown!r}.",
            line=error.lineno,
            column=error.colno,
        ) from None
    except RecursionError:
        raise too_deep() from None
    if depth(value) > DEEPEST:
        raise too_deep()
    return value, list(repeated)


def depth(value: Any) -> int:
    level, waiting = 0, [value]
    while waiting and level <= DEEPEST:
        inner: list[Any] = []
        for one in waiting:
            if isinstance(one, dict):
                inner += [item for item in one.values() if isinstance(item, (dict, list))]
            elif isinstance(one, list):
                inner += [item for item in one if isinstance(item, (dict, list))]
        level, waiting = level + 1, inner
    return level


def too_deep() -> ToolError:
    return invalid("/text", f"it is nested more than {DEEPEST} levels deep.")
