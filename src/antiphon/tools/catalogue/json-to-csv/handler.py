"""JSON to CSV conversion, nested records with dotted column names."""

from __future__ import annotations

import csv
import io
import json
from typing import Any

from antiphon import ok
from antiphon.toolkit import invalid

DELIMITERS = {"comma": ",", "semicolon": ";", "tab": "\t", "pipe": "|"}
MOST_COLUMNS = 1000
DEEPEST = 20
LONGEST = 4_000_000
FORMULA = ("=", "+", "-", "@", "\t", "\r")


def execute(args: dict[str, Any], context: Any) -> Any:
    records = [flatten(record) for record in parse_json(args["text"])]
    names = list(dict.fromkeys(name for record in records for name in record))
    if "columns" in args:
        missing = [name for name in args["columns"] if name not in names]
        if missing:
            raise invalid(
                "/columns", f"no record has {missing[0][:80]!r}; there are {', '.join(names[:20])}."
            )
        names = args["columns"]
    if len(names) > MOST_COLUMNS:
        raise invalid("/text", f"it has {len(names)} columns; at most {MOST_COLUMNS} are written.")
    if len(names) * len(records) > LONGEST:
        raise invalid("/text", "the table would be too large; give fewer records or `columns`.")
    out = io.StringIO()
    writer = csv.writer(out, delimiter=DELIMITERS[args["delimiter"]], lineterminator="\n")
    guard = args["escape_formulas"]
    if args["header"]:
        writer.writerow([escape_formula(name, guard) for name in names])
    for record in records:
        writer.writerow([escape_formula(to_cell(record.get(name)), guard) for name in names])
    return ok({"csv": out.getvalue(), "rows": len(records), "columns": names})


def parse_json(text: str) -> list[Any]:
    try:
        value = json.loads(text.removeprefix("\ufeff"))
    except json.JSONDecodeError as error:
        raise invalid(
            "/text", f"no JSON at line {error.lineno}, column {error.colno}: {error.msg}."
        ) from None
    except (RecursionError, ValueError):
        raise invalid("/text", "it is nested too deeply or has too long a number.") from None
    if "\\u" in text and any(is_surrogate(one) for one in json.dumps(value, ensure_ascii=False)):
        raise invalid("/text", "it has half of a surrogate pair, which no text can hold.")
    records = value if isinstance(value, list) else [value]
    kinds = {type(record) for record in records}
    if not records or not (kinds == {dict} or kinds == {list}):
        raise invalid("/text", "a list of objects (or of lists) is needed, such as [{...}, {...}].")
    return records


def is_surrogate(char: str) -> bool:
    return "\ud800" <= char <= "\udfff"


def flatten(record: Any) -> dict[str, Any]:
    if isinstance(record, list):
        return {f"column_{at}": value for at, value in enumerate(record, start=1)}
    found: dict[str, Any] = {}
    unfold(record, "", found, DEEPEST)
    return found


def unfold(value: dict[str, Any], prefix: str, found: dict[str, Any], left: int) -> None:
    """Flatten objects into columns `a.b`; lists stay one cell of JSON."""
    for key, one in value.items():
        if isinstance(one, dict) and one:
            if not left:
                raise invalid("/text", f"a record is nested more than {DEEPEST} levels deep.")
            unfold(one, f"{prefix}{key}.", found, left - 1)
        else:
            found[prefix + key] = one


def to_cell(value: Any) -> str:
    if value is None:
        return ""
    return value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)


def escape_formula(text: str, guard: bool) -> str:
    if not guard or not text.startswith(FORMULA):
        return text
    try:
        float(text)
    except ValueError:
        return "'" + text
    return text
