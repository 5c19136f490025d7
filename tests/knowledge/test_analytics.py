"""Numbers about the graph of a database."""

from __future__ import annotations

import os
import random
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import orjson
import pytest

from antiphon.knowledge.analytics import analytics
from antiphon.knowledge.database import Database
from antiphon.knowledge.records import Edge, Record
from antiphon.knowledge.service import KnowledgeBase


@pytest.fixture
def base(tmp_path: Path) -> Iterator[KnowledgeBase]:
    with KnowledgeBase.open(tmp_path / "knowledge") as opened:
        yield opened


@pytest.fixture
def database(base: KnowledgeBase) -> Database:
    return base.create("studio")


def fill(database: Database, names: str, *pairs: str, relation: str = "knows") -> None:
    database.upsert(Record(name, "person", name.upper()) for name in names)
    database.upsert_edges(Edge(pair[0], pair[1], relation) for pair in pairs)


def test_an_empty_database_has_empty_numbers(database: Database):
    found = analytics(database)
    assert (found["nodes"], found["edges"], found["density"]) == (0, 0, 0.0)
    assert found["pagerank"] == []
    assert found["communities"]["count"] == 0
    assert found["components"] == {"count": 0, "sizes": [], "largest": 0}


def test_records_without_edges_are_isolated(database: Database):
    fill(database, "abc")
    found = analytics(database)
    assert found["isolated"]["count"] == found["components"]["count"] == 3
    assert [entry["value"] for entry in found["pagerank"]] == [0.333333] * 3
    assert found["degree"] == {"mean": 0.0, "top": []}


def test_a_star_has_its_centre_at_the_top(database: Database):
    fill(database, "abcdez", "ba", "ca", "da", "ea")
    database.upsert([Record("z", "doc", "Zed")])
    found = analytics(database)
    assert found["types"] == {"person": 5, "doc": 1}
    assert found["relations"] == {"knows": 4}
    assert found["degree"]["top"][0] == {
        "id": "a", "type": "person", "title": "A", "value": 4, "in": 4, "out": 0,
    }  # fmt: skip
    assert found["pagerank"][0]["id"] == "a"
    assert found["pagerank"][0]["value"] > 2 * found["pagerank"][1]["value"]
    assert [entry["id"] for entry in found["betweenness"]["top"]] == ["a"]
    assert found["betweenness"]["top"][0]["value"] == pytest.approx(0.6)
    assert found["components"] == {"count": 2, "sizes": [5, 1], "largest": 5}
    assert [record["id"] for record in found["isolated"]["records"]] == ["z"]
    assert found["density"] == pytest.approx(4 / 30)


def test_pagerank_of_a_small_graph_is_what_the_definition_says(database: Database):
    """a -> b -> c -> a and a -> c, damping 0.85: solved by hand."""
    fill(database, "abc", "ab", "bc", "ca", "ac")
    value = {entry["id"]: entry["value"] for entry in analytics(database)["pagerank"]}
    base = 0.15 / 3
    assert value["a"] == pytest.approx(base + 0.85 * value["c"], abs=1e-5)
    assert value["b"] == pytest.approx(base + 0.85 * value["a"] / 2, abs=1e-5)
    assert value["c"] == pytest.approx(base + 0.85 * (value["b"] + value["a"] / 2), abs=1e-5)
    assert sum(value.values()) == pytest.approx(1, abs=1e-5)


def test_two_circles_with_a_bridge_are_two_communities_named_by_their_top(database: Database):
    fill(database, "abcdwxyz", "ab", "bc", "cd", "da", "ac", "wx", "xy", "yz", "zw", "wy", "aw")
    communities = analytics(database)["communities"]
    assert communities["count"] == 2
    members = [{member["id"] for member in part["members"]} for part in communities["top"]]
    assert sorted(members, key=min) == [set("abcd"), set("wxyz")]
    for part in communities["top"]:
        assert part["name"] == part["members"][0]["title"]
    assert communities["modularity"] > 0.3


def test_it_is_computed_anew_only_after_a_write(database: Database):
    fill(database, "abc", "ab")
    first = analytics(database)
    first["nodes"] = 99  # what a caller does to its copy is its own affair
    kept = database.folder / "analytics.json"
    stamp = kept.stat().st_mtime_ns
    assert analytics(database)["nodes"] == 3
    assert kept.stat().st_mtime_ns == stamp
    fill(database, "d", "cd")
    again = analytics(database)
    assert (again["nodes"], again["edges"]) == (4, 2)
    assert again["revision"] == database.revision


def test_what_was_kept_on_disk_serves_the_next_process_unless_it_is_damaged(tmp_path: Path):
    with KnowledgeBase.open(tmp_path / "knowledge") as base:
        database = base.create("studio")
        fill(database, "ab", "ab")
        found = analytics(database)
    kept = database.folder / "analytics.json"
    marked = orjson.loads(kept.read_bytes()) | {"nodes": 1_000}
    kept.write_bytes(orjson.dumps(marked))
    with KnowledgeBase.open(tmp_path / "knowledge") as base:
        assert analytics(base.database("studio"))["nodes"] == 1_000  # read, not computed
    kept.write_bytes(b'{"nodes": 1')
    with KnowledgeBase.open(tmp_path / "knowledge") as base:
        assert analytics(base.database("studio")) == found


def test_huge_and_zero_weights_are_fine(database: Database):
    database.upsert(Record(name, "person", name) for name in "abcd")
    weights = {"ab": 1.7e308, "ba": 1.7e308, "bc": 0.0, "cd": 5e-324}
    database.upsert_edges(Edge(pair[0], pair[1], "r", weight) for pair, weight in weights.items())
    found = analytics(database)
    assert sum(entry["value"] for entry in found["pagerank"]) == pytest.approx(1, abs=1e-5)


PRINTED = """
import sys
from pathlib import Path
from antiphon.knowledge.analytics import analytics
from antiphon.knowledge.service import KnowledgeBase
with KnowledgeBase.open(Path(sys.argv[1])) as base:
    database = base.database("studio")
    (database.folder / "analytics.json").unlink(missing_ok=True)
    print(analytics(database))
"""


def test_the_same_graph_gives_the_same_numbers_in_every_process(
    base: KnowledgeBase, database: Database
):
    """Sampled betweenness and communities do not depend on hash seeds or the order of writing."""
    choose = random.Random(1)
    names = [f"person:{number}" for number in range(2_100)]
    database.upsert(Record(name, "person", name) for name in names)
    pairs = {tuple(choose.sample(names, 2)) for _ in range(2_500)}
    database.upsert_edges(Edge(source, target, "knows") for source, target in sorted(pairs))
    database.close_idle()
    answers = {
        subprocess.run(
            [sys.executable, "-c", PRINTED, str(base.folder)],
            env=os.environ | {"PYTHONHASHSEED": seed},
            capture_output=True,
            text=True,
            check=True,
        ).stdout
        for seed in ("1", "2")
    }
    assert len(answers) == 1
    assert "'sampled': 100" in answers.pop()
