"""The processes of the relay benchmark: a core for the server, the other for everybody else."""

from __future__ import annotations

import os
import subprocess
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

SERVER, OTHERS = 0, 1


def _on_core(core: int) -> dict[str, Any]:
    cores = sorted(os.sched_getaffinity(0))
    mine = {cores[core % len(cores)]}
    return {"preexec_fn": lambda: os.sched_setaffinity(0, mine)}


@contextmanager
def process(*command: str, core: int, **environment: str) -> Iterator[subprocess.Popen[str]]:
    with tempfile.TemporaryDirectory() as folder:
        running = subprocess.Popen(
            command,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
            cwd=folder,
            env={**os.environ, **environment},
            **_on_core(core),
        )
        try:
            yield running
        finally:
            running.terminate()
            running.wait(10)
            assert running.stdin is not None
            assert running.stdout is not None
            running.stdin.close()
            running.stdout.close()


def line(running: subprocess.Popen[str]) -> str:
    assert running.stdout is not None
    text = running.stdout.readline()
    if not text:
        raise SystemExit(f"{running.args} ended before it said anything")
    return text.strip()


def nod(running: subprocess.Popen[str]) -> None:
    """Tell it to go on."""
    assert running.stdin is not None
    running.stdin.write("\n")
    running.stdin.flush()
