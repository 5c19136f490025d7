"""CSV text as a table; the delimiter is sniffed when it is not given."""

from __future__ import annotations

import csv
import io

from .errors import invalid

_DELIMITERS = {"comma": ",", "semicolon": ";", "tab": "\t", "pipe": "|"}
_MOST_COLUMNS = 1000
_MOST_CELLS = 1_000_000
_LONGEST_NAME = 200


def parse_csv(text: str, delimiter: str, header: bool) -> tuple[list[str], list[list[str]], str]:
    """Parse CSV text into column names, rows of equal length and the delimiter's name.

    `delimiter` is comma, semicolon, tab, pipe or auto. Raises the VALIDATION error of `/text` for
    broken quoting, a row that is too long, and more columns or cells than are read.
    """
    text = text.removeprefix("\ufeff")
    name = _sniff(text) if delimiter == "auto" else delimiter
    rows = _parse_rows(text, _DELIMITERS[name])
    if not rows:
        raise invalid("/text", "there is no row in it.")
    first = rows[0][1]
    width = len(first) if header else max(len(row) for _, row in rows)
    if width > _MOST_COLUMNS:
        raise invalid("/text", f"it has {width} columns; at most {_MOST_COLUMNS} are read.")
    if width * len(rows) > _MOST_CELLS:
        raise invalid("/text", f"it has more than {_MOST_CELLS} cells; give fewer rows or columns.")
    names = _column_names(first) if header else [f"column_{at}" for at in range(1, width + 1)]
    body = rows[1:] if header else rows
    for line, row in body:
        if len(row) > width:
            raise invalid(
                "/text",
                f"line {line} has {len(row)} cells, but there are {width} columns; "
                "quote cells that hold the delimiter.",
                line=line,
            )
    return names, [row + [""] * (width - len(row)) for _, row in body], name


def _parse_rows(text: str, delimiter: str) -> list[tuple[int, list[str]]]:
    """Return the rows that are not empty, each with the line that it ends on."""
    reader = csv.reader(io.StringIO(text, newline=""), delimiter=delimiter, strict=True)
    rows = []
    try:
        for row in reader:
            if row:
                rows.append((reader.line_num, row))
    except csv.Error as error:
        raise invalid("/text", f"line {reader.line_num}: {error}.", line=reader.line_num) from None
    return rows


def _sniff(text: str) -> str:
    """Return the name of the delimiter that the first line has most of, outside of quotes."""
    line, quoted = [], False
    for char in text[:20_000]:
        quoted ^= char == '"'
        if char in "\r\n" and not quoted:
            break
        if not quoted:
            line.append(char)
    return max(_DELIMITERS, key=lambda name: line.count(_DELIMITERS[name]))


def _column_names(first: list[str]) -> list[str]:
    """Return the header's names, each once: blank ones get a number, repeated ones too."""
    names: list[str] = []
    taken: set[str] = set()
    for at, cell in enumerate(first, start=1):
        base = cell.strip() or f"column_{at}"
        if len(base) > _LONGEST_NAME:
            raise invalid(
                "/text", f"the name of column {at} is longer than {_LONGEST_NAME} characters."
            )
        name, count = base, 1
        while name in taken:
            count += 1
            name = f"{base}_{count}"
        taken.add(name)
        names.append(name)
    return names
