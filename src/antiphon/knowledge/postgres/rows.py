"""Rows that several statements need: the database of a handle, its state, and records."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from psycopg import sql

from antiphon.contracts import ErrorType
from antiphon.knowledge.errors import KnowledgeError
from antiphon.knowledge.postgres.connections import Connection
from antiphon.knowledge.records import Record
from antiphon.knowledge.rows import DatabaseState, now

RECORD = sql.SQL(
    "r.id, r.type, r.title, r.text, r.tags, r.url, r.source_type, r.last_updated, r.metadata"
)


def number_of(connection: Connection, id: str, *, lock: bool = False) -> int:
    """The number of a database; with `lock` nobody else writes to it until the end."""
    row = connection.execute(
        sql.SQL("SELECT number FROM databases WHERE id = %s {}").format(
            sql.SQL("FOR UPDATE" if lock else "")
        ),
        (id,),
    ).fetchone()
    if row is None:
        raise KnowledgeError(
            f"The database {id!r} has been closed or deleted.", ErrorType.NOT_FOUND
        )
    return int(row[0])


def read_state(connection: Connection, id: str) -> DatabaseState:
    number_of(connection, id)
    row = connection.execute(
        "SELECT revision, vectors, records, edges, title, description, updated "
        "FROM databases WHERE id = %s",
        (id,),
    ).fetchone()
    assert row is not None
    return DatabaseState(*row)


def advance(
    connection: Connection,
    database: int,
    *,
    records: int = 0,
    edges: int = 0,
    title_words: int = 0,
    body_words: int = 0,
) -> int:
    """Counts the write; the new revision."""
    row = connection.execute(
        "UPDATE databases SET revision = revision + 1, records = records + %s, "
        "edges = edges + %s, title_words = title_words + %s, body_words = body_words + %s, "
        "updated = %s WHERE number = %s RETURNING revision",
        (records, edges, title_words, body_words, now(), database),
    ).fetchone()
    assert row is not None
    return int(row[0])


def record_of(values: Sequence[Any]) -> Record:
    """A record from the columns of RECORD."""
    name, kind, title, text, tags, url, source_type, last_updated, metadata = values[:9]
    return Record(name, kind, title, text, tuple(tags), url, source_type, last_updated, metadata)


def numbers_by_id(connection: Connection, database: int, ids: Sequence[str]) -> dict[str, int]:
    return dict(
        connection.execute(
            "SELECT id, number FROM records WHERE database = %s AND id = ANY(%s)",
            (database, list(ids)),
        ).fetchall()
    )


def records_by_number(
    connection: Connection, numbers: Sequence[int]
) -> dict[int, tuple[int, Record]]:
    """Revision and record of each that is there."""
    return {
        values[9]: (values[10], record_of(values))
        for values in connection.execute(
            sql.SQL("SELECT {}, r.number, r.revision FROM records r WHERE number = ANY(%s)").format(
                RECORD
            ),
            (list(numbers),),
        )
    }
