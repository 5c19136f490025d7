"""Literal repetition: no eight lines of code stand twice in the package."""

from __future__ import annotations

import ast
from collections import defaultdict
from pathlib import Path

import antiphon

ROOT = Path(antiphon.__file__).parent
LINES = 8


def code_lines(text: str) -> list[tuple[int, str]]:
    """The lines of a module that do something, without imports, docstrings and lone brackets.

    Nor do signatures count: a protocol and what implements it have the same ones.
    """
    skipped: set[int] = set()
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            skipped.update(range(node.lineno, node.body[0].lineno))
        if isinstance(node, ast.Import | ast.ImportFrom) or (
            isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant)
        ):
            skipped.update(range(node.lineno, (node.end_lineno or node.lineno) + 1))
    found = []
    for number, line in enumerate(text.splitlines(), 1):
        bare = " ".join(line.split())
        if number not in skipped and any(letter.isalnum() for letter in bare) and bare[0] != "#":
            found.append((number, bare))
    return found


def repetitions(texts: dict[str, str]) -> list[str]:
    """The places whose next eight lines of code stand in another place, too."""
    places: dict[tuple[str, ...], list[str]] = defaultdict(list)
    for name, text in sorted(texts.items()):
        lines = code_lines(text)
        for at in range(len(lines) - LINES + 1):
            window = tuple(line for _, line in lines[at : at + LINES])
            places[window].append(f"{name}:{lines[at][0]}")
    return [" and ".join(found) for found in places.values() if len(found) > 1]


def test_no_eight_lines_of_code_stand_twice() -> None:
    texts = {
        str(path.relative_to(ROOT)): path.read_text("utf-8")
        for path in ROOT.rglob("*.py")
        if "__pycache__" not in path.parts and "static" not in path.parts
    }
    found = repetitions(texts)
    assert not found, "\n".join(found)


def test_repetition_is_found_despite_comments_and_layout() -> None:
    lines = [f"value_{number} = {number}" for number in range(LINES)]
    other = ["import os", *(f"{line}  " for line in lines[:4]), "# why", "", *lines[4:]]
    assert repetitions({"a.py": "\n".join(lines), "b.py": "\n".join(other)}) == [
        "a.py:1 and b.py:2"
    ]
    assert repetitions({"a.py": "\n".join(lines[1:]), "b.py": "\n".join(other)}) == []
