"""Questions that lean on what was said before: "and who leads it?", "what about Oslo?"."""

from __future__ import annotations

import re
from collections.abc import Sequence

from antiphon.providers.local.names import Name, NameBook
from antiphon.providers.local.words import tokens

_ABOUT = re.compile(
    r"^(?:(?:and|so|but|ok|okay|then)[\s,]+)*(?:(?:what|how) about|and (?:in|for|on|with|at)|and)"
    r"\s+(?P<rest>.+?)[\s?.!]*$",
    re.IGNORECASE,
)
_PERSON = re.compile(r"\b(?:he|she|him|his|hers?)\b", re.IGNORECASE)
_THING = re.compile(
    r"\b(?:it|its|that one|this one|(?:this|that|the) (?:project|client|company|record|document|"
    r"doc|person|process|one))\b",
    re.IGNORECASE,
)
_MANY = re.compile(r"\b(?:they|them|their|theirs)\b", re.IGNORECASE)
_CAPITALS = re.compile(r"(?<!^)(?<![.?!] )\b[A-Z][\w'-]*(?:\s+(?:of\s+)?[A-Z][\w'-]*)*")
_PLACE = re.compile(r"\b(?:in|at|for|on|of)\s+(?:the\s+)?(\w+)[\s?.!]*$", re.IGNORECASE)
_ASKING = frozenset({"who", "what", "when", "where", "why", "how", "which", "whose", "is", "does"})


def owns(text: str) -> bool:
    """Whether it asks for something of somebody who was spoken of: "what is her email?"."""
    match = _PERSON.search(text)
    return (
        match is not None and match.group().lower() in ("his", "her") and _owns(text, match.end())
    )


def what_about(text: str) -> str | None:
    """What is asked about now, when the rest of the question is the one before."""
    match = _ABOUT.match(text.strip())
    if match is None:
        return None
    rest = match["rest"].strip()
    first = next((token.key for token in tokens(rest)), "")
    # "And who leads it?" is a question of its own.
    return None if first in _ASKING or len(rest.split()) > 6 else rest


def about_same(question: str, rest: str, book: NameBook) -> str:
    """The earlier question with another subject in it."""
    rest = re.sub(r"^(?:in|for|on|with|at|of)\s+", "", rest, flags=re.IGNORECASE)
    mentions = book.mentions(question)
    spans = [(m.start, m.end) for m in mentions]
    if not spans:
        spans = [m.span() for m in _CAPITALS.finditer(question)]
    if not spans and (place := _PLACE.search(question)) is not None:
        spans = [place.span(1)]
    if not spans:
        return f"{question.rstrip(' ?.!')} {rest}?"
    start, end = spans[-1]
    return f"{question[:start]}{rest}{question[end:]}"


def resolved(question: str, entities: Sequence[Name], book: NameBook) -> str:
    """The question with the names of what its pronouns stand for."""
    question = re.sub(r"^(?:and|so|but|then)[\s,]+", "", question.strip(), flags=re.IGNORECASE)
    if not entities:
        return question
    people = [entity for entity in entities if entity.type == "person"]
    things = [entity for entity in entities if entity.type != "person"]
    named = {mention.name.id for mention in book.mentions(question)}
    for pattern, owners in (
        (_PERSON, people),
        (_THING, things or people),
        (_MANY, things or people),
    ):
        fitting = [owner for owner in owners if owner.id not in named]
        match = pattern.search(question)
        if match is None or not fitting:
            continue
        owner = fitting[0].title
        said = match.group().lower()
        own = said in ("his", "her", "its", "their", "hers", "theirs") and _owns(
            question, match.end()
        )
        form = f"{owner}'s" if own else owner
        return f"{question[: match.start()]}{form}{question[match.end() :]}"
    return question


def _owns(question: str, after: int) -> bool:
    """ "Her birthday", but not "ask her"."""
    return bool(re.match(r"\s+\w", question[after:]))
