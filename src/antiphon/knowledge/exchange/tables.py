"""CSV: records.csv and edges.csv, with a header line each.

records.csv has the columns id, type, title, text, tags, url, source_type, last_updated, metadata;
edges.csv has source, target, relation, weight, provenance. Tags are separated by `;` (written
`\\;` inside a tag, and a backslash `\\\\`); metadata and provenance are JSON objects. Columns may
come in any order and all but the required ones may be missing or empty.
"""

from __future__ import annotations

import csv
import re
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any, BinaryIO

import orjson

from antiphon.knowledge.errors import KnowledgeError
from antiphon.knowledge.exchange.rows import (
    MAX_ROW,
    Position,
    Row,
    check_text_file,
    file_fingerprint,
    missing,
    read_lines,
    too_long,
)
from antiphon.knowledge.records import Edge, Record

RECORDS_FILE = "records.csv"
EDGES_FILE = "edges.csv"
RECORD_COLUMNS = (
    "id", "type", "title", "text", "tags", "url", "source_type", "last_updated", "metadata"
)  # fmt: skip
EDGE_COLUMNS = ("source", "target", "relation", "weight", "provenance")
_REQUIRED = {RECORD_COLUMNS: {"id", "type"}, EDGE_COLUMNS: {"source", "target", "relation"}}
_TAG = re.compile(r"((?:[^\\;]|\\.)*)(;|$)", re.DOTALL)
_ESCAPED = re.compile(r"\\(.)", re.DOTALL)
_BAD_BYTE = re.compile("[\udc80-\udcff]")


class _RowTooLong(Exception):
    """Row of more than MAX_ROW bytes."""


class CsvTables:
    """A folder with records.csv and edges.csv, or one such file under any name.

    A position is (file, offset, line).
    """

    format = "csv"

    def __init__(self, path: Path) -> None:
        if path.is_dir():
            names = (RECORDS_FILE, EDGES_FILE)
            self._files = [path / name for name in names if (path / name).is_file()]
            if not self._files:
                raise missing(path / RECORDS_FILE)
        else:
            self._files = [path]
        self._begins = [check_text_file(file) for file in self._files]
        self._sizes = [file.stat().st_size for file in self._files]
        self.size = sum(self._sizes)
        # The library's own limit, for the whole process, is too small for the text of a record.
        csv.field_size_limit(max(csv.field_size_limit(), MAX_ROW))

    def fingerprint(self) -> str:
        return " ".join(file_fingerprint(file) for file in self._files)

    def rows(self, start: Position | None = None) -> Iterator[Row]:
        first, offset, line = start or (0, 0, 0)
        for number in range(first, len(self._files)):
            yield from self._rows_of(number, offset, line)
            offset, line = 0, 0

    def _rows_of(self, number: int, offset: int, line: int) -> Iterator[Row]:
        file = self._files[number]
        name = file.name if len(self._files) > 1 else ""
        before = sum(self._sizes[:number])
        with file.open("rb") as stream:
            reader = _Rows(stream, self._begins[number], 0)
            try:
                header = next(reader.rows(), None)
            except (csv.Error, _RowTooLong) as error:
                raise KnowledgeError(f"{file.name} has no header that can be read.") from error
            columns, names = _columns(file.name, header)
            if offset:
                reader = _Rows(stream, offset, line)
            rows = reader.rows()
            while True:
                problem, item, cells = "", None, None
                try:
                    cells = next(rows, None)
                    if cells is None:
                        return
                    if not any(cells):
                        continue
                    item = _item(columns, names, cells)
                except KnowledgeError as error:
                    problem = str(error).rstrip(".")
                except _RowTooLong:
                    problem = (
                        too_long("the row that begins here")
                        + ", or close its quotation mark; the rest of the file was not read"
                    )
                except csv.Error as error:
                    problem = f"not CSV: {error}"
                    if reader.offset >= self._sizes[number]:
                        problem += "; the file ends inside this row, it may be cut off"
                position = (number, reader.offset, reader.line)
                yield Row(reader.first, position, before + reader.offset, item, problem, name)
                if problem and cells is None:
                    if reader.ended:
                        return
                    rows = reader.rows()


class _Rows:
    """Rows of cells, each with the offsets at which it begins and ends in the file."""

    def __init__(self, stream: BinaryIO, offset: int, line: int) -> None:
        self._stream = stream
        self.offset = offset
        self.line = line
        self.first = line + 1
        self.ended = False
        self._row_offset = offset

    def rows(self) -> Iterator[list[str]]:
        reader = csv.reader(self._lines(), strict=True)
        while True:
            self.first, self._row_offset = self.line + 1, self.offset
            try:
                yield next(reader)
            except StopIteration:
                return

    def _lines(self) -> Iterator[str]:
        for line, raw, end in read_lines(self._stream, self.offset, self.line):
            self.line, self.offset = line, end
            if raw is None or end - self._row_offset > MAX_ROW:
                self.ended = True
                raise _RowTooLong
            # Bytes that are not UTF-8 are kept until it is known which cell they are in.
            yield raw.decode("utf-8", "surrogateescape")
        self.ended = True


def write_records_table(stream: BinaryIO, records: Iterable[Record]) -> None:
    _write(
        stream,
        RECORD_COLUMNS,
        (
            record.to_dict()
            | {"tags": _join_tags(record.tags), "metadata": _object_text(record.metadata)}
            for record in records
        ),
    )


def write_edges_table(stream: BinaryIO, edges: Iterable[Edge]) -> None:
    _write(
        stream,
        EDGE_COLUMNS,
        (
            edge.to_dict()
            | {"weight": repr(edge.weight), "provenance": _object_text(edge.provenance)}
            for edge in edges
        ),
    )


class _Encoded:
    """Binary stream that takes text, for the CSV writer."""

    def __init__(self, stream: BinaryIO) -> None:
        self._stream = stream

    def write(self, text: str) -> int:
        return self._stream.write(text.encode())


def _write(stream: BinaryIO, columns: tuple[str, ...], rows: Iterable[dict[str, Any]]) -> None:
    # With these line ends the writer quotes every cell that has a line end of any kind.
    writer = csv.writer(_Encoded(stream), lineterminator="\r\n")
    writer.writerow(columns)
    for row in rows:
        writer.writerow([row[name] for name in columns])


def _columns(file: str, header: list[str] | None) -> tuple[tuple[str, ...], list[str]]:
    """Table that a header belongs to, and its columns in their order."""
    names = [name.strip().lower() for name in header or ()]
    columns = EDGE_COLUMNS if "source" in names and "target" in names else RECORD_COLUMNS
    if absent := sorted(_REQUIRED[columns] - set(names)):
        raise KnowledgeError(
            f"{file} has no column {absent[0]!r}. Its first line must name the columns: "
            f"{', '.join(RECORD_COLUMNS)} for records, {', '.join(EDGE_COLUMNS)} for edges."
        )
    if unknown := sorted(set(names) - set(columns)):
        raise KnowledgeError(
            f"{file} has an unknown column {unknown[0]!r}; the columns are {', '.join(columns)}."
        )
    if len(set(names)) < len(names):
        raise KnowledgeError(f"{file} has a column twice: {', '.join(names)}.")
    return columns, names


def _item(columns: tuple[str, ...], names: list[str], cells: list[str]) -> Record | Edge:
    if len(cells) != len(names):
        raise KnowledgeError(f"the row has {len(cells)} cells, the header {len(names)}")
    for name, cell in zip(names, cells, strict=True):
        if found := _BAD_BYTE.search(cell):
            raise KnowledgeError(
                f"byte 0x{ord(found[0]) - 0xDC00:02x} in the column {name} is not UTF-8; "
                "save the file as UTF-8"
            )
    value: dict[str, Any] = dict(zip(names, cells, strict=True))
    for name in ("metadata", "provenance"):
        if name in value:
            value[name] = _object(name, value[name])
    if columns is RECORD_COLUMNS:
        value["tags"] = _split_tags(value.get("tags", ""))
        return Record.from_dict(value)
    value["weight"] = _number(value.get("weight", ""))
    return Edge.from_dict(value)


def _object(name: str, text: str) -> Any:
    if not text.strip():
        return {}
    try:
        return orjson.loads(text)
    except orjson.JSONDecodeError as error:
        raise KnowledgeError(
            f"the column {name} must be a JSON object: {error.msg} at {error.pos + 1}"
        ) from error


def _object_text(value: dict[str, Any]) -> str:
    return orjson.dumps(value).decode() if value else ""


def _number(text: str) -> float:
    if not text.strip():
        return 1.0
    try:
        return float(text)
    except ValueError as error:
        raise KnowledgeError(f"the weight {text[:40]!r} is not a number") from error


def _join_tags(tags: Iterable[str]) -> str:
    return ";".join(tag.replace("\\", "\\\\").replace(";", "\\;") for tag in tags)


def _split_tags(text: str) -> list[str]:
    if not text:
        return []
    if "\\" not in text:
        return [tag for tag in text.split(";") if tag.strip()]
    tags = (_ESCAPED.sub(r"\1", found[1]) for found in _TAG.finditer(text))
    return [tag for tag in tags if tag.strip()]
