"""Declared tools as the built-in model knows them: schemas, and how people ask for each.

Everything comes from the tools' own files. A guide may have a section `## Phrases`, one phrase a
line, with `{parameter}` where a value stands and, if wanted, the arguments that the phrase means:

    - "Go on in text": {"reason": "switch_to_text"}

A section `## Told` has in the same form what is said of the answer, with `{field}` for its fields;
behind the colon stand values that these must have for it.

Quoted phrases count too where they open the line above the JSON of an example, and after "Use it
for" in the summary. A quotation further on in such a line is told about, not asked for.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any

_SECTION = re.compile(r"^##\s+(.+?)\s*$", re.MULTILINE)
_PHRASE = re.compile(r'^-\s+"(?P<text>.+?)"(?::\s*(?P<args>\{.*\}))?\s*$', re.MULTILINE)
_QUOTED = re.compile(r'"([^"\n]{2,200})"')
_EXAMPLE = re.compile(r"^(?P<lead>\"[^\n`]*):\s*\n+```json\n(?P<args>.*?)\n```", re.M | re.S)
_OFFERED = re.compile(r"(?:Such as )?(\w[\w+-]*(?:, \w[\w+-]*)*,? or \w[\w+-]*);")
_FROM = re.compile(r"\bfrom ([a-z][a-z0-9_]+)\b|\b(list_[a-z0-9_]+)\b")
SLOT = re.compile(r"\{(\w+)\}")


@dataclass(frozen=True, slots=True)
class Phrase:
    """A way to ask for a tool. `args` are what it means besides what is said in its slots."""

    text: str
    args: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Parameter:
    """One parameter of a tool."""

    name: str
    schema: Mapping[str, Any]
    required: bool
    examples: tuple[str, ...] = ()  # values that the guide names

    @property
    def description(self) -> str:
        return str(self.schema.get("description", ""))

    @property
    def label(self) -> str:
        return self.name.replace("_", " ").removesuffix(" id").removesuffix(" ids")

    @property
    def types(self) -> tuple[str, ...]:
        found = self.schema.get("type", ())
        return (found,) if isinstance(found, str) else tuple(found)

    @property
    def choices(self) -> tuple[Any, ...]:
        """The values that the schema names, also where it takes others beside them, or else those
        that its description begins with: "pytest or unittest; …"."""
        for schema in (self.schema, *self.schema.get("anyOf", ())):
            if "enum" in schema:
                return tuple(schema["enum"])
        offered = _OFFERED.match(self.description)
        named = re.split(r",? or |, ", offered[1]) if offered else ()
        return tuple(one for one in named if len(one) > 2)  # "go" and "c" are said by chance

    @property
    def takes_others(self) -> bool:
        """Whether it takes names beside its choices: those that people give to things of theirs."""
        return "enum" not in self.schema and bool(self.choices)

    @property
    def items(self) -> Parameter:
        """The members of an array, as a parameter of the same name."""
        inner = dict(self.schema.get("items") or {})
        inner["description"] = f"{self.description} {inner.get('description', '')}"
        return Parameter(self.name, inner, self.required)


@dataclass(frozen=True, slots=True)
class DeclaredTool:
    """A declared tool."""

    name: str
    category: str
    writes: bool
    execution: str
    summary: str
    parameters: tuple[Parameter, ...]
    phrases: tuple[Phrase, ...]
    risk: str = "high"
    confirms: bool = False  # a person approves each call
    reads: bool = False  # it only looks something up
    told: tuple[Phrase, ...] = ()  # what is said of its answer, the first that fits

    @property
    def title(self) -> str:
        return self.name.replace("_", " ")

    @property
    def background(self) -> bool:
        return self.execution == "background"

    @property
    def required(self) -> tuple[Parameter, ...]:
        return tuple(parameter for parameter in self.parameters if parameter.required)

    def parameter(self, name: str) -> Parameter | None:
        return next((p for p in self.parameters if p.name == name), None)


class DeclaredTools:
    """The tools of one session, by name. `inner` are those that are run through one of them."""

    def __init__(self, tools: Iterable[DeclaredTool], inner: Iterable[DeclaredTool] = ()) -> None:
        self.tools = {tool.name: tool for tool in tools}
        self.inner = {tool.name: tool for tool in inner}
        # Every word with which people ask for them: what is nearly one of these is meant as such.
        said = (
            f"{tool.title} {tool.summary} {' '.join(phrase.text for phrase in tool.phrases)}"
            for tool in (*self.tools.values(), *self.inner.values())
        )
        self.words = frozenset(re.findall(r"[a-z]{4,}", " ".join(said).lower()))

    def get(self, name: str) -> DeclaredTool | None:
        return self.tools.get(name)

    def told(self, name: str) -> tuple[Phrase, ...]:
        tool = self.tools.get(name) or self.inner.get(name)
        return tool.told if tool is not None else ()

    def source(self, parameter: Parameter) -> DeclaredTool | None:
        """The tool that lists the values of a parameter: its description says "from list_…"."""
        for match in _FROM.finditer(parameter.description):
            tool = self.tools.get(match[1] or match[2])
            if tool is not None and not tool.required and not tool.writes:
                return tool
        return None


def read_catalogue(
    declared: Iterable[Mapping[str, Any]], others: Iterable[Mapping[str, Any]] = ()
) -> DeclaredTools:
    """From the registry's own form, which has the whole guide of each tool. `others` are tools
    that are run by name through one of these."""
    named = {body["toolId"]: body for body in others if "catalogue" in body}
    names = tuple(named)
    return DeclaredTools(
        [_tool(body, names) for body in declared], [_tool(body, ()) for body in named.values()]
    )


def _tool(body: Mapping[str, Any], others: tuple[str, ...]) -> DeclaredTool:
    schema: Mapping[str, Any] = body["jsonSchema"]
    required = list(schema.get("required", ()))
    # What is required is asked for in the order in which its author named it.
    named = sorted(
        schema.get("properties", {}).items(),
        key=lambda one: required.index(one[0]) if one[0] in required else len(required),
    )
    return DeclaredTool(
        name=body["toolId"],
        category=body["category"],
        writes=body["sideEffects"] == "writes",
        execution=body.get("execution") or "server",
        summary=body["summary"],
        parameters=tuple(
            Parameter(
                name,
                each if isinstance(each, Mapping) else {},
                name in required,
                _examples(name, each, body["documentation"], others),
            )
            for name, each in named
        ),
        phrases=tuple(_phrases(body["documentation"])),
        risk=body.get("risk") or "high",
        confirms=bool(body.get("requiresConfirmation")),
        reads=body["sideEffects"] == "read_only",
        told=tuple(_told(body["documentation"])),
    )


def _examples(name: str, schema: Any, guide: str, others: tuple[str, ...]) -> tuple[str, ...]:
    """ "- `agent_name` (required): from list_agents, such as `researcher`, …"."""
    about = schema.get("description", "") if isinstance(schema, Mapping) else ""
    if others and "catalogue tool" in about:
        return others
    line = re.search(rf"^- `{re.escape(name)}`.*?\bsuch as (.+)$", guide, re.MULTILINE)
    return tuple(re.findall(r"`([\w -]+)`", line[1])) if line else ()


def _told(guide: str) -> list[Phrase]:
    parts = _SECTION.split(guide)
    sections = dict(zip(parts[1::2], parts[2::2], strict=True))
    found = _PHRASE.finditer(sections.get("Told", ""))
    return [Phrase(match["text"], _object(match["args"])) for match in found]


def _phrases(guide: str) -> list[Phrase]:
    found: dict[str, Phrase] = {}
    before = _SECTION.split(guide)
    summary, sections = before[0], dict(zip(before[1::2], before[2::2], strict=True))
    for match in _PHRASE.finditer(sections.get("Phrases", "")):
        found.setdefault(match["text"], Phrase(match["text"], _object(match["args"])))
    for match in _EXAMPLE.finditer(sections.get("Examples", "")):
        args = _object(match["args"])
        for text in _QUOTED.findall(match["lead"]):
            phrase = _templated(text, args)
            found.setdefault(phrase.text, phrase)
    for sentence in re.split(r"(?<=\.)\s+", summary):
        if sentence.lstrip().lower().startswith("use it for"):
            for text in _QUOTED.findall(sentence):
                found.setdefault(text, Phrase(text))
    return list(found.values())


def _templated(text: str, args: Mapping[str, Any]) -> Phrase:
    """An example with slots where its values stand: what it is about is not what it asks for."""
    left = dict(args)
    for name, value in args.items():
        if isinstance(value, str) and len(value) > 2 and " " in text:
            changed = re.sub(rf"\b{re.escape(value)}\b", f"{{{name}}}", text, flags=re.IGNORECASE)
            if changed != text and changed != f"{{{name}}}":
                text = changed
                same = [k for k, v in left.items() if str(v).casefold() == value.casefold()]
                for each in same:
                    del left[each]
    return Phrase(text, left)


def _object(text: str | None) -> dict[str, Any]:
    """The arguments beside a phrase; a slip in a guide leaves a phrase without them."""
    try:
        body = json.loads(text) if text else {}
    except ValueError:
        return {}
    return body if isinstance(body, dict) else {}
