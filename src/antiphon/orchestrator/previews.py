"""Previews: what a person is asked to approve, in plain words, from a tool's schema and arguments.

Arguments come from a model and may hold anything, so a preview is built to be read as it is: dates
are absolute, what is left out is counted, text that could pass for another part of the preview is
quoted, and characters that would hide or reorder it are made visible.
"""

from __future__ import annotations

import math
import re
import unicodedata
from collections import Counter
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass, replace
from datetime import UTC, date, datetime, time, tzinfo
from typing import Any
from zoneinfo import ZoneInfo

from antiphon.contracts import ToolDefinition
from antiphon.registry.schemas import Document, Path, json_type

MAX_TEXT = 400
MAX_FIELDS = 32
MAX_ACTION = 120
MAX_LABEL = 60
MAX_DISPLAY = 200  # of one field
MAX_SPOKEN = 80  # of one field within the text
MAX_VALUE = 1000  # characters of one field's `value`
MIN_CUT = 40  # shorter than this a text says nothing
MAX_DEPTH = 3
MAX_VIEWS = 64

HIDDEN = "hidden"
_RESERVED = frozenset({HIDDEN, "none", "empty", "yes", "no"})


@dataclass(frozen=True, slots=True)
class Preview:
    """`fields` are {name, label, value, display}: `display` is for reading, `value` is the
    argument itself, cleaned and cut to a bounded size."""

    title: str
    text: str
    fields: list[dict[str, Any]]


class _Hidden:
    """Stands where a redacted value was, so that no later step can show it."""


_HIDDEN = _Hidden()


def render_preview(
    definition: ToolDefinition,
    args: dict[str, Any],
    *,
    zone: str = "UTC",
    redact: bool = True,
) -> Preview:
    """What this call would do. Any schema and arguments can be rendered.

    Raises ValueError when `zone` is not a time zone.
    """
    shown: Any = args
    for pointer in definition.redact if redact else ():
        shown = _redacted(shown, _tokens(pointer))
    writer = _Writer(definition.parameters, find_zone(zone))
    # A redact pointer may name the arguments as a whole.
    entries = writer.entries(dict.fromkeys(args, _HIDDEN) if shown is _HIDDEN else shown)
    action = _action(definition)
    fields = [
        {
            "name": entry.name,
            "label": entry.label,
            "value": _bounded(entry.value),
            "display": writer.display(entry),
        }
        for entry in entries[:MAX_FIELDS]
    ]
    if len(entries) > MAX_FIELDS:
        more = len(entries) - MAX_FIELDS
        fields.append({"name": "", "label": "Not shown", "value": more, "display": f"{more} more"})
    return Preview(
        title=f"{action} ({clean(definition.tool_id, 64)})",
        text=_sentences(action, [writer.spoken(entry) for entry in entries[:MAX_FIELDS]], entries),
        fields=fields,
    )


def find_zone(name: str) -> tzinfo:
    """The time zone of that IANA name. Raises ValueError when there is none."""
    if name == "UTC":
        return UTC
    try:
        return ZoneInfo(name)
    except (KeyError, ValueError, OSError, TypeError):
        raise ValueError(
            f"{name!r} is not a time zone; use an IANA name such as Europe/Berlin"
        ) from None


# -- the sentences ----------------------------------------------------------------------------

_CLAUSE_END = re.compile(r"[.!?](?=\s+[^\sa-z]|\s*$)|;(?=\s|$)|\s[\u2013\u2014-]\s")


def _action(definition: ToolDefinition) -> str:
    """The first clause of the description, or the tool's name when there is none."""
    description = clean(definition.description, 4 * MAX_ACTION)
    clause = _CLAUSE_END.split(description, maxsplit=1)[0].strip()
    return _capital(shorten(clause or _words(clean(definition.tool_id, 64)) or "Run", MAX_ACTION))


def _sentences(action: str, parts: list[str], entries: list[_Entry]) -> str:
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


# -- characters -------------------------------------------------------------------------------

# Seen as nothing or as a blank, though Unicode files them under letters, marks and symbols.
_INVISIBLE = frozenset("\u115f\u1160\u3164\uffa0\u2800\u034f\u17b4\u17b5\u180b\u180c\u180d\u180f")
_JOINERS = frozenset("\u200c\u200d")
_REPLACEMENT = "\ufffd"
_QUOTES = str.maketrans(dict.fromkeys('"\u201c\u201d\u201e\u201f\u2033\uff02', "'"))
_BARE = re.compile(r"""[^\s,;()"\u201c\u201d\u201e\u201f\u2033\uff02\u2026]+(?<![.:!?])""")


def clean(text: str, limit: int) -> str:
    """The text on one line, with nothing invisible in it, shortened to `limit` characters.

    What hides or reorders text becomes a visible mark: dropping it would show an address that
    differs from the one that is used.
    """
    # A text of megabytes costs no more than its two ends.
    cut = len(text) > 4 * limit
    head, tail = (text[: 2 * limit], text[-2 * limit :]) if cut else (text, "")
    cleaned = " ".join(_visible(head).split())
    if cut:
        return _shortened(cleaned, " ".join(_visible(tail).split()), limit)
    return shorten(cleaned, limit)


def _visible(text: str) -> str:
    out: list[str] = []
    marks = 0
    for index, char in enumerate(text):
        if " " <= char <= "~":
            out.append(char)
            marks = 0
            continue
        kind = unicodedata.category(char)
        if char.isspace() or kind == "Cc":
            out.append(" ")
        elif kind in ("Mn", "Me") and not _is_selector(char) and char not in _INVISIBLE:
            # A mark without a letter, or a pile of them, would be drawn over its neighbours.
            marks += 1
            if not out or out[-1] == " ":
                out.append(_REPLACEMENT)
            elif marks <= 3:
                out.append(char)
            continue
        elif _belongs(text, index):
            continue
        elif kind[0] == "C" or char in _INVISIBLE or _is_selector(char):
            out.append(_REPLACEMENT)
        else:
            out.append(char)
        marks = 0
    return "".join(out)


def _is_selector(char: str) -> bool:
    return "\ufe00" <= char <= "\ufe0f" or "\U000e0100" <= char <= "\U000e01ef"


def _belongs(text: str, index: int) -> bool:
    """Whether an invisible character is part of how a script or an emoji is spelled."""
    char = text[index]
    before = text[index - 1] if index else ""
    if char in ("\ufe0e", "\ufe0f"):
        return before >= "\u00a9" and unicodedata.category(before) == "So"
    after = text[index + 1] if index + 1 < len(text) else ""
    return char in _JOINERS and before >= "\u0590" and after >= "\u0590"


def shorten(text: str, limit: int) -> str:
    """Cut at a word; text without words in it keeps its end, where addresses differ."""
    return text if len(text) <= limit else _shortened(text, text, limit)


def _shortened(head: str, tail: str, limit: int) -> str:
    space = head.rfind(" ", limit // 2, limit)
    if space > 0:
        return head[:space].rstrip(" ,;:.") + "\u2026"
    end = limit // 3
    return head[: limit - end - 1].rstrip() + "\u2026" + tail[-end:].lstrip()


def _quoted(text: str) -> str:
    """Text among other text: in quotation marks unless it is one word that means only itself."""
    if not text:
        return "empty"
    if _BARE.fullmatch(text) and text.casefold() not in _RESERVED:
        return text
    return f"\u201c{text.translate(_QUOTES)}\u201d"


def _words(name: str) -> str:
    apart = re.sub(r"(?<=[a-z0-9])(?=[A-Z])", " ", name)
    words = re.sub(r"[_\-\s]+", " ", apart).strip()
    return words if words.isupper() else words.lower()


def _capital(text: str) -> str:
    return text[:1].upper() + text[1:]


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
        return value if -(2**63) <= value < 2**64 else _number(value)
    if isinstance(value, float):
        return value if math.isfinite(value) else _number(value)
    if isinstance(value, _Hidden):
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
            name += _REPLACEMENT
        room.chars -= len(name)
        members[name] = _bounded(item, room, depth + 1)
    return members


# -- values in words --------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class _Entry:
    name: str
    label: str
    value: Any
    paths: tuple[Path, ...]  # the subschemas that speak of it


class _Writer:
    """Puts the arguments of one tool into words, with what its schema says about them."""

    def __init__(self, parameters: Any, zone: tzinfo) -> None:
        try:
            self._document = Document(parameters)
        except ValueError:  # an `$id` that is no address: values are shown as they are
            self._document = Document(True)
        self._zone = zone

    def entries(self, args: dict[str, Any]) -> list[_Entry]:
        """One for each argument, in the schema's order; those of an object one by one."""
        found: list[_Entry] = []
        for entry in self._members(args, ((),), None):
            inside: list[_Entry] = []
            if isinstance(entry.value, dict):
                inside = self._members(entry.value, entry.paths, entry)
            found.extend(inside or [entry])
        labels = Counter(entry.label.casefold() for entry in found)
        return [
            # Two titles may be the same; which argument is meant must still be plain.
            replace(entry, label=f"{shorten(entry.label, 30)} ({shorten(entry.name, 26)})")
            if labels[entry.label.casefold()] > 1
            else entry
            for entry in found
        ]

    def display(self, entry: _Entry) -> str:
        """The value on its own. Quotation marks only where it would pass for something else."""
        shown = self._show(entry.value, entry.paths, MAX_DISPLAY, alone=True)
        return shorten(shown, MAX_DISPLAY)

    def spoken(self, entry: _Entry) -> str:
        """The label and value as part of a sentence."""
        shown = self._show(entry.value, entry.paths, MAX_SPOKEN)
        if len(shown) > 2 * MAX_SPOKEN:
            shown = _count(entry.value)
        return f"{entry.label}: {shown}"

    def _members(
        self, value: dict[str, Any], paths: tuple[Path, ...], parent: _Entry | None
    ) -> list[_Entry]:
        known: dict[str, list[Path]] = {}
        others: list[Path] = []
        for path in self._views(paths, value):
            schema = self._document.node(path)
            properties = schema.get("properties")
            for name in properties if isinstance(properties, dict) else ():
                known.setdefault(name, []).append((*path, "properties", name))
            if isinstance(schema.get("additionalProperties"), dict):
                others.append((*path, "additionalProperties"))
        names = [name for name in known if name in value]
        names += [name for name in value if name not in known]
        found: list[_Entry] = []
        for name in names:
            where = known.get(name, others)
            plain = clean(str(name), MAX_LABEL) or "(unnamed)"
            if name not in known:  # a name that the schema does not have is the caller's own text
                label = _quoted(plain)
            else:
                label = self._title(where) or (_words(plain) if parent else _capital(_words(plain)))
            if parent:
                label = f"{shorten(parent.label, MAX_LABEL // 2)}.{shorten(label, MAX_LABEL // 2)}"
                plain = f"{parent.name}.{plain}"
            found.append(_Entry(plain, label, value[name], tuple(where)))
        return found

    def _title(self, paths: list[Path]) -> str:
        """The title that the property itself has; one behind a `$ref` names the type."""
        for path in paths:
            schema = self._document.node(path)
            if path[-2:-1] == ("properties",) and isinstance(schema, dict):
                title = schema.get("title")
                if isinstance(title, str) and (cleaned := clean(title, MAX_LABEL)):
                    return cleaned
        return ""

    def _views(self, paths: tuple[Path, ...], value: Any) -> list[Path]:
        """Every subschema that speaks of the value: through `$ref`, `allOf`, and the alternatives
        that its type and constants leave open."""
        queue, seen = list(paths), set(paths)
        found: list[Path] = []
        for path in queue:  # grows while it is walked
            schema = self._document.node(path)
            if not isinstance(schema, dict) or not _fits(schema, value):
                continue
            found.append(path)
            nearby: list[Path | None] = [self._target(path, schema)]
            for keyword in ("allOf", "anyOf", "oneOf"):
                branches = schema.get(keyword)
                if isinstance(branches, list):
                    nearby += [(*path, keyword, index) for index in range(len(branches))]
            for step in nearby:
                if step is not None and step not in seen and len(queue) < MAX_VIEWS:
                    seen.add(step)
                    queue.append(step)
        return found

    def _target(self, path: Path, schema: dict[str, Any]) -> Path | None:
        ref = schema.get("$ref")
        if not isinstance(ref, str):
            return None
        try:
            return self._document.resolve(ref, self._document.base(path))
        except ValueError:  # no address; it leads nowhere
            return None

    def _show(
        self, value: Any, paths: tuple[Path, ...], limit: int, depth: int = 0, alone: bool = False
    ) -> str:
        if isinstance(value, _Hidden):
            return HIDDEN
        if value is None or value == [] or value == {}:
            return "none"
        if isinstance(value, bool):
            return "yes" if value else "no"
        if isinstance(value, dict | list):
            if depth == MAX_DEPTH:
                return _count(value)
            parts = (
                self._show_list(value, paths, limit, depth)
                if isinstance(value, list)
                else self._show_members(value, paths, limit, depth)
            )
            return parts if depth == 0 and isinstance(value, list) else f"({parts})"
        views = self._views(paths, value)
        for path in views:
            schema = self._document.node(path)
            words = schema.get("title")
            if path[-2:-1] in (("anyOf",), ("oneOf",)) and "const" in schema:
                # An alternative that is one value: its title is the word for that value.
                if isinstance(words, str) and (cleaned := clean(words, limit)):
                    return cleaned
            elif isinstance(value, str) and (read := _FORMATS.get(str(schema.get("format")))):
                moment = read(value, self._zone)
                if moment is not None:
                    return moment
        if isinstance(value, int | float):
            return _number(value)
        text = clean(str(value), limit)
        return text if alone and text and text.casefold() not in _RESERVED else _quoted(text)

    def _show_list(self, value: list[Any], paths: tuple[Path, ...], limit: int, depth: int) -> str:
        views = self._views(paths, value)
        shown = len(value) if len(value) <= 3 else 2
        parts = []
        for index, item in enumerate(value[:shown]):
            where: list[Path] = []
            for path in views:
                schema = self._document.node(path)
                first = schema.get("prefixItems")
                if isinstance(first, list) and index < len(first):
                    where.append((*path, "prefixItems", index))
                elif isinstance(schema.get("items"), dict):
                    where.append((*path, "items"))
            parts.append(self._show(item, tuple(where), max(limit // 2, MIN_CUT), depth + 1))
        return _joined(parts, len(value) - shown)

    def _show_members(
        self, value: dict[str, Any], paths: tuple[Path, ...], limit: int, depth: int
    ) -> str:
        entries = self._members(value, paths, None)
        limit = max(limit // 2, MIN_CUT)
        parts = [
            f"{entry.label}: {self._show(entry.value, entry.paths, limit, depth + 1)}"
            for entry in entries[:3]
        ]
        return _joined(parts, len(entries) - len(parts))


def _joined(parts: list[str], more: int) -> str:
    if more:
        return f"{', '.join(parts)} and {more} more"
    return " and ".join((", ".join(parts[:-1]), parts[-1])) if len(parts) > 1 else parts[0]


def _count(value: Any) -> str:
    size = len(value) if isinstance(value, dict | list) else 1
    noun = "item" if isinstance(value, list) else "detail"
    return f"{size} {noun}{'' if size == 1 else 's'}"


def _fits(schema: dict[str, Any], value: Any) -> bool:
    """Whether the type and constants of a schema leave room for the value."""
    if isinstance(value, _Hidden):
        return True
    kind = json_type(value)
    types = schema.get("type")
    if isinstance(types, str):
        types = [types]
    if (
        isinstance(types, list)
        and kind not in types
        and not (kind == "integer" and "number" in types)
    ):
        return False
    if isinstance(value, dict | list):
        return True
    options = [schema["const"]] if "const" in schema else schema.get("enum")
    return not isinstance(options, list) or any(
        json_type(option) == kind and option == value for option in options
    )


def _number(value: int | float) -> str:
    if isinstance(value, int):
        return str(value) if value.bit_length() <= 128 else "a number of more than 38 digits"
    if math.isnan(value):
        return "not a number"
    if math.isinf(value):
        return "infinity" if value > 0 else "minus infinity"
    return str(int(value)) if value.is_integer() and abs(value) < 1e15 else repr(value)


# -- dates and times --------------------------------------------------------------------------

_DAYS = ("Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday")
_MONTHS = (
    *("January", "February", "March", "April", "May", "June", "July"),
    *("August", "September", "October", "November", "December"),
)
_DATE_TIME = re.compile(
    r"\d{4}-\d\d-\d\d[Tt ]\d\d:\d\d(?::\d\d(?:\.\d+)?)?(?:[Zz]|[+-]\d\d:\d\d)?", re.A
)
_TIME = re.compile(r"\d\d:\d\d(?::\d\d(?:\.\d+)?)?(?:[Zz]|[+-]\d\d:\d\d)?", re.A)
_DATE = re.compile(r"\d{4}-\d\d-\d\d", re.A)
_NUMBER = r"(\d{1,9}(?:\.\d{1,9})?)"
_DURATION = re.compile(
    rf"P(?:{_NUMBER}Y)?(?:{_NUMBER}M)?(?:{_NUMBER}W)?(?:{_NUMBER}D)?"
    rf"(?:T(?:{_NUMBER}H)?(?:{_NUMBER}M)?(?:{_NUMBER}S)?)?",
    re.A,
)
_UNITS = ("year", "month", "week", "day", "hour", "minute", "second")


def _show_date_time(text: str, zone: tzinfo) -> str | None:
    if not _DATE_TIME.fullmatch(text):
        return None
    try:
        moment = datetime.fromisoformat(text.upper())
    except ValueError:
        return None
    if moment.tzinfo is not None:
        with suppress(OverflowError):  # at the ends of the calendar it keeps the offset it has
            moment = moment.astimezone(zone)
    return f"{_day(moment)}, {_clock(moment.timetz())} {_offset(moment)}"


def _show_date(text: str, _zone: tzinfo) -> str | None:
    if not _DATE.fullmatch(text):
        return None
    try:
        return _day(date.fromisoformat(text))
    except ValueError:
        return None


def _show_time(text: str, _zone: tzinfo) -> str | None:
    if not _TIME.fullmatch(text):
        return None
    try:
        moment = time.fromisoformat(text.upper())
    except ValueError:
        return None
    return f"{_clock(moment)} {_offset(moment)}" if moment.tzinfo else _clock(moment)


def _show_duration(text: str, _zone: tzinfo) -> str | None:
    found = _DURATION.fullmatch(text)
    if not found:
        return None
    amounts = [part and re.sub(r"\A0+(?=\d)", "", part) for part in found.groups()]
    parts = [
        f"{amount} {unit}" if amount == "1" else f"{amount} {unit}s"
        for amount, unit in zip(amounts, _UNITS, strict=True)
        if amount
    ]
    return " ".join(parts) or None


def _day(moment: date) -> str:
    return f"{_DAYS[moment.weekday()]} {moment.day} {_MONTHS[moment.month - 1]} {moment.year}"


def _clock(moment: time) -> str:
    """Hours and minutes; seconds and their fraction only where there are any."""
    shown = f"{moment.hour:02}:{moment.minute:02}"
    if moment.second or moment.microsecond:
        shown += f":{moment.second:02}"
    if moment.microsecond:
        shown += f".{moment.microsecond:06}".rstrip("0")
    return shown


def _offset(moment: datetime | time) -> str:
    offset = moment.utcoffset()
    if offset is None:
        return "(no time zone given)"
    seconds = round(offset.total_seconds())
    if not seconds:
        return "UTC"
    hours, rest = divmod(abs(seconds), 3600)
    shown = f"UTC{'-' if seconds < 0 else '+'}{hours:02}:{rest // 60:02}"
    return f"{shown}:{rest % 60:02}" if rest % 60 else shown


_FORMATS: dict[str, Callable[[str, tzinfo], str | None]] = {
    "date-time": _show_date_time,
    "date": _show_date,
    "time": _show_time,
    "duration": _show_duration,
}
