"""Reading and counting rows: what the statements on records and on edges share."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any

import orjson

from antiphon.knowledge.errors import KnowledgeError
from antiphon.knowledge.records import Record, check_id

# One transaction writes at most this many: a long import neither holds the write lock for long
# nor loses more than this when it is killed.
BATCH = 10_000
PAGE = 1_000

# Lists are bound as one JSON text, so that every statement is a constant.
BY_ROW = """
SELECT id, type, title, text, tags, url, source_type, last_updated, metadata, row, revision
FROM records WHERE row IN (SELECT value FROM json_each(?))
"""


@dataclass(frozen=True, slots=True)
class DatabaseState:
    """Where a database stands. `revision` counts writes of content, `vectors` of embeddings."""

    revision: int
    vectors: int
    records: int
    edges: int
    title: str
    description: str
    updated: str


@dataclass(frozen=True, slots=True)
class Written:
    """What an upsert did."""

    added: int = 0
    changed: int = 0
    unchanged: int = 0

    def __add__(self, other: Written) -> Written:
        return Written(
            self.added + other.added,
            self.changed + other.changed,
            self.unchanged + other.unchanged,
        )


def read_state(connection: sqlite3.Connection) -> DatabaseState:
    return DatabaseState(
        *connection.execute(
            "SELECT revision, vectors, records, edges, title, description, updated FROM state"
        ).fetchone()
    )


def advance(connection: sqlite3.Connection, *, records: int = 0, edges: int = 0) -> int:
    """Counts the write; the new revision."""
    connection.execute(
        "UPDATE state SET revision = revision + 1, records = records + ?, edges = edges + ?, "
        "updated = ?",
        (records, edges, now()),
    )
    return int(connection.execute("SELECT revision FROM state").fetchone()[0])


def record_of(values: Sequence[Any]) -> Record:
    """A record from its columns, id to metadata."""
    tags, metadata = values[4], values[8]
    return Record(
        values[0],
        values[1],
        values[2],
        values[3],
        tuple(orjson.loads(tags)) if tags != "[]" else (),
        values[5],
        values[6],
        values[7],
        orjson.loads(metadata) if metadata != "{}" else {},
    )


def rows_by_id(connection: sqlite3.Connection, ids: Sequence[str]) -> dict[str, int]:
    return dict(
        connection.execute(
            "SELECT id, row FROM records WHERE id IN (SELECT value FROM json_each(?))",
            (json_list(ids),),
        ).fetchall()
    )


def records_by_row(connection: sqlite3.Connection, rows: Sequence[int]) -> dict[int, Record]:
    return {
        values[9]: record_of(values) for values in connection.execute(BY_ROW, (json_list(rows),))
    }


def unique_ids(ids: Iterable[str]) -> list[str]:
    if isinstance(ids, str):
        raise KnowledgeError(f"A list of ids is needed, not one text: [{ids[:80]!r}].")
    unique: dict[str, None] = {}
    for name in ids:
        check_id(name)
        unique[name] = None
    return list(unique)


def json_list(values: Sequence[Any]) -> str:
    return orjson.dumps(values).decode()


def now() -> str:
    return datetime.now(UTC).isoformat(timespec="milliseconds").replace("+00:00", "Z")
