"""Pipelines: files of steps that call tools and steps that write a text, for workflows and agents.

A step that calls a tool has `tool`, `args`, and `from`: parameters whose values are found at a path
of what is known by then. A path begins with `input` or with the id of an earlier step:
`found/results/0/id`. The input has `text`, `query` (short enough to search with) and `url` (the
first address in it).

A step that writes has `sections`, which are put together by rules, and `ask`, which a model is told
where one is configured; it is given the sections as its material. What it wrote is at `<id>/text`.

`when` is a path that has to lead to something that is not empty (`not <path>`: the opposite). An
`optional` step may fail without ending the run; every text after it says so, and why.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Annotated, Any

from pydantic import Field, model_validator

from antiphon.workspace.definitions import validated
from antiphon.workspace.runs.steps import Pipe, Section, Step
from antiphon.workspace.runs.text_steps import TEMPLATE_VALUE
from antiphon.workspace.validation import StrictModel, Text

MAX_STEPS = 12
_ID = re.compile(r"[a-z][a-z0-9_]{0,39}")
_CALLS = frozenset({"tool", "args", "sources"})
_WRITES = frozenset({"ask", "sections", "otherwise"})
# What paths may lead to beside the steps: the input, and what the session has come to.
ROOTS = {
    "input": frozenset({"text", "query", "url"}),
    "session": frozenset({"said", "calls", "decisions", "open", "pages"}),
}


@dataclass(frozen=True, slots=True)
class Pipeline:
    """A workflow or an agent: steps that run one after the other, the last of which writes."""

    name: str
    title: str
    description: str
    input: str  # what it wants to be told, in words
    needs_input: bool
    steps: tuple[Step, ...]

    @property
    def tools(self) -> list[str]:
        return list(dict.fromkeys(step.tool for step in self.steps if step.tool))

    @property
    def tells_session(self) -> bool:
        """Whether a text has something of the session in it."""
        sections = [section for step in self.steps for section in step.sections]
        return any("session/" in f"{each.each} {each.text}" for each in sections)

    @property
    def asks_model(self) -> bool:
        return any(step.ask for step in self.steps)

    def to_dict(self) -> dict[str, Any]:
        return {
            "name": self.name,
            "title": self.title,
            "description": self.description,
            "input": self.input,
            "needs_input": self.needs_input,
            "tools": self.tools,
            "uses_model": self.asks_model,
            "step_count": len(self.steps),
        }


class _SectionFile(Section):
    @model_validator(mode="after")
    def _checked(self) -> _SectionFile:
        given = self.model_fields_set
        if ("text" in given) == ("each" in given):
            raise ValueError("a section has either `text` or `each`")
        needed = "line" if "each" in given else "text"
        if not getattr(self, needed).strip():
            raise ValueError(f"it has no `{needed}`")
        return self

    def paths(self) -> Iterator[str]:
        """Yield the paths that begin at a step, the input or the session."""
        if self.each:
            yield self.each
        else:
            yield from (path for path, _ in TEMPLATE_VALUE.findall(self.text))


class _StepFile(StrictModel):
    id: Text
    title: Text
    tool: Text = ""
    args: dict[str, Any] = Field(default_factory=dict)
    sources: dict[str, str] = Field(default_factory=dict, alias="from")
    when: str = ""
    optional: bool = False
    ask: Text = ""
    sections: list[_SectionFile] = Field(default_factory=list)
    otherwise: Text = ""

    @model_validator(mode="after")
    def _of_one_kind(self) -> _StepFile:
        for name in sorted(self.model_fields_set & (_WRITES if self.tool else _CALLS)):
            kind = "calls a tool" if self.tool else "has no `tool`"
            shown = "from" if name == "sources" else name
            raise ValueError(f"it {kind}, so it has no `{shown}`")
        if not self.tool and not self.sections:
            raise ValueError("it has neither a `tool` nor `sections`")
        return self

    def paths(self) -> Iterator[str]:
        if self.when:
            yield self.when.removeprefix("not ")
        yield from self.sources.values()
        for section in self.sections:
            yield from section.paths()

    def step(self, number: int) -> Step:
        pipes = []
        for name, source in self.sources.items():
            first, _, rest = source.partition("/")
            pipes.append(Pipe(first, rest, name))
        return Step(
            self.id,
            self.title,
            number,
            tool=self.tool,
            args=self.args,
            pipes=tuple(pipes),
            when=self.when,
            optional=self.optional,
            ask=self.ask,
            sections=tuple(self.sections),
            otherwise=self.otherwise,
        )


class _PipelineFile(StrictModel):
    title: Text
    description: Text
    input: Text
    needs_input: bool = True
    steps: Annotated[list[_StepFile], Field(min_length=1, max_length=MAX_STEPS)]

    @model_validator(mode="after")
    def _connected(self) -> _PipelineFile:
        earlier: set[str] = set()
        for number, step in enumerate(self.steps, 1):
            at = f"step {number}"
            if not _ID.fullmatch(step.id) or step.id in earlier or step.id in ROOTS:
                raise ValueError(
                    f"{at}: the id {step.id!r} has to be of a-z, 0-9 and _, another one than those "
                    "of the steps before it, and not input or session"
                )
            for path in step.paths():
                _check_path(path, earlier, at)
            if not step.tool and not step.otherwise:
                raise ValueError(f"{at} has no `otherwise`")
            earlier.add(step.id)
        if self.steps[-1].tool:
            raise ValueError(
                "the last step has to write what came of it: give it `sections`, and no `tool`"
            )
        return self


def read_pipeline(name: str, body: Any) -> Pipeline:
    """Return the pipeline of a file. Raises BadDefinition, which says where something is wrong."""
    file = validated(_PipelineFile, body)
    steps = tuple(step.step(number) for number, step in enumerate(file.steps, 1))
    return Pipeline(name, file.title, file.description, file.input, file.needs_input, steps)


def _check_path(path: str, earlier: set[str], at: str) -> None:
    first, _, rest = path.partition("/")
    known = ROOTS.get(first)
    if known is not None and rest not in known:
        raise ValueError(f"{at}: the {first} has {', '.join(sorted(known))}, not {rest!r}")
    if known is None and first not in earlier:
        known_first = ", ".join([*ROOTS, *sorted(earlier)])
        raise ValueError(f"{at}: the path {path!r} has to begin with one of {known_first}")
