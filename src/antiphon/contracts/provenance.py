"""Provenance: where text comes from, how sensitive it is, what a conversation has read of it."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Any, Literal

# Who wrote a text. `person`: whoever talks in this conversation; `operator`: whoever runs this
# deployment (prompts, settings, playbooks); `house`: a tool of the deployment computed it;
# `untrusted`: anybody else (mail, pages, records of others, answers of other people's servers).
Origin = Literal["person", "operator", "house", "untrusted"]
Sensitivity = Literal["public", "private", "secret"]

# From the most trusted to the least, and from the least sensitive to the most.
ORIGINS: tuple[Origin, ...] = ("person", "operator", "house", "untrusted")
SENSITIVITIES: tuple[Sensitivity, ...] = ("public", "private", "secret")

# What `schema.json` says of the text that a tool brings: the house's own, or that of others.
ToolOrigin = Literal["trusted", "untrusted"]


def least_trusted(origins: Iterable[Origin]) -> Origin:
    """Return the least trusted of the origins; `person` of none."""
    return max(origins, key=ORIGINS.index, default="person")


def most_sensitive(sensitivities: Iterable[Sensitivity]) -> Sensitivity:
    """Return the most sensitive of the sensitivities; `public` of none."""
    return max(sensitivities, key=SENSITIVITIES.index, default="public")


@dataclass(frozen=True, slots=True)
class Marks:
    """The provenance of one text or result. Marks only ever become stricter."""

    origin: Origin = "house"
    sensitivity: Sensitivity = "private"

    def join(self, other: Marks) -> Marks:
        """Return the marks of a text made of both."""
        return Marks(
            least_trusted((self.origin, other.origin)),
            most_sensitive((self.sensitivity, other.sensitivity)),
        )


@dataclass(frozen=True, slots=True)
class ReadSource:
    """A result, page, record or message that the model of a conversation has read: `words` name it
    for a person ("an e-mail from eve@example.org"), `tool` is what brought it, `turn` when."""

    tool: str
    words: str
    marks: Marks
    turn: int


NOTHING_READ = Marks("person", "public")


@dataclass(slots=True)
class Exposure:
    """What the model of one conversation has read and may still remember."""

    marks: Marks = NOTHING_READ
    sources: list[ReadSource] = field(default_factory=list)

    @property
    def untrusted(self) -> bool:
        """Whether text of others has been read."""
        return self.marks.origin == "untrusted"

    def add(self, source: ReadSource) -> None:
        """Note something that was read; the same source is kept once."""
        self.marks = self.marks.join(source.marks)
        if source not in self.sources:
            self.sources.append(source)

    def to_list(self) -> list[dict[str, Any]]:
        """Return the sources as JSON, for the store."""
        return [
            {
                "tool": each.tool,
                "words": each.words,
                "origin": each.marks.origin,
                "sensitivity": each.marks.sensitivity,
                "turn": each.turn,
            }
            for each in self.sources
        ]
