"""Record writes of the PostgreSQL engine: bulk copy, term counts and places for embeddings."""

from __future__ import annotations

from collections.abc import Iterable
from hashlib import blake2b

import orjson

from antiphon.knowledge.bm25 import WordCounts, count_record
from antiphon.knowledge.postgres.session import PostgresSession
from antiphon.knowledge.postgres.tables import statements
from antiphon.knowledge.postgres.terms import Terms, column
from antiphon.knowledge.records import Record
from antiphon.knowledge.sql.records import PreparedRecord, advance, delete_rows

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
_WORDS = """
SELECT coalesce(sum(title_words), 0), coalesce(sum(body_words), 0) FROM records
WHERE number = ANY(%s)
"""
_COUNT_WORDS = """
UPDATE databases SET title_words = title_words + %s, body_words = body_words + %s
WHERE number = %s
"""


class PostgresRecordWriter:
    """Inserts, updates and deletes of one database's records."""

    def digest(self, record: Record, stamp: float | None) -> bytes:
        """Digest of a record; its keys are sorted, as the server returns them in its own order."""
        del stamp  # it follows from the record
        content = orjson.dumps(record.to_dict(), option=orjson.OPT_SORT_KEYS)
        return blake2b(content, digest_size=16).digest()

    def write(
        self,
        session: PostgresSession,
        new: list[PreparedRecord],
        changed: dict[int, PreparedRecord],
    ) -> None:
        """Insert new records and update changed ones, given by number; advance the revision."""
        connection, database = session.connection, session.database
        terms = Terms(database)
        self._forget_words(session, list(changed), terms)
        counted = {item.record.id: count_record(item.record) for item in (*new, *changed.values())}
        self._count_words(session, counted.values())
        revision = advance(session, statements(), records=len(new))

        def columns(item: PreparedRecord) -> tuple[object, ...]:
            record, words = item.record, counted[item.record.id]
            text, title, body = column(database, words)
            terms.add(title, body)
            return (
                record.type, record.title, record.text, list(record.tags), record.url,
                record.source_type, record.last_updated, item.stamp,
                orjson.dumps(record.metadata).decode(), item.digest, item.hash, text,
                words.title_length, words.body_length, revision,
            )  # fmt: skip

        with connection.cursor() as cursor:
            if new:
                with cursor.copy(_COPY) as copy:
                    for item in new:
                        copy.write_row((database, item.record.id, *columns(item)))
                cursor.execute(_PLACES_FOR_EMBEDDINGS, (database, [item.record.id for item in new]))
            if changed:
                cursor.executemany(
                    _UPDATE, [(*columns(item), number) for number, item in changed.items()]
                )
                cursor.execute(_EMBED_AGAIN, (list(changed),))
        terms.write(connection)

    def delete(self, session: PostgresSession, numbers: list[int]) -> None:
        """Delete records with their edges, words and embeddings; advance the revision."""
        terms = Terms(session.database)
        self._forget_words(session, numbers, terms)
        terms.write(session.connection)
        session.connection.execute("DELETE FROM embeddings WHERE record = ANY(%s)", (numbers,))
        edges = delete_rows(session, statements(), numbers)
        advance(session, statements(), records=-len(numbers), edges=-edges)

    def _forget_words(self, session: PostgresSession, numbers: list[int], terms: Terms) -> None:
        """Take the words of records that are about to go off the counts."""
        if not numbers:
            return
        row = session.connection.execute(_WORDS, (numbers,)).fetchone()
        assert row is not None
        session.connection.execute(_COUNT_WORDS, (-row[0], -row[1], session.database))
        terms.remove(session.connection, numbers)

    def _count_words(self, session: PostgresSession, counted: Iterable[WordCounts]) -> None:
        words = list(counted)
        session.connection.execute(
            _COUNT_WORDS,
            (
                sum(one.title_length for one in words),
                sum(one.body_length for one in words),
                session.database,
            ),
        )
