"""The strict JSON reader: position of every defect, no duplicate keys, no odd numbers."""

from __future__ import annotations

import json
import re
from dataclasses import dataclass
from typing import Any

from antiphon.registry.findings import pointer_to, shown

MAX_DEPTH = 128
_BOM = b"\xef\xbb\xbf"
_STRING = re.compile(rb'"[^"\\]*+(?:\\.[^"\\]*+)*+"?', re.DOTALL)
_ALL_BUT_BRACKETS = bytes(set(range(256)) - set(b"[]{}"))
_SURROGATE_ESCAPE = re.compile(r"\\u[dD][89a-fA-F]")


@dataclass(frozen=True, slots=True)
class JsonProblem:
    """One defect of a JSON document, with its place."""

    rule: str
    pointer: str
    message: str
    fix: str


class _Refused:
    """A placeholder of a refused number until its place in the document is known."""

    __slots__ = ("literal",)

    def __init__(self, literal: str) -> None:
        self.literal = literal


def parse(raw: bytes) -> tuple[Any, list[JsonProblem]]:
    """The value of a JSON document and everything wrong with it.

    The value means nothing when there are problems. Never raises, whatever the bytes are.
    """
    problems: list[JsonProblem] = []
    if raw.startswith(_BOM):
        raw = raw[len(_BOM) :]
        problems.append(
            JsonProblem("json-bom", "", "starts with a byte order mark", "Save it as plain UTF-8.")
        )
    try:
        text = raw.decode("utf-8")
    except UnicodeDecodeError as error:
        line = raw.count(b"\n", 0, error.start) + 1
        message = f"line {line}: byte 0x{raw[error.start]:02x} is not UTF-8"
        return None, [*problems, JsonProblem("json-encoding", "", message, "Save it as UTF-8.")]
    if (depth := nesting(raw)) > MAX_DEPTH:
        message = f"is nested {depth} levels deep; {MAX_DEPTH} is the limit"
        return None, [*problems, JsonProblem("json-depth", "", message, "Flatten the document.")]

    duplicates: list[tuple[dict[str, Any], list[str]]] = []
    refused: list[_Refused] = []

    def to_object(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
        made = dict(pairs)
        if len(made) != len(pairs):
            names = [name for name, _ in pairs]
            duplicates.append((made, [name for name in made if names.count(name) > 1]))
        return made

    def refuse(literal: str) -> _Refused:
        refused.append(_Refused(literal))
        return refused[-1]

    def to_int(literal: str) -> int | _Refused:
        # 64 bits is what the artifact's own codec and most readers of it can hold.
        if len(literal) > 20:
            return refuse(literal)
        value = int(literal)
        return value if -(2**63) <= value < 2**64 else refuse(literal)

    def to_float(literal: str) -> float | _Refused:
        value = float(literal)
        return refuse(literal) if value in (float("inf"), float("-inf")) else value

    try:
        value = json.loads(
            text,
            object_pairs_hook=to_object,
            parse_int=to_int,
            parse_float=to_float,
            parse_constant=refuse,
        )
    except json.JSONDecodeError as error:
        message = f"line {error.lineno}:{error.colno}: {_lowered(error.msg)}"
        fix = "Correct the JSON at that place."
        if not text.strip():
            message, fix = "is empty", "Write the tool's contract as a JSON object."
        return None, [*problems, JsonProblem("json-syntax", "", message, fix)]

    if duplicates or refused or _SURROGATE_ESCAPE.search(text):
        by_id = {id(made): names for made, names in duplicates}
        problems.extend(_located(value, by_id))
    return value, problems


def nesting(raw: bytes) -> int:
    """Return how deep arrays and objects are nested, without parsing (the parser itself
    recurses)."""
    opened = raw.count(b"[") + raw.count(b"{")
    if opened <= MAX_DEPTH:
        return opened
    depth = deepest = 0
    for bracket in _STRING.sub(b"", raw).translate(None, _ALL_BUT_BRACKETS):
        depth += 1 if bracket in b"[{" else -1
        deepest = max(deepest, depth)
    return deepest


def _lowered(message: str) -> str:
    return message[:1].lower() + message[1:]


def _located(root: Any, duplicates: dict[int, list[str]]) -> list[JsonProblem]:
    """Walk the parsed document once to give every recorded defect its pointer."""
    problems: list[JsonProblem] = []
    waiting: list[tuple[str, Any]] = [("", root)]
    while waiting:
        pointer, value = waiting.pop()
        if isinstance(value, _Refused):
            message = f"{shown(value.literal)} is not a number that can be kept"
            fix = "Use a finite number of at most 64 bits."
            problems.append(JsonProblem("json-number", pointer, message, fix))
        elif isinstance(value, str):
            _note_surrogate(problems, pointer, value)
        elif isinstance(value, dict):
            for name in duplicates.get(id(value), ()):
                message = f"the name {shown(name)} is given more than once"
                place = pointer + pointer_to(name)
                problems.append(JsonProblem("json-duplicate", place, message, "Keep one of them."))
            for name, member in value.items():
                _note_surrogate(problems, pointer, name)
                waiting.append((pointer + pointer_to(name), member))
        elif isinstance(value, list):
            waiting.extend((f"{pointer}/{i}", item) for i, item in enumerate(value))
    return problems


def _note_surrogate(problems: list[JsonProblem], pointer: str, text: str) -> None:
    try:
        text.encode("utf-8")
    except UnicodeEncodeError:
        message = f"{shown(text)} holds half of a surrogate pair"
        fix = "Write the character itself, or both halves."
        # The pointer may carry the broken name; escape it so that it can be printed and sent.
        place = pointer.encode("utf-8", "backslashreplace").decode("utf-8")
        problems.append(JsonProblem("json-encoding", place, message, fix))
