"""docs/rules.md, the rules in the source and the tests marked with them tell the same story."""

from __future__ import annotations

import ast
import re
from collections import defaultdict
from collections.abc import Iterator
from pathlib import Path

import antiphon
from antiphon.contracts import ErrorType

PACKAGE = Path(antiphon.__file__).parent
REPOSITORY = Path(__file__).parents[2]
SOURCES = ("policy", "orchestrator")
ROW = re.compile(r"^\| `(?P<rule>[a-z._]+)` \|(?P<rest>.*)\|$", re.MULTILINE)


def trees(folder: Path, pattern: str, word: str = "") -> Iterator[tuple[Path, ast.Module]]:
    """The files below a folder that have a word in them, read as Python."""
    for path in sorted(folder.rglob(pattern)):
        text = path.read_text("utf-8")
        if word in text:
            yield path, ast.parse(text)


def called(node: ast.Call) -> str:
    return node.func.attr if isinstance(node.func, ast.Attribute) else getattr(node.func, "id", "")


def texts(node: ast.expr | None, function: ast.FunctionDef | None, tree: ast.Module) -> set[str]:
    """The values of an argument that names a rule: a text, or one with a function's parameter."""
    if isinstance(node, ast.Constant) and isinstance(node.value, str):
        return {node.value}
    if not isinstance(node, ast.JoinedStr) or function is None:
        return set()
    prefix, value = node.values  # f"budget.{kind}"
    assert isinstance(prefix, ast.Constant)
    assert isinstance(value, ast.FormattedValue)
    assert isinstance(value.value, ast.Name)
    position = [argument.arg for argument in function.args.args].index(value.value.id)
    return {
        f"{prefix.value}{call.args[position].value}"  # type: ignore[attr-defined]
        for call in ast.walk(tree)
        if isinstance(call, ast.Call) and called(call) == function.name
    }


def rules_in(tree: ast.Module) -> dict[str, set[str]]:
    """Rule ids that verdicts are made with, each with the error types named beside it."""
    found: dict[str, set[str]] = defaultdict(set)
    functions = [node for node in ast.walk(tree) if isinstance(node, ast.FunctionDef)]
    for function in functions:
        for node in ast.walk(function):
            if not isinstance(node, ast.Call) or called(node) not in ("refuse", "Verdict", "want"):
                continue
            position = 0 if called(node) == "refuse" else 1
            types = {
                part.attr
                for part in ast.walk(node)
                if isinstance(part, ast.Attribute)
                and isinstance(part.value, ast.Name)
                and part.value.id == "ErrorType"
            }
            for rule in texts(node.args[position], function, tree):
                found[rule] |= types
    return found


def source_rules() -> dict[str, set[str]]:
    found: dict[str, set[str]] = defaultdict(set)
    for part in SOURCES:
        for _, tree in trees(PACKAGE / part, "*.py"):
            for rule, types in rules_in(tree).items():
                found[rule] |= types
    return found


def marked_rules() -> dict[str, set[str]]:
    """Rule ids that tests are marked with, and the files of these tests."""
    found: dict[str, set[str]] = defaultdict(set)
    for path, tree in trees(REPOSITORY / "tests", "test_*.py", "mark.rule"):
        for node in ast.walk(tree):
            if isinstance(node, ast.Call) and ast.unparse(node.func) == "pytest.mark.rule":
                assert len(node.args) == 1, f"{path}: one rule for each mark"
                assert isinstance(node.args[0], ast.Constant), f"{path}: name the rule itself"
                found[str(node.args[0].value)].add(path.relative_to(REPOSITORY).as_posix())
    return found


def manifest() -> dict[str, list[str]]:
    """The columns of each rule: what it does, error types, where it comes from, tests."""
    text = (REPOSITORY / "docs" / "rules.md").read_text("utf-8")
    rows = [
        (m["rule"], [cell.strip() for cell in m["rest"].split("|")]) for m in ROW.finditer(text)
    ]
    assert len(rows) == len(dict(rows)), "a rule stands twice in docs/rules.md"
    return dict(rows)


def quoted(cell: str) -> set[str]:
    return set(re.findall(r"`([^`]+)`", cell))


def test_the_manifest_and_the_source_have_the_same_rules() -> None:
    assert manifest().keys() == source_rules().keys()


def test_every_rule_has_a_marked_test_and_every_mark_names_a_rule() -> None:
    assert marked_rules().keys() == source_rules().keys()


def test_every_entry_is_complete_and_names_its_error_types() -> None:
    source = source_rules()
    for rule, cells in manifest().items():
        assert len(cells) == 4, rule
        assert all(cells), rule
        named = quoted(cells[1])
        assert source[rule] <= named, rule
        assert named <= set(ErrorType), rule
        assert named or rule in ("approval", "run"), rule


def test_the_tests_that_the_manifest_names_are_those_that_are_marked() -> None:
    marked = marked_rules()
    assert {rule: quoted(cells[3]) for rule, cells in manifest().items()} == dict(marked)


def test_a_rule_that_is_made_up_on_the_fly_would_be_found() -> None:
    """The search sees plain texts, texts built from a parameter, and the error types."""
    tree = ast.parse(
        "def over(kind, words):\n"
        "    return refuse(f'budget.{kind}', ErrorType.BUDGET_EXCEEDED, words)\n"
        "def gate():\n"
        "    over('calls', 'x')\n"
        "    over('rounds', 'y')\n"
        "    return Verdict('refuse', 'rate', body)\n"
    )
    assert rules_in(tree) == {
        "budget.calls": {"BUDGET_EXCEEDED"},
        "budget.rounds": {"BUDGET_EXCEEDED"},
        "rate": set(),
    }
