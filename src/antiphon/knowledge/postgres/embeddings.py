"""The embeddings of one database on the server: which are missing, who makes them, their index."""

from __future__ import annotations

import logging
from collections.abc import Mapping, Sequence
from typing import NamedTuple

from psycopg import errors, sql

from antiphon.knowledge.postgres.connections import Connection, PostgresConnections
from antiphon.knowledge.postgres.schema import Abilities
from antiphon.knowledge.postgres.session import number_of
from antiphon.knowledge.rows import EMBEDDED_CHARACTERS

log = logging.getLogger(__name__)

# A node that has taken records to embed and says nothing for so long has died.
CLAIM_SECONDS = 120
# Nodes with different models may share a database for a while; after this the unused goes.
FORGET_DAYS = 7

_REGISTER = """
INSERT INTO models (database, name, dims) VALUES (%s, %s, %s)
ON CONFLICT (database, name, dims) DO UPDATE SET used = now()
RETURNING number, xmax = 0
"""
# Others may be at it at the same time, so nobody waits and nobody takes the same twice.
_CLAIM = """
WITH chosen AS (
  SELECT record FROM embeddings
  WHERE model = %(model)s AND embedding IS NULL AND NOT hopeless
    AND (claimed IS NULL OR claimed < now() - make_interval(secs => %(seconds)s))
  ORDER BY record LIMIT %(limit)s FOR UPDATE SKIP LOCKED
)
UPDATE embeddings e SET claimed = now() FROM chosen c JOIN records r ON r.number = c.record
WHERE e.model = %(model)s AND e.record = c.record
RETURNING e.record, e.hash, r.id, r.title, left(r.text, %(characters)s)
"""
_PUT = """
UPDATE embeddings e SET embedding = v.embedding::{vectors}, claimed = NULL
FROM unnest(%s::bigint[], %s::bytea[], %s::text[]) AS v (record, hash, embedding)
WHERE e.model = %s AND e.record = v.record AND e.hash = v.hash
"""
_INDEX = """
CREATE INDEX CONCURRENTLY {name} ON embeddings
USING hnsw ((embedding::{vectors}({dims})) {operators}) WHERE model = {model}
AND embedding IS NOT NULL
"""


class Claimed(NamedTuple):
    """Record that this node has claimed to embed."""

    record: int
    hash: bytes
    id: str
    title: str
    text: str


class EmbeddingModel(NamedTuple):
    """Model as one database knows it. `embedded`: it has embedded something already."""

    number: int
    dims: int
    embedded: bool


class EmbeddingRows:
    """Embeddings of one database by one model."""

    def __init__(
        self,
        connections: PostgresConnections,
        abilities: Abilities,
        id: str,
        *,
        model: str,
        dims: int,
        index_from: int,
    ) -> None:
        self._connections = connections
        self._abilities = abilities
        self._id = id
        self._model = model
        self._dims = dims
        self._index_from = index_from
        self._refused = False  # this user may not make indexes

    def model(self) -> EmbeddingModel:
        """Look up or register the model; from then on every record has a row for its embedding."""
        found = self._connections.read(self._find)
        return found if found is not None else self._connections.write(self._register)

    def _find(self, connection: Connection) -> EmbeddingModel | None:
        row = connection.execute(
            "SELECT number, embedded FROM models "
            "WHERE database = %s AND name = %s AND dims = %s AND used > now() - interval '1 hour'",
            (number_of(connection, self._id), self._model, self._dims),
        ).fetchone()
        return None if row is None else EmbeddingModel(row[0], self._dims, row[1])

    def _register(self, connection: Connection) -> EmbeddingModel:
        database = number_of(connection, self._id, lock=True)
        row = connection.execute(_REGISTER, (database, self._model, self._dims)).fetchone()
        assert row is not None
        if row[1]:
            connection.execute(
                "INSERT INTO embeddings (model, record, hash) "
                "SELECT %s, number, hash FROM records WHERE database = %s",
                (row[0], database),
            )
            return EmbeddingModel(row[0], self._dims, False)
        found = self._find(connection)
        assert found is not None
        return found

    # -- what is missing

    def pending(self) -> int:
        """Number of records without an embedding."""
        model = self.model().number

        def work(connection: Connection) -> int:
            row = connection.execute(
                "SELECT count(*) FROM embeddings "
                "WHERE model = %s AND embedding IS NULL AND NOT hopeless",
                (model,),
            ).fetchone()
            assert row is not None
            return int(row[0])

        return self._connections.read(work)

    def claim(self, model: EmbeddingModel, limit: int) -> list[Claimed]:
        """Claim up to `limit` records to embed, which no other node takes meanwhile."""

        def work(connection: Connection) -> list[Claimed]:
            rows = connection.execute(
                _CLAIM,
                {
                    "model": model.number,
                    "seconds": CLAIM_SECONDS,
                    "limit": limit,
                    "characters": EMBEDDED_CHARACTERS,
                },
            )
            return [Claimed(*row) for row in rows]

        return self._connections.write(work)

    def release(
        self, model: EmbeddingModel, records: Sequence[int], *, hopeless: bool = False
    ) -> None:
        """Release claimed records; a hopeless one is not tried again until its text changes."""

        def work(connection: Connection) -> None:
            number_of(connection, self._id, lock=True)
            connection.execute(
                "UPDATE embeddings SET claimed = NULL, hopeless = hopeless OR %s "
                "WHERE model = %s AND record = ANY(%s) AND embedding IS NULL",
                (hopeless, model.number, list(records)),
            )

        self._connections.write(work)

    def put(self, model: EmbeddingModel, vectors: Mapping[tuple[int, bytes], str]) -> None:
        """Store vectors by record and hash of the text; a text that has changed gets none."""
        statement = sql.SQL(_PUT).format(vectors=sql.SQL(self._abilities.vectors))

        def work(connection: Connection) -> None:
            database = number_of(connection, self._id, lock=True)
            connection.execute(
                "UPDATE databases SET vectors = vectors + 1 WHERE number = %s", (database,)
            )
            connection.execute(
                "UPDATE models SET embedded = true WHERE number = %s AND NOT embedded",
                (model.number,),
            )
            keys = list(vectors)
            connection.execute(
                statement,
                (
                    [record for record, _ in keys],
                    [text for _, text in keys],
                    list(vectors.values()),
                    model.number,
                ),
            )

        self._connections.write(work)

    # -- the index

    def maintain(self) -> None:
        """Create the vector index once there are enough vectors, and delete unused models."""
        model = self.model()
        count, forgotten = self._connections.read(
            lambda connection: self._counts(connection, model)
        )
        if forgotten:
            self._forget(forgotten)
        if count >= self._index_from and self._dims <= self._abilities.most_dims:
            self._make_index(model)

    def _counts(self, connection: Connection, model: EmbeddingModel) -> tuple[int, list[int]]:
        database = number_of(connection, self._id)
        row = connection.execute(
            "SELECT count(*) FROM embeddings WHERE model = %s AND embedding IS NOT NULL",
            (model.number,),
        ).fetchone()
        assert row is not None
        old = connection.execute(
            "SELECT number FROM models WHERE database = %s AND number <> %s "
            "AND used < now() - make_interval(days => %s)",
            (database, model.number, FORGET_DAYS),
        ).fetchall()
        return int(row[0]), [number for (number,) in old]

    def _forget(self, models: list[int]) -> None:
        def work(connection: Connection) -> None:
            number_of(connection, self._id, lock=True)
            forget_models(connection, models)

        self._connections.write(work)

    def _make_index(self, model: EmbeddingModel) -> None:
        if self._refused or self._connections.read(lambda connection: indexed(connection, model)):
            return
        vectors = self._abilities.vectors
        name = sql.Identifier(index_name(model.number))
        with self._connections.plain() as connection:
            row = connection.execute(
                "SELECT pg_try_advisory_lock(%s, %s)", (_INDEX_LOCK, model.number)
            ).fetchone()
            if row is None or not row[0]:
                return  # another node is at it
            connection.execute("SET lock_timeout = 0")
            try:
                # What a killed build left behind is in the way and of no use.
                connection.execute(sql.SQL("DROP INDEX CONCURRENTLY IF EXISTS {}").format(name))
                connection.execute(
                    sql.SQL(_INDEX).format(
                        name=name,
                        vectors=sql.SQL(vectors),
                        dims=sql.Literal(self._dims),
                        operators=sql.SQL(f"{vectors}_ip_ops"),
                        model=sql.Literal(model.number),
                    )
                )
                # So that the server knows at once what the index is good for.
                connection.execute("ANALYZE embeddings, records")
            except errors.InsufficientPrivilege:
                self._refused = True
                log.warning(
                    "The vectors of %s are searched without an index, as this user may not make "
                    "one; the owner of the tables may.",
                    self._id,
                )


_INDEX_LOCK = 0x6B6E


def index_name(model: int) -> str:
    return f"embeddings_nearest_{model}"


def indexed(connection: Connection, model: EmbeddingModel) -> bool:
    """Whether the vectors of the model have a valid index."""
    row = connection.execute(
        "SELECT indisvalid FROM pg_index WHERE indexrelid = to_regclass(%s)",
        (index_name(model.number),),
    ).fetchone()
    return row is not None and bool(row[0])


def forget_models(connection: Connection, models: Sequence[int]) -> None:
    """Delete these models with their embeddings and indexes."""
    connection.execute("DELETE FROM embeddings WHERE model = ANY(%s)", (list(models),))
    connection.execute("DELETE FROM models WHERE number = ANY(%s)", (list(models),))
    for model in models:
        if indexed(connection, EmbeddingModel(model, 0, True)):
            connection.execute(
                sql.SQL("DROP INDEX IF EXISTS {}").format(sql.Identifier(index_name(model)))
            )
