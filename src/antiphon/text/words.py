"""Word sets, and the function words of English that say nothing about what a text is about."""

from __future__ import annotations


def word_set(text: str) -> frozenset[str]:
    """Return the words of a text with white space between them."""
    return frozenset(text.split())


# The stop words that all searches share; each adds those that say nothing to it.
FUNCTION_WORDS = word_set(
    """a about again all also am an and any are as at be been being but by can could did do does
    each for from had has have he her here him his how i if in into is it its just me more most my
    no not now of off on or our out over s she should so some t than that the their them then there
    these they this those to too under up us very was we were what when where which who whom whose
    why will with would you your"""
)
