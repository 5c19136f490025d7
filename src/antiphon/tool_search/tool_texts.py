"""Texts of a tool that are searched: name, description, parameters, ways to ask for it."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

_CASE = re.compile(r"(?<=[a-z0-9])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])")
_GAP = re.compile(r"[\W_]+")
_PHRASE = re.compile(r'^- "([^"\n]+)"', re.MULTILINE)
_SLOT = re.compile(r"\{\w+\}")
_DEPTH = 3  # of parameters in parameters
_CHOICES = 8  # of a parameter with listed values
MOST_PHRASES = 16
MOST_PARAMETERS = 40
LONGEST = 4_000  # characters of a text


@dataclass(frozen=True, slots=True)
class ToolTexts:
    """What is known of one tool. `names` are those of its parameters, outermost only; `takes` says
    of each parameter what it is."""

    tool_id: str
    name: str
    about: str
    names: tuple[str, ...]
    takes: str
    phrases: tuple[str, ...]

    @property
    def full(self) -> str:
        """All but the phrases in one text."""
        return f"{self.name}. {self.about} {self.takes}".strip()


def tool_texts(entry: Mapping[str, Any]) -> ToolTexts:
    """Return the texts of a tool by what the artifact says of it."""
    schema = entry.get("jsonSchema") or {}
    summary, about = str(entry.get("summary") or ""), str(entry.get("description") or "")
    if summary and summary not in about:
        about = f"{about} {summary}".strip()
    phrases = _PHRASE.findall(entry.get("documentation") or "")[:MOST_PHRASES]
    parameters = list(_parameters(schema, _DEPTH))[:MOST_PARAMETERS]
    properties = schema.get("properties")
    return ToolTexts(
        entry["toolId"],
        spaced_name(entry["toolId"]),
        about[:LONGEST],
        tuple(properties) if isinstance(properties, dict) else (),
        "; ".join(parameters)[:LONGEST],
        tuple(_SLOT.sub("something", phrase) for phrase in phrases),
    )


def spaced_name(name: str) -> str:
    """Return the words of a name such as `getUserInfo` or `kb_search`, in lower case."""
    return _GAP.sub(" ", _CASE.sub(" ", name)).strip().lower()


def _parameters(schema: Mapping[str, Any], depth: int) -> Iterator[str]:
    """Yield each parameter with its description and listed values, nested ones after theirs."""
    properties = schema.get("properties")
    for name, field in properties.items() if isinstance(properties, dict) else ():
        if not isinstance(field, dict):
            continue
        listed = field.get("enum")
        choices = map(str, listed[:_CHOICES]) if isinstance(listed, list) else ()
        values = ", ".join(choices)
        about = str(field.get("description") or "")
        yield f"{spaced_name(str(name))}: {about}" + (f" ({values})" if values else "")
        inner = field.get("items")
        for below in (field, inner):
            if depth > 1 and isinstance(below, dict):
                yield from _parameters(below, depth - 1)
