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
from antiphon.orchestrator.preview.sanitize import (
    HIDDEN,
    REPLACEMENT,
    capital,
    clean,
    shorten,
    words_of,
)
from antiphon.orchestrator.preview.times import find_zone
from antiphon.orchestrator.preview.values import (
    MAX_DISPLAY,
    MAX_LABEL,
    MAX_WHOLE_DEPTH,
    ArgumentWriter,
    PreviewEntry,
    RedactedValue,
    number_in_words,
)

MAX_TEXT = 400
MAX_FIELDS = 32  # of those that the text tells
MAX_ACTION = 120
MAX_VALUES = 65_536  # characters of the values of all fields together
MAX_QUESTION = 240  # a longer one nobody listens to
MAX_TITLE = 200
MAX_TELLING = 60  # of a value in the title

_NOTHING: tuple[Any, ...] = (None, "", [], {})

_ANSWER = "Please say yes or no."

_HIDDEN = RedactedValue()


@dataclass(frozen=True, slots=True)
class Preview:
    """The preview of a call. `title` asks for it in one sentence. `fields` are {name, label,
    value, display, full}: `display` is one short line, `full` the same uncut and on several
    lines, `value` the argument itself, cleaned; an optional one that says nothing is `empty`.
    `complete` is False when there is more than can be shown. `question` asks for a yes or no
    aloud and says everything; None when that would be too long, or would say a redacted value."""

    title: str
    text: str
    fields: list[dict[str, Any]]
    complete: bool
    question: str | None


def render_preview(
    definition: ToolDefinition,
    args: dict[str, Any],
    *,
    zone: str | tzinfo = "UTC",
    redact: bool = True,
    words: Mapping[str, str] | None = None,
) -> Preview:
    """Render the preview of a call, for any schema and arguments. `words` are the tool's own for
    some arguments, by name, and under the empty name the title; without that it is the action with
    the values that tell most.

    Raises ValueError when `zone` is not a time zone.
    """
    shown: Any = args
    for pointer in definition.redact if redact else ():
        shown = _redacted(shown, _tokens(pointer))
    where = find_zone(zone) if isinstance(zone, str) else zone
    writer = ArgumentWriter(definition.parameters, where)
    # A redact pointer may name the arguments as a whole.
    entries = writer.entries(dict.fromkeys(args, _HIDDEN) if shown is _HIDDEN else shown)
    named = _named(definition, entries)
    action = _action(definition)
    own = {name: clean(text, MAX_DISPLAY) for name, text in (words or {}).items()}
    optional = _optional(definition)
    # What nobody has set goes without saying.
    meant = [entry for entry in entries if optional.get(entry.name, ...) != entry.value]
    told = meant[:MAX_FIELDS]
    if named is not None:
        # "Delete the macro “good day”" says all that this argument has to say.
        verb, noun = words_of(definition.tool_id).split(" ", 1)
        value = writer.phrase(named).removeprefix(f"{named.label}: ")
        action = f"{capital(verb)} the {noun} {value}"
        told = [entry for entry in told if entry is not named]
    fields, complete = _fields(writer, entries, own)
    for field in fields:
        if field["name"] in optional and field["value"] in _NOTHING:
            field["empty"] = True
    others = [entry for entry in meant if entry is not named]
    parts = [
        f"{entry.label}: {own[entry.name]}" if entry.name in own else writer.phrase(entry)
        for entry in told
    ]
    return Preview(
        # The tool's own sentence may say what is redacted.
        title=(own.get("") if shown is args else None)
        or _title(definition, writer, action, others),
        text=_sentences(action, parts, others),
        fields=fields,
        complete=complete,
        question=_question(writer, action, named, others, own)
        if complete and shown is args
        else None,
    )


def _fields(
    writer: ArgumentWriter, entries: list[PreviewEntry], own: Mapping[str, str]
) -> tuple[list[dict[str, Any]], bool]:
    """The fields of all arguments, as far as there is room; what is left out is counted. `own` are
    the tool's words for some."""
    fields: list[dict[str, Any]] = []
    room = _Room(MAX_VALUES)
    for entry in entries:
        if room.chars <= 0:
            break
        value = _bounded(entry.value, room)
        cut = room.chars <= 0
        fields.append(
            {
                "name": entry.name,
                "label": entry.label,
                "value": value,
                "display": own.get(entry.name) or writer.display(entry),
                "full": own.get(entry.name)
                or (writer.display(entry) if cut else writer.whole(entry)),
            }
        )
    if left := len(entries) - len(fields):
        more = f"{left} more"
        note = {"name": "", "label": "Not shown", "value": left, "display": more, "full": more}
        fields.append(note)
    return fields, room.chars > 0


def _question(
    writer: ArgumentWriter,
    action: str,
    named: PreviewEntry | None,
    others: list[PreviewEntry],
    own: Mapping[str, str],
) -> str | None:
    """The whole call in one question, for somebody who hears it and sees nothing."""
    parts = "; ".join(
        f"{entry.label}: {own[entry.name]}" if entry.name in own else writer.phrase_whole(entry)
        for entry in others
    )
    # Three sentences at most, unless a value has some: voices are brief.
    text = f"{action}? {parts}. {_ANSWER}" if parts else f"{action}? {_ANSWER}"
    # The action names its argument in a short form; only an uncut one says what it is about.
    cut = named is not None and "\u2026" in action
    return None if cut or len(text) > MAX_QUESTION or "\n" in text else text


# -- the sentences ----------------------------------------------------------------------------

_CLAUSE_END = re.compile(r"[.!?](?=\s+[^\sa-z]|\s*$)|;(?=\s|$)|\s[\u2013\u2014-]\s")


def _named(definition: ToolDefinition, entries: list[PreviewEntry]) -> PreviewEntry | None:
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


def _title(
    definition: ToolDefinition, writer: ArgumentWriter, action: str, others: list[PreviewEntry]
) -> str:
    """The action as a question, with the values of up to two arguments: those that have to be given
    come first, and whatever takes more than a few words is left to the fields."""
    required = definition.parameters.get("required")
    names = required if isinstance(required, list) else []
    telling = [
        entry for entry in others if not isinstance(entry.value, RedactedValue | dict | bool)
    ]
    telling.sort(key=lambda entry: entry.name not in names)
    parts: list[str] = []
    for entry in telling:
        label, _, value = writer.phrase(entry).partition(": ")
        if entry.value not in _NOTHING and len(value) <= MAX_TELLING:
            plain = label if label[1:2].isupper() else label[:1].lower() + label[1:]
            parts.append(f"{plain} {value}")
        if len(parts) == 2:
            break
    text = f"{action}: {', '.join(parts)}?" if parts else f"{action}?"
    return text if len(text) <= MAX_TITLE else f"{action}?"


def _optional(definition: ToolDefinition) -> dict[str, Any]:
    """The arguments that may be left out, each with its default where that says nothing."""
    properties = definition.parameters.get("properties")
    required = definition.parameters.get("required")
    found: dict[str, Any] = {}
    for name, schema in (properties if isinstance(properties, dict) else {}).items():
        if not isinstance(required, list) or name not in required:
            default = schema.get("default", ...) if isinstance(schema, dict) else ...
            found[name] = default if default in _NOTHING else ...
    return found


def _sentences(action: str, parts: list[str], entries: list[PreviewEntry]) -> str:
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


def _bounded(value: Any, room: _Room, depth: int = 0) -> Any:
    """A JSON copy, cleaned, that takes its characters out of the room; `…` stands where something
    was cut."""
    room.chars -= 8
    if value is None or isinstance(value, bool):
        return value
    if isinstance(value, int):
        return value if -(2**63) <= value < 2**64 else number_in_words(value)
    if isinstance(value, float):
        return value if math.isfinite(value) else number_in_words(value)
    if isinstance(value, RedactedValue):
        return HIDDEN
    if not isinstance(value, dict | list):
        given = str(value)
        text = clean(given, max(room.chars, 8))
        room.chars = 0 if len(given) > room.chars else room.chars - len(text)
        return text
    if depth > MAX_WHOLE_DEPTH or room.chars <= 0:
        room.chars = 0  # something is missing
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
