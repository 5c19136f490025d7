"""A workflow whose server is killed goes on in the next life, and nothing happens twice."""

from __future__ import annotations

import asyncio
import signal
import subprocess
import sys
from pathlib import Path

from tests.workspace.workflow_life import life, make

ROOT = Path(__file__).parents[2]


def test_a_killed_workflow_goes_on_and_its_writes_happen_once(tmp_path: Path) -> None:
    make(tmp_path)
    program = [sys.executable, "-m", "tests.workspace.workflow_life", str(tmp_path)]
    first = subprocess.run(program, cwd=ROOT, capture_output=True, timeout=60, check=False)
    assert first.returncode == -signal.SIGKILL, first.stderr.decode()
    assert (tmp_path / "notes").read_text() == "one\n"

    envelope = asyncio.run(life(tmp_path, starts=False))
    assert envelope["ok"], envelope["error"]
    assert envelope["data"]["text"] == "one and two"
    assert (tmp_path / "notes").read_text() == "one\ntwo\n"
