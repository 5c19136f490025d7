"""Column statistics of a CSV: type, gaps, spread and commonest values."""

from __future__ import annotations

import math
import re
from collections import Counter
from datetime import date
from typing import Any

from antiphon import ok
from antiphon.toolkit.csv_table import parse_csv

NUMBER = re.compile(r"[+-]?(?:[0-9]{1,15}(?:\.[0-9]{0,15})?|\.[0-9]{1,15})(?:[eE][+-]?[0-9]{1,2})?")
DAY = re.compile(r"[0-9]{4}-[0-9]{2}-[0-9]{2}")
TRUTH = frozenset(("true", "false", "yes", "no"))


def execute(args: dict[str, Any], context: Any) -> Any:
    names, rows, delimiter = parse_csv(args["text"], args["delimiter"], args["header"])
    columns = [
        describe(name, [row[at].strip() for row in rows], args["top"])
        for at, name in enumerate(names)
    ]
    repeated = len(rows) - len({tuple(row) for row in rows})
    return ok(
        {
            "rows": len(rows),
            "repeated_rows": repeated,
            "delimiter": delimiter,
            "columns": columns,
        }
    )


def describe(name: str, cells: list[str], top: int) -> dict[str, Any]:
    filled = [cell for cell in cells if cell]
    counts = Counter(filled)
    kind = kind_of(list(counts))
    found: dict[str, Any] = {
        "name": name,
        "type": kind,
        "filled": len(filled),
        "empty": len(cells) - len(filled),
        "distinct": len(counts),
    }
    if kind == "number":
        found |= spread(sorted(float(cell) for cell in filled))
    elif kind == "date":
        found |= {"first": min(filled), "last": max(filled)}
    if kind != "empty":
        ranked = sorted(counts.items(), key=lambda item: (-item[1], item[0]))[:top]
        found["top"] = [{"value": value[:200], "count": count} for value, count in ranked]
    return found


def kind_of(values: list[str]) -> str:
    if not values:
        return "empty"
    if all(NUMBER.fullmatch(value) for value in values):
        return "number"
    if all(is_day(value) for value in values):
        return "date"
    return "boolean" if all(value.lower() in TRUTH for value in values) else "text"


def is_day(value: str) -> bool:
    if not DAY.fullmatch(value):
        return False
    try:
        date.fromisoformat(value)
    except ValueError:
        return False
    return True


def spread(numbers: list[float]) -> dict[str, float]:
    count = len(numbers)
    total = math.fsum(numbers)
    mean = total / count
    squares = math.fsum((number - mean) ** 2 for number in numbers)
    return {
        "min": numbers[0],
        "max": numbers[-1],
        "sum": total,
        "mean": round_float(mean),
        "median": round_float((numbers[(count - 1) // 2] + numbers[count // 2]) / 2),
        "stdev": round_float(math.sqrt(squares / (count - 1))) if count > 1 else 0.0,
    }


def round_float(number: float) -> float:
    """Round to ten digits, which hides what adding binary fractions leaves behind."""
    return float(f"{number:.10g}")
