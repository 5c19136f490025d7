"""Row limits, write counts and state of a database, for the engines and their callers."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import UTC, datetime

from antiphon.knowledge.errors import KnowledgeError
from antiphon.knowledge.records import check_id

# One transaction writes at most this many: a long import neither holds the write lock for long
# nor loses more than this when it is killed.
BATCH = 10_000
PAGE = 1_000

# What is embedded of a record; models read a few hundred words.
EMBEDDED_CHARACTERS = 2_000


@dataclass(frozen=True, slots=True)
class DatabaseState:
    """State of a database. `revision` counts writes of content, `vectors` those of embeddings."""

    revision: int
    vectors: int
    records: int
    edges: int
    title: str
    description: str
    updated: str


@dataclass(frozen=True, slots=True)
class Written:
    """Result of an upsert."""

    added: int = 0
    changed: int = 0
    unchanged: int = 0

    def __add__(self, other: Written) -> Written:
        return Written(
            self.added + other.added,
            self.changed + other.changed,
            self.unchanged + other.unchanged,
        )


def embedding_text(id: str, title: str, text: str) -> str:
    """The text that is embedded for a record: its title and the beginning of its text."""
    return f"{title}\n{text}"[:EMBEDDED_CHARACTERS].strip() or id


def unique_ids(ids: Iterable[str]) -> list[str]:
    """The ids without repetitions, in their order. Raises KnowledgeError for an invalid one."""
    if isinstance(ids, str):
        raise KnowledgeError(f"A list of ids is needed, not one text: [{ids[:80]!r}].")
    unique: dict[str, None] = {}
    for name in ids:
        check_id(name)
        unique[name] = None
    return list(unique)


def now() -> str:
    """The time in UTC as ISO 8601 with milliseconds."""
    return datetime.now(UTC).isoformat(timespec="milliseconds").replace("+00:00", "Z")
