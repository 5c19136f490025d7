"""What relaying speech costs: /ws/vox beside a bare relay on the same stack, and beside Pipecat.

One core is the server's alone; the people and the model share the other. A pair is one frame of
20 ms from the person to the model and one back. `--quick` takes less than a minute and no peers.
Pipecat is measured when it is installed (`python bench/peers/install.py --relay`).

The bare relay is on uvicorn's own WebSocket; ours is on a subclass of it, which saves some of what
the rest costs. Latencies and late frames mean little while the machine has other work: see what the
bare relay had in the same run.
"""

from __future__ import annotations

import argparse
import json
import os
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from common import result, table, verdict
from relay_parts.startup import SERVE, import_ms, ready_s

HERE = Path(__file__).resolve().parent
PARTS = HERE / "relay_parts"
PIPECAT = HERE / "peers" / ".venvs" / "relay" / "pipecat" / "bin" / "python"
# It is given speech at the rate that the model takes: its resampler answers in larger pieces, and
# then there are no pairs to count.
FOR_PIPECAT = ("--rate", "24000")
TICKS = os.sysconf("SC_CLK_TCK")


@dataclass(slots=True)
class Backend:
    """A model to relay to, and how it is named to each of those who do."""

    mode: str
    port: int
    pid: int
    url: str
    path: str
    greeting: tuple[str, ...] = ()
    ca: tuple[str, ...] = ()
    environment: dict[str, str] = field(default_factory=dict)

    def start(self, model: str = "bench") -> tuple[str, ...]:
        return "--start", json.dumps({"type": "start", "mode": self.mode, "model": model})


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


def settle(pid: int) -> None:
    """A server with new data reads it once, in the background: until that is done."""
    time.sleep(1.5)
    for _ in range(60):
        before = cpu(pid)
        time.sleep(0.5)
        if cpu(pid) - before < 0.03:
            return
    raise SystemExit("the server does not come to rest")


@contextmanager
def openai() -> Iterator[Backend]:
    with process(sys.executable, str(PARTS / "model.py"), core=1) as running:
        port = int(line(running))
        url = f"http://127.0.0.1:{port}/v1"
        environment = {"OPENAI_API_KEY": "bench", "OPENAI_BASE_URL": url}
        yield Backend("openai", port, running.pid, url, "/v1/realtime", environment=environment)


@contextmanager
def gemini() -> Iterator[Backend]:
    """Over TLS, as Google's SDK has it."""
    with tempfile.TemporaryDirectory() as folder:
        model = (sys.executable, str(PARTS / "model.py"), "gemini", folder)
        with process(*model, core=1) as running:
            port = int(line(running))
            url, ca = f"https://127.0.0.1:{port}", f"{folder}/ca.pem"
            environment = {
                "GEMINI_API_KEY": "bench",
                "ANTIPHON_PROVIDERS__GEMINI__BASE_URL": url,
                "ANTIPHON_PROVIDERS__GEMINI__CA_FILE": ca,
            }
            hello = ("--start", '{"setup": {"model": "models/bench"}}')
            yield Backend(
                *("gemini", port, running.pid, url, "/", hello, (ca,)), environment=environment
            )


BACKENDS = {"openai": openai, "gemini": gemini}


@contextmanager
def ours(model: Backend) -> Iterator[tuple[int, int]]:
    command = (sys.executable, "-c", SERVE, "serve", "--port", "0", "--data", "data")
    with process(*command, core=0, **model.environment) as running:
        while "http://127.0.0.1:" not in (said := line(running)):
            pass
        settle(running.pid)
        yield int(said.partition("http://127.0.0.1:")[2].split("/")[0].split()[0]), running.pid


@contextmanager
def bare(model: Backend) -> Iterator[tuple[int, int]]:
    command = (sys.executable, str(PARTS / "bare.py"), model.url, *model.ca)
    with process(*command, core=0) as running:
        yield int(line(running)), running.pid


@contextmanager
def pipecat(model: Backend) -> Iterator[tuple[int, int]]:
    script = str(HERE / "peers" / "relay" / "pipecat.py")
    with process(str(PIPECAT), script, model.url, core=0) as running:
        yield int(line(running)), running.pid


def talked(
    port: int, pid: int, sessions: int, seconds: float, *options: str, path: str = "/ws/vox"
) -> dict[str, Any]:
    """Let so many people talk for so long: what they saw, and what it cost the server."""
    load = (str(PARTS / "load.py"), str(port), path, str(sessions), str(seconds), *options)
    with process(sys.executable, *load, core=1) as people:
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
    parser.add_argument("--backend", choices=BACKENDS, default="openai", help="whose live API")
    options = parser.parse_args()
    rounds = options.rounds or (1 if options.quick else 3)
    seconds = 4.0 if options.quick else 8.0
    found: dict[str, list[dict[str, Any]]] = {}

    def keep(name: str, seen: dict[str, Any]) -> None:
        found.setdefault(name, []).append(seen)

    def median(name: str, field: str) -> float:
        return statistics.median(seen[field] for seen in found[name])

    def most_kb(name: str) -> float:
        """Of the round in which it grew: the later ones find its memory there already."""
        return max(seen["kb_per_session"] for seen in found[name])

    def ratio(one: str, other: str) -> float:
        return statistics.median(
            mine["us_per_pair"] / its["us_per_pair"]
            for mine, its in zip(found[one], found[other], strict=True)
        )

    imported, ready = import_ms(), ready_s(1 if options.quick else 3)
    with ExitStack() as stack:
        model = stack.enter_context(BACKENDS[options.backend]())
        start = model.start()
        antiphon = stack.enter_context(ours(model))
        relay = stack.enter_context(bare(model))
        direct = (*model.greeting, *(("--ca", *model.ca) if model.ca else ()))
        peer = None
        if options.backend == "openai" and not options.quick and PIPECAT.exists():
            peer = stack.enter_context(pipecat(model))
            talked(*peer, 2, 0.5, *start, *FOR_PIPECAT)
        talked(*antiphon, 2, 0.5, *start)
        talked(*relay, 2, 0.5, *start)
        for _ in range(rounds):
            keep("direct", talked(model.port, model.pid, 50, seconds, *direct, path=model.path))
            keep("bare 50", talked(*relay, 50, seconds, *start))
            keep("ours 50", talked(*antiphon, 50, seconds, *start))
            if peer is not None:
                keep("pipecat 20", talked(*peer, 20, seconds, *start, *FOR_PIPECAT))
                keep("ours 20", talked(*antiphon, 20, seconds, *start))
            keep("bare 200", talked(*relay, 200, seconds, *start))
            keep("ours 200", talked(*antiphon, 200, seconds, *start))
        people = 5 if options.quick else 15
        cut = talked(*antiphon, people, 0.3, *model.start("flood"), "--cut-in")
    against = ratio("ours 50", "bare 50")
    added = median("ours 50", "p99_ms") - median("direct", "p99_ms")
    late = int(median("ours 200", "late"))
    rows = [
        (
            name,
            f"{median(name, 'us_per_pair'):.0f} µs",
            f"p50 {median(name, 'p50_ms'):.2f} ms, p99 {median(name, 'p99_ms'):.2f} ms, "
            f"{most_kb(name):.0f} KB a session, late {median(name, 'late'):.0f}, "
            f"core {median(name, 'load') * 100:.0f} %",
        )
        for name in found
    ]
    table(f"CPU for a pair of 20 ms frames ({options.backend})", rows)
    kb = most_kb("ours 50")
    barge_in = cut["ms"]
    goals = [
        ("against the bare relay, 50 sessions", f"{against:.2f}", verdict(against <= 1.5, "1.5")),
        ("added p99, 50 sessions", f"{added:.2f} ms", verdict(added <= 2, "2 ms")),
        (
            "late frames, 200 sessions",
            str(late),
            f"{verdict(late == 0, '0')} (the bare relay: {median('bare 200', 'late'):.0f})",
        ),
        ("memory of a session", f"{kb:.0f} KB", verdict(kb <= 300, "300 KB")),
        (
            "barge-in to silence on the wire",
            f"{barge_in:.1f} ms",
            f"{verdict(barge_in <= 30, '30 ms')} (worst of {people}: {cut['worst_ms']:.1f})",
        ),
        ("import antiphon", f"{imported:.0f} ms", verdict(imported <= 150, "150 ms")),
        ("server ready, warm", f"{ready:.2f} s", verdict(ready <= 1.5, "1.5 s")),
    ]
    body: dict[str, Any] = {
        "us_per_pair": median("ours 50", "us_per_pair"),
        "ratio_to_bare": against,
        "p99_ms": added,
        "sessions": 200,
        "late_frames": late,
        "kb_per_session": kb,
        "barge_in_ms": barge_in,
        "import_ms": imported,
        "ready_s": ready,
    }
    if peer is not None:
        share = ratio("ours 20", "pipecat 20")
        goals.append(("against Pipecat, 20 sessions", f"{share:.2f}", verdict(share <= 0.4, "0.4")))
        body["ratio_to_pipecat"] = share
    table("Goals", goals)
    result(body)


if __name__ == "__main__":
    main()
