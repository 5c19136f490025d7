"""What every peer's script shares: the tool's data, the probes, the clock and the JSON line."""

from __future__ import annotations

import argparse
import asyncio
import gc
import json
import os
import statistics
import sys
import time
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from importlib.metadata import version
from pathlib import Path
from types import TracebackType
from typing import Annotated, Any, Literal


def _explain(kind: type[BaseException], error: BaseException, trace: TracebackType | None) -> None:
    """A missing package means the wrong interpreter: say which one to use."""
    if not isinstance(error, ModuleNotFoundError):
        sys.__excepthook__(kind, error, trace)
        return
    peer = Path(sys.argv[0]).stem
    print(
        f"{peer}: the package {error.name} is missing in this interpreter. Install the peer with"
        f" python bench/peers/install.py {peer} and run this script with the Python of"
        f" bench/peers/.venvs/{peer}.",
        file=sys.stderr,
    )


sys.excepthook = _explain

# A script may carry its package's name (fastmcp.py): were this folder searched, it would import
# itself. Scripts import the harness first, so the packages are found where they are installed.
_HERE = str(Path(__file__).resolve().parent)
sys.path[:] = [entry for entry in sys.path if str(Path(entry or ".").resolve()) != _HERE]

# Read by the frameworks when they are imported: no traces, no usage reports, no update checks.
os.environ.update(
    {
        "ANONYMIZED_TELEMETRY": "false",
        "FASTMCP_CHECK_FOR_UPDATES": "off",
        "FASTMCP_LOG_LEVEL": "CRITICAL",
        "FASTMCP_SHOW_SERVER_BANNER": "false",
        "LANGCHAIN_TRACING_V2": "false",
        "LANGSMITH_TRACING": "false",
        "OPENAI_AGENTS_DISABLE_TRACING": "1",
        "OTEL_SDK_DISABLED": "true",
    }
)

from pydantic import BaseModel, Field  # noqa: E402 after the hook above

Namespace = Literal["studio", "personal", "public"]
TopK = Annotated[int, Field(ge=1, le=10)]


class KbFilters(BaseModel):
    """The nested argument, in the form the frameworks that read annotations expect."""

    type: Literal["project", "person", "process", "link", "doc"] | None = None
    tags: list[str] | None = None


ARGUMENTS: dict[str, Any] = {
    "query": "founder of the studio",
    "top_k": 3,
    "filters": {"type": "person"},
}
PROBES: dict[str, dict[str, Any]] = {
    "top_k_99": {**ARGUMENTS, "top_k": 99},
    "bad_enum": {**ARGUMENTS, "namespace": "nowhere"},
    "unknown_nested_key": {**ARGUMENTS, "filters": {"type": "person", "colour": "red"}},
    "unknown_key": {**ARGUMENTS, "colour": "red"},
    "text_for_number": {**ARGUMENTS, "top_k": "3"},
}
WARM_UP = 200


def kb_results() -> dict[str, Any]:
    """What the tool answers, built anew for each call as a handler would."""
    return {
        "results": [
            {"id": "person-1", "title": "Ada Quill", "score": 0.92},
            {"id": "person-2", "title": "Jon Marsh", "score": 0.81},
            {"id": "person-3", "title": "Mei Tan", "score": 0.77},
        ],
        "count": 3,
    }


@dataclass(frozen=True)
class DispatchPath:
    """One way through a framework to the tool."""

    name: str
    """The function that is timed."""
    checks: str
    """What it validates before the handler runs, in words."""
    prepare: Callable[[dict[str, Any]], Callable[[], Awaitable[Any]]]
    """Arguments to one repeatable call; what it does itself is not timed."""
    unpack: Callable[[Any], Any]
    """What the call returned, down to the handler's dict (anything else when it refused)."""


async def _accepts(path: DispatchPath, arguments: dict[str, Any]) -> bool:
    """Whether the handler's answer comes back for these arguments."""
    try:
        answer = await path.prepare(arguments)()
    except Exception:  # noqa: BLE001 each framework refuses with an exception of its own
        return False
    return bool(path.unpack(answer) == kb_results())


async def _round(call: Callable[[], Awaitable[Any]], calls: int) -> tuple[float, float]:
    """Microseconds per call over one round: wall time, and CPU of the whole process."""
    start, cpu = time.perf_counter_ns(), time.process_time_ns()
    for _ in range(calls):
        await call()
    wall = time.perf_counter_ns() - start
    return wall / calls / 1000, (time.process_time_ns() - cpu) / calls / 1000


async def measure(
    peer: str, package: str, paths: list[DispatchPath], options: argparse.Namespace
) -> list[dict[str, Any]]:
    """Check that each path reaches the handler, time them in turn, then probe each once."""
    timed = [(path, path.prepare(ARGUMENTS)) for path in paths]
    for path, call in timed:
        answer = path.unpack(await call())
        if answer != kb_results():
            sys.exit(f"{peer}: {path.name} did not bring the tool's answer back: {answer!r}")
        await _round(call, WARM_UP)
    rounds: dict[str, list[tuple[float, float]]] = {path.name: [] for path in paths}
    gc.collect()
    for _ in range(options.rounds):
        for path, call in timed:
            rounds[path.name].append(await _round(call, options.calls))
    return [
        {
            "peer": peer,
            "version": version(package),
            "path": path.name,
            "us": round(statistics.median(wall for wall, _ in rounds[path.name]), 2),
            "min_us": round(min(wall for wall, _ in rounds[path.name]), 2),
            "cpu_us": round(min(cpu for _, cpu in rounds[path.name]), 2),
            "checks": path.checks,
            "accepts": {name: await _accepts(path, bad) for name, bad in PROBES.items()},
            "calls": options.calls,
            "rounds": options.rounds,
        }
        for path in paths
    ]


def _at_least_one(text: str) -> int:
    number = int(text)
    if number < 1:
        raise argparse.ArgumentTypeError("must be 1 or more")
    return number


def options_of(peer: str) -> argparse.Namespace:
    """The command line every script takes."""
    parser = argparse.ArgumentParser(prog=f"{peer}.py", description=f"Time {peer}'s dispatch.")
    parser.add_argument("--calls", type=_at_least_one, default=1000, help="calls in a round")
    parser.add_argument("--rounds", type=_at_least_one, default=7, help="rounds; median is taken")
    parser.add_argument("--json", action="store_true", help="one JSON object a line, nothing else")
    return parser.parse_args()


def report(lines: list[dict[str, Any]], as_json: bool) -> None:
    """Print one line for each path."""
    for line in lines:
        if as_json:
            print(json.dumps(line))
            continue
        lets = [name for name, accepted in line["accepts"].items() if accepted]
        print(
            f"{line['peer']} {line['version']} {line['path']}: {line['us']} us;"
            f" checks {line['checks']}; lets through: {', '.join(lets) or 'none of the probes'}"
        )


def main(peer: str, package: str, build: Callable[[], Awaitable[list[DispatchPath]]]) -> None:
    """Run a script whose paths need nothing around them but an event loop."""
    options = options_of(peer)

    async def run() -> list[dict[str, Any]]:
        return await measure(peer, package, await build(), options)

    report(asyncio.run(run()), options.json)
