"""Data model of knowledge: records, edges, filters and search results, with their validation."""

from __future__ import annotations

import math
import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, fields
from datetime import UTC, date, datetime, timedelta
from typing import Any

from antiphon.knowledge.errors import KnowledgeError

MAX_ID = 200
MAX_NAME = 100  # of a type, a relation, a source type or a tag
MAX_TITLE = 1_000
MAX_TEXT = 10_000_000
MAX_URL = 4_096
MAX_TAGS = 200
MAX_DEPTH = 32
MAX_METADATA = 1_000_000  # characters of JSON, about

# Control characters, the two separators that end a line, and halves of surrogate pairs.
_UNPRINTABLE = re.compile("[\x00-\x1f\x7f-\x9f\u2028\u2029\ud800-\udfff]")
_NOT_TEXT = re.compile("[\x00\ud800-\udfff]")


@dataclass(frozen=True, slots=True)
class Record:
    """Entry of a database. `id` is unique in it, such as `person:ada_lovelace`."""

    id: str
    type: str
    title: str = ""
    text: str = ""
    tags: tuple[str, ...] = ()
    url: str = ""
    source_type: str = ""
    last_updated: str = ""
    metadata: dict[str, Any] = field(default_factory=dict)

    def to_dict(self) -> dict[str, Any]:
        return {
            "id": self.id,
            "type": self.type,
            "title": self.title,
            "text": self.text,
            "tags": list(self.tags),
            "url": self.url,
            "source_type": self.source_type,
            "last_updated": self.last_updated,
            "metadata": self.metadata,
        }

    @classmethod
    def from_dict(cls, value: Mapping[str, Any]) -> Record:
        """Parse what `to_dict` returns. Raises KnowledgeError for what is invalid."""
        known = _known(value, cls, "record")
        tags = known.get("tags", ())
        if isinstance(tags, str) or not isinstance(tags, Iterable):
            raise KnowledgeError(f"{_name(value)}: tags must be a list of texts.")
        known["tags"] = tags = tuple(tags)
        if all(isinstance(tag, str) for tag in tags):
            known["tags"] = tuple(dict.fromkeys(tags))
        record = cls(**known)
        check_record(record)
        return record


@dataclass(frozen=True, slots=True)
class Edge:
    """Typed relation from one record to another, with a weight and its provenance."""

    source: str
    target: str
    relation: str
    weight: float = 1.0
    provenance: dict[str, Any] = field(default_factory=dict)

    def to_dict(self) -> dict[str, Any]:
        return {
            "source": self.source,
            "target": self.target,
            "relation": self.relation,
            "weight": self.weight,
            "provenance": self.provenance,
        }

    @classmethod
    def from_dict(cls, value: Mapping[str, Any]) -> Edge:
        """Parse what `to_dict` returns. Raises KnowledgeError for what is invalid."""
        edge = cls(**_known(value, cls, "edge"))
        check_edge(edge)
        return edge


@dataclass(frozen=True, slots=True)
class Filters:
    """Conditions that a record must meet to be found. An empty part lets everything through.

    A record needs all of `tags`, one of `types` and one of `source_types`. `since` and `until`
    are ISO 8601 and inclusive (a plain date in `until` means the whole day); a record without
    `last_updated` does not fit a date range.
    """

    types: tuple[str, ...] = ()
    tags: tuple[str, ...] = ()
    since: str | None = None
    until: str | None = None
    source_types: tuple[str, ...] = ()

    def __bool__(self) -> bool:
        return bool(self.types or self.tags or self.since or self.until or self.source_types)

    def check(self) -> None:
        """Validate the filters. Raises KnowledgeError for what no filter can be."""
        for name in ("types", "tags", "source_types"):
            values = getattr(self, name)
            if isinstance(values, str) or not all(isinstance(value, str) for value in values):
                raise KnowledgeError(f"The filter {name} must be a list of texts.")
            if any(_NOT_TEXT.search(value) for value in values):
                raise KnowledgeError(f"The filter {name} has a character that is not text.")
        since, until = self.range()
        if since is not None and until is not None and since > until:
            raise KnowledgeError(
                f"The date range is empty: since ({self.since}) is after until ({self.until})."
            )

    def range(self) -> tuple[float | None, float | None]:
        """`since` and `until` as seconds since 1970, both inclusive."""
        since = timestamp(self.since, "The filter since") if self.since else None
        until = timestamp(self.until, "The filter until", end=True) if self.until else None
        return since, until


@dataclass(frozen=True, slots=True)
class Evidence:
    """Result of a search. `text` and `explain` are there only when they were asked for."""

    id: str
    type: str
    title: str
    snippet: str
    score: float
    source_type: str = ""
    last_updated: str = ""
    url: str = ""
    metadata: dict[str, Any] = field(default_factory=dict)
    text: str | None = None
    explain: dict[str, Any] | None = None

    def to_dict(self, return_fields: Iterable[str] | None = None) -> dict[str, Any]:
        """Plain data; with `return_fields` only those of the fields."""
        body = {item.name: getattr(self, item.name) for item in fields(self)}
        for optional in ("text", "explain"):
            if body[optional] is None:
                del body[optional]
        if return_fields is None:
            return body
        wanted = set(return_fields)
        return {name: value for name, value in body.items() if name in wanted}


def check_record(record: Record) -> None:
    """Validate a record. Raises KnowledgeError unless it can be kept as it is."""
    check_id(record.id)
    where = f"Record {record.id!r}"
    _check_line(where, "type", record.type, MAX_NAME, required=True)
    _check_line(where, "title", record.title, MAX_TITLE)
    _check_line(where, "source_type", record.source_type, MAX_NAME)
    _check_line(where, "url", record.url, MAX_URL)
    if not isinstance(record.text, str):
        raise KnowledgeError(f"{where}: text must be a text, not {_kind(record.text)}.")
    if len(record.text) > MAX_TEXT:
        raise KnowledgeError(
            f"{where}: text has {len(record.text):,} characters; at most {MAX_TEXT:,} are kept in "
            "one record. Split it into several records."
        )
    if found := _NOT_TEXT.search(record.text):
        raise KnowledgeError(
            f"{where}: text has the character U+{ord(found[0]):04X} at position {found.start()}, "
            "which is not text; remove it or correct the encoding."
        )
    if not isinstance(record.tags, tuple):
        raise KnowledgeError(f"{where}: tags must be a tuple of texts.")
    if len(record.tags) > MAX_TAGS:
        raise KnowledgeError(f"{where}: {len(record.tags)} tags; at most {MAX_TAGS} are kept.")
    for tag in record.tags:
        _check_line(where, "each of its tags", tag, MAX_NAME, required=True)
    if not isinstance(record.last_updated, str):
        raise KnowledgeError(
            f"{where}: last_updated must be a text, not {_kind(record.last_updated)}."
        )
    if record.last_updated:
        timestamp(record.last_updated, f"{where}: last_updated")
    _check_json(f"{where}: metadata", record.metadata)


def check_edge(edge: Edge) -> None:
    """Validate an edge. Raises KnowledgeError unless it can be kept as it is."""
    check_id(edge.source, "The source of an edge")
    check_id(edge.target, "The target of an edge")
    where = f"Edge {edge.source!r} -> {edge.target!r}"
    if edge.source == edge.target:
        raise KnowledgeError(f"{where}: an edge joins two different records; leave this one out.")
    _check_line(where, "relation", edge.relation, MAX_NAME, required=True)
    if isinstance(edge.weight, bool) or not isinstance(edge.weight, int | float):
        raise KnowledgeError(f"{where}: weight must be a number, not {_kind(edge.weight)}.")
    if not math.isfinite(edge.weight) or edge.weight < 0:
        raise KnowledgeError(f"{where}: weight must be 0 or more, and finite; it is {edge.weight}.")
    _check_json(f"{where}: provenance", edge.provenance)


def check_id(id: object, what: str = "The id of a record") -> None:
    if not isinstance(id, str):
        raise KnowledgeError(f"{what} must be a text, not {_kind(id)}.")
    if not id or id != id.strip():
        raise KnowledgeError(f"{what} must not be empty or begin or end with a space: {id!r}.")
    if len(id) > MAX_ID:
        raise KnowledgeError(f"{what} has {len(id)} characters, at most {MAX_ID}: {id[:40]!r}…")
    if found := _UNPRINTABLE.search(id):
        raise KnowledgeError(
            f"{what} must be one line of printable text: {id!r} has U+{ord(found[0]):04X}."
        )


def timestamp(text: str, what: str, *, end: bool = False) -> float:
    """Seconds since 1970 of an ISO 8601 text; without a zone it is UTC.

    A date without a time is its first moment, with `end` its last one.
    """
    try:
        moment = datetime.fromisoformat(text)
        if end and len(text) <= 10 and _is_date(text):
            moment += timedelta(days=1) - timedelta(microseconds=1)
        if moment.tzinfo is None:
            moment = moment.replace(tzinfo=UTC)
        return moment.timestamp()
    except (TypeError, ValueError, OverflowError) as error:
        shown = text[:40] if isinstance(text, str) else text
        raise KnowledgeError(
            f"{what} must be a date or a time as in ISO 8601 (2026-03-01 or "
            f"2026-03-01T09:30:00Z), not {shown!r}."
        ) from error


def _is_date(text: str) -> bool:
    try:
        date.fromisoformat(text)
    except ValueError:
        return False
    return True


def _check_line(
    where: str, name: str, value: object, longest: int, *, required: bool = False
) -> None:
    if not isinstance(value, str):
        raise KnowledgeError(f"{where}: {name} must be a text, not {_kind(value)}.")
    if required and not value.strip():
        raise KnowledgeError(f"{where}: {name} must not be empty.")
    if len(value) > longest:
        raise KnowledgeError(f"{where}: {name} has {len(value):,} characters, at most {longest:,}.")
    if found := _UNPRINTABLE.search(value):
        raise KnowledgeError(
            f"{where}: {name} must be one line of printable text; it has "
            f"U+{ord(found[0]):04X} at position {found.start()}."
        )


def _check_json(where: str, value: object) -> None:
    if not isinstance(value, dict):
        raise KnowledgeError(f"{where} must be an object, not {_kind(value)}.")
    if not value:
        return
    room = MAX_METADATA
    stack: list[tuple[str, object, int]] = [("", value, 0)]
    while stack:
        path, item, depth = stack.pop()
        room -= 8
        if isinstance(item, str):
            room -= len(item)
            if found := _NOT_TEXT.search(item):
                raise KnowledgeError(
                    f"{where}{path} has the character U+{ord(found[0]):04X}, which is not text."
                )
        elif isinstance(item, dict):
            if depth >= MAX_DEPTH:
                raise KnowledgeError(f"{where} is nested deeper than {MAX_DEPTH} levels.")
            for key, inner in item.items():
                if not isinstance(key, str) or _NOT_TEXT.search(key):
                    raise KnowledgeError(f"{where}{path} has the key {key!r}, which is not text.")
                room -= len(key)
                stack.append((f"{path}/{key}", inner, depth + 1))
        elif isinstance(item, list | tuple):
            if depth >= MAX_DEPTH:
                raise KnowledgeError(f"{where} is nested deeper than {MAX_DEPTH} levels.")
            stack.extend((f"{path}/{at}", inner, depth + 1) for at, inner in enumerate(item))
        elif isinstance(item, float):
            if not math.isfinite(item):
                raise KnowledgeError(f"{where}{path} is {item}, which JSON cannot hold.")
        elif isinstance(item, int):
            if not -(2**63) <= item < 2**64:
                raise KnowledgeError(f"{where}{path} is a number of more than 64 bits.")
        elif item is not None:
            raise KnowledgeError(f"{where}{path} is {_kind(item)}, which JSON cannot hold.")
        if room < 0:
            raise KnowledgeError(f"{where} is larger than {MAX_METADATA:,} characters.")


def _known(value: object, cls: type, what: str) -> dict[str, Any]:
    """The members of a mapping that are fields of `cls`; `kind` marks a line of an export."""
    if not isinstance(value, Mapping):
        raise KnowledgeError(f"A {what} must be an object, not {_kind(value)}.")
    names = {item.name for item in fields(cls)}
    given = {name: item for name, item in value.items() if name != "kind"}
    if unknown := sorted(str(name) for name in given if name not in names):
        raise KnowledgeError(
            f"{_name(value)}: unknown field {unknown[0]!r}; a {what} has "
            f"{', '.join(item.name for item in fields(cls))}. Put other data into "
            f"{'metadata' if 'metadata' in names else 'provenance'}."
        )
    required = ("id", "type") if "id" in names else ("source", "target", "relation")
    for name in required:
        if name not in given:
            raise KnowledgeError(f"{_name(value)}: a {what} needs {name!r}.")
    # A file may say null for what is not known.
    return {name: item for name, item in given.items() if item is not None or name in required}


def _name(value: Mapping[str, Any]) -> str:
    if "id" in value:
        return f"Record {str(value['id'])[:MAX_ID]!r}"
    if "source" in value or "target" in value:
        return f"Edge {str(value.get('source'))[:80]!r} -> {str(value.get('target'))[:80]!r}"
    return "Record"


def _kind(value: object) -> str:
    return "nothing" if value is None else f"of type {type(value).__name__}"
