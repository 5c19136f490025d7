"""The records of one database on the server."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from hashlib import blake2b
from itertools import islice

import orjson
from psycopg import sql

from antiphon.knowledge.bm25 import Counted, count
from antiphon.knowledge.postgres.connections import Connection, PostgresConnections
from antiphon.knowledge.postgres.rows import (
    RECORD,
    advance,
    number_of,
    read_state,
    record_of,
)
from antiphon.knowledge.postgres.terms import Terms, column
from antiphon.knowledge.records import Record, check_record, timestamp
from antiphon.knowledge.rows import PAGE, DatabaseState, Written, now, unique_ids
from antiphon.knowledge.store import embedding_text

# One transaction writes at most this many, so that other nodes need not wait for long.
BATCH = 10_000

_COPY = """
COPY records (database, id, type, title, text, tags, url, source_type, last_updated, stamp,
  metadata, digest, hash, words, title_words, body_words, revision) FROM STDIN
"""
_UPDATE = """
UPDATE records SET type = %s, title = %s, text = %s, tags = %s, url = %s, source_type = %s,
  last_updated = %s, stamp = %s, metadata = %s, digest = %s, hash = %s, words = %s,
  title_words = %s, body_words = %s, revision = %s
WHERE number = %s
"""
# A text that another record has too was embedded for that one.
_PLACES_FOR_EMBEDDINGS = """
INSERT INTO embeddings (model, record, hash, embedding)
SELECT m.number, r.number, r.hash, (
  SELECT o.embedding FROM embeddings o
  WHERE o.model = m.number AND o.hash = r.hash AND o.embedding IS NOT NULL LIMIT 1
)
FROM records r JOIN models m ON m.database = r.database WHERE r.database = %s AND r.id = ANY(%s)
"""
_EMBED_AGAIN = """
UPDATE embeddings e SET claimed = NULL, hopeless = false, hash = r.hash, embedding = (
  SELECT o.embedding FROM embeddings o
  WHERE o.model = e.model AND o.hash = r.hash AND o.embedding IS NOT NULL LIMIT 1
)
FROM records r WHERE r.number = e.record AND e.record = ANY(%s) AND e.hash <> r.hash
"""


@dataclass(frozen=True, slots=True)
class _Known:
    """What there is of a record already."""

    number: int
    digest: bytes
    title_words: int
    body_words: int


@dataclass(frozen=True, slots=True)
class _Prepared:
    record: Record
    metadata: str
    digest: bytes
    hash: bytes
    stamp: float | None


class RecordRows:
    """Reads and writes the records of one database. Safe to use from several threads and nodes."""

    def __init__(self, connections: PostgresConnections, id: str) -> None:
        self._connections = connections
        self._id = id

    def state(self) -> DatabaseState:
        return self._connections.read(lambda connection: read_state(connection, self._id))

    def describe(self, title: str | None, description: str | None) -> None:
        """Changes the title or the description, or both."""

        def work(connection: Connection) -> None:
            number = number_of(connection, self._id, lock=True)
            connection.execute(
                "UPDATE databases SET title = coalesce(%s, title), "
                "description = coalesce(%s, description), updated = %s WHERE number = %s",
                (title, description, now(), number),
            )

        self._connections.write(work)

    def upsert(self, records: Iterable[Record]) -> Written:
        """Adds records and replaces those with the same id; what has not changed is left alone."""
        written = Written()
        source = iter(records)
        while batch := list(islice(source, BATCH)):
            latest: dict[str, _Prepared] = {}
            for record in batch:
                check_record(record)
                latest[record.id] = _prepared(record)  # of two with one id the later counts
            written += self._connections.write(
                lambda connection, latest=latest: self._upsert(connection, latest)  # type: ignore[misc]
            )
        return written

    def _upsert(self, connection: Connection, latest: dict[str, _Prepared]) -> Written:
        database = number_of(connection, self._id, lock=True)
        known = {
            name: _Known(*values)
            for name, *values in connection.execute(
                "SELECT id, number, digest, title_words, body_words FROM records "
                "WHERE database = %s AND id = ANY(%s)",
                (database, list(latest)),
            )
        }
        new = [item for name, item in latest.items() if name not in known]
        changed = [
            item
            for name, item in latest.items()
            if name in known and known[name].digest != item.digest
        ]
        if not new and not changed:
            return Written(unchanged=len(latest))
        old = [known[item.record.id] for item in changed]
        terms = Terms(database)
        terms.remove(connection, [one.number for one in old])
        counted = {item.record.id: _counted(item.record) for item in (*new, *changed)}
        revision = advance(
            connection,
            database,
            records=len(new),
            title_words=sum(one.title_length for one in counted.values())
            - sum(one.title_words for one in old),
            body_words=sum(one.body_length for one in counted.values())
            - sum(one.body_words for one in old),
        )

        def columns(item: _Prepared) -> tuple[object, ...]:
            record, words = item.record, counted[item.record.id]
            text, title, body = column(database, words)
            terms.add(title, body)
            return (
                record.type, record.title, record.text, list(record.tags), record.url,
                record.source_type, record.last_updated, item.stamp, item.metadata, item.digest,
                item.hash, text, words.title_length, words.body_length, revision,
            )  # fmt: skip

        with connection.cursor() as cursor:
            if new:
                with cursor.copy(_COPY) as copy:
                    for item in new:
                        copy.write_row((database, item.record.id, *columns(item)))
                cursor.execute(_PLACES_FOR_EMBEDDINGS, (database, [item.record.id for item in new]))
            if changed:
                cursor.executemany(
                    _UPDATE,
                    [(*columns(item), known[item.record.id].number) for item in changed],
                )
                cursor.execute(_EMBED_AGAIN, ([one.number for one in old],))
        terms.write(connection)
        return Written(len(new), len(changed), len(latest) - len(new) - len(changed))

    def delete(self, ids: Iterable[str]) -> int:
        """Deletes records and their edges; ids that are not there are passed over."""
        wanted = unique_ids(ids)
        deleted = 0
        for at in range(0, len(wanted), BATCH):
            batch = wanted[at : at + BATCH]
            deleted += self._connections.write(
                lambda connection, batch=batch: self._delete(connection, batch)  # type: ignore[misc]
            )
        return deleted

    def _delete(self, connection: Connection, ids: list[str]) -> int:
        database = number_of(connection, self._id, lock=True)
        rows = connection.execute(
            "SELECT number, title_words, body_words FROM records "
            "WHERE database = %s AND id = ANY(%s)",
            (database, ids),
        ).fetchall()
        if not rows:
            return 0
        gone = [row[0] for row in rows]
        terms = Terms(database)
        terms.remove(connection, gone)
        terms.write(connection)
        edges = connection.execute(
            "DELETE FROM edges WHERE database = %s AND source = ANY(%s)", (database, gone)
        ).rowcount
        edges += connection.execute(
            "DELETE FROM edges WHERE database = %s AND target = ANY(%s)", (database, gone)
        ).rowcount
        connection.execute("DELETE FROM embeddings WHERE record = ANY(%s)", (gone,))
        connection.execute("DELETE FROM records WHERE number = ANY(%s)", (gone,))
        advance(
            connection,
            database,
            records=-len(rows),
            edges=-edges,
            title_words=-sum(row[1] for row in rows),
            body_words=-sum(row[2] for row in rows),
        )
        return len(rows)

    def get(self, ids: Iterable[str]) -> list[Record]:
        """The records with these ids, in this order; those that are not there are left out."""
        wanted = unique_ids(ids)

        def work(connection: Connection) -> dict[str, Record]:
            database = number_of(connection, self._id)
            return {
                values[0]: record_of(values)
                for values in connection.execute(
                    sql.SQL(
                        "SELECT {} FROM records r WHERE r.database = %s AND r.id = ANY(%s)"
                    ).format(RECORD),
                    (database, wanted),
                )
            }

        found = self._connections.read(work)
        return [found[name] for name in wanted if name in found]

    def records(self, after: str | None = None, limit: int = PAGE) -> list[Record]:
        """A page of all records in the order of their ids, from the one behind `after`."""

        def work(connection: Connection) -> list[Record]:
            database = number_of(connection, self._id)
            found = connection.execute(
                sql.SQL(
                    "SELECT {} FROM records r WHERE r.database = %s AND r.id > %s "
                    "ORDER BY r.id LIMIT %s"
                ).format(RECORD),
                (database, after or "", max(0, limit)),
            )
            return [record_of(values) for values in found]

        return self._connections.read(work)


def _prepared(record: Record) -> _Prepared:
    # Sorted, as the server gives the members of an object back in an order of its own.
    digest = blake2b(orjson.dumps(record.to_dict(), option=orjson.OPT_SORT_KEYS), digest_size=16)
    embedded = embedding_text(record.id, record.title, record.text).encode()
    return _Prepared(
        record,
        orjson.dumps(record.metadata).decode(),
        digest.digest(),
        blake2b(embedded, digest_size=16).digest(),
        timestamp(record.last_updated, "last_updated") if record.last_updated else None,
    )


def _counted(record: Record) -> Counted:
    body = f"{record.text}\n{' '.join(record.tags)}" if record.tags else record.text
    return count(record.title, body)
