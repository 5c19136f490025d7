"""Language helpers: sentences, function words, and the names of months and weekdays."""

from __future__ import annotations

from antiphon.text.calendar_names import MONTHS, MONTHS_SHORT, WEEKDAYS, WEEKDAYS_SHORT
from antiphon.text.sentences import split_sentences
from antiphon.text.words import FUNCTION_WORDS, word_set

__all__ = [
    "FUNCTION_WORDS",
    "MONTHS",
    "MONTHS_SHORT",
    "WEEKDAYS",
    "WEEKDAYS_SHORT",
    "split_sentences",
    "word_set",
]
