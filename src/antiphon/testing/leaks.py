"""Leak detection: tasks, threads, sockets and files left behind by async code, and their origin."""

from __future__ import annotations

import asyncio
import fnmatch
import gc
import os
import socket
import sys
import threading
import time
import warnings
from collections.abc import AsyncIterator, Coroutine, Iterable
from contextlib import asynccontextmanager
from types import AsyncGeneratorType
from typing import Any, TextIO
from weakref import WeakSet

from antiphon.testing.reports import (
    describe_task,
    describe_thread,
    is_pool_thread,
    remember_creation,
    where,
)

# Files that come and go with the interpreter itself: sources of randomness, and modules that
# another thread is just importing.
IGNORED_FILES = ("/dev/null", "/dev/random", "/dev/urandom", "*.py", "*.pyc", "*.so")

# A cancellation on its way or a transport that closes needs some turns of the loop, no time.
_TURNS = 20
_MOMENTS, _MOMENT = 200, 0.005
_FILES = "/proc/self/fd"


class LeakError(AssertionError):
    """Something was left behind. The message has one paragraph for each thing."""


@asynccontextmanager
async def no_leaks(*, ignore: Iterable[str] = ()) -> AsyncIterator[None]:
    """Raises LeakError if the body leaves something behind that was not there before.

    That is: pending tasks, async generators that were neither exhausted nor closed, coroutines
    never awaited, ResourceWarnings, errors nobody saw (of tasks or callbacks), open files and
    sockets (where /proc shows them), and threads that are neither daemons nor an executor's.
    What is already ending gets some turns of the loop to do so, but no time; files and
    sockets get a second, as another thread may have to do with them.

    `ignore` has patterns (as of `fnmatch`) for names of tasks, generators and threads, paths
    of files, and texts of warnings. If the body raises, leaks are added to its error as a note.
    """
    watch = _Watch((*IGNORED_FILES, *ignore))
    watch.start()
    try:
        try:
            yield
        except Exception as error:
            leaks = await watch.settle()
            if leaks:
                error.add_note(_message(leaks))
            raise
        leaks = await watch.settle()
    finally:
        watch.stop()
    if leaks:
        raise LeakError(_message(leaks))


def _message(leaks: list[str]) -> str:
    return "\n".join(["Left behind:", *(f"- {leak}" for leak in leaks)])


def open_files() -> dict[int, str]:
    """Open file descriptors and what they are; empty where the system does not show them."""
    found: dict[int, str] = {}
    try:
        numbers = os.listdir(_FILES)
    except OSError:
        return found
    for number in numbers:
        try:
            found[int(number)] = os.readlink(f"{_FILES}/{number}")
        except OSError:
            continue  # closed meanwhile, like the one that was used for listing
    return found


def describe_file(number: int, target: str) -> str:
    if not target.startswith("socket:"):
        return f"{target} (descriptor {number}) is still open"
    try:
        with socket.socket(fileno=os.dup(number)) as copy:
            here = copy.getsockname()
            try:
                there = f" to {copy.getpeername()}"
            except OSError:
                there = ""
            kind = copy.family.name
    except OSError:
        return f"{target} (descriptor {number}) was open, and closed just now"
    return f"{kind} socket {here}{there} (descriptor {number}) is still open"


class _Watch:
    """Notes what exists, listens to what happens, and compares at the end."""

    def __init__(self, ignore: tuple[str, ...]) -> None:
        self._ignore = ignore
        self._loop = asyncio.get_running_loop()
        self._events: list[tuple[str, str]] = []  # what can be told only when it happens
        self._generators: WeakSet[AsyncGeneratorType[Any, Any]] = WeakSet()
        self._warnings = warnings.catch_warnings()

    def start(self) -> None:
        loop = self._loop
        self._factory = loop.get_task_factory()
        loop.set_task_factory(self._make_task)  # type: ignore[arg-type]
        self._handler = loop.get_exception_handler()
        loop.set_exception_handler(self._unseen)
        self._hooks = sys.get_asyncgen_hooks()
        sys.set_asyncgen_hooks(self._first, self._dropped)  # type: ignore[arg-type]
        self._origin_depth = sys.get_coroutine_origin_tracking_depth()
        sys.set_coroutine_origin_tracking_depth(max(1, self._origin_depth))
        self._warnings.__enter__()
        warnings.filterwarnings("always", "coroutine .* was never awaited", RuntimeWarning)
        warnings.simplefilter("always", ResourceWarning)
        self._show = warnings.showwarning
        warnings.showwarning = self._warned
        self._tasks = asyncio.all_tasks(loop)
        self._threads = set(threading.enumerate())
        self._files = open_files()

    def stop(self) -> None:
        warnings.showwarning = self._show
        self._warnings.__exit__(None, None, None)
        sys.set_coroutine_origin_tracking_depth(self._origin_depth)
        sys.set_asyncgen_hooks(*self._hooks)
        loop = self._loop
        if loop.get_exception_handler() == self._unseen:
            loop.set_exception_handler(self._handler)
        if loop.get_task_factory() == self._make_task:
            loop.set_task_factory(self._factory)

    async def settle(self) -> list[str]:
        """What is left once everything that is ending has ended."""
        # Cycles among young objects only: a full collection would cost more than most tests.
        gc.collect(1)
        present = self._present()
        for _ in range(_TURNS):
            if not present:
                break
            await asyncio.sleep(0)
            present = self._present()
        # The other end of a socket may be a server in a thread of this process, which learns a
        # moment later than we do that the line is closed; and a worker thread may just be reading
        # a file. Real time: a virtual clock would skip it.
        for _ in range(_MOMENTS):
            if not any(text.endswith("is still open") for _, text in present):
                break
            time.sleep(_MOMENT)  # noqa: ASYNC251 - nothing else is left to run
            await asyncio.sleep(0)
            present = self._present()
        return [text for subject, text in (*present, *self._events) if not self._ignored(subject)]

    def _ignored(self, subject: str) -> bool:
        return any(fnmatch.fnmatchcase(subject, pattern) for pattern in self._ignore)

    def _present(self) -> list[tuple[str, str]]:
        found = [
            (task.get_name(), f"{describe_task(task)}\n    is still pending: await or cancel it")
            for task in asyncio.all_tasks(self._loop) - self._tasks
            if task is not asyncio.current_task()
        ]
        found += [
            (generator.__qualname__, f"{_describe_generator(generator)} is not closed")
            for generator in list(self._generators)
            if generator.ag_frame is not None
        ]
        found += [
            (thread.name, f"{describe_thread(thread)}\n    is still running")
            for thread in threading.enumerate()
            if thread not in self._threads and not thread.daemon and not is_pool_thread(thread)
        ]
        found += [
            (target, describe_file(number, target))
            for number, target in open_files().items()
            if self._files.get(number) != target and not self._ignored(target)
        ]
        return found

    def _make_task(
        self,
        loop: asyncio.AbstractEventLoop,
        coroutine: Coroutine[Any, Any, Any],
        **options: Any,
    ) -> asyncio.Task[Any]:
        task: asyncio.Task[Any]
        if self._factory is None:
            task = asyncio.Task(coroutine, loop=loop, **options)
        else:
            task = self._factory(loop, coroutine, **options)  # type: ignore[assignment]
        remember_creation(task)
        return task

    def _unseen(self, _loop: asyncio.AbstractEventLoop, context: dict[str, Any]) -> None:
        error = context.get("exception")
        text = f"{context['message']}: {error!r}" if error else context["message"]
        task = context.get("task") or context.get("future")
        if isinstance(task, asyncio.Task):
            text = f"{describe_task(task)}\n    {text}"
        self._events.append((text, text))

    def _first(self, generator: AsyncGeneratorType[Any, Any]) -> None:
        self._generators.add(generator)
        if self._hooks.firstiter is not None:
            self._hooks.firstiter(generator)

    def _dropped(self, generator: AsyncGeneratorType[Any, Any]) -> None:
        text = f"{_describe_generator(generator)} was dropped before its end: use aclosing()"
        self._events.append((generator.__qualname__, text))
        finalizer = self._hooks.finalizer
        # Around this one there may be others, which need not tell of it once more.
        while isinstance(outer := getattr(finalizer, "__self__", None), _Watch):
            finalizer = outer._hooks.finalizer
        if finalizer is not None:
            finalizer(generator)

    def _warned(
        self,
        message: Warning | str,
        category: type[Warning],
        filename: str,
        lineno: int,
        file: TextIO | None = None,
        line: str | None = None,
    ) -> None:
        text = str(message)
        if issubclass(category, ResourceWarning) or "was never awaited" in text:
            self._events.append((text, text))
        else:
            self._show(message, category, filename, lineno, file, line)


def _describe_generator(generator: AsyncGeneratorType[Any, Any]) -> str:
    frame = generator.ag_frame
    line = frame.f_lineno if frame is not None else generator.ag_code.co_firstlineno
    name = generator.__qualname__
    return f"async generator {name}, suspended at {where(generator.ag_code, line)},"
