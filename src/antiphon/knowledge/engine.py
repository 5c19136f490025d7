"""Knowledge engine: the protocol of what is behind an open database, on SQLite or PostgreSQL."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, Any, Protocol

if TYPE_CHECKING:
    from antiphon.knowledge.records import Evidence, Filters, Record
    from antiphon.knowledge.rows import Written
    from antiphon.knowledge.sql.edges import EdgeStore
    from antiphon.knowledge.sql.records import RecordStore


class KnowledgeEngine(Protocol):
    """An open database: records, edges, search and embeddings. Every method raises KnowledgeError.

    Records and edges are stored alike by both engines; full text, vectors and their upkeep are
    each engine's own.
    """

    @property
    def records(self) -> RecordStore[Any]:
        """The store of records, to read them; write through the engine."""

    @property
    def edges(self) -> EdgeStore[Any]:
        """The store of edges."""

    def upsert(self, records: Iterable[Record]) -> Written:
        """Insert or replace records; the next search finds them."""

    def delete(self, ids: Iterable[str]) -> int:
        """Delete records and the edges at them; returns how many records there were."""

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
        """The best `k` records for a query, best first; with `cut_off` the relevant of them.
        Without `meaning` by its words alone."""

    def pending(self) -> int:
        """How many records have no embedding by the present model yet."""

    def embed_pending(self, batch: int) -> int:
        """Embed up to `batch` pending records; returns how many were taken."""

    def flush(self) -> None:
        """Write what only memory has, such as indexes."""

    def release_writer(self) -> bool:
        """Release what only writing needs; True when there is more to release later."""

    def close(self) -> None:
        """Close files and connections that belong to this database alone."""
