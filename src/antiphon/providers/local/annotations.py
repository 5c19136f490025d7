"""Annotations in the history that are not the person's words: call outcomes, stage directions."""

from __future__ import annotations

import ast
import json
import re
from dataclasses import dataclass
from typing import Any

_RESULT = re.compile(
    r"<tool_result tool=(?P<quote>[\"'])(?P<tool>[^\"'\n]*)(?P=quote)>\n"
    r"(?P<body>.*?)\n</tool_result>",
    re.DOTALL,
)
_BEFORE = re.compile(r"\(A note from the system, not from the person:[^)]*\)\s*")
_ASKED_BEFORE = re.compile(r"\(The person asked this just before they began to talk\.\)\s*")
_GREET = re.compile(r"^\s*\((?=[^)]*\b[Gg]reet)[^)]*\)\s*")
_RESULTS_ABOVE = re.compile(r"\(The line was interrupted\. The results[^)]*\)\s*")
_GO_ON = re.compile(
    r"\(The line was interrupted while you were saying: (?P<said>(?:(?!\(The line).)*?)"
    r"\. Go on from there\.[^)]*\)",
    re.DOTALL,
)
_UNHEARD = re.compile(
    r"\(Of that answer they have not heard: (?P<rest>(?:(?!\(Of that answer).)*?)"
    r"\. Say it now\.\)\s*",
    re.DOTALL,
)
_SAY_AGAIN = re.compile(r"\(The line was interrupted before the person heard[^)]*\)\s*")
_FAREWELL = re.compile(
    r"\((?:Say goodbye|Ask the person) now, in these words: (?P<words>.*)\)\s*$", re.DOTALL
)


@dataclass(frozen=True, slots=True)
class Heard:
    """One message: what the person said, what came of earlier calls, and what is to be said.

    `words` are to be said as they are; `heard_until` is what was heard of the last answer, of
    which the rest is to be said: `unheard`, where that is told.
    """

    text: str
    outcomes: tuple[tuple[str, dict[str, Any]], ...] = ()
    greet: bool = False
    words: str = ""
    heard_until: str | None = None
    unheard: str = ""
    results_above: bool = False


def heard(message: str) -> Heard:
    outcomes = []
    for match in _RESULT.finditer(message):
        try:
            envelope = json.loads(match["body"])
        except ValueError:
            continue
        if isinstance(envelope, dict) and isinstance(envelope.get("ok"), bool):
            outcomes.append((match["tool"], envelope))
    text = _RESULT.sub("", message)
    above = bool(_RESULTS_ABOVE.search(text))
    for part in (_BEFORE, _ASKED_BEFORE, _RESULTS_ABOVE):
        text = part.sub("", text)
    farewell, go_on = _FAREWELL.search(text), _GO_ON.search(text)
    again, unheard = _SAY_AGAIN.search(text), _UNHEARD.search(text)
    for direction in (_FAREWELL, _GO_ON, _UNHEARD, _SAY_AGAIN):
        text = direction.sub("", text)
    greet = bool(_GREET.match(text))
    text = _GREET.sub("", text)
    until = _literal(go_on["said"]) if go_on is not None else ("" if again is not None else None)
    words = _literal(farewell["words"]) if farewell is not None else ""
    rest = _literal(unheard["rest"]) if unheard is not None else ""
    return Heard(text.strip(), tuple(outcomes), greet, words, until, rest, above)


def _literal(text: str) -> str:
    """Words that stand in the direction as Python would write them."""
    try:
        value = ast.literal_eval(text.strip())
    except (ValueError, SyntaxError):
        return text.strip()
    return value if isinstance(value, str) else text.strip()
