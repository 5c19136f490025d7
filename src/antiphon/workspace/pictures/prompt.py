"""Prompt parser: subjects with their colours and counts, the time of day and the weather."""

from __future__ import annotations

import re
from dataclasses import dataclass, field

from antiphon.workspace.pictures.vocabulary import (
    COLOURS,
    COUNTS,
    SUBJECTS,
    TIME_WORDS,
    WATER,
    WEATHER_WORDS,
    Subject,
)

MOST = 12
_WORD = re.compile(r"[a-z0-9]+")
_BY_WORD = {word: subject for subject in SUBJECTS for word in subject.words}
# "A watercolour painting of …": what it is a picture of comes after.
_OF = re.compile(
    r"^(?:\w+[ -]){0,4}?(?:picture|photo|photograph|image|drawing|painting|portrait|illustration|"
    r"sketch|view|watercolou?r|cartoon|poster|print|scene)s?\s+(?:of|showing)\s+"
)
# Where the first thing ends and what stands around it begins.
_AROUND = re.compile(
    r"[,;:.]|\b(?:on|in|at|by|near|with|under|over|above|below|beside|behind|before|between|among|"
    r"and|against|of|from|into|through|across|during|after|that|which|who|while|is|are|\w+ing)\b"
)
# Words that name nothing to draw: how it is to look, and what joins the others.
_PLAIN_WORDS = (
    "a an the and or of on in at by near with under over above below beside behind before "
    "between among against from into through across during after to for its his her their "
    "that which who while is are very small little big large tall old young great tiny huge "
    "lonely quiet calm beautiful pretty simple bright dark soft warm cold light lit style "
    "watercolour watercolor oil painting drawing photo photograph picture image illustration "
    "sketch cartoon poster print flat vector minimal view wide close up much sky ground front "
    "background foreground left right centre center side long high detailed realistic colour "
    "color colours colors mood shot composition studio even cinematic art sunny clear "
    "portrait past showing"
)
_PLAIN = frozenset(_PLAIN_WORDS.split())


@dataclass(frozen=True, slots=True)
class NamedSubject:
    """A subject as a prompt has it."""

    subject: Subject
    colour: str | None = None
    count: int = 1


@dataclass(frozen=True, slots=True)
class PictureScene:
    """What a prompt describes. `main` is what it is about; None where that cannot be drawn.
    `left_out` are words that nothing in the picture stands for."""

    main: NamedSubject | None
    others: list[NamedSubject] = field(default_factory=list)
    water: bool = False
    time: str = "day"
    weather: str | None = None
    in_space: bool = False
    left_out: list[str] = field(default_factory=list)


def read_prompt(prompt: str) -> PictureScene:
    text = " ".join(prompt.casefold().split())
    words = _WORD.findall(text)
    named = _named(words)
    main = _main(_OF.sub("", text), named)
    others = [each for each in named if main is None or each.subject is not main.subject]
    known = {*_PLAIN, *COLOURS, *COUNTS, *TIME_WORDS, *WEATHER_WORDS, *WATER, *_BY_WORD}
    left_out = [w for w in dict.fromkeys(words) if _singular(w) not in known and w not in known]
    return PictureScene(
        main,
        others,
        water=any(_singular(word) in WATER for word in words),
        time=next((TIME_WORDS[w] for w in words if w in TIME_WORDS), "day"),
        weather=next((WEATHER_WORDS[w] for w in words if w in WEATHER_WORDS), None),
        in_space="space" in words,
        left_out=[word for word in left_out if not word.isdigit() and len(word) > 1],
    )


def _named(words: list[str]) -> list[NamedSubject]:
    """Return each subject once, in the order of the words, with what stands before it."""
    found: dict[str, NamedSubject] = {}
    for number, word in enumerate(words):
        subject = _BY_WORD.get(word) or _BY_WORD.get(_singular(word))
        if subject is None or subject.name in found:
            continue
        colour, count = None, 1
        for before in reversed(words[max(0, number - 4) : number]):
            if before in COLOURS and colour is None:
                colour = COLOURS[before]
            elif before in COUNTS:
                count = COUNTS[before]
                break
            elif before.isdigit():
                count = int(before)
                break
            elif before in _BY_WORD or before in ("a", "an", "the", "and"):
                break
        if count == 1 and word != _singular(word) and word not in subject.words:
            count = 3  # several, and nobody says how many
        found[subject.name] = NamedSubject(subject, colour, max(1, min(count, MOST)))
    return list(found.values())


def _main(text: str, named: list[NamedSubject]) -> NamedSubject | None:
    """Return the thing that stands first, before all that is around it."""
    head = _WORD.findall(next((part for part in _AROUND.split(text) if part.strip()), ""))
    if not head:
        return None
    last = head[-1]
    for each in named:
        if last in each.subject.words or _singular(last) in each.subject.words:
            return each
    if last in WATER or _singular(last) in WATER or last in WEATHER_WORDS or last in TIME_WORDS:
        # The sea, a winter night: the scene itself is what it is about.
        return NamedSubject(_SCENE)
    return None


def _nothing(draw: object) -> None:
    del draw


_SCENE = Subject("scene", _nothing, "far", 0.0)


def _singular(word: str) -> str:
    if word in ("people", "snowmen"):
        return {"people": "person", "snowmen": "snowman"}[word]
    if word.endswith("ies") and len(word) > 4:
        return word[:-3] + "y"
    if word.endswith(("shes", "ches", "xes", "sses")):
        return word[:-2]
    return word[:-1] if word.endswith("s") and not word.endswith("ss") and len(word) > 3 else word
