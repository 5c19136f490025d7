"""Eager coroutines: a first step taken by hand, and a trampoline for the rest of those that wait.

Most coroutines on hot paths finish without waiting. `work.send(None)` runs one up to its first
wait without a task or a timer; only one that has yielded is awaited, through `resume`.
"""

from __future__ import annotations

from collections.abc import Coroutine, Generator
from types import coroutine
from typing import Any, TypeVar

T = TypeVar("T")


@coroutine
def resume(work: Coroutine[Any, Any, T], yielded: Any) -> Generator[Any, Any, T]:
    """Await a coroutine whose first step has yielded `yielded`; return what it returns.

    Whatever is sent or thrown into the awaiting task, cancellation included, goes to `work`.
    """
    while True:
        try:
            value = yield yielded
        except GeneratorExit:
            work.close()
            raise
        except BaseException as error:  # noqa: BLE001 - a cancellation, which is the work's to see
            try:
                yielded = work.throw(error)
            except StopIteration as stop:
                return stop.value  # type: ignore[no-any-return]
        else:
            try:
                yielded = work.send(value)
            except StopIteration as stop:
                return stop.value  # type: ignore[no-any-return]
