"""Each kind of thing that can be left behind is found and named."""

from __future__ import annotations

import asyncio
import gc
import socket
import tempfile
import threading
import warnings
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator
from contextlib import aclosing, contextmanager
from pathlib import Path
from typing import Any

import pytest

from antiphon.testing import LeakError, no_leaks, run, run_real

runners = pytest.mark.parametrize("runner", [run, run_real])


async def numbers() -> AsyncIterator[int]:
    for number in range(3):
        yield number


async def leaks_of(body: Callable[[], Awaitable[Any]], **options: Any) -> str:
    """The message about what the body leaves; empty when it leaves nothing."""
    try:
        async with no_leaks(**options):
            kept = await body()
    except LeakError as error:
        return str(error)
    del kept
    return ""


@contextmanager
def kept() -> Iterator[list[Any]]:
    """Whatever is put here is ended after the check, so that the test itself leaves nothing."""
    things: list[Any] = []
    yield things
    for thing in things:
        thing.close()


async def end(*tasks: asyncio.Task[Any]) -> None:
    for task in tasks:
        task.cancel()
    await asyncio.wait(tasks)


@runners
def test_a_pending_task_is_named_with_its_origin(runner: Callable[..., Any]) -> None:
    async def main() -> str:
        async def body() -> None:
            tasks.append(asyncio.create_task(asyncio.sleep(1000), name="forgotten"))

        tasks: list[asyncio.Task[None]] = []
        text = await leaks_of(body)
        await end(*tasks)
        return text

    text = runner(main())
    assert "task 'forgotten' (sleep), created at" in text
    assert "test_leaks.py" in text
    assert "main.<locals>.body" in text


@runners
def test_what_is_finished_or_was_there_before_is_no_leak(runner: Callable[..., Any]) -> None:
    async def main() -> str:
        before = asyncio.create_task(asyncio.sleep(1000))
        generator = numbers()
        await anext(generator)

        async def body() -> None:
            async with asyncio.TaskGroup() as group:
                group.create_task(asyncio.sleep(0))
            async for _ in numbers():
                pass
            async with aclosing(numbers()) as some:
                await anext(some)
            await asyncio.to_thread(int)
            with tempfile.TemporaryFile(), socket.socket():
                pass

        text = await leaks_of(body)
        await generator.aclose()
        await end(before)
        return text

    assert runner(main()) == ""


@runners
def test_a_cancellation_under_way_is_no_leak(runner: Callable[..., Any]) -> None:
    async def main() -> None:
        task = asyncio.create_task(asyncio.sleep(1000))
        await asyncio.sleep(0)
        task.cancel()

    runner(main())


@runners
def test_connections_that_close_are_no_leak(runner: Callable[..., Any]) -> None:
    async def main() -> None:
        async def serve(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
            await reader.read()
            writer.close()

        async with await asyncio.start_server(serve, "127.0.0.1", 0) as server:
            _, writer = await asyncio.open_connection(*server.sockets[0].getsockname())
            writer.write(b"x")
            writer.close()

    runner(main())


@runners
def test_an_open_async_generator_is_named(runner: Callable[..., Any]) -> None:
    async def main() -> str:
        async def body() -> None:
            generators.append(numbers())
            await anext(generators[0])

        generators: list[Any] = []
        text = await leaks_of(body)
        await generators[0].aclose()
        return text

    text = runner(main())
    assert "async generator numbers, suspended at" in text
    assert "is not closed" in text


@runners
def test_a_dropped_async_generator_is_named(runner: Callable[..., Any]) -> None:
    async def main() -> str:
        async def body() -> None:
            async for _ in numbers():
                break

        return await leaks_of(body)

    text = runner(main())
    assert "async generator numbers" in text
    assert "was dropped before its end: use aclosing()" in text


@runners
def test_a_coroutine_nobody_awaited_is_named_with_its_origin(runner: Callable[..., Any]) -> None:
    async def forgotten() -> None: ...

    async def main() -> str:
        async def body() -> None:
            forgotten()

        return await leaks_of(body)

    text = runner(main())
    assert "forgotten' was never awaited" in text
    assert "in body" in text


@runners
def test_a_resource_warning_is_a_leak(runner: Callable[..., Any], tmp_path: Path) -> None:
    async def main() -> str:
        async def body() -> None:
            (tmp_path / "kept.txt").open("w")

        return await leaks_of(body)

    text = runner(main())
    assert "unclosed file" in text
    assert "kept.txt" in text


@runners
def test_an_open_file_is_named(runner: Callable[..., Any], tmp_path: Path) -> None:
    async def main() -> str:
        async def body() -> None:
            things.append((tmp_path / "kept.txt").open("w"))

        with kept() as things:
            return await leaks_of(body)

    assert "kept.txt (descriptor " in runner(main())


@runners
def test_an_open_socket_is_named_by_its_address(runner: Callable[..., Any]) -> None:
    async def main() -> tuple[str, Any]:
        async def body() -> None:
            things.append(socket.create_server(("127.0.0.1", 0)))

        with kept() as things:
            text = await leaks_of(body)
            return text, things[0].getsockname()

    text, address = runner(main())
    assert f"AF_INET socket {address} (descriptor " in text


@runners
def test_a_thread_is_named_unless_it_is_a_daemon(runner: Callable[..., Any]) -> None:
    async def main() -> str:
        leave = threading.Event()

        async def body() -> None:
            for name, daemon in (("left", False), ("daemonic", True)):
                threads.append(
                    threading.Thread(target=leave.wait, args=[20], name=name, daemon=daemon)
                )
                threads[-1].start()

        threads: list[threading.Thread] = []
        text = await leaks_of(body)
        leave.set()
        for thread in threads:
            thread.join()
        return text

    text = runner(main())
    assert "thread 'left'" in text
    assert "daemonic" not in text


@runners
def test_an_error_nobody_saw_is_named(runner: Callable[..., Any]) -> None:
    async def fail() -> None:
        raise LookupError("unseen")

    async def main() -> str:
        async def body() -> None:
            asyncio.create_task(fail(), name="failing")  # noqa: RUF006
            asyncio.get_running_loop().call_soon(int, "no number")
            await asyncio.sleep(0)
            await asyncio.sleep(0)
            gc.collect()

        return await leaks_of(body)

    text = runner(main())
    assert "task 'failing'" in text
    assert "LookupError('unseen')" in text
    assert "no number" in text


def test_several_leaks_are_all_told() -> None:
    async def main() -> str:
        async def body() -> None:
            for name in ("one", "two"):
                tasks.append(asyncio.create_task(asyncio.sleep(1000), name=name))

        tasks: list[asyncio.Task[None]] = []
        text = await leaks_of(body)
        await end(*tasks)
        return text

    text = run(main())
    assert "task 'one'" in text
    assert "task 'two'" in text


def test_what_is_ignored_is_not_told_and_the_rest_is() -> None:
    async def main() -> str:
        async def body() -> None:
            for name in ("keep-alive-1", "other"):
                tasks.append(asyncio.create_task(asyncio.sleep(1000), name=name))

        tasks: list[asyncio.Task[None]] = []
        text = await leaks_of(body, ignore=["keep-alive-*"])
        await end(*tasks)
        return text

    text = run(main())
    assert "keep-alive" not in text
    assert "task 'other'" in text


def test_other_warnings_go_where_they_always_go() -> None:
    async def main() -> None:
        with pytest.raises(UserWarning, match="loud"):
            warnings.warn("loud", UserWarning, stacklevel=1)
        with pytest.warns(DeprecationWarning, match="old"):
            warnings.warn("old", DeprecationWarning, stacklevel=1)

    run(main())


def test_other_warnings_reach_those_who_listen_outside() -> None:
    async def main() -> None:
        warnings.warn("quiet", UserWarning, stacklevel=1)

    with pytest.warns(UserWarning, match="quiet"):
        run(main())


def test_a_coroutine_nobody_awaited_is_found_in_a_cycle() -> None:
    async def forgotten() -> None: ...

    async def main() -> str:
        async def body() -> None:
            cycle: list[Any] = [forgotten()]
            cycle.append(cycle)

        gc.disable()  # so that it is the check that finds it
        try:
            return await leaks_of(body)
        finally:
            gc.enable()

    assert "forgotten' was never awaited" in run(main())


def test_the_loop_is_left_as_it_was() -> None:
    async def main() -> None:
        loop = asyncio.get_running_loop()

        def settings() -> tuple[Any, ...]:
            return loop.get_task_factory(), loop.get_exception_handler(), list(warnings.filters)

        before = settings()
        async with no_leaks():
            assert settings() != before
        assert settings() == before

    run(main())
