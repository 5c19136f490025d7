"""The watchdog of the event loop: it names the handler that holds everybody up."""

from __future__ import annotations

import asyncio
import contextlib
import logging
import sys
import threading
import time
from types import FrameType
from typing import Self

from antiphon.orchestrator.metrics import Metrics
from antiphon.registry.handlers import find_handler_frame

logger = logging.getLogger(__name__)

HELD_SECONDS = 1.0
THREAD_NAME = "antiphon-loop-watchdog"
# Where nobody's handler is at work.
OTHER_CODE = "_other"


class LoopWatchdog:
    """A thread that has the event loop answer four times in the time that it may be held.

    When it does not, the thread looks at what the loop is at: the innermost frame of a handler
    names the tool. Calls themselves are not touched by any of this, so it costs them nothing. Use
    as an async context manager, on the loop that is to be watched.
    """

    def __init__(self, metrics: Metrics, seconds: float = HELD_SECONDS) -> None:
        self._metrics = metrics
        self._seconds = seconds
        self._end = threading.Event()
        self._answered = threading.Event()

    async def __aenter__(self) -> Self:
        self._loop = asyncio.get_running_loop()
        self._watched = threading.get_ident()
        self._thread = threading.Thread(target=self._watch, name=THREAD_NAME, daemon=True)
        self._thread.start()
        return self

    async def __aexit__(self, *_: object) -> None:
        self._end.set()
        self._answered.set()
        self._thread.join(2 * self._seconds)

    def _watch(self) -> None:
        while True:
            since = time.monotonic()
            if self._end.wait(self._seconds / 4):
                return
            # C code that keeps other threads from running keeps this one, too: then it comes back
            # from its pause too late, and the loop's thread is still where it was.
            if time.monotonic() - since < self._seconds:
                since = time.monotonic()
                self._answered.clear()
                if not self._ask() or (
                    self._answered.wait(self._seconds) and not self._late(since)
                ):
                    continue
            if self._end.is_set():
                return
            tool_id, place = holder(sys._current_frames().get(self._watched))
            if place:
                self._report(tool_id, place, since)

    def _ask(self) -> bool:
        try:
            self._loop.call_soon_threadsafe(self._answered.set)
        except RuntimeError:
            self._end.set()  # the loop has been closed
            return False
        return True

    def _late(self, since: float) -> bool:
        return time.monotonic() - since >= self._seconds

    def _report(self, tool_id: str, place: str, since: float) -> None:
        who = f"the handler of {tool_id}" if tool_id != OTHER_CODE else "code of no handler"
        logger.warning(
            "the event loop has been held for more than %g s by %s, at %s; everybody waits",
            self._seconds,
            who,
            place,
        )
        self._answered.clear()
        if self._ask():
            self._answered.wait()
            logger.warning(
                "the event loop goes on after %.1f s (%s)", time.monotonic() - since, who
            )
            with contextlib.suppress(RuntimeError):
                self._loop.call_soon_threadsafe(self._metrics.record_held, tool_id)


def holder(frame: FrameType | None) -> tuple[str, str]:
    """Return the tool whose handler a stack is in, or OTHER_CODE, and its line; no line where the
    loop is idle and it is the machine that is slow."""
    if frame is None or frame.f_code.co_name in ("select", "poll"):
        return OTHER_CODE, ""
    found = find_handler_frame(frame)
    if found is None:
        return OTHER_CODE, place_of(frame)
    tool_id, inner = found
    return tool_id, place_of(inner)


def place_of(frame: FrameType) -> str:
    code = frame.f_code
    parts = code.co_filename.replace("\\", "/").rsplit("/", 2)[-2:]
    return f"{'/'.join(parts)}:{frame.f_lineno} in {code.co_qualname}"
