"""Graph writer: entities and relations of a document written to a database in batches."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from dataclasses import dataclass, field
from itertools import islice
from typing import TYPE_CHECKING, Any, TypeVar

from antiphon.knowledge.ingestion.mentions import Relation
from antiphon.knowledge.records import MAX_TITLE, Edge, Record

if TYPE_CHECKING:
    from antiphon.knowledge.database import Database

T = TypeVar("T")

BATCH = 500
MAX_DOCUMENTS = 50  # that one relation lists as its sources
MENTIONS = "mentions"
BY_MODEL = "model"  # as a rule: the extractor, not the rules, found it


@dataclass(frozen=True, slots=True)
class ExtractedEntity:
    """Entity of a document and its first mention."""

    id: str
    type: str
    title: str
    confidence: float
    count: int
    aliases: list[str]
    samples: list[str]
    sentence: str
    offset: int
    rule: str
    name: str
    known: bool


@dataclass(slots=True)
class ExtractedRelation:
    """Relation of a document with its best evidence and the number of times it is stated."""

    relation: Relation
    sentence: str
    offset: int
    count: int = field(default=0)

    def add(self, other: ExtractedRelation) -> None:
        if (-other.relation.confidence, other.offset) < (-self.relation.confidence, self.offset):
            self.relation, self.sentence, self.offset = (
                other.relation, other.sentence, other.offset,
            )  # fmt: skip
        self.count += other.count

    def confidence(self) -> float:
        """Confidence, which grows with repetition; co-occurrence alone never exceeds 0.5."""
        together = self.relation.rule == "co-occurrence"
        step, most = (0.05, 0.5) if together else (0.03, 0.99)
        return round(min(most, self.relation.confidence + step * (self.count - 1)), 3)


class GraphWriter:
    """Writer of one document: first the document, where edges begin, then entities, then edges."""

    def __init__(self, database: Database, document: Record, source: str, extractor: str) -> None:
        self._database = database
        self._document = document
        self._source = source
        self._extractor = extractor
        self.entities_new = 0
        self.entities_merged = 0
        self.relations_new = 0
        self.relations_merged = 0

    def write(
        self, entities: list[ExtractedEntity], stated: dict[tuple[str, str, str], ExtractedRelation]
    ) -> Iterator[int]:
        """Write entities and relations; yields the steps done after each durable batch."""
        self._database.upsert([self._document])
        done = 1
        yield done
        for batch in _batches(entities):
            self._write_entities(batch)
            done += len(batch)
            yield done
        for batch in _batches(entities):
            self._database.upsert_edges(self._mention(found) for found in batch)
            done += len(batch)
            yield done
        for relations in _batches(list(stated.items())):
            self._write_relations(dict(relations))
            done += len(relations)
            yield done

    def forget(self, entities: Collection[str], stated: Collection[tuple[str, str, str]]) -> None:
        """Delete what this document alone stated when last ingested, and states no more."""
        own = self._document.id
        said = [edge for edge in self._database.edges_of([own]) if edge.source == own]
        gone = [edge for edge in said if edge.relation == MENTIONS and edge.target not in entities]
        self._database.delete_edges(gone)
        named = sorted({*entities, *(edge.target for edge in gone)})
        for batch in _batches(named):
            self._database.delete_edges(
                edge
                for edge in self._database.edges_of(batch)
                if edge.provenance.get("documents") == [own]
                and (edge.source, edge.target, edge.relation) not in stated
            )
        for edges in _batches(gone):
            added = {
                record.id
                for record in self._database.get([edge.target for edge in edges])
                if record.source_type == "ingested" and record.metadata.get("origin") == own
            }
            used = {
                end
                for edge in self._database.edges_of(sorted(added))
                for end in (edge.source, edge.target)
            }
            self._database.delete(sorted(added - used))

    def _write_entities(self, batch: list[ExtractedEntity]) -> None:
        there = {record.id: record for record in self._database.get([one.id for one in batch])}
        new = []
        for found in batch:
            old = there.get(found.id)
            # Only what this document added itself, before it was interrupted, is written again.
            ours = old is not None and old.metadata.get("origin") == self._document.id
            if old is None or ours:
                new.append(self._record(found))
                self.entities_new += 1
            else:
                self.entities_merged += 1
        self._database.upsert(new)

    def _record(self, found: ExtractedEntity) -> Record:
        metadata: dict[str, Any] = {
            "origin": self._document.id,
            "confidence": found.confidence,
            "rule": found.rule,
        }
        if found.rule == BY_MODEL:
            metadata["extractor"] = self._extractor
        if found.aliases:
            metadata["aliases"] = found.aliases
        return Record(
            found.id,
            found.type,
            found.title[:MAX_TITLE],
            "\n".join(found.samples),
            url=found.title if found.type == "link" else "",
            source_type="ingested",
            last_updated=self._document.last_updated,
            metadata=metadata,
        )

    def _mention(self, found: ExtractedEntity) -> Edge:
        provenance: dict[str, Any] = {
            "source": self._source,
            "sentence": found.sentence,
            "offset": found.offset,
            "rule": found.rule,
            "confidence": found.confidence,
            "name": found.name,
            "count": found.count,
        }
        if found.rule == BY_MODEL:
            provenance["extractor"] = self._extractor
        return Edge(self._document.id, found.id, MENTIONS, found.confidence, provenance)

    def _write_relations(self, batch: dict[tuple[str, str, str], ExtractedRelation]) -> None:
        ends = {key[0] for key in batch}
        there = {
            (edge.source, edge.target, edge.relation): edge
            for edge in self._database.edges_of(sorted(ends))
            if (edge.source, edge.target, edge.relation) in batch
        }
        edges = []
        for key, stated in batch.items():
            old = there.get(key)
            edge = self._relation(key, stated)
            if old is None or old.provenance.get("documents") == [self._document.id]:
                self.relations_new += 1
                edges.append(edge)
                continue
            self.relations_merged += 1
            if "documents" in old.provenance:
                edges.append(self._both(old, edge))
            # What people have entered stays as they entered it.
        self._database.upsert_edges(edges)

    def _relation(self, key: tuple[str, str, str], stated: ExtractedRelation) -> Edge:
        confidence = stated.confidence()
        provenance: dict[str, Any] = {
            "source": self._source,
            "sentence": stated.sentence,
            "offset": stated.offset,
            "rule": stated.relation.rule,
            "confidence": confidence,
            "count": stated.count,
            "document": self._document.id,
            "documents": [self._document.id],
        }
        if stated.relation.rule == BY_MODEL:
            provenance["extractor"] = self._extractor
        if stated.relation.role:
            provenance["role"] = stated.relation.role
        return Edge(*key, confidence, provenance)

    @staticmethod
    def _both(old: Edge, new: Edge) -> Edge:
        """The better evidence of two documents, and the ids of both."""
        documents = sorted({*old.provenance["documents"], *new.provenance["documents"]})
        ours = old.provenance.get("document") == new.provenance["document"]
        better = new if ours or new.weight > old.weight else old
        provenance = better.provenance | {"documents": documents[:MAX_DOCUMENTS]}
        return Edge(new.source, new.target, new.relation, better.weight, provenance)


def _batches(items: list[T]) -> Iterator[list[T]]:
    source = iter(items)
    while batch := list(islice(source, BATCH)):
        yield batch
