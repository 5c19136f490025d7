"""Reports of stuck tasks and threads: name, place of creation, place of waiting."""

from __future__ import annotations

import asyncio
import os
import sys
import threading
from collections.abc import Iterable
from concurrent.futures import thread as pool
from types import CodeType, FrameType
from typing import Any
from weakref import WeakKeyDictionary

_CREATED: WeakKeyDictionary[asyncio.Future[Any], tuple[CodeType, int]] = WeakKeyDictionary()
# Who asked for a task is the nearest caller outside these folders.
_MACHINERY = tuple(os.path.dirname(path) + os.sep for path in (asyncio.__file__, __file__))
_DEEPEST = 12
# Of the orchestrator: the pool of tools, and who watches the event loop.
OWN_THREADS = ("antiphon-tool-", "antiphon-loop-watchdog", "worker-folder")


# All three are assertions, so that a test which expects a TimeoutError or a RuntimeError
# of the code under test cannot take a broken test for it.
class DeadlockError(AssertionError):
    """Every task waits for something that nothing is left to bring about."""


class HangError(AssertionError):
    """The test took longer in real time than it may."""


def where(code: CodeType, line: int | None) -> str:
    return f"{short(code.co_filename)}:{line} in {code.co_qualname}"


def short(path: str) -> str:
    """A path as a reader of the report would open it: relative if it lies below this folder."""
    here = os.getcwd() + os.sep
    return path.removeprefix(here)


def remember_creation(task: asyncio.Future[Any]) -> None:
    """Notes who creates a task. Called right where that happens."""
    frame: FrameType | None = sys._getframe(1)
    while frame is not None and frame.f_code.co_filename.startswith(_MACHINERY):
        frame = frame.f_back
    if frame is not None:
        _CREATED[task] = frame.f_code, frame.f_lineno


def awaits(awaitable: object) -> list[str]:
    """The places where a suspended coroutine waits, outermost first."""
    places: list[str] = []
    while awaitable is not None and len(places) < _DEEPEST:
        for prefix, onwards in (("cr", "await"), ("gi", "yieldfrom"), ("ag", "await")):
            frame = getattr(awaitable, f"{prefix}_frame", None)
            if frame is not None:
                places.append(where(frame.f_code, frame.f_lineno))
                awaitable = getattr(awaitable, f"{prefix}_{onwards}", None)
                break
        else:
            break
    return places


def describe_task(task: asyncio.Task[Any]) -> str:
    coroutine = task.get_coro()
    name = getattr(coroutine, "__qualname__", repr(coroutine))
    created = _CREATED.get(task)
    origin = f"created at {where(*created)}" if created else "created before anyone took note"
    lines = [f"task {task.get_name()!r} ({name}), {origin}"]
    lines += [f"    waits at {place}" for place in awaits(coroutine)]
    return "\n".join(lines)


def describe_thread(thread: threading.Thread) -> str:
    lines = [f"thread {thread.name!r}"]
    frame = sys._current_frames().get(thread.ident or 0)
    while frame is not None and len(lines) <= _DEEPEST:
        lines.append(f"    at {where(frame.f_code, frame.f_lineno)}")
        frame = frame.f_back
    return "\n".join(lines)


def is_pool_thread(thread: threading.Thread) -> bool:
    """Whether a pool owns the thread, which keeps idle ones for later work."""
    return thread in pool._threads_queues or thread.name.startswith(OWN_THREADS)


def report(headline: str, loop: asyncio.AbstractEventLoop, also: Iterable[str] = ()) -> str:
    """A headline, then every pending task of a loop and whatever else holds it up."""
    tasks = sorted(asyncio.all_tasks(loop), key=lambda task: task.get_name())
    items = [describe_task(task) for task in tasks] + list(also)
    return "\n".join([headline, *(f"- {item}" for item in items)])
