"""Names that the knowledge base knows, found in what a person says."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from antiphon.providers.local.words import STOP, Token, folded, tokens

# Longer names are seldom said in full.
_LONGEST = 7
RECORD_ID = re.compile(r"\b[a-z][a-z0-9-]{0,63}:[a-z0-9][\w.-]*\b")


@dataclass(frozen=True, slots=True)
class Name:
    """A record of the knowledge base: what it is called, what it is, and where it is."""

    id: str
    title: str
    type: str = ""
    database: str = ""


@dataclass(frozen=True, slots=True)
class NameMention:
    """A name in a text, and where it stands."""

    start: int
    end: int
    name: Name


class NameBook:
    """Finds the names of records in a text: whole titles, and parts that only one person has."""

    def __init__(self, names: Iterable[Name]) -> None:
        self.types: dict[str, str] = {}
        databases: dict[str, int] = {}
        self._by_id: dict[str, Name] = {}
        self._titles: dict[str, Name] = {}
        parts: dict[str, list[Name]] = {}
        for name in names:
            self._by_id.setdefault(name.id, name)
            databases[name.database] = databases.get(name.database, 0) + 1
            if name.type:
                for form in (name.type, plural(name.type)):
                    self.types.setdefault(folded(form), name.type)
            words = [token.key for token in tokens(name.title)]
            if not words or len(words) > _LONGEST:
                continue
            if len(words) > 1 or (words[0] not in STOP and len(words[0]) > 2):
                self._titles.setdefault(" ".join(words), name)
            if name.type == "person" and 1 < len(words) <= 3:
                for word in {words[0], words[-1]}:
                    parts.setdefault(word, []).append(name)
        self.types.setdefault("people", "person")
        # Every word of a name: they are spelled as they are.
        self.words = frozenset(
            part for title in self._titles for word in title.split() for part in (word, f"{word}s")
        )
        self.databases = tuple(sorted(databases, key=lambda one: (-databases[one], one)))
        for word, owners in parts.items():
            if len({name.id for name in owners}) == 1 and len(word) > 2 and word not in STOP:
                self._titles.setdefault(word, owners[0])

    def get(self, id: str) -> Name | None:
        return self._by_id.get(id)

    def mentions(self, text: str) -> list[NameMention]:
        """Every name in the text, the longest where several begin, in the order of the text."""
        found: list[NameMention] = []
        for match in RECORD_ID.finditer(text):
            known = self._by_id.get(match.group())
            name = known or Name(match.group(), match.group(), match.group().partition(":")[0])
            found.append(NameMention(match.start(), match.end(), name))
        words = tokens(text)
        at = 0
        while at < len(words):
            for length in range(min(_LONGEST, len(words) - at), 0, -1):
                part = words[at : at + length]
                named = self._titles.get(" ".join(word.key for word in part))
                if named is None or not _looks_named(text, part[0].start, length):
                    continue
                if length == 1 and _is_other(named, words, at, text):
                    continue
                if all(part[-1].end <= m.start or part[0].start >= m.end for m in found):
                    found.append(NameMention(part[0].start, part[-1].end, named))
                    at += length - 1
                    break
            at += 1
        return sorted(found, key=lambda mention: mention.start)


def _looks_named(text: str, start: int, length: int) -> bool:
    """A single common word is a name only when it is written like one; speech has no capitals."""
    return length > 1 or text[start].isupper() or text == text.lower()


def _is_other(named: Name, words: list[Token], at: int, text: str) -> bool:
    """Somebody else of the same first or last name: "Marta Ilves" is not Marta Quaresma."""
    own = {token.key for token in tokens(named.title)}
    if len(own) < 2:
        return False
    word = words[at]
    if word.text.lower().endswith(("'s", "\u2019s")):
        return False
    first = tokens(named.title)[0].key == word.key
    other = at + 1 if first else at - 1
    if not 0 <= other < len(words) or words[other].key in own or words[other].key in STOP:
        return False
    a, b = sorted((word, words[other]), key=lambda one: one.start)
    begins = other == 0  # the first word of a sentence has a capital in any case
    return text[a.end : b.start] == " " and words[other].text[:1].isupper() and not begins


def plural(word: str) -> str:
    if word.endswith("y") and word[-2:-1] not in "aeiou":
        return f"{word[:-1]}ies"
    return f"{word}es" if word.endswith(("s", "x", "ch", "sh")) else f"{word}s"


def person_like(names: Sequence[Name]) -> list[Name]:
    return [name for name in names if name.type == "person"]
