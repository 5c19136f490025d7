"""One knowledge database: records, edges and search, opened when it is first used."""

from __future__ import annotations

import os
import threading
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

from antiphon.contracts import ErrorType
from antiphon.knowledge.engine import KnowledgeEngine
from antiphon.knowledge.errors import KnowledgeError
from antiphon.knowledge.records import Edge, Evidence, Filters, Record, check_id
from antiphon.knowledge.rows import PAGE, DatabaseState, Written

if TYPE_CHECKING:
    from antiphon.knowledge.embedding import Embedder
    from antiphon.knowledge.sql.edges import EdgeKey

FILE = "knowledge.db"
MAX_RESULTS = 1_000
MAX_NEIGHBOURHOOD = 1_000


class Database:
    """Handle of one database: free until it is used; its files are opened and closed as needed.

    Safe to use from several threads. Every write is on disk when the call returns, and found by
    the next search. Two processes may use one database: SQLite orders their writes, and each
    catches up with the other's at its next search.
    """

    def __init__(
        self,
        id: str,
        folder: Path,
        embedder: Embedder | None = None,
        *,
        used: Callable[[Database], None] | None = None,
        changed: Callable[[Database], None] | None = None,
    ) -> None:
        """`used` is called when it is opened or used, `changed` when it was written."""
        self.id = id
        self.folder = folder
        self._embedder = embedder
        self._used = used
        self._changed = changed
        self._lock = threading.Lock()
        self._free = threading.Condition(self._lock)
        self._engine: KnowledgeEngine | None = None
        self._inode = 0
        self._users = 0
        self._gone = False

    def __repr__(self) -> str:
        return f"Database({self.id!r})"

    # -- records

    def upsert(self, records: Iterable[Record]) -> Written:
        """Insert records, or replace those with the same id.

        Up to 10,000 are one transaction; more are written in such batches. Raises KnowledgeError
        that names the record that is invalid.
        """
        with self._use() as engine:
            written = engine.upsert(records)
        if written.added or written.changed:
            self._notify_changed()
        return written

    def delete(self, ids: Iterable[str]) -> int:
        """Delete records and the edges at them; returns how many records there were."""
        with self._use() as engine:
            return engine.delete(ids)

    def get(self, ids: Iterable[str]) -> list[Record]:
        """The records with these ids, in this order; those that are not there are left out."""
        with self._use() as engine:
            return engine.records.get(ids)

    def records(self, after: str | None = None, limit: int = PAGE) -> list[Record]:
        """A page of all records in the order of their ids, from the one behind the id `after`."""
        with self._use() as engine:
            return engine.records.page(after, limit)

    def all_records(self) -> Iterator[Record]:
        """All records in the order of their ids, read page by page."""
        after = None
        while page := self.records(after):
            yield from page
            after = page[-1].id

    # -- edges

    def upsert_edges(self, edges: Iterable[Edge]) -> Written:
        """Insert edges, or replace those with the same ends and relation, in batches like upsert.

        Raises KnowledgeError that names the invalid edge or the records that are missing.
        """
        with self._use() as engine:
            return engine.edges.upsert(edges)

    def delete_edges(self, edges: Iterable[Edge | EdgeKey]) -> int:
        """Delete edges, given as such or as (source, target, relation); returns their number."""
        with self._use() as engine:
            return engine.edges.delete(edges)

    def edges_of(self, ids: Iterable[str]) -> list[Edge]:
        """Every edge that begins or ends at one of these records."""
        with self._use() as engine:
            return engine.edges.edges_of(ids)

    def all_edges(self) -> Iterator[Edge]:
        """All edges, read page by page."""
        after = None
        while True:
            with self._use() as engine:
                page, after = engine.edges.page(after)
            yield from page
            if after is None:
                return

    def neighbourhood(
        self, id: str, depth: int = 1, limit: int = MAX_NEIGHBOURHOOD
    ) -> tuple[list[Record], list[Edge]]:
        """Records within `depth` edges of one, itself first, and the edges among them.

        Raises KnowledgeError (NOT_FOUND) when there is no such record.
        """
        check_id(id)
        limit = max(1, min(limit, MAX_NEIGHBOURHOOD))
        with self._use() as engine:
            records, edges = engine.edges.neighbourhood(id, max(0, depth), limit)
        if not records:
            raise KnowledgeError(
                f"There is no record {id!r} in the database {self.id!r}.", ErrorType.NOT_FOUND
            )
        return records, edges

    # -- search

    def search(
        self,
        query: str,
        *,
        filters: Filters | None = None,
        k: int = 5,
        explain: bool = False,
        full_text: bool = False,
        cut_off: bool = True,
        meaning: bool = True,
    ) -> list[Evidence]:
        """The `k` records that answer the query best, best first, among those the filters let in.

        What scores below 0.08 and has none of the query's words is left out, unless `cut_off` is
        False: then there are `k` results whenever there are as many records. Without `meaning` the
        words alone count, and no embedder is asked.
        Any text is a query. Scores go from 0 to 1 and may be compared between queries: below 0.2
        there is hardly a connection, above 0.5 there is a clear one.
        """
        if not isinstance(query, str):
            raise KnowledgeError(f"A query is a text, not {type(query).__name__}.")
        # Halves of surrogate pairs come from broken input; they are in no record.
        query = query.encode("utf-8", "replace").decode()
        if filters is not None:
            filters.check()
        if k < 1:
            return []
        with self._use() as engine:
            return engine.search(
                query,
                filters=filters or None,
                k=min(k, MAX_RESULTS),
                explain=explain,
                full_text=full_text,
                cut_off=cut_off,
                meaning=meaning,
            )

    def titled(self, words: Iterable[str], limit: int = 10) -> list[Record]:
        """Records in whose titles these words, or beginnings of words, stand in this order, those
        with short titles first."""
        with self._use() as engine:
            return engine.records.titled(words, limit)

    # -- state

    @property
    def revision(self) -> int:
        """Number that goes up with every write of records or edges, by whichever process."""
        return self.state().revision

    def state(self) -> DatabaseState:
        """Revisions, counts, title and description."""
        with self._use() as engine:
            return engine.records.state()

    def counts(self) -> dict[str, int]:
        """Numbers of records and edges."""
        state = self.state()
        return {"records": state.records, "edges": state.edges}

    def describe(self, *, title: str | None = None, description: str | None = None) -> None:
        """Change the title or the description that people see; None leaves one as it is."""
        with self._use() as engine:
            engine.records.describe(title, description)

    # -- embeddings

    def pending(self) -> int:
        """Number of records that the present model has not embedded yet."""
        with self._use() as engine:
            return engine.pending()

    def embed_pending(self, batch: int = 64) -> int:
        """Embed up to `batch` records that have no embedding yet; returns how many were taken.

        Search goes on meanwhile; records without an embedding are found by their words.
        """
        # Maintenance does this for every open database; those that people use stay open longest.
        with self._use(counts=False) as engine:
            return engine.embed_pending(max(1, batch))

    def flush(self) -> None:
        """Embed everything that is pending and write the indexes to disk."""
        while self.embed_pending():
            pass
        with self._use() as engine:
            engine.flush()

    # -- opening and closing

    def release_writer(self) -> bool:
        """Release the index writer of an open database; True when it must be called again."""
        with self._lock:
            engine = self._engine
            if engine is None or self._gone:
                return False
            self._users += 1
        try:
            return engine.release_writer()
        finally:
            self._leave()

    def is_open(self) -> bool:
        """Whether its files are open."""
        return self._engine is not None

    def close_idle(self) -> bool:
        """Close the files unless somebody uses them now; the next use opens them again."""
        with self._lock:
            if self._users:
                return False
            engine, self._engine = self._engine, None
        if engine is not None:
            engine.close()
        return True

    def close(self) -> None:
        """Wait for the calls under way, then close for good."""
        with self._free:
            self._gone = True
            self._free.wait_for(lambda: self._users == 0)
            engine, self._engine = self._engine, None
        if engine is not None:
            engine.close()

    @contextmanager
    def _use(self, *, counts: bool = True) -> Iterator[KnowledgeEngine]:
        """Borrow the engine for one call, opened if need be. `counts`: the call counts as use."""
        engine = self._enter(counts)
        try:
            yield engine
        finally:
            self._leave()

    def _enter(self, counts: bool) -> KnowledgeEngine:
        path = self.folder / FILE
        try:
            inode = os.stat(path).st_ino
        except OSError:
            inode = -1
        with self._lock:
            if inode < 0 or self._gone:
                raise KnowledgeError(
                    f"The database {self.id!r} has been closed or deleted.", ErrorType.NOT_FOUND
                )
            opened = self._engine is None
            if self._engine is None:
                from antiphon.knowledge.sqlite.engine import SqliteEngine  # loads SQLAlchemy

                self._engine = SqliteEngine(self.folder, path, self._embedder)
                self._inode = inode
            elif inode != self._inode:
                raise KnowledgeError(
                    f"The database {self.id!r} was deleted and made anew by another process; "
                    "close it and open it again.",
                    ErrorType.CONFLICT,
                )
            self._users += 1
            engine = self._engine
        if self._used is not None and (counts or opened):
            self._used(self)
        if opened and self._changed is not None:
            self._changed(self)  # there may be work left from before
        return engine

    def _leave(self) -> None:
        with self._free:
            self._users -= 1
            if not self._users:
                self._free.notify_all()

    def _notify_changed(self) -> None:
        if self._changed is not None:
            self._changed(self)
