"""Cognitive complexity by complexipy, in a process that its native code may take down."""

from __future__ import annotations

import json
import subprocess
import sys

from antiphon import ErrorType, ToolError
from antiphon.toolkit import invalid

SECONDS = 30
PROGRAM = """
import json, sys
import complexipy
found = complexipy.code_complexity(sys.stdin.buffer.read().decode())
lines = [[one.line_start, one.complexity] for one in found.functions]
json.dump([found.complexity, lines], sys.stdout)
"""


def cognitive(code: str) -> tuple[int, dict[int, int]]:
    """Return the complexity of the code, and of each function by its first line."""
    try:
        done = subprocess.run(
            [sys.executable, "-I", "-c", PROGRAM],
            input=code.encode("utf-8", "replace"),
            capture_output=True,
            timeout=SECONDS,
            check=False,
        )
    except subprocess.TimeoutExpired:
        message = f"It took longer than {SECONDS} seconds; measure the code in smaller parts."
        raise ToolError(ErrorType.PERMANENT, message) from None
    if done.returncode < 0:  # ended by a signal
        raise invalid("/code", "is nested too deeply to be measured.")
    if done.returncode:
        said = done.stderr.decode("utf-8", "replace").strip().splitlines()
        reason = said[-1][:200] if said else f"it ended with status {done.returncode}"
        raise ToolError(ErrorType.PERMANENT, f"complexipy did not run: {reason}")
    total, lines = json.loads(done.stdout)
    return int(total), {int(line): int(complexity) for line, complexity in lines}
