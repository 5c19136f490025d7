"""Stopwords that carry nothing in a summary."""

from __future__ import annotations

from antiphon.toolkit.language import FUNCTION_WORDS, word_set

STOP_WORDS = FUNCTION_WORDS | word_set(
    """above after against although always among another around because before below between both
    cannot doing done down during either even ever every few further get gets got having
    hers herself himself however itself less like made make makes many may might much must
    neither never nor often once one only onto other others ours own per perhaps put rather
    said same say says see seem seems shall since still such take theirs themselves
    therefore though through thus toward two until upon use used uses way whether while
    within without yes yet yours yourself it's don't doesn't didn't isn't aren't wasn't
    weren't can't won't"""
)
