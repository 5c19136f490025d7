"""What relaying speech costs: /ws/vox beside a bare relay on the same stack, and beside Pipecat.

One core is the server's alone; the people and the model share the other. A pair is one frame of
20 ms from the person to the model and one back. `--quick` takes about a minute and no peers. Those
are measured when they are installed (`python bench/peers/install.py --relay`): Pipecat, and a bare
relay on picows, which says what another stack would cost.

Everything is measured in turns, and in another order each round. The bare relay is on uvicorn's
own WebSocket and on `websockets`; ours is on subclasses of both. CPU is that of the process,
whatever else the machine does. Latencies and late frames are not: a server that waited for its
core was late for it, so that wait is shown, with the load of the machine.
"""

from __future__ import annotations

import argparse
import json
import os
import statistics
import sys
import tempfile
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from common import result, table, verdict
from relay_parts.running import OTHERS, SERVER, line, nod, process
from relay_parts.startup import SERVE, import_ms, ready_s
from relay_parts.watch import memory, settle, time_of

HERE = Path(__file__).resolve().parent
PARTS = HERE / "relay_parts"
PEERS = HERE / "peers"
# It is given speech at the rate that the model takes: its resampler answers in larger pieces, and
# then there are no pairs to count.
FOR_PIPECAT = ("--rate", "24000")
# A server that waits for its core longer than this, of all the time, is not alone on it.
ALONE = 0.02


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


@dataclass(frozen=True, slots=True)
class RelayServer:
    port: int
    pid: int
    path: str = "/ws/vox"


@contextmanager
def openai() -> Iterator[Backend]:
    with process(sys.executable, str(PARTS / "model.py"), core=OTHERS) as running:
        port = int(line(running))
        url = f"http://127.0.0.1:{port}/v1"
        environment = {"OPENAI_API_KEY": "bench", "OPENAI_BASE_URL": url}
        yield Backend("openai", port, running.pid, url, "/v1/realtime", environment=environment)


@contextmanager
def gemini() -> Iterator[Backend]:
    """Over TLS, as Google's SDK has it."""
    with tempfile.TemporaryDirectory() as folder:
        model = (sys.executable, str(PARTS / "model.py"), "gemini", folder)
        with process(*model, core=OTHERS) as running:
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
def ours(model: Backend) -> Iterator[RelayServer]:
    command = (sys.executable, "-c", SERVE, "serve", "--port", "0", "--data", "data")
    with process(*command, core=SERVER, **model.environment) as running:
        while "http://127.0.0.1:" not in (said := line(running)):
            pass
        port = said.partition("http://127.0.0.1:")[2].split("/")[0].split()[0]
        yield RelayServer(int(port), running.pid)


@contextmanager
def bare(model: Backend) -> Iterator[RelayServer]:
    command = (sys.executable, str(PARTS / "bare.py"), model.url, *model.ca)
    with process(*command, core=SERVER) as running:
        yield RelayServer(int(line(running)), running.pid)


def installed(peer: str) -> Path:
    return PEERS / ".venvs" / "relay" / peer / "bin" / "python"


@contextmanager
def peer(name: str, model: Backend) -> Iterator[RelayServer]:
    script = str(PEERS / "relay" / f"{name}.py")
    with process(str(installed(name)), script, model.url, core=SERVER) as running:
        yield RelayServer(int(line(running)), running.pid)


def talked(server: RelayServer, sessions: int, seconds: float, *options: str) -> dict[str, Any]:
    """Let so many people talk for so long: what they saw, and what it cost the server."""
    settle([server.pid])
    where = (str(server.port), server.path, str(sessions), str(seconds))
    with process(sys.executable, str(PARTS / "load.py"), *where, *options, core=OTHERS) as people:
        empty = memory(server.pid)
        assert line(people) == "ready"
        settle([server.pid])  # to open a conversation is not what is measured
        held = memory(server.pid)
        before = time_of(server.pid)
        nod(people)
        seen: dict[str, Any] = json.loads(line(people))
        took = time_of(server.pid).since(before)
        seen["us_per_pair"] = took.used * 1e6 / max(1, seen["frames"])
        seen["load"] = took.used / seconds
        seen["waited"] = took.waited / seconds
        seen["kb_per_session"] = (max(held, memory(server.pid)) - empty) / 1024 / sessions
        nod(people)
        return seen


def kb_per_session(model: Backend, sessions: int = 50) -> float:
    """In a server of its own, which has loaded by then whatever it loads for the first people."""
    with ours(model) as server:
        for _ in range(2):
            talked(server, 2, 0.5, *model.start())
        return float(talked(server, sessions, 1.0, *model.start())["kb_per_session"])


class Found:
    """What was seen in each round, by who was measured."""

    def __init__(self) -> None:
        self.rounds: dict[str, list[dict[str, Any]]] = {}

    def keep(self, name: str, seen: dict[str, Any]) -> None:
        self.rounds.setdefault(name, []).append(seen)

    def median(self, name: str, field: str) -> float:
        return statistics.median(seen[field] for seen in self.rounds[name])

    def most(self, name: str, field: str) -> float:
        return max(seen[field] for seen in self.rounds[name])

    def ratio(self, one: str, other: str) -> float:
        """Of what a pair costs, round by round: both had the same machine."""
        return statistics.median(
            mine["us_per_pair"] / its["us_per_pair"]
            for mine, its in zip(self.rounds[one], self.rounds[other], strict=True)
        )

    def added(self, name: str) -> float:
        """To the 99th percentile of those who talk to the model without anybody between them."""
        return statistics.median(
            mine["p99_ms"] - its["p99_ms"]
            for mine, its in zip(self.rounds[name], self.rounds["direct"], strict=True)
        )

    def row(self, name: str) -> tuple[str, str, str]:
        return (
            name,
            f"{self.median(name, 'us_per_pair'):.0f} µs",
            f"p50 {self.median(name, 'p50_ms'):.2f} ms, p99 {self.median(name, 'p99_ms'):.2f} ms, "
            f"{self.most(name, 'kb_per_session'):.0f} KB a session, "
            f"late {self.median(name, 'late'):.0f}, core {self.median(name, 'load') * 100:.0f} %, "
            f"waited for it {self.median(name, 'waited') * 100:.1f} %",
        )


def measure(found: Found, model: Backend, rounds: int, seconds: float, peers: list[str]) -> Any:
    """Each in turns; the last is how long it takes until a person who cuts in hears nothing."""
    start = model.start()
    with ExitStack() as stack:
        servers = {
            "bare": stack.enter_context(bare(model)),
            "ours": stack.enter_context(ours(model)),
            **{name: stack.enter_context(peer(name, model)) for name in peers},
        }
        pids = [server.pid for server in servers.values()]
        options = {name: (*start, *FOR_PIPECAT) if name == "pipecat" else start for name in servers}
        for name, server in servers.items():
            talked(server, 2, 0.5, *options[name])
        direct = RelayServer(model.port, model.pid, model.path)
        hello = (*model.greeting, *(("--ca", *model.ca) if model.ca else ()))
        plan = [(name, 50) for name in servers if name != "pipecat"]
        plan += [(name, 200) for name in servers if name != "pipecat"]
        if "pipecat" in servers:
            plan += [("pipecat", 20), ("ours", 20)]  # more than it can hold says nothing
        for round_ in range(rounds):
            found.keep("direct", talked(direct, 50, seconds, *hello))
            for name, sessions in reversed(plan) if round_ % 2 else plan:
                settle(pids)  # they share the core, and one may still let go of its people
                seen = talked(servers[name], sessions, seconds, *options[name])
                found.keep(f"{name} {sessions}", seen)
        settle(pids)
        people = 5 if rounds == 1 else 15
        return talked(servers["ours"], people, 0.3, *model.start("flood"), "--cut-in")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--quick", action="store_true", help="a smaller run, without peers")
    parser.add_argument("--rounds", type=int, help="how often each is measured")
    parser.add_argument("--backend", choices=BACKENDS, default="openai", help="whose live API")
    options = parser.parse_args()
    rounds = options.rounds or (1 if options.quick else 3)
    peers = [
        name
        for name in ("picows", "pipecat")
        if options.backend == "openai" and not options.quick and installed(name).exists()
    ]
    machine = os.getloadavg()[0]
    found = Found()
    imported, ready = import_ms(), ready_s(1 if options.quick else 3)
    with BACKENDS[options.backend]() as model:
        cut = measure(found, model, rounds, 4.0 if options.quick else 8.0, peers)
    # Of the round in which it grew: the others find its memory there already.
    kb = max(found.most(f"ours {sessions}", "kb_per_session") for sessions in (50, 200))
    if options.backend == "gemini":
        kb_gemini = kb
    else:
        with gemini() as model:
            kb_gemini = kb_per_session(model)
    rows = [found.row(name) for name in sorted(found.rounds, key=_order)]
    table(f"CPU for a pair of 20 ms frames ({options.backend})", rows)
    against, added = found.ratio("ours 50", "bare 50"), found.added("ours 50")
    late = int(found.median("ours 200", "late"))
    barge_in = cut["ms"]
    goals = [
        ("against the bare relay, 50 sessions", f"{against:.2f}", verdict(against <= 1.5, "1.5")),
        (
            "added p99, 50 sessions",
            f"{added:.2f} ms",
            f"{verdict(added <= 2, '2 ms')} (the bare relay: {found.added('bare 50'):.2f})",
        ),
        (
            "late frames, 200 sessions",
            str(late),
            f"{verdict(late == 0, '0')} (the bare relay: {found.median('bare 200', 'late'):.0f})",
        ),
        ("memory of a session", f"{kb:.0f} KB", verdict(kb <= 300, "300 KB")),
        (
            "the same with Gemini, over TLS",
            f"{kb_gemini:.0f} KB",
            verdict(kb_gemini <= 300, "300 KB"),
        ),
        (
            "barge-in to silence on the wire",
            f"{barge_in:.1f} ms",
            f"{verdict(barge_in <= 30, '30 ms')} (the worst: {cut['worst_ms']:.1f})",
        ),
        ("import antiphon", f"{imported:.0f} ms", verdict(imported <= 150, "150 ms")),
        ("server ready, warm", f"{ready:.2f} s", verdict(ready <= 1.5, "1.5 s")),
    ]
    body: dict[str, Any] = {
        "us_per_pair": found.median("ours 50", "us_per_pair"),
        "ratio_to_bare": against,
        "p99_ms": added,
        "sessions": 200,
        "late_frames": late,
        "kb_per_session": kb,
        "kb_per_session_gemini": kb_gemini,
        "barge_in_ms": barge_in,
        "import_ms": imported,
        "ready_s": ready,
        "bare_p99_ms": found.added("bare 50"),
        "bare_late_frames": int(found.median("bare 200", "late")),
    }
    if "pipecat" in peers:
        share = found.ratio("ours 20", "pipecat 20")
        goals.append(("against Pipecat, 20 sessions", f"{share:.2f}", verdict(share <= 0.4, "0.4")))
        body["ratio_to_pipecat"] = share
    if "picows" in peers:
        body["ratio_to_picows"] = found.ratio("ours 50", "picows 50")
    waited = max(found.most(name, "waited") for name in ("ours 50", "ours 200"))
    table("Goals", goals)
    print(
        f"Load of the machine: {machine:.1f} before, {os.getloadavg()[0]:.1f} after. "
        f"Our server waited for its core {waited * 100:.1f} % of the time at worst"
        + ("." if waited <= ALONE else ": others had it, and latencies and late frames tell less.")
    )
    result({**body, "load_average": machine, "waited_share": waited})


def _order(name: str) -> tuple[int, str]:
    who, _, sessions = name.partition(" ")
    return int(sessions or 0), who


if __name__ == "__main__":
    main()
