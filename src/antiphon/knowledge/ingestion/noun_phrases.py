"""Names by the common nouns around them: projects, teams, services without a capital, places."""

from __future__ import annotations

import re
from collections.abc import Iterator

from antiphon.knowledge.ingestion.lexicon import (
    NOT_NAMES,
    ORGANISATION_NOUNS,
    PROJECT_NOUNS,
    TEAMS_WITHOUT_CAPITAL,
    THINGS_WITHOUT_CAPITAL,
)
from antiphon.knowledge.ingestion.mentions import QUIET, EntityMention
from antiphon.text.words import word_set

_WORD = re.compile(r"[^\W\d_][\w-]*+")
_BEFORE = re.compile(r"([a-z][a-z-]{1,30})[ \n]\Z")
_BEHIND = re.compile(r"[ \n]([a-z][a-z-]{1,30})\b")
# "in Ghent", unless it is a language that something is written in.
_IN = re.compile(r"\b([a-z]{1,30}),? (?:in|near|outside)[ \n]\Z", re.IGNORECASE)
_NOT_IN_A_PLACE = word_set(
    "written implemented programmed coded built interested specialised specialized believes "
    "invested interest confidence trust state data stored kept metrics results involved succeeded "
    "engaged stake shares fluent"
)
_FROM = re.compile(r"\b(?:is|was|,) an? (?:[a-z-]{2,20} ){0,3}([a-z-]{3,20}) from[ \n]\Z")
_MOVED = re.compile(r"\b(?:moved|moves|travelled|came|returned|flew) to[ \n]\Z")
# Whoever supplies something is a business rather than a person.
_SUPPLIED = re.compile(
    r"\b(?:comes?|came|buys?|bought|orders?|ordered|supplied|delivered|sourced|imported)\b"
    r"[^.;:]{0,40} (?:from|by) (?:the )?\Z"
)
_PROJECT_BEHIND = PROJECT_NOUNS | {"initiative", "campaign"}


def with_nouns(text: str, mention: EntityMention) -> None:
    """Extend mentions by the common noun beside them, which tells their type."""
    if mention.id or mention.type not in ("person", "term", "entity", "org", "project"):
        return
    first, _, rest = mention.name.partition(" ")
    if first.lower() in PROJECT_NOUNS and rest:
        mention.name = rest  # "Project Estuary"
        _become(mention, "project", 0.85)
        return
    words = mention.name.split(" ")
    if len(words) > 1 and words[-1].lower() in PROJECT_NOUNS:
        mention.name = " ".join(words[:-1])  # "the Loom Project"
        _become(mention, "project", 0.85)
        return
    if behind := _BEHIND.match(text, mention.end):
        noun = behind[1]
        if noun in _PROJECT_BEHIND:
            mention.end = behind.end(1)
            _become(mention, "project" if noun in PROJECT_NOUNS else "term", 0.8)
            return
        if noun in TEAMS_WITHOUT_CAPITAL:
            mention.name = f"{mention.name} {noun}"
            mention.end = behind.end(1)
            _become(mention, "org", 0.75)
            return
        if noun in ("probe", "rover", "spacecraft", "telescope", "satellite", "mission", "rocket"):
            mention.end = behind.end(1)
            _become(mention, "term", 0.7)
            return
        if noun in ORGANISATION_NOUNS and mention.rule in ("two names", "proper noun"):
            mention.end = behind.end(1)  # "the Hoeve Jansen farm"
            _become(mention, "org", 0.7)
            return
    if mention.rule == "two names" and _SUPPLIED.search(
        text, max(0, mention.start - 70), mention.start
    ):
        _become(mention, "org", 0.6)
    before = _BEFORE.search(text, max(0, mention.start - 40), mention.start)
    if before is not None:
        noun = before[1]
        if noun in PROJECT_NOUNS:
            _become(mention, "project", 0.85)
        elif noun in ORGANISATION_NOUNS and mention.type != "org":
            _become(mention, "org", 0.75)


def _become(mention: EntityMention, kind: str, confidence: float) -> None:
    mention.type, mention.rule = kind, "noun"
    mention.confidence = max(mention.confidence, confidence)


def is_place(text: str, mention: EntityMention) -> bool:
    """Whether the words before a name say that it is a place."""
    if not all(word[:1].isupper() and word[1:].islower() for word in mention.name.split()):
        return False
    head = text[max(0, mention.start - 80) : mention.start]
    if found := _IN.search(head):
        return found[1].lower() not in _NOT_IN_A_PLACE
    if re.search(r"\A(?:In|Near)[ \n]\Z", head) or _MOVED.search(head):
        return True
    return (found := _FROM.search(head)) is not None and found[1] in ORGANISATION_NOUNS


def without_capital(text: str) -> Iterator[EntityMention]:
    """Mentions such as "the billing service": one or two words before a noun of a kind."""
    words = list(_WORD.finditer(text))
    for at, word in enumerate(words):
        noun = word[0]
        if at == 0 or not (
            noun in THINGS_WITHOUT_CAPITAL
            or noun in TEAMS_WITHOUT_CAPITAL
            or (noun.isupper() and noun.lower() in THINGS_WITHOUT_CAPITAL)
        ):
            continue
        first = at
        while first > 0 and at - first < 2 and _joined(text, words, first - 1):
            first -= 1
        article = words[first - 1][0].lower() if first > 0 else ""
        if first == at or article not in ("the", "our", "a", "an", "its", "their", "this"):
            continue
        start, end = words[first].start(), word.end()
        kind = "org" if noun in TEAMS_WITHOUT_CAPITAL else "term"
        yield EntityMention(
            text[start:end].replace("\n", " "), kind, start, end, "quiet noun", QUIET
        )


def _joined(text: str, words: list[re.Match[str]], at: int) -> bool:
    """Whether a word belongs to the noun behind it."""
    word, after = words[at], words[at + 1]
    plain = word[0].islower() and word[0] not in NOT_NAMES and len(word[0]) > 2
    return plain and text[word.end() : after.start()] in (" ", "\n")


_OBJECT = re.compile(
    r"\b(?P<found>discovered|discovers|invented|isolated|synthesised|synthesized) (?:the )?"
    r"(?P<thing>[a-z][a-z-]{3,30})(?=[.,;:!?]|\s+(?:in|at|on|by|and|while|during|with|from)\b|\Z)"
    r"|\b(?:depends? on|uses?|requires?|needs|links? against|built (?:on|with)|runs? on) "
    r"(?P<code>lib[a-z0-9]{2,20}|[a-z]{2,20}(?:[0-9_+.-]{1,3}[a-z0-9]{1,20}){1,3})(?![\w-])"
)


def named_objects(text: str) -> Iterator[EntityMention]:
    """Mentions without a capital: what was discovered, and what software depends on."""
    for found in _OBJECT.finditer(text):
        part = "thing" if found["thing"] else "code"
        yield EntityMention(found[part], "term", *found.span(part), "object", QUIET)
