"""Compound requests: several steps in one utterance, each read as if it were said alone."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any

from antiphon.providers.local.utterance_reader import SURE_TOOL, Reading
from antiphon.providers.local.words import as_order, order_verb, tokens

# Between the description of a macro and what it does.
_BEGIN = re.compile(r":\s+|\b(?:that|which|to|so that it|and it should)\s+|,\s+", re.IGNORECASE)
_SURE_BREAK = re.compile(
    r"(?:(?<!\s)\s+)?[;.]\s++|(?:,|(?<!\s))\s++(?:and\s++)?then\s++|,\s++(?:and\s++)?",
    re.IGNORECASE,
)
_AND = re.compile(r"(?<!\s)\s++and\s++(?:also\s++)?", re.IGNORECASE)
_TELL = re.compile(
    r"(?:,|(?<![\s,]))\s*+\b(?:and\s+)?"
    r"(?:(?:(?:for|with|under|on|by) )?(?:the )?(?:trigger )?(?:phrase|words?)|"
    r"(?:when(?:ever)?|if|as soon as) I say|called|named|(?:the )?trigger(?: phrase)?(?: is)?)\s*$",
    re.IGNORECASE,
)
_CLOSING = " ,\"'\u201d"
# That it is to be kept is no step of it.
_KEEPING = re.compile(r"(?:save|store|keep|remember|call|name) (?:that|this|it|them)\b", re.I)


@dataclass(slots=True)
class Steps:
    """What is to be done, one call a step. `unclear` are requests that were not understood."""

    steps: list[dict[str, Any]] = field(default_factory=list)
    unclear: list[str] = field(default_factory=list)


def steps_in(text: str, taken: Sequence[str], read: Callable[[str], Reading]) -> Steps:
    """`taken` are parts of the text that are something else: a name, a phrase."""
    found = Steps()
    for clause in clauses(_body(text, taken)):
        if _KEEPING.match(clause):
            continue
        reading = read(clause)
        filled = reading.filled
        clear = reading.aim == "tool" and reading.confidence >= SURE_TOOL and not filled.missing
        if clear:
            found.steps.append({"function": reading.name, "args": filled.args})
        else:
            found.unclear.append(clause)
    return found


def clauses(text: str) -> list[str]:
    """The requests of a text, each as an order: "lists the graphs" is "list the graphs"."""
    found: list[str] = []
    for part in _SURE_BREAK.split(text):
        begin = 0
        for match in _AND.finditer(part):
            # "Emails and names" is one thing, "list the graphs and check it" are two.
            if order_verb(part[match.end() :]) is not None:
                found.append(part[begin : match.start()])
                begin = match.end()
        found.append(part[begin:])
    return [as_order(clause) for clause in found if tokens(clause)]


def _body(text: str, taken: Sequence[str]) -> str:
    behind = ""  # the phrase, at once with what it does: "when I say X list my projects"
    for part in taken:
        at = text.lower().find(part.lower())
        while at >= 0:
            head = _TELL.sub("", text[:at])
            if head == text[:at] and part != taken[-1]:
                break
            rest = text[at + len(part) :]
            if head != text[:at] and order_verb(rest.lstrip(_CLOSING)) is not None:
                behind = rest.lstrip(_CLOSING)
            text = f"{head}{rest}"
            at = text.lower().find(part.lower())
    if behind:
        return behind.strip(" ,.")
    first = begin = _BEGIN.search(text)
    while begin is not None and order_verb(text[begin.end() :]) is None:
        begin = _BEGIN.search(text, begin.end())
    begin = begin or first
    return text[begin.end() :].strip(" ,.") if begin is not None else ""


def question(found: Steps) -> str:
    if found.unclear:
        return f"I did not understand the step \u201c{found.unclear[0]}\u201d. What should it do?"
    return "What should it do? Name the steps, one after the other."
