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
called does did do during every how its not regarding says titled what what's where's who's
er erm hm hmm uh uhm um
"""
_OPEN = frozenset(f"{_PLACES} {_OTHERS}".split())
# These end a question well: "Who is it for?", "Where are they?", "How many do we have?"
_ASKED = f"{_PLACES} are is was were they who when where which have has had can could should would"
_ENDS_QUESTIONS = frozenset(f"{_ASKED} what how do does did not".split())
# These end a sentence well where something stands before them: "I know what to do.", "Maybe not."
_ENDS_SENTENCES = frozenset(["do", "does", "did", "not", "how", "what"])

# By themselves, or behind "please" and "can you", these have not said what is wanted.
_ORDERS = """
add analyze arrange ask bring build calculate call change check compare convert count create delete
describe draw edit enter explain fetch find format generate get give ingest invite list look make
move open put query rank read remind remove rename replace run save schedule search send set show
start summarize switch take tell turn update use write
"""
_VERBS = frozenset(_ORDERS.split())
# What may stand around such a verb without saying what is wanted either.
_AROUND = "can could would will you please i want to need like me us i'd let's"
_POLITE = frozenset(_AROUND.split())

# A question that has its subject and not yet what it asks of it: "Where does Kenji", "Is the
# printer", "Which projects", "Who leads"; and a verb that wants an object, not put before it as in
# "What do I need?": "How do I get", "I want to know".
_QUESTION = frozenset(["who", "what", "which", "where", "when", "why", "how", "whose"])
_ABOUT_OBJECTS = frozenset(["who", "what", "which", "whose"])
_AUXILIARY = """
is are was were am do does did can could will would shall should has have had may must isn't aren't
don't doesn't didn't can't won't
"""
_AUXILIARIES = frozenset(_AUXILIARY.split())
_DETERMINER = "a an the this that these those my your our their his her its some any every no"
_DETERMINERS = frozenset(_DETERMINER.split())
_MEASURES = frozenset(["many", "much", "long", "often", "old", "far"])
_BE = frozenset(["is", "are", "was", "were", "am", "isn't", "aren't"])
_TRANSITIVE = _VERBS | frozenset(
    ["know", "need", "want", "buy", "see", "hear", "have", "understand"]
)
_WHOLE = frozenset(["else", "now", "not", "one", "there", "knows", "cares", "happened", "happens"])

_WORD = re.compile(r"[a-z0-9]+(?:['\u2019][a-z]+)*")


def unfinished(text: str) -> bool:
    """Whether more has to follow: after a preposition, "and" or "um", or a verb by itself."""
    words = [word.replace("\u2019", "'") for word in _WORD.findall(text.casefold())]
    if not words:
        return True
    stripped = text.rstrip(" \"')")
    if stripped.endswith(("...", "…", ",", "-", "\u2013", "\u2014", ":")):
        return True
    last = words[-1]
    if stripped.endswith("?") and last in _ENDS_QUESTIONS:
        return False
    if len(words) > 2 and last in _ENDS_SENTENCES:
        return False
    said = [word for word in words if word not in _POLITE]
    return last in _OPEN or (len(said) == 1 and said[0] in _VERBS) or _lacks_object(words)


def _lacks_object(words: list[str]) -> bool:
    """Whether a question or a wish stops before what it is about."""
    first, last, rest = words[0], words[-1], words[1:]
    asks = first in _QUESTION
    if asks and len(rest) == 1:
        return last not in _WHOLE
    if first == "how" and rest[0] in _MEASURES:
        return _AUXILIARIES.isdisjoint(rest)
    if asks:
        rest = rest[1:] if rest[0] in _AUXILIARIES else []
    elif first not in _AUXILIARIES:
        return len(words) > 2 and words[-2] == "to" and last in _TRANSITIVE
    if words[1] in _BE or first in _BE:
        # "Where is Kenji?" is whole, "Is Kenji" and "Why is Kenji" are not.
        return (not asks or first == "why") and _is_noun(rest)
    wants = last in _TRANSITIVE and first not in _ABOUT_OBJECTS and len(rest) > 1
    return _is_noun(rest) or wants


def _is_noun(words: list[str]) -> bool:
    """Whether these are a noun or a pronoun alone, as far as their number tells."""
    return len(words) == (2 if words[:1] and words[0] in _DETERMINERS else 1)


class TurnRules:
    """Turn detector by rules, which is the embedded one."""

    def __init__(
        self,
        *,
        threshold: float = 0.5,
        begin_ms: int = 96,
        end_ms: int = 320,
        speak_ms: int = 544,
        join_ms: int = 1_200,
        wait_ms: int = 1_100,
        speaking_threshold: float = 0.8,
        barge_in_ms: int = 256,
    ) -> None:
        """After `end_ms` of silence what sounds complete is answered, after `speak_ms` the answer
        is heard. What does not sound complete is answered and heard after `wait_ms`. Speech within
        `join_ms` of silence, or as much later as `wait_ms` is longer than `end_ms`, is the rest of
        what was said before.

        Speech counts from `begin_ms` on, and while we speak only from `barge_in_ms` on and above
        `speaking_threshold`. Raises SpeechError when a number is out of its range.
        """
        self._threshold = number("threshold", threshold, 0.05, 0.99)
        self._begin = whole_number("begin_ms", begin_ms, 32, 2_000)
        self._end = whole_number("end_ms", end_ms, 160, 5_000)
        self._speak = whole_number("speak_ms", speak_ms, 160, 10_000)
        self._join = whole_number("join_ms", join_ms, 160, 10_000)
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

    def is_complete(self, text: str) -> bool:
        return not unfinished(text)

    def ends(self, silence_ms: int, complete: bool) -> bool:
        return silence_ms >= (self._end if complete else self._wait)

    def yields(self, silence_ms: int, complete: bool) -> bool:
        return silence_ms >= (self._speak if complete else max(self._speak, self._wait))

    def settles(self, silence_ms: int, complete: bool) -> bool:
        later = 0 if complete else self._wait - self._end
        return silence_ms >= self._join + later
