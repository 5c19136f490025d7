"""Write execution: calls with side effects, durable in the ledger before and after."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Coroutine
from typing import Any

import orjson

from antiphon.contracts import Envelope, ErrorType, ToolResult, error_body
from antiphon.orchestrator.audit import redacted
from antiphon.orchestrator.call_records import digest, in_progress, key_conflict, outcome_unknown
from antiphon.orchestrator.context import outside_key
from antiphon.orchestrator.execution import Execution
from antiphon.orchestrator.handler_run import HandlerStopped, failure_result
from antiphon.registry.handlers import Handler
from antiphon.storage import LedgerRow, StoreError, UnstorableError

logger = logging.getLogger(__name__)

LEDGER_SECONDS = 24 * 3600


class Write(Execution):
    """A write has a task of its own: it is finished and written down whatever becomes of the
    caller."""

    __slots__ = ()

    async def write(self) -> Envelope:
        session, record = self.session, self.record
        self.opened()
        session.remember(record)
        session.by_hash[record.hash] = record
        session.running[record.key] = record
        return await self.in_own_task(self._through(self._begin()), self.limit_ms)

    async def recover(self) -> Envelope:
        """The same call comes again after a crash has cut it short."""
        self.opened()
        self.record.state = "running"
        self.session.running[self.record.key] = self.record
        return await self.in_own_task(self._through(self._recover()), self.limit_ms)

    async def _through(self, work: Coroutine[Any, Any, Envelope]) -> None:
        record = self.record
        try:
            envelope = await work
        except StoreError as error:
            envelope = self._not_written(error)
        except asyncio.CancelledError:
            # The server is stopping: the row stays as it is and becomes unknown.
            record.state = "unknown"
            self.give(self.finished(outcome_unknown(record.name), None))
            raise
        except Exception as error:
            # A fault of ours. Whoever waits is answered all the same, and nothing is repeated.
            logger.error("%s could not be seen through", record.name, exc_info=error)
            record.state = "unknown"
            envelope = self.finished(outcome_unknown(record.name))
        finally:
            self.session.running.pop(record.key, None)
        self.give(envelope)

    def _not_written(self, error: StoreError) -> Envelope:
        record = self.record
        ran = record.envelope is not None
        logger.error("the ledger did not take %s: %s", record.name, error)
        if ran:
            record.state = "unknown"
            kind = ErrorType.OUTCOME_UNKNOWN
            words = (
                "It ran, but its result could not be written down. Tell the user, do not repeat it."
            )
        else:
            self.forget()
            again = not isinstance(error, UnstorableError)
            kind = ErrorType.TRANSIENT if again else ErrorType.INTERNAL
            words = (
                "The store cannot be written right now, so it was not run. Try again later."
                if again
                else "It could not be written down, so it was not run."
            )
        body = error_body(kind, f"{record.name}: {words}", partial_side_effects=ran)
        return self.finished(ToolResult(False, None, body, []))

    async def _begin(self) -> Envelope:
        session, record = self.session, self.record
        orchestrator = session.orchestrator
        now = orchestrator.now()
        row = LedgerRow(
            session_id=session.id,
            key=record.key,
            call_hash=record.hash,
            tool_id=record.name,
            args_digest=digest(record.canonical or b""),
            args=self._kept_args(),
            turn=record.turn,
            state="running",
            envelope=None,
            owner=orchestrator.store.node,
            created_at=now,
            updated_at=now,
            expires_at=now + LEDGER_SECONDS,
        )
        existing = await orchestrator.store.begin(row)
        return await (self._perform() if existing is None else self._known(existing))

    def _kept_args(self) -> bytes:
        """The arguments without what must never be written down."""
        canonical = orjson.dumps(self.case.args, option=orjson.OPT_SORT_KEYS)
        pointers = self.tool.definition.redact
        if not pointers:
            return canonical
        return orjson.dumps(redacted(orjson.loads(canonical), pointers))

    async def _perform(self) -> Envelope:
        """Run the handler; the result is durable before the answer leaves."""
        session, record = self.session, self.record
        store = session.orchestrator.store
        if record.interrupted and self.tool.definition.interruption == "cancel":
            await store.forget(session.id, record.key)
            self.forget()
            return self.finished(
                failure_result(HandlerStopped("cancelled"), record.name, writes=False)
            )
        result = await self.run(self.longest_ms)
        envelope = self.finished(result, None)
        record.envelope = envelope
        line = self.line(envelope, "tool_execution")
        error = result.error
        if error is not None and error["type"] == ErrorType.OUTCOME_UNKNOWN:
            store.append_audit(line)
            await store.lose(session.id, record.key)
            record.state, record.envelope = "unknown", None
            return envelope
        if error is not None and error["retryable"] and not error["partialSideEffects"]:
            # The tool says that nothing happened: the same call may be made again.
            store.append_audit(line)
            await store.forget(session.id, record.key)
            self.forget()
            return envelope
        await store.finish(session.id, record.key, orjson.dumps(envelope), (line,))
        record.state = "done"
        return envelope

    async def _known(self, row: LedgerRow) -> Envelope:
        """The store knew the call, this process did not: another node, or an earlier life."""
        record = self.record
        if row.tool_id != record.name or row.args_digest != digest(record.canonical or b""):
            self.forget()
            return self.finished(key_conflict())
        if row.state == "done" and row.envelope is not None:
            record.turn = row.turn
            record.state, record.envelope = "done", orjson.loads(row.envelope)
            return self.replay()
        if row.state == "unknown":
            self.session.running.pop(record.key, None)
            record.key = row.key
            self.session.running[row.key] = record
            return await self._recover()
        self.forget()
        return self.finished(in_progress(record.name))

    async def _recover(self) -> Envelope:
        """Ask the handler what became of it; run it again where that is safe; else say so."""
        session, record, tool = self.session, self.record, self.tool
        store = session.orchestrator.store
        # Whether a task was begun is known by its id, so beginning it again is always safe.
        result = None if self.becomes_task else await self._reconciled(tool.handler)
        if result is not None:
            envelope = self.finished(result, None)
            line = self.line(envelope, "tool_reconciled")
            await store.finish(session.id, record.key, orjson.dumps(envelope), (line,))
            record.state, record.envelope = "done", envelope
            return envelope
        safe = tool.definition.idempotent or self.becomes_task
        if safe and await store.retake(session.id, record.key):
            return await self._perform()
        record.state = "unknown"
        return self.finished(outcome_unknown(record.name))

    async def _reconciled(self, handler: Handler) -> ToolResult | None:
        if handler.reconcile is None:
            return None
        try:
            key = outside_key(self.session.id, self.record.key)
            answer = handler.reconcile(key, self.case.args, self.context())
            if asyncio.iscoroutine(answer):
                seconds = self.tool.definition.timeout_ms / 1000
                answer = await asyncio.wait_for(answer, seconds)
        except Exception as error:
            logger.error("%s could not be reconciled", self.record.name, exc_info=error)
            return None
        return answer if isinstance(answer, ToolResult) else None
