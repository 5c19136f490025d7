"""Times Chroma: its HNSW collection on disk. It ranks by vectors alone; there is no BM25."""

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from harness import Data, K, Query, main

# isort: split
import chromadb
from chromadb.config import Settings


class Chroma:
    settings: Sequence[dict[str, Any]] = tuple(
        {"ef_search": ef} for ef in (10, 20, 50, 100, 200, 400, 800)
    )

    def build(self, data: Data, folder: Path) -> None:
        hnsw = {"space": "cosine", "ef_construction": 100, "max_neighbors": 16, "num_threads": 1}
        collection = client_of(folder).create_collection(
            "bench", configuration={"hnsw": hnsw}, embedding_function=None
        )
        for rows, vectors in data.batches():
            collection.add(
                ids=[str(row.number) for row in rows],
                embeddings=vectors,
                documents=[f"{row.title}\n{row.text}" for row in rows],
                metadatas=[{"type": row.type, "area": row.area} for row in rows],
            )

    def open(self, data: Data, folder: Path) -> None:  # noqa: ARG002 all are opened alike
        self._folder = folder
        self._client = client_of(folder)
        self._collection = self._client.get_collection("bench", embedding_function=None)

    def use(self, setting: dict[str, Any]) -> None:
        self._collection.modify(configuration={"hnsw": setting})
        # An index that is open keeps the setting it was opened with.
        self._client.close()
        self._client = client_of(self._folder)
        self._collection = self._client.get_collection("bench", embedding_function=None)

    def vectors(self, query: Query) -> list[int]:
        where = None
        if query.filter is not None:
            where = {"$and": [{"type": query.filter.type}, {"area": query.filter.area}]}
        found = self._collection.query(
            query_embeddings=[query.vector],
            n_results=K,
            where=where,
            include=["documents", "metadatas", "distances"],
        )
        return [int(name) for name in found["ids"][0]]

    def hybrid(self, query: Query) -> list[int]:
        raise NotImplementedError("Chroma on disk has no ranking by words")


def client_of(folder: Path) -> Any:
    return chromadb.PersistentClient(
        path=str(folder / "chroma"), settings=Settings(anonymized_telemetry=False)
    )


if __name__ == "__main__":
    main("chroma", "chromadb", Chroma(), hybrid=False)
