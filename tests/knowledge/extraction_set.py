"""Sentences with what a reader finds in them, and how well the rules find the same.

`extraction/dev.jsonl` and `extraction/held.jsonl` were written before the rules that they measure.
Rules are mended on `dev`; `held` is for reporting. The same holds for `reworded_dev` and
`reworded_held`, whose relations are said in words that no rule knows: the trained model reads them.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import NamedTuple

from antiphon.knowledge.ingestion import ingest
from antiphon.knowledge.ingestion.names import slug
from antiphon.knowledge.service import KnowledgeBase

FOLDER = Path(__file__).parent / "extraction"
VALUES = ("doc", "date", "amount", "percent", "email", "link")


class Found(NamedTuple):
    """What was found and what was to be found: ids of entities, triples of slugs."""

    text: str
    entities: set[str]
    expected_entities: set[str]
    relations: set[tuple[str, str, str]]
    expected_relations: set[tuple[str, str, str]]
    loose: int  # relations that only say that two are mentioned together


class Measured(NamedTuple):
    """Precision and recall of entities with their types, and of stated relations."""

    entity_precision: float
    entity_recall: float
    relation_precision: float
    relation_recall: float
    loose: int


def read(split: str, folder: Path) -> list[Found]:
    """Each text of a half, ingested into a database of its own."""
    lines = (FOLDER / f"{split}.jsonl").read_text("utf-8").splitlines()
    found = []
    with KnowledgeBase.open(folder) as base:
        for number, case in enumerate(map(json.loads, lines)):
            database = base.create(f"{split}-{number}")
            ingest(database, case["text"], source="set")
            edges = [edge for edge in database.all_edges() if edge.relation != "mentions"]
            stated = [edge for edge in edges if edge.relation != "related_to"]
            found.append(
                Found(
                    case["text"],
                    {one.id for one in database.all_records() if one.type not in VALUES},
                    {
                        f"{kind}:{slug(name)}"
                        for kind, names in case["entities"].items()
                        for name in names
                    },
                    {(_name(one.source), one.relation, _name(one.target)) for one in stated},
                    {_triple(relation) for relation in case["relations"]},
                    len(edges) - len(stated),
                )
            )
    return found


def measured(found: list[Found]) -> Measured:
    def share(part: int, whole: int) -> float:
        return part / whole if whole else 1.0

    right = sum(len(one.entities & one.expected_entities) for one in found)
    right_relations = sum(len(one.relations & one.expected_relations) for one in found)
    return Measured(
        share(right, sum(len(one.entities) for one in found)),
        share(right, sum(len(one.expected_entities) for one in found)),
        share(right_relations, sum(len(one.relations) for one in found)),
        share(right_relations, sum(len(one.expected_relations) for one in found)),
        sum(one.loose for one in found),
    )


def _name(id: str) -> str:
    return id.partition(":")[2]


def _triple(relation: str) -> tuple[str, str, str]:
    source, name, target = relation.split(" > ")
    return slug(source), name, slug(target)
