"""Times LanceDB: its hybrid query over an HNSW index with 8-bit vectors and its own BM25."""

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

from harness import Data, K, Query, main

# isort: split
import lancedb
import pyarrow as pa
from lancedb.index import FTS, Bitmap, HnswSq

COLUMNS = ["row", "id", "words"]


class LanceDB:
    # `refine`: so many times more candidates are compared by their full vectors.
    settings: Sequence[dict[str, Any]] = (
        {"ef": 16, "refine": 1},
        {"ef": 32, "refine": 1},
        {"ef": 64, "refine": 1},
        {"ef": 128, "refine": 1},
        {"ef": 128, "refine": 2},
        {"ef": 256, "refine": 2},
        {"ef": 512, "refine": 3},
        {"ef": 1024, "refine": 4},
    )

    def build(self, data: Data, folder: Path) -> None:
        schema = pa.schema(
            [
                ("row", pa.int64()),
                ("type", pa.string()),
                ("area", pa.string()),
                ("id", pa.string()),
                ("words", pa.string()),
                ("vector", pa.list_(pa.float32(), data.dims)),
            ]
        )

        def batches() -> Iterator[pa.RecordBatch]:
            for rows, vectors in data.batches():
                flat = pa.array(vectors.reshape(-1))
                yield pa.record_batch(
                    [
                        pa.array([row.number for row in rows]),
                        pa.array([row.type for row in rows]),
                        pa.array([row.area for row in rows]),
                        pa.array([row.record["id"] for row in rows]),
                        pa.array([f"{row.title}\n{row.text}" for row in rows]),
                        pa.FixedSizeListArray.from_arrays(flat, data.dims),
                    ],
                    schema=schema,
                )

        table = lancedb.connect(folder / "lance").create_table("bench", batches(), schema=schema)
        table.create_index("vector", config=HnswSq(distance_type="cosine"))
        table.create_index("words", config=FTS())
        table.create_index("type", config=Bitmap())
        table.create_index("area", config=Bitmap())
        table.optimize()

    def open(self, data: Data, folder: Path) -> None:  # noqa: ARG002 all are opened alike
        self._table = lancedb.connect(folder / "lance").open_table("bench")

    def use(self, setting: dict[str, Any]) -> None:
        self._setting = setting

    def vectors(self, query: Query) -> list[int]:
        asked = self._table.search(query.vector, vector_column_name="vector")
        return self._run(asked.distance_type("cosine"), query)

    def hybrid(self, query: Query) -> list[int]:
        asked = self._table.search(
            query_type="hybrid", vector_column_name="vector", fts_columns="words"
        )
        return self._run(asked.vector(query.vector).text(query.text).distance_type("cosine"), query)

    def _run(self, asked: Any, query: Query) -> list[int]:
        asked = asked.limit(K).select(COLUMNS).ef(self._setting["ef"])
        if self._setting["refine"] > 1:
            asked = asked.refine_factor(self._setting["refine"])
        if query.filter is not None:
            wanted = f"type = '{query.filter.type}' AND area = '{query.filter.area}'"
            asked = asked.where(wanted)
        return [found["row"] for found in asked.to_list()]


if __name__ == "__main__":
    main("lancedb", "lancedb", LanceDB())
