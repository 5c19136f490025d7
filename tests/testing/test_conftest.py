"""The suite's own check: a test that leaves something running is told so by name."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

CONFTEST = Path(__file__).parents[1] / "conftest.py"

LEAVERS = """
import asyncio, subprocess, sys, threading

kept = []
leave = threading.Event()

def test_thread():
    threading.Thread(target=leave.wait, args=[20], name="left-running").start()

def test_loop():
    kept.append(asyncio.new_event_loop())

def test_child():
    kept.append(subprocess.Popen([sys.executable, "-c", "input()"], stdin=subprocess.PIPE))

def test_tidy():
    asyncio.run(asyncio.sleep(0))
    subprocess.run([sys.executable, "-I", "-S", "-c", ""], check=True)
    thread = threading.Thread(target=int)
    thread.start()
    thread.join()

def teardown_module():
    leave.set()
    loop, child = sorted(kept, key=lambda thing: isinstance(thing, subprocess.Popen))
    loop.close()
    child.communicate(b"\\n", timeout=20)
"""


def test_what_a_test_leaves_is_reported_under_its_name(tmp_path: Path) -> None:
    shutil.copy(CONFTEST, tmp_path)
    (tmp_path / "test_leavers.py").write_text(LEAVERS, "utf-8")
    done = subprocess.run(
        [
            *(sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider"),
            *("-o", "leak_patience=0.5", "test_leavers.py"),
        ],
        cwd=tmp_path,
        env={**os.environ, "PYTHONPATH": str(CONFTEST.parents[1])},  # where it finds its helpers
        capture_output=True,
        text=True,
        check=False,
    )
    output = done.stdout
    assert "4 passed, 3 errors" in output
    for expected in (
        "test_leavers.py::test_thread leaves behind:\n- thread 'left-running'",
        "test_leavers.py::test_loop leaves behind:\n- an event loop that is not closed",
        "test_leavers.py::test_child leaves behind:\n- child process ",
    ):
        assert expected in output
