"""The embeddings of one database in SQLite, kept by what was embedded and by which model."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple

from antiphon.knowledge.sqlite.connections import SqliteConnections

_CHANGED = """
SELECT r.row, r.revision, r.title, r.text, r.tags, r.type, r.source_type, r.stamp, e.vector
FROM records r LEFT JOIN embeddings e ON e.hash = r.hash AND e.model = ?
WHERE r.revision > ?
"""
_EMBEDDED = """
SELECT r.row, e.vector FROM embeddings e JOIN records r ON r.hash = e.hash
WHERE e.revision > ? AND e.model = ?
"""
_UNEMBEDDED = """
SELECT row, hash, id, title, text FROM records
WHERE row IN (SELECT value FROM json_each(?))
"""


class UnembeddedRecord(NamedTuple):
    """Record without an embedding: its row, the hash of its text and the text."""

    row: int
    hash: bytes
    id: str
    title: str
    text: str


class EmbeddingStore:
    """Embeddings by one model. Those of other models stay until all of this one are there."""

    def __init__(self, connections: SqliteConnections, model: str) -> None:
        self._connections = connections
        with connections.writer() as connection:
            connection.execute("INSERT OR IGNORE INTO models (name) VALUES (?)", (model,))
            self.model: int = connection.execute(
                "SELECT model FROM models WHERE name = ?", (model,)
            ).fetchone()[0]

    def texts(self, rows: Sequence[int]) -> list[UnembeddedRecord]:
        """Texts of these rows, to embed them."""
        with self._connections.reader() as connection:
            return [
                UnembeddedRecord(*values)
                for values in connection.execute(
                    _UNEMBEDDED, (self._connections.sql.bind_list(rows),)
                )
            ]

    def put(self, vectors: Mapping[bytes, bytes]) -> None:
        """Store vectors by the hash of their text, except those that no record has any more."""
        with self._connections.writer() as connection:
            connection.execute("UPDATE state SET vectors = vectors + 1")
            revision = connection.execute("SELECT vectors FROM state").fetchone()[0]
            connection.executemany(
                "INSERT OR REPLACE INTO embeddings "
                "SELECT ?1, ?2, ?3, ?4 WHERE EXISTS (SELECT 1 FROM records WHERE hash = ?1)",
                ((text, self.model, vector, revision) for text, vector in vectors.items()),
            )

    def forget_other_models(self) -> int:
        """Delete the embeddings of other models; returns how many there were."""
        with self._connections.reader() as connection:
            other = connection.execute(
                "SELECT 1 FROM models WHERE model != ? LIMIT 1", (self.model,)
            ).fetchone()
        if other is None:
            return 0
        with self._connections.writer() as connection:
            gone = connection.execute(
                "DELETE FROM embeddings WHERE model != ?", (self.model,)
            ).rowcount
            connection.execute("DELETE FROM models WHERE model != ?", (self.model,))
        return gone


def changed(
    connection: sqlite3.Connection, model: int, since: int
) -> Iterator[tuple[int, int, str, str, str, str, str, float | None, bytes | None]]:
    """Each record that was written after a revision, with its vector if there is one."""
    return connection.execute(_CHANGED, (model, since))


def embedded(connection: sqlite3.Connection, model: int, since: int) -> Iterator[tuple[int, bytes]]:
    """Each row whose vector was kept after a revision of the vectors."""
    return connection.execute(_EMBEDDED, (since, model))
