"""Provenance of records: who wrote one, and how sensitive it is, by what its database knows of it.

A record says so in `metadata.marks`: `origin` is `untrusted`, `sensitivity` is `secret`; `fields`
has the same of its `text` and of names of its metadata. That only ever makes it stricter. What was
read out of a text is untrusted by itself.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import replace
from typing import Any

from antiphon.contracts.provenance import Marks
from antiphon.knowledge.records import Record

FIELD = "marks"
FIELDS = "fields"
INGESTED = "ingested"
OF_THE_HOUSE = Marks("house", "private")
_OF_OTHERS = Marks("untrusted", "private")

# Takes what a caller has read: in words, with its marks.
NoteRead = Callable[[str, Marks], None]


def record_marks(source_type: str, metadata: Mapping[str, Any]) -> Marks:
    """The marks of a record."""
    said = metadata.get(FIELD)
    said = said if isinstance(said, Mapping) else {}
    untrusted = source_type == INGESTED or said.get("origin") == "untrusted"
    secret = said.get("sensitivity") == "secret"
    if not untrusted and not secret:
        return OF_THE_HOUSE
    return Marks("untrusted" if untrusted else "house", "secret" if secret else "private")


def field_marks(metadata: Mapping[str, Any]) -> dict[str, Marks]:
    """The marks of single fields of a record: its `text`, and names of its metadata."""
    said = metadata.get(FIELD)
    fields = said.get(FIELDS) if isinstance(said, Mapping) else None
    if not isinstance(fields, Mapping):
        return {}
    found = {
        str(name): record_marks("", {FIELD: each}) for name, each in fields.items() if name != FIELD
    }
    return {name: marks for name, marks in found.items() if marks is not OF_THE_HOUSE}


def imported(record: Record, *, untrusted: bool) -> Record:
    """A record of a file as it is kept: no file makes itself trusted, or another one public."""
    marks = record_marks("", record.metadata)
    if untrusted:
        marks = marks.join(_OF_OTHERS)
    return _marked(record, marks, field_marks(record.metadata))


def replaced(old: Record, new: Record) -> Record:
    """A record as it takes the place of an old one, whose marks it cannot lift."""
    marks = record_marks(old.source_type, old.metadata).join(record_marks("", new.metadata))
    fields = field_marks(new.metadata)
    for name, each in field_marks(old.metadata).items():
        fields[name] = each.join(fields.get(name, each))
    return _marked(new, marks, fields)


def _marked(record: Record, marks: Marks, fields: Mapping[str, Marks]) -> Record:
    """A record with these marks alone."""
    kept: dict[str, Any] = _told(marks)
    if fields:
        kept[FIELDS] = {name: _told(each) for name, each in fields.items()}
    said = record.metadata.get(FIELD)
    if kept == said or (not kept and said is None):
        return record
    metadata = {name: value for name, value in record.metadata.items() if name != FIELD}
    return replace(record, metadata=metadata | ({FIELD: kept} if kept else {}))


def _told(marks: Marks) -> dict[str, str]:
    told: dict[str, str] = {}
    if marks.origin == "untrusted":
        told["origin"] = "untrusted"
    if marks.sensitivity == "secret":
        told["sensitivity"] = "secret"
    return told


def note_items(items: Iterable[dict[str, Any]], database: str, note: NoteRead | None) -> None:
    """Give each record of a result its marks where one of them is told, and note what was read.

    `origin` and `sensitivity` are those of the record; `marked` has what is stricter in it, by JSON
    pointer.
    """
    read: dict[str, Marks] = {}
    items = list(items)
    for item in items:
        metadata = item.get("metadata") or {}
        marks = record_marks(item.get("source_type") or "", metadata)
        fields = field_marks(metadata)
        item["origin"], item["sensitivity"] = marks.origin, marks.sensitivity
        if fields:
            item["marked"] = {
                pointer: _told(each) for name, each in fields.items() for pointer in _places(name)
            }
        for each in fields.values():
            marks = marks.join(each)
        if marks != OF_THE_HOUSE:
            name = item.get("database_id", database)
            read[name] = marks.join(read.get(name, marks))
    if not read:
        for item in items:  # what is the house's goes without saying
            del item["origin"], item["sensitivity"]
    if note is not None:
        for name, marks in read.items():
            note(f"a record of the database {name}", marks)


def _places(field: str) -> tuple[str, ...]:
    """Where results have a field of a record, or what is made of it."""
    if field == "text":
        return ("/text", "/full_text", "/snippet")
    name = field.replace("~", "~0").replace("/", "~1")
    return (f"/metadata/{name}", f"/{name}", "/sources")
