"""Words as the text index counts them, in any script, and which of them a query is about."""

from __future__ import annotations

import re
from functools import cache
from typing import TYPE_CHECKING

from antiphon.text.words import FUNCTION_WORDS, word_set

if TYPE_CHECKING:
    from tantivy import TextAnalyzer

LONGEST_WORD = 80
LONGEST_QUERY = 10_000  # characters that are looked at

# Scripts without spaces between words: each character counts as a word.
_UNSPACED = re.compile(
    "[\u0e00-\u0edf\u1000-\u109f\u1780-\u17ff\u3040-\u30ff\u31f0-\u31ff\u3400-\u4dbf\u4e00-\u9fff"
    "\uf900-\ufaff\U00020000-\U0003ffff]"
)
# Pictures and symbols, which the tokenizer would drop, become words of their own.
_SYMBOLS = re.compile("[\u2190-\u21ff\u2300-\u27bf\u2b00-\u2bff\U0001f000-\U0001faff]")

# Function words, and words in which people ask.
STOP_WORDS = FUNCTION_WORDS | word_set(
    """above after because before below between both doing done down during few further get give
    got having hers let like much nor once only other own please same show such tell through until
    while"""
)


@cache
def analyzer() -> TextAnalyzer:
    """The tokenizer of the text index: lower case, no accents, English stems."""
    from tantivy import Filter, TextAnalyzerBuilder, Tokenizer

    return (
        TextAnalyzerBuilder(Tokenizer.simple())
        .filter(Filter.remove_long(LONGEST_WORD))
        .filter(Filter.lowercase())
        .filter(Filter.ascii_fold())
        .filter(Filter.stemmer("english"))
        .build()
    )


@cache
def _stopped() -> frozenset[str]:
    return frozenset(analyzer().analyze(" ".join(STOP_WORDS)))


def spaced(text: str) -> str:
    """The text with spaces wherever the tokenizer needs them to see the words."""
    if text.isascii():
        return text
    text = _UNSPACED.sub(r" \g<0> ", text)
    return _SYMBOLS.sub(lambda found: f" u{ord(found[0]):x} ", text)


def words(text: str) -> list[str]:
    """The words of a text, in order, as the index knows them."""
    return analyzer().analyze(spaced(text))


def query_words(query: str) -> list[str]:
    """The different words of a query; function words only when there are no others."""
    found = list(dict.fromkeys(words(query[:LONGEST_QUERY])))
    telling = [word for word in found if word not in _stopped()]
    return telling or found
