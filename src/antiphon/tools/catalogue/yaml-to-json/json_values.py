"""JSON values from YAML: dates as text, keys as text, and nothing without an end."""

from __future__ import annotations

import base64
import math
from datetime import date
from typing import Any

from antiphon.toolkit import invalid

DEEPEST = 100
MOST_VALUES = 100_000


def to_json(value: Any) -> Any:
    return JsonConversion().value(value, "", DEEPEST)


class JsonConversion:
    """Conversion with a bound: a few aliases of aliases can stand for billions of values."""

    def __init__(self) -> None:
        self.room = MOST_VALUES

    def value(self, value: Any, pointer: str, left: int) -> Any:
        self.room -= 1
        if self.room < 0:
            raise invalid("/text", f"it stands for more than {MOST_VALUES} values.")
        if not left:
            raise invalid("/text", f"it is nested more than {DEEPEST} levels deep.")
        if isinstance(value, dict):
            return self.mapping(value, pointer, left)
        if isinstance(value, (list, tuple, set)):
            items = sorted(value, key=str) if isinstance(value, set) else value
            return [self.value(one, f"{pointer}/{at}", left - 1) for at, one in enumerate(items)]
        if isinstance(value, float) and not math.isfinite(value):
            raise invalid(
                "/text", f"the value at {pointer or '/'} is {value}, which JSON does not have."
            )
        if isinstance(value, date):
            return value.isoformat()
        if isinstance(value, str) and any("\ud800" <= char <= "\udfff" for char in value):
            raise invalid("/text", f"the text at {pointer or '/'} has half of a surrogate pair.")
        return base64.b64encode(value).decode() if isinstance(value, bytes) else value

    def mapping(self, value: dict[Any, Any], pointer: str, left: int) -> dict[str, Any]:
        found: dict[str, Any] = {}
        for key, one in value.items():
            name = self.key(key)
            if name in found:
                raise invalid(
                    "/text", f"the object at {pointer or '/'} has the key {name[:80]!r} twice."
                )
            found[name] = self.value(one, f"{pointer}/{name[:80]}", left - 1)
        return found

    def key(self, key: Any) -> str:
        if isinstance(key, bool) or key is None:
            return {True: "true", False: "false", None: "null"}[key]
        return str(self.value(key, "", 3))
