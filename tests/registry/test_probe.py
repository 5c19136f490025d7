"""Handlers are tried out in a child process that a bad one cannot take the build down with."""

from __future__ import annotations

from pathlib import Path

import pytest

from antiphon.registry.probe import Prober, ProbeResult

GOOD = "async def execute(args, context): ..."


def probe(prober: Prober, source: str | bytes, directory: Path, **files: str) -> ProbeResult:
    raw = source.encode() if isinstance(source, str) else source
    sources = {"handler.py": raw, **{f"{name}.py": text.encode() for name, text in files.items()}}
    return prober.probe("kb_search", f"{hash(raw):x}" * 8, sources, directory, "handler.py")


def test_bad_handlers_are_named_and_good_ones_after_them_are_still_tried(tmp_path: Path) -> None:
    cases: list[tuple[str | bytes, str | None]] = [
        (GOOD, None),
        ("x = 1\nraise KeyError('nope')", "KeyError: 'nope' (handler.py:2)"),
        ("import no_such_library_here", "No module named 'no_such_library_here' (handler.py:1)"),
        ("async def execute(args, context):\n  x = (", "SyntaxError: '(' was never closed"),
        (b"\xff", "SyntaxError"),
        ("x = 1\x00", "null byte"),
        ("import sys\nsys.exit(3)", "calls sys.exit: status 3 (handler.py:2)"),
        ("raise KeyboardInterrupt", "KeyboardInterrupt (handler.py:1)"),
        ("input()", "EOFError"),
        ("import os\nos._exit(7)", "ended the process with status 7"),
        (
            "import os, signal\nos.kill(os.getpid(), signal.SIGSEGV)",
            "crashed the process (SIGSEGV)",
        ),
        ("class E(Exception):\n  def __str__(self): raise ValueError\nraise E", "E (handler.py:3)"),
        ("def __getattr__(name): raise RuntimeError('odd')", "RuntimeError: odd"),
        ("import os\nos.fork()\n" + GOOD, None),
        ("import os, sys\nos.close(1)\n" + GOOD, None),
        ("def execute(args): ...", "must take (args, context)"),
        (GOOD + "\n", None),
    ]
    with Prober(deadline=30) as prober:
        for source, expected in cases:
            problem = probe(prober, source, tmp_path).problem
            if expected is None:
                assert problem is None, source
            else:
                assert expected in str(problem), source
                assert "Traceback" not in str(problem)


def test_a_hanging_import_ends_at_its_deadline_and_the_next_is_tried(tmp_path: Path) -> None:
    with Prober(deadline=0.2) as prober:
        hanging = probe(prober, "import threading\nthreading.Event().wait()", tmp_path)
        assert "did not end within 0.2 s" in str(hanging.problem)
    with Prober(deadline=30) as prober:
        assert probe(prober, GOOD, tmp_path).problem is None


def test_printing_is_noticed_and_disturbs_nothing(tmp_path: Path) -> None:
    printing = 'print(\'{"problem": "forged"}\')\nimport os; os.write(1, b"x\\n")\n'
    with Prober(deadline=30) as prober:
        assert probe(prober, printing + GOOD, tmp_path) == ProbeResult(
            None, printed=True, kind="async"
        )
        assert probe(prober, GOOD, tmp_path) == ProbeResult(None, printed=False, kind="async")


def test_an_error_in_a_sibling_is_placed_in_the_sibling(tmp_path: Path) -> None:
    with Prober(deadline=30) as prober:
        result = probe(prober, "from . import helper", tmp_path, helper="\n\n1 / 0")
    assert "ZeroDivisionError: division by zero (helper.py:3)" in str(result.problem)


def test_a_large_handler_passes_through_the_pipe(tmp_path: Path) -> None:
    with Prober(deadline=30) as prober:
        assert probe(prober, GOOD + "\n#" + "x" * 1_000_000, tmp_path).problem is None


def test_threads_and_children_left_behind_do_not_hold_up_the_build(tmp_path: Path) -> None:
    source = (
        "import subprocess, sys, threading\n"
        "threading.Thread(target=threading.Event().wait).start()\n"
        "subprocess.Popen([sys.executable, '-c', 'import time; time.sleep(600)'])\n" + GOOD
    )
    with Prober(deadline=30) as prober:
        assert probe(prober, source, tmp_path).problem is None


@pytest.mark.parametrize("name", ["antiphon", "antiphon.registry"])
def test_the_child_finds_what_this_process_can_import(name: str, tmp_path: Path) -> None:
    with Prober(deadline=30) as prober:
        assert probe(prober, f"import {name}\n{GOOD}", tmp_path).problem is None
