"""Provenance of records: who wrote one, and how sensitive it is, by what its database knows of it.

A record says so in `metadata.marks`: `origin` is `untrusted`, `sensitivity` is `secret`. That only
ever makes it stricter. What was read out of a text is untrusted by itself.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import replace
from typing import Any

from antiphon.contracts.provenance import Marks
from antiphon.knowledge.records import Record

FIELD = "marks"
INGESTED = "ingested"
OF_THE_HOUSE = Marks("house", "private")

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


def imported(record: Record, *, untrusted: bool) -> Record:
    """A record of a file as it is kept: no file makes itself trusted, or another one public."""
    said = record.metadata.get(FIELD)
    marks = record_marks("", record.metadata)
    kept: dict[str, Any] = {}
    if untrusted or marks.origin == "untrusted":
        kept["origin"] = "untrusted"
    if marks.sensitivity == "secret":
        kept["sensitivity"] = "secret"
    if kept == said or (not kept and said is None):
        return record
    metadata = {name: value for name, value in record.metadata.items() if name != FIELD}
    return replace(record, metadata=metadata | ({FIELD: kept} if kept else {}))


def note_items(items: Iterable[dict[str, Any]], database: str, note: NoteRead | None) -> None:
    """Give each record of a result its marks where they are told, and note what was read."""
    read: dict[str, Marks] = {}
    for item in items:
        marks = record_marks(item.get("source_type") or "", item.get("metadata") or {})
        if marks is OF_THE_HOUSE:
            continue
        if marks.origin == "untrusted":
            item["origin"] = "untrusted"
        if marks.sensitivity == "secret":
            item["sensitivity"] = "secret"
        name = item.get("database_id", database)
        read[name] = marks.join(read.get(name, marks))
    if note is not None:
        for name, marks in read.items():
            note(f"a record of the database {name}", marks)
