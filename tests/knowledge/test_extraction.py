"""What ingestion finds in sentences that were written before the rules and the cards."""

from __future__ import annotations

from pathlib import Path

import pytest
from tests.knowledge import extraction_set

from antiphon.knowledge.ingestion import ingest
from antiphon.knowledge.service import KnowledgeBase

# Below what was measured, so that a rule may be traded for a better one.
LEAST = {
    "dev": (0.93, 0.93, 0.93, 0.93),
    "held": (0.85, 0.85, 0.88, 0.88),
    "reworded_dev": (0.9, 0.9, 0.82, 0.7),
    "reworded_held": (0.9, 0.9, 0.8, 0.45),
}
# 34 and 41 in the first two when everything in a sentence was related.
MOST_LOOSE = {"dev": 12, "held": 15, "reworded_dev": 35, "reworded_held": 16}


@pytest.mark.parametrize("split", LEAST)
def test_ingestion_finds_most_of_what_a_person_finds_and_little_else(
    split: str, tmp_path: Path
) -> None:
    found = extraction_set.measured(extraction_set.read(split, tmp_path))
    for name, value, least in zip(found._fields[:-1], found[:-1], LEAST[split], strict=True):
        assert value >= least, f"{name} of {split}: {value:.3f}"
    assert found.loose <= MOST_LOOSE[split]


def test_a_report_says_how_much_of_it_is_doubtful(tmp_path: Path) -> None:
    with KnowledgeBase.open(tmp_path) as base:
        database = base.create("notes")
        sure = ingest(database, "Dr. Ada Byron works for Acme Robotics Ltd.", source="sure")
        assert (sure.entities_doubtful, sure.relations_doubtful) == (0, 0)
        vague = ingest(database, "Then Quorvex met Blintz near the gate.", source="vague")
        assert vague.entities_doubtful == sum(vague.entities.values()) == 2
        assert vague.relations_doubtful == sum(vague.relations.values()) == 1
        weights = {
            edge.relation: edge.weight
            for edge in database.all_edges()
            if edge.relation != "mentions"
        }
        assert weights["works_for"] > 0.6 > weights["related_to"]


@pytest.mark.parametrize(
    ("text", "stated"),
    [
        # A pronoun is whom the text spoke of last, as a subject; nobody, when there was none.
        ("She leads Tideline Labs.", set()),
        ("Ada Byron met Maria Silva and Emma Stone. Rain fell. She leads Tideline Labs.",
         {("ada_byron", "leads", "tideline_labs")}),
        ("Ada Byron and Maria Silva met. They left. She leads Tideline Labs.",
         {("ada_byron", "leads", "tideline_labs")}),
        # What is said to be not so, or of another subject.
        ("Bread is kept in Kafka Hall, and the delivery app depends on the routing service.",
         {("delivery_app", "depends_on", "routing_service")}),
        ("It opened a shop in Antwerp, which is managed by Maria Silva.", set()),
        ("Ada Byron never managed Tideline Labs.", set()),
        ("The head of the team at Tideline Labs uses Kafka.", set()),
        ("Ada Byron wrote about trust in Tideline Labs.", set()),
    ],
)  # fmt: skip
def test_what_is_not_stated_is_not_found(
    tmp_path: Path, text: str, stated: set[tuple[str, str, str]]
) -> None:
    with KnowledgeBase.open(tmp_path) as base:
        database = base.create("notes")
        ingest(database, text, source="x")
        found = {
            (edge.source.partition(":")[2], edge.relation, edge.target.partition(":")[2])
            for edge in database.all_edges()
            if edge.relation not in ("mentions", "related_to")
        }
        assert found == stated


@pytest.mark.parametrize(
    "text",
    [
        "Karim Nasser dreams of a job at Thistle Hotel.",
        "Stone Capital failed to buy Gannet Shipping.",
        "Dune Brothers no longer supplies Wickham Glass.",
        "A lorry of Cedar Brewery broke down in Salzburg.",
        "Leila Osei turned down the offer to lead Copper Finch Studios.",
    ],
)
def test_what_only_sounds_like_a_relation_is_none(tmp_path: Path, text: str) -> None:
    with KnowledgeBase.open(tmp_path) as base:
        database = base.create("notes")
        ingest(database, text, source="x")
        relations = {edge.relation for edge in database.all_edges()}
        assert relations == {"mentions", "related_to"}


def test_a_relation_that_the_reader_found_says_so_and_how_sure_it_is(tmp_path: Path) -> None:
    with KnowledgeBase.open(tmp_path) as base:
        database = base.create("notes")
        ingest(database, "Wickham Glass gets its sand delivered by Dune Brothers.", source="x")
        (edge,) = [one for one in database.all_edges() if one.relation == "supplies"]
        assert (edge.source, edge.target) == ("org:dune_brothers", "org:wickham_glass")
        assert edge.provenance["rule"] == "reader"
        assert 0.5 <= edge.weight <= 0.8
