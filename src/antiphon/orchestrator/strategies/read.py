"""Read strategy: a call without side effects, run in its caller's task and gone with it."""

from __future__ import annotations

import asyncio
from contextlib import suppress

from antiphon.contracts import Envelope, ErrorType, ToolResult
from antiphon.orchestrator.detached_call import answer_from_task, deliver, forget_call
from antiphon.orchestrator.governed_call import GovernedCall
from antiphon.orchestrator.handler_call import (
    finish_handler,
    may_retry,
    run_handler,
    start_handler,
)
from antiphon.orchestrator.handler_run import HandlerStopped, failure_result
from antiphon.orchestrator.outcome import count_start, finish_call
from antiphon.storage import StoreError


class ReadStrategy:
    """Runs the handler once and keeps its answer for duplicates; nothing is written to the
    ledger."""

    def execute_now(self, governed: GovernedCall) -> Envelope | None:
        """Answer a read whose handler never waits. Nothing else can run meanwhile, so nobody has
        to be able to find or stop the call."""
        if governed.tool.definition.interruption == "detach":
            return None
        count_start(governed)
        step = start_handler(governed)
        if type(step) is ToolResult and (step.error is None or not may_retry(governed, step.error)):
            return _settle(governed, step)
        governed.step = step
        return None

    async def execute(self, governed: GovernedCall) -> Envelope:
        """Await a read in the caller's task, or in one of its own where the tool says that an
        interruption detaches it."""
        session, record, limit = governed.session, governed.record, governed.limit_ms
        session.remember(record)
        session.running[record.key] = record
        step = governed.step
        if step is None:
            count_start(governed)
            if governed.tool.definition.interruption == "detach":
                return await answer_from_task(governed, _detached_read(governed), limit)
        try:
            result = await finish_handler(governed, step or start_handler(governed), limit)
        except asyncio.CancelledError:
            with suppress(StoreError):  # closed meanwhile; the cancellation must still go on
                _settle(governed, _cancelled(governed))
            raise
        finally:
            session.running.pop(record.key, None)
        return _settle(governed, result)

    async def recover(self, governed: GovernedCall) -> Envelope:
        """Read anew: whatever became of the call, it changed nothing."""
        return await self.execute(governed)


async def _detached_read(governed: GovernedCall) -> None:
    try:
        result = await run_handler(governed, governed.longest_ms)
    except asyncio.CancelledError:
        deliver(governed, finish_call(governed, _cancelled(governed)))
        raise
    finally:
        governed.session.running.pop(governed.record.key, None)
    governed.record.state = "done"
    if result.error is not None and result.error["retryable"]:
        forget_call(governed)
    deliver(governed, finish_call(governed, result))


def _settle(governed: GovernedCall, result: ToolResult) -> Envelope:
    """Finish a read: keep its answer for duplicates, or forget it where it may be tried again."""
    record = governed.record
    envelope = record.envelope = finish_call(governed, result)
    record.state = "done"
    if record.answer is not None and not record.answer.done():
        record.answer.set_result(envelope)
    error = result.error
    if error is None or not (error["retryable"] or error["type"] == ErrorType.CANCELLED):
        governed.session.remember(record)
    else:
        forget_call(governed)
    return envelope


def _cancelled(governed: GovernedCall) -> ToolResult:
    return failure_result(HandlerStopped("cancelled"), governed.record.name, writes=False)


READ = ReadStrategy()
