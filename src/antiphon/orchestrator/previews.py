"""Previews: what a person is asked to approve, in plain words, from a tool's schema and arguments.

Arguments come from a model and may hold anything, so a preview is built to be read as it is: dates
are absolute, what is left out is counted, text that could pass for another part of the preview is
quoted, and characters that would hide or reorder it are made visible.
"""

from __future__ import annotations

import math
import re
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import tzinfo
from typing import Any

from antiphon.contracts import ToolDefinition
from antiphon.orchestrator.times_in_words import find_zone
from antiphon.orchestrator.values_in_words import (
    MAX_DEPTH,
    MAX_DISPLAY,
    MAX_LABEL,
    Entry,
    Hidden,
    Writer,
    number_in_words,
)
from antiphon.orchestrator.visible_text import (
    HIDDEN,
    REPLACEMENT,
    capital,
    clean,
    shorten,
    words_of,
)

MAX_TEXT = 400
MAX_FIELDS = 32
MAX_ACTION = 120
MAX_VALUE = 1000  # characters of one field's `value`

_HIDDEN = Hidden()


@dataclass(frozen=True, slots=True)
class Preview:
    """`fields` are {name, label, value, display}: `display` is for reading, `value` is the
    argument itself, cleaned and cut to a bounded size."""

    title: str
    text: str
    fields: list[dict[str, Any]]


def render_preview(
    definition: ToolDefinition,
    args: dict[str, Any],
    *,
    zone: str | tzinfo = "UTC",
    redact: bool = True,
    words: Mapping[str, str] | None = None,
) -> Preview:
    """What this call would do. Any schema and arguments can be rendered. `words` are the tool's own
    for some arguments, by name: what they will bring about here.

    Raises ValueError when `zone` is not a time zone.
    """
    shown: Any = args
    for pointer in definition.redact if redact else ():
        shown = _redacted(shown, _tokens(pointer))
    where = find_zone(zone) if isinstance(zone, str) else zone
    writer = Writer(definition.parameters, where)
    # A redact pointer may name the arguments as a whole.
    entries = writer.entries(dict.fromkeys(args, _HIDDEN) if shown is _HIDDEN else shown)
    named = _named(definition, entries)
    action = _action(definition)
    told = entries[:MAX_FIELDS]
    own = {name: clean(text, MAX_DISPLAY) for name, text in (words or {}).items()}
    if named is not None:
        # "Delete the macro “good day”" says all that this argument has to say.
        verb, noun = words_of(definition.tool_id).split(" ", 1)
        value = writer.spoken(named).removeprefix(f"{named.label}: ")
        action = f"{capital(verb)} the {noun} {value}"
        told = [entry for entry in told if entry is not named]
    fields = [
        {
            "name": entry.name,
            "label": entry.label,
            "value": _bounded(entry.value),
            "display": own.get(entry.name) or writer.display(entry),
        }
        for entry in entries[:MAX_FIELDS]
    ]
    if len(entries) > MAX_FIELDS:
        more = len(entries) - MAX_FIELDS
        fields.append({"name": "", "label": "Not shown", "value": more, "display": f"{more} more"})
    return Preview(
        title=f"{action} ({clean(definition.tool_id, 64)})",
        text=_sentences(
            action,
            [
                f"{entry.label}: {own[entry.name]}" if entry.name in own else writer.spoken(entry)
                for entry in told
            ],
            [entry for entry in entries if entry is not named],
        ),
        fields=fields,
    )


# -- the sentences ----------------------------------------------------------------------------

_CLAUSE_END = re.compile(r"[.!?](?=\s+[^\sa-z]|\s*$)|;(?=\s|$)|\s[\u2013\u2014-]\s")


def _named(definition: ToolDefinition, entries: list[Entry]) -> Entry | None:
    """The argument that names the one thing which a tool such as `delete_macro` is about."""
    verb, _, noun = definition.tool_id.partition("_")
    first = definition.description.split(" ", 1)[0].casefold()
    if not noun or first != verb:
        return None
    own = (noun, f"{noun}_id", f"{noun}_name")
    found = [each for each in entries if each.name in own and isinstance(each.value, str)]
    return found[0] if len(found) == 1 and found[0].value.strip() else None


def _action(definition: ToolDefinition) -> str:
    """The first clause of the description, or the tool's name when there is none."""
    description = clean(definition.description, 4 * MAX_ACTION)
    clause = _CLAUSE_END.split(description, maxsplit=1)[0].strip()
    return capital(shorten(clause or words_of(clean(definition.tool_id, 64)) or "Run", MAX_ACTION))


def _sentences(action: str, parts: list[str], entries: list[Entry]) -> str:
    """The action, then as many parts as fit; how many did not is said, never passed over."""
    text = f"{action}."
    if not parts:
        return text
    body = ""
    for index, part in enumerate(parts):
        longer = f"{body}; {part}" if body else part
        left = len(entries) - index - 1
        tail = f"; and {left} more." if left else "."
        if len(f"{text} {longer}{tail}") > MAX_TEXT:
            return f"{text} {body}; and {left + 1} more."
        body = longer
    left = len(entries) - len(parts)
    return f"{text} {body}; and {left} more." if left else f"{text} {body}."


# -- redaction and bounded copies -------------------------------------------------------------


def _tokens(pointer: str) -> list[str]:
    return [part.replace("~1", "/").replace("~0", "~") for part in pointer.split("/")[1:]]


def _redacted(value: Any, tokens: list[str]) -> Any:
    """The value with what the pointer leads to hidden; the rest is shared, nothing is changed."""
    if not tokens:
        return _HIDDEN
    token, rest = tokens[0], tokens[1:]
    if isinstance(value, dict) and token in value:
        return {**value, token: _redacted(value[token], rest)}
    if isinstance(value, list) and re.fullmatch(r"0|[1-9][0-9]{0,8}", token):
        index = int(token)
        if index < len(value):
            return [*value[:index], _redacted(value[index], rest), *value[index + 1 :]]
    return value


class _Room:
    __slots__ = ("chars",)

    def __init__(self, chars: int) -> None:
        self.chars = chars


def _bounded(value: Any, room: _Room | None = None, depth: int = 0) -> Any:
    """A JSON copy of at most about MAX_VALUE characters; `…` stands where something was cut."""
    room = room or _Room(MAX_VALUE)
    room.chars -= 8
    if value is None or isinstance(value, bool):
        return value
    if isinstance(value, int):
        return value if -(2**63) <= value < 2**64 else number_in_words(value)
    if isinstance(value, float):
        return value if math.isfinite(value) else number_in_words(value)
    if isinstance(value, Hidden):
        return HIDDEN
    if not isinstance(value, dict | list):
        text = clean(str(value), max(room.chars, 8))
        room.chars -= len(text)
        return text
    if depth > 2 * MAX_DEPTH or room.chars <= 0:
        return "\u2026"
    if isinstance(value, list):
        items: list[Any] = []
        for item in value:
            if room.chars <= 0:
                items.append("\u2026")
                break
            items.append(_bounded(item, room, depth + 1))
        return items
    members: dict[str, Any] = {}
    for key, item in value.items():
        if room.chars <= 0:
            members["\u2026"] = "\u2026"
            break
        name = clean(str(key), MAX_LABEL)
        while name in members:  # two keys that differ only in what cannot be seen
            name += REPLACEMENT
        room.chars -= len(name)
        members[name] = _bounded(item, room, depth + 1)
    return members
