"""End-of-turn detection: begin and end of a turn by speech, silence and the last words."""

from __future__ import annotations

import re

from antiphon.contracts import ErrorType
from antiphon.speech.ports import SpeechError, number, whole_number

# After these something has to follow: the person thinks, and is not done.
_PLACES = """
about after against among around as at before behind below between by during for from in into near
of onto over per since through till to toward towards under until upon via with within without
"""
_OTHERS = """
a an and another any are because both but can could each either every had has have if is its let may
my named or our plus should some than the their then they unless very was were when where whereas
whether which while who whose will would your i'm we're you're they're let's i'll we'll i've
er erm hm hmm uh uhm um
"""
_OPEN = frozenset(f"{_PLACES} {_OTHERS}".split())
# These end a question well: "Who is it for?", "Where are they?", "How many do we have?"
_ASKED = f"{_PLACES} are is was were they who when where which have has had can could should would"
_ENDS_QUESTIONS = frozenset(_ASKED.split())

_WORD = re.compile(r"[a-z0-9]+(?:['\u2019][a-z]+)*")


def unfinished(text: str) -> bool:
    """Whether more has to follow these words, as after a preposition, "and" or "um"."""
    words = [word.replace("\u2019", "'") for word in _WORD.findall(text.casefold())]
    if not words:
        return True
    stripped = text.rstrip(" \"')")
    if stripped.endswith(("...", "…", ",", "-", "\u2013", "\u2014", ":")):
        return True
    last = words[-1]
    if stripped.endswith("?") and last in _ENDS_QUESTIONS:
        return False
    return last in _OPEN


class TurnRules:
    """Turn detector by rules, which is the embedded one."""

    def __init__(
        self,
        *,
        threshold: float = 0.5,
        begin_ms: int = 96,
        end_ms: int = 400,
        wait_ms: int = 900,
        speaking_threshold: float = 0.8,
        barge_in_ms: int = 256,
    ) -> None:
        """`end_ms` of silence end what sounds complete, `wait_ms` end everything.

        Speech counts from `begin_ms` on, and while we speak only from `barge_in_ms` on and above
        `speaking_threshold`. Raises SpeechError when a number is out of its range.
        """
        self._threshold = number("threshold", threshold, 0.05, 0.99)
        self._begin = whole_number("begin_ms", begin_ms, 32, 2_000)
        self._end = whole_number("end_ms", end_ms, 160, 5_000)
        self._wait = whole_number("wait_ms", wait_ms, 160, 10_000)
        self._speaking_threshold = number("speaking_threshold", speaking_threshold, 0.05, 0.99)
        self._barge_in = whole_number("barge_in_ms", barge_in_ms, 32, 5_000)
        if self._wait < self._end:
            raise SpeechError(
                f"wait_ms ({wait_ms}) must not be less than end_ms ({end_ms}).",
                ErrorType.VALIDATION,
            )

    @property
    def earliest_ms(self) -> int:
        return self._end

    def threshold(self, speaking: bool) -> float:
        return self._speaking_threshold if speaking else self._threshold

    def begins(self, speech_ms: int, speaking: bool) -> bool:
        return speech_ms >= (self._barge_in if speaking else self._begin)

    def ends(self, silence_ms: int, text: str) -> bool:
        return silence_ms >= (self._wait if unfinished(text) else self._end)
