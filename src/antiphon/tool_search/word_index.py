"""Word index of tools: BM25 over their texts, in plain Python, for what has no vectors as well."""

from __future__ import annotations

import math
import re
import unicodedata
from collections import Counter, defaultdict
from collections.abc import Sequence

from antiphon.text.words import FUNCTION_WORDS
from antiphon.tool_search.tool_texts import ToolTexts, spaced_name

K1, B = 1.2, 0.5
NAME_WEIGHT = 2  # words of a name count so often
MOST_QUERY_WORDS = 64
LONGEST_QUERY = 4_000
_WORD = re.compile(r"[^\W_]+")
_ENDINGS = (
    *(("ies", "y"), ("sses", "ss"), ("ations", "at"), ("ation", "at"), ("ing", ""), ("ed", "")),
    *(("es", ""), ("s", ""), ("ly", ""), ("e", "")),
)
_SHORTEST_STEM = 3


class WordIndex:
    """Words of several tools, and how much each says."""

    def __init__(self, tools: Sequence[ToolTexts]) -> None:
        self._found: dict[str, list[tuple[int, int]]] = defaultdict(list)
        self._lengths: list[int] = []
        for at, tool in enumerate(tools):
            named = stems(tool.name) * NAME_WEIGHT
            counted = Counter(named + stems(f"{tool.about} {tool.takes} {' '.join(tool.phrases)}"))
            self._lengths.append(sum(counted.values()))
            for word, times in counted.items():
                self._found[word].append((at, times))
        self._average = sum(self._lengths) / max(1, len(tools)) or 1.0

    def scores(self, text: str) -> dict[int, float]:
        """Return the score of each tool that has a word of the text: 1 for the best."""
        scores: dict[int, float] = defaultdict(float)
        total = len(self._lengths)
        for word in query_stems(text):
            there = self._found.get(word, ())
            worth = math.log(1 + (total - len(there) + 0.5) / (len(there) + 0.5))
            for at, times in there:
                length = 1 - B + B * self._lengths[at] / self._average
                scores[at] += worth * times * (K1 + 1) / (times + K1 * length)
        best = max(scores.values(), default=0.0)
        return {at: score / best for at, score in scores.items()} if best > 0 else {}


def stems(text: str) -> list[str]:
    """Return the words of a text without accents and usual endings, in their order."""
    plain = "".join(
        each for each in unicodedata.normalize("NFKD", text) if not unicodedata.combining(each)
    )
    return [_stem(word) for word in _WORD.findall(plain.lower())]


def query_stems(text: str) -> list[str]:
    """Return the different words that a request is about; all of them if there are no such."""
    text = text[:LONGEST_QUERY]
    found = list(dict.fromkeys(stems(f"{text} {spaced_name(text)}")))
    telling = [word for word in found if word not in _STOPPED]
    return (telling or found)[:MOST_QUERY_WORDS]


def _stem(word: str) -> str:
    for ending, instead in _ENDINGS:
        if word.endswith(ending) and len(word) - len(ending) >= _SHORTEST_STEM:
            if ending == "s" and word.endswith(("ss", "us", "is")):
                break
            word = word.removesuffix(ending) + instead
            break
    if len(word) > _SHORTEST_STEM and word[-1] == word[-2] and word[-1] not in "ls":
        return word[:-1]  # stopped, planning
    return word


_STOPPED = frozenset(map(_stem, FUNCTION_WORDS))
