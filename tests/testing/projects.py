"""A small project of somebody else: its files in a folder, and pytest run over them in here."""

from __future__ import annotations

import io
import sys
from collections.abc import Iterator
from contextlib import contextmanager, redirect_stdout
from pathlib import Path
from typing import Any

import pytest

from antiphon.testing import pytest_plugin

# Those that touch what the run around this one has set up, or take their time at its end.
OTHERS = ("cacheprovider", "faulthandler", "logging", "threadexception", "unraisableexception")


class Outcomes:
    """What became of each test: passed, failed or error, skipped."""

    def __init__(self) -> None:
        self.of: dict[str, str] = {}

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        name = report.nodeid.rpartition("::")[2]
        if report.failed:
            self.of[name] = "failed" if report.when == "call" else "error"
        elif report.when == "call" or report.skipped:
            self.of.setdefault(name, report.outcome)


def run_project(
    folder: Path,
    tests: str,
    *options: str,
    plugins: tuple[Any, ...] = (pytest_plugin,),
    **files: str,
) -> tuple[dict[str, str], str]:
    """The outcome of each test in a file of tests, and what pytest prints. `files` are further
    ones, by name with `_` for the dot. `plugins` is what entry points would have brought."""
    for name, text in {"test_project_py": tests, **files}.items():
        path = folder / ".".join(name.rsplit("_", 1))
        path.write_text(text, "utf-8")
    return run_pytest(folder, *options, plugins=plugins)


def run_pytest(
    folder: Path, *options: str, plugins: tuple[Any, ...] = (pytest_plugin,)
) -> tuple[dict[str, str], str]:
    """The outcome of each test of a folder, and what pytest prints."""
    outcomes = Outcomes()
    printed = io.StringIO()
    arguments = ["-q", "-s", "--rootdir", str(folder)]
    arguments += ["--disable-plugin-autoload", *(f"-pno:{name}" for name in OTHERS), *options]
    if not any(option.startswith(str(folder)) for option in options):
        arguments.append(str(folder))
    with modules_restored(folder), redirect_stdout(printed):
        pytest.main(arguments, plugins=[outcomes, *plugins])
    return outcomes.of, printed.getvalue()


@contextmanager
def modules_restored(folder: Path) -> Iterator[None]:
    """Forget the modules of the project, so that the next one may have the same names."""
    path = list(sys.path)
    yield
    sys.path[:] = path
    for name, module in list(sys.modules.items()):
        if str(getattr(module, "__file__", None) or "").startswith(str(folder)):
            del sys.modules[name]
