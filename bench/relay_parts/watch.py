"""What the system knows of a process: its time on a core, its wait for one, and its memory."""

from __future__ import annotations

import time
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

# Idle servers still have a clock to look at now and then.
AT_REST = 0.06
LOOK = 0.5


@dataclass(frozen=True, slots=True)
class Time:
    """Seconds of all threads of a process: on a core, and ready to run but without one."""

    used: float
    waited: float

    @property
    def wanted(self) -> float:
        return self.used + self.waited

    def since(self, before: Time) -> Time:
        return Time(self.used - before.used, self.waited - before.waited)


def time_of(pid: int) -> Time:
    used = waited = 0
    for task in Path(f"/proc/{pid}/task").iterdir():
        try:
            running, waiting, _ = (task / "schedstat").read_text().split()
        except FileNotFoundError:
            continue  # a thread that has just ended
        used += int(running)
        waited += int(waiting)
    return Time(used / 1e9, waited / 1e9)


def memory(pid: int) -> int:
    """Bytes that are its own."""
    for text in Path(f"/proc/{pid}/smaps_rollup").read_text().splitlines():
        if text.startswith("Private_Dirty"):
            return int(text.split()[1]) * 1024
    return 0


def settle(pids: Iterable[int], patience: float = 90.0) -> None:
    """Until they have done what they do by themselves: read new data, let go of who has left.

    One that waits for its core is not at rest, however little it does.
    """
    pids = tuple(pids)
    for _ in range(int(patience / LOOK)):
        before = [time_of(pid) for pid in pids]
        time.sleep(LOOK)
        if all(
            time_of(pid).since(then).wanted < AT_REST * LOOK
            for pid, then in zip(pids, before, strict=True)
        ):
            return
    raise SystemExit("a server does not come to rest")
