"""Nothing grows with turns, and idle sessions are cheap.

ENDURANCE_TURNS sets another number of turns; `make chaos-ledger` takes 100,000.
"""

from __future__ import annotations

import asyncio
import gc
import os
import sys
import tracemalloc
from collections import Counter, deque
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager, contextmanager
from pathlib import Path
from queue import SimpleQueue
from typing import Any

import pytest
from tests.orchestrator.helpers import Workshop, kind, toolbox

from antiphon import Orchestrator, ToolCall, ok
from antiphon.orchestrator.session import Session

pytestmark = pytest.mark.real_time

TURNS = int(os.environ.get("ENDURANCE_TURNS", "20000"))
WARM = 1000  # turns after which every ring is full
SESSIONS = 10_000
SESSION_BYTES = 20_000
# What may differ from one moment to another: far less than one thing for each turn or session.
NOISE_ITEMS = 16
NOISE_BLOCKS = 4_000
WINDOWS = 3


LOOKED_INTO = {
    "house._tasks",
    "house.confirmations._pending",
    "house.metrics.refusals",
    "house.metrics.tools[].durations",
    "house.sessions",
    "house.sessions[].by_hash",
    "house.sessions[].history[].calls",
    "house.sessions[].late",
    "house.sessions[].recent",
    "house.sessions[].running",
    "house.sessions[].view.turn.calls",
    "house.store._writer._kept",
    "house.store._writer._queue",
    "house.store._writer._waiting",
}


class Silent(Workshop):
    """Does not note what it does, which would grow."""

    def perform_now(self, tool_id: str, args: dict[str, Any], context: Any) -> Any:
        return ok({"results": [args["query"]]})


@asynccontextmanager
async def orchestrator(store: str) -> AsyncIterator[Orchestrator]:
    async with Orchestrator(
        toolbox(), store=store, capabilities={"workspace": Silent()}, environment={}
    ) as made:
        yield made


@contextmanager
def traced() -> Iterator[None]:
    tracemalloc.start()
    try:
        yield
    finally:
        tracemalloc.stop()


def memory() -> int:
    """Bytes in use; needs `traced`."""
    gc.collect()
    return tracemalloc.get_traced_memory()[0]


def blocks() -> int:
    """Pieces of memory in use: costs nothing to know, unlike their size."""
    gc.collect()
    return sys.getallocatedblocks()


def containers(root: object, path: str) -> dict[str, int]:
    """How much is in every container that an object of ours holds, by the way that leads there."""
    found: Counter[str] = Counter()
    seen: set[int] = set()
    waiting: list[tuple[str, Any]] = [(path, root)]
    while waiting:
        at, value = waiting.pop()
        if id(value) in seen:
            continue
        seen.add(id(value))
        if isinstance(value, SimpleQueue):
            found[at] += value.qsize()
        elif isinstance(value, dict | list | set | deque):
            found[at] += len(value)
            items = value.values() if isinstance(value, dict) else value
            waiting += [(f"{at}[]", item) for item in items]
        elif type(value).__module__.startswith("antiphon."):
            waiting += [(f"{at}.{name}", part) for name, part in parts(value)]
    return found


def parts(value: Any) -> list[tuple[str, Any]]:
    names = [name for kind in type(value).__mro__ for name in getattr(kind, "__slots__", ())]
    names += getattr(value, "__dict__", {})
    return [(name, getattr(value, name)) for name in names if hasattr(value, name)]


async def one_turn(session: Session, number: int) -> None:
    """A read, the same once more, and a call that is refused."""
    read = ToolCall(f"call_{number:010d}", "look_up", {"query": f"q{number}"})
    first = await session.dispatch(read)
    again = await session.dispatch(read)
    refused = await session.dispatch(ToolCall(f"no_{number:012d}", "voice_only", {}))
    assert first["ok"]
    assert again["meta"]["replayed"]
    assert kind(refused) == "MODE_RESTRICTED"
    session.end_turn()


async def test_nothing_grows_with_turns(tmp_path: Path) -> None:
    """After turn 1,000 neither any container nor the memory in use gets larger."""

    async with orchestrator(f"sqlite:///{tmp_path / 'store.db'}") as house:
        session = house.session("text", "ada")

        for number in range(WARM):
            await one_turn(session, number)
        await house.store.flush()
        before, turns, growth = containers(house, "house"), WARM, []
        # Something else in this process, such as an import in a thread, may take memory once;
        # what leaks takes it each time.
        for _ in range(WINDOWS):
            blocks_before = blocks()
            for number in range(turns, turns + TURNS - WARM):
                await one_turn(session, number)
            turns += TURNS - WARM
            await house.store.flush()
            growth.append(blocks() - blocks_before)
            if growth[-1] < NOISE_BLOCKS:
                break
        after = containers(house, "house")

        assert before.keys() >= LOOKED_INTO
        grown = {
            at: (before[at], length)
            for at, length in after.items()
            if length > before.get(at, 0) + NOISE_ITEMS
        }
        assert grown == {}
        assert growth[-1] < NOISE_BLOCKS, growth
        assert house.metrics.turns == turns


async def test_ten_thousand_idle_sessions_are_cheap_and_leave_nothing() -> None:
    """A session that waits takes at most 20 KB, and none once it has ended."""

    async with orchestrator("sqlite://") as house:
        for number in range(10):  # what the first of its kind brings into being stays
            session = house.session("text", "ada")
            await one_turn(session, number)
            await session.end()
        await house.store.flush()
        empty = blocks()
        with traced():
            bytes_before = memory()
            sessions = [house.session("voice", f"user{n}") for n in range(SESSIONS)]
            assert memory() - bytes_before <= SESSIONS * SESSION_BYTES
        assert len(house.sessions) == house.metrics.sessions_active == SESSIONS
        assert blocks() - empty > SESSIONS

        await asyncio.gather(*(session.end() for session in sessions))
        del sessions, session
        await house.store.flush()
        assert not house.sessions
        assert house.metrics.sessions_active == 0
        assert blocks() - empty < NOISE_BLOCKS
