"""Times DuckDB: the vss extension's HNSW beside the fts extension's BM25, fused in Python."""

from collections.abc import Sequence
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from harness import Data, K, Query, fuse, main

# isort: split
import duckdb
import pyarrow as pa

POOL = 64
# Both come as packages, so that nothing is fetched when they are loaded.
EXTENSIONS = ("vss", "fts")
# The index takes no filter: it would look among its few nearest for those that fit, and miss
# nearly all. Those that fit are few, so each is compared.
ALLOWED = "(SELECT * FROM records WHERE type = ? AND area = ?)"
WORDS = (
    "SELECT row, score FROM (SELECT row, type, area, fts_main_records.match_bm25(row, ?) AS score"
    " FROM records) WHERE score IS NOT NULL{also} ORDER BY score DESC LIMIT ?"
)


class DuckDB:
    settings: Sequence[dict[str, Any]] = tuple(
        {"ef_search": ef} for ef in (16, 32, 64, 128, 256, 512, 1024)
    )

    def build(self, data: Data, folder: Path) -> None:
        self._connect(folder)
        self._database.execute(
            "CREATE TABLE records (row INTEGER PRIMARY KEY, type VARCHAR, area VARCHAR,"
            f" id VARCHAR, title VARCHAR, text VARCHAR, vector FLOAT[{data.dims}])"
        )
        for rows, vectors in data.batches():
            batch = pa.table(
                {
                    "row": pa.array([row.number for row in rows]),
                    "type": pa.array([row.type for row in rows]),
                    "area": pa.array([row.area for row in rows]),
                    "id": pa.array([row.record["id"] for row in rows]),
                    "title": pa.array([row.title for row in rows]),
                    "text": pa.array([row.text for row in rows]),
                    "vector": pa.FixedSizeListArray.from_arrays(
                        pa.array(vectors.reshape(-1)), data.dims
                    ),
                }
            )
            self._database.register("batch", batch)
            self._database.execute("INSERT INTO records SELECT * FROM batch")
            self._database.unregister("batch")
        self._database.execute("SET hnsw_enable_experimental_persistence = true")
        self._database.execute(
            "CREATE INDEX near ON records USING HNSW (vector)"
            " WITH (metric = 'cosine', ef_construction = 128, M = 16)"
        )
        self._database.execute("PRAGMA create_fts_index('records', 'row', 'title', 'text')")
        self._database.execute("CHECKPOINT")
        self._database.close()

    def open(self, data: Data, folder: Path) -> None:
        self._dims = data.dims
        # As text: lists and arrays take it several times longer to read than the search itself.
        self._texts = [str(query.vector.tolist()) for query in data.plain]
        self._connect(folder)

    def use(self, setting: dict[str, Any]) -> None:
        self._database.execute(f"SET hnsw_ef_search = {setting['ef_search']}")

    def vectors(self, query: Query) -> list[int]:
        return self._fetch(list(self._near(query, K)))

    def hybrid(self, query: Query) -> list[int]:
        return self._fetch(fuse(self._near(query, POOL), self._by_words(query)))

    def _connect(self, folder: Path) -> None:
        self._database = duckdb.connect(str(folder / "search.duckdb"), config={"threads": 1})
        for name in EXTENSIONS:
            found = find_spec(f"duckdb_extension_{name}")
            if found is None or found.origin is None:
                raise ModuleNotFoundError("not installed", name=f"duckdb_extension_{name}")
            where = Path(found.origin).parent / "extensions" / f"v{duckdb.__version__}"
            self._database.execute(f"LOAD '{where / f'{name}.duckdb_extension'}'")

    def _near(self, query: Query, limit: int) -> dict[int, float]:
        distance = f"array_cosine_distance(vector, ?::FLOAT[{self._dims}])"
        asked: list[Any] = [self._texts[query.number], limit]
        source = "records"
        if query.filter is not None:
            source = ALLOWED
            asked = [asked[0], query.filter.type, query.filter.area, limit]
        found = self._database.execute(
            f"SELECT row, {distance} AS far FROM {source} ORDER BY far LIMIT ?", asked
        )
        return {row: 1.0 - far for row, far in found.fetchall()}

    def _by_words(self, query: Query) -> dict[int, float]:
        if query.filter is None:
            return dict(
                self._database.execute(WORDS.format(also=""), [query.text, POOL]).fetchall()
            )
        asked = [query.text, query.filter.type, query.filter.area, POOL]
        statement = WORDS.format(also=" AND type = ? AND area = ?")
        return dict(self._database.execute(statement, asked).fetchall())

    def _fetch(self, rows: list[int]) -> list[int]:
        marks = ",".join("?" * len(rows))
        self._database.execute(
            f"SELECT row, id, title, text FROM records WHERE row IN ({marks})", rows
        ).fetchall()
        return rows


if __name__ == "__main__":
    main("duckdb", "duckdb", DuckDB())
