"""Coroutines begun by hand: what could wait seldom does, and needs neither task nor clock then."""

from __future__ import annotations

from collections.abc import Coroutine, Generator
from types import coroutine
from typing import Any


@coroutine
def resume(work: Coroutine[Any, Any, None], yielded: Any) -> Generator[Any, Any, None]:
    """Go on with a coroutine whose first step has been taken: hand on what it waits for."""
    try:
        while True:
            try:
                value = yield yielded
            except GeneratorExit:
                work.close()
                raise
            except BaseException as error:  # noqa: BLE001 - a cancellation, which is the work's to see
                yielded = work.throw(error)
            else:
                yielded = work.send(value)
    except StopIteration:
        return
