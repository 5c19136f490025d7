"""Hybrid search on PostgreSQL: speed and agreement with the SQLite engine over the same records.

Each figure is of whole searches through the public interface, one after the other, by the clock of
the caller; embedding the query is left out. The server is the packaged one with pgvector, on a
socket in a temporary folder.
"""

from __future__ import annotations

import argparse
import json
import sys
import tempfile
import time
from pathlib import Path

from antiphon.knowledge import Database, Edge, Filters, KnowledgeBase, Record
from antiphon.knowledge.postgres.service import PostgresKnowledgeBase
from common import table, verdict
from search import BATCH, TYPES, K, Planned, SyntheticMaterial, p50, p99, shown, timed

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))
from tests.knowledge.pgvector import PACKAGE, Server, programs  # noqa: E402 - after the path

GOAL_MS = 25.0
AGREEMENT = 0.95


def fill(base: KnowledgeBase, material: SyntheticMaterial, n: int) -> tuple[Database, float]:
    database = base.create("bench")
    start = time.perf_counter()
    for at in range(0, n, BATCH):
        database.upsert(material.record(row) for row in range(at, min(n, at + BATCH)))
    while database.embed_pending(2_000):
        pass
    database.upsert_edges(
        Edge(material.record(at).id, material.record(at * 7 % n).id, "linked")
        for at in range(1, min(n, 20_000))
        if at != at * 7 % n
    )
    database.flush()
    return database, time.perf_counter() - start


class FixedMaterial(SyntheticMaterial):
    """Material whose records are the same however often they are asked for."""

    def __init__(self, records: int, queries: int) -> None:
        super().__init__(records, queries)
        make = super().record
        self._records: list[Record] = [make(at) for at in range(records)]

    def record(self, at: int) -> Record:
        return self._records[at]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--quick", action="store_true", help="5,000 records")
    parser.add_argument("--records", type=int, default=100_000)
    parser.add_argument("--calls", type=int, default=200)
    chosen = parser.parse_args()
    found = programs()
    if found is None:
        sys.exit(f"A PostgreSQL server with pgvector is needed: pip install {PACKAGE}")
    n, calls = (5_000, 60) if chosen.quick else (chosen.records, chosen.calls)
    material = FixedMaterial(n, calls)
    planned = Planned(material)
    queries = material.queries

    def narrow(at: int) -> Filters:
        return Filters(types=(TYPES[at % 5],), tags=(f"area-{at % 23}",))

    def dated(at: int) -> Filters:
        return Filters(since=f"2023-{1 + at % 12:02}-01", until=f"2024-{1 + at % 12:02}-15")

    server = Server(found)
    try:
        with tempfile.TemporaryDirectory() as folder:
            files = KnowledgeBase.open(Path(folder) / "files", embedder=planned)
            rows = PostgresKnowledgeBase.connect(
                server.url(server.new_database()), embedder=planned, work=Path(folder) / "work"
            )
            of_files, _ = fill(files, material, n)
            of_rows, seconds = fill(rows, material, n)
            kinds = (lambda _: None, narrow, dated)
            same = []
            for how in kinds:
                shared = wanted = 0
                for at, query in enumerate(queries):
                    ours = {hit.id for hit in of_rows.search(query, k=K, filters=how(at))}
                    theirs = {hit.id for hit in of_files.search(query, k=K, filters=how(at))}
                    shared, wanted = shared + len(ours & theirs), wanted + len(theirs)
                same.append(shared / max(1, wanted))
            times = timed(
                [
                    lambda at, how=how: of_rows.search(queries[at], k=K, filters=how(at))
                    for how in kinds
                ],
                calls,
            )
            rows.close()
            files.close()
    finally:
        server.stop()
    names = ("hybrid", "hybrid, type and tag (1 %)", "hybrid, date range (about 30 %)")
    table(
        f"{n:,} records on PostgreSQL, {calls} queries each, milliseconds p50 / p99",
        [
            *(
                (name, shown(each), verdict(p99(each[0]) <= GOAL_MS, f"p99 <= {GOAL_MS:.0f} ms"))
                for name, each in zip(names, times, strict=True)
            ),
            *(
                (
                    f"the same as SQLite: {name}",
                    f"{part:.3f}",
                    verdict(part >= AGREEMENT, ">= 0.95"),
                )
                for name, part in zip(names, same, strict=True)
            ),
            ("filled and indexed", f"{n / seconds:,.0f} records a second", ""),
        ],
    )
    print(
        json.dumps(
            {
                "records": n,
                "p50_ms": [round(p50(each[0]), 2) for each in times],
                "p99_ms": [round(p99(each[0]), 2) for each in times],
                "same_as_sqlite": [round(part, 4) for part in same],
            }
        )
    )


if __name__ == "__main__":
    main()
