"""What the rules find in sentences that were written before the rules."""

from __future__ import annotations

from pathlib import Path

import pytest
from tests.knowledge import extraction_set

from antiphon.knowledge.ingestion import ingest
from antiphon.knowledge.service import KnowledgeBase

# Below what was measured, so that a rule may be traded for a better one.
LEAST = {"dev": (0.93, 0.93, 0.93, 0.93), "held": (0.85, 0.85, 0.88, 0.88)}
MOST_LOOSE = {"dev": 12, "held": 15}  # 34 and 41 when everything in a sentence was related


@pytest.mark.parametrize("split", LEAST)
def test_the_rules_find_most_of_what_a_reader_finds_and_little_else(
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
