"""Provenance: where text comes from, how sensitive it is, what a conversation has read of it."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
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

    @property
    def told(self) -> bool:
        """Whether a result says so of itself: that of a house, unless it is secret, goes without
        saying."""
        return self.origin == "untrusted" or self.sensitivity == "secret"

    def join(self, other: Marks) -> Marks:
        """Return the marks of a text made of both."""
        return Marks(
            least_trusted((self.origin, other.origin)),
            most_sensitive((self.sensitivity, other.sensitivity)),
        )


@dataclass(frozen=True, slots=True)
class ReadSource:
    """A result, page, record or message that the model of a conversation has read: `words` name it
    for a person ("an e-mail from eve@example.org"), `tool` is what brought it, `turn` when. With
    `by_item` each record of the result has marks of its own."""

    tool: str
    words: str
    marks: Marks
    turn: int
    by_item: bool = False


# What was read is kept by its source; what is more than this is known by its marks alone.
MAX_SOURCES = 100
NOTHING_READ = Marks("person", "public")


@dataclass(slots=True)
class Exposure:
    """What the model of one conversation has read and may still remember, the latest last."""

    marks: Marks = NOTHING_READ
    sources: list[ReadSource] = field(default_factory=list)

    @property
    def untrusted(self) -> bool:
        """Whether text of others has been read."""
        return self.marks.origin == "untrusted"

    def add(self, source: ReadSource) -> None:
        """Note something that was read. The same source is kept once, when it was read last."""
        self.marks = self.marks.join(source.marks)
        same = (source.tool, source.words, source.marks)
        self.sources = [
            each for each in self.sources if (each.tool, each.words, each.marks) != same
        ][1 - MAX_SOURCES :]
        self.sources.append(source)

    def join(self, other: Exposure) -> None:
        """Note all that another one has."""
        self.marks = self.marks.join(other.marks)
        for source in other.sources:
            self.add(source)

    def to_dict(self) -> dict[str, Any]:
        """Return it as JSON, for the store."""
        return {
            "origin": self.marks.origin,
            "sensitivity": self.marks.sensitivity,
            "sources": [
                {
                    "tool": each.tool,
                    "words": each.words,
                    "origin": each.marks.origin,
                    "sensitivity": each.marks.sensitivity,
                    "turn": each.turn,
                }
                for each in self.sources
            ],
        }

    @classmethod
    def from_dict(cls, body: Mapping[str, Any]) -> Exposure:
        """Return what `to_dict` wrote. Raises KeyError for anything else."""
        sources = [
            ReadSource(
                each["tool"],
                each["words"],
                Marks(each["origin"], each["sensitivity"]),
                each["turn"],
            )
            for each in body["sources"]
        ]
        return cls(Marks(body["origin"], body["sensitivity"]), sources)


def mark_meta(meta: dict[str, Any], marks: Marks, words: str) -> None:
    """Put marks that are told into the `meta` of an envelope, with what was read in words."""
    if marks.origin == "untrusted":
        meta["origin"] = "untrusted"
    meta["sensitivity"] = marks.sensitivity
    meta["source"] = words


def marks_in(meta: Mapping[str, Any]) -> Marks | None:
    """Return the marks that `mark_meta` wrote; None where there are none."""
    sensitivity = meta.get("sensitivity")
    if sensitivity is None:
        return None
    known: Sensitivity = sensitivity if sensitivity in SENSITIVITIES else "secret"
    return Marks("untrusted" if meta.get("origin") else "house", known)
