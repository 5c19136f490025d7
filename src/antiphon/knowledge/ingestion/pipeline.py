"""A document into a database: its record, the entities it mentions and the relations it states."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import asdict, dataclass, field
from hashlib import sha256
from typing import TYPE_CHECKING, Any

from antiphon.knowledge.errors import KnowledgeError
from antiphon.knowledge.ingestion import extractor, names
from antiphon.knowledge.ingestion.document_worker import RunsInWorker, read_in_worker
from antiphon.knowledge.ingestion.documents import SourceDocument
from antiphon.knowledge.ingestion.entities import EntityRules
from antiphon.knowledge.ingestion.entity_resolution import Group, Groups, aliases
from antiphon.knowledge.ingestion.extractor import Extractor
from antiphon.knowledge.ingestion.graph_writer import (
    ExtractedEntity,
    ExtractedRelation,
    GraphWriter,
)
from antiphon.knowledge.ingestion.known_entities import MAX_KNOWN, KnownEntities
from antiphon.knowledge.ingestion.mentions import EntityMention, Relation
from antiphon.knowledge.ingestion.piece_extraction import PieceExtraction
from antiphon.knowledge.ingestion.pronouns import LastPerson
from antiphon.knowledge.ingestion.relations import EXPECTED, ORGANISATION_RULE, relations
from antiphon.knowledge.ingestion.sentence_reader import SentenceReader
from antiphon.knowledge.records import Record, timestamp
from antiphon.text.sentences import Sentence, split_sentences

if TYPE_CHECKING:
    from antiphon.knowledge.database import Database

# Goes up when the rules find something else; documents may then be ingested again.
RULES = 3
MIN_CONFIDENCE = 0.4
EXPECTED_VOTE = 0.65  # for the type that a relation leads to expect
DOUBTFUL = 0.6  # what is less sure is counted as doubtful
STATED = 0.5  # at least, of what a sentence states something about
MAX_TOGETHER = 50_000  # pairs that are only mentioned together, in one document
SAMPLES = 3  # sentences that make the text of an entity

Progress = Callable[[int, int], None]


@dataclass(slots=True)
class IngestReport:
    """Result of an ingestion. `unchanged` means that this text had been ingested before.

    A text is read in pieces. The rules read them all; `pieces_by_rules` counts those that no model
    read beside them, and `by_rules` says which and why: `first` and `last`, from 1, and `reason`.
    """

    document: str
    source: str
    kind: str
    title: str = ""
    characters: int = 0
    extractor: str = "rules"
    pieces: int = 0
    pieces_by_rules: int = 0
    by_rules: list[dict[str, Any]] = field(default_factory=list)
    sentences: int = 0
    mentions: int = 0
    entities: dict[str, int] = field(default_factory=dict)  # by type
    entities_doubtful: int = 0  # less sure than 0.6
    entities_new: int = 0
    entities_merged: int = 0
    relations: dict[str, int] = field(default_factory=dict)  # by relation
    relations_doubtful: int = 0
    relations_new: int = 0
    relations_merged: int = 0
    skipped: dict[str, int] = field(default_factory=dict)  # by reason
    notes: list[str] = field(default_factory=list)
    unchanged: bool = False
    complete: bool = False

    def to_dict(self) -> dict[str, Any]:
        return asdict(self)


def ingest(
    database: Database,
    content: str | bytes,
    *,
    source: str,
    kind: str = "text",
    title: str = "",
    last_updated: str = "",
    extractor: Extractor | None = None,
    model_seconds: float | None = None,
    progress: Progress | None = None,
    cancelled: Callable[[], bool] | None = None,
    run: RunsInWorker | None = None,
) -> IngestReport:
    """Ingest a document with its entities and relations; the same content adds nothing twice.

    `source` says where it comes from, such as a file name or an address. `progress` is called with
    the characters done and in all, counted once for reading and once for writing. After a kill or
    when `cancelled`, the same call completes it; so it does with pieces that a model did not read,
    which it is not asked to after `model_seconds`. Records that the document did not add are
    never changed. HTML, PDF and Word documents are parsed in a worker process: `run` is how one is
    reached, else one is started. Raises KnowledgeError for what is not a document of this kind.
    """
    _check_line("source", source, 500)
    _check_line("title", title, 300)
    if last_updated:
        timestamp(last_updated, "last_updated")
    document = read_in_worker(content, kind, run)
    if not document.text.strip():
        raise KnowledgeError("The document has no text.")
    own = f"doc:{sha256(document.text.encode()).hexdigest()[:20]}"
    named = title or document.title or _first_line(document.text) or source
    report = IngestReport(own, source, kind, named, len(document.text), notes=document.notes)
    by = extractor.name if extractor is not None else ""
    report.extractor = by or report.extractor
    before = database.get([own])
    if before and before[0].metadata.get("ingested") == {"rules": RULES, "extractor": by}:
        report.title = before[0].title
        report.unchanged = report.complete = True
        return report
    record = Record(
        own,
        "doc",
        named,
        document.text,
        url=source if re.match(r"https?://\S+\Z", source) else "",
        source_type="ingested",
        last_updated=last_updated,
        metadata={"source": source, "kind": kind},
    )
    if before:  # not complete, or by other rules
        kept = before[0].metadata.get("source", source)
        record = _with(record, before[0].last_updated or last_updated, {"source": kept})
    work = _Run(database, document, record, report, extractor, model_seconds, progress, cancelled)
    if work.read():
        mark: dict[str, Any] = {"rules": RULES, "extractor": by}
        if by and report.pieces_by_rules:
            mark["by_rules"] = report.pieces_by_rules  # so the same call tries them again
        report.complete = work.write(mark, again=bool(before))
    return report


class _Run:
    """One ingestion under way."""

    def __init__(
        self,
        database: Database,
        document: SourceDocument,
        record: Record,
        report: IngestReport,
        extractor: Extractor | None,
        model_seconds: float | None,
        progress: Progress | None,
        cancelled: Callable[[], bool] | None,
    ) -> None:
        self._database = database
        self._text = document.text
        self._record = record
        self._report = report
        self._progress = progress
        self._cancelled = cancelled
        self._skipped: Counter[str] = Counter()
        self._model = PieceExtraction(extractor, report, self._skipped, model_seconds)
        self._known = KnownEntities(database.all_records(), origin=record.id)
        if not self._known.complete:
            report.notes.append(f"only {MAX_KNOWN:,} records were compared by name")
        self._rules = EntityRules(self._text, self._known)
        self._groups = Groups(self._known)
        self._people = LastPerson()
        self._reader = SentenceReader() if extractor is None else None
        self._first: dict[int, tuple[Sentence, EntityMention]] = {}
        self._samples: dict[int, list[str]] = {}
        self._by_id: dict[int, Group] = {}
        self._stated: dict[tuple[int, int, str], ExtractedRelation] = {}

    # -- reading

    def read(self) -> bool:
        """Extract from the whole document; False when it was cancelled."""
        for batch in _batches(split_sentences(self._text)):
            self._read(batch)
            self._report.sentences += len(batch)
            if not self._go_on(batch[-1].offset + len(batch[-1].text)):
                return False
        return True

    def _read(self, batch: Sequence[Sentence]) -> None:
        texts = [sentence.text for sentence in batch]
        said, stated = self._model.read(texts)
        for at, sentence in enumerate(batch):
            mentions = _joined(self._rules.find(sentence.text), said.get(at, []))
            mentions = self._people.with_pronoun(sentence.text, mentions)
            found = relations(sentence.text, mentions)
            found += _by_number(mentions, stated.get(at, []), self._skipped)
            if self._reader is not None and _only_together(found):
                found = self._reader.read(sentence.text, mentions) or found
            self._collect(sentence, mentions, found)

    def _collect(
        self, sentence: Sentence, mentions: list[EntityMention], found: list[Relation]
    ) -> None:
        groups: list[Group | None] = []
        related = {end for relation in found for end in (relation.source, relation.target)}
        for at, mention in enumerate(mentions):
            if mention.quiet and at not in related:
                groups.append(None)
                continue
            group = self._groups.add(mention)
            groups.append(group)
            if group is None:
                self._skipped["a name without letters"] += 1
                continue
            self._report.mentions += 1
            self._first.setdefault(id(group), (sentence, mention))
            samples = self._samples.setdefault(id(group), [])
            if len(samples) < SAMPLES and sentence.text not in samples:
                samples.append(sentence.text)
            self._by_id[id(group)] = group
        for relation in found:
            source, target = groups[relation.source], groups[relation.target]
            if source is None or target is None or source is target:
                continue
            if relation.rule != "co-occurrence":
                types = EXPECTED.get(relation.relation, ("", ""))
                for group, expected in zip((source, target), types, strict=True):
                    group.confidence = max(group.confidence, STATED)
                    # People launch things too, and two capitalised words may well be a person.
                    people = relation.relation == "launched" and group.rule == "two names"
                    if expected and not (people and expected == "org"):
                        group.vote(expected, EXPECTED_VOTE)
                if relation.rule == ORGANISATION_RULE:
                    source.vote("org", EXPECTED_VOTE)
            key = (id(source), id(target), relation.relation)
            seen = self._stated.get(key)
            if seen is None:
                seen = self._stated[key] = ExtractedRelation(
                    relation, sentence.text, sentence.offset
                )
            elif relation.confidence > seen.relation.confidence:
                seen.relation, seen.sentence, seen.offset = (
                    relation, sentence.text, sentence.offset,
                )  # fmt: skip
            seen.count += 1

    # -- writing

    def write(self, mark: dict[str, Any], *, again: bool) -> bool:
        """Write in batches, the mark of completion last; False when it was cancelled.

        With `again`, what the document alone had stated and states no longer is deleted.
        """
        final = self._groups.merge()
        entities = self._entities(final)
        kept = {found.id for found in entities}
        stated = self._relations(kept)
        self._report.entities = dict(sorted(Counter(found.type for found in entities).items()))
        self._report.relations = dict(
            sorted(Counter(relation for _, _, relation in stated).items())
        )
        self._report.entities_doubtful = sum(found.confidence < DOUBTFUL for found in entities)
        self._report.relations_doubtful = sum(
            one.confidence() < DOUBTFUL for one in stated.values()
        )
        self._report.skipped = dict(sorted(self._skipped.items()))
        writer = GraphWriter(
            self._database, self._record, self._report.source, self._report.extractor
        )
        length = len(self._text)
        total = len(entities) * 2 + len(stated) + 1
        for done in writer.write(entities, stated):
            if not self._go_on(length + length * done // total):
                return False
        if again:
            writer.forget(kept, stated.keys())
        self._report.entities_new = writer.entities_new
        self._report.entities_merged = writer.entities_merged
        self._report.relations_new = writer.relations_new
        self._report.relations_merged = writer.relations_merged
        self._database.upsert([_with(self._record, self._record.last_updated, {"ingested": mark})])
        if self._progress is not None:
            self._progress(2 * length, 2 * length)
        return True

    def _entities(self, final: list[Group]) -> list[ExtractedEntity]:
        """Entities to write: those that are likely enough, with their first mention."""
        first: dict[int, tuple[Sentence, EntityMention]] = {}
        samples: dict[int, list[str]] = {}
        for number, (sentence, mention) in self._first.items():
            target = id(self._by_id[number].final())
            if target not in first or first[target][0].offset > sentence.offset:
                first[target] = (sentence, mention)
            more = [text for text in self._samples[number] if text not in samples.get(target, ())]
            samples.setdefault(target, []).extend(more)
        entities = []
        for group in final:
            if group.confidence < MIN_CONFIDENCE:
                self._skipped[f"confidence below {MIN_CONFIDENCE}"] += 1
                continue
            sentence, mention = first[id(group)]
            entities.append(
                ExtractedEntity(
                    group.id, group.type, group.title, group.confidence, group.count,
                    aliases(group), samples[id(group)][:SAMPLES], sentence.text,
                    sentence.offset + mention.start, mention.rule, mention.name, group.known,
                )
            )  # fmt: skip
        return entities

    def _relations(self, kept: set[str]) -> dict[tuple[str, str, str], ExtractedRelation]:
        found: dict[tuple[str, str, str], ExtractedRelation] = {}
        for (left, right, relation), stated in self._stated.items():
            source = self._by_id[left].final().id
            target = self._by_id[right].final().id
            if source == target or source not in kept or target not in kept:
                continue
            if stated.relation.rule == "co-occurrence" and target < source:
                source, target = target, source
            same = found.get((source, target, relation))
            if same is None:
                found[source, target, relation] = stated
            else:
                same.add(stated)
        pairs = {frozenset(ends) for *ends, relation in found if relation != "related_to"}
        together = sorted(
            (key for key, stated in found.items() if stated.relation.rule == "co-occurrence"),
            key=lambda key: (-found[key].count, key),
        )
        for number, key in enumerate(together):
            if frozenset(key[:2]) in pairs:
                del found[key]
            elif number >= MAX_TOGETHER:
                del found[key]
                self._skipped["too many pairs that are only mentioned together"] += 1
        return dict(sorted(found.items()))

    def _go_on(self, done: int) -> bool:
        if self._progress is not None:
            self._progress(min(done, 2 * len(self._text)), 2 * len(self._text))
        return not (self._cancelled is not None and self._cancelled())


def _batches(found: Iterator[Sentence]) -> Iterator[list[Sentence]]:
    batch: list[Sentence] = []
    size = 0
    for sentence in found:
        if batch and (len(batch) >= extractor.BATCH or size + len(sentence.text) > extractor.PIECE):
            yield batch
            batch, size = [], 0
        batch.append(sentence)
        size += len(sentence.text)
    if batch:
        yield batch


def _joined(ours: list[EntityMention], said: list[EntityMention]) -> list[EntityMention]:
    """Merge the mentions of the rules and of the model.

    Where both found the same name it is surer, and the model may tell its type; what overlaps
    otherwise is left to the rules.
    """
    found = [
        one
        for one in ours
        if not (one.quiet and any(one.start < m.end and m.start < one.end for m in said))
    ]
    for mention in said:
        over = [one for one in found if one.start < mention.end and mention.start < one.end]
        if not over:
            found.append(mention)
            continue
        same = over[0]
        agrees = (same.start, same.end) == (mention.start, mention.end) and not same.id
        if agrees and mention.type != "entity":
            if mention.confidence > same.confidence or same.type == "entity":
                same.type = mention.type
            same.confidence = round(min(0.95, max(same.confidence, mention.confidence) + 0.1), 3)
    return sorted(found, key=lambda mention: (mention.start, mention.end))


def _by_number(
    mentions: list[EntityMention], stated: list[tuple[str, str, Relation]], skipped: Counter[str]
) -> list[Relation]:
    """Relations of the model, between mentions by number instead of by name."""
    numbers: dict[tuple[str, ...], int] = {}
    for number, mention in enumerate(mentions):
        numbers.setdefault(names.key(mention.name), number)
    found = []
    for source, target, relation in stated:
        left, right = numbers.get(names.key(source)), numbers.get(names.key(target))
        if left is not None and right is not None and left != right:
            found.append(
                Relation(left, right, relation.relation, relation.rule, relation.confidence)
            )
        else:
            skipped["model: the rules take the name for another"] += 1
    return found


def _only_together(found: list[Relation]) -> bool:
    return bool(found) and all(one.rule == "co-occurrence" for one in found)


def _with(record: Record, last_updated: str, metadata: dict[str, Any]) -> Record:
    return Record(
        record.id, record.type, record.title, record.text, record.tags, record.url,
        record.source_type, last_updated, record.metadata | metadata,
    )  # fmt: skip


def _first_line(text: str) -> str:
    line = next((line.strip() for line in text.split("\n") if line.strip()), "")
    line = "".join(char if char.isprintable() else " " for char in line)
    return line if len(line) <= 80 else line[:80].rsplit(" ", 1)[0] + "…"


def _check_line(name: str, value: object, longest: int) -> None:
    if not isinstance(value, str) or len(value) > longest or not (value.isprintable()):
        raise KnowledgeError(
            f"The {name} of a document is one line of printable text, at most {longest} characters."
        )
