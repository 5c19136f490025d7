"""Names in a sentence: proper nouns, acronyms with what they stand for, and known entities."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from antiphon.knowledge.ingestion.known_entities import KnownEntities
from antiphon.knowledge.ingestion.lexicon import (
    COMPANY_SUFFIXES,
    FIRST_NAMES,
    NOT_NAMES,
    ORGANISATION_WORDS,
    PLACE_WORDS,
    PLACES,
    ROLES,
    THING_WORDS,
    TITLES,
)
from antiphon.knowledge.ingestion.literals import literals
from antiphon.knowledge.ingestion.mentions import EntityMention
from antiphon.knowledge.ingestion.names import key
from antiphon.knowledge.ingestion.noun_phrases import (
    is_place,
    named_objects,
    with_nouns,
    without_capital,
)
from antiphon.text.words import word_set

_TOKEN = re.compile(r"[^\W\d_][\w&]*(?:['\u2019\-][\w&]+)*")
# Not in addresses, where names are written small.
_LOWER = re.compile(r"(?<![\w@./-])[a-zà-ÿ]{2,}(?![\w@/-]|\.\w)")
_ACRONYM = re.compile(r"[A-Z][A-Z0-9&]{1,6}s?")
_IN_BRACKETS = re.compile(r"\(([A-Z][A-Za-z&]{1,9})\)")
_SPELLED_OUT = re.compile(r"\b([A-Z][A-Z&]{1,9}) \(([^()]{4,80})\)")
_VERB_BEHIND = re.compile(
    r" (?:(?:is|was|has|does|will|can) |[a-z]{3,20}(?<![su])s (?:its |the |an? |on |by ))"
)
_POSSESSIVE = re.compile(r"['\u2019]s?\Z")
_NAME_PARTICLES = word_set("de da di del der den van von la le el bin ibn al")
_OF_WORDS = ORGANISATION_WORDS | PLACE_WORDS | {"states", "kingdom", "republic", "house", "bank"}
MAX_WORDS = 8


@dataclass(slots=True)
class _Token:
    """Word of a sentence with its place."""

    text: str
    start: int
    end: int


class EntityRules:
    """Rules for the entities in sentences of one document, whose whole text they have seen."""

    def __init__(self, text: str, known: KnownEntities) -> None:
        self._known = known
        # A word that is also written small is most likely just the first of its sentence.
        self._lower = {found[0] for found in _LOWER.finditer(text)}
        self._acronyms: dict[str, str] = {}
        for acronym, name in _acronyms(text):
            self._acronyms.setdefault(acronym, name)

    def find(self, text: str) -> list[EntityMention]:
        """Mentions in the order of the sentence, none inside another."""
        found = list(literals(text))
        tokens = [
            _Token(token[0], token.start(), token.end())
            for token in _TOKEN.finditer(text)
            if not any(one.start < token.end() and token.start() < one.end for one in found)
        ]
        runs = [] if _is_heading(text, tokens) else list(self._runs(text, tokens))
        for run in runs:
            with_nouns(text, run)
            if run.rule in ("proper noun", "two names") and is_place(text, run):
                run.type, run.rule, run.confidence = "place", "preposition", 0.6
        for quiet in (*without_capital(text), *named_objects(text)):
            runs = [run for run in runs if not (quiet.start < run.start and run.end == quiet.end)]
            if not any(one.start < quiet.end and quiet.start < one.end for one in (*found, *runs)):
                runs.append(quiet)
        for name, start, end in self._known_spans(text, runs):
            runs = [run for run in runs if run.end <= start or run.start >= end]
            found = [one for one in found if one.end <= start or one.start >= end]
            runs.append(name)
        return sorted(found + runs, key=lambda mention: (mention.start, mention.end))

    def _known_spans(
        self, text: str, runs: list[EntityMention]
    ) -> Iterator[tuple[EntityMention, int, int]]:
        for known, start, end in self._known.spans(text):
            one_word = " " not in text[start:end].strip()
            # "Acme" inside "Acme Robotics" is another name.
            if one_word and any(
                run.start <= start and end <= run.end and (run.start, run.end) != (start, end)
                for run in runs
            ):
                continue
            yield (
                EntityMention(text[start:end], known.type, start, end, "known", 0.95, known.id),
                start,
                end,
            )

    def _runs(self, text: str, tokens: list[_Token]) -> Iterator[EntityMention]:
        at = 0
        while at < len(tokens):
            if not tokens[at].text[0].isupper():
                at += 1
                continue
            end = self._run_end(text, tokens, at)
            yield from self._names(text, tokens[at:end], first=_begins(text, tokens[at].start))
            at = end

    def _run_end(self, text: str, tokens: list[_Token], at: int) -> int:
        """Index behind the last of the capitalised words that belong together."""
        end = at + 1
        while end < len(tokens) and end - at < MAX_WORDS:
            last, after = tokens[end - 1], tokens[end]
            # "Acme CEO Ada" and "Meet Dr. Ada" are two names, or none and one.
            begins_anew = after.text.lower() in ROLES or after.text.lower() in TITLES
            owned = _POSSESSIVE.search(last.text) and after.text.lower() not in ORGANISATION_WORDS
            if begins_anew or owned:
                break
            gap = text[last.end : after.start]
            abbreviated = len(last.text) == 1 or last.text.lower() in TITLES | {"st"}
            if after.text[0].isupper() and (
                gap in (" ", "\n", " & ", "-") or (abbreviated and gap in (". ", "."))
            ):
                end += 1
                continue
            step = self._particle(text, tokens, end)
            if step == 0:
                break
            end += step
        return end

    def _particle(self, text: str, tokens: list[_Token], at: int) -> int:
        """Number of tokens that "of England" or "van Gogh" adds to the name before it, or 0."""
        if text[tokens[at - 1].end : tokens[at].start] not in (" ", "\n"):
            return 0
        word = tokens[at].text
        if word == "of":
            if tokens[at - 1].text.lower() not in _OF_WORDS:
                return 0
        elif word not in _NAME_PARTICLES:
            return 0
        for size in (1, 2):
            if at + size >= len(tokens):
                return 0
            after = tokens[at + size]
            if text[tokens[at + size - 1].end : after.start] not in (" ", "\n"):
                return 0
            if after.text[0].isupper():
                return size + 1
            if after.text not in _NAME_PARTICLES | {"the"}:
                return 0
        return 0

    def _names(self, text: str, run: list[_Token], *, first: bool) -> Iterator[EntityMention]:
        titled: int | None = None
        while run:
            word = run[0].text.lower()
            if len(word) == 1 and text[run[0].end : run[0].end + 1] == ".":
                break  # an initial
            if word in TITLES:
                titled = run[0].start
            elif _role_words(run):
                run = run[_role_words(run) - 1 :]
            elif not (
                _bare(word) in NOT_NAMES
                or (first and len(run) > 1 and word in self._lower and word not in FIRST_NAMES)
            ):
                break
            run = run[1:]
            first = False
        while run and _bare(run[-1].text.lower()) in NOT_NAMES:
            if len(run) > 1 and run[-1].text.lower() in ORGANISATION_WORDS:
                break  # "Juniper Press"
            run = run[:-1]
        if not run:
            return
        start, end = run[0].start, run[-1].end
        name = _POSSESSIVE.sub("", text[start:end]).replace("\n", " ")
        end = start + len(name)
        if text[end : end + 1] == "." and run[-1].text.lower() in COMPANY_SUFFIXES:
            end += 1
        if len(run) == 1:
            found = self._single(text, name, start, end, first=first, titled=titled is not None)
        else:
            kind, rule, sure = self._classify(
                [token.text for token in run], name, titled is not None
            )
            found = iter((EntityMention(name, kind, start, end, rule, sure),))
        for mention in found:
            if titled is not None:
                mention.start = titled  # the title is part of what is said, not of the name
            yield mention

    def _single(
        self, text: str, name: str, start: int, end: int, *, first: bool, titled: bool
    ) -> Iterator[EntityMention]:
        word = name.lower()
        if titled:
            yield EntityMention(name, "person", start, end, "title", 0.8)
        elif _ACRONYM.fullmatch(name):
            plain = name.rstrip("s")
            if plain in self._acronyms:
                full = self._acronyms[plain]
                yield EntityMention(full, "term", start, end, "acronym", 0.85)
            elif word in PLACES:
                yield EntityMention(name, "place", start, end, "place", 0.8)
            elif plain.lower() not in ROLES and plain.lower() not in self._lower:
                yield EntityMention(plain, "term", start, end, "acronym", 0.5)
        elif len(name) < 3 or (first and word in self._lower):
            return
        elif word in PLACES:
            yield EntityMention(name, "place", start, end, "place", 0.85)
        elif word in FIRST_NAMES:
            yield EntityMention(name, "person", start, end, "first name", 0.5)
        elif any(char.isupper() or char.isdigit() for char in name[1:]):
            yield EntityMention(name, "term", start, end, "proper noun", 0.6)
        elif word not in self._lower:
            confidence = 0.3 if first and not _before_verb(text, end) else 0.5
            yield EntityMention(name, "entity", start, end, "proper noun", confidence)
        elif not first and word not in THING_WORDS:
            yield EntityMention(name, "entity", start, end, "proper noun", 0.35)

    def _classify(self, run: list[str], name: str, titled: bool) -> tuple[str, str, float]:
        low = [word.lower().rstrip(".") for word in run]
        if titled:
            return "person", "title", 0.9
        if low[-1] in COMPANY_SUFFIXES:
            return "org", "company suffix", 0.95
        if " ".join(key(name)) in PLACES or " ".join(low) in PLACES:
            return "place", "place", 0.85
        if low[-1] in ORGANISATION_WORDS or low[0] in ORGANISATION_WORDS or "&" in name:
            return "org", "organisation word", 0.8
        if low[-1] in PLACE_WORDS:
            return "place", "place word", 0.7
        if low[0] in FIRST_NAMES and len(run) <= 4 and low[-1] not in THING_WORDS:
            return "person", "first name", 0.85
        if any(word in THING_WORDS for word in low):
            return "term", "thing word", 0.6
        if len(low[0]) == 1 and len(run) <= 3:
            return "person", "initial", 0.75
        if len(run) <= 3 and all(
            word.isalpha() and not word.isupper() and lower not in self._lower
            for word, lower in zip(run, low, strict=True)
        ):
            return "person", "two names", 0.55
        return "entity", "proper noun", 0.5


def _acronyms(text: str) -> Iterator[tuple[str, str]]:
    """Acronyms with the words they stand for: "Knowledge Graph (KG)" and "KG (Knowledge Graph)"."""
    for found in _IN_BRACKETS.finditer(text):
        letters = [char.lower() for char in found[1] if char.isupper()]
        before = list(re.finditer(r"[^\W_]+", text[max(0, found.start() - 100) : found.start()]))
        start = _initials(letters, [word[0].lower() for word in before])
        if start is not None and len(letters) > 1:
            offset = max(0, found.start() - 100)
            yield found[1], " ".join(text[offset + before[start].start() : found.start()].split())
    for found in _SPELLED_OUT.finditer(text):
        letters = [char.lower() for char in found[1] if char.isalpha()]
        named = re.findall(r"[^\W_]+", found[2].lower())
        if _initials(letters, named) == 0:
            yield found[1], " ".join(found[2].split())


def _initials(letters: list[str], named: list[str]) -> int | None:
    """Index of the first of the words whose initials these are; small words may be skipped."""
    at = len(named)
    for letter in reversed(letters):
        at -= 1
        while at >= 0 and not named[at].startswith(letter):
            if named[at] not in ("of", "the", "and", "for", "to", "in", "a"):
                return None
            at -= 1
        if at < 0:
            return None
    return at


def _role_words(run: list[_Token]) -> int:
    """Number of words of a role at the beginning of a run, as in "CEO Ada Lovelace"."""
    for size in (3, 2, 1):
        if len(run) >= size and " ".join(token.text.lower() for token in run[:size]) in ROLES:
            return size
    return 0


def _bare(word: str) -> str:
    return _POSSESSIVE.sub("", word)


def _begins(text: str, start: int) -> bool:
    before = text[:start].rstrip(" \"'“\u2018([*-\u2013—•")
    return not before or before[-1] in ":.!?\n"


def _before_verb(text: str, end: int) -> bool:
    """Whether a verb follows, as in "Grafana reads": then even the first word is a name."""
    return _VERB_BEHIND.match(text, end) is not None


def _is_heading(text: str, tokens: Iterable[_Token]) -> bool:
    """Whether a sentence is a heading, in which every word has a capital."""
    words = [token.text for token in tokens]
    if len(words) <= 3 or text[-1] in '.!?:;…"”':
        return (
            sum(map(str.isupper, words)) > 3 and sum(map(str.isupper, words)) * 10 > len(words) * 7
        )
    large = sum(word[0].isupper() for word in words)
    return large * 10 >= len(words) * 6
