"""`run` and `run_real`: results, errors, and an end to whatever hangs."""

from __future__ import annotations

import asyncio
import contextlib
import signal
import threading
import time
from collections.abc import Callable
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from antiphon.testing import HangError, LeakError, run, run_real

both = pytest.mark.parametrize("runner", [run, run_real])


def briefly(runner: Callable[..., Any]) -> dict[str, float]:
    return {"watchdog" if runner is run else "timeout": 0.1}


@both
def test_the_result_is_the_coroutines(runner: Callable[..., Any]) -> None:
    assert runner(asyncio.sleep(0, "result")) == "result"


@both
def test_an_error_is_the_coroutines(runner: Callable[..., Any]) -> None:
    async def main() -> None:
        raise LookupError("mine")

    with pytest.raises(LookupError, match="mine"):
        runner(main())


@both
def test_a_runtime_error_of_the_test_is_not_taken_for_a_hang(runner: Callable[..., Any]) -> None:
    async def main() -> None:
        raise RuntimeError("mine")

    with pytest.raises(RuntimeError, match="mine"):
        runner(main())


@both
def test_what_is_left_behind_is_an_error_and_is_ended(runner: Callable[..., Any]) -> None:
    ended: list[str] = []

    async def child() -> None:
        try:
            await asyncio.sleep(1000)
        finally:
            ended.append("child")

    async def main() -> asyncio.Task[None]:
        task = asyncio.create_task(child(), name="orphan")
        await asyncio.sleep(0)
        return task

    with pytest.raises(LeakError, match="task 'orphan'"):
        runner(main())
    assert ended == ["child"]


@both
def test_leaks_are_noted_on_the_error_of_the_test(runner: Callable[..., Any]) -> None:
    async def main() -> None:
        task = asyncio.create_task(asyncio.sleep(1000), name="orphan")
        await asyncio.sleep(0)
        raise LookupError(task.get_name())

    with pytest.raises(LookupError) as caught:
        runner(main())
    assert "task 'orphan'" in caught.value.__notes__[0]


@both
def test_a_thread_that_does_not_end_is_named(runner: Callable[..., Any]) -> None:
    leave = threading.Event()

    def stubborn() -> None:
        leave.wait(20)

    async def main() -> None:
        await asyncio.to_thread(stubborn)

    try:
        with pytest.raises(HangError, match="main") as caught:
            runner(main(), **briefly(runner))
        assert any("stubborn" in note for note in caught.value.__notes__)
    finally:
        leave.set()


def test_the_watchdog_lists_tasks_work_and_threads() -> None:
    leave = threading.Event()

    def blocked() -> None:
        leave.wait(20)

    async def main() -> None:
        other = asyncio.create_task(asyncio.Event().wait(), name="bystander")
        helper = threading.Timer(0.3, leave.set)
        helper.start()
        try:
            await asyncio.to_thread(blocked)
        finally:
            other.cancel()
            helper.join()

    with pytest.raises(HangError) as caught:
        run(main(), watchdog=0.1)
    text = str(caught.value)
    for part in ("task 'main'", "task 'bystander'", "1 call(s) in an executor", "in test_the_watc"):
        assert part in text
    assert "blocked" in text


def test_time_that_runs_on_for_ever_is_a_hang() -> None:
    async def main() -> None:
        while True:  # noqa: ASYNC110
            await asyncio.sleep(1)

    with pytest.raises(HangError, match=r"virtual time is [1-9]"):
        run(main(), watchdog=0.05)


@both
def test_a_loop_that_never_waits_is_a_hang(runner: Callable[..., Any]) -> None:
    async def main() -> None:
        while True:  # noqa: ASYNC110
            await asyncio.sleep(0)

    with pytest.raises(HangError, match=r"waits at .*test_running\.py"):
        runner(main(), **briefly(runner))


@both
@pytest.mark.parametrize("kind", ["call", "loop"])
def test_code_that_blocks_the_event_loop_is_interrupted(
    runner: Callable[..., Any], kind: str
) -> None:
    async def main() -> None:
        if kind == "call":
            time.sleep(20)
        while True:
            pass

    with pytest.raises(HangError, match="does not let the event loop run") as caught:
        runner(main(), **briefly(runner))
    assert "test_running.py" in str(caught.value)


def test_a_process_in_the_background_is_interrupted_as_well() -> None:
    """A shell starts background jobs with SIGINT ignored; outside a run it stays so."""
    before = signal.signal(signal.SIGINT, signal.SIG_IGN)
    try:

        async def main() -> None:
            time.sleep(20)

        with pytest.raises(HangError, match="does not let the event loop run"):
            run(main(), watchdog=0.05)
        assert signal.getsignal(signal.SIGINT) is signal.SIG_IGN
    finally:
        signal.signal(signal.SIGINT, before)


@both
def test_a_task_that_refuses_to_end_is_named(runner: Callable[..., Any]) -> None:
    async def stubborn() -> None:
        while True:
            with contextlib.suppress(asyncio.CancelledError):
                await asyncio.Event().wait()

    async def main() -> None:
        tasks.append(asyncio.create_task(stubborn(), name="stubborn"))
        await asyncio.sleep(0)

    tasks: list[asyncio.Task[None]] = []
    with pytest.raises(LeakError, match="task 'stubborn'") as caught:
        runner(main())
    assert any("Does not end when cancelled: task 'stubborn'" in n for n in caught.value.__notes__)
    # Its loop is closed and it will never end; asyncio need not log that when it goes away.
    tasks[0]._log_destroy_pending = False  # type: ignore[attr-defined]


@both
def test_only_coroutines_are_run(runner: Callable[..., Any]) -> None:
    async def main() -> None: ...

    with pytest.raises(TypeError, match=r"run\(main\(\)\)"):
        runner(main)


@both
def test_a_running_loop_is_not_run_inside(runner: Callable[..., Any]) -> None:
    async def main() -> None:
        with pytest.raises(RuntimeError, match="await the coroutine"):
            runner(asyncio.sleep(0))

    run(main())


@both
def test_work_in_threads_is_over_when_it_returns(runner: Callable[..., Any]) -> None:
    names: list[threading.Thread] = []

    async def main() -> None:
        await asyncio.to_thread(lambda: names.append(threading.current_thread()))

    runner(main())
    assert not names[0].is_alive()


@given(st.lists(st.floats(0, 1e6), min_size=1, max_size=5))
def test_many_short_runs_are_independent(delays: list[float]) -> None:
    async def main() -> float:
        async with asyncio.TaskGroup() as group:
            for delay in delays:
                group.create_task(asyncio.sleep(delay))
        return asyncio.get_running_loop().time()

    assert run(main()) == max(delays)
