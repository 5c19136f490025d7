"""The edges of one database in SQLite: typed, weighted, with where they were learned."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterable, Sequence
from itertools import islice

import orjson

from antiphon.knowledge.errors import KnowledgeError
from antiphon.knowledge.records import Edge, Record, check_edge
from antiphon.knowledge.rows import (
    BATCH,
    PAGE,
    Written,
    advance,
    json_list,
    records_by_row,
    rows_by_id,
    unique_ids,
)
from antiphon.knowledge.schema import SqliteConnections

_EDGES_FROM = """
SELECT source, target, relation, weight, provenance FROM edges
WHERE source IN (SELECT value FROM json_each(?))
"""
_EDGES_TO = """
SELECT source, target, relation, weight, provenance FROM edges
WHERE target IN (SELECT value FROM json_each(?))
"""

EdgeKey = tuple[str, str, str]
EdgeMark = tuple[int, int, str]
_EdgeRow = tuple[int, int, str, float, str]


class EdgeStore:
    """Reads and writes the edges of one database. Both ends of an edge are records of it."""

    def __init__(self, connections: SqliteConnections) -> None:
        self.connections = connections

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
            written += self._upsert(list(latest.values()))
        return written

    def _upsert(self, edges: list[Edge]) -> Written:
        ends = list(dict.fromkeys(end for edge in edges for end in (edge.source, edge.target)))
        with self.connections.write() as connection:
            rows = rows_by_id(connection, ends)
            if missing := [end for end in ends if end not in rows]:
                shown = ", ".join(repr(end) for end in missing[:5])
                more = f" and {len(missing) - 5} more" if len(missing) > 5 else ""
                raise KnowledgeError(
                    f"Edges join records that are there; these are not: {shown}{more}. "
                    "Add the records first."
                )
            new, changed = [], []
            for edge in edges:
                key = (rows[edge.source], rows[edge.target], edge.relation)
                value = (float(edge.weight), orjson.dumps(edge.provenance).decode())
                old = connection.execute(
                    "SELECT weight, provenance FROM edges "
                    "WHERE source = ? AND target = ? AND relation = ?",
                    key,
                ).fetchone()
                if old is None:
                    new.append((*key, *value))
                elif old != value:
                    changed.append((*key, *value))
            if new or changed:
                advance(connection, edges=len(new))
                connection.executemany(
                    "INSERT OR REPLACE INTO edges VALUES (?, ?, ?, ?, ?)", new + changed
                )
        return Written(len(new), len(changed), len(edges) - len(new) - len(changed))

    def delete(self, edges: Iterable[Edge | EdgeKey]) -> int:
        """Deletes edges by source, target and relation; what is not there is passed over."""
        keys = [
            (edge.source, edge.target, edge.relation) if isinstance(edge, Edge) else edge
            for edge in edges
        ]
        deleted = 0
        for at in range(0, len(keys), BATCH):
            batch = keys[at : at + BATCH]
            with self.connections.write() as connection:
                rows = rows_by_id(connection, list({end for key in batch for end in key[:2]}))
                gone = sum(
                    connection.execute(
                        "DELETE FROM edges WHERE source = ? AND target = ? AND relation = ?",
                        (rows[source], rows[target], relation),
                    ).rowcount
                    for source, target, relation in batch
                    if source in rows and target in rows
                )
                if gone:
                    advance(connection, edges=-gone)
                deleted += gone
        return deleted

    def of(self, ids: Iterable[str]) -> list[Edge]:
        """Every edge that begins or ends at one of these records."""
        with self.connections.read() as connection:
            connection.execute("BEGIN")
            rows = list(rows_by_id(connection, unique_ids(ids)).values())
            return _edges(connection, _touching(connection, rows))

    def page(self, after: EdgeMark | None = None) -> tuple[list[Edge], EdgeMark | None]:
        """Some of all edges, and where the next page begins; None when this was the last."""
        with self.connections.read() as connection:
            connection.execute("BEGIN")
            page = connection.execute(
                "SELECT source, target, relation, weight, provenance FROM edges "
                "WHERE (source, target, relation) > (?, ?, ?) "
                "ORDER BY source, target, relation LIMIT ?",
                (*(after or (-1, -1, "")), PAGE),
            ).fetchall()
            found = _edges(connection, page)
        return found, page[-1][:3] if len(page) == PAGE else None

    def neighbours(self, rows: Sequence[int], limit: int) -> list[tuple[int, int, str, float]]:
        """(row, neighbour, relation, weight) of the heaviest `limit` edges at each row."""
        found: list[tuple[int, int, str, float]] = []
        with self.connections.read() as connection:
            for row in rows:
                found += connection.execute(
                    "SELECT * FROM ("
                    "SELECT source, target, relation, weight FROM edges WHERE source = ?1 "
                    "UNION ALL "
                    "SELECT target, source, relation, weight FROM edges WHERE target = ?1"
                    ") ORDER BY weight DESC, 2, 3 LIMIT ?2",
                    (row, limit),
                ).fetchall()
        return found

    def neighbourhood(self, id: str, depth: int, limit: int) -> tuple[list[Record], list[Edge]]:
        """Records within `depth` edges of one, nearest first, and the edges among them."""
        with self.connections.read() as connection:
            connection.execute("BEGIN")
            first = rows_by_id(connection, [id]).get(id)
            if first is None or limit < 1:
                return [], []
            seen = {first: None}
            ring = [first]
            for _ in range(depth):
                near: dict[int, None] = {}
                touching = _touching(connection, ring)
                for source, target, _, _, _ in sorted(touching, key=lambda edge: -edge[3]):
                    for row in (source, target):
                        if row not in seen and len(seen) < limit:
                            seen[row] = near[row] = None
                ring = list(near)
                if not ring:
                    break
            records = records_by_row(connection, list(seen))
            inner = [
                edge
                for edge in _touching(connection, list(seen))
                if {edge[0], edge[1]} <= seen.keys()
            ]
            return [records[row] for row in seen], _edges(connection, inner)


def _touching(connection: sqlite3.Connection, rows: Sequence[int]) -> list[_EdgeRow]:
    wanted = (json_list(rows),)
    found: dict[tuple[int, int, str], _EdgeRow] = {}
    for statement in (_EDGES_FROM, _EDGES_TO):  # two, so that each uses its index
        for values in connection.execute(statement, wanted):
            found[values[:3]] = values
    return [found[key] for key in sorted(found)]


def _edges(connection: sqlite3.Connection, values: Sequence[_EdgeRow]) -> list[Edge]:
    names = dict(
        connection.execute(
            "SELECT row, id FROM records WHERE row IN (SELECT value FROM json_each(?))",
            (json_list(list({end for edge in values for end in edge[:2]})),),
        ).fetchall()
    )
    return [
        Edge(
            names[source],
            names[target],
            relation,
            weight,
            orjson.loads(provenance) if provenance != "{}" else {},
        )
        for source, target, relation, weight, provenance in values
    ]
