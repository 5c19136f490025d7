"""SQLite query over tables made from CSV, in a child process that can be stopped."""

from __future__ import annotations

import csv
import io
import json
import re
import sqlite3
import sys
from collections.abc import Callable
from typing import Any

MEMORY = 1 << 29
STEPS = 2_000  # of ten thousand instructions each
MOST_COLUMNS = 500
MOST_CELLS = 1_000_000
LONGEST_CELL = 10_000
LONGEST_ANSWER = 1_000_000
WHOLE = re.compile(r"-?(?:0|[1-9][0-9]{0,17})")
REAL = re.compile(r"-?(?:0|[1-9][0-9]{0,14})\.[0-9]{1,15}(?:[eE][+-]?[0-9]{1,2})?")
READING = (
    sqlite3.SQLITE_SELECT,
    sqlite3.SQLITE_READ,
    sqlite3.SQLITE_FUNCTION,
    sqlite3.SQLITE_RECURSIVE,
)


class QueryRefused(Exception):
    def __init__(self, pointer: str, problem: str) -> None:
        super().__init__(problem)
        self.pointer, self.problem = pointer, problem


def main() -> None:
    limit_memory()
    task = json.loads(sys.stdin.buffer.read())
    try:
        answer = run_query(task)
    except QueryRefused as refused:
        answer = {"pointer": refused.pointer, "problem": refused.problem}
    except MemoryError:
        answer = {"pointer": "/query", "problem": "it needed more memory than it may have."}
    sys.stdout.buffer.write(json.dumps(answer).encode())


def limit_memory() -> None:
    if sys.platform != "win32":
        import resource

        resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))


def run_query(task: dict[str, Any]) -> dict[str, Any]:
    base = sqlite3.connect(":memory:")
    tables = []
    for name, text in task["tables"].items():
        pointer = "/csv" if name == "data" else "/other"
        columns, rows = parse_csv(text, pointer)
        fill(base, name, columns, rows)
        tables.append({"name": name, "columns": columns, "rows": len(rows)})
    base.commit()
    base.execute("PRAGMA temp_store = MEMORY")
    base.setlimit(sqlite3.SQLITE_LIMIT_LENGTH, 1_000_000)
    base.set_authorizer(authorize)
    left = [STEPS]

    def step() -> int:
        left[0] -= 1
        return int(left[0] < 0)

    base.set_progress_handler(step, 10_000)
    try:
        cursor = base.execute(task["query"])
        if cursor.description is None:
            raise QueryRefused("/query", "it gives no rows; write one SELECT.")
        names = [one[0] for one in cursor.description]
        found = cursor.fetchmany(task["rows"] + 1)
    except (sqlite3.Error, sqlite3.Warning) as error:
        raise QueryRefused("/query", explain_error(str(error), left[0] < 0, tables)) from None
    kept = [[to_json_cell(value) for value in row] for row in found[: task["rows"]]]
    while kept and len(json.dumps(kept)) > LONGEST_ANSWER:
        del kept[len(kept) // 2 :]
    return {
        "columns": names,
        "rows": kept,
        "row_count": len(kept),
        "truncated": len(found) > len(kept),
        "tables": tables,
    }


def authorize(action: int, first: str | None, second: str | None, *rest: str | None) -> int:
    if action == sqlite3.SQLITE_FUNCTION and second in ("load_extension", "random", "randomblob"):
        return sqlite3.SQLITE_DENY
    return sqlite3.SQLITE_OK if action in READING else sqlite3.SQLITE_DENY


def explain_error(message: str, stopped: bool, tables: list[dict[str, Any]]) -> str:
    if stopped:
        return "it is too much work; ask for less at once."
    if "not authorized" in message or "prohibited" in message:
        return "only reading is allowed: write one SELECT, without random()."
    if message.startswith(("no such column", "no such table")):
        known = "; ".join(f"{one['name']}({', '.join(one['columns'][:30])})" for one in tables)
        return f"{message}; there are {known}."
    return f"{message}."


def parse_csv(text: str, pointer: str) -> tuple[list[str], list[list[Any]]]:
    text = text.removeprefix("\ufeff")
    line = text.split("\n", 1)[0]
    delimiter = max(",;\t|", key=line.count)
    reader = csv.reader(io.StringIO(text, newline=""), delimiter=delimiter, strict=True)
    rows: list[list[Any]] = []
    names: list[str] = []
    try:
        for row in reader:
            if not row:
                continue
            if not names:
                names = columns(row, pointer)
                continue
            if len(row) > len(names):
                raise QueryRefused(
                    pointer,
                    f"line {reader.line_num} has {len(row)} cells, but there are "
                    f"{len(names)} columns; quote cells that hold the delimiter.",
                )
            if len(rows) * len(names) > MOST_CELLS:
                raise QueryRefused(pointer, f"it has more than {MOST_CELLS} cells.")
            cells: list[Any] = [value or None for value in row]
            rows.append(cells + [None] * (len(names) - len(row)))
    except csv.Error as error:
        raise QueryRefused(pointer, f"line {reader.line_num}: {error}.") from None
    if not names:
        raise QueryRefused(pointer, "there is no row in it.")
    for at in range(len(names)):
        kind = kind_of({row[at] for row in rows if row[at]})
        if kind:
            for typed in rows:
                typed[at] = None if typed[at] is None else kind(typed[at])
    return names, rows


def columns(row: list[str], pointer: str) -> list[str]:
    """Return column names that need no quotes in SQL: "Unit price" becomes unit_price."""
    if len(row) > MOST_COLUMNS:
        raise QueryRefused(pointer, f"it has {len(row)} columns; at most {MOST_COLUMNS} are read.")
    names: list[str] = []
    for at, value in enumerate(row, start=1):
        base = re.sub(r"\W+", "_", value.strip().lower())[:60].strip("_") or f"column_{at}"
        base = f"c_{base}" if base[0].isdigit() else base
        name, count = base, 1
        while name in names:
            count += 1
            name = f"{base}_{count}"
        names.append(name)
    return names


def kind_of(values: set[str]) -> Callable[[str], Any] | None:
    """Return a column's SQL type: numeric if all of it is; codes such as 01234 keep their zeros."""
    if all(WHOLE.fullmatch(value) for value in values):
        return int
    return float if all(WHOLE.fullmatch(one) or REAL.fullmatch(one) for one in values) else None


def fill(base: sqlite3.Connection, name: str, names: list[str], rows: list[list[Any]]) -> None:
    # The names are word characters alone, so quotes are all they need.
    listed = ", ".join(f'"{one}"' for one in names)
    marks = ", ".join("?" * len(names))
    base.execute(f'CREATE TABLE "{name}" ({listed})')
    base.executemany(f'INSERT INTO "{name}" VALUES ({marks})', rows)  # noqa: S608


def to_json_cell(value: Any) -> Any:
    if isinstance(value, bytes):
        return value[:LONGEST_CELL].hex()
    if isinstance(value, float) and value in (float("inf"), float("-inf")):
        return str(value)
    return value[:LONGEST_CELL] if isinstance(value, str) else value


if __name__ == "__main__":
    main()
