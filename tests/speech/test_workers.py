"""The threads of the engines: in order, fair, bounded, and gone when closed."""

from __future__ import annotations

import asyncio
import threading

import pytest

from antiphon.speech import SpeechError
from antiphon.speech.workers import MOST_WAITING, Worker
from antiphon.testing import run_real


def test_two_conversations_take_turns() -> None:
    async def main() -> list[str]:
        worker = Worker("test")
        gate = threading.Event()
        done: list[str] = []
        first, second = worker.lane(), worker.lane()
        jobs = [first.start(lambda: gate.wait(10))]
        jobs += [first.start(lambda n=n: done.append(f"a{n}")) for n in range(4)]  # type: ignore[misc]
        jobs += [second.start(lambda n=n: done.append(f"b{n}")) for n in range(2)]  # type: ignore[misc]
        gate.set()
        await asyncio.gather(*jobs)
        await asyncio.to_thread(worker.close)
        return done

    done = run_real(main())
    assert [name for name in done if name[0] == "a"] == ["a0", "a1", "a2", "a3"]
    assert [name for name in done if name[0] == "b"] == ["b0", "b1"]
    assert done.index("b1") < done.index("a2")


def test_jobs_of_one_conversation_never_run_at_the_same_time() -> None:
    async def main() -> int:
        worker = Worker("test", 4)
        lane = worker.lane()
        running = most = 0

        def job() -> None:
            nonlocal running, most
            running += 1
            most = max(most, running)
            threading.Event().wait(0.002)
            running -= 1

        await asyncio.gather(*(lane.run(job) for _ in range(6)))
        await asyncio.to_thread(worker.close)
        return most

    assert run_real(main()) == 1


def test_a_failure_reaches_who_waits_and_the_next_job_runs() -> None:
    async def main() -> int:
        worker = Worker("test")
        lane = worker.lane()

        def fail() -> None:
            raise SpeechError("no")

        with pytest.raises(SpeechError, match="no"):
            await lane.run(fail)
        result = await lane.run(lambda: 7)
        await asyncio.to_thread(worker.close)
        return result

    assert run_real(main()) == 7


def test_a_job_that_waits_can_be_cancelled_and_too_many_are_refused() -> None:
    async def main() -> list[int]:
        worker = Worker("test")
        gate, begun = threading.Event(), threading.Event()
        done: list[int] = []
        lane = worker.lane()

        def hold() -> None:
            begun.set()
            gate.wait(10)

        held = lane.start(hold)
        await asyncio.to_thread(begun.wait, 10)
        jobs = [lane.start(lambda n=n: done.append(n)) for n in range(MOST_WAITING)]  # type: ignore[misc]
        with pytest.raises(SpeechError, match="too much"):
            lane.start(lambda: None)
        jobs[3].cancel()
        await asyncio.sleep(0)  # the worker learns of it in the next turn of the loop
        gate.set()
        await held
        await asyncio.gather(*jobs, return_exceptions=True)
        await asyncio.to_thread(worker.close)
        return done

    assert run_real(main()) == [n for n in range(MOST_WAITING) if n != 3]


@pytest.mark.real_time
async def test_closing_drops_what_waits_and_takes_no_more() -> None:
    worker = Worker("test")
    gate, begun = threading.Event(), threading.Event()
    lane, other = worker.lane(), worker.lane()

    def hold() -> None:
        begun.set()
        gate.wait(10)

    held = lane.start(hold)
    await asyncio.to_thread(begun.wait, 10)
    waiting = [lane.start(lambda: None), other.start(lambda: None)]
    closing = asyncio.create_task(asyncio.to_thread(worker.close))
    await asyncio.wait(waiting[1:], timeout=10)
    gate.set()
    await closing
    await held
    await asyncio.wait(waiting, timeout=10)
    assert all(job.cancelled() for job in waiting)
    with pytest.raises(SpeechError, match="shut down"):
        lane.start(lambda: None)
