"""PostgreSQL engine of one database: its rows, its search and its embedder."""

from __future__ import annotations

import logging
import threading
import time
from collections.abc import Iterable
from typing import TYPE_CHECKING

from antiphon.knowledge.embedding.checked import CheckedEmbedder
from antiphon.knowledge.errors import KnowledgeError
from antiphon.knowledge.postgres.connections import PostgresConnections
from antiphon.knowledge.postgres.embeddings import (
    CLAIM_SECONDS,
    Claimed,
    EmbeddingModel,
    EmbeddingRows,
)
from antiphon.knowledge.postgres.record_writer import PostgresRecordWriter
from antiphon.knowledge.postgres.schema import Abilities
from antiphon.knowledge.postgres.session import PostgresSession, PostgresTransactions
from antiphon.knowledge.records import Evidence, Filters, Record
from antiphon.knowledge.rows import Written, embedding_text
from antiphon.knowledge.sql.edges import EdgeStore
from antiphon.knowledge.sql.records import RecordStore

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from antiphon.knowledge.embedding import Embedder

log = logging.getLogger(__name__)

_LOOK_AGAIN_SECONDS = 0.05


class PostgresEngine:
    """Engine of one database on the server. It holds no connection: every call borrows one."""

    def __init__(
        self,
        connections: PostgresConnections,
        abilities: Abilities,
        id: str,
        embedder: Embedder | None,
        *,
        index_from: int,
    ) -> None:
        self._connections = connections
        self._abilities = abilities
        self._id = id
        self._embedder = None if embedder is None else CheckedEmbedder(embedder)
        self._index_from = index_from
        self._transactions = PostgresTransactions(connections, id)
        self.records: RecordStore[PostgresSession] = RecordStore(
            self._transactions, PostgresRecordWriter()
        )
        self.edges: EdgeStore[PostgresSession] = EdgeStore(self._transactions)
        self._embeddings: EmbeddingRows | None = None
        if embedder is not None:
            self._embeddings = EmbeddingRows(
                connections,
                abilities,
                id,
                model=embedder.name,
                dims=embedder.dims,
                index_from=index_from,
            )
        self._embedding = threading.Lock()

    def upsert(self, records: Iterable[Record]) -> Written:
        return self.records.upsert(records)

    def delete(self, ids: Iterable[str]) -> int:
        return self.records.delete(ids)

    # -- search

    def search(
        self,
        query: str,
        *,
        filters: Filters | None,
        k: int,
        explain: bool,
        full_text: bool,
        cut_off: bool,
        meaning: bool = True,
    ) -> list[Evidence]:
        from antiphon.knowledge.postgres.search import PostgresSearchSource
        from antiphon.knowledge.search import Search

        model, vector = self._query_vector(query) if meaning else (None, None)

        def work(session: PostgresSession) -> list[Evidence]:
            source = PostgresSearchSource(
                session, filters, model, self._abilities, few=self._index_from // 10
            )
            search = Search(source, query=query, vector=vector, k=k)
            # Everything it reads is of one moment, so nothing is looked at again.
            return search.run(explain=explain, full_text=full_text, cut_off=cut_off)

        return self._transactions.read(work)

    def _query_vector(self, query: str) -> tuple[EmbeddingModel | None, NDArray[np.float32] | None]:
        """Vector of the query and its model; None for both when the search is by words alone."""
        if self._embeddings is None or self._embedder is None or not query.strip():
            return None, None
        model = self._embeddings.model()
        if not model.embedded:
            return None, None
        vector = self._embedder.embed_query(query)
        return (None, None) if vector is None else (model, vector)

    # -- embeddings

    def pending(self) -> int:
        return 0 if self._embeddings is None else self._embeddings.pending()

    def embed_pending(self, batch: int) -> int:
        if self._embeddings is None:
            return 0
        with self._embedding:
            model = self._embeddings.model()
            claimed = self._embeddings.claim(model, batch)
            if not claimed:
                return 0
            try:
                self._put(self._embeddings, model, claimed)
            except KnowledgeError:
                self._embeddings.release(model, [item.record for item in claimed])
                raise
            return len(claimed)

    def _put(self, rows: EmbeddingRows, model: EmbeddingModel, claimed: list[Claimed]) -> None:
        import numpy as np

        from antiphon.knowledge.postgres.search import literal

        texts = {item.hash: embedding_text(item.id, item.title, item.text) for item in claimed}
        assert self._embedder is not None
        made = self._embedder.embed(list(texts.values()))
        lengths = np.linalg.norm(made.astype(np.float64), axis=1)
        vectors: dict[bytes, str] = {}
        for (key, text), vector, length in zip(texts.items(), made, lengths.tolist(), strict=True):
            if np.isfinite(length):
                vectors[key] = literal(vector / np.float32(length) if length else vector)
            else:
                log.warning("The embedder has no usable vector for %r", text[:60])
        good = {
            (item.record, item.hash): vectors[item.hash] for item in claimed if item.hash in vectors
        }
        if good:
            rows.put(model, good)
        if bad := [item.record for item in claimed if item.hash not in vectors]:
            rows.release(model, bad, hopeless=True)

    # -- maintenance

    def flush(self) -> None:
        """Wait for what other nodes are embedding, and create the vector index when it is due."""
        if self._embeddings is None:
            return
        give_up = time.monotonic() + 2 * CLAIM_SECONDS
        while self._embeddings.pending() and time.monotonic() < give_up:
            if not self.embed_pending(64):
                time.sleep(_LOOK_AGAIN_SECONDS)
        self._embeddings.maintain()

    def release_writer(self) -> bool:
        """Create the vector index when it is due; nothing is left to release."""
        if self._embeddings is not None:
            self._embeddings.maintain()
        return False

    def close(self) -> None:
        """Do nothing: the connections belong to the knowledge base."""
