"""Complexity of functions: cyclomatic by lizard, cognitive by complexipy for Python."""

from __future__ import annotations

import re
from typing import Any

from antiphon import ok
from antiphon.toolkit import invalid
from antiphon.toolkit.python_source import parse_python, source_text

from .cognitive import cognitive
from .language import language_of
from .line_breaks import SplitSource

MOST = 100
DEEPEST = 150
RATINGS = ((5, "A"), (10, "B"), (20, "C"), (30, "D"), (40, "E"))


def execute(args: dict[str, Any], context: Any) -> Any:
    code = source_text(args["code"])
    language, suffix = language_of(code, args.get("language"))
    broken = SplitSource(code, parse_python(code)) if language == "python" else SplitSource(code)
    functions, lines = measure_functions(broken, suffix)
    totals: dict[str, Any] = {"lines": lines}
    if language == "python":
        totals["cognitive"] = add_cognitive(code, functions)
    paths = [one["cyclomatic"] for one in functions]
    totals["average_cyclomatic"] = round(sum(paths) / len(paths), 2) if paths else 0
    totals["max_cyclomatic"] = max(paths, default=0)
    functions.sort(key=lambda one: (-one["cyclomatic"], -one.get("cognitive", 0), one["line"]))
    return ok(
        {
            "language": language,
            "functions": functions[:MOST],
            "count": len(functions),
            "totals": totals,
            "rating": rating(totals["max_cyclomatic"]),
            "advice": advice(functions),
            "summary": summary(functions),
        }
    )


def measure_functions(code: SplitSource, suffix: str) -> tuple[list[dict[str, Any]], int]:
    import lizard

    # lizard follows each bracket with a call of its own, and gives up silently when too deep.
    if nesting_depth(code.text) > DEEPEST:
        raise invalid("/code", f"is nested more than {DEEPEST} deep; it cannot be measured.")
    found = lizard.analyze_file.analyze_source_code(f"code.{suffix}", code.text)
    return [
        {
            "name": one.name,
            "line": code.line(one.start_line),
            "end_line": code.line(one.end_line),
            "lines": one.nloc - code.broken(one.start_line),
            "parameters": len(one.full_parameters),
            "cyclomatic": max(1, one.cyclomatic_complexity),
            "rating": rating(one.cyclomatic_complexity),
        }
        for one in found.function_list
    ], found.nloc - code.breaks


def nesting_depth(code: str) -> int:
    deepest = level = 0
    for bracket in re.findall(r"[][(){}]", code):
        level = level + 1 if bracket in "([{" else max(0, level - 1)
        deepest = max(deepest, level)
    return deepest


def add_cognitive(code: str, functions: list[dict[str, Any]]) -> int:
    """Add its cognitive complexity to each function; return that of the whole code."""
    total, by_line = cognitive(code)
    for function in functions:
        # complexipy starts at the decorators, lizard at the name.
        near = [line for line in by_line if line <= function["line"] <= line + 3]
        if near:
            function["cognitive"] = by_line[max(near)]
    return total


def rating(paths: int) -> str:
    return next((letter for most, letter in RATINGS if paths <= most), "F")


def advice(functions: list[dict[str, Any]]) -> list[str]:
    found = []
    for one in functions[:5]:
        where = f"{one['name']} (line {one['line']})"
        if one["cyclomatic"] > 10:
            found.append(f"Split {where}: it has {one['cyclomatic']} paths; 10 are easy to test.")
        elif one.get("cognitive", 0) > 15:
            found.append(f"Flatten {where}: nesting makes it hard to read; return early.")
    for one in functions:
        if one["parameters"] > 6 and len(found) < 8:
            found.append(
                f"Group the {one['parameters']} parameters of {one['name']} (line {one['line']})."
            )
        if one["lines"] > 80 and len(found) < 8:
            found.append(f"Shorten {one['name']} (line {one['line']}): {one['lines']} lines.")
    return found


def summary(functions: list[dict[str, Any]]) -> str:
    if not functions:
        return "The code has no functions."
    worst = functions[0]
    hard = sum(one["cyclomatic"] > 10 for one in functions)
    count = f"{len(functions)} function{'' if len(functions) == 1 else 's'}"
    said = f"{hard} of them complex" if hard else "all simple"
    paths = f"{worst['cyclomatic']} path{'' if worst['cyclomatic'] == 1 else 's'}"
    return f"{count}, {said}: the most complex is {worst['name']} with {paths}."
