"""The sentence of a record that answers a query best, and records that say the same."""

from __future__ import annotations

from antiphon.knowledge.bm25 import Weights
from antiphon.knowledge.records import Record
from antiphon.text.sentences import quick_sentences

MAX_SNIPPET = 320
_ALIKE = 0.9
_NEAR = 16  # what says the same scores the same, so only so many neighbours are compared


class SnippetPicker:
    """Approximate matcher of a query's words in plain text, for the best sentence.

    A word is matched by its beginning, which most of its forms share, anywhere in the text.
    """

    def __init__(self, weights: Weights) -> None:
        self._worth = [(_beginning(word), value) for word, value in weights.worth.items()]

    def snippet(self, record: Record) -> str:
        """The sentence with the most telling words; the first one when none has any."""
        best, best_value = "", -1.0
        for sentence in quick_sentences(record.text):
            value = self._value(sentence.lower())
            if value > best_value:
                best, best_value = sentence, value
        return self._shortened(best or record.title or record.id)

    def _value(self, text: str) -> float:
        value = 0.0
        for word, worth in self._worth:
            if word in text:
                value += worth
        return value

    def _shortened(self, sentence: str) -> str:
        if len(sentence) <= MAX_SNIPPET:
            return sentence
        lowered = sentence.lower()
        places = [at for word, _ in self._worth if (at := lowered.find(word)) >= 0]
        start = max(0, min(places, default=0) - 60)
        if start:
            start = sentence.find(" ", start) + 1 or start
        cut = sentence[start : start + MAX_SNIPPET]
        if start + MAX_SNIPPET < len(sentence):
            cut = (cut.rsplit(" ", 1)[0] if " " in cut[MAX_SNIPPET // 2 :] else cut) + "…"
        return f"…{cut}" if start else cut


def _beginning(word: str) -> str:
    return word[:-1] if len(word) > 4 and word.endswith(("i", "e")) else word


class DuplicateFilter:
    """Filter of records that say the same as one before."""

    def __init__(self) -> None:
        self._texts: set[str] = set()
        self._words: list[tuple[int, frozenset[str]]] = []

    def add(self, record: Record) -> bool:
        """Add a record; False when it says the same as one before."""
        text = " ".join(f"{record.title} {record.text[:4_000]}".casefold().split())
        if text in self._texts:
            return False
        used = frozenset(text.split(" "))
        for length, others in self._words[-_NEAR:]:
            if abs(length - len(text)) * 10 <= length and len(used) >= 8:
                shared = len(used & others)
                if shared >= _ALIKE * (len(used) + len(others) - shared):
                    return False
        self._texts.add(text)
        self._words.append((len(text), used))
        return True
