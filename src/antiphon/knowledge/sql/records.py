"""Record store: the records of one database, from which every index is derived."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from hashlib import blake2b
from itertools import islice
from typing import Generic, Protocol, TypeVar

from antiphon.knowledge.records import Record, check_record, timestamp
from antiphon.knowledge.rows import (
    BATCH,
    PAGE,
    DatabaseState,
    Written,
    embedding_text,
    now,
    unique_ids,
)
from antiphon.knowledge.sql.session import SqlSession, Transactions
from antiphon.knowledge.sql.statements import Statements

S = TypeVar("S", bound=SqlSession)
S_contra = TypeVar("S_contra", bound=SqlSession, contravariant=True)


@dataclass(frozen=True, slots=True)
class PreparedRecord:
    """A checked record with its timestamp, the digest of its content and that of its text."""

    record: Record
    stamp: float | None
    digest: bytes
    hash: bytes


class RecordWriter(Protocol[S_contra]):
    """Writes that differ between the engines: full text, embeddings and free rows go with them."""

    def digest(self, record: Record, stamp: float | None) -> bytes:
        """Digest of a record's content; a record whose digest is known has not changed."""

    def write(
        self, session: S_contra, new: list[PreparedRecord], changed: dict[int, PreparedRecord]
    ) -> None:
        """Insert new records and update changed ones, given by number; advance the revision."""

    def delete(self, session: S_contra, numbers: list[int]) -> None:
        """Delete records with their edges and embeddings; advance the revision."""


class RecordStore(Generic[S]):
    """Reads and writes one database. Safe to use from several threads, processes and nodes."""

    def __init__(self, transactions: Transactions[S], writer: RecordWriter[S]) -> None:
        self._transactions = transactions
        self._sql = transactions.sql
        self._writer = writer

    def state(self) -> DatabaseState:
        """Revisions, counts, title and description of the database."""
        return self._transactions.read(
            lambda session: DatabaseState(*session.execute(self._sql.state).fetchone()),
            snapshot=False,
        )

    def describe(self, title: str | None, description: str | None) -> None:
        """Change the title, the description, or both; None leaves one as it is."""
        self._transactions.write(
            lambda session: session.execute(
                self._sql.describe, new_title=title, new_description=description, at=now()
            )
        )

    def upsert(self, records: Iterable[Record]) -> Written:
        """Insert records and replace those with the same id; unchanged ones are not written.

        Up to 10,000 are one transaction. Raises KnowledgeError for the first that is invalid.
        """
        written = Written()
        source = iter(records)
        while batch := list(islice(source, BATCH)):
            latest: dict[str, PreparedRecord] = {}
            for record in batch:
                check_record(record)
                latest[record.id] = self._prepare(record)  # of two with one id the later counts

            def work(session: S, latest: dict[str, PreparedRecord] = latest) -> Written:
                return self._upsert(session, latest)

            written += self._transactions.write(work)
        return written

    def _prepare(self, record: Record) -> PreparedRecord:
        stamp = timestamp(record.last_updated, "last_updated") if record.last_updated else None
        embedded = embedding_text(record.id, record.title, record.text).encode()
        return PreparedRecord(
            record,
            stamp,
            self._writer.digest(record, stamp),
            blake2b(embedded, digest_size=16).digest(),
        )

    def _upsert(self, session: S, latest: dict[str, PreparedRecord]) -> Written:
        rows = session.execute(self._sql.digests, ids=self._sql.bind_list(list(latest)))
        known = {name: (number, digest) for name, number, digest in rows}
        new = [item for name, item in latest.items() if name not in known]
        changed = {
            known[name][0]: item
            for name, item in latest.items()
            if name in known and known[name][1] != item.digest
        }
        if new or changed:
            self._writer.write(session, new, changed)
        return Written(len(new), len(changed), len(latest) - len(new) - len(changed))

    def delete(self, ids: Iterable[str]) -> int:
        """Delete records and their edges; ids that are not there are passed over.

        Returns how many records were deleted.
        """
        wanted = unique_ids(ids)
        deleted = 0
        for at in range(0, len(wanted), BATCH):
            batch = wanted[at : at + BATCH]

            def work(session: S, batch: list[str] = batch) -> int:
                numbers = list(numbers_by_id(session, self._sql, batch).values())
                if numbers:
                    self._writer.delete(session, numbers)
                return len(numbers)

            deleted += self._transactions.write(work)
        return deleted

    def get(self, ids: Iterable[str]) -> list[Record]:
        """The records with these ids, in this order; those that are not there are left out."""
        wanted = unique_ids(ids)

        def work(session: S) -> dict[str, Record]:
            rows = session.execute(self._sql.records_by_id, ids=self._sql.bind_list(wanted))
            return {values[0]: self._sql.record(values) for values in rows}

        found = self._transactions.read(work, snapshot=False)
        return [found[name] for name in wanted if name in found]

    def page(self, after: str | None = None, limit: int = PAGE) -> list[Record]:
        """A page of all records in the order of their ids, from the one behind `after`."""

        def work(session: S) -> list[Record]:
            rows = session.execute(
                self._sql.page_of_records, after=after or "", limit=max(0, limit)
            )
            return [self._sql.record(values) for values in rows]

        return self._transactions.read(work, snapshot=False)

    def titled(self, words: Iterable[str], limit: int) -> list[Record]:
        """The records in whose titles these words, or beginnings of words, stand in this order."""
        escaped = [re.sub(r"([%_!])", r"!\1", word.lower()) for word in words]
        pattern = f"%{'%'.join(escaped)}%"

        def work(session: S) -> list[Record]:
            rows = session.execute(self._sql.records_by_title, pattern=pattern, limit=limit)
            return [self._sql.record(values) for values in rows]

        return self._transactions.read(work, snapshot=False)


def numbers_by_id(session: SqlSession, sql: Statements, ids: Sequence[str]) -> dict[str, int]:
    """Numbers of the records that are there, by id."""
    return dict(session.execute(sql.numbers, ids=sql.bind_list(ids)).fetchall())


def records_by_number(
    session: SqlSession, sql: Statements, numbers: Sequence[int]
) -> dict[int, tuple[int, Record]]:
    """Revision and record of each number that is there."""
    return {
        values[9]: (values[10], sql.record(values))
        for values in session.execute(sql.records_by_number, numbers=sql.bind_list(numbers))
    }


def advance(session: SqlSession, sql: Statements, *, records: int = 0, edges: int = 0) -> int:
    """Count a write: add to the numbers of records and edges, and return the new revision."""
    session.execute(sql.advance, more_records=records, more_edges=edges, at=now())
    return int(session.execute(sql.revision).fetchone()[0])


def delete_rows(session: SqlSession, sql: Statements, numbers: Sequence[int]) -> int:
    """Delete records and the edges at them; returns how many edges there were."""
    gone = sql.bind_list(numbers)
    edges = session.execute(sql.delete_edges_from, numbers=gone).rowcount
    edges += session.execute(sql.delete_edges_to, numbers=gone).rowcount
    session.execute(sql.delete_records, numbers=gone)
    return edges
