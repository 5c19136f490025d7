"""JSON serializer that writes every number as it was read."""

from __future__ import annotations

import json
from typing import Any

from .parser import JsonNumber


def write(value: Any, indent: int | None, sort_keys: bool, longest: int) -> str | None:
    """Serialize the value; return None if the text would be longer than `longest`."""
    writer = JsonWriter(indent, sort_keys, longest)
    writer.value(value, 0)
    return "".join(writer.out) if writer.room >= 0 else None


class JsonWriter:
    def __init__(self, indent: int | None, sort_keys: bool, longest: int) -> None:
        self.indent, self.sort_keys, self.room = indent, sort_keys, longest
        self.out: list[str] = []

    def put(self, text: str) -> None:
        self.room -= len(text)
        if self.room >= 0:
            self.out.append(text)

    def value(self, value: Any, level: int) -> None:
        if isinstance(value, JsonNumber):
            self.put(value.text)
        elif isinstance(value, dict) and value:
            keys = sorted(value) if self.sort_keys else list(value)
            colon = ":" if self.indent is None else ": "
            self.group("{}", [(quoted(key) + colon, value[key]) for key in keys], level)
        elif isinstance(value, list) and value:
            self.group("[]", [("", one) for one in value], level)
        else:
            self.put(quoted(value))

    def group(self, ends: str, items: list[tuple[str, Any]], level: int) -> None:
        inside = "" if self.indent is None else "\n" + " " * (self.indent * (level + 1))
        after = "" if self.indent is None else "\n" + " " * (self.indent * level)
        self.put(ends[0])
        for index, (label, one) in enumerate(items):
            if self.room < 0:
                return
            self.put(("," if index else "") + inside + label)
            self.value(one, level + 1)
        self.put(after + ends[1])


def quoted(value: Any) -> str:
    text = json.dumps(value, ensure_ascii=False)
    # Half a surrogate pair is JSON only as an escape.
    return text if not isinstance(value, str) or is_whole(value) else json.dumps(value)


def is_whole(text: str) -> bool:
    return not any("\ud800" <= char <= "\udfff" for char in text)
