"""Sentences about edges and nodes, and the relation that a question speaks of."""

from __future__ import annotations

import re
from typing import Any

_SUFFIXES = ("ings", "ing", "ers", "ies", "ed", "er", "es", "s", "e", "y")
_SMALL = frozenset(re.findall(r"\w+", "a an and at by for from has in is of on the to with"))


def stem(word: str) -> str:
    """Strip the ending of a word, so that `leads`, `leading` and `leader` are one."""
    for suffix in _SUFFIXES:
        if word.endswith(suffix) and len(word) - len(suffix) >= 3:
            return word[: -len(suffix)]
    return word


def stems(text: str) -> set[str]:
    return {stem(word) for word in re.findall(r"[^\W_]+", text.casefold())}


def speaks_of(question: set[str], relation: str) -> bool:
    """Return whether a question, given by its stems, has a word of the relation's name."""
    words = [word for word in re.split(r"[\W_]+", relation.casefold()) if word not in _SMALL]
    return any(stem(word) in question for word in words)


def asks_who(question: str) -> bool:
    return re.match(r"\W*(?:who|whom|whose|who's)\b", question, re.IGNORECASE) is not None


def sentence(edge: dict[str, Any], titles: dict[str, str]) -> str:
    source = titles.get(edge["source"], edge["source"])
    target = titles.get(edge["target"], edge["target"])
    return f"{source} {edge['relation'].replace('_', ' ')} {target}."


def first_words(text: str, longest: int = 240) -> str:
    line = " ".join(text.split())
    if len(line) <= longest:
        return line
    return line[:longest].rsplit(" ", 1)[0] + "…"
