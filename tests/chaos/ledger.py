"""Kills a process that runs writing tools, hundreds of times, and looks at what is left.

`python -m tests.chaos.ledger --kills 300`. The last line is JSON; the status is 1 when a promise
was broken, and then the files stay where the report says.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import os
import random
import shutil
import signal
import sys
import tempfile
import time
from pathlib import Path

from tests.chaos.findings import PROMISES, Findings, examine
from tests.chaos.worker import spawn
from tests.chaos.world import Past, World, cut_half_line

import antiphon.storage.audit_file
import antiphon.storage.database
import antiphon.storage.ledger
import antiphon.storage.records  # noqa: F401 - each life is forked from here and need not import it

# Every fourth kill comes within so many seconds of the fork, which is about the time a start takes.
# The others come after so many bytes of journal, however slow the machine, and a moment more.
AT_START = 4
START_SECONDS = 0.2
JOURNAL_BYTES = 25_000
MOMENT_SECONDS = 0.005
POLL_SECONDS = 0.0005
PROGRESS_SECONDS = 60
LAST_LIFE_SECONDS = 600


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--kills", type=int, default=300, help="how often (300)")
    parser.add_argument("--seed", type=int, help="of calls and moments; drawn and told if left out")
    parser.add_argument("--store", help="URL of an empty store (an SQLite file of its own)")
    parser.add_argument("--keep", action="store_true", help="keep the files of a good run too")
    options = parser.parse_args()
    seed = random.randrange(1 << 32) if options.seed is None else options.seed
    folder = Path(tempfile.mkdtemp(prefix="antiphon-chaos-"))
    started = time.monotonic()
    world = World.make(folder, options.store)
    past = Past()
    problem = _kill_and_settle(world, past, options.kills, seed)
    if problem:
        print(f"{problem}\nseed {seed}; its files are in {folder}:\n{_end_of(world.log)}")
        return 1
    findings = asyncio.run(examine(world, past))
    good = not findings.wrong
    _report(findings, past, options.kills)
    if good and not options.keep:
        shutil.rmtree(folder)
    else:
        print(f"  The files are in {folder}")
    body = {
        "ok": good,
        "seed": seed,
        "kills": options.kills,
        "kills_at_start": options.kills + 1 - past.ready,
        "seconds": round(time.monotonic() - started, 1),
        **{name.replace(" ", "_").replace(",", ""): count for name, count in _tally(findings)},
        "broken": {promise: len(findings.wrong.get(promise, ())) for promise in PROMISES},
    }
    print(json.dumps(body))
    return 0 if good else 1


def _kill_and_settle(world: World, past: Past, kills: int, seed: int) -> str | None:
    """Let it live and die; at last let it come to an end. What went wrong, in words."""
    rng = random.Random(seed)
    for life in range(1, kills + 1):
        at_start = life % AT_START == 0
        size = world.journal.stat().st_size + (0 if at_start else rng.randint(1, JOURNAL_BYTES))
        delay = rng.uniform(0, START_SECONDS if at_start else MOMENT_SECONDS)
        pid = spawn(world, past, life, f"{seed}/{life}")
        problem = _wait_for_journal(world, size, pid)
        time.sleep(delay)
        os.kill(pid, signal.SIGKILL)
        _, status = os.waitpid(pid, 0)
        if problem or not os.WIFSIGNALED(status):
            return f"Life {life} {problem or 'ended by itself'}."
        for path in (world.effects, world.journal):
            cut_half_line(path)
        past.catch_up(world.journal)
        if sys.stdout.isatty():
            print(f"\r{life} of {kills} kills, {len(past.sends)} calls", end="", flush=True)
    if sys.stdout.isatty():
        print()
    pid = spawn(world, past, kills + 1, f"{seed}/last", last=True)
    until = time.monotonic() + LAST_LIFE_SECONDS
    while (ended := os.waitpid(pid, os.WNOHANG))[0] == 0:
        if time.monotonic() > until:
            os.kill(pid, signal.SIGKILL)
            os.waitpid(pid, 0)
            return f"The last life did not settle in {LAST_LIFE_SECONDS} s."
        time.sleep(0.02)
    past.catch_up(world.journal)
    return "The last life failed." if ended[1] else None


def _wait_for_journal(world: World, size: int, pid: int) -> str | None:
    """Until the journal has grown to that size; what kept it from growing."""
    until = time.monotonic() + PROGRESS_SECONDS
    while world.journal.stat().st_size < size:
        if os.waitid(os.P_PID, pid, os.WEXITED | os.WNOHANG | os.WNOWAIT):
            return "ended by itself"
        if time.monotonic() > until:
            return f"answered nothing more for {PROGRESS_SECONDS} s"
        time.sleep(POLL_SECONDS)
    return None


def _tally(findings: Findings) -> list[tuple[str, int]]:
    return sorted(findings.counts.items())


def _report(findings: Findings, past: Past, kills: int) -> None:
    print(f"Killed {kills} times, {kills + 1 - past.ready} of them before it was ready")
    wide = max(map(len, (*findings.counts, *PROMISES)))
    for name, count in _tally(findings):
        print(f"  {name:<{wide}}  {count:>8}")
    print("Promises")
    for promise in PROMISES:
        wrong = findings.wrong.get(promise, [])
        print(f"  {promise:<{wide}}  {len(wrong):>8}")
        for words in wrong[:10]:
            print(f"    {words}")


def _end_of(log: Path) -> str:
    return "\n".join(log.read_text().splitlines()[-30:]) if log.exists() else ""


if __name__ == "__main__":
    raise SystemExit(main())
