"""Entity resolution: spellings of one name merged within a document and with the database."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, field

from antiphon.knowledge.ingestion.known_entities import Known, KnownEntities
from antiphon.knowledge.ingestion.mentions import EntityMention
from antiphon.knowledge.ingestion.names import key, same_person, slug

# How alike two names must be, of 100. A letter in twelve may differ, digits may not.
ALIKE = 92
MIN_LENGTH = 8  # of names that are compared by likeness
MAX_ALIASES = 20
_BLOCK = 3  # names are only compared with those that begin alike


@dataclass(slots=True)
class Group:
    """Mentions of one name, and the entity they stand for."""

    key: tuple[str, ...]
    id: str = ""
    type: str = ""
    title: str = ""
    forms: Counter[str] = field(default_factory=Counter)
    votes: dict[str, float] = field(default_factory=dict)
    count: int = 0
    confidence: float = 0.0
    rule: str = ""
    into: Group | None = None
    known: bool = False

    def final(self) -> Group:
        group = self
        while group.into is not None:
            group = group.into
        return group

    def vote(self, type: str, weight: float) -> None:
        self.votes[type] = self.votes.get(type, 0.0) + weight

    def name(self) -> tuple[str, ...]:
        """Words of the name, those of the database included."""
        return key(self.title) if self.known else self.key

    def likely(self) -> str:
        """The type with the most votes; `entity` only when nothing else is likely."""
        votes = [(weight, kind) for kind, weight in self.votes.items() if kind != "entity"]
        weight, kind = max(votes, key=lambda vote: (vote[0], vote[1]), default=(0.0, ""))
        return kind if weight >= 0.25 else "entity"


class Groups:
    """Collection of mentions by name, merged where names are the same entity."""

    def __init__(self, known: KnownEntities) -> None:
        self._known = known
        self._groups: dict[tuple[str, ...], Group] = {}

    def add(self, mention: EntityMention) -> Group | None:
        """Add a mention; returns its group, or None for a name without letters or digits."""
        own = ("", mention.id) if mention.id else key(mention.name)
        if not own:
            return None
        group = self._groups.get(own)
        if group is None:
            group = self._groups[own] = Group(own, mention.id)
            if mention.id:
                group.type = mention.type
                found = self._known.by_id.get(mention.id)
                if found is not None:
                    self._take(group, found)
        group.forms[mention.name] += 1
        # Two capitalised words are often a person, but any other sign says more.
        group.vote(mention.type, 0.25 if mention.rule == "two names" else mention.confidence)
        group.count += 1
        if mention.confidence > group.confidence:
            group.confidence, group.rule = mention.confidence, mention.rule
        return group

    def merge(self) -> list[Group]:
        """Merge groups of the same entity; returns those that remain, in the order of their ids."""
        open_groups = [group for group in self._groups.values() if not group.id]
        order = sorted(open_groups, key=lambda group: (-group.count, group.key))
        for group in order:
            self._find_known(group)
        self._merge_people([group for group in order if not group.id])
        self._merge_alike([group for group in order if not group.id and group.into is None])
        for group in order:
            if not group.id and group.into is None:
                group.type = group.likely()
                group.id = f"{group.type}:{slug(' '.join(group.key))}"
        return self._finish()

    # -- against the database

    def _find_known(self, group: Group) -> None:
        likely = group.likely()
        found = self._known.named(group.key, likely)
        if found is None and likely in ("person", "entity"):
            same = [
                person
                for person in self._known.people.get(group.key[-1], ())
                if same_person(group.key, person.key) or same_person(person.key, group.key)
            ]
            # A last name alone may be anybody's; a document's own people go first.
            if len(same) == 1 and len(group.key) > 1:
                found = same[0]
        if found is None:
            found = self._alike_known(group, likely)
        if found is not None:
            self._take(group, found)

    def _alike_known(self, group: Group, likely: str) -> Known | None:
        from rapidfuzz import fuzz

        name = " ".join(group.key)
        if len(name) < MIN_LENGTH:
            return None
        best: tuple[float, str, Known] | None = None
        for other in self._known.beginning(name[:_BLOCK]):
            text = " ".join(other.key)
            if likely not in (other.type, "entity") or _digits(text) != _digits(name):
                continue
            score = fuzz.ratio(name, text, score_cutoff=ALIKE)
            if score and (best is None or (-score, other.id) < (-best[0], best[1])):
                best = (score, other.id, other)
        return best[2] if best else None

    def _take(self, group: Group, known: Known) -> None:
        group.id, group.type, group.title, group.known = known.id, known.type, known.title, True

    # -- within the document

    def _merge_people(self, groups: list[Group]) -> None:
        """Merge initials, last and first names alone into the one person they can stand for."""
        full: dict[str, list[Group]] = {}
        for person in self._groups.values():
            name = person.name()
            if len(name) > 1 and len(name[0]) > 1 and _is_person(person):
                for word in {name[0], name[-1]}:
                    full.setdefault(word, []).append(person)
        for group in groups:
            likely = group.likely()
            if likely not in ("person", "entity"):
                continue
            same = {
                id(person.final()): person.final()
                for person in full.get(group.key[-1], ())
                if person is not group and self._short_for(group, person)
            }
            if len(same) == 1:
                group.into = next(iter(same.values()))

    @staticmethod
    def _short_for(group: Group, person: Group) -> bool:
        full = person.name()
        return group.key != full and len(group.key) <= len(full) and same_person(group.key, full)

    def _merge_alike(self, groups: list[Group]) -> None:
        from rapidfuzz import fuzz

        blocks: dict[str, list[tuple[str, Group]]] = {}
        for group in groups:
            name = " ".join(group.key)
            if len(name) < MIN_LENGTH:
                continue
            block = blocks.setdefault(name[:_BLOCK], [])
            likely = group.likely()
            for text, leader in block:
                if (
                    fuzz.ratio(name, text, score_cutoff=ALIKE)
                    and _digits(name) == _digits(text)
                    and (likely == leader.likely() or "entity" in (likely, leader.likely()))
                ):
                    group.into = leader
                    break
            else:
                block.append((name, group))

    def _finish(self) -> list[Group]:
        final: dict[str, Group] = {}
        for group in self._groups.values():
            target = group.final()
            same = final.setdefault(target.id, target)
            if same is not target:
                target.into = same
                target = same
            if target is not group:
                target.forms.update(group.forms)
                target.count += group.count
                if group.confidence > target.confidence:
                    target.confidence, target.rule = group.confidence, group.rule
        for group in final.values():
            if not group.title:
                group.title = _title(group.forms, group.key)
            group.confidence = round(min(0.99, group.confidence + 0.05 * (group.count - 1)), 3)
        return [final[own] for own in sorted(final)]


def aliases(group: Group) -> list[str]:
    others: Iterable[str] = (form for form in sorted(group.forms) if form != group.title)
    return list(others)[:MAX_ALIASES]


def _title(forms: Counter[str], own: tuple[str, ...]) -> str:
    """The form used most, among those with the words of the name itself."""
    whole = {form: count for form, count in forms.items() if key(form) == own} or dict(forms)
    return min(whole, key=lambda form: (form.isupper(), -whole[form], -len(form), form))


def _is_person(group: Group) -> bool:
    return (group.type if group.known else group.likely()) == "person"


def _digits(text: str) -> str:
    return "".join(char for char in text if char.isdigit())
