"""What several of the storage tests share."""

from __future__ import annotations

import subprocess
import sys
from typing import Any

from antiphon.storage import LedgerRow


class Clock:
    """A clock that moves when it is told to."""

    def __init__(self, now: float = 1_000_000.0) -> None:
        self.now = now

    def __call__(self) -> float:
        return self.now


def call(key: str = "k1", *, session: str = "s1", call_hash: str = "", **more: Any) -> LedgerRow:
    return LedgerRow(
        session_id=session,
        key=key,
        call_hash=call_hash or f"hash of {key}",
        tool_id="calendar_create_event",
        args_digest="digest",
        args=b'{"title":"Tea"}',
        turn=1,
        **more,
    )


def child(code: str, *arguments: str) -> subprocess.Popen[str]:
    """Another process that runs this code; it has `url` and `arguments`, and says what it did."""
    preamble = (
        "import asyncio, sys\n"
        "from antiphon.storage import *\n"
        "from tests.storage.helpers import call\n"
        "url, *arguments = sys.argv[1:]\n"
    )
    return subprocess.Popen(
        [sys.executable, "-c", preamble + code, *arguments],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    )


def heard(process: subprocess.Popen[str]) -> str:
    assert process.stdout is not None
    return process.stdout.readline().strip()


def end(process: subprocess.Popen[str]) -> int:
    """Waits for a child to end by itself; its pipes are closed."""
    process.communicate()
    return process.returncode


def kill(process: subprocess.Popen[str]) -> None:
    """SIGKILL: no handler, no clean-up."""
    process.kill()
    process.communicate()
