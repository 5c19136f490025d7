"""A process that ingests in the background is killed; `make chaos-tasks` is the long version."""

from __future__ import annotations

import json
import random
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from tests.storage.conftest import Server

ROOT = Path(__file__).parents[2]


def killed(kills: int, *options: str) -> dict[str, Any]:
    """The report of a run in a process of its own, because lives are forked from it."""
    seed = random.randrange(1 << 32)
    command = [sys.executable, "-m", "tests.chaos.tasks", f"--kills={kills}", f"--seed={seed}"]
    run = subprocess.run([*command, *options], cwd=ROOT, capture_output=True, text=True)
    if run.returncode:
        pytest.fail(f"with seed {seed}:\n{run.stdout}{run.stderr}", pytrace=False)
    report: dict[str, Any] = json.loads(run.stdout.splitlines()[-1])
    return report


def test_every_text_is_in_its_graph_once_however_often_the_process_is_killed() -> None:
    report = killed(2)
    assert report["kills"] == 2
    assert report["documents"] >= 3


def test_it_is_the_same_on_postgresql(postgres: Server) -> None:
    report = killed(1, f"--store={postgres.url(postgres.new_database())}")
    assert report["documents"] >= 3
