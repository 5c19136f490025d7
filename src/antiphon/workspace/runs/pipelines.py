"""Pipelines: steps that call tools and steps that write a text, for workflows and agents.

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
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from antiphon.workspace.definitions import BadDefinition

MAX_STEPS = 12
_ID = re.compile(r"[a-z][a-z0-9_]{0,39}")
# `{title}`; `{title?}` may be missing.
_HOLE = re.compile(r"\{([A-Za-z0-9_./-]+)(\??)\}")
INPUT = frozenset({"text", "query", "url"})
# What the session that it runs in has come to.
SESSION = frozenset({"said", "calls", "decisions", "open", "pages"})


ROOTS = ("input", "session")


@dataclass(frozen=True, slots=True)
class Section:
    """A part of a text: `text` with values in it, or a line for `each` item at a path, but for
    those whose `score` is lower than `least`."""

    heading: str = ""
    text: str = ""
    each: str = ""
    line: str = ""
    most: int = 8
    least: float = 0.0


@dataclass(frozen=True, slots=True)
class PipelineStep:
    id: str
    title: str
    tool: str = ""
    args: dict[str, Any] = field(default_factory=dict)
    sources: dict[str, str] = field(default_factory=dict)
    when: str = ""
    optional: bool = False
    ask: str = ""
    sections: tuple[Section, ...] = ()
    otherwise: str = ""  # where no section has anything to say


@dataclass(frozen=True, slots=True)
class Pipeline:
    """Steps that run one after the other."""

    name: str
    title: str
    description: str
    input: str  # what it wants to be told, in words
    needs_input: bool
    steps: tuple[PipelineStep, ...]

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


# -- reading ---------------------------------------------------------------------------------------


def read_pipeline(name: str, body: Any) -> Pipeline:
    """Raises BadDefinition, which says where something is wrong."""
    if type(body) is not dict:
        raise BadDefinition("it has to be an object with title, description, input and steps")
    _only(body, {"title", "description", "input", "needs_input", "steps"}, "it")
    steps = body.get("steps")
    if type(steps) is not list or not 1 <= len(steps) <= MAX_STEPS:
        raise BadDefinition(f"`steps` has to be a list of 1 to {MAX_STEPS}")
    read: list[PipelineStep] = []
    for number, each in enumerate(steps, 1):
        read.append(_step(each, f"step {number}", {step.id for step in read}))
    if read[-1].tool:
        raise BadDefinition(
            "the last step has to write what came of it: give it `sections`, and no `tool`"
        )
    needs = body.get("needs_input", True)
    if type(needs) is not bool:
        raise BadDefinition("`needs_input` has to be true or false")
    return Pipeline(
        name,
        _text(body, "title", "it"),
        _text(body, "description", "it"),
        _text(body, "input", "it"),
        needs,
        tuple(read),
    )


def _step(body: Any, at: str, earlier: set[str]) -> PipelineStep:
    if type(body) is not dict:
        raise BadDefinition(f"{at} has to be an object with an id, a title, and a tool or sections")
    calls = "tool" in body
    own = {"tool", "args", "from"} if calls else {"ask", "sections", "otherwise"}
    _only(body, own | {"id", "title", "when", "optional"}, at)
    name = _text(body, "id", at)
    if not _ID.fullmatch(name) or name in earlier or name in ROOTS:
        raise BadDefinition(
            f"{at}: the id {name!r} has to be of a-z, 0-9 and _, another one than those of the "
            "steps before it, and not input or session"
        )
    when = body.get("when", "")
    optional = body.get("optional", False)
    if type(when) is not str or type(optional) is not bool:
        raise BadDefinition(f"{at}: `when` is a path and `optional` true or false")
    if when:
        _known(when.removeprefix("not "), earlier, at)
    common: dict[str, Any] = {
        "id": name,
        "title": _text(body, "title", at),
        "when": when,
        "optional": optional,
    }
    if calls:
        args, sources = body.get("args", {}), body.get("from", {})
        if type(args) is not dict or type(sources) is not dict:
            raise BadDefinition(f"{at}: `args` and `from` are objects")
        for path in sources.values():
            _known(path, earlier, at)
        return PipelineStep(**common, tool=_text(body, "tool", at), args=args, sources=sources)
    sections = body.get("sections")
    if type(sections) is not list or not sections:
        raise BadDefinition(f"{at} has neither a `tool` nor `sections`")
    return PipelineStep(
        **common,
        ask=_text(body, "ask", at) if "ask" in body else "",
        sections=tuple(_section(each, at, earlier) for each in sections),
        otherwise=_text(body, "otherwise", at),
    )


def _section(body: Any, at: str, earlier: set[str]) -> Section:
    if type(body) is not dict or ("text" in body) == ("each" in body):
        raise BadDefinition(f"{at}: a section has either `text` or `each`")
    _only(body, {"heading", "text", "each", "line", "most", "least"}, at)
    if "each" in body:
        _known(body["each"], earlier, at)
        _text(body, "line", at)
    else:
        for path, _ in _HOLE.findall(_text(body, "text", at)):
            _known(path, earlier, at)
    if type(body.get("heading", "")) is not str or type(body.get("most", 1)) is not int:
        raise BadDefinition(f"{at}: `heading` is a text and `most` a number")
    if type(body.get("least", 0.0)) not in (int, float):
        raise BadDefinition(f"{at}: `least` is a score from 0 to 1")
    return Section(**body)


def _known(path: Any, earlier: set[str], at: str) -> None:
    first, _, rest = path.partition("/") if type(path) is str else ("", "", "")
    if first == "input" and rest not in INPUT:
        raise BadDefinition(f"{at}: the input has {', '.join(sorted(INPUT))}, not {rest!r}")
    if first == "session" and rest not in SESSION:
        raise BadDefinition(f"{at}: the session has {', '.join(sorted(SESSION))}, not {rest!r}")
    if first not in ROOTS and first not in earlier:
        known = ", ".join(["input", "session", *sorted(earlier)])
        raise BadDefinition(f"{at}: the path {path!r} has to begin with one of {known}")


def _only(body: Mapping[str, Any], known: set[str], at: str) -> None:
    for name in body.keys() - known:
        raise BadDefinition(f"{at} has {name!r}, which is none of {', '.join(sorted(known))}")


def _text(body: Mapping[str, Any], name: str, at: str) -> str:
    value = body.get(name)
    if type(value) is not str or not value.strip():
        raise BadDefinition(f"{at} has no `{name}`")
    return value.strip()


# -- values ----------------------------------------------------------------------------------------


class Nothing(Exception):
    """There is nothing at a path."""


def look_up(values: Any, path: str) -> Any:
    """Raises Nothing."""
    value = values
    for name in path.split("/"):
        if isinstance(value, Mapping) and name in value:
            value = value[name]
        elif isinstance(value, list) and name.isdecimal() and int(name) < len(value):
            value = value[int(name)]
        else:
            raise Nothing(f"there is no `{path}`")
    return value


def holds(values: Mapping[str, Any], when: str) -> bool:
    """Whether a step is to run."""
    wanted = not when.startswith("not ")
    try:
        value = look_up(values, when.removeprefix("not "))
    except Nothing:
        value = None
    there = value not in (None, False, "", 0) and value != [] and value != {}
    return there is wanted


def composed(sections: tuple[Section, ...], values: Mapping[str, Any]) -> str:
    """The sections that have something to say, as Markdown."""
    parts = []
    for section in sections:
        body = _lines(section, values) if section.each else _filled(section.text, values)
        if body:
            parts.append(f"## {section.heading}\n\n{body}" if section.heading else body)
    return "\n\n".join(parts)


def _lines(section: Section, values: Mapping[str, Any]) -> str:
    try:
        items = look_up(values, section.each)
    except Nothing:
        return ""
    if not isinstance(items, list):
        return ""
    items = [each for each in items if not section.least or _score(each) >= section.least]
    written = (" ".join(_filled(section.line, each).split()) for each in items[: section.most])
    return "\n".join(f"- {line}" for line in written if line)


def _score(item: Any) -> float:
    score = item.get("score") if isinstance(item, Mapping) else None
    return score if isinstance(score, int | float) else 0.0


def _filled(template: str, values: Any) -> str:
    """Empty where something is missing that has to be in it. `{.}` is the whole item."""

    def value(hole: re.Match[str]) -> str:
        try:
            found = values if hole[1] == "." else look_up(values, hole[1])
        except Nothing:
            found = None
        if found in (None, "", []):
            if hole[2]:
                return ""
            raise Nothing(hole[1])
        return ", ".join(map(str, found)) if isinstance(found, list) else str(found)

    try:
        return _HOLE.sub(value, template).strip()
    except Nothing:
        return ""
