"""Steps of runs: the one type that macros, workflows and agents are compiled to."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Protocol

from pydantic import BaseModel, ConfigDict


class Tools(Protocol):
    """The tools that steps may call: a snapshot of the registry."""

    @property
    def tools(self) -> Mapping[str, Any]:
        """The tools by name, each with its `definition` and its `validator`."""

    def nearest(self, tool_id: str, /) -> list[str]:
        """Return names that may have been meant."""


@dataclass(frozen=True, slots=True)
class Pipe:
    """A value that a step takes over as an argument: what is at `path` of the result of the step
    `source` (or of `input` or `session`) goes to the parameter at `to`. With `to` None the
    parameter is found by what the result has."""

    source: str
    path: str = ""
    to: str | None = None

    @property
    def placeholder(self) -> str:
        """The words that a dry run shows in place of the value."""
        return f"<step {self.source}: {self.path or 'result'}>"


class Section(BaseModel):
    """A part of a text: `text` with values in it, or a `line` for `each` item at a path, but for
    items whose `score` is lower than `least`."""

    model_config = ConfigDict(extra="forbid", frozen=True, strict=True)

    heading: str = ""
    text: str = ""
    each: str = ""
    line: str = ""
    most: int = 8
    least: float = 0.0


@dataclass(frozen=True, slots=True)
class Step:
    """One step: a call of `tool`, a run of the steps `inner`, or else a text that is written.

    `number` is that of its call among the calls of the run: it makes the key in the ledger, and is
    the same in every attempt at the run. `when` is a path that must lead to something. An
    `optional` step may fail without ending the run. `tries` is how often a failing call is made.
    """

    id: str
    title: str
    number: int
    tool: str = ""
    args: dict[str, Any] = field(default_factory=dict)
    pipes: tuple[Pipe, ...] = ()
    when: str = ""
    optional: bool = False
    tries: int = 1
    inner: tuple[Step, ...] = ()
    owner: str = ""  # the id of the macro that it is a step of
    ask: str = ""  # instructions to a model that writes the text
    sections: tuple[Section, ...] = ()
    otherwise: str = ""  # the text where no section has anything to say
