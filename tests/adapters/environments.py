"""Tests that run where a framework is installed: one process for each framework, a result for each
test in it."""

from __future__ import annotations

import ast
import os
import subprocess
import tempfile
from collections.abc import Callable
from functools import cache
from pathlib import Path
from xml.etree import ElementTree

import pytest

ROOT = Path(__file__).parents[2]
HERE = Path(__file__).parent
VENVS = ROOT / ".venv" / "adapters"
OPTIONS = (
    *("-q", "-c", os.devnull, "--rootdir", str(ROOT), "--noconftest", "--import-mode=importlib"),
    *("-p", "antiphon.testing.pytest_plugin", "-p", "no:cacheprovider", "--timeout", "120"),
)


def framework_tests(framework: str) -> Callable[..., None]:
    """A test for each test in `inner_<framework>.py`: it passes if that one passed in the
    environment of the framework, and else fails with its text."""
    path = HERE / f"inner_{framework}.py"
    names = [
        node.name
        for node in ast.parse(path.read_text("utf-8")).body
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef) and node.name.startswith("test")
    ]

    @pytest.mark.parametrize("name", names)
    def test(name: str) -> None:
        python = VENVS / framework / "bin" / "python"
        if not python.exists():
            words = (
                f"{framework} is not installed for the tests: scripts/ensure-adapters.sh does it"
            )
            if os.environ.get("CI"):
                pytest.fail(words, pytrace=False)
            pytest.skip(words)
        results, output = run_inside(python, path)
        problem = results.get(name, f"It did not run:\n{output}")
        if problem is not None:
            pytest.fail(problem, pytrace=False)

    return test


@cache
def run_inside(python: Path, path: Path) -> tuple[dict[str, str | None], str]:
    """Run the tests of a file with this Python; return what went wrong in each, None if nothing
    did, and the whole output."""
    with tempfile.TemporaryDirectory() as folder:
        report = Path(folder) / "report.xml"
        done = subprocess.run(
            [python, "-m", "pytest", *OPTIONS, "--junitxml", report, path],
            cwd=ROOT,
            env={**os.environ, "PYTHONPATH": f"{ROOT / 'src'}{os.pathsep}{ROOT}"},
            capture_output=True,
            text=True,
            check=False,
        )
        output = done.stdout + done.stderr
        if not report.exists():
            return {}, output
        cases = ElementTree.parse(report).iter("testcase")
        return {case.get("name", ""): _problem(case) for case in cases}, output


def _problem(case: ElementTree.Element) -> str | None:
    texts = [
        f"{found.get('message', '')}\n{found.text or ''}"
        for kind in ("failure", "error", "skipped")
        for found in case.iter(kind)
    ]
    return "\n".join(texts) or None
