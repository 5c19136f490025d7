"""Handler runs: first step inline, deadline and cancellation from the first wait on.

A read runs in its caller's task. Its first step is taken by hand: a handler that never waits costs
neither a task nor a timer. From the first wait on, a timer and `interrupt` may cancel it.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import AsyncGenerator, Callable, Coroutine
from contextlib import aclosing
from typing import Any

from antiphon._eager import resume
from antiphon.contracts import ErrorType, ToolError, ToolResult, error_body
from antiphon.extras import missing_extra, missing_extra_in
from antiphon.workers.errors import WorkerError

logger = logging.getLogger(__name__)

Progress = Callable[[Any], None]
# Why a running call was stopped: "timeout", "interrupted", "cancelled" or "busy", which means that
# it has not been started because there was no thread or process for it.
Stop = str


class HandlerStopped(Exception):
    """A handler that was stopped from outside, with the reason."""

    def __init__(self, reason: Stop) -> None:
        super().__init__(reason)
        self.reason = reason


class HandlerRun:
    """A running handler that can be stopped. `stop` may be called from anywhere on the loop."""

    __slots__ = ("_task", "stopped")

    def __init__(self) -> None:
        self.stopped: Stop | None = None
        self._task: asyncio.Task[Any] | None = None

    def stop(self, reason: Stop) -> None:
        if self.stopped is None and self._task is not None:
            self.stopped = reason
            self._task.cancel()

    async def wait(self, work: Coroutine[Any, Any, Any], yielded: Any, timeout_ms: float) -> Any:
        """Await a coroutine whose first step was taken, until its deadline. Raises
        HandlerStopped."""
        task = self._task = asyncio.current_task()
        assert task is not None
        loop = asyncio.get_running_loop()
        timer = loop.call_later(timeout_ms / 1000, self.stop, "timeout")
        try:
            return await resume(work, yielded)
        except asyncio.CancelledError:
            if self.stopped is None or task.cancelling() > 1:
                raise  # somebody cancelled the caller itself, or a call around this one
            raise HandlerStopped(self.stopped) from None
        finally:
            timer.cancel()
            self._task = None
            if self.stopped is not None:
                task.uncancel()


async def drain(steps: AsyncGenerator[Any, None], progress: Progress) -> Any:
    """Return the last value of a generator; report the ones before it as progress."""
    last: Any = None
    first = True
    async with aclosing(steps):
        async for value in steps:
            if not first:
                progress(last)
            last, first = value, False
    return last


def failure_result(
    error: BaseException, tool_id: str, *, writes: bool, killed: bool = False
) -> ToolResult:
    """The failure of a handler that raised. `killed`: stopping it kills it in the middle."""
    if isinstance(error, ToolError):
        return checked_result(ToolResult(False, None, error.body, []), tool_id)
    if isinstance(error, HandlerStopped):
        if writes and killed and error.reason != "busy":
            return cut_off(tool_id)
        return _stopped(error.reason, tool_id, writes=writes)
    if isinstance(error, WorkerError):
        return _not_seen_through(error, tool_id, writes=writes)
    if (missing := missing_extra(error)) is not None:
        return _not_installed(tool_id, missing, writes=writes)
    # The traceback is for the log; the model learns only that it failed.
    logger.error("%s failed", tool_id, exc_info=error)
    return _internal(tool_id)


def _internal(tool_id: str) -> ToolResult:
    body = error_body(
        ErrorType.INTERNAL, f"Internal error executing {tool_id}.", partial_side_effects=True
    )
    return ToolResult(False, None, body, [])


def _not_installed(tool_id: str, missing: str, *, writes: bool) -> ToolResult:
    """The failure of a handler that needs a package of an extra."""
    logger.error("%s cannot run: %s", tool_id, missing)
    body = error_body(
        ErrorType.PERMANENT,
        f"{tool_id} cannot run on this server. {missing}.",
        partial_side_effects=writes,
    )
    return ToolResult(False, None, body, [])


def _not_seen_through(error: WorkerError, tool_id: str, *, writes: bool) -> ToolResult:
    """The failure of a handler whose worker process brought no result."""
    if error.reason == "raised":
        if error.kind == "builtins.ModuleNotFoundError":
            missing = missing_extra_in(error.trace or error.message)
            if missing is not None:
                return _not_installed(tool_id, missing, writes=writes)
        logger.error("%s failed in its worker process\n%s", tool_id, error.trace)
        return _internal(tool_id)
    logger.error("%s: %s", tool_id, error.message)
    if writes:
        return cut_off(tool_id)
    body = error_body(ErrorType.PERMANENT, f"{tool_id} was not run to its end. {error.message}")
    return ToolResult(False, None, body, [])


def cut_off(tool_id: str) -> ToolResult:
    """The failure of a write whose worker process ended in the middle of it."""
    body = error_body(
        ErrorType.OUTCOME_UNKNOWN,
        f"{tool_id} was cut off while it was under way. It may have happened: tell the user, "
        "do not repeat it.",
        partial_side_effects=True,
    )
    return ToolResult(False, None, body, [])


def _stopped(reason: Stop, tool_id: str, *, writes: bool) -> ToolResult:
    if reason == "timeout":
        body = error_body(
            ErrorType.TRANSIENT,
            f"{tool_id} did not answer in time and was stopped.",
            partial_side_effects=writes,
        )
    elif reason == "busy":
        body = error_body(
            ErrorType.TRANSIENT,
            f"{tool_id} was not started: the server is busy with other calls. "
            "Try again in a moment.",
        )
    else:
        words = "the user spoke" if reason == "interrupted" else "the request was withdrawn"
        body = error_body(
            ErrorType.CANCELLED, f"{tool_id} was stopped: {words}.", partial_side_effects=writes
        )
    return ToolResult(False, None, body, [])


def checked_result(result: Any, tool_id: str) -> ToolResult:
    """Return a handler's return value, or a failure if it is no proper result."""
    if type(result) is ToolResult:
        if result.ok:
            if type(result.data) is dict and type(result.intents) in (list, tuple):
                return result
            logger.error("%s returned ok(...) without an object or a list of intents", tool_id)
            return _improper(tool_id)
        error = result.error
        if type(error) is dict and type(error.get("message")) is str and error["message"]:
            return result
        logger.error("%s returned a failure without a message", tool_id)
        return _improper(tool_id)
    logger.error("%s returned %s instead of ok(...) or fail(...)", tool_id, type(result).__name__)
    return _improper(tool_id)


def _improper(tool_id: str) -> ToolResult:
    body = error_body(
        ErrorType.INTERNAL,
        f"{tool_id} gave no proper result.",
        partial_side_effects=True,
    )
    return ToolResult(False, None, body, [])
