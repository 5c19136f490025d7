"""Handler calls: a handler's first step taken inline, its deadline, and one retry in text."""

from __future__ import annotations

import asyncio
import random
from collections.abc import Coroutine
from hashlib import sha256
from typing import Any

from antiphon.contracts import ErrorType, ToolResult
from antiphon.orchestrator.audit import hide_arguments
from antiphon.orchestrator.client_call import run_in_client
from antiphon.orchestrator.context import Context
from antiphon.orchestrator.governed_call import GovernedCall, SuspendedHandler
from antiphon.orchestrator.handler_run import (
    HandlerRun,
    HandlerStopped,
    checked_result,
    failure_result,
)
from antiphon.orchestrator.isolation import begin_isolated
from antiphon.registry.handlers import Handler

RETRY_SECONDS = (0.05, 0.15)


def begin_handler(governed: GovernedCall, context: Context) -> Coroutine[Any, Any, Any]:
    """The coroutine that runs the tool's handler: inline, in a thread, in a worker process or in
    the person's browser."""
    tool = governed.tool
    if tool.definition.execution == "client":
        return run_in_client(governed, context)
    handler = _choose_variant(governed) if tool.variants else tool.handler
    if handler.kind == "async":
        work: Coroutine[Any, Any, Any] = handler.execute(governed.case.args, context)
        return work
    return begin_isolated(governed, handler, context)


def start_handler(governed: GovernedCall) -> ToolResult | SuspendedHandler:
    """Take the first step of a call's work: its result, or the handler that waits.

    A handler that never waits costs neither a task nor a timer.
    """
    try:
        work = governed.begin(governed, governed.context())
        yielded = work.send(None)
    except StopIteration as stop:
        return checked_result(stop.value, governed.record.name)
    except (Exception, SystemExit, asyncio.CancelledError) as error:  # noqa: BLE001 - anything
        hide_arguments(governed.tool.definition, governed.case.args)
        return failure_result(_own(error), governed.record.name, writes=governed.tool.writes)
    return SuspendedHandler(work, yielded)


async def finish_handler(
    governed: GovernedCall, step: ToolResult | SuspendedHandler, limit_ms: float
) -> ToolResult:
    """Await a started handler within the limit. A text session retries an idempotent tool once
    after a transient failure; voice never waits for that."""
    result = step if isinstance(step, ToolResult) else await _await(governed, step, limit_ms)
    if result.error is not None and may_retry(governed, result.error):
        await asyncio.sleep(random.uniform(*RETRY_SECONDS))  # noqa: S311 - jitter
        if not governed.record.interrupted:
            step = start_handler(governed)
            result = (
                step if isinstance(step, ToolResult) else await _await(governed, step, limit_ms)
            )
        elif governed.tool.definition.interruption == "cancel":
            stopped = HandlerStopped("interrupted")
            result = failure_result(stopped, governed.record.name, writes=False)
    return result


async def run_handler(governed: GovernedCall, limit_ms: float) -> ToolResult:
    """Start a call's work and await its result within the limit."""
    return await finish_handler(governed, start_handler(governed), limit_ms)


def may_retry(governed: GovernedCall, error: dict[str, Any]) -> bool:
    """Whether a failed handler is retried once, out of the caller's sight."""
    running = governed.record.running
    return bool(
        error["type"] == ErrorType.TRANSIENT
        and error["retryable"]
        and governed.session.mode == "text"
        and governed.tool.definition.idempotent
        and not governed.record.interrupted
        and (running is None or running.stopped is None)
    )


async def _await(
    governed: GovernedCall, suspended: SuspendedHandler, limit_ms: float
) -> ToolResult:
    record = governed.record
    running = record.running = HandlerRun()
    try:
        value = await running.wait(suspended.work, suspended.yielded, limit_ms)
        return checked_result(value, record.name)
    except (Exception, SystemExit, asyncio.CancelledError) as error:  # noqa: BLE001
        if isinstance(error, HandlerStopped):
            running.stopped = error.reason  # what waited for a place has waited long enough
        writes, killed = governed.tool.writes, governed.isolated
        hide_arguments(governed.tool.definition, governed.case.args)
        return failure_result(_own(error), record.name, writes=writes, killed=killed)


def _choose_variant(governed: GovernedCall) -> Handler:
    """Choose the variant of the tool for this session: the same one for the session's whole
    life."""
    tool, record = governed.tool, governed.record
    variants = tool.definition.variants
    drawn = sha256(f"{governed.session.id}/{record.name}".encode()).digest()[:8]
    point = int.from_bytes(drawn, "big") / 2**64 * sum(v.weight for v in variants)
    for variant in variants:
        point -= variant.weight
        if point < 0:
            break
    governed.variant = variant.name
    return tool.variants[variant.name]


def _own(error: BaseException) -> BaseException:
    """Return an error of the handler itself; re-raise a cancellation of the caller."""
    if isinstance(error, asyncio.CancelledError):
        task = asyncio.current_task()
        if task is not None and task.cancelling():
            raise error
    return error
