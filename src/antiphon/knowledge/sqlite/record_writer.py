"""Record writes of the SQLite engine: rows given out again, and embeddings kept by text."""

from __future__ import annotations

from functools import cache
from hashlib import blake2b
from typing import Any

import orjson
from sqlalchemy import BLOB, bindparam, delete, insert, select, update

from antiphon.knowledge.records import Record
from antiphon.knowledge.sql.records import PreparedRecord, advance, delete_rows
from antiphon.knowledge.sqlite.connections import SqliteSession
from antiphon.knowledge.sqlite.tables import statements, tables


class _Writes:
    """The statements of this module."""

    def __init__(self) -> None:
        made = tables()
        records, freed = made.records, made.freed
        numbers = made.is_one_of(records.c.number, "numbers")
        written = [column.key for column in records.columns if not column.primary_key]
        values: dict[str, Any] = {key: bindparam(f"new_{key}") for key in written}
        self.insert = made.compiled(insert(records))
        self.update = made.compiled(
            update(records).where(records.c.number == bindparam("at")).values(values)
        )
        self.hashes = made.compiled(select(records.c.hash).where(numbers))
        self.free = made.compiled(insert(freed))
        self.freed = made.compiled(
            select(freed.c.number).order_by(freed.c.number).limit(bindparam("count"))
        )
        self.take = made.compiled(delete(freed).where(made.is_one_of(freed.c.number, "numbers")))
        embeddings = made.embeddings
        text = bindparam("hash", type_=BLOB())
        self.drop_embedding = made.compiled(
            delete(embeddings).where(
                embeddings.c.hash == text,
                ~select(records.c.number).where(records.c.hash == text).exists(),
            )
        )


_writes = cache(_Writes)


class SqliteRecordWriter:
    """Inserts, updates and deletes of one file's records."""

    def digest(self, record: Record, stamp: float | None) -> bytes:
        """Digest of a record's columns, as every file of this format has it."""
        return blake2b(
            orjson.dumps(tuple(_columns(record, stamp).values())), digest_size=16
        ).digest()

    def write(
        self, session: SqliteSession, new: list[PreparedRecord], changed: dict[int, PreparedRecord]
    ) -> None:
        """Insert new records and update changed ones, given by row; advance the revision."""
        sql, shared = _writes(), statements()
        old = self._hashes(session, list(changed))
        revision = advance(session, shared, records=len(new))
        rows = _take_rows(session, len(new))
        session.execute_many(
            sql.insert,
            ({"number": row, **_row(item, revision)} for row, item in zip(rows, new, strict=True)),
        )
        session.execute_many(
            sql.update,
            (
                {"at": row} | {f"new_{key}": value for key, value in _row(item, revision).items()}
                for row, item in changed.items()
            ),
        )
        self._drop_embeddings(session, old)

    def delete(self, session: SqliteSession, numbers: list[int]) -> None:
        """Delete records with their edges and embeddings; their rows become free."""
        sql, shared = _writes(), statements()
        old = self._hashes(session, numbers)
        edges = delete_rows(session, shared, numbers)
        revision = advance(session, shared, records=-len(numbers), edges=-edges)
        session.execute_many(
            sql.free, ({"number": number, "revision": revision} for number in numbers)
        )
        self._drop_embeddings(session, old)

    def _hashes(self, session: SqliteSession, numbers: list[int]) -> list[bytes]:
        if not numbers:
            return []
        rows = session.execute(_writes().hashes, numbers=statements().bind_list(numbers))
        return [text for (text,) in rows]

    def _drop_embeddings(self, session: SqliteSession, hashes: list[bytes]) -> None:
        """Delete the embeddings of texts that no record has any more."""
        session.execute_many(_writes().drop_embedding, ({"hash": text} for text in hashes))


def _columns(record: Record, stamp: float | None) -> dict[str, Any]:
    return {
        "id": record.id,
        "type": record.type,
        "title": record.title,
        "text": record.text,
        "tags": orjson.dumps(record.tags).decode(),
        "url": record.url,
        "source_type": record.source_type,
        "last_updated": record.last_updated,
        "stamp": stamp,
        "metadata": orjson.dumps(record.metadata).decode(),
    }


def _row(item: PreparedRecord, revision: int) -> dict[str, Any]:
    return {
        **_columns(item.record, item.stamp),
        "digest": item.digest,
        "hash": item.hash,
        "revision": revision,
    }


def _take_rows(session: SqliteSession, count: int) -> list[int]:
    """Rows for new records: those of deleted ones first."""
    sql = _writes()
    rows = [row for (row,) in session.execute(sql.freed, count=count)]
    session.execute(sql.take, numbers=statements().bind_list(rows))
    if len(rows) < count:
        last = session.connection.execute(
            "SELECT max((SELECT coalesce(max(row), -1) FROM records), "
            "(SELECT coalesce(max(row), -1) FROM freed), ?)",
            (max(rows, default=-1),),
        ).fetchone()[0]
        rows += range(last + 1, last + 1 + count - len(rows))
    return rows
