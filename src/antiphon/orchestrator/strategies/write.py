"""Write strategy: a call with side effects, durable in the ledger before it starts and answers.

A write has a task of its own: it is finished and recorded whatever becomes of its caller.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Coroutine
from typing import Any

import orjson

from antiphon.contracts import Envelope, ErrorType, ToolResult, error_body
from antiphon.orchestrator.audit import redacted
from antiphon.orchestrator.call_frame import outside_key
from antiphon.orchestrator.call_records import (
    canonical_json,
    digest,
    in_progress,
    key_conflict,
    outcome_unknown,
)
from antiphon.orchestrator.detached_call import answer_from_task, deliver, forget_call
from antiphon.orchestrator.duplicates import replay_answer
from antiphon.orchestrator.governed_call import GovernedCall
from antiphon.orchestrator.handler_call import run_handler
from antiphon.orchestrator.handler_run import HandlerStopped, failure_result
from antiphon.orchestrator.outcome import audit_facts, count_start, finish_call
from antiphon.storage import LedgerRow, StoreError, UnstorableError

logger = logging.getLogger(__name__)

LEDGER_SECONDS = 24 * 3600


class WriteStrategy:
    """Enters the call in the ledger, runs it in a task of its own, and enters its outcome."""

    def execute_now(self, governed: GovernedCall) -> Envelope | None:
        """Never: the ledger has to be waited for."""
        del governed
        return None

    async def execute(self, governed: GovernedCall) -> Envelope:
        """Run a write that no record here knows of."""
        session, record = governed.session, governed.record
        count_start(governed)
        session.remember(record)
        session.by_hash[record.hash] = record
        session.running[record.key] = record
        work = _deliver_outcome(governed, _enter(governed))
        return await answer_from_task(governed, work, governed.limit_ms)

    async def recover(self, governed: GovernedCall) -> Envelope:
        """Reconcile or repeat a write that a crash has cut short."""
        session, record = governed.session, governed.record
        count_start(governed)
        record.state = "running"
        session.running[record.key] = record
        work = _deliver_outcome(governed, _recover(governed))
        return await answer_from_task(governed, work, governed.limit_ms)


async def reconcile(governed: GovernedCall) -> ToolResult | None:
    """Ask the handler what became of an earlier attempt; None when it cannot say."""
    handler, record = governed.tool.handler, governed.record
    if handler.reconcile is None:
        return None
    try:
        key = outside_key(governed.session.id, record.key)
        answer = handler.reconcile(key, governed.case.args, governed.context())
        if asyncio.iscoroutine(answer):
            seconds = governed.tool.definition.timeout_ms / 1000
            answer = await asyncio.wait_for(answer, seconds)
    except Exception as error:
        logger.error("%s could not be reconciled", record.name, exc_info=error)
        return None
    return answer if isinstance(answer, ToolResult) else None


async def _deliver_outcome(governed: GovernedCall, work: Coroutine[Any, Any, Envelope]) -> None:
    record = governed.record
    try:
        envelope = await work
    except StoreError as error:
        envelope = _not_stored(governed, error)
    except asyncio.CancelledError:
        # The server is stopping: the row stays as it is and becomes unknown.
        record.state = "unknown"
        deliver(governed, finish_call(governed, outcome_unknown(record.name), None))
        raise
    except Exception as error:
        # A fault of ours. Whoever waits is answered all the same, and nothing is repeated.
        logger.error("%s could not be seen through", record.name, exc_info=error)
        record.state = "unknown"
        envelope = finish_call(governed, outcome_unknown(record.name))
    finally:
        governed.session.running.pop(record.key, None)
    deliver(governed, envelope)


def _not_stored(governed: GovernedCall, error: StoreError) -> Envelope:
    """The answer when the ledger could not be written, before or after the handler ran."""
    record = governed.record
    ran = record.envelope is not None
    logger.error("the ledger did not take %s: %s", record.name, error)
    if ran:
        record.state = "unknown"
        kind = ErrorType.OUTCOME_UNKNOWN
        words = "It ran, but its result could not be written down. Tell the user, do not repeat it."
    else:
        forget_call(governed)
        again = not isinstance(error, UnstorableError)
        kind = ErrorType.TRANSIENT if again else ErrorType.INTERNAL
        words = (
            "The store cannot be written right now, so it was not run. Try again later."
            if again
            else "It could not be written down, so it was not run."
        )
    body = error_body(kind, f"{record.name}: {words}", partial_side_effects=ran)
    return finish_call(governed, ToolResult(False, None, body, []))


async def _enter(governed: GovernedCall) -> Envelope:
    """Enter the call in the ledger, then run it; answer from the ledger if it is there already."""
    session, record = governed.session, governed.record
    orchestrator = session.orchestrator
    now = orchestrator.now()
    row = LedgerRow(
        session_id=session.id,
        key=record.key,
        call_hash=record.hash,
        tool_id=record.name,
        args_digest=digest(record.canonical or b""),
        args=_stored_args(governed),
        turn=record.turn,
        state="running",
        envelope=None,
        owner=orchestrator.store.node,
        created_at=now,
        updated_at=now,
        expires_at=now + LEDGER_SECONDS,
    )
    existing = await orchestrator.store.begin(row)
    return await (_perform(governed) if existing is None else _answer_known(governed, existing))


def _stored_args(governed: GovernedCall) -> bytes:
    """The arguments without what must never be written down."""
    canonical = canonical_json(governed.case.args)
    pointers = governed.tool.definition.redact
    if not pointers:
        return canonical
    return orjson.dumps(redacted(orjson.loads(canonical), pointers))


async def _perform(governed: GovernedCall) -> Envelope:
    """Run the handler; the result is durable before the answer leaves."""
    session, record = governed.session, governed.record
    store = session.orchestrator.store
    if record.interrupted and governed.tool.definition.interruption == "cancel":
        await store.forget(session.id, record.key)
        forget_call(governed)
        stopped = HandlerStopped("cancelled")
        return finish_call(governed, failure_result(stopped, record.name, writes=False))
    result = await run_handler(governed, governed.longest_ms)
    envelope = finish_call(governed, result, None)
    record.envelope = envelope
    line = audit_facts(governed, envelope, "tool_execution")
    error = result.error
    if error is not None and error["type"] == ErrorType.OUTCOME_UNKNOWN:
        store.append_audit(line)
        await store.mark_unknown(session.id, record.key)
        record.state, record.envelope = "unknown", None
        return envelope
    if error is not None and error["retryable"] and not error["partialSideEffects"]:
        # The tool says that nothing happened: the same call may be made again.
        store.append_audit(line)
        await store.forget(session.id, record.key)
        forget_call(governed)
        return envelope
    await store.finish(session.id, record.key, orjson.dumps(envelope), (line,))
    record.state = "done"
    return envelope


async def _answer_known(governed: GovernedCall, row: LedgerRow) -> Envelope:
    """Answer a call that the store knew and this process did not: of another node, or of an
    earlier life."""
    record, running = governed.record, governed.session.running
    if row.tool_id != record.name or row.args_digest != digest(record.canonical or b""):
        forget_call(governed)
        return finish_call(governed, key_conflict())
    if row.state == "done" and row.envelope is not None:
        record.turn = row.turn
        record.state, record.envelope = "done", orjson.loads(row.envelope)
        return replay_answer(governed)
    if row.state == "unknown":
        running.pop(record.key, None)
        record.key = row.key
        running[row.key] = record
        return await _recover(governed)
    forget_call(governed)
    return finish_call(governed, in_progress(record.name))


async def _recover(governed: GovernedCall) -> Envelope:
    """Ask the handler what became of it; run it again where that is safe; else say so."""
    session, record, tool = governed.session, governed.record, governed.tool
    store = session.orchestrator.store
    # Whether a task was begun is known by its id, so beginning it again is always safe.
    result = None if governed.starts_task else await reconcile(governed)
    if result is not None:
        envelope = finish_call(governed, result, None)
        line = audit_facts(governed, envelope, "tool_reconciled")
        await store.finish(session.id, record.key, orjson.dumps(envelope), (line,))
        record.state, record.envelope = "done", envelope
        return envelope
    safe = tool.definition.idempotent or governed.starts_task
    if safe and await store.reclaim(session.id, record.key):
        return await _perform(governed)
    record.state = "unknown"
    return finish_call(governed, outcome_unknown(record.name))


WRITE = WriteStrategy()
