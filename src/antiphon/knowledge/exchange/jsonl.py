"""JSON lines: one record or edge per line, `{"kind": "record", …}` or `{"kind": "edge", …}`."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any, BinaryIO

import orjson

from antiphon.knowledge.errors import KnowledgeError
from antiphon.knowledge.exchange.rows import (
    Position,
    Row,
    check_text_file,
    file_fingerprint,
    not_utf8,
    read_lines,
    too_long,
)
from antiphon.knowledge.records import Edge, Record


class JsonLines:
    """A file of JSON lines. A position is (offset, line)."""

    format = "jsonl"

    def __init__(self, path: Path) -> None:
        self._path = path
        self._begin = check_text_file(path)
        self.size = path.stat().st_size

    def fingerprint(self) -> str:
        return file_fingerprint(self._path)

    def rows(self, start: Position | None = None) -> Iterator[Row]:
        offset, line = start or (self._begin, 0)
        with self._path.open("rb") as stream:
            for number, raw, end in read_lines(stream, offset, line):
                position = (end, number)
                if raw is None:
                    yield Row(number, position, end, problem=too_long())
                    continue
                if raw.isspace():
                    continue
                try:
                    item = _item(raw)
                except KnowledgeError as error:
                    problem = str(error).rstrip(".")
                    if end >= self.size and not raw.endswith(b"\n"):
                        problem += "; the file ends inside this line, it may be cut off"
                    yield Row(number, position, end, problem=problem)
                    continue
                yield Row(number, position, end, item)


def write_json_lines(stream: BinaryIO, items: Iterable[Record | Edge]) -> None:
    """Write records and edges in the order given."""
    for item in items:
        kind = "record" if isinstance(item, Record) else "edge"
        stream.write(orjson.dumps({"kind": kind} | item.to_dict()))
        stream.write(b"\n")


def item_of(value: Any) -> Record | Edge:
    """Record or edge of an object of plain data. Raises KnowledgeError for what is neither."""
    if not isinstance(value, dict):
        raise KnowledgeError("a line holds one object, {…}")
    kind = value.get("kind")
    if kind is None:
        kind = "record" if "id" in value else "edge" if "source" in value else None
    if kind == "record":
        return Record.from_dict(value)
    if kind == "edge":
        return Edge.from_dict(value)
    raise KnowledgeError('"kind" must be "record" or "edge"')


def _item(raw: bytes) -> Record | Edge:
    try:
        value = orjson.loads(raw)
    except orjson.JSONDecodeError as error:
        raise KnowledgeError(_explain(raw, error)) from error
    return item_of(value)


def _explain(raw: bytes, error: json.JSONDecodeError) -> str:
    try:
        text = raw.decode()
    except UnicodeDecodeError as wrong:
        return not_utf8(wrong)
    try:
        # orjson says less about where, and nothing about NaN.
        json.loads(text, parse_constant=_refuse_constant)
    except json.JSONDecodeError as found:
        return f"not JSON: {found.msg} at column {found.pos + 1}"
    except KnowledgeError as found:
        return str(found)
    except RecursionError:
        return "not JSON: nested too deeply"
    return f"not JSON: {error.msg} at column {error.pos + 1}"


def _refuse_constant(name: str) -> None:
    raise KnowledgeError(f"{name} is not a number that JSON can hold")
