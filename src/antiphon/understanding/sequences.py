"""Token sequences that the two encoders read; training builds them with the same functions."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, field

from antiphon.text.wordpiece import WordPieces

FIRST, LAST = 101, 102  # [CLS] and [SEP]
# Pieces of the vocabulary that no text has; their vectors were trained with the encoders.
PARAMETER, ASKED, CHOICE, TOOL = 9, 10, 11, 12
MARKS = 16  # rows 1 to 16 of the table

SAID, BEFORE, TOOL_TEXT, CARD = 96, 40, 40, 44
REQUEST, SLOT, OPTION, OPTIONS, SLOTS = 192, 18, 5, 12, 352
QUESTION, PASSAGE = 48, 250
_SENTENCE = re.compile(r"(?<=[.;:])\s")


@dataclass(slots=True)
class TokenSequence:
    """Ids and segments of one input, and where its parts stand."""

    ids: list[int] = field(default_factory=list)
    segments: list[int] = field(default_factory=list)
    marks: list[int] = field(default_factory=list)  # positions of what is scored
    text: range = range(0)  # positions of the pieces that can be answers
    places: list[tuple[int, int]] = field(default_factory=list)  # of these, in the text

    def add(self, ids: Sequence[int], segment: int) -> None:
        self.ids += ids
        self.segments += [segment] * len(ids)


@dataclass(frozen=True, slots=True)
class SlotCard:
    """A parameter as the reader sees it. `choices` are its values, where they are listed."""

    name: str
    description: str
    choices: tuple[str, ...] = ()
    asked: bool = False


def said(pieces: WordPieces, text: str, before: str = "") -> TokenSequence:
    """What a person said, and what they were asked or told just before."""
    found = _text(pieces, text, SAID)
    if before:
        found.add([*pieces.located(before, BEFORE)[0], LAST], 1)
    return found


def tool_text(pieces: WordPieces, text: str) -> TokenSequence:
    """A way to ask for a tool, or what it is for."""
    return _text(pieces, text, TOOL_TEXT)


def pair(pieces: WordPieces, text: str, card: str) -> TokenSequence:
    """What a person said against one tool that may be meant."""
    found = _text(pieces, text, SAID)
    found.add([TOOL, *pieces.located(card, CARD)[0], LAST], 1)
    return found


def card(name: str, description: str, parameters: Sequence[str] = (), phrase: str = "") -> str:
    """A tool in a line: its name, what it does and takes, and the phrase that is likest."""
    short = _SENTENCE.split(description, maxsplit=1)[0][:140]
    takes = ", ".join(parameters[:6]).replace("_", " ")
    example = re.sub(r"\{\w+\}", "something", phrase)
    return (
        f"{name.replace('_', ' ')}: {short}"
        + (f" ({takes})" if takes else "")
        + (f" | {example}" if example else "")
    )


def slots(pieces: WordPieces, text: str, cards: Sequence[SlotCard]) -> TokenSequence:
    """A request against the parameters of a tool, and each listed value of these."""
    found = _text(pieces, text, REQUEST)
    for each in cards:
        found.marks.append(len(found.ids))
        about = f"{each.name.replace('_', ' ')}: {each.description}"
        found.add([ASKED if each.asked else PARAMETER, *pieces.located(about, SLOT)[0]], 1)
        for value in each.choices[:OPTIONS]:
            found.marks.append(len(found.ids))
            spoken = value.replace("_", " ").replace("-", " ")
            found.add([CHOICE, *pieces.located(spoken, OPTION)[0]], 1)
    found.add([LAST], 1)
    return found


def passage(pieces: WordPieces, question: str, title: str, text: str) -> TokenSequence:
    """A question against a record; the answer may stand in its title or in its text."""
    found = TokenSequence()
    found.add([FIRST, *pieces.located(question, QUESTION)[0], LAST], 0)
    numbers, places = pieces.located(f"{title}\n{text}", PASSAGE)
    found.text = range(len(found.ids), len(found.ids) + len(numbers))
    found.places = places
    found.add([*numbers, LAST], 1)
    return found


def _text(pieces: WordPieces, text: str, limit: int) -> TokenSequence:
    numbers, places = pieces.located(text, limit)
    found = TokenSequence(places=places, text=range(1, 1 + len(numbers)))
    found.add([FIRST, *numbers, LAST], 0)
    return found
