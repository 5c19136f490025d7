"""Edge store: the typed, weighted edges of one database with their provenance."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import islice
from typing import Any, Generic, TypeVar

import orjson

from antiphon.knowledge.errors import KnowledgeError
from antiphon.knowledge.records import Edge, Record, check_edge
from antiphon.knowledge.rows import BATCH, PAGE, Written, unique_ids
from antiphon.knowledge.sql.records import advance, numbers_by_id, records_by_number
from antiphon.knowledge.sql.session import SqlSession, Transactions

EdgeKey = tuple[str, str, str]
EdgeMark = tuple[int, int, str]
_EdgeRow = Sequence[Any]  # source, target, relation, weight, provenance

S = TypeVar("S", bound=SqlSession)


class EdgeStore(Generic[S]):
    """Reads and writes the edges of one database. Both ends of an edge are records of it."""

    def __init__(self, transactions: Transactions[S]) -> None:
        self._transactions = transactions
        self._sql = transactions.sql

    def upsert(self, edges: Iterable[Edge]) -> Written:
        """Insert edges and replace those with the same ends and relation.

        Up to 10,000 are one transaction. Raises KnowledgeError, and writes none of a batch, when
        an edge is invalid or an end is not a record.
        """
        written = Written()
        source = iter(edges)
        while batch := list(islice(source, BATCH)):
            latest: dict[EdgeKey, Edge] = {}
            for edge in batch:
                check_edge(edge)
                latest[edge.source, edge.target, edge.relation] = edge

            def work(session: S, latest: dict[EdgeKey, Edge] = latest) -> Written:
                return self._upsert(session, list(latest.values()))

            written += self._transactions.write(work)
        return written

    def _upsert(self, session: S, edges: list[Edge]) -> Written:
        ends = list(dict.fromkeys(end for edge in edges for end in (edge.source, edge.target)))
        numbers = numbers_by_id(session, self._sql, ends)
        if missing := [end for end in ends if end not in numbers]:
            shown = ", ".join(repr(end) for end in missing[:5])
            more = f" and {len(missing) - 5} more" if len(missing) > 5 else ""
            raise KnowledgeError(
                f"Edges join records that are there; these are not: {shown}{more}. "
                "Add the records first."
            )
        wanted = {
            (numbers[edge.source], numbers[edge.target], edge.relation): (
                float(edge.weight),
                orjson.dumps(edge.provenance).decode(),
            )
            for edge in edges
        }
        load = self._sql.tables.load_json
        known = {
            (source, target, relation): (weight, load(provenance))
            for source, target, relation, weight, provenance in session.execute(
                self._sql.edges_by_key, keys=_json(list(wanted))
            )
        }
        new = [key for key in wanted if key not in known]
        changed = [
            key
            for key, (weight, provenance) in wanted.items()
            if key in known and known[key] != (weight, orjson.loads(provenance))
        ]
        if new or changed:
            advance(session, self._sql, edges=len(new))
            rows = [(*key, *wanted[key]) for key in (*new, *changed)]
            session.execute(self._sql.put_edges, rows=_json(rows))
        return Written(len(new), len(changed), len(edges) - len(new) - len(changed))

    def delete(self, edges: Iterable[Edge | EdgeKey]) -> int:
        """Delete edges by source, target and relation; what is not there is passed over.

        Returns how many edges were deleted.
        """
        keys = [
            (edge.source, edge.target, edge.relation) if isinstance(edge, Edge) else edge
            for edge in edges
        ]
        deleted = 0
        for at in range(0, len(keys), BATCH):
            batch = keys[at : at + BATCH]

            def work(session: S, batch: list[EdgeKey] = batch) -> int:
                return self._delete(session, batch)

            deleted += self._transactions.write(work)
        return deleted

    def _delete(self, session: S, keys: list[EdgeKey]) -> int:
        numbers = numbers_by_id(session, self._sql, list({end for key in keys for end in key[:2]}))
        there = [
            (numbers[source], numbers[target], relation)
            for source, target, relation in keys
            if source in numbers and target in numbers
        ]
        gone = session.execute(self._sql.delete_edges, keys=_json(there)).rowcount
        if gone:
            advance(session, self._sql, edges=-gone)
        return gone

    def edges_of(self, ids: Iterable[str]) -> list[Edge]:
        """Every edge that begins or ends at one of these records."""
        wanted = unique_ids(ids)

        def work(session: S) -> list[Edge]:
            numbers = list(numbers_by_id(session, self._sql, wanted).values())
            return self._edges(session, self._touching(session, numbers))

        return self._transactions.read(work)

    def page(self, after: EdgeMark | None = None) -> tuple[list[Edge], EdgeMark | None]:
        """Some of all edges, and where the next page begins; None when this was the last."""
        source, target, relation = after or (-1, -1, "")

        def work(session: S) -> tuple[list[Edge], EdgeMark | None]:
            page = session.execute(
                self._sql.page_of_edges,
                after_source=source,
                after_target=target,
                after_relation=relation,
                limit=PAGE,
            ).fetchall()
            mark = (page[-1][0], page[-1][1], page[-1][2]) if len(page) == PAGE else None
            return self._edges(session, page), mark

        return self._transactions.read(work)

    def neighbourhood(self, id: str, depth: int, limit: int) -> tuple[list[Record], list[Edge]]:
        """Records within `depth` edges of one, nearest first, and the edges among them."""

        def work(session: S) -> tuple[list[Record], list[Edge]]:
            first = numbers_by_id(session, self._sql, [id]).get(id)
            if first is None or limit < 1:
                return [], []
            seen = {first: None}
            ring = [first]
            for _ in range(depth):
                near: dict[int, None] = {}
                touching = self._touching(session, ring)
                for edge in sorted(touching, key=lambda edge: -edge[3]):
                    for end in edge[:2]:
                        if end not in seen and len(seen) < limit:
                            seen[end] = near[end] = None
                ring = list(near)
                if not ring:
                    break
            records = records_by_number(session, self._sql, list(seen))
            inner = [
                edge
                for edge in self._touching(session, list(seen))
                if edge[0] in seen and edge[1] in seen
            ]
            return [records[number][1] for number in seen], self._edges(session, inner)

        return self._transactions.read(work)

    def _touching(self, session: S, numbers: Sequence[int]) -> list[_EdgeRow]:
        """Edges with an end among these records, in the order of their keys."""
        return session.execute(self._sql.edges_at, numbers=self._sql.bind_list(numbers)).fetchall()

    def _edges(self, session: S, rows: Sequence[_EdgeRow]) -> list[Edge]:
        ends = list({end for row in rows for end in row[:2]})
        names: dict[int, str] = dict(
            session.execute(self._sql.ids, numbers=self._sql.bind_list(ends)).fetchall()
        )
        return [self._sql.edge(names, row) for row in rows]


def _json(rows: Sequence[Sequence[Any]]) -> str:
    return orjson.dumps(rows).decode()
