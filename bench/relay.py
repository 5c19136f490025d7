"""What relaying speech costs: /ws/vox beside a bare relay on the same stack, and beside Pipecat.

One core is the server's alone; the people and the model share the other. A pair is one frame of
20 ms from the person to the model and one back. `--quick` takes less than a minute and no peers.
"""

from __future__ import annotations

import argparse
import json
import os
import statistics
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import Any

from common import result, table, verdict

HERE = Path(__file__).resolve().parent
PARTS = HERE / "relay_parts"
PIPECAT = HERE / "peers" / ".venvs" / "pipecat" / "bin" / "python"
TICKS = os.sysconf("SC_CLK_TCK")
START = {"type": "start", "mode": "openai", "model": "bench"}


def on_core(core: int) -> dict[str, Any]:
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
            **on_core(core),
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


def cpu(pid: int) -> float:
    """Seconds of processor that a process has used."""
    fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / TICKS


def memory(pid: int) -> int:
    """Bytes that are its own."""
    for text in Path(f"/proc/{pid}/smaps_rollup").read_text().splitlines():
        if text.startswith("Private_Dirty"):
            return int(text.split()[1]) * 1024
    return 0


@contextmanager
def ours(model: str) -> Iterator[tuple[int, int]]:
    code = "import sys; from antiphon.cli import main; sys.exit(main())"
    with process(
        *(sys.executable, "-c", code, "serve", "--port", "0", "--data", "data"),
        core=0,
        OPENAI_API_KEY="bench",
        OPENAI_BASE_URL=model,
    ) as running:
        while "http://127.0.0.1:" not in (said := line(running)):
            pass
        yield int(said.partition("http://127.0.0.1:")[2].split("/")[0].split()[0]), running.pid


@contextmanager
def bare(model: str) -> Iterator[tuple[int, int]]:
    with process(sys.executable, str(PARTS / "bare.py"), model, core=0) as running:
        yield int(line(running)), running.pid


@contextmanager
def pipecat(model: str) -> Iterator[tuple[int, int]]:
    script = str(HERE / "peers" / "relay" / "pipecat.py")
    with process(str(PIPECAT), script, model, core=0) as running:
        yield int(line(running)), running.pid


def talked(
    port: int,
    pid: int,
    sessions: int,
    seconds: float,
    path: str = "/ws/vox",
    start: dict[str, Any] | None = START,
) -> dict[str, Any]:
    """Let so many people talk for so long: what they saw, and what it cost the server."""
    words = [json.dumps(start)] if start else []
    with process(
        *(sys.executable, str(PARTS / "load.py"), str(port), path, str(sessions), str(seconds)),
        *words,
        core=1,
    ) as people:
        empty = memory(pid)
        assert line(people) == "ready"
        assert people.stdin is not None
        held = memory(pid)
        before = cpu(pid)
        people.stdin.write("\n")
        people.stdin.flush()
        seen: dict[str, Any] = json.loads(line(people))
        seen["cpu_s"] = cpu(pid) - before
        seen["us_per_pair"] = seen["cpu_s"] * 1e6 / max(1, seen["frames"])
        seen["kb_per_session"] = (max(held, memory(pid)) - empty) / 1024 / sessions
        seen["load"] = seen["cpu_s"] / seconds
        people.stdin.write("\n")
        people.stdin.flush()
        return seen


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--quick", action="store_true", help="a smaller run, without peers")
    parser.add_argument("--rounds", type=int, help="how often each is measured")
    options = parser.parse_args()
    rounds = options.rounds or (1 if options.quick else 3)
    seconds = 4.0 if options.quick else 8.0
    found: dict[str, list[dict[str, Any]]] = {}

    def keep(name: str, seen: dict[str, Any]) -> dict[str, Any]:
        found.setdefault(name, []).append(seen)
        return seen

    def median(name: str, field: str) -> float:
        return statistics.median(seen[field] for seen in found[name])

    with ExitStack() as stack:
        upstream = stack.enter_context(process(sys.executable, str(PARTS / "model.py"), core=1))
        port = int(line(upstream))
        model = f"http://127.0.0.1:{port}/v1"
        antiphon = stack.enter_context(ours(model))
        relay = stack.enter_context(bare(model))
        peer = None
        if not options.quick and PIPECAT.exists() and (HERE / "peers/relay/pipecat.py").exists():
            peer = stack.enter_context(pipecat(model))
        talked(*antiphon, 2, 0.5)
        talked(*relay, 2, 0.5)
        for _ in range(rounds):
            keep("direct", talked(port, upstream.pid, 50, seconds, "/v1/realtime", None))
            keep("bare 50", talked(*relay, 50, seconds))
            keep("ours 50", talked(*antiphon, 50, seconds))
            if peer is not None:
                keep("pipecat 20", talked(*peer, 20, seconds))
            keep("bare 200", talked(*relay, 200, seconds))
            keep("ours 200", talked(*antiphon, 200, seconds))
    ratio = statistics.median(
        mine["us_per_pair"] / its["us_per_pair"]
        for mine, its in zip(found["ours 50"], found["bare 50"], strict=True)
    )
    added = median("ours 50", "p99_ms") - median("direct", "p99_ms")
    late = int(median("ours 200", "late"))
    rows = [
        (
            name,
            f"{median(name, 'us_per_pair'):.0f} µs",
            f"p50 {median(name, 'p50_ms'):.2f} ms, p99 {median(name, 'p99_ms'):.2f} ms, "
            f"{median(name, 'kb_per_session'):.0f} KB a session, late {median(name, 'late'):.0f}, "
            f"core {median(name, 'load') * 100:.0f} %",
        )
        for name in found
    ]
    table("CPU for a pair of 20 ms frames", rows)
    kb = median("ours 50", "kb_per_session")
    goals = [
        ("against the bare relay, 50 sessions", f"{ratio:.2f}", verdict(ratio <= 1.5, "1.5")),
        ("added p99, 50 sessions", f"{added:.2f} ms", verdict(added <= 2, "2 ms")),
        ("late frames, 200 sessions", str(late), verdict(late == 0, "0")),
        ("memory of a session", f"{kb:.0f} KB", verdict(kb <= 300, "300 KB")),
    ]
    body: dict[str, Any] = {
        "us_per_pair": median("ours 50", "us_per_pair"),
        "ratio_to_bare": ratio,
        "p99_ms": added,
        "sessions": 200,
        "late_frames": late,
        "kb_per_session": kb,
    }
    if "pipecat 20" in found:
        against = median("ours 50", "us_per_pair") / median("pipecat 20", "us_per_pair")
        goals.append(("against Pipecat", f"{against:.2f}", verdict(against <= 0.4, "0.4")))
        body["ratio_to_pipecat"] = against
    table("Goals", goals)
    result(body)


if __name__ == "__main__":
    main()
