"""Entity mentions of a sentence, and the relations between them."""

from __future__ import annotations

from dataclasses import dataclass

# Types of entities that are names; the others stand for themselves.
NAMED = ("person", "org", "place", "project", "term", "entity")


# Something without a capital is a name only where a sentence states something about it.
QUIET = 0.3
QUIET_RULES = ("quiet noun", "object")


@dataclass(slots=True)
class EntityMention:
    """A name or a value at a place in a sentence. `id` is set when it is known what it stands for.

    `type` may still change when the whole document has been seen.
    """

    name: str
    type: str
    start: int
    end: int
    rule: str
    confidence: float
    id: str = ""

    @property
    def quiet(self) -> bool:
        return self.rule in QUIET_RULES


@dataclass(frozen=True, slots=True)
class Relation:
    """A relation between two mentions of one sentence, by their numbers."""

    source: int
    target: int
    relation: str
    rule: str
    confidence: float
    role: str = ""
