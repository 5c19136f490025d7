"""Virtual time: instant, ordered, and never ahead of what is real."""

from __future__ import annotations

import asyncio
import socket
import sys
import threading
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from antiphon.testing import Clock, DeadlockError, VirtualTimeLoop, run

DAY = 86_400.0


def now() -> float:
    return asyncio.get_running_loop().time()


@pytest.mark.parametrize("seconds", [30 * DAY, 3650 * DAY, 0.1, 1e-9])
def test_sleep_takes_no_real_time_and_exactly_its_virtual_time(seconds: float) -> None:
    async def main() -> float:
        await asyncio.sleep(seconds)
        return now()

    assert run(main()) == seconds


def test_timers_still_fire_far_from_the_start() -> None:
    """A nanosecond of resolution is lost in rounding there."""

    async def main() -> float:
        await asyncio.sleep(3e9)
        for _ in range(3):
            await asyncio.sleep(0.5)
        return now()

    assert run(main()) == 3e9 + 1.5


def test_no_timer_fires_before_its_time() -> None:
    """Not even when another one is due less than a nanosecond earlier."""

    async def main() -> float:
        async with asyncio.TaskGroup() as group:
            for delay in (1e6, 999999.9999999999):
                group.create_task(asyncio.sleep(delay))
        return now()

    assert run(main()) == 1e6


@given(st.lists(st.integers(0, 3), max_size=30))
def test_timers_fire_by_time_and_then_in_the_order_they_were_set(delays: list[int]) -> None:
    async def main() -> list[tuple[int, int]]:
        fired: list[tuple[int, int]] = []
        for index, delay in enumerate(delays):
            asyncio.get_running_loop().call_later(delay + 1, fired.append, (delay, index))
        await asyncio.sleep(10)
        return fired

    assert run(main()) == sorted((delay, index) for index, delay in enumerate(delays))


def test_cancelled_timers_neither_fire_nor_hold_time_up() -> None:
    async def main() -> float:
        loop = asyncio.get_running_loop()
        timers = [loop.call_later(5, pytest.fail, "fired") for _ in range(300)]
        for timer in timers:
            timer.cancel()
        await asyncio.sleep(1)
        return now()

    assert run(main()) == 1


def test_work_in_a_thread_is_awaited_and_takes_no_virtual_time() -> None:
    async def main() -> tuple[str, float, list[float]]:
        entered, leave = threading.Event(), threading.Event()
        ticks: list[float] = []

        def work() -> str:
            entered.set()
            assert leave.wait(20)
            return "done"

        async def tick() -> None:
            while True:
                await asyncio.sleep(1)
                ticks.append(now())

        ticking = asyncio.create_task(tick())
        working = asyncio.create_task(asyncio.to_thread(work))
        await asyncio.sleep(0)
        # Set from outside the loop, after a real while, as nothing in the loop could do it.
        helper = threading.Timer(0.05, leave.set)
        helper.start()
        result = await working
        at = now()
        helper.join()
        ticking.cancel()
        await asyncio.wait([ticking])
        assert entered.is_set()
        return result, at, ticks

    assert run(main()) == ("done", 0.0, [])


def test_a_timeout_around_quick_work_in_a_thread_never_fires() -> None:
    async def main() -> int:
        total = 0
        for _ in range(50):
            async with asyncio.timeout(1e-6):
                total += await asyncio.to_thread(int, "1")
        return total

    assert run(main()) == 50


def test_time_goes_on_once_nobody_waits_for_a_thread() -> None:
    async def main() -> float:
        leave = threading.Event()
        work = asyncio.get_running_loop().run_in_executor(None, leave.wait, 20)
        await asyncio.sleep(0)
        work.cancel()
        await asyncio.sleep(60)
        leave.set()
        return now()

    assert run(main()) == 60


def test_a_timeout_around_work_that_never_ends_fires_when_time_is_advanced_past_it() -> None:
    async def main() -> tuple[float, str]:
        leave = threading.Event()

        async def call() -> str:
            try:
                async with asyncio.timeout(3):
                    await asyncio.to_thread(leave.wait, 20)
            except TimeoutError:
                return f"timed out at {now():g}"
            return "ended"

        calling = asyncio.create_task(call())
        await Clock().advance(10, blocked=True)
        assert calling.done()
        leave.set()
        return now(), calling.result()

    assert run(main()) == (10.0, "timed out at 3")


def test_a_child_process_is_awaited_and_takes_no_virtual_time() -> None:
    async def main() -> tuple[bytes, int | None, float]:
        async with asyncio.timeout(0.001):
            child = await asyncio.create_subprocess_exec(
                *(sys.executable, "-I", "-S", "-c", "print(6 * 7)"), stdout=asyncio.subprocess.PIPE
            )
            output, _ = await child.communicate()
        return output.strip(), child.returncode, now()

    assert run(main(), patience=0.0) == (b"42", 0, 0.0)


def test_sockets_work_and_idle_ones_do_not_stop_time() -> None:
    async def main() -> tuple[bytes, float]:
        async def echo(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
            writer.write(await reader.readline())
            await reader.read()
            writer.close()
            await writer.wait_closed()

        server = await asyncio.start_server(echo, "127.0.0.1", 0)
        async with server:
            host, port = server.sockets[0].getsockname()
            async with asyncio.timeout(1):
                reader, writer = await asyncio.open_connection(host, port)
                writer.write(b"hello\n")
                line = await reader.readline()
            await asyncio.sleep(3600)
            writer.close()
            await writer.wait_closed()
        return line, now()

    assert run(main()) == (b"hello\n", 3600.0)


def test_held_time_waits_for_an_answer_from_outside() -> None:
    """The peer answers only after the loop has waited longer than it does for sockets."""

    async def main() -> tuple[bytes, float]:
        ours, theirs = socket.socketpair()
        with ours, theirs:
            ours.setblocking(False)
            peer = threading.Timer(0.05, theirs.sendall, [b"late"])
            peer.start()
            with Clock().hold():
                async with asyncio.timeout(0.5):
                    data = await asyncio.get_running_loop().sock_recv(ours, 10)
            peer.join()
        return data, now()

    assert run(main(), patience=0.0) == (b"late", 0.0)


def test_a_thread_of_ones_own_may_wake_the_loop() -> None:
    async def main() -> str:
        loop = asyncio.get_running_loop()
        answer: asyncio.Future[str] = loop.create_future()
        thread = threading.Timer(
            0.02, lambda: loop.call_soon_threadsafe(answer.set_result, "awake")
        )
        thread.start()
        result = await answer
        thread.join()
        return result

    assert run(main()) == "awake"


def test_a_deadlock_names_every_task_and_where_it_waits() -> None:
    async def wait_for_ever(event: asyncio.Event) -> None:
        await event.wait()

    async def main() -> None:
        async with asyncio.TaskGroup() as group:
            group.create_task(wait_for_ever(asyncio.Event()), name="the stuck one")

    with pytest.raises(DeadlockError) as caught:
        run(main())
    text = str(caught.value)
    assert "task 'the stuck one'" in text
    assert "task 'main'" in text
    created, waits = text.split("'the stuck one'")[1].splitlines()[:2]
    assert "test_clock.py" in created
    assert created.endswith("in test_a_deadlock_names_every_task_and_where_it_waits.<locals>.main")
    assert waits.endswith("wait_for_ever")


def test_timeouts_groups_and_queues_behave_as_on_a_real_loop() -> None:
    async def main() -> list[Any]:
        seen: list[Any] = []
        with pytest.raises(TimeoutError):
            async with asyncio.timeout(5):
                await asyncio.sleep(6)
        seen.append(now())
        with pytest.raises(TimeoutError):
            await asyncio.wait_for(asyncio.Event().wait(), 5)
        seen.append(now())
        queue: asyncio.Queue[int] = asyncio.Queue(1)

        async def produce() -> None:
            for item in range(3):
                await asyncio.sleep(10)
                await queue.put(item)

        async def consume() -> None:
            for _ in range(3):
                seen.append((await queue.get(), now()))

        async with asyncio.TaskGroup() as group:
            group.create_task(produce())
            group.create_task(consume())

        async def one_fails() -> None:
            async with asyncio.TaskGroup() as group:
                group.create_task(asyncio.sleep(1000))
                group.create_task(asyncio.wait_for(asyncio.Event().wait(), 1))

        with pytest.raises(ExceptionGroup):
            await one_fails()
        seen.append(now())
        return seen

    assert run(main()) == [5.0, 10.0, (0, 20.0), (1, 30.0), (2, 40.0), 41.0]


def test_the_clock_follows_the_loop() -> None:
    async def main() -> tuple[float, float]:
        clock = Clock()
        first = clock.now()
        await asyncio.sleep(90)
        return first, await asyncio.to_thread(clock.now)

    assert run(main(), start=1000.0) == (1000.0, 1090.0)


def test_advance_returns_after_all_that_was_due_has_run() -> None:
    async def main() -> tuple[list[float], float]:
        clock = Clock()
        woken: list[float] = []

        async def chain() -> None:
            for _ in range(10):
                await asyncio.sleep(1)
                await asyncio.sleep(0)
                woken.append(now())

        task = asyncio.create_task(chain())
        await clock.advance(3)
        result = list(woken), now()
        task.cancel()
        await asyncio.wait([task])
        return result

    assert run(main()) == ([1.0, 2.0, 3.0], 3.0)


def test_two_who_advance_at_once_each_get_their_own_time() -> None:
    async def main() -> list[float]:
        async def advance(seconds: float) -> float:
            await Clock().advance(seconds)
            return now()

        return await asyncio.gather(advance(7), advance(2), advance(2))

    assert run(main()) == [7.0, 2.0, 2.0]


@pytest.mark.parametrize("seconds", [-1.0, float("inf"), float("nan")])
def test_time_does_not_advance_backwards_or_for_ever(seconds: float) -> None:
    async def main() -> None:
        await Clock().advance(seconds)

    with pytest.raises(ValueError, match="0 or more seconds"):
        run(main())


@pytest.mark.parametrize("seconds", [3600.0, -3600.0])
def test_a_jump_moves_the_wall_clock_alone(seconds: float) -> None:
    async def main() -> tuple[float, float, bool]:
        clock, other = Clock(), Clock()
        timer = asyncio.create_task(asyncio.sleep(5))
        clock.jump(seconds)
        await asyncio.sleep(0)
        fired = timer.done()
        result = other.now(), clock.monotonic(), fired
        await timer
        assert clock.now() == 1000.0 + seconds + 5
        return result

    assert run(main(), start=1000.0) == (1000.0 + seconds, 0.0, False)


def test_a_clock_outside_virtual_time_says_so() -> None:
    clock = Clock()
    with pytest.raises(RuntimeError, match=r"inside antiphon\.testing\.run"):
        clock.now()

    async def main() -> float:
        return clock.now()

    assert run(main(), start=5.0) == 5.0


def test_each_run_has_a_fresh_loop() -> None:
    async def main() -> tuple[float, asyncio.AbstractEventLoop]:
        start = now()
        await asyncio.sleep(9)
        return start, asyncio.get_running_loop()

    (first, one), (second, other) = run(main()), run(main())
    assert first == second == 0.0
    assert one is not other
    assert isinstance(one, VirtualTimeLoop)
    assert one.is_closed()
