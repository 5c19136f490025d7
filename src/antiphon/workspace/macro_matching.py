"""Macro matching: a macro by its id, trigger phrase or name, as people say it."""

from __future__ import annotations

from antiphon.workspace.errors import NotThere
from antiphon.workspace.runs.macro_steps import Macro

MAX_PHRASE = 200
# So much alike, of 100, are a word and the same word misheard; "morning" and "evening" are not.
WORD_ALIKE = 75
# Words that are drawn together or apart, "goodmorning", make much the same text.
TEXT_ALIKE = 92
# Of two that fit, one has to be so much nearer.
AHEAD = 4
# What is named where nothing fits.
NEAR = 45

# What people say around the phrase.
_FILLER = frozenset(
    {
        *("a", "an", "and", "can", "do", "macro", "me", "my", "now", "please", "routine", "run"),
        *("start", "the", "to", "you"),
    }
)


def normalize_phrase(text: str) -> str:
    """Return a phrase as it is kept and compared: lower case, without punctuation around its
    words."""
    words = [word.strip(".,;:!?\"'()[]…«»“”") for word in text.lower().split()]
    return " ".join(word for word in words if word)


def match_exactly(there: list[Macro], wanted: str) -> Macro | None:
    """Return a macro by its id, else by its phrase, else by a name that only one has."""
    plain = normalize_phrase(wanted)
    for macro in there:
        if wanted.strip().lower() == macro.id:
            return macro
    for macro in there:
        if plain and plain == macro.trigger_phrase:
            return macro
    named = [macro for macro in there if plain and plain == normalize_phrase(macro.name)]
    return named[0] if len(named) == 1 else None


def match_macro(there: list[Macro], wanted: str, *, exact: bool = False) -> Macro:
    """Return the macro that is meant; with `exact` only one that is named as it is. Raises NotThere
    with the phrases that come nearest."""
    found = match_exactly(there, wanted)
    if found is not None:
        return found
    said = normalize_phrase(wanted)[:MAX_PHRASE]
    scores = {macro.id: max(_likeness(said, name) for name in _names(macro)) for macro in there}
    ranked = sorted(there, key=lambda macro: -scores[macro.id])
    fitting = [macro for macro in ranked if any(_fits(said, name) for name in _names(macro))]
    if fitting and not exact:
        second = scores[fitting[1].id] if len(fitting) > 1 else 0.0
        if scores[fitting[0].id] - second >= AHEAD:
            return fitting[0]
    near = [macro.trigger_phrase for macro in ranked[:3] if scores[macro.id] >= NEAR]
    if near:
        hint = f"Did you mean {' or '.join(map(repr, near))}?"
    elif there:
        hint = f"There are {', '.join(repr(macro.trigger_phrase) for macro in there[:5])}."
    else:
        hint = "None is saved yet."
    raise NotThere(f"There is no macro {wanted.strip()[:60]!r}. {hint}", near)


def _names(macro: Macro) -> tuple[str, str]:
    return macro.trigger_phrase, normalize_phrase(macro.name)


def _likeness(said: str, name: str) -> float:
    from rapidfuzz import fuzz

    return max(fuzz.ratio(said, name), fuzz.token_sort_ratio(said, name))


def _fits(said: str, name: str) -> bool:
    """Say whether something that was said is that name, word by word, as people say it and
    machines hear it."""
    from rapidfuzz import fuzz

    one, two = _core(said), _core(name)
    if not one or not two:
        return False
    if len(one) != len(two):
        return fuzz.ratio("".join(one), "".join(two)) >= TEXT_ALIKE

    def heard(words: list[str], among: list[str]) -> bool:
        return all(max(fuzz.ratio(w, other) for other in among) >= WORD_ALIKE for w in words)

    return heard(one, two) and heard(two, one)


def _core(text: str) -> list[str]:
    words = text.split()
    return [word for word in words if word not in _FILLER] or words
