"""Times sqlite-vec: a `vec0` table beside an FTS5 table, fused in Python."""

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from harness import Data, K, Query, fuse, main, words_of

# isort: split
import pysqlite3 as sqlite3
import sqlite_vec

POOL = 64
NEAR = "SELECT rowid, distance FROM vectors WHERE embedding MATCH ? AND k = ?"
WORDS = "SELECT rowid, -bm25(words) FROM words WHERE words MATCH ? ORDER BY bm25(words) LIMIT ?"
# FTS5 holds nothing but words: what they match is joined with the columns of the filter.
WORDS_FILTERED = (
    "SELECT words.rowid, -bm25(words) FROM words JOIN records ON records.row = words.rowid"
    " WHERE words MATCH ? AND records.type = ? AND records.area = ? ORDER BY bm25(words) LIMIT ?"
)


class SqliteVec:
    settings: Sequence[dict[str, Any]] = ({},)  # it compares with every vector: nothing to choose

    def build(self, data: Data, folder: Path) -> None:
        self._connect(folder)
        self._database.executescript(
            "CREATE TABLE records (row INTEGER PRIMARY KEY, type, area, id, title, text);"
            "CREATE INDEX records_by_filter ON records (type, area);"
            f"CREATE VIRTUAL TABLE vectors USING vec0(embedding float[{data.dims}]"
            " distance_metric=cosine, type text, area text);"
            "CREATE VIRTUAL TABLE words USING fts5(title, text, content='records',"
            " content_rowid='row', tokenize='porter unicode61');"
        )
        for rows, vectors in data.batches():
            with self._database:
                self._database.executemany(
                    "INSERT INTO records VALUES (?, ?, ?, ?, ?, ?)",
                    [
                        (row.number, row.type, row.area, row.record["id"], row.title, row.text)
                        for row in rows
                    ],
                )
                self._database.executemany(
                    "INSERT INTO vectors (rowid, embedding, type, area) VALUES (?, ?, ?, ?)",
                    [
                        (row.number, vector.tobytes(), row.type, row.area)
                        for row, vector in zip(rows, vectors, strict=True)
                    ],
                )
        with self._database:
            self._database.execute("INSERT INTO words (words) VALUES ('rebuild')")
            self._database.execute("INSERT INTO words (words) VALUES ('optimize')")
        self._database.execute("ANALYZE")
        self._database.close()

    def open(self, data: Data, folder: Path) -> None:  # noqa: ARG002 all are opened alike
        self._connect(folder)

    def use(self, setting: dict[str, Any]) -> None:
        """There is one way to search."""

    def vectors(self, query: Query) -> list[int]:
        return self._fetch(list(self._near(query, K)))

    def hybrid(self, query: Query) -> list[int]:
        return self._fetch(fuse(self._near(query, POOL), self._by_words(query)))

    def _connect(self, folder: Path) -> None:
        self._database = sqlite3.connect(folder / "search.db")
        self._database.enable_load_extension(True)
        sqlite_vec.load(self._database)
        self._database.execute("PRAGMA journal_mode = WAL")
        # Enough to keep what is searched: reading it from the disk each time is not the point.
        self._database.execute("PRAGMA mmap_size = 8000000000")

    def _near(self, query: Query, limit: int) -> dict[int, float]:
        asked: tuple[Any, ...] = (query.vector.tobytes(), limit)
        statement = NEAR
        if query.filter is not None:
            statement += " AND type = ? AND area = ?"
            asked += (query.filter.type, query.filter.area)
        return {row: 1.0 - far for row, far in self._database.execute(statement, asked)}

    def _by_words(self, query: Query) -> dict[int, float]:
        words = " OR ".join(f'"{word}"' for word in words_of(query.text))
        if not words:
            return {}
        if query.filter is None:
            return dict(self._database.execute(WORDS, (words, POOL)))
        asked = (words, query.filter.type, query.filter.area, POOL)
        return dict(self._database.execute(WORDS_FILTERED, asked))

    def _fetch(self, rows: list[int]) -> list[int]:
        marks = ",".join("?" * len(rows))
        self._database.execute(
            f"SELECT row, id, title, text FROM records WHERE row IN ({marks})", rows
        ).fetchall()
        return rows


if __name__ == "__main__":
    main("sqlite-vec", "sqlite-vec", SqliteVec())
