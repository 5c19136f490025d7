"""Child programs: a short Python program that can be stopped, fed and read as JSON."""

from __future__ import annotations

import json
import subprocess
import sys
from typing import Any


def run_program(source: str, task: Any, seconds: float) -> subprocess.CompletedProcess[bytes]:
    """Run Python source in an isolated interpreter with `task` as JSON on its standard input.

    Nothing but the standard library can be imported there. Raises subprocess.TimeoutExpired when
    it takes longer than `seconds`; the process has been killed by then.
    """
    return subprocess.run(
        [sys.executable, "-I", "-S", "-W", "ignore", "-c", source],
        input=json.dumps(task).encode(),
        capture_output=True,
        timeout=seconds,
        check=False,
    )
