"""Loops of a recognizer: the same words over and over, which nobody said."""

from __future__ import annotations

from antiphon.speech.names import plain

# So many words in a row are compared with those behind them, and so often they must come again to
# be a loop: people say "no, no, no, no", and hardly ever a whole phrase three times.
_LONGEST = 8
_TIMES = {1: 6, 2: 4}
_TIMES_LONGER = 3
# A word that is one syllable over and over ("hahahahahaha").
_SYLLABLE = 4
_LETTERS = 12


def without_loops(text: str) -> str:
    """The transcript with each loop cut to its first round; empty when most of it was loops."""
    words = text.split()
    keys = [plain(word) for word in words]
    kept: list[str] = []
    at = lost = 0
    while at < len(words):
        size, times = _loop(keys, at)
        if times > 1:
            kept += words[at : at + size]
            lost += size * times
        elif _is_stutter(keys[at]):
            lost += 1
        else:
            kept.append(words[at])
        at += size * times
    if not lost:
        return text
    return "" if 2 * lost > len(words) else " ".join(kept)


def _loop(keys: list[str], at: int) -> tuple[int, int]:
    """How many words from here on come again and again, and how often; 1 and 1 for none."""
    for size in range(1, _LONGEST + 1):
        first, times = keys[at : at + size], 1
        if not any(first):
            continue
        while keys[at + size * times : at + size * (times + 1)] == first:
            times += 1
        if times >= _TIMES.get(size, _TIMES_LONGER):
            return size, times
    return 1, 1


def _is_stutter(word: str) -> bool:
    return len(word) >= _LETTERS and any(
        word == (word[:size] * len(word))[: len(word)] for size in range(1, _SYLLABLE + 1)
    )
