"""Template filling: `{{ name }}` placeholders of a text replaced by values."""

from __future__ import annotations

import json
import re
from typing import Any

from antiphon import ok
from antiphon.toolkit import invalid

PLACE = re.compile(r"\{\{([^{}\n]{0,200})\}\}")
NAME = re.compile(r"[^\W\d]\w*(?:\.\w+)*")
FILTERS = ("upper", "lower", "title", "trim", "json", "count")
MOST = 2_000_000


def execute(args: dict[str, Any], context: Any) -> Any:
    filling = TemplateFill(args["values"], args["missing"])
    text = filling.fill(args["template"])
    if filling.missing and args["missing"] == "error":
        names = ", ".join(list(filling.missing)[:20])
        raise invalid(
            "/values",
            f"there is no value for {names}; add it, give a default as in "
            "{{ name | default: text }}, or set `missing` to keep or blank.",
        )
    unused = [name for name in args["values"] if name not in filling.roots]
    return ok(
        {
            "text": text,
            "filled": filling.filled,
            "missing": list(filling.missing)[:100],
            "unused": sorted(unused)[:100],
        }
    )


class TemplateFill:
    """One pass over a template; values are inserted as they are and not read again."""

    def __init__(self, values: dict[str, Any], missing: str) -> None:
        self.values, self.mode = values, missing
        self.missing: dict[str, None] = {}  # in their order
        self.roots: set[str] = set()
        self.filled = 0
        self.size = 0

    def fill(self, template: str) -> str:
        self.size = len(template)
        return PLACE.sub(self.one, template)

    def one(self, found: re.Match[str]) -> str:
        name, *filters = (part.strip() for part in found[1].split("|"))
        if not NAME.fullmatch(name):
            raise invalid(
                "/template",
                f"{found[0][:60]!r} names no value; write {{{{ name }}}} or {{{{ a.b }}}}.",
            )
        self.roots.add(name.partition(".")[0])
        there, value = self.look_up(name)
        for one in filters:
            there, value = self.apply(one, there, value)
        if not there:
            self.missing[name] = None
            return found[0] if self.mode == "keep" else ""
        self.filled += 1
        text = to_text(value)
        self.size += len(text)
        if self.size > MOST:
            raise invalid("/template", f"the result would be longer than {MOST} characters.")
        return text

    def look_up(self, name: str) -> tuple[bool, Any]:
        value: Any = self.values
        for part in name.split("."):
            if isinstance(value, dict) and part in value:
                value = value[part]
            elif isinstance(value, list) and part.isdecimal() and int(part) < len(value):
                value = value[int(part)]
            else:
                return False, None
        return True, value

    def apply(self, text: str, there: bool, value: Any) -> tuple[bool, Any]:
        word, colon, rest = text.partition(":")
        word = word.strip()
        if word == "default" and colon:
            return (there, value) if there and value not in ("", None) else (True, rest.strip())
        if word not in FILTERS:
            raise invalid(
                "/template",
                f"there is no filter {word[:40]!r}; there are {', '.join(FILTERS)} and "
                "default: text.",
            )
        return there, apply_filter(word, value) if there else None


def apply_filter(word: str, value: Any) -> Any:
    match word:
        case "json":
            return json.dumps(value, ensure_ascii=False)
        case "count":
            return len(value) if isinstance(value, (list, dict, str)) else 1
        case "upper":
            return to_text(value).upper()
        case "lower":
            return to_text(value).lower()
        case "title":
            return to_text(value).title()
    return to_text(value).strip()


def to_text(value: Any) -> str:
    if isinstance(value, str):
        return value
    if isinstance(value, list) and not any(isinstance(one, (dict, list)) for one in value):
        return ", ".join(to_text(one) for one in value)
    if value is None:
        return ""
    return json.dumps(value, ensure_ascii=False)
