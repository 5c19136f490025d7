"""Reader of the data files: tools, utterances, dialogues and records as dataclasses."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

WITH_TOOL = [
    "bare",
    "plain",
    "question",
    "short",
    "typo",
    "disfluent",
    "long",
    "indirect",
    "corrected",
    "two",
    "negated",
]
WITHOUT_TOOL = ["talk", "self", "refusal", "fact", "cancel", "injection", "garbled"]
TURNS = [
    "request",
    "answer",
    "none",
    "correct",
    "more",
    "new",
    "fact",
    "talk",
    "self",
    "cancel",
    "yes",
    "no",
    "refusal",
]
_MARK = re.compile(r"\[([A-Za-z_][A-Za-z0-9_]*)(?:=([^:\[\]]*))?:([^\[\]]*)\]")
_SECOND = re.compile(r"\s*\|\|\s*([A-Za-z_][A-Za-z0-9_]*)\s*\|\|\s*")
PRODUCT = "product"
TYPES = {"string", "integer", "number", "boolean", "array"}


class DataError(ValueError):
    """A line that cannot be read: what is wrong, and where."""


@dataclass(frozen=True, slots=True)
class Span:
    """Words of an utterance that give a parameter its value; `value` where they only mean it."""

    parameter: str
    start: int
    end: int
    value: str | None = None


@dataclass(frozen=True, slots=True)
class Part:
    """One request of an utterance: its tool, its place in the text and the spans in it."""

    tool: str
    start: int
    end: int
    spans: tuple[Span, ...]


@dataclass(frozen=True, slots=True)
class Utterance:
    kind: str
    text: str
    tool: str | None  # None without a tool; for `negated` the one that is not to be used
    parts: tuple[Part, ...]
    author: str


@dataclass(frozen=True, slots=True)
class Tool:
    name: str
    description: str
    writes: bool
    parameters: dict[str, dict[str, Any]]
    required: tuple[str, ...]
    phrases: tuple[str, ...]
    author: str


@dataclass(frozen=True, slots=True)
class DialogueTurn:
    speaker: str  # U or A
    kind: str  # for A: ask, done, asks, said
    text: str
    tool: str | None = None
    asked: str | None = None
    spans: tuple[Span, ...] = ()


@dataclass(frozen=True, slots=True)
class Dialogue:
    tool: str
    turns: tuple[DialogueTurn, ...]
    author: str


@dataclass(frozen=True, slots=True)
class Question:
    text: str
    answers: tuple[tuple[int, int], ...]  # places in title + "\n" + text; empty: not there


@dataclass(frozen=True, slots=True)
class Record:
    type: str
    title: str
    text: str
    questions: tuple[Question, ...]
    author: str

    @property
    def whole(self) -> str:
        return f"{self.title}\n{self.text}"


@dataclass(slots=True)
class Data:
    tools: dict[str, dict[str, Tool]] = field(default_factory=dict)  # by author, by name
    said: list[Utterance] = field(default_factory=list)
    dialogues: list[Dialogue] = field(default_factory=list)
    records: list[Record] = field(default_factory=list)

    def universe(self, author: str) -> str:
        """Whose tools an author speaks of: their own, or the product's."""
        return author if author in self.tools else PRODUCT

    def of(self, author: str) -> dict[str, Tool]:
        return self.tools.get(self.universe(author), {})


def unmarked(text: str) -> tuple[str, tuple[Span, ...]]:
    """The text as it was said, and the spans that its marks stand for."""
    pieces: list[str] = []
    spans: list[Span] = []
    at = length = 0
    for match in _MARK.finditer(text):
        before = text[at : match.start()]
        pieces += [before, match[3]]
        start = length + len(before)
        length = start + len(match[3])
        if match[3]:
            spans.append(Span(match[1], start, length, match[2]))
        at = match.end()
    pieces.append(text[at:])
    plain = "".join(pieces)
    if "[" in plain and re.search(r"\[\w+[:=]", plain):
        raise DataError(f"a mark is not closed: {text!r}")
    return plain, tuple(spans)


def utterance(line: str, tool: str | None, author: str) -> Utterance:
    kind, separator, rest = line.partition(":")
    kind = kind.strip()
    if not separator or kind not in (WITH_TOOL if tool else WITHOUT_TOOL):
        raise DataError(f"begins with no kind that fits here: {line[:60]!r}")
    pieces = _SECOND.split(rest.strip())
    text, parts = "", []
    names = [tool, *pieces[1::2]]
    for name, piece in zip(names, pieces[::2], strict=True):
        plain, spans = unmarked(piece)
        start = len(text) + (1 if text else 0)
        text = f"{text} {plain}" if text else plain
        if name is not None and kind != "negated":
            moved = tuple(Span(s.parameter, s.start + start, s.end + start, s.value) for s in spans)
            parts.append(Part(name, start, len(text), moved))
    if (kind == "two") != (len(pieces) > 1):
        raise DataError(f"`two` and ||tool|| belong together: {line[:80]!r}")
    if not text.strip():
        raise DataError(f"nothing is said: {line!r}")
    return Utterance(kind, text, tool, tuple(parts), author)


def tool(line: str, author: str) -> Tool:
    try:
        body = json.loads(line)
        parameters = dict(body["parameters"])
        for name, schema in parameters.items():
            if schema.get("type") not in TYPES:
                raise DataError(f"{body['name']}.{name}: type is one of {sorted(TYPES)}")
            if not schema.get("description"):
                raise DataError(f"{body['name']}.{name} has no description")
        required = tuple(body.get("required", ()))
        if set(required) - set(parameters):
            raise DataError(f"{body['name']}: required names an unknown parameter")
        phrases = tuple(body.get("phrases", ()))
        for phrase in phrases:
            for slot in re.findall(r"\{(\w+)\}", phrase):
                if slot not in parameters:
                    raise DataError(f"{body['name']}: a phrase names {slot}, no parameter")
        return Tool(
            body["name"],
            body["description"],
            bool(body["writes"]),
            parameters,
            required,
            phrases,
            author,
        )
    except (KeyError, TypeError, AttributeError, json.JSONDecodeError) as error:
        raise DataError(f"no tool: {error!r}: {line[:80]}") from error


def _blocks(path: Path) -> Iterator[tuple[int, str]]:
    for number, line in enumerate(path.read_text("utf-8").splitlines(), 1):
        yield number, line.rstrip()


def load(folder: Path, complaints: list[str] | None = None) -> Data:
    """All files of a folder. What is wrong is collected in `complaints`, or raised."""
    data = Data()

    def wrong(path: Path, number: int, error: Exception | str) -> None:
        text = f"{path.name}:{number}: {error}"
        if complaints is None:
            raise DataError(text)
        complaints.append(text)

    for path in sorted(folder.glob("tools-*.jsonl")):
        author = path.stem.partition("-")[2]
        for number, line in _blocks(path):
            if line:
                try:
                    one, own = tool(line, author), data.tools.setdefault(author, {})
                    if one.name in own:
                        raise DataError(f"{one.name} is declared twice")
                    own[one.name] = one
                except DataError as error:
                    wrong(path, number, error)
    for path in sorted(folder.glob("said-*.txt")):
        author, current = path.stem.partition("-")[2], None
        for number, line in _blocks(path):
            try:
                if line.startswith("@"):
                    name = line[1:].strip()
                    current = None if name == "-" else name
                    if current is not None and current not in data.of(author):
                        raise DataError(f"{current} is no tool")
                elif line and not line.startswith("//"):
                    one_said = utterance(line, current, author)
                    _check(one_said.parts, data.of(author))
                    data.said.append(one_said)
            except DataError as error:
                wrong(path, number, error)
    for path in sorted(folder.glob("dialogues-*.txt")):
        author = path.stem.partition("-")[2].partition(".")[0]
        _dialogues(path, author, data, wrong)
    for path in sorted(folder.glob("records-*.txt")):
        author = path.stem.partition("-")[2]
        _records(path, author, data, wrong)
    return data


def _check(parts: tuple[Part, ...], tools: dict[str, Tool]) -> None:
    for part in parts:
        known = tools.get(part.tool)
        if known is None:
            raise DataError(f"{part.tool} is no tool")
        _check_spans(part.spans, known)


def _check_spans(spans: tuple[Span, ...], known: Tool) -> None:
    for span in spans:
        schema = known.parameters.get(span.parameter)
        if schema is None:
            raise DataError(f"{known.name} has no parameter {span.parameter}")
        choices = schema.get("enum")
        if span.value is not None and choices and span.value not in map(str, choices):
            raise DataError(f"{span.value} is none of {choices}")
        if span.value is not None and not choices and schema["type"] != "boolean":
            raise DataError(f"{known.name}.{span.parameter} is no choice: mark the words alone")


def _dialogues(path: Path, author: str, data: Data, wrong: Any) -> None:
    current, turns = None, []

    def finish() -> None:
        nonlocal turns
        if current and turns:
            data.dialogues.append(Dialogue(current, tuple(turns), author))
        turns = []

    for number, line in _blocks(path):
        try:
            if not line:
                finish()
                current = None
            elif line.startswith("//"):
                continue
            elif line.startswith("@"):
                finish()
                current = line[1:].strip()
                if current not in data.of(author):
                    name, current = current, None
                    raise DataError(f"{name} is no tool")
            elif current:
                turns.append(_turn(line, current, data.of(author)))
        except DataError as error:
            wrong(path, number, error)
    finish()


def _turn(line: str, current: str, tools: dict[str, Tool]) -> DialogueTurn:
    head, _, text = line.partition(":")
    words, text = head.split(), text.strip()
    if len(words) < 2 or words[0] not in "UA":
        raise DataError(f"no turn: {line[:60]!r}")
    if words[0] == "A":
        if words[1] in ("done", "asks", "said"):
            return DialogueTurn("A", words[1], text)
        if words[1] not in tools[current].parameters:
            raise DataError(f"{current} has no parameter {words[1]}")
        return DialogueTurn("A", "ask", text, current, words[1])
    if words[1] not in TURNS:
        raise DataError(f"{words[1]} is no kind of turn")
    name: str | None = current
    if words[1] == "new":
        if len(words) != 3 or words[2] not in tools:
            raise DataError("`U new TOOL:` names the tool")
        name = words[2]
    plain, spans = unmarked(text)
    if not plain:
        raise DataError(f"nothing is said: {line!r}")
    if spans:
        _check_spans(spans, tools[name])
    return DialogueTurn("U", words[1], plain, name, None, spans)


def _records(path: Path, author: str, data: Data, wrong: Any) -> None:
    head: tuple[str, str] | None = None
    text: list[str] = []
    questions: list[Question] = []

    def finish() -> None:
        nonlocal text, questions
        if head is not None and text:
            data.records.append(Record(*head, " ".join(text), tuple(questions), author))
        text, questions = [], []

    for number, line in _blocks(path):
        try:
            if line.startswith("# "):
                finish()
                type_, _, title = line[2:].partition(":")
                head = type_.strip(), title.strip()
                if not title.strip():
                    raise DataError("a record begins with `# type: title`")
            elif line.startswith("? "):
                if head is None:
                    raise DataError("a question without a record")
                asked, _, answer = line[2:].rpartition("=>")
                whole = f"{head[1]}\n{' '.join(text)}"
                questions.append(Question(asked.strip(), _places(answer.strip(), whole)))
            elif line and not line.startswith("//"):
                text.append(line.strip())
        except DataError as error:
            wrong(path, number, error)
    finish()


def _places(answer: str, whole: str) -> tuple[tuple[int, int], ...]:
    if answer in ("-", ""):
        if not answer:
            raise DataError("no answer behind =>")
        return ()
    found = []
    for part in answer.split(" | "):
        at = whole.find(part)
        if at < 0:
            raise DataError(f"not in the record letter by letter: {part!r}")
        found.append((at, at + len(part)))
    return tuple(found)
