"""Extracted items, each with its kind, its value and its place in the text."""

from __future__ import annotations

from typing import Any

Item = dict[str, Any]  # kind, value, raw, start, end and what the kind adds

LISTS = {"email": "emails", "phone": "phones", "url": "urls", "profile": "profiles"}


def vocabulary(text: str) -> frozenset[str]:
    """Return the words that a text lists, for look-up."""
    return frozenset(text.split())


def make_item(kind: str, value: str, text: str, start: int, end: int, **more: Any) -> Item:
    return {
        "kind": kind,
        "key": (kind, value.casefold(), more.get("extension")),
        "value": value,
        "raw": text[start:end],
        "start": start,
        "end": end,
        **more,
    }


def first_of_each(items: list[Item]) -> list[Item]:
    unique: dict[Any, Item] = {}
    for item in items:
        unique.setdefault(item["key"], item)
    return list(unique.values())


def blank(text: str, items: list[Item]) -> str:
    """Overwrite those items in the text, so that positions stay the same."""
    parts, at = [], 0
    for start, end in sorted((item["start"], item["end"]) for item in items):
        parts += [text[at:start], "\0" * (end - start)]
        at = end
    return "".join([*parts, text[at:]])
