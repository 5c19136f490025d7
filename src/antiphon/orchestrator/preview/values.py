"""Argument values in words, with the titles and formats that the tool's schema has for them."""

from __future__ import annotations

import math
from collections import Counter
from dataclasses import dataclass, replace
from datetime import tzinfo
from typing import Any

from antiphon.orchestrator.preview.sanitize import (
    HIDDEN,
    RESERVED,
    capital,
    clean,
    quoted,
    shorten,
    words_of,
)
from antiphon.orchestrator.preview.times import time_in_words
from antiphon.registry.schemas import Path, SchemaDocument, json_type

MAX_LABEL = 60
MAX_DISPLAY = 200  # of one field
MAX_SPOKEN = 80  # of one field within the text
MIN_CUT = 40  # shorter than this a text says nothing
MAX_DEPTH = 3
MAX_WHOLE = 65_536  # characters of one value that is shown uncut
MAX_WHOLE_DEPTH = 32  # as deep as the build lets a schema go
MAX_VIEWS = 64


class RedactedValue:
    """The placeholder of a redacted value, so that no later step can show it."""


@dataclass(frozen=True, slots=True)
class PreviewEntry:
    name: str
    label: str
    value: Any
    paths: tuple[Path, ...]  # the subschemas that speak of it


class ArgumentWriter:
    """A writer of one tool's arguments in words, with the titles and formats of its schema."""

    def __init__(self, parameters: Any, zone: tzinfo) -> None:
        try:
            self._document = SchemaDocument(parameters)
        except ValueError:  # an `$id` that is no address: values are shown as they are
            self._document = SchemaDocument(True)
        self._zone = zone

    def entries(self, args: dict[str, Any]) -> list[PreviewEntry]:
        """Return an entry for each argument, in the schema's order; members of an object one by
        one."""
        found: list[PreviewEntry] = []
        for entry in self._members(args, ((),), None):
            inside: list[PreviewEntry] = []
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

    def display(self, entry: PreviewEntry) -> str:
        """The value on its own. Quotation marks only where it would pass for something else."""
        shown = self._show(entry.value, entry.paths, MAX_DISPLAY, alone=True)
        return shorten(shown, MAX_DISPLAY)

    def whole(self, entry: PreviewEntry) -> str:
        """The value on its own and uncut: each item of a list, and each line of a text, on a line
        of its own."""
        return self._whole(entry.value, entry.paths)

    def phrase_whole(self, entry: PreviewEntry) -> str:
        """The label and the uncut value as part of a sentence."""
        return f"{entry.label}: {self._whole(entry.value, entry.paths, 1)}"

    def phrase(self, entry: PreviewEntry) -> str:
        """The label and value as part of a sentence."""
        shown = self._show(entry.value, entry.paths, MAX_SPOKEN)
        if len(shown) > 2 * MAX_SPOKEN:
            shown = _count(entry.value)
        return f"{entry.label}: {shown}"

    def _members(
        self, value: dict[str, Any], paths: tuple[Path, ...], parent: PreviewEntry | None
    ) -> list[PreviewEntry]:
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
        found: list[PreviewEntry] = []
        for name in names:
            where = known.get(name, others)
            plain = clean(str(name), MAX_LABEL) or "(unnamed)"
            if name not in known:  # a name that the schema does not have is the caller's own text
                label = quoted(plain)
            else:
                words = words_of(plain) or plain
                label = self._title(where) or (words if parent else capital(words))
            if parent:
                label = f"{shorten(parent.label, MAX_LABEL // 2)}.{shorten(label, MAX_LABEL // 2)}"
                plain = f"{parent.name}.{plain}"
            found.append(PreviewEntry(plain, label, value[name], tuple(where)))
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
        if isinstance(value, RedactedValue):
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
            elif isinstance(value, str):
                moment = time_in_words(str(schema.get("format")), value, self._zone)
                if moment is not None:
                    return moment
        if isinstance(value, int | float):
            return number_in_words(value)
        text = clean(str(value), limit)
        return text if alone and text and text.casefold() not in RESERVED else quoted(text)

    def _show_list(self, value: list[Any], paths: tuple[Path, ...], limit: int, depth: int) -> str:
        views = self._views(paths, value)
        shown = len(value) if len(value) <= 3 else 2
        parts = []
        for index, item in enumerate(value[:shown]):
            where = self._of_item(views, index)
            parts.append(self._show(item, where, max(limit // 2, MIN_CUT), depth + 1))
        return _joined(parts, len(value) - shown)

    def _of_item(self, views: list[Path], index: int) -> tuple[Path, ...]:
        """The subschemas that speak of one item of a list."""
        where: list[Path] = []
        for path in views:
            schema = self._document.node(path)
            first = schema.get("prefixItems")
            if isinstance(first, list) and index < len(first):
                where.append((*path, "prefixItems", index))
            elif isinstance(schema.get("items"), dict):
                where.append((*path, "items"))
        return tuple(where)

    def _whole(self, value: Any, paths: tuple[Path, ...], depth: int = 0) -> str:
        if not value or not isinstance(value, dict | list) or depth > MAX_WHOLE_DEPTH:
            words = self._show(value, paths, MAX_WHOLE, depth, alone=depth == 0)
            if depth == 0 and isinstance(value, str) and words == clean(value, MAX_WHOLE):
                return "\n".join(clean(line, MAX_WHOLE) for line in value.splitlines())
            return words
        if isinstance(value, list):
            views = self._views(paths, value)
            parts = [
                self._whole(item, self._of_item(views, index), depth + 1)
                for index, item in enumerate(value)
            ]
        else:
            parts = [
                f"{entry.label}: {self._whole(entry.value, entry.paths, depth + 1)}"
                for entry in self._members(value, paths, None)
            ]
        return "\n".join(parts) if depth == 0 else f"({', '.join(parts)})"

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
    if isinstance(value, RedactedValue):
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


def number_in_words(value: int | float) -> str:
    if isinstance(value, int):
        return str(value) if value.bit_length() <= 128 else "a number of more than 38 digits"
    if math.isnan(value):
        return "not a number"
    if math.isinf(value):
        return "infinity" if value > 0 else "minus infinity"
    return str(int(value)) if value.is_integer() and abs(value) < 1e15 else repr(value)
