"""Sources of a call's values: the person's words, trusted results, the schema, the words of others.

Exact, and closed where there is doubt: a value is somebody's only where they said it whole. What
stands in the person's words is theirs, whoever else wrote it too; what stands in the text of others
is taken from there, although a result of the house has it as well; what nothing has was thought up
by the model.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import date, tzinfo
from typing import Any

from antiphon.contracts.person_messages import ValueOrigin
from antiphon.contracts.provenance import Marks
from antiphon.orchestrator.preview.sanitize import clean
from antiphon.orchestrator.spoken_values import (
    MAX_CHARS,
    has_phrase,
    is_telling,
    normal,
    says,
    says_length,
    says_number,
)
from antiphon.policy.view import SETTLED

MAX_VALUES = 500  # of one call
MAX_LEAVES = 20_000  # of all results together
MAX_LEAF = 200_000  # characters of a text that are looked through
MAX_DEPTH = 16
MAX_QUOTE = 60
SMALLEST_NUMBER = 10  # a smaller one is in every result by chance
# "Do this: 1. show it. 2. delete it." says neither 1 nor 2.
_NUMBERING = re.compile(r"(?:^[ \t]*|(?<=[:.;!?])\s+)\(?\d{1,2}[.)](?=\s+\S)", re.MULTILINE)
SHORTEST_PART = 4  # of a text of the house that a value may be

DEFAULT = ValueOrigin(kind="default", text="")
UNKNOWN = ValueOrigin(kind="model", text="")


@dataclass(frozen=True, slots=True)
class SaidText:
    """Something that the person said; `day` is when, where that is known."""

    text: str
    day: date | None = None


@dataclass(frozen=True, slots=True)
class ReadResult:
    """What a call brought: `args` are those it was made with, `words` name it for a person."""

    tool: str
    args: Any
    data: Any
    marks: Marks
    words: str = ""


@dataclass(slots=True)
class _Texts:
    """The texts and numbers of results: those of the house, and those of others."""

    texts: list[tuple[str, str]] = field(default_factory=list)  # each with whose it is
    numbers: dict[int | float, str] = field(default_factory=dict)
    left: int = MAX_LEAVES

    def add(self, result: ReadResult) -> None:
        words = clean(result.words or result.tool, MAX_QUOTE + 30)
        for _, leaf in leaves(result.data):
            if self.left <= 0:
                return
            self.left -= 1
            if isinstance(leaf, str):
                self.texts.append((normal(leaf[:MAX_LEAF]), words))
            elif isinstance(leaf, int | float) and not isinstance(leaf, bool):
                self.numbers.setdefault(leaf, words)

    def holder(self, value: Any, shortest: int) -> str | None:
        """Whose text has a value as a whole phrase; None: nobody's."""
        if isinstance(value, int | float):
            if abs(value) < SMALLEST_NUMBER:
                return None
            if (words := self.numbers.get(value)) is not None:
                return words
            for text, words in self.texts:
                if says_number(text, value):
                    return words
            return None
        plain = normal(value)
        if not is_telling(plain):
            return None
        for text, words in self.texts:
            if text == plain or (len(plain) >= shortest and has_phrase(plain, text)):
                return words
        return None


class ValueSources:
    """What a conversation has said and read, for the values of a call. `results` are oldest
    first."""

    def __init__(
        self, said: Sequence[SaidText], results: Sequence[ReadResult], zone: tzinfo
    ) -> None:
        own = (SaidText(own_words(each.text), each.day) for each in reversed(said))
        self._said = [
            replace(each, text=_NUMBERING.sub(" ", each.text)) for each in own if each.text
        ]
        self._zone = zone
        self._trusted = _Texts()
        self._untrusted = _Texts()
        exposed = False
        for result in results:
            if result.marks.origin == "untrusted":
                exposed = True
                self._untrusted.add(result)
            elif not exposed or self._is_settled(result.args):
                # What a tool makes of the words of others is not the house's own.
                self._trusted.add(result)
            else:
                self._untrusted.add(result)

    def origins(
        self, args: Mapping[str, Any], parameters: Mapping[str, Any]
    ) -> dict[str, ValueOrigin]:
        """The origin of each value of a call by its JSON pointer. `args` are those that were given:
        what the schema fills in is nobody's."""
        found: dict[str, ValueOrigin] = {}
        for number, (pointer, value, schema) in enumerate(_values(args, parameters)):
            if number >= MAX_VALUES:
                found[""] = UNKNOWN
                break
            found[pointer] = self._origin(value, schema)
        for pointer, origin in found.items():
            if origin["kind"] == "model" and (said := self._length(args, pointer)) is not None:
                found[pointer] = said
        return found

    def said(self, value: Any) -> str | None:
        """The words in which the person said a value; None: they did not."""
        for each in self._said:
            if says(each.text, value, zone=self._zone, today=each.day):
                return clean(value if isinstance(value, str) else str(value), MAX_QUOTE)
        return None

    def trusts(self, value: Any) -> bool:
        """Whether the person or the house alone said a value."""
        return self._origin(value, {})["kind"] in SETTLED

    def _origin(self, value: Any, schema: Mapping[str, Any]) -> ValueOrigin:
        if _is_idle(value, schema):
            return DEFAULT
        if isinstance(value, bool):
            return UNKNOWN
        if (words := self.said(value)) is not None:
            return ValueOrigin(kind="said", text=words)
        if (holder := self._untrusted.holder(value, 1)) is not None:
            return ValueOrigin(kind="untrusted", text=holder)
        if (holder := self._trusted.holder(value, SHORTEST_PART)) is not None:
            return ValueOrigin(kind="result", text=holder)
        return UNKNOWN

    def _is_settled(self, args: Any) -> bool:
        return isinstance(args, dict) and all(
            self._origin(value, {})["kind"] in SETTLED or isinstance(value, bool)
            for _, value in leaves(args)
        )

    def _length(self, args: Mapping[str, Any], pointer: str) -> ValueOrigin | None:
        """The origin of a time of which the person said how long after another one it is."""
        end = args.get(pointer[1:])
        for name, start in args.items():
            if f"/{name}" == pointer or not isinstance(start, str):
                continue
            if self._origin(start, {})["kind"] not in SETTLED:
                continue
            for each in self._said:
                if says_length(each.text, start, end):
                    return ValueOrigin(kind="said", text=clean(each.text, MAX_QUOTE))
        return None


def _is_idle(value: Any, schema: Mapping[str, Any]) -> bool:
    """Whether a value says nothing: it is empty, or the only one or the default of its schema."""
    if value is None or (not isinstance(value, bool | int | float) and not value):
        return True
    if "const" in schema:
        return bool(schema["const"] == value)
    if "enum" in schema and schema["enum"] == [value]:
        return True
    return (
        "default" in schema
        and type(schema["default"]) is type(value)
        and bool(schema["default"] == value)
    )


def leaves(node: Any, pointer: str = "", depth: int = 0) -> Iterator[tuple[str, Any]]:
    """Every value below a node with its JSON pointer."""
    if depth > MAX_DEPTH:
        return
    if isinstance(node, dict):
        for name, value in node.items():
            yield from leaves(value, f"{pointer}/{escaped(name)}", depth + 1)
    elif isinstance(node, list):
        for number, item in enumerate(node):
            yield from leaves(item, f"{pointer}/{number}", depth + 1)
    else:
        yield pointer, node


def escaped(name: Any) -> str:
    """A name as a part of a JSON pointer."""
    return str(name).replace("~", "~0").replace("/", "~1")


def _values(
    node: Any, schema: Any, pointer: str = "", depth: int = 0
) -> Iterator[tuple[str, Any, Mapping[str, Any]]]:
    """Every value of a call with its pointer and schema. A name that the schema does not have is a
    value, too: the model chose it."""
    schema = schema if isinstance(schema, dict) else {}
    if depth > MAX_DEPTH:
        yield pointer, "…", {}
    elif isinstance(node, dict) and node:
        known = schema.get("properties")
        known = known if isinstance(known, dict) else {}
        for name, value in node.items():
            below = f"{pointer}/{escaped(name)}"
            if depth and name not in known:
                yield f"{below}~name", str(name), {}
            yield from _values(value, known.get(name), below, depth + 1)
    elif isinstance(node, list) and node:
        for number, item in enumerate(node):
            yield from _values(item, schema.get("items"), f"{pointer}/{number}", depth + 1)
    else:
        yield pointer, node, schema


def by_argument(origins: Mapping[str, ValueOrigin]) -> dict[str, ValueOrigin]:
    """The origin of each argument, `parent.child` for members of an object: that of the least sure
    value in it."""
    rank = ("untrusted", "model", "result", "said", "default")
    found: dict[str, ValueOrigin] = {}
    for pointer, origin in origins.items():
        parts = [each.replace("~1", "/").replace("~0", "~") for each in pointer.split("/")[1:]]
        names = parts[:2] if len(parts) > 1 and not parts[1].isdecimal() else parts[:1]
        for name in {parts[0] if parts else "", ".".join(names)}:
            worst = found.get(name)
            if worst is None or rank.index(origin["kind"]) < rank.index(worst["kind"]):
                found[name] = origin
    return found


def own_words(text: str) -> str:
    """What somebody said without what they quoted of others."""
    lines = text[:MAX_CHARS].splitlines()
    return "\n".join(line for line in lines if not line.lstrip().startswith(">"))
