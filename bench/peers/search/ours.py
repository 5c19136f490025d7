"""Times Antiphon's own knowledge database, the same way as the others."""

import re
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from harness import Data, Floats, K, Query, main

# isort: split
import numpy as np

from antiphon.knowledge import Filters, KnowledgeBase, Record

BATCH = 10_000
# A title begins with `#` and the number of its record, a query with `q` and its own.
NUMBER = re.compile(r"^[#q](\d+)")


class PlannedSearch:
    """Gives the vectors of the data back, so that embedding costs nothing here."""

    name = "bench"

    def __init__(self, vectors: Floats) -> None:
        self.dims = int(vectors.shape[1])
        self._vectors = vectors

    def embed(self, texts: Sequence[str]) -> Floats:
        return np.stack([self._vectors[self._number(text)] for text in texts])

    @staticmethod
    def _number(text: str) -> int:
        found = NUMBER.match(text)
        if found is None:
            raise ValueError(f"there is no vector for {text[:40]!r}")
        return int(found[1])


class KnowledgeSearch:
    settings: Sequence[dict[str, Any]] = ({},)  # it chooses how many to look at by itself

    def build(self, data: Data, folder: Path) -> None:
        planned = PlannedSearch(np.load(data.folder / "vectors.npy", mmap_mode="r"))
        base = KnowledgeBase.open(folder / "base", embedder=planned)
        database = base.create("bench")
        for rows, _ in data.batches():
            database.upsert(Record.from_dict(row.record) for row in rows)
        while database.embed_pending(BATCH):
            pass
        database.flush()
        base.close()

    def open(self, data: Data, folder: Path) -> None:
        planned = PlannedSearch(np.stack([query.vector for query in data.plain]))
        self._base = KnowledgeBase.open(folder / "base", embedder=planned)
        self._database = self._base.database("bench")

    def use(self, setting: dict[str, Any]) -> None:
        """There is nothing to set."""

    def vectors(self, query: Query) -> list[int]:
        """Its vector index alone, filter and records included, as the others are asked."""
        filters = self._filters(query)
        with self._database._use() as engine, engine.indexes.lock.read():
            source = engine.search_source(filters)
            rows = source.nearest(query.vector, K)[0].tolist()
            records = source.records(rows)
        return [self._number(records[row][1].id) for row in rows]

    def hybrid(self, query: Query) -> list[int]:
        found = self._database.search(query.text, filters=self._filters(query), k=K)
        return [self._number(evidence.id) for evidence in found]

    @staticmethod
    def _filters(query: Query) -> Filters | None:
        if query.filter is None:
            return None
        return Filters(types=(query.filter.type,), tags=(query.filter.area,))

    @staticmethod
    def _number(name: str) -> int:
        return int(name.partition(":")[2])


if __name__ == "__main__":
    main("antiphon", "antiphon", KnowledgeSearch())
