"""SQLite engine of one open database: its tables, its indexes and its embedder."""

from __future__ import annotations

import logging
import threading
from collections.abc import Iterable
from pathlib import Path
from typing import TYPE_CHECKING

from antiphon.knowledge.embedding.checked import CheckedEmbedder
from antiphon.knowledge.errors import KnowledgeError, explained
from antiphon.knowledge.records import Evidence, Filters, Record
from antiphon.knowledge.rows import Written, embedding_text
from antiphon.knowledge.sql.edges import EdgeStore
from antiphon.knowledge.sql.records import RecordStore
from antiphon.knowledge.sqlite.connections import SqliteConnections, SqliteSession
from antiphon.knowledge.sqlite.record_writer import SqliteRecordWriter

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from antiphon.knowledge.embedding import Embedder
    from antiphon.knowledge.indexes import Indexes
    from antiphon.knowledge.sqlite.embeddings import EmbeddingStore
    from antiphon.knowledge.sqlite.search_source import IndexSource

log = logging.getLogger(__name__)


class SqliteEngine:
    """Engine of one file. Its indexes are opened by the first write or search."""

    def __init__(self, folder: Path, path: Path, embedder: Embedder | None) -> None:
        self._folder = folder
        self._embedder = None if embedder is None else CheckedEmbedder(embedder)
        self._connections = SqliteConnections(path)
        self.records: RecordStore[SqliteSession] = RecordStore(
            self._connections, SqliteRecordWriter()
        )
        self.edges: EdgeStore[SqliteSession] = EdgeStore(self._connections)
        self._opening = threading.Lock()
        self._embedding = threading.Lock()
        self._indexes: Indexes | None = None
        self._vectors: EmbeddingStore | None = None
        # Texts that the embedder has no vector for; trying them again would not end.
        self._hopeless: set[bytes] = set()

    @property
    def indexes(self) -> Indexes:
        if self._indexes is not None:
            return self._indexes
        from antiphon.knowledge.indexes import Indexes
        from antiphon.knowledge.sqlite.embeddings import EmbeddingStore

        with self._opening, explained(self._folder):
            if self._indexes is None:
                if self._embedder is None:
                    self._indexes = Indexes(self._folder, self._connections)
                else:
                    name = self._embedder.name
                    self._vectors = EmbeddingStore(self._connections, name)
                    self._indexes = Indexes(
                        self._folder,
                        self._connections,
                        model=self._vectors.model,
                        model_name=name,
                        dims=self._embedder.dims,
                    )
        return self._indexes

    # -- writing

    def upsert(self, records: Iterable[Record]) -> Written:
        written = self.records.upsert(records)
        if written.added or written.changed:
            self._update_indexes()
        return written

    def delete(self, ids: Iterable[str]) -> int:
        deleted = self.records.delete(ids)
        if deleted:
            self._update_indexes()
        return deleted

    def _update_indexes(self) -> None:
        """Bring the indexes up to date; a failure is logged, as the records are durable already."""
        try:
            with explained(self._folder):
                self.indexes.catch_up()
        except KnowledgeError as error:
            log.warning("The indexes in %s are behind: %s", self._folder, error)

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
        """Search, again when another process has changed what was read meanwhile."""
        from antiphon.knowledge.search import Search
        from antiphon.knowledge.text_index import DamagedIndexError

        indexes = self.indexes
        vector = self._query_vector(query) if meaning else None
        with explained(self._folder):
            indexes.refresh()
            tries = 3
            while True:
                tries -= 1
                try:
                    with indexes.lock.read():
                        source = self.search_source(filters)
                        search = Search(source, query=query, vector=vector, k=k)
                        found = search.run(explain=explain, full_text=full_text, cut_off=cut_off)
                except DamagedIndexError as error:
                    if not tries:
                        raise
                    indexes.repair(error)
                    continue
                if search.current or not tries:
                    return found
                indexes.catch_up()

    def search_source(self, filters: Filters | None) -> IndexSource:
        """What a search reads, through one filter; use it while the indexes are locked."""
        from antiphon.knowledge.sqlite.search_source import IndexSource

        return IndexSource(self.indexes, self._connections, filters)

    def _query_vector(self, query: str) -> NDArray[np.float32] | None:
        """Vector of the query; None when the search is by words alone."""
        vectors = self.indexes.vectors
        if self._embedder is None or vectors is None or not vectors.count:
            return None
        return self._embedder.embed_query(query)

    # -- embeddings

    def pending(self) -> int:
        if self._embedder is None:
            return 0
        self.indexes.catch_up()
        return len(self._missing())

    def embed_pending(self, batch: int) -> int:
        if self._embedder is None:
            return 0
        with self._embedding:
            indexes = self.indexes
            indexes.catch_up()
            store = self._vectors
            assert store is not None
            pending = store.texts(self._missing(batch))
            texts = {item.hash: embedding_text(item.id, item.title, item.text) for item in pending}
            if not texts:
                store.forget_other_models()
                return 0
            packed = self._pack(texts)
            if packed:
                store.put(packed)
                indexes.catch_up()
            return len(pending)

    def _missing(self, limit: int | None = None) -> list[int]:
        """Rows without an embedding that can have one."""
        indexes = self.indexes
        with indexes.lock.read():
            if indexes.vectors is None:
                return []
            missing = indexes.vectors.missing(indexes.columns.alive)
        if self._hopeless and len(missing):
            assert self._vectors is not None
            texts = self._vectors.texts(missing.tolist())
            rows = [item.row for item in texts if item.hash not in self._hopeless]
        else:
            rows = missing[:limit].tolist()
        return rows[:limit]

    def _pack(self, texts: dict[bytes, str]) -> dict[bytes, bytes]:
        import numpy as np

        from antiphon.knowledge.vectors import Quantized

        assert self._embedder is not None
        vectors = self._embedder.embed(list(texts.values()))
        good = [bool(np.isfinite(vector).all()) for vector in vectors]
        for (key, text), fine in zip(texts.items(), good, strict=True):
            if not fine:
                log.warning("The embedder has no usable vector for %r", text[:60])
                self._hopeless.add(key)
        keys = [key for key, fine in zip(texts, good, strict=True) if fine]
        return dict(zip(keys, Quantized.pack(vectors[good]), strict=True))

    # -- files

    def flush(self) -> None:
        with explained(self._folder):
            self.indexes.flush()

    def release_writer(self) -> bool:
        if self._indexes is None:
            return False
        with explained(self._folder):
            return self._indexes.release_writer()

    def close(self) -> None:
        with self._opening:
            if self._indexes is not None:
                self._indexes.close()
                self._indexes = None
        self._connections.close()
