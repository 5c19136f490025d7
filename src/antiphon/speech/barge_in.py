"""Signs of listening and faint voices, which do not cut in on us."""

from __future__ import annotations

import re
from collections.abc import Iterable

import numpy as np

from antiphon.speech.audio import from_pcm

# Said to show that one listens. Of the second kind, some answer a question.
_MURMURS = "mm mmm mhm mmhm mmhmm hm hmm hmmm uh um uhm huh uhhuh aha ah oh er ooh mm-hm mm-hmm"
_AGREEING = """
yes yeah yep yup ok okay sure alright all exactly true nice cool wow great good fine i see got it
really indeed
"""
_LISTENING = frozenset([*_MURMURS.split(), "uh-huh", "right"])
_AGREES = _LISTENING | frozenset(_AGREEING.split())
_MOST_WORDS = 3
_WORD = re.compile(r"[^\W_]+(?:['\u2019-][^\W_]+)*")

# Of the loudness of the person's own voice; and of the loudest sound, before that is known.
_FAINT = 0.25
_FAINT_AT_ALL = 0.012
# How much of what is known of a voice each window of it changes.
_LEARNED = 0.05


def shows_listening(text: str, *, asked: bool) -> bool:
    """Whether these words only show that somebody listens; `asked`: while we ask them."""
    words = _WORD.findall(text.casefold())
    return len(words) <= _MOST_WORDS and all(
        word in (_LISTENING if asked else _AGREES) for word in words
    )


class Loudness:
    """How loud the person speaks, so that a voice far away is told from theirs."""

    def __init__(self) -> None:
        self._power: float | None = None

    def learn(self, window: bytes) -> None:
        """Learn from a window of the person's speech."""
        power = _power([window])
        known = power if self._power is None else self._power
        self._power = known + _LEARNED * (power - known)

    def is_faint(self, windows: Iterable[bytes]) -> bool:
        """Whether this is much fainter than the person."""
        faint = _FAINT_AT_ALL**2 if self._power is None else _FAINT**2 * self._power
        return _power(windows) < faint


def _power(windows: Iterable[bytes]) -> float:
    samples = from_pcm(b"".join(windows))
    return float(np.mean(np.square(samples))) if len(samples) else 0.0
