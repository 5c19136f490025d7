"""A process with writing tools is killed at random; `make chaos-ledger` is the long version."""

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
    run = subprocess.run(
        [
            sys.executable,
            "-m",
            "tests.chaos.ledger",
            f"--kills={kills}",
            f"--seed={seed}",
            *options,
        ],
        cwd=ROOT,
        capture_output=True,
        text=True,
    )
    if run.returncode:
        pytest.fail(f"with seed {seed}:\n{run.stdout}{run.stderr}", pytrace=False)
    report: dict[str, Any] = json.loads(run.stdout.splitlines()[-1])
    return report


def survived(report: dict[str, Any], kills: int) -> None:
    assert report["kills"] == kills
    assert report["kills_at_start"] < kills, "no life got as far as making calls"
    assert report["effects"] > 0
    assert report["sent_again_after_a_crash"] > 0, "no kill came while a call was under way"
    assert report["asked_again"] > 0
    assert set(report["broken"].values()) == {0}


def test_sqlite_survives_kills_without_a_lost_or_doubled_effect() -> None:
    survived(killed(8), 8)


def test_postgresql_survives_kills_without_a_lost_or_doubled_effect(postgres: Server) -> None:
    store = postgres.url(postgres.new_database())
    survived(killed(4, f"--store={store}"), 4)
