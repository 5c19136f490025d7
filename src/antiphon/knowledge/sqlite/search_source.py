"""Search source of the SQLite engine: indexes, records and edges through one filter."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import cache

import numpy as np
from numpy.typing import NDArray
from sqlalchemy import Integer, bindparam, literal_column, select, union_all

from antiphon.knowledge.bm25 import Matches, Weights
from antiphon.knowledge.indexes import Indexes
from antiphon.knowledge.records import Filters, Record
from antiphon.knowledge.sql.records import records_by_number
from antiphon.knowledge.sql.statements import Statement
from antiphon.knowledge.sqlite.connections import SqliteConnections, SqliteSession
from antiphon.knowledge.sqlite.tables import tables


@cache
def _row_of() -> Statement:
    records = tables().records
    return tables().compiled(select(records.c.number).where(records.c.id == bindparam("id")))


@cache
def _neighbours() -> Statement:
    edges = tables().edges
    row = bindparam("row", type_=Integer())
    both = union_all(
        select(
            edges.c.source, edges.c.target.label("other"), edges.c.relation, edges.c.weight
        ).where(edges.c.source == row),
        select(edges.c.target, edges.c.source, edges.c.relation, edges.c.weight).where(
            edges.c.target == row
        ),
    ).subquery()
    return tables().compiled(
        select(both)
        .order_by(both.c.weight.desc(), literal_column("2"), literal_column("3"))
        .limit(bindparam("most", type_=Integer()))
    )


class IndexSource:
    """Search source of one file; use it while the indexes are locked for reading."""

    def __init__(
        self, indexes: Indexes, connections: SqliteConnections, filters: Filters | None
    ) -> None:
        self._indexes = indexes
        self._connections = connections
        self._filters = filters
        self._allowed: NDArray[np.bool_] | None = None
        self._share = 1.0
        self.revision = indexes.revision
        self.empty = False
        if filters is not None:
            self._allowed, some = indexes.columns.allowed(filters)
            self.empty = not some
            self._share = some / indexes.columns.count if some else 0.0

    @property
    def has_vectors(self) -> bool:
        return self._indexes.vectors is not None

    def weights(self, words: Iterable[str]) -> Weights:
        """BM25 weights of the query's words."""
        return self._indexes.text.weights(words)

    def match(self, weights: Weights, limit: int, *, parts: bool) -> Matches:
        """The best `limit` rows by BM25, and with `parts` the part of the query each covers."""
        return self._indexes.text.search(
            weights, limit, self._allowed, self._filters, self._share, parts=parts
        )

    def nearest(
        self, vector: NDArray[np.float32], limit: int
    ) -> tuple[NDArray[np.int64], NDArray[np.float32]]:
        """The nearest `limit` rows, nearest first, and their cosines."""
        vectors = self._indexes.vectors
        assert vectors is not None
        return vectors.search(vector, limit, self._allowed)

    def cosines(self, rows: NDArray[np.int64], vector: NDArray[np.float32]) -> NDArray[np.float32]:
        """The cosine of each row; NaN for what is not embedded yet."""
        vectors = self._indexes.vectors
        assert vectors is not None
        return vectors.cosines(rows, vector)

    def newest(self, limit: int) -> list[int]:
        """Rows by their date, latest first; those without one come last."""
        return self._indexes.columns.newest(limit, self._allowed)

    def row_of(self, id: str) -> int | None:
        """The row of the record with this id, if the filter lets it through."""

        def work(session: SqliteSession) -> int | None:
            found = session.execute(_row_of(), id=id).fetchone()
            return None if found is None else int(found[0])

        row = self._connections.read(work, snapshot=False)
        return row if row is not None and self._lets_through(row) else None

    def records(self, rows: Sequence[int]) -> dict[int, tuple[int, Record]]:
        """Revision and record of each row that is there."""
        sql = self._connections.sql
        return self._connections.read(
            lambda session: records_by_number(session, sql, rows), snapshot=False
        )

    def neighbours(self, rows: Sequence[int], limit: int) -> list[tuple[int, int, str, float]]:
        """(row, neighbour, relation, weight) of the heaviest `limit` edges at each row.

        Neighbours that the filter does not let through are left out.
        """
        statement = _neighbours()

        def work(session: SqliteSession) -> list[tuple[int, int, str, float]]:
            found: list[tuple[int, int, str, float]] = []
            for row in rows:
                found += session.execute(statement, row=row, most=limit).fetchall()
            return found

        edges = self._connections.read(work, snapshot=False)
        return [edge for edge in edges if self._lets_through(edge[1])]

    def _lets_through(self, row: int) -> bool:
        fits = self._indexes.columns.alive if self._allowed is None else self._allowed
        return row < len(fits) and bool(fits[row])
