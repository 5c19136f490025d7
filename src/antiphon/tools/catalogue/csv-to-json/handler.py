"""CSV to JSON conversion: one object for each row, with numbers as numbers."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from typing import Any

from antiphon import ok
from antiphon.toolkit import invalid
from antiphon.toolkit.csv_table import parse_csv

LONGEST = 4_000_000
# Leading zeros and long digits are codes, not amounts.
WHOLE = re.compile(r"-?(?:0|[1-9][0-9]{0,14})")
REAL = re.compile(r"-?(?:0|[1-9][0-9]{0,14})\.[0-9]{1,15}(?:[eE][+-]?[0-9]{1,2})?")
TRUTH = {"true": True, "false": False}


def execute(args: dict[str, Any], context: Any) -> Any:
    names, rows, delimiter = parse_csv(args["text"], args["delimiter"], args["header"])
    objects = args["shape"] == "objects"
    named = sum(len(name) + 6 for name in names) * len(rows) if objects else 0
    padding = (len(names) + 2) * len(rows) * (2 * args["indent"] + 5)
    if named + padding + len(args["text"]) > LONGEST:
        raise invalid(
            "/text",
            f"the JSON would be longer than {LONGEST} characters; give fewer rows, `indent` 0 "
            "or the shape arrays.",
        )
    if args["types"]:
        readers = [reader_of([row[at] for row in rows]) for at in range(len(names))]
        read = [[reader(cell) for reader, cell in zip(readers, row, strict=True)] for row in rows]
    else:
        read = [list[Any](row) for row in rows]
    if objects:
        value: list[Any] = [dict(zip(names, row, strict=True)) for row in read]
    else:
        value = read
    text = json.dumps(value, ensure_ascii=False, indent=args["indent"] or None)
    return ok({"json": text, "rows": len(rows), "columns": names, "delimiter": delimiter})


def reader_of(cells: list[str]) -> Callable[[str], Any]:
    """Choose the cell converter of a column: all of its cells are numbers or booleans, or none."""
    filled = {cell for cell in cells if cell}
    if all(WHOLE.fullmatch(cell) for cell in filled):
        return lambda cell: int(cell) if cell else None
    if all(WHOLE.fullmatch(cell) or REAL.fullmatch(cell) for cell in filled):
        return lambda cell: float(cell) if cell else None
    if all(cell.lower() in TRUTH for cell in filled):
        return lambda cell: TRUTH[cell.lower()] if cell else None
    return lambda cell: cell or None
