"""The pool of worker processes: limits, time, crashes, and nothing left behind."""

from __future__ import annotations

import asyncio
import os
import re
import signal
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest

from antiphon.workers import WorkerError, WorkerLimits, WorkerPool, run_once

pytestmark = pytest.mark.real_time

linux_only = pytest.mark.skipif(sys.platform != "linux", reason="walls that only Linux has")
ENDLESS = ("re:match", "(?:a|.|[^b]|\\w)*b", "a" * 25)


@asynccontextmanager
async def with_pool(**options: Any) -> AsyncIterator[Any]:
    pool = WorkerPool(**options)
    try:
        yield pool
    finally:
        await pool.close()


async def until(condition: Callable[[], bool]) -> None:
    for _ in range(1000):
        if condition():
            return
        await asyncio.sleep(0.001)
    raise AssertionError("it has not come to that")


def alive(pid: int) -> bool:
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    return True


def gone(pid: int) -> bool:
    until = time.monotonic() + 10
    while alive(pid) and time.monotonic() < until:
        time.sleep(0.01)
    return not alive(pid)


async def test_a_function_runs_in_another_process_that_is_kept_for_the_next_call() -> None:
    async with with_pool() as pool:
        assert pool.pids == []
        first = await pool.run("os:getpid", timeout=20)
        second = await pool.run("os:getpid", timeout=20)
        assert first == second != os.getpid()
        assert pool.pids == [first]


async def test_values_that_json_lacks_come_back_as_they_were() -> None:
    value = [b"\x00\xff", datetime(2026, 5, 4, tzinfo=UTC), {"set": {1, 2}}, {"a": None}]

    async with with_pool() as pool:
        assert await pool.run("copy:copy", value, timeout=20) == value


async def test_work_that_does_not_end_is_killed_and_its_worker_replaced() -> None:
    async with with_pool() as pool:
        first = await pool.run("os:getpid", timeout=20)
        with pytest.raises(WorkerError, match=r"did not end within 0\.3 s") as stopped:
            await pool.run(*ENDLESS, timeout=0.3)
        assert stopped.value.reason == "timeout"
        assert pool.pids == []
        assert await pool.run("os:getpid", timeout=20) != first


async def test_a_cancelled_call_takes_its_process_with_it() -> None:
    async with with_pool() as pool:
        pid = await pool.run("os:getpid", timeout=20)
        call = asyncio.create_task(pool.run(*ENDLESS, timeout=60))
        await until(lambda: pool.working > 0)
        call.cancel()
        with pytest.raises(asyncio.CancelledError):
            await call
        assert await asyncio.to_thread(gone, pid) or pid not in pool.pids


@pytest.mark.parametrize(
    ("target", "args", "reason", "words"),
    [
        pytest.param(
            "builtins:bytearray", (4_000_000_000,), "memory", "more than 512 MB", marks=linux_only
        ),
        ("os:abort", (), "crash", r"crashed \(SIGABRT\)"),
        ("os:_exit", (3,), "crash", "ended with status 3"),
        ("builtins:int", ("x",), "raised", "invalid literal"),
        ("builtins:object", (), "raised", "JSON"),
        ("sys:exit", (1,), "raised", "1"),
        ("no_such_module:f", (), "raised", "No module"),
        ("builtins:len", ((),) * 2, "raised", "argument"),
    ],
)
async def test_what_goes_wrong_in_a_worker_is_said(
    target: str, args: tuple[Any, ...], reason: str, words: str
) -> None:
    async with with_pool() as pool:
        with pytest.raises(WorkerError, match=words) as failed:
            await pool.run(target, *args, timeout=20)
        assert failed.value.reason == reason
        assert await pool.run("math:sqrt", 4, timeout=20) == 2.0


async def test_an_exception_that_the_caller_knows_is_raised_again() -> None:
    async with with_pool() as pool:
        with pytest.raises(ValueError, match="invalid literal"):
            await pool.run("builtins:int", "x", timeout=20, raises=(ValueError,))


async def test_answers_that_are_too_long_are_refused() -> None:
    async with with_pool() as pool:
        with pytest.raises(WorkerError) as failed:
            await pool.run("operator:mul", ["x" * 1000], 70_000, timeout=20)
        assert failed.value.reason == "size"


@linux_only
async def test_a_worker_has_no_network_and_nothing_of_the_servers_environment(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", "sk-secret")

    async with with_pool() as pool:
        with pytest.raises(WorkerError) as failed:
            await pool.run("socket:create_connection", ("127.0.0.1", 9), timeout=20)
        assert "PermissionError" in failed.value.kind
        assert await pool.run("os:getenv", "OPENAI_API_KEY", timeout=20) is None
        assert await pool.run("os:getenv", "PATH", timeout=20)


@linux_only
def test_cpu_time_is_bounded_as_well() -> None:
    """Also where nobody is left to kill the process when its time is over."""
    with pytest.raises(WorkerError, match="CPU time") as failed:
        run_once("tests.workers.work:burn", timeout=60)
    assert failed.value.reason == "cpu"


async def test_calls_beyond_the_size_of_the_pool_wait_and_then_are_told_so() -> None:
    async with with_pool(size=1) as pool:
        hanging = asyncio.create_task(pool.run(*ENDLESS, timeout=60))
        await until(lambda: pool.working > 0)
        with pytest.raises(WorkerError, match="busy") as refused:
            await pool.call("os:getpid", (), cpu_seconds=5, wait_seconds=0.05)
        assert refused.value.reason == "busy"
        waiting = [asyncio.create_task(pool.run("os:getpid", timeout=30)) for _ in range(3)]
        await until(lambda: len(pool._waiting) == 3)
        waiting[0].cancel()
        hanging.cancel()
        done = await asyncio.gather(*waiting[1:])
        assert done[0] == done[1]


async def test_workers_with_nothing_to_do_are_ended() -> None:
    async with with_pool(idle_seconds=0.05) as pool:
        pid = await pool.run("os:getpid", timeout=20)
        assert await asyncio.to_thread(gone, pid) or not pool.pids


async def test_threads_may_use_the_pool_of_an_event_loop() -> None:
    async with with_pool() as pool:
        pool.attach()
        found = await asyncio.to_thread(pool.run_from_thread, "math:sqrt", 9, timeout=20)
        assert found == 3.0


async def test_closing_ends_calls_that_still_run() -> None:
    async with with_pool() as pool:
        call = asyncio.create_task(pool.run(*ENDLESS, timeout=60))
        await until(lambda: pool.working > 0)
        pids = pool.pids
        await pool.close()
        with pytest.raises(WorkerError, match="being stopped"):
            await call
        assert not any(map(alive, pids))
        with pytest.raises(WorkerError, match="being stopped"):
            await pool.run("os:getpid", timeout=5)


@linux_only
async def test_workers_end_with_a_server_that_is_killed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """And the next server clears away what they have left."""
    monkeypatch.setenv("TMPDIR", str(tmp_path))
    monkeypatch.setattr(tempfile, "tempdir", None)
    script = (
        "import asyncio, sys\n"
        "from antiphon.workers import WorkerPool\n"
        "async def main():\n"
        "    pool = WorkerPool()\n"
        "    await asyncio.gather(*(pool.run('os:getpid', timeout=20) for _ in range(2)))\n"
        f"    hanging = asyncio.ensure_future(pool.run(*{ENDLESS!r}, timeout=60))\n"
        "    await asyncio.sleep(0.1)\n"
        "    print(*pool.pids, flush=True)\n"
        "    await hanging\n"
        "asyncio.run(main())\n"
    )
    with subprocess.Popen([sys.executable, "-c", script], stdout=subprocess.PIPE) as server:
        assert server.stdout is not None
        pids = [int(pid) for pid in server.stdout.readline().split()]
        assert len(pids) == 2
        server.send_signal(signal.SIGKILL)
    assert all(map(gone, pids))
    left = list(tmp_path.glob("antiphon-worker-*"))
    assert len(left) == 2

    async with with_pool() as pool:
        await pool.run("os:getpid", timeout=20)
        await until(lambda: not any(folder.exists() for folder in left))


@linux_only
def test_confined_code_reaches_no_file_but_those_in_its_folder(tmp_path: Path) -> None:
    own, other = tmp_path / "own", tmp_path / "other"
    own.mkdir()
    other.mkdir()
    (other / "secret").write_text("42")
    limits = WorkerLimits(folder=str(own))
    for target, *args in (
        ("tests.workers.work:read", str(other / "secret")),
        ("tests.workers.work:write", str(other / "new")),
        ("os:unlink", str(other / "secret")),
        ("os:listdir", str(other)),
        ("tests.workers.work:read", "/etc/passwd"),
        ("os:kill", os.getpid(), 0),
        ("os:fork",),
        ("os:execv", "/bin/true", ["true"]),
        ("socket:create_connection", ("127.0.0.1", 9)),
    ):
        with pytest.raises(WorkerError) as failed:
            run_once("tests.workers.work:later", target, *args, timeout=20, limits=limits)
        assert "PermissionError" in failed.value.kind, target
    assert (other / "secret").read_text() == "42"
    assert run_once("tests.workers.work:write", str(own / "new"), timeout=20, limits=limits) == 2
    assert (own / "new").read_text() == "ok"


def test_importing_the_pool_costs_next_to_nothing() -> None:
    code = "import sys, antiphon.workers; print('asyncio' in sys.modules)"
    said = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert re.fullmatch("False\n", said.stdout)
    assert threading.active_count() < 50
