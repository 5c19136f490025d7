"""How long the registry takes: full build, rebuild after one change, load, and one validated call.

    python bench/registry.py [--quick]

Generates 1,000 tools in a temporary folder; --quick takes fewer rounds. Ratios are measured side
by side in the same run; every figure is a median.
"""

from __future__ import annotations

import json
import statistics
import subprocess
import sys
import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

import jsonschema_rs

from antiphon.registry.builder import build
from antiphon.registry.validation import Validator
from common import arguments, each, interleaved, result, seconds, table, verdict

INCREMENTAL_GOAL = 20
VALIDATE_GOAL = 2

TEXT = {"type": "string", "minLength": 1, "maxLength": 200}

KB_SEARCH: dict[str, Any] = {
    "type": "object",
    "properties": {
        "query": {"description": "What to look for.", **TEXT},
        "namespace": {
            "type": "string",
            "description": "Where to look.",
            "enum": ["studio", "personal", "public"],
            "default": "studio",
        },
        "filters": {
            "type": "object",
            "description": "What the results must have.",
            "properties": {
                "type": {
                    "type": "string",
                    "description": "Kind of record.",
                    "enum": ["project", "person", "process", "link", "doc"],
                },
                "tags": {
                    "type": "array",
                    "description": "All of these.",
                    "items": {"type": "string", "minLength": 1},
                    "maxItems": 5,
                },
                "date_range": {
                    "type": "object",
                    "description": "When it was last changed.",
                    "properties": {
                        "start": {
                            "type": "string",
                            "description": "From.",
                            "format": "date-time",
                        },
                        "end": {"type": "string", "description": "Until.", "format": "date-time"},
                    },
                    "additionalProperties": False,
                },
            },
            "additionalProperties": False,
        },
        "top_k": {
            "type": "integer",
            "description": "How many.",
            "minimum": 1,
            "maximum": 10,
            "default": 5,
        },
        "return_fields": {
            "type": "array",
            "description": "Which parts of each.",
            "items": {"type": "string", "enum": ["snippet", "full_text", "metadata", "url"]},
            "uniqueItems": True,
        },
        "include_snippets": {"type": "boolean", "description": "With text.", "default": True},
    },
    "required": ["query"],
    "additionalProperties": False,
}

KB_SEARCH_CALL: dict[str, Any] = {
    "query": "who founded the studio",
    "filters": {"type": "person", "tags": ["founder", "studio"]},
    "return_fields": ["snippet", "url"],
}


# -- tools of varied shape ---------------------------------------------------------------------


def _closed(properties: dict[str, Any], required: list[str], **more: Any) -> dict[str, Any]:
    return {
        "type": "object",
        "properties": properties,
        "required": required,
        "additionalProperties": False,
        **more,
    }


def _flat(number: int) -> dict[str, Any]:
    return _closed(
        {
            "text": {"description": "The text.", **TEXT},
            "language": {"type": "string", "description": "Of the text.", "pattern": "^[a-z]{2}$"},
            "limit": {
                "type": "integer",
                "description": "How many at most.",
                "minimum": 1,
                "maximum": 50 + number,
                "default": 10,
            },
        },
        ["text"],
    )


def _event(number: int) -> dict[str, Any]:
    moment = {"type": "string", "description": "A moment.", "format": "date-time"}
    return _closed(
        {
            "title": {"description": "What it is called.", **TEXT},
            "start": moment,
            "end": moment,
            "attendees": {
                "type": "array",
                "description": "Who comes.",
                "maxItems": 10 + number,
                "items": _closed(
                    {
                        "email": {"type": "string", "description": "Where.", "format": "email"},
                        "optional": {"type": "boolean", "description": "May stay away."},
                    },
                    ["email"],
                ),
            },
            "reminder": {"type": ["integer", "null"], "description": "Minutes before; null: none."},
        },
        ["title", "start", "end"],
    )


def _filter(number: int) -> dict[str, Any]:
    return _closed(
        {
            "table": {"description": "Which one.", **TEXT},
            "where": {"description": "The condition.", "$ref": "#/$defs/condition"},
            "order": {"type": "string", "description": "Up or down.", "enum": ["asc", "desc"]},
        },
        ["table"],
        **{
            "$defs": {
                "condition": {
                    "description": "One comparison, or several together.",
                    "anyOf": [
                        _closed(
                            {
                                "field": {"description": "Which.", **TEXT},
                                "op": {"description": "How.", "enum": ["eq", "lt", "gt", "in"]},
                                "value": {
                                    "description": "With what.",
                                    "type": ["string", "number", "boolean", "null"],
                                },
                            },
                            ["field", "op", "value"],
                        ),
                        _closed(
                            {
                                "all": {
                                    "description": "Each of these.",
                                    "type": "array",
                                    "maxItems": 5 + number,
                                    "items": {"$ref": "#/$defs/condition"},
                                }
                            },
                            ["all"],
                        ),
                    ],
                }
            }
        },
    )


def _payment(number: int) -> dict[str, Any]:
    def method(kind: str, **fields: Any) -> dict[str, Any]:
        body = {"kind": {"description": "Which way.", "const": kind}, **fields}
        return _closed(body, list(body))

    digits = {"type": "string", "description": "Digits.", "pattern": "^[0-9]{4,20}$"}
    return _closed(
        {
            "amount": {
                "type": "number",
                "description": "How much.",
                "exclusiveMinimum": 0,
                "maximum": 1000 + number,
            },
            "currency": {"type": "string", "description": "ISO code.", "enum": ["EUR", "USD"]},
            "method": {
                "description": "How it is paid.",
                "oneOf": [
                    method("card", number=digits, holder={"description": "Name.", **TEXT}),
                    method("transfer", iban={"description": "Account.", **TEXT}),
                    method("invoice", days={"description": "Due in.", "enum": [14, 30, 60]}),
                ],
            },
            "labels": {
                "type": "object",
                "description": "Free names and values.",
                "additionalProperties": {"type": "string"},
            },
        },
        ["amount", "currency", "method"],
    )


def _search(number: int) -> dict[str, Any]:
    properties = dict(KB_SEARCH["properties"])
    properties["offset"] = {"type": "integer", "description": "From.", "minimum": number}
    return {**KB_SEARCH, "properties": properties}


SHAPES: list[tuple[str, Callable[[int], dict[str, Any]], dict[str, Any]]] = [
    ("search", _search, {"category": "retrieval", "sideEffects": "read_only"}),
    ("words", _flat, {"category": "utility", "sideEffects": "none"}),
    ("event", _event, {"category": "action", "sideEffects": "writes"}),
    ("query", _filter, {"category": "retrieval", "sideEffects": "read_only"}),
    ("payment", _payment, {"category": "action", "sideEffects": "writes"}),
]

HANDLER = '''"""{tool}: answers with what it was asked, for measuring."""

from __future__ import annotations

import re
from typing import Any

from antiphon import ErrorType, ToolError, ok

WORD = re.compile(r"\\w+")
REVISION = {revision}


async def execute(args: dict[str, Any], context: Any) -> Any:
    """Count the words of every text in the arguments."""
    texts = [value for value in args.values() if isinstance(value, str)]
    if not texts:
        raise ToolError(ErrorType.PERMANENT, "There is nothing to count.")
    return ok({{"words": sum(len(WORD.findall(text)) for text in texts)}})
'''


def write_tools(folder: Path, count: int) -> list[Path]:
    directories = []
    for number in range(count):
        kind, shape, traits = SHAPES[number % len(SHAPES)]
        writes = traits["sideEffects"] == "writes"
        directory = folder / f"{kind}-{number}"
        directory.mkdir(parents=True)
        tool = f"{kind}_{number}"
        schema = {
            "toolId": tool,
            "version": "1.0.0",
            "description": f"Answer a {kind} request of kind {number}.",
            **traits,
            "idempotent": not writes,
            "requiresConfirmation": writes,
            "allowedModes": ["text", "voice"],
            "latencyBudgetMs": 500,
            "parameters": shape(number),
            "output": _closed({"words": {"type": "integer", "description": "How many."}}, []),
        }
        (directory / "schema.json").write_text(json.dumps(schema, indent=2))
        (directory / "guide.md").write_text(
            f"# {tool}\n\nAnswers {kind} requests of kind {number}.\n\n## Watch Out\n"
            + "- Quote what it returns; do not guess beyond it.\n" * 8
        )
        write_handler(directory, 0)
        directories.append(directory)
    return directories


def write_handler(directory: Path, revision: int) -> None:
    tool = directory.name.replace("-", "_")
    (directory / "handler.py").write_text(HANDLER.format(tool=tool, revision=revision))


# -- what is measured --------------------------------------------------------------------------


def built(folder: Path, out: Path, *, use_cache: bool) -> None:
    report = build([folder], out, use_cache=use_cache)
    if not report.ok:
        first = next(f for f in report.findings if f.severity == "error")
        sys.exit(f"the generated tools do not build: {first.file} {first.pointer} {first.message}")


def builds(folder: Path, out: Path, tools: list[Path], rounds: int) -> tuple[float, float, float]:
    """Medians of a full build, a rebuild after one change, and a rebuild after none."""
    full, changed, unchanged = [], [], []
    built(folder, out, use_cache=True)
    revision = 0
    for _ in range(rounds):
        full.append(seconds(lambda: built(folder, out, use_cache=False)))
        for _ in range(3):
            revision += 1
            write_handler(tools[(revision * 37) % len(tools)], revision)
            changed.append(seconds(lambda: built(folder, out, use_cache=True)))
            unchanged.append(seconds(lambda: built(folder, out, use_cache=True)))
    return statistics.median(full), statistics.median(changed), statistics.median(unchanged)


def in_new_process(code: str, *args: str) -> float:
    """A figure that `code` prints, from an interpreter that has nothing loaded yet."""
    done = subprocess.run(
        [sys.executable, "-c", code, *args], capture_output=True, text=True, check=True
    )
    return float(done.stdout)


LOAD = """
import sys, time
from antiphon.registry import Registry
start = time.perf_counter()
registry = Registry.load(sys.argv[1])
print(time.perf_counter() - start)
"""
IMPORT = """
import time
start = time.perf_counter()
import antiphon
print(time.perf_counter() - start)
"""


def validation(quick: bool) -> tuple[float, float, float]:
    """Seconds per call: `accept`, the bare library, and the median ratio of neighbours."""
    accept = Validator(KB_SEARCH).accept
    bare = jsonschema_rs.Draft202012Validator(KB_SEARCH, validate_formats=True).is_valid
    accepted = accept(KB_SEARCH_CALL)
    if accepted is None or accepted["top_k"] != 5 or not bare(KB_SEARCH_CALL):
        sys.exit("the call that is measured must be valid and get its defaults")
    times = 2_000 if quick else 10_000
    ratios: list[float] = []

    def ours() -> float:
        return each(lambda: accept(KB_SEARCH_CALL), times)

    def theirs() -> float:
        return each(lambda: bare(KB_SEARCH_CALL), times)

    def ratio() -> float:
        ratios.append(ours() / theirs())
        return ratios[-1]

    mine, library, together = interleaved([ours, theirs, ratio], 15 if quick else 31)
    return mine, library, together


def main() -> None:
    quick = arguments(__doc__ or "").quick
    count = 1000
    with tempfile.TemporaryDirectory() as temporary:
        folder, out = Path(temporary) / "tools", Path(temporary) / "tool_registry.json"
        tools = write_tools(folder, count)
        full, changed, unchanged = builds(folder, out, tools, 1 if quick else 3)
        artifact = str(out)
        size = out.stat().st_size
        load, start = interleaved(
            [lambda: in_new_process(LOAD, artifact), lambda: in_new_process(IMPORT)],
            3 if quick else 5,
        )
    mine, bare, ratio = validation(quick)
    faster = full / changed
    table(
        f"Registry of {count:,} generated tools ({size / 1e6:.1f} MB artifact)",
        [
            ("full build", f"{full:.2f} s", f"{full / count * 1000:.2f} ms a tool"),
            ("rebuild, one handler changed", f"{changed * 1000:.0f} ms", ""),
            ("rebuild, nothing changed", f"{unchanged * 1000:.0f} ms", ""),
            (
                "full build / rebuild",
                f"{faster:.1f} x",
                # What a rebuild costs at the least weighs more against a smaller full build.
                f"the goal, {INCREMENTAL_GOAL} x, is for 1,000 tools"
                if quick
                else verdict(faster >= INCREMENTAL_GOAL, f"at least {INCREMENTAL_GOAL} x"),
            ),
            ("load, new process", f"{load:.2f} s", f"{load / count * 1000:.2f} ms a tool"),
            ("validate and apply defaults", f"{mine * 1e6:.2f} us", "a kb_search call"),
            ("bare jsonschema-rs is_valid", f"{bare * 1e6:.2f} us", "the same call"),
            (
                "validate / bare",
                f"{ratio:.2f} x",
                verdict(ratio <= VALIDATE_GOAL, f"at most {VALIDATE_GOAL} x"),
            ),
            ("import antiphon, new process", f"{start * 1000:.1f} ms", ""),
        ],
    )
    result(
        {
            "n": count,
            "build_s": full,
            "incremental_s": changed,
            "unchanged_s": unchanged,
            "incremental_ratio": faster,
            "load_s": load,
            "validate_us": mine * 1e6,
            "bare_us": bare * 1e6,
            "validate_ratio": ratio,
            "import_ms": start * 1000,
        }
    )


if __name__ == "__main__":
    main()
