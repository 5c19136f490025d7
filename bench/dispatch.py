"""CPU of one governed call, beside a hand-written minimum and the peers' dispatch paths.

    python bench/dispatch.py            ours, the minimum, and every installed peer, interleaved
    python bench/dispatch.py --quick    ours and the minimum, under a minute

A read passes every gate and is written into the audit. The headline, `cpu_us`, is the CPU time of
the whole process for one read: every thread, the end of its turn, and the audit on disk at the end
of the round. The minimum and its audit line, and the peers, are measured the same way. Rounds are
taken in turns with the minimum and the least of them counts, as other load only ever adds. The
further figures are wall time: the median of single calls on the calling thread, which leaves the
audit's thread out. Install the peers with `python bench/peers/install.py`.
"""

from __future__ import annotations

import asyncio
import gc
import json
import statistics
import subprocess
import sys
import tempfile
import time
import tracemalloc
from collections.abc import Awaitable, Callable, Sequence
from hashlib import sha256
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).resolve().parent))

import jsonschema_rs
import orjson

from antiphon import Orchestrator, Registry, ToolCall
from antiphon.registry.builder import build
from common import arguments, result, table, verdict

PEERS = Path(__file__).resolve().parent / "peers"
ARGS = {"query": "founder of the studio", "top_k": 3, "filters": {"type": "person"}}
PARAMETERS: dict[str, Any] = {
    "type": "object",
    "additionalProperties": False,
    "required": ["query"],
    "properties": {
        "query": {"type": "string", "description": "Text", "minLength": 1, "maxLength": 200},
        "namespace": {
            "type": "string",
            "description": "Where",
            "enum": ["studio", "personal", "public"],
            "default": "studio",
        },
        "filters": {
            "type": "object",
            "description": "Which",
            "additionalProperties": False,
            "properties": {
                "type": {
                    "type": "string",
                    "description": "Kind",
                    "enum": ["project", "person", "process", "link", "doc"],
                },
                "tags": {
                    "type": "array",
                    "description": "Tags",
                    "items": {"type": "string", "minLength": 1},
                    "maxItems": 5,
                },
            },
        },
        "top_k": {
            "type": "integer",
            "description": "How many",
            "minimum": 1,
            "maximum": 10,
            "default": 5,
        },
    },
}
RESULTS = """
def results():
    return {
        "results": [
            {"id": "person-1", "title": "Ada Quill", "score": 0.92},
            {"id": "person-2", "title": "Jon Marsh", "score": 0.81},
            {"id": "person-3", "title": "Mei Tan", "score": 0.77},
        ],
        "count": 3,
    }
"""
TOOLS = {
    "kb_search": (
        {"category": "retrieval", "sideEffects": "read_only", "idempotent": True},
        "async def execute(args, context):\n    return ok(results())\n",
    ),
    "kb_search_slow": (
        {"category": "retrieval", "sideEffects": "read_only", "idempotent": True},
        "async def execute(args, context):\n    await asyncio.sleep(0)\n    return ok(results())\n",
    ),
    "kb_search_apart": (
        {
            "category": "retrieval",
            "sideEffects": "read_only",
            "idempotent": True,
            "isolation": "process",
        },
        "async def execute(args, context):\n    return ok(results())\n",
    ),
    "kb_search_apart_sync": (
        {
            "category": "retrieval",
            "sideEffects": "read_only",
            "idempotent": True,
            "isolation": "process",
        },
        "def execute(args, context):\n    return ok(results())\n",
    ),
    "kb_note": (
        {"category": "action", "sideEffects": "writes", "idempotent": False},
        "async def execute(args, context):\n    return ok(results())\n",
    ),
}


def make_tools(folder: Path) -> Path:
    for tool_id, (more, handler) in TOOLS.items():
        directory = folder / "tools" / tool_id.replace("_", "-")
        directory.mkdir(parents=True)
        schema = {
            "toolId": tool_id,
            "version": "1.0.0",
            "description": "Search the knowledge base.",
            "requiresConfirmation": False,
            "allowedModes": ["text", "voice"],
            "latencyBudgetMs": 800,
            "parameters": PARAMETERS,
            "origin": "trusted",
            "outside": False,
            **more,
        }
        (directory / "schema.json").write_text(json.dumps(schema))
        (directory / "guide.md").write_text(f"# {tool_id}\nSearch the knowledge base.\n")
        (directory / "handler.py").write_text(
            f"import asyncio\nfrom antiphon import ok\n{RESULTS}\n{handler}"
        )
    out = folder / "tool_registry.json"
    report = build([folder / "tools"], out)
    if not report.ok:
        sys.exit("\n".join(f"{f.file}: {f.message}" for f in report.findings))
    return out


class Minimum:
    """The least code that makes the same checks by hand: duplicate by hash key, known, active, not
    blocked, mode, budgets, loop, clamp, validate and apply defaults, envelope, and one line of
    audit into a buffered file. No output check, no redaction, no metrics, nothing durable."""

    def __init__(self, file: Path) -> None:
        self.is_valid = jsonschema_rs.Draft202012Validator(
            PARAMETERS, validate_formats=True
        ).is_valid
        self.defaults = {"namespace": "studio", "top_k": 5}
        self.tools = {"kb_search": {"modes": ("text", "voice"), "handler": self.handler}}
        self.active = True
        self.blocked_until = 0.0
        self.done: dict[str, Any] = {}
        self.audit = file.open("ab", buffering=1 << 16)
        namespace: dict[str, Any] = {}
        exec(RESULTS, namespace)
        self.results = namespace["results"]
        self.turn = 0
        self.new_turn()

    def new_turn(self) -> None:
        self.retrieval = 0
        self.total = 0
        self.turn += 1
        self.done.clear()
        self.calls: dict[str, int] = {}

    async def handler(self, args: dict[str, Any]) -> dict[str, Any]:  # noqa: ARG002
        return self.results()

    async def dispatch(self, name: str, args: dict[str, Any], mode: str = "voice") -> Any:
        started = time.perf_counter()
        now = time.time()
        body = orjson.dumps(
            {"tool": name, "args": args, "turn": self.turn}, option=orjson.OPT_SORT_KEYS
        )
        key = sha256(body).hexdigest()[:16]
        if key in self.done:
            return self.done[key]
        tool = self.tools.get(name)
        if tool is None or not self.active or self.blocked_until > now:
            return None
        if mode not in tool["modes"] or self.retrieval >= 2 or self.total >= 3:
            return None
        count = self.calls.get(key, 0)
        if count >= 2:
            return None
        self.calls[key] = count + 1
        self.retrieval += 1
        self.total += 1
        if args.get("top_k", 0) > 3:
            args = {**args, "top_k": 3}
        args = self.defaults | args
        if not self.is_valid(args):
            return None
        # A handler that answers at once needs no timer, here as in the product.
        work = tool["handler"](args)
        try:
            work.send(None)
        except StopIteration as stop:
            data = stop.value
        duration = (time.perf_counter() - started) * 1000
        envelope = {
            "ok": True,
            "data": data,
            "intents": [],
            "meta": {
                "toolId": name,
                "toolVersion": "1.0.0",
                "registryVersion": "1.0.00000000",
                "duration": duration,
                "responseSchemaVersion": "1.0.0",
            },
        }
        self.done[key] = envelope
        self.audit.write(
            orjson.dumps(
                {
                    "event": "tool_execution",
                    "at": now,
                    "toolId": name,
                    "toolVersion": "1.0.0",
                    "registryVersion": "1.0.00000000",
                    "duration": duration,
                    "ok": True,
                    "category": "retrieval",
                    "sessionId": "s",
                    "mode": mode,
                    "turnId": 1,
                    "idempotencyKey": key,
                    "decision": "run",
                    "rule": "run",
                    "intents": [],
                    "variant": None,
                },
                option=orjson.OPT_APPEND_NEWLINE,
            )
        )
        return envelope


async def median_of(
    call: Callable[[ToolCall], Awaitable[Any]],
    between: Callable[[], None],
    made: Sequence[ToolCall],
) -> tuple[float, float]:
    """Median microseconds of single calls in one round, and the average of the whole round."""
    clock = time.perf_counter_ns
    taken = []
    begun = clock()
    for each in made:
        start = clock()
        await call(each)
        taken.append(clock() - start)
        between()
    return statistics.median(taken) / 1000, (clock() - begun) / len(made) / 1000


async def cpu_of(
    call: Callable[[ToolCall], Awaitable[Any]],
    between: Callable[[], None],
    finish: Callable[[], Awaitable[None]],
    made: Sequence[ToolCall],
) -> float:
    """Microseconds of CPU per call that the whole process takes for one round, with what is left
    to be written at its end."""
    begun = time.process_time_ns()
    for each in made:
        await call(each)
        between()
    await finish()
    return (time.process_time_ns() - begun) / len(made) / 1000


async def averaged(call: Callable[[int], Awaitable[Any]], calls: int) -> float:
    """Microseconds per call over one round."""
    start = time.perf_counter_ns()
    for number in range(calls):
        await call(number)
    return (time.perf_counter_ns() - start) / calls / 1000


async def measure(folder: Path, *, calls: int, rounds: int, writes: int) -> dict[str, float]:
    registry = Registry.load(make_tools(folder)).lock()
    minimum = Minimum(folder / "minimum.jsonl")
    async with Orchestrator(registry, f"sqlite:///{folder / 'bench.db'}") as orchestrator:
        session = orchestrator.session(mode="voice", user="bench")
        ids = iter(range(10**9))

        def made(tool_id: str, count: int) -> list[ToolCall]:
            return [ToolCall(f"call_{next(ids):09d}", tool_id, ARGS) for _ in range(count)]

        def least(call: ToolCall) -> Awaitable[Any]:
            return minimum.dispatch(call.name, call.args)

        for call in (session.dispatch, least):
            assert (await call(*made("kb_search", 1)))["ok"]

        async def write(_: int) -> None:
            envelope = await session.dispatch(ToolCall(f"call_{next(ids):09d}", "kb_note", ARGS))
            assert envelope["ok"]
            session.end_turn()

        async def together(number: int) -> None:
            await session.dispatch(
                ToolCall(f"call_{next(ids):09d}", "kb_note", {**ARGS, "query": f"note {number}"})
            )

        timed = {
            "read": (session.dispatch, session.end_turn, "kb_search"),
            "floor": (least, minimum.new_turn, "kb_search"),
            "suspended": (session.dispatch, session.end_turn, "kb_search_slow"),
        }
        found: dict[str, list[tuple[float, float]]] = {name: [] for name in timed}
        for call, between, tool_id in timed.values():
            between()
            await median_of(call, between, made(tool_id, calls // 10))
        for _ in range(rounds):
            for name, (call, between, tool_id) in timed.items():
                ready = made(tool_id, calls)
                gc.collect()
                found[name].append(await median_of(call, between, ready))
                await orchestrator.store.flush()
        figures = {
            name: statistics.median(median for median, _ in values)
            for name, values in found.items()
        }

        async def flush_minimum() -> None:
            minimum.audit.flush()

        whole = {
            "cpu": (session.dispatch, session.end_turn, orchestrator.store.flush),
            "cpu_floor": (least, minimum.new_turn, flush_minimum),
        }
        cpu: dict[str, list[float]] = {name: [] for name in whole}
        for _ in range(rounds):
            for name, (call, between, finish) in whole.items():
                ready = made("kb_search", calls)
                gc.collect()
                cpu[name].append(await cpu_of(call, between, finish, ready))
        figures |= {name: min(values) for name, values in cpu.items()}
        figures["cpu_median"] = statistics.median(cpu["cpu"])
        for name, tool_id in (
            ("apart", "kb_search_apart_sync"),
            ("apart_async", "kb_search_apart"),
        ):
            await session.dispatch(*made(tool_id, 1))  # starts the worker
            session.end_turn()
            taken = [
                await median_of(session.dispatch, session.end_turn, made(tool_id, calls // 10))
                for _ in range(3)
            ]
            figures[name] = statistics.median(median for median, _ in taken)
        figures["read_average"] = statistics.median(average for _, average in found["read"])
        figures["write"] = statistics.median([await averaged(write, writes) for _ in range(3)])
        wide = [orchestrator.session(mode="text", user=f"u{i}") for i in range(64)]
        before, start = orchestrator.store.commits, time.perf_counter_ns()
        for number in range(writes // 4):
            await asyncio.gather(
                *(
                    s.dispatch(ToolCall(f"wide_{number}_{i:09d}", "kb_note", ARGS))
                    for i, s in enumerate(wide)
                )
            )
            for s in wide:
                s.end_turn()
        done = writes // 4 * len(wide)
        figures["write_grouped"] = (time.perf_counter_ns() - start) / done / 1000
        figures["commits_per_write"] = (orchestrator.store.commits - before) / done
    figures["session_bytes"] = await memory(registry)
    minimum.audit.close()
    return figures


async def memory(registry: Registry, sessions: int = 2_000) -> float:
    """Bytes that one idle session holds, after it has made a call and ended its turn."""
    async with Orchestrator(registry) as orchestrator:
        first = orchestrator.session(mode="voice", user="warm")
        await first.dispatch(ToolCall("call_000000001", "kb_search", ARGS))
        gc.collect()
        tracemalloc.start()
        before, _ = tracemalloc.get_traced_memory()
        kept = []
        for number in range(sessions):
            session = orchestrator.session(mode="voice", user=f"user-{number}")
            await session.dispatch(ToolCall(f"call_{number:09d}", "kb_search", ARGS))
            session.end_turn()
            kept.append(session)
        await orchestrator.store.flush()
        gc.collect()
        after, _ = tracemalloc.get_traced_memory()
        tracemalloc.stop()
        return (after - before) / len(kept)


def peers(calls: int, rounds: int) -> list[dict[str, Any]]:
    """What each installed peer measures of itself, in its own environment."""
    lines: list[dict[str, Any]] = []
    for script in sorted(PEERS.glob("*.py")):
        python = PEERS / ".venvs" / script.stem / "bin" / "python"
        if not python.exists():
            continue
        done = subprocess.run(
            [str(python), str(script), "--calls", str(calls), "--rounds", str(rounds), "--json"],
            capture_output=True,
            text=True,
            timeout=600,
            check=False,
        )
        if done.returncode:
            print(f"{script.stem} failed: {done.stderr.strip()[-200:]}", file=sys.stderr)
            continue
        lines += [json.loads(line) for line in done.stdout.splitlines() if line.startswith("{")]
    return lines


def main() -> None:
    options = arguments(__doc__ or "")
    quick = options.quick
    with tempfile.TemporaryDirectory() as folder:
        ours = asyncio.run(
            measure(
                Path(folder),
                calls=3_000 if quick else 10_000,
                rounds=7 if quick else 15,
                writes=100 if quick else 400,
            )
        )
    found = [] if quick else peers(500, 7)
    ratio = ours["read"] / ours["floor"]
    cpu_ratio = ours["cpu"] / ours["cpu_floor"]
    least_peer = min((float(line["cpu_us"]) for line in found), default=None)
    small = ours["session_bytes"] <= 20 * 1024
    below = (
        f"median round {ours['cpu_median']:.1f} µs"
        if least_peer is None
        else verdict(ours["cpu"] < least_peer, f"below every peer, {least_peer:.1f} µs")
    )
    rows = [
        ("CPU of a read, audit and turn's end included", ours["cpu"], below),
        ("CPU of the minimum with its audit line", ours["cpu_floor"], "the same checks by hand"),
        ("read through every gate, median call", ours["read"], "without the audit's thread"),
        ("hand-written minimum, median call", ours["floor"], ""),
        ("average of whole rounds", ours["read_average"], "wall time"),
        ("read whose handler waits once", ours["suspended"], ""),
        (
            "read in a worker process, warm",
            ours["apart"],
            verdict(ours["apart"] - ours["read"] <= 300, "<= 300 µs over inline"),
        ),
        ("the same with an async handler", ours["apart_async"], ""),
        ("write, one after the other", ours["write"], "two durable commits"),
        (
            "write, 64 at once",
            ours["write_grouped"],
            f"{ours['commits_per_write']:.3f} commits each",
        ),
    ]
    rows = [(name, f"{figure:.1f} µs", remark) for name, figure, remark in rows]
    goal = verdict(cpu_ratio <= 2.5, "<= 2.5")
    rows.insert(2, ("ratio of CPU to the minimum", f"{cpu_ratio:.2f}", goal))
    rows.insert(5, ("ratio of median calls", f"{ratio:.2f}", ""))
    kilobytes = f"{ours['session_bytes'] / 1024:.1f} KB"
    rows.append(("idle session", kilobytes, verdict(small, "<= 20 KB")))
    for line in sorted(found, key=lambda line: float(line["cpu_us"])):
        name = f"CPU of {line['peer']} {line['version']}"
        rows.append((name, f"{line['cpu_us']:.1f} µs", line["path"]))
    table("Dispatch of one call", rows)
    result(
        {
            "cpu_us": ours["cpu"],
            "cpu_floor_us": ours["cpu_floor"],
            "cpu_ratio": cpu_ratio,
            "cpu_median_us": ours["cpu_median"],
            "read_us": ours["read"],
            "ratio_to_floor": ratio,
            "write_us": ours["write"],
            "suspended_us": ours["suspended"],
            "floor_us": ours["floor"],
            "process_us": ours["apart"],
            "process_async_us": ours["apart_async"],
            "read_average_us": ours["read_average"],
            "write_grouped_us": ours["write_grouped"],
            "commits_per_write": ours["commits_per_write"],
            "session_bytes": ours["session_bytes"],
            **{f"peer_{line['peer']}_cpu_us": line["cpu_us"] for line in found},
        }
    )


if __name__ == "__main__":
    main()
