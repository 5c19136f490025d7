"""The edges of one database on the server."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from itertools import islice
from typing import Any

import orjson

from antiphon.knowledge.edges import EdgeKey, EdgeMark
from antiphon.knowledge.errors import KnowledgeError
from antiphon.knowledge.postgres.connections import Connection, PostgresConnections
from antiphon.knowledge.postgres.records import BATCH
from antiphon.knowledge.postgres.rows import (
    advance,
    number_of,
    numbers_by_id,
    records_by_number,
)
from antiphon.knowledge.records import Edge, Record, check_edge
from antiphon.knowledge.rows import PAGE, Written, unique_ids

_KEYS = "unnest(%s::bigint[], %s::bigint[], %s::text[]) AS k (source, target, relation)"
_KNOWN = f"""
SELECT e.source, e.target, e.relation, e.weight, e.provenance FROM {_KEYS}
JOIN edges e ON e.database = %s AND e.source = k.source AND e.target = k.target
  AND e.relation = k.relation
"""  # noqa: S608 - of constants alone
_DELETE = f"""
DELETE FROM edges e USING {_KEYS} WHERE e.database = %s AND e.source = k.source
  AND e.target = k.target AND e.relation = k.relation
"""  # noqa: S608
_WRITE = """
INSERT INTO edges
SELECT %s, k.* FROM unnest(%s::bigint[], %s::bigint[], %s::text[], %s::float8[], %s::jsonb[]) AS k
ON CONFLICT (database, source, target, relation)
DO UPDATE SET weight = excluded.weight, provenance = excluded.provenance
"""
# Two parts, so that each uses its index.
_TOUCHING = """
SELECT source, target, relation, weight, provenance FROM edges
WHERE database = %(database)s AND source = ANY(%(ends)s)
UNION ALL
SELECT source, target, relation, weight, provenance FROM edges
WHERE database = %(database)s AND target = ANY(%(ends)s) AND NOT source = ANY(%(ends)s)
ORDER BY 1, 2, 3
"""

_EdgeRow = tuple[Any, ...]
_Key = tuple[int, int, str]


class EdgeRows:
    """Reads and writes the edges of one database. Both ends of an edge are records of it."""

    def __init__(self, connections: PostgresConnections, id: str) -> None:
        self._connections = connections
        self._id = id

    def upsert(self, edges: Iterable[Edge]) -> Written:
        """Adds edges and replaces those with the same ends and relation.

        Raises KnowledgeError, and writes none of a batch, when an end is not a record.
        """
        written = Written()
        source = iter(edges)
        while batch := list(islice(source, BATCH)):
            latest: dict[EdgeKey, Edge] = {}
            for edge in batch:
                check_edge(edge)
                latest[edge.source, edge.target, edge.relation] = edge
            written += self._connections.write(self._upserting(list(latest.values())))
        return written

    def _upserting(self, edges: list[Edge]) -> Callable[[Connection], Written]:
        ends = list(dict.fromkeys(end for edge in edges for end in (edge.source, edge.target)))

        def work(connection: Connection) -> Written:
            database = number_of(connection, self._id, lock=True)
            numbers = numbers_by_id(connection, database, ends)
            if missing := [end for end in ends if end not in numbers]:
                shown = ", ".join(repr(end) for end in missing[:5])
                more = f" and {len(missing) - 5} more" if len(missing) > 5 else ""
                raise KnowledgeError(
                    f"Edges join records that are there; these are not: {shown}{more}. "
                    "Add the records first."
                )
            wanted: dict[_Key, tuple[float, dict[str, Any]]] = {
                (numbers[edge.source], numbers[edge.target], edge.relation): (
                    float(edge.weight),
                    orjson.loads(orjson.dumps(edge.provenance)),  # as it will come back
                )
                for edge in edges
            }
            known = {
                row[:3]: row[3:]
                for row in connection.execute(_KNOWN, (*_arrays(list(wanted)), database))
            }
            new = [key for key in wanted if key not in known]
            changed = [key for key in wanted if key in known and known[key] != wanted[key]]
            if new or changed:
                advance(connection, database, edges=len(new))
                written = new + changed
                connection.execute(
                    _WRITE,
                    (
                        database,
                        *_arrays(written),
                        [wanted[key][0] for key in written],
                        [orjson.dumps(wanted[key][1]).decode() for key in written],
                    ),
                )
            return Written(len(new), len(changed), len(edges) - len(new) - len(changed))

        return work

    def delete(self, edges: Iterable[Edge | EdgeKey]) -> int:
        """Deletes edges by source, target and relation; what is not there is passed over."""
        keys = [
            (edge.source, edge.target, edge.relation) if isinstance(edge, Edge) else edge
            for edge in edges
        ]
        return sum(
            self._connections.write(self._deleting(keys[at : at + BATCH]))
            for at in range(0, len(keys), BATCH)
        )

    def _deleting(self, keys: list[EdgeKey]) -> Callable[[Connection], int]:
        def work(connection: Connection) -> int:
            database = number_of(connection, self._id, lock=True)
            numbers = numbers_by_id(
                connection, database, list({e for key in keys for e in key[:2]})
            )
            there = [
                (numbers[source], numbers[target], relation)
                for source, target, relation in keys
                if source in numbers and target in numbers
            ]
            gone = connection.execute(_DELETE, (*_arrays(there), database)).rowcount
            if gone:
                advance(connection, database, edges=-gone)
            return gone

        return work

    def of(self, ids: Iterable[str]) -> list[Edge]:
        """Every edge that begins or ends at one of these records."""
        wanted = unique_ids(ids)

        def work(connection: Connection) -> list[Edge]:
            database = number_of(connection, self._id)
            numbers = list(numbers_by_id(connection, database, wanted).values())
            return _edges(connection, _touching(connection, database, numbers))

        return self._connections.read(work)

    def page(self, after: EdgeMark | None = None) -> tuple[list[Edge], EdgeMark | None]:
        """Some of all edges, and where the next page begins; None when this was the last."""

        def work(connection: Connection) -> tuple[list[Edge], EdgeMark | None]:
            page = connection.execute(
                "SELECT source, target, relation, weight, provenance FROM edges "
                "WHERE database = %s AND (source, target, relation) > (%s, %s, %s) "
                "ORDER BY source, target, relation LIMIT %s",
                (number_of(connection, self._id), *(after or (-1, -1, "")), PAGE),
            ).fetchall()
            mark = (page[-1][0], page[-1][1], page[-1][2]) if len(page) == PAGE else None
            return _edges(connection, page), mark

        return self._connections.read(work)

    def neighbourhood(self, id: str, depth: int, limit: int) -> tuple[list[Record], list[Edge]]:
        """Records within `depth` edges of one, nearest first, and the edges among them."""

        def work(connection: Connection) -> tuple[list[Record], list[Edge]]:
            database = number_of(connection, self._id)
            first = numbers_by_id(connection, database, [id]).get(id)
            if first is None or limit < 1:
                return [], []
            seen = {first: None}
            ring = [first]
            for _ in range(depth):
                near: dict[int, None] = {}
                touching = _touching(connection, database, ring)
                for source, target, *_rest in sorted(touching, key=lambda edge: -edge[3]):
                    for end in (source, target):
                        if end not in seen and len(seen) < limit:
                            seen[end] = near[end] = None
                ring = list(near)
                if not ring:
                    break
            records = records_by_number(connection, list(seen))
            inner = [
                edge
                for edge in _touching(connection, database, list(seen))
                if {edge[0], edge[1]} <= seen.keys()
            ]
            return [records[number][1] for number in seen], _edges(connection, inner)

        return self._connections.read(work)


def _touching(connection: Connection, database: int, ends: Sequence[int]) -> list[_EdgeRow]:
    return connection.execute(_TOUCHING, {"database": database, "ends": list(ends)}).fetchall()


def _edges(connection: Connection, values: Sequence[_EdgeRow]) -> list[Edge]:
    names: dict[int, str] = dict(
        connection.execute(
            "SELECT number, id FROM records WHERE number = ANY(%s)",
            (list({end for edge in values for end in edge[:2]}),),
        ).fetchall()
    )
    return [
        Edge(names[source], names[target], relation, weight, provenance)
        for source, target, relation, weight, provenance in values
    ]


def _arrays(keys: Sequence[_Key]) -> tuple[list[int], list[int], list[str]]:
    return [key[0] for key in keys], [key[1] for key in keys], [key[2] for key in keys]
