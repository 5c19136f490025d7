"""Detached calls: work in a task of its own, whose caller may be answered before it is done."""

from __future__ import annotations

import asyncio
from collections.abc import Coroutine
from typing import Any

from antiphon.contracts import Envelope
from antiphon.orchestrator.governed_call import GovernedCall
from antiphon.orchestrator.outcome import answer_in_progress


async def answer_from_task(
    governed: GovernedCall, work: Coroutine[Any, Any, None], timeout_ms: float
) -> Envelope:
    """Start `work` in a task of the orchestrator and await the envelope that it delivers; after
    the timeout, or when the call is released, answer IN_PROGRESS."""
    record, session = governed.record, governed.session
    loop = asyncio.get_running_loop()
    answer: asyncio.Future[Envelope | None] = loop.create_future()
    record.answer = answer
    session.orchestrator.spawn(work, f"{record.name} {record.key}")
    timer = loop.call_later(timeout_ms / 1000, record.release)
    try:
        envelope = await asyncio.shield(answer)
    except asyncio.CancelledError:
        record.release()  # whoever asked is gone: what comes of it is for the session to tell
        session.mark_undelivered(record)
        raise
    finally:
        timer.cancel()
    if envelope is not None:
        return envelope
    session.mark_undelivered(record)
    return answer_in_progress(governed, "tool_detached", "run")


def deliver(governed: GovernedCall, envelope: Envelope) -> None:
    """Hand the answer to whoever waits; queue it in the session when they were answered before."""
    record = governed.record
    record.envelope = envelope
    answer = record.answer
    assert answer is not None
    if not answer.done():
        answer.set_result(envelope)
        return
    governed.session.queue_late_result(governed.call, envelope)


def forget_call(governed: GovernedCall) -> None:
    """Drop the record of a call, so that the same call may be made anew."""
    session, record = governed.session, governed.record
    session.recent.pop(record.key, None)
    if record.hash:
        session.by_hash.pop(record.hash, None)
    session.clear_undelivered(record.call)
