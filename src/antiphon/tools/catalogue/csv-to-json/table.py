"""CSV text as a table; the delimiter is sniffed when it is not given."""

from __future__ import annotations

import csv
import io
from typing import Any

from antiphon import ErrorType, ToolError

DELIMITERS = {"comma": ",", "semicolon": ";", "tab": "\t", "pipe": "|"}
MOST_COLUMNS = 1000
MOST_CELLS = 1_000_000
LONGEST_NAME = 200


def read_table(text: str, delimiter: str, header: bool) -> tuple[list[str], list[list[str]], str]:
    """Names of columns, rows of equal length, and the delimiter's name."""
    text = text.removeprefix("\ufeff")
    name = guess(text) if delimiter == "auto" else delimiter
    rows = read_rows(text, DELIMITERS[name])
    if not rows:
        raise invalid("there is no row in it.")
    first = rows[0][1]
    width = len(first) if header else max(len(row) for _, row in rows)
    if width > MOST_COLUMNS:
        raise invalid(f"it has {width} columns; at most {MOST_COLUMNS} are read.")
    if width * len(rows) > MOST_CELLS:
        raise invalid(f"it has more than {MOST_CELLS} cells; give fewer rows or columns.")
    names = columns(first) if header else [f"column_{at}" for at in range(1, width + 1)]
    body = rows[1:] if header else rows
    for line, row in body:
        if len(row) > width:
            raise invalid(
                f"line {line} has {len(row)} cells, but there are {width} columns; "
                "quote cells that hold the delimiter.",
                line=line,
            )
    return names, [row + [""] * (width - len(row)) for _, row in body], name


def read_rows(text: str, delimiter: str) -> list[tuple[int, list[str]]]:
    """Rows that are not empty, each with the line that it ends on."""
    reader = csv.reader(io.StringIO(text, newline=""), delimiter=delimiter, strict=True)
    rows = []
    try:
        for row in reader:
            if row:
                rows.append((reader.line_num, row))
    except csv.Error as error:
        raise invalid(f"line {reader.line_num}: {error}.", line=reader.line_num) from None
    return rows


def guess(text: str) -> str:
    """The delimiter that the first line has most of, outside of quotes."""
    line, quoted = [], False
    for char in text[:20_000]:
        quoted ^= char == '"'
        if char in "\r\n" and not quoted:
            break
        if not quoted:
            line.append(char)
    return max(DELIMITERS, key=lambda name: line.count(DELIMITERS[name]))


def columns(first: list[str]) -> list[str]:
    """The header's names, each once: blank ones get a number, repeated ones too."""
    names: list[str] = []
    taken: set[str] = set()
    for at, cell in enumerate(first, start=1):
        base = cell.strip() or f"column_{at}"
        if len(base) > LONGEST_NAME:
            raise invalid(f"the name of column {at} is longer than {LONGEST_NAME} characters.")
        name, count = base, 1
        while name in taken:
            count += 1
            name = f"{base}_{count}"
        taken.add(name)
        names.append(name)
    return names


def invalid(message: str, **more: Any) -> ToolError:
    return ToolError(ErrorType.VALIDATION, f"/text: {message}", pointer="/text", **more)
