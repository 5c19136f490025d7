"""Analysis of code: what is measured, what is found, and what bad code is told."""

from __future__ import annotations

from typing import Any

import pytest
from tests.tools.catalogue_world import data, error

BRANCHES = "\n".join(f"    if x == {n}:\n        return {n}" for n in range(12))
PYTHON = f"""
import functools


@functools.cache
def simple(x):
    return x


def tangled(a, b, c, d, e, f, g, x):
{BRANCHES}
    return 0
"""


# -- complexity_scorer


def test_each_function_is_measured_both_ways_and_the_worst_comes_first() -> None:
    found = data("complexity_scorer", code=PYTHON)
    worst, simple = found["functions"]
    assert (worst["name"], worst["cyclomatic"], worst["parameters"]) == ("tangled", 13, 8)
    assert worst["cognitive"] == 12
    assert (simple["name"], simple["cyclomatic"], simple["cognitive"]) == ("simple", 1, 0)
    assert (found["language"], found["rating"], found["count"]) == ("python", "C", 2)
    assert found["totals"]["max_cyclomatic"] == 13
    assert any("Split tangled" in step for step in found["advice"])


@pytest.mark.parametrize(
    ("code", "language"),
    [
        ("function f(x) { if (x) { return 1 } return 2 }", "javascript"),
        ("package main\nfunc F(x int) int { if x > 1 { return 2 }; return 1 }", "go"),
        ("fn f(x: i32) -> i32 { if x > 1 { 2 } else { 1 } }", "rust"),
        ("public class A { public int f(int x) { if (x > 1) { return 2; } return 1; } }", "java"),
    ],
)
def test_other_languages_are_recognised(code: str, language: str) -> None:
    found = data("complexity_scorer", code=code)
    assert found["language"] == language
    assert found["functions"][0]["cyclomatic"] == 2
    assert "cognitive" not in found["functions"][0]
    assert data("complexity_scorer", code=code, language=language)["count"] == found["count"]


ONE_LINE = """\
class Größe:
    def m(self): return "ä" if self else 0  # kept

    def n(self):
        def inner(y): return y if y or self else 1
        if self:
            return inner(2)
        return 3


async def wait(
    a, b=1,
) -> int: return a


def last(x):
    return x
"""


def test_functions_in_one_line_are_measured_and_the_others_as_before() -> None:
    found = data("complexity_scorer", code=ONE_LINE)
    figures = {
        one["name"]: tuple(one[key] for key in ("line", "end_line", "lines", "cyclomatic"))
        for one in found["functions"]
    }
    assert figures == {
        "m": (2, 2, 1, 2),
        "n.inner": (5, 5, 1, 3),
        "n": (4, 8, 5, 2),
        "wait": (11, 13, 3, 1),
        "last": (16, 17, 2, 1),
    }
    assert found["totals"]["lines"] == 12
    assert all("cognitive" in one for one in found["functions"])
    assert data("complexity_scorer", code="def f(a): return a if a else 0")["count"] == 1


def test_code_without_functions_is_no_error() -> None:
    found = data("complexity_scorer", code="x = 1\n")
    assert (found["count"], found["rating"]) == (0, "A")


BAD = [
    ("def f(:\n    pass", "line 1, column 7"),
    ("a\0b", "binary"),
    ("  \n ", "empty"),
    ("x = " + "a+" * 20_000 + "1", "too deeply"),
]


@pytest.mark.parametrize(
    "tool", ["complexity_scorer", "code_outline", "dead_code_finder", "security_scanner"]
)
@pytest.mark.parametrize(("code", "reason"), BAD)
def test_code_that_cannot_be_read_is_answered_clearly(tool: str, code: str, reason: str) -> None:
    found = error(tool, code=code)
    assert (found["type"], found["pointer"]) == ("VALIDATION", "/code")
    assert reason in found["message"]


@pytest.mark.parametrize("tool", ["complexity_scorer", "security_scanner"])
def test_an_unknown_language_is_named_with_the_known_ones(tool: str) -> None:
    found = error(tool, code="x", language="cobol")
    assert found["pointer"] == "/language"
    assert "python" in found["message"]


def test_brackets_without_end_are_refused() -> None:
    found = error("complexity_scorer", code="{" * 5000, language="javascript")
    assert "150 deep" in found["message"]


def test_more_code_than_the_limit_is_refused_by_the_schema() -> None:
    found = error("complexity_scorer", code="x\n" * 500_001)
    assert found["type"] == "VALIDATION"
    assert found["errors"][0]["pointer"] == "/code"


def test_a_megabyte_of_code_is_measured() -> None:
    code = "function f(x) { return x }\n" * 30_000
    assert data("complexity_scorer", code=code, language="js")["count"] == 30_000


# -- code_outline


def test_python_is_outlined_by_its_syntax() -> None:
    code = "import os\nfrom .a import b\nX = 1\n"
    code += 'class A(B):\n    "Doc."\n    async def _m(self, x: int): ...\n'
    found = data("code_outline", code=code)
    assert [(s["kind"], s["name"], s["public"]) for s in found["symbols"]] == [
        ("variable", "X", True),
        ("class", "A", True),
        ("method", "A._m", False),
    ]
    assert found["symbols"][1]["doc"] == "Doc."
    assert found["symbols"][2]["signature"] == "async def _m(self, x: int)"
    assert found["imports"] == ["os", ".a"]


def test_javascript_is_outlined_by_its_lines() -> None:
    code = "import x from 'y';\nexport class A {\n  get(a) {\n    if (x) {\n    }\n  }\n}\n"
    code += "const f = (a) => a;\n"
    found = data("code_outline", code=code)
    assert found["language"] == "javascript"
    assert [(s["kind"], s["name"]) for s in found["symbols"]] == [
        ("class", "A"),
        ("method", "A.get"),
        ("function", "f"),
    ]
    assert found["imports"] == ["y"]


# -- dead_code_finder


@pytest.mark.parametrize(
    ("code", "expected"),
    [
        ("import os\n", {("import", "os")}),
        ("import os\nprint(os.name)\n", set()),
        ("from a import b as b\n", set()),
        ("import os\n__all__ = ['os']\n", set()),
        ("def f():\n    y = 1\n    return 2\n", {("variable", "y")}),
        ("def f():\n    y = 1\n    y += 1\n", set()),
        ("def f(x):\n    return 1\n", {("argument", "x")}),
        ("def f(x):\n    raise NotImplementedError\n", set()),
        ("def _f():\n    pass\n", {("function", "_f")}),
        ("def f():\n    return 1\n    print(2)\n", {("unreachable", "return")}),
        ("if False:\n    print(1)\n", {("unreachable", "if")}),
    ],
)
def test_what_is_never_used(code: str, expected: set[tuple[str, str]]) -> None:
    found = data("dead_code_finder", code=code)
    assert {(one["kind"], one["name"]) for one in found["findings"]} == expected
    assert found["count"] == len(expected)


# -- todo_extractor, import_graph, code_metrics


def test_marks_are_collected_with_owner_and_date() -> None:
    text = "x = 1  # TODO(ada): rename by 2026-03-01\n/* FIXME later */\nmastodon todo\n"
    found = data("todo_extractor", text=text)
    assert found["items"] == [
        {"mark": "TODO", "line": 1, "text": "rename by 2026-03-01", "owner": "ada",
         "due": "2026-03-01"},
        {"mark": "FIXME", "line": 2, "text": "later"},
    ]  # fmt: skip
    assert data("todo_extractor", text="# LATER: x", marks=["later"])["count"] == 1


def test_imports_among_modules_and_their_circles() -> None:
    modules = {
        "app.a": "from app import b",
        "app.b": "import app.a\nimport json\nimport requests",
        "app.c": "from . import a\nfrom ..elsewhere import x",
    }
    found = data("import_graph", modules=modules)
    assert found["modules"] == {"app.a": ["app.b"], "app.b": ["app.a"], "app.c": ["app.a"]}
    assert (found["standard"], found["third_party"]) == (["json"], ["elsewhere", "requests"])
    assert (found["cycles"], found["order"]) == ([["app.a", "app.b"]], [])
    assert found["mermaid"].startswith("flowchart LR")


def test_modules_are_ordered_where_there_is_no_circle() -> None:
    found = data("import_graph", modules={"a": "import b", "b": "import c", "c": ""})
    assert found["order"] == ["c", "b", "a"]
    assert error("import_graph", modules={"a/b": "import ("})["pointer"] == "/modules/a~1b"


@pytest.mark.parametrize(
    ("args", "expected"),
    [
        ({"code": "# a\n\nx = 1\n"}, {"lines": 3, "code": 1, "comments": 1, "blank": 1}),
        (
            {"code": "/* a\n b */\nx;\n// c\n", "comment": "//"},
            {"code": 1, "comments": 3, "comment_ratio": 0.75},
        ),
        ({"code": "if x:\n\ty\n  z \n"}, {"indentation": "mixed", "trailing_space": 1}),
        ({"code": "x" * 101}, {"long_lines": [1], "longest_line": 101, "indentation": "none"}),
    ],
)
def test_lines_are_counted(args: dict[str, Any], expected: dict[str, Any]) -> None:
    found = data("code_metrics", **args)
    assert {name: found[name] for name in expected} == expected
