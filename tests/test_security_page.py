"""The security page: every requirement of the checklist stands there once, every test exists."""

from __future__ import annotations

import ast
import re
from functools import cache
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
PAGE = (ROOT / "docs" / "security.md").read_text("utf-8")
RULES = set(re.findall(r"^\| `([\w.]+)` \|", (ROOT / "docs" / "rules.md").read_text("utf-8"), re.M))
STATES = {"met", "partly", "open", "operator", "publisher", "does not apply"}

# The requirements of levels 1 and 2, by section. What is missing is of level 3 or was deleted.
REQUIREMENTS = """
1.1: 1-7; 1.2: 1-4; 1.4: 1 4 5; 1.5: 1-4; 1.6: 1-4; 1.7: 1 2; 1.8: 1 2; 1.9: 1 2; 1.10: 1;
1.11: 1 2; 1.12: 2; 1.14: 1-6;
2.1: 1-12; 2.2: 1-3; 2.3: 1-3; 2.4: 1-5; 2.5: 1-7; 2.6: 1-3; 2.7: 1-6; 2.8: 1-7; 2.9: 1-3;
2.10: 1-4;
3.1: 1; 3.2: 1-4; 3.3: 1-4; 3.4: 1-5; 3.5: 1-3; 3.7: 1;
4.1: 1 2 3 5; 4.2: 1 2; 4.3: 1-3;
5.1: 1-5; 5.2: 1-8; 5.3: 1-10; 5.4: 1-3; 5.5: 1-4;
6.1: 1-3; 6.2: 1-6; 6.3: 1 2; 6.4: 1 2;
7.1: 1-4; 7.2: 1 2; 7.3: 1 3 4; 7.4: 1-3;
8.1: 1-4; 8.2: 1-3; 8.3: 1-8;
9.1: 1-3; 9.2: 1-4;
10.2: 1 2; 10.3: 1-3;
11.1: 1-8;
12.1: 1-3; 12.2: 1; 12.3: 1-6; 12.4: 1 2; 12.5: 1 2; 12.6: 1;
13.1: 1 3 4 5; 13.2: 1 2 3 5 6; 13.3: 1 2; 13.4: 1 2;
14.1: 1-4; 14.2: 1-6; 14.3: 2 3; 14.4: 1-7; 14.5: 1-4
"""


def expected() -> list[str]:
    found = []
    for section in REQUIREMENTS.split(";"):
        name, _, numbers = section.strip().partition(": ")
        for part in numbers.split():
            first, _, last = part.partition("-")
            found += [f"V{name}.{n}" for n in range(int(first), int(last or first) + 1)]
    return found


def rows() -> list[list[str]]:
    """The rows of the checklist: number, what it asks, state, how, test."""
    lines = [line for line in PAGE.splitlines() if re.match(r"\| V\d", line)]
    return [[cell.strip() for cell in line.strip("|").split("|")] for line in lines]


def numbers(cell: str) -> list[str]:
    first, to, last = cell.partition(" to ")
    if not to:
        return cell.split(", ")
    section = first.rpartition(".")[0]
    assert section == last.rpartition(".")[0], cell
    ends = (int(each.rpartition(".")[2]) for each in (first, last))
    return [f"{section}.{n}" for n in range(next(ends), next(ends) + 1)]


@cache
def functions_of(path: str) -> set[str]:
    tree = ast.parse((ROOT / path).read_text("utf-8"))
    functions = (ast.FunctionDef, ast.AsyncFunctionDef)
    return {node.name for node in ast.walk(tree) if isinstance(node, functions)}


def test_every_requirement_is_there_once_and_in_order() -> None:
    assert [number for row in rows() for number in numbers(row[0])] == expected()


def test_every_row_has_a_state_and_what_is_met_its_test() -> None:
    for number, asks, state, how, test in rows():
        assert state in STATES, number
        assert asks, number
        assert how or state in ("met", "publisher"), number
        if state == "met":
            assert test, number
        if state == "does not apply":
            assert not test, number


def test_the_list_for_agents_names_each_risk_once_with_rules_and_tests_that_there_are() -> None:
    lines = [line for line in PAGE.splitlines() if line.startswith("| ASI")]
    found = [[cell.strip() for cell in line.strip("|").split("|")] for line in lines]
    assert [row[0] for row in found] == [f"ASI{n:02}" for n in range(1, 11)]
    for number, risk, named, more, left, tests in found:
        assert risk, number
        assert more, number
        assert left, number
        rules = re.findall(r"`([^`]+)`", named)
        assert rules, number
        assert set(rules) <= RULES, number
        assert "::" in tests, number


def test_every_test_that_is_named_exists() -> None:
    named = re.findall(r"`(tests/[\w/]+\.py)::(\w+)`", PAGE)
    assert len(named) > 150
    missing = [f"{path}::{name}" for path, name in named if name not in functions_of(path)]
    assert not missing
    assert PAGE.count("::") == len(named), "a test is not written as `tests/path.py::name`"


def test_every_module_that_is_named_exists() -> None:
    for path in re.findall(
        r"`((?:access|contracts|limits|net|policy|secrecy|server|usage)/[^`]+)`", PAGE
    ):
        assert (ROOT / "src" / "antiphon" / path).is_file(), path
