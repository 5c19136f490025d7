"""The entities a database has already, found again by their names."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Any

from antiphon.knowledge.ingestion.names import key, words
from antiphon.knowledge.records import Record

# More would make a small document wait for a large database; ids are looked up beyond it.
MAX_KNOWN = 200_000
MAX_WORDS = 8
_TOKEN = re.compile(r"[^\W_]+")
_VALUES = frozenset({"date", "amount", "percent", "email"})


@dataclass(frozen=True, slots=True)
class Known:
    """Entity of the database with the type and the name it is known by."""

    id: str
    type: str
    title: str
    key: tuple[str, ...]


class KnownEntities:
    """Index of the names, aliases and addresses of a database's records."""

    def __init__(self, records: Iterable[Record], *, origin: str) -> None:
        """Read the database, without what the document `origin` itself has added."""
        self.by_key: dict[tuple[str, ...], list[Known]] = {}
        self.by_id: dict[str, Known] = {}
        self.by_url: dict[str, Known] = {}
        self.people: dict[str, list[Known]] = {}
        self._by_first_word: dict[str, list[tuple[tuple[str, ...], Known, str]]] = {}
        self._by_letters: dict[str, list[Known]] | None = None
        self.complete = True
        for count, record in enumerate(records):
            if count >= MAX_KNOWN:
                self.complete = False
                break
            ingested = record.source_type == "ingested"
            if record.type in _VALUES or (
                ingested and (record.type == "doc" or record.metadata.get("origin") == origin)
            ):
                continue
            self._add(record)

    def _add(self, record: Record) -> None:
        known = Known(record.id, record.type, record.title, key(record.title))
        self.by_id[record.id] = known
        if record.url:
            self.by_url.setdefault(record.url.rstrip("/"), known)
        for name in (record.title, *_aliases(record.metadata)):
            own = key(name)
            if not own or len(own) > MAX_WORDS:
                continue
            known_here = self.by_key.setdefault(own, [])
            if all(other.id != record.id for other in known_here):
                known_here.append(known)
            plain = tuple(words(name))
            self._by_first_word.setdefault(plain[0], []).append((plain, known, name))
        if record.type == "person" and len(known.key) > 1:
            self.people.setdefault(known.key[-1], []).append(known)

    def named(self, name: tuple[str, ...], type: str = "") -> Known | None:
        """The one record with this name; of several, the one of the same type."""
        found = self.by_key.get(name, [])
        if len(found) == 1:
            return found[0]
        same = [known for known in found if known.type == type]
        return min(same, key=lambda known: known.id) if same else None

    def beginning(self, letters: str) -> list[Known]:
        """Records whose names begin with these three letters."""
        if self._by_letters is None:
            self._by_letters = {}
            for own, found in self.by_key.items():
                self._by_letters.setdefault(" ".join(own)[:3], []).extend(found)
        return self._by_letters.get(letters, [])

    def spans(self, text: str) -> Iterator[tuple[Known, int, int]]:
        """Known names in a sentence, the longest at each place."""
        if not self._by_first_word:
            return
        tokens = list(_TOKEN.finditer(text))
        plain = [
            token[0].casefold() if token[0].isascii() else "".join(words(token[0]))
            for token in tokens
        ]
        at = 0
        while at < len(plain):
            best: tuple[int, Known] | None = None
            for name, known, title in self._by_first_word.get(plain[at], ()):
                size = len(name)
                if tuple(plain[at : at + size]) != name or (best and best[0] >= size):
                    continue
                # A single common word is a name only when it is written like one.
                if size == 1 and (len(title) < 3 or tokens[at][0] != title):
                    continue
                best = (size, known)
            if best is None:
                at += 1
            else:
                yield best[1], tokens[at].start(), tokens[at + best[0] - 1].end()
                at += best[0]


def _aliases(metadata: dict[str, Any]) -> list[str]:
    found = metadata.get("aliases")
    return [name for name in found if isinstance(name, str)] if isinstance(found, list) else []
