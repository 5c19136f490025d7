"""The records of one database in SQLite: the truth that every index is derived from."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterable, Sequence
from hashlib import blake2b
from itertools import islice
from typing import Any

import orjson

from antiphon.knowledge.records import Record, check_record, timestamp
from antiphon.knowledge.rows import (
    BATCH,
    BY_ROW,
    PAGE,
    DatabaseState,
    Written,
    advance,
    json_list,
    now,
    read_state,
    record_of,
    unique_ids,
)
from antiphon.knowledge.schema import SqliteConnections

# What is embedded of a record; models read a few hundred words.
EMBEDDED_CHARACTERS = 2_000

_BY_ID = """
SELECT id, type, title, text, tags, url, source_type, last_updated, metadata, row
FROM records WHERE id IN (SELECT value FROM json_each(?))
"""
_PAGE_OF_RECORDS = """
SELECT id, type, title, text, tags, url, source_type, last_updated, metadata
FROM records WHERE id > ? ORDER BY id LIMIT ?
"""


class RecordStore:
    """Reads and writes one database. Safe to use from several threads and processes."""

    def __init__(self, connections: SqliteConnections) -> None:
        self.connections = connections

    def state(self) -> DatabaseState:
        with self.connections.read() as connection:
            return read_state(connection)

    def describe(self, title: str | None, description: str | None) -> None:
        """Changes the title or the description, or both."""
        with self.connections.write() as connection:
            connection.execute(
                "UPDATE state SET title = coalesce(?, title), "
                "description = coalesce(?, description), updated = ?",
                (title, description, now()),
            )

    def upsert(self, records: Iterable[Record]) -> Written:
        """Adds records and replaces those with the same id; what has not changed is left alone."""
        written = Written()
        source = iter(records)
        while batch := list(islice(source, BATCH)):
            latest: dict[str, Record] = {}
            for record in batch:
                check_record(record)
                latest[record.id] = record  # of two with one id the later counts
            written += self._upsert(list(latest.values()))
        return written

    def _upsert(self, records: list[Record]) -> Written:
        prepared = [(record, *_row_of(record)) for record in records]
        with self.connections.write() as connection:
            existing: dict[str, tuple[int, bytes, bytes]] = {}
            for known, row, digest, embedded in connection.execute(
                "SELECT id, row, digest, hash FROM records "
                "WHERE id IN (SELECT value FROM json_each(?))",
                (json_list([record.id for record in records]),),
            ):
                existing[known] = (row, digest, embedded)
            new = [item for item in prepared if item[0].id not in existing]
            changed = [
                item
                for item in prepared
                if item[0].id in existing and existing[item[0].id][1] != item[2]
            ]
            if not new and not changed:
                return Written(unchanged=len(records))
            revision = advance(connection, records=len(new))
            rows = _take_rows(connection, len(new))
            connection.executemany(
                "INSERT INTO records VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
                ((row, *item[1], *item[2:], revision) for row, item in zip(rows, new, strict=True)),
            )
            connection.executemany(
                "UPDATE records SET id = ?, type = ?, title = ?, text = ?, tags = ?, url = ?, "
                "source_type = ?, last_updated = ?, stamp = ?, metadata = ?, digest = ?, "
                "hash = ?, revision = ? WHERE row = ?",
                ((*item[1], *item[2:], revision, existing[item[0].id][0]) for item in changed),
            )
            _drop_embeddings(connection, [existing[item[0].id][2] for item in changed])
        return Written(len(new), len(changed), len(records) - len(new) - len(changed))

    def delete(self, ids: Iterable[str]) -> int:
        """Deletes records and their edges; ids that are not there are passed over."""
        wanted = unique_ids(ids)
        deleted = 0
        for at in range(0, len(wanted), BATCH):
            batch = wanted[at : at + BATCH]
            with self.connections.write() as connection:
                rows = connection.execute(
                    "SELECT row, hash FROM records WHERE id IN (SELECT value FROM json_each(?))",
                    (json_list(batch),),
                ).fetchall()
                if not rows:
                    continue
                gone = (json_list([row for row, _ in rows]),)
                edges = connection.execute(
                    "DELETE FROM edges WHERE source IN (SELECT value FROM json_each(?))", gone
                ).rowcount
                edges += connection.execute(
                    "DELETE FROM edges WHERE target IN (SELECT value FROM json_each(?))", gone
                ).rowcount
                connection.execute(
                    "DELETE FROM records WHERE row IN (SELECT value FROM json_each(?))", gone
                )
                revision = advance(connection, records=-len(rows), edges=-edges)
                connection.executemany(
                    "INSERT INTO freed VALUES (?, ?)", ((row, revision) for row, _ in rows)
                )
                _drop_embeddings(connection, [embedded for _, embedded in rows])
                deleted += len(rows)
        return deleted

    def get(self, ids: Iterable[str]) -> list[Record]:
        """The records with these ids, in this order; those that are not there are left out."""
        wanted = unique_ids(ids)
        with self.connections.read() as connection:
            found = {
                values[0]: record_of(values)
                for values in connection.execute(_BY_ID, (json_list(wanted),))
            }
        return [found[name] for name in wanted if name in found]

    def records(self, after: str | None = None, limit: int = PAGE) -> list[Record]:
        """A page of all records in the order of their ids, from the one behind `after`."""
        with self.connections.read() as connection:
            return [
                record_of(values)
                for values in connection.execute(_PAGE_OF_RECORDS, (after or "", max(0, limit)))
            ]

    def rows(self, rows: Sequence[int]) -> dict[int, tuple[int, Record]]:
        """Revision and record of each row that is there."""
        with self.connections.read() as connection:
            return {
                values[9]: (values[10], record_of(values))
                for values in connection.execute(BY_ROW, (json_list(rows),))
            }

    def row_of(self, id: str) -> int | None:
        with self.connections.read() as connection:
            found = connection.execute("SELECT row FROM records WHERE id = ?", (id,)).fetchone()
        return None if found is None else int(found[0])


def embedding_text(id: str, title: str, text: str) -> str:
    """What stands for a record when it is embedded."""
    return f"{title}\n{text}"[:EMBEDDED_CHARACTERS].strip() or id


def _row_of(record: Record) -> tuple[tuple[Any, ...], bytes, bytes]:
    """Values of the columns from id to metadata, a digest of them, and one of what is embedded."""
    values = (
        record.id,
        record.type,
        record.title,
        record.text,
        orjson.dumps(record.tags).decode(),
        record.url,
        record.source_type,
        record.last_updated,
        timestamp(record.last_updated, "last_updated") if record.last_updated else None,
        orjson.dumps(record.metadata).decode(),
    )
    digest = blake2b(orjson.dumps(values), digest_size=16).digest()
    embedded = embedding_text(record.id, record.title, record.text).encode()
    return values, digest, blake2b(embedded, digest_size=16).digest()


def _take_rows(connection: sqlite3.Connection, count: int) -> list[int]:
    """Rows for new records: those of deleted ones first."""
    rows = [
        row for (row,) in connection.execute("SELECT row FROM freed ORDER BY row LIMIT ?", (count,))
    ]
    connection.executemany("DELETE FROM freed WHERE row = ?", ((row,) for row in rows))
    if len(rows) < count:
        last = connection.execute(
            "SELECT max((SELECT coalesce(max(row), -1) FROM records), "
            "(SELECT coalesce(max(row), -1) FROM freed), ?)",
            (max(rows, default=-1),),
        ).fetchone()[0]
        rows += range(last + 1, last + 1 + count - len(rows))
    return rows


def _drop_embeddings(connection: sqlite3.Connection, hashes: list[bytes]) -> None:
    """Forgets the embeddings that no record has any more."""
    connection.executemany(
        "DELETE FROM embeddings WHERE hash = ?1 "
        "AND NOT EXISTS (SELECT 1 FROM records WHERE hash = ?1)",
        ((embedded,) for embedded in hashes),
    )
