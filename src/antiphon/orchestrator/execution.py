"""One call that runs: its handler, its envelope, its intents, its numbers, its line of audit."""

from __future__ import annotations

import asyncio
import logging
import random
from hashlib import sha256
from typing import TYPE_CHECKING, Any

import orjson

from antiphon.contracts import (
    Envelope,
    ErrorType,
    ToolCall,
    ToolResult,
    error_body,
    failure,
    make_meta,
    success,
)
from antiphon.orchestrator.audit import CallRecord
from antiphon.orchestrator.context import CallNested, Context, Frame
from antiphon.orchestrator.records import Record, in_progress
from antiphon.orchestrator.running import Running, Stopped, begin, checked, failed
from antiphon.policy import Case
from antiphon.registry.handlers import Handler
from antiphon.registry.registry import Tool

if TYPE_CHECKING:
    from antiphon.orchestrator.session import Session

logger = logging.getLogger(__name__)

RETRY_SECONDS = (0.05, 0.15)


class Execution:
    """A call on its way through its handler, or waiting for an earlier one to come through."""

    __slots__ = (
        "call",
        "call_nested",
        "case",
        "frame",
        "record",
        "rule",
        "session",
        "source",
        "started",
        "tool",
        "turn",
        "variant",
    )

    def __init__(
        self,
        session: Session,
        call: ToolCall,
        case: Case,
        tool: Tool,
        record: Record,
        *,
        source: str,
        started: float,
        frame: Frame | None,
        rule: str,
        call_nested: CallNested,
    ) -> None:
        self.session = session
        self.call = call
        self.case = case
        self.tool = tool
        self.record = record
        self.source = source
        self.started = started
        self.frame = frame
        self.rule = rule
        self.turn = session.view.turn
        self.variant: str | None = None
        self.call_nested = call_nested

    # -- reads -------------------------------------------------------------------------------

    async def read(self) -> Envelope:
        """A read runs in the caller's task and is gone when that is gone."""
        session, record, tool = self.session, self.record, self.tool
        session.remember(record)
        session.running[record.key] = record
        if tool.definition.interruption == "detach":
            return await self.in_own_task(self._read_through(), tool.definition.timeout_ms)
        self.opened()
        try:
            result = await self.run(tool.definition.timeout_ms)
        except asyncio.CancelledError:
            stopped = failed(Stopped("cancelled"), record.name, writes=False)
            self._settle(self.finished(stopped), keep=False)
            raise
        finally:
            session.running.pop(record.key, None)
        envelope = self.finished(result)
        self._settle(envelope, keep=result.ok or not result.error["retryable"])  # type: ignore[index]
        return envelope

    async def _read_through(self) -> None:
        """A read that may outlive its caller, because the tool says that it is to be detached."""
        self.opened()
        try:
            result = await self.run(self.session.orchestrator.detached_ms)
        except asyncio.CancelledError:
            self.give(self.finished(failed(Stopped("cancelled"), self.record.name, writes=False)))
            raise
        finally:
            self.session.running.pop(self.record.key, None)
        self.record.state = "done"
        if not result.ok and result.error["retryable"]:  # type: ignore[index]
            self.forget()
        self.give(self.finished(result))

    def _settle(self, envelope: Envelope, *, keep: bool) -> None:
        """A read is done: kept for duplicates, or forgotten where it may be tried again."""
        record = self.record
        record.envelope = envelope
        record.state = "done"
        if record.answer is not None and not record.answer.done():
            record.answer.set_result(envelope)
        if not keep:
            self.forget()

    # -- answers that come from another task -------------------------------------------------

    async def in_own_task(self, work: Any, timeout_ms: float) -> Envelope:
        """Start `work` apart from the caller and wait for its answer, or for IN_PROGRESS."""
        record = self.record
        loop = asyncio.get_running_loop()
        answer = record.answer = loop.create_future()
        self.session.orchestrator.spawn(work, f"{record.name} {record.key}")
        timer = loop.call_later(timeout_ms / 1000, record.release)
        try:
            envelope: Envelope = await asyncio.shield(answer)
        finally:
            timer.cancel()
        if envelope["meta"]:
            return envelope
        return self.finished(in_progress(record.name), event="tool_detached")

    def give(self, envelope: Envelope) -> None:
        """Hand the answer to whoever waits; to the session when they have been answered already."""
        record, session = self.record, self.session
        record.envelope = envelope
        answer = record.answer
        assert answer is not None
        if not answer.done():
            answer.set_result(envelope)
            return
        session.late.append((self.call, envelope))
        if session.on_late is not None:
            session.on_late(self.call, envelope)

    def forget(self) -> None:
        session, record = self.session, self.record
        session.recent.pop(record.key, None)
        if record.hash:
            session.by_hash.pop(record.hash, None)

    # -- duplicates --------------------------------------------------------------------------

    async def wait(self) -> Envelope:
        """The answer of the same call that is still running, within its latency budget."""
        record = self.record
        if record.answer is None:
            record.answer = asyncio.get_running_loop().create_future()
        budget = self.tool.definition.latency_budget_ms
        done, _ = await asyncio.wait({record.answer}, timeout=budget / 1000)
        if done and record.envelope is not None:
            return self.replay()
        return self.finished(in_progress(record.name), event="tool_decision")

    def replay(self) -> Envelope:
        """The stored answer of an earlier call. Its intents were applied then, not again."""
        record = self.record
        stored = record.envelope
        assert stored is not None
        meta = {**stored["meta"], "replayed": True, "originalTurn": record.turn}
        envelope = {**stored, "meta": meta}
        self.session.orchestrator.store.append_audit(self.line(envelope, "tool_replayed", "replay"))
        return envelope

    # -- the handler -------------------------------------------------------------------------

    def opened(self) -> None:
        """The call starts: counters that outlive the turn."""
        self.session.calls += 1
        if self.frame is not None:
            self.frame[2][0] += 1
        if self.tool.definition.rate_limit is not None:
            self.session.orchestrator.count_rate(self.session, self.tool.definition)

    async def run(self, limit_ms: float) -> ToolResult:
        """The handler's result. A text session tries an idempotent tool once more after a
        transient failure; voice never waits for that."""
        result = await self._run_once(limit_ms)
        error = result.error
        if error is not None and self._try_again(error):
            await asyncio.sleep(random.uniform(*RETRY_SECONDS))  # noqa: S311 - jitter
            result = await self._run_once(limit_ms)
        return result

    def _try_again(self, error: dict[str, Any]) -> bool:
        running = self.record.running
        return bool(
            error["type"] == ErrorType.TRANSIENT
            and error["retryable"]
            and self.session.mode == "text"
            and self.tool.definition.idempotent
            and running is not None
            and running.stopped is None
        )

    async def _run_once(self, limit_ms: float) -> ToolResult:
        session, record, tool = self.session, self.record, self.tool
        definition = tool.definition
        running = record.running = Running()
        context = Context(session, record.name, record.key, self.frame, self.call_nested)
        if definition.execution != "server":
            work = session.orchestrator.elsewhere(session, definition, self.case.args, context)
        else:
            handler = self._variant() if tool.variants else tool.handler
            work = begin(handler, self.case.args, context, self._progressed)
        try:
            yielded = work.send(None)
        except StopIteration as stop:
            return checked(stop.value, record.name)
        except (Exception, asyncio.CancelledError) as error:  # noqa: BLE001 - handlers raise anything
            return failed(_own(error), record.name, writes=definition.writes)
        try:
            return checked(await running.wait(work, yielded, limit_ms), record.name)
        except (Exception, asyncio.CancelledError) as error:  # noqa: BLE001
            return failed(_own(error), record.name, writes=definition.writes)

    def _variant(self) -> Handler:
        """The handler of this session's variant: the same one for the session's whole life."""
        variants = self.tool.definition.variants
        drawn = sha256(f"{self.session.id}/{self.record.name}".encode()).digest()[:8]
        point = int.from_bytes(drawn, "big") / 2**64 * sum(v.weight for v in variants)
        for variant in variants:
            point -= variant.weight
            if point < 0:
                break
        self.variant = variant.name
        return self.tool.variants[variant.name]

    def _progressed(self, value: Any) -> None:
        data = value if isinstance(value, dict) else {"value": value}
        message = str(data.get("message", ""))
        self.session.progressed(self.record.name, self.record.key, message, None, data)

    # -- the answer --------------------------------------------------------------------------

    def finished(self, result: ToolResult, event: str | None = "tool_execution") -> Envelope:
        """The envelope of a result, with its intents applied and its numbers counted.

        With `event` None the line of audit is left to the caller."""
        session, tool, record = self.session, self.tool, self.record
        orchestrator = session.orchestrator
        duration = (orchestrator.monotonic() - self.started) * 1000
        definition = tool.definition
        meta = make_meta(
            record.name, definition.version, session.snapshot.version, round(duration, 3)
        )
        if self.variant is not None:
            meta["variant"] = self.variant
        if record.interrupted:
            meta["interrupted"] = True
        if tool.output is not None and result.ok:
            result = self._checked_output(result)
        result, size = _measured(result, record.name)
        turn = self.turn
        if self.frame is None:
            turn.tool_ms += duration
        limit = session.view.budget.tool_time_ms
        if self.case.clamped is not None or (limit is not None and turn.tool_ms > limit):
            meta["budget"] = self._budget_notes(limit)
        if result.ok:
            data = result.data if result.data is not None else {}
            envelope = success(data, result.intents, meta)
            for intent in result.intents:
                session.state.apply_intent(intent, data)
            if definition.side_effects != "writes" and is_empty(data):
                turn.empty[record.name] = turn.empty.get(record.name, 0) + 1
            outcome = "ok"
        else:
            assert result.error is not None
            envelope = failure(result.error, meta)
            outcome = result.error["type"]
        over = duration > definition.latency_budget_ms
        if over:
            logger.warning(
                "%s took %.0f ms of its latency budget of %g ms",
                record.name,
                duration,
                definition.latency_budget_ms,
            )
        orchestrator.metrics.record(record.name, size, duration, outcome, over_budget=over)
        tool.stats.record(duration, result.ok)
        if event is not None:
            orchestrator.store.append_audit(self.line(envelope, event))
        return envelope

    def _checked_output(self, result: ToolResult) -> ToolResult:
        output, tool_id = self.tool.output, self.record.name
        assert output is not None
        if output.is_valid(result.data):
            return result
        errors = output.errors(result.data)
        places = ", ".join(f"{e.pointer or '/'} {e.message}" for e in errors[:3])
        logger.error("%s returned data that breaks its output schema: %s", tool_id, places)
        body = error_body(
            ErrorType.INTERNAL,
            f"{tool_id} returned a result of the wrong shape.",
            partial_side_effects=self.tool.definition.writes,
        )
        return ToolResult(False, None, body, [])

    def _budget_notes(self, limit: float | None) -> dict[str, Any]:
        notes: dict[str, Any] = {}
        clamped, spent = self.case.clamped, self.turn.tool_ms
        if clamped is not None:
            notes["clamped"] = {"top_k": {"asked": clamped[0], "used": clamped[1]}}
        if limit is not None and spent > limit:
            notes["toolTimeMs"] = round(spent)
            notes["warning"] = (
                f"Tools have taken {spent:.0f} ms of {limit:g} ms this turn. "
                "Answer now with what you have."
            )
        return notes

    def line(self, envelope: Envelope, event: str, decision: str = "run") -> CallRecord:
        session, record = self.session, self.record
        succeeded = envelope["ok"]
        return CallRecord(
            event,
            session.orchestrator.now(),
            session.id,
            session.user,
            session.mode,
            self.turn.number,
            record.name,
            self.tool.definition,
            session.snapshot.version,
            self.call.id,
            record.key,
            record.canonical,
            decision,
            self.rule,
            succeeded,
            envelope["meta"]["duration"],
            None if succeeded else envelope["error"]["type"],
            envelope["intents"],
            self.variant,
            self.source,
        )


def is_empty(data: dict[str, Any]) -> bool:
    """Whether a result says that nothing was found: no data, or nothing but empty lists."""
    if not data:
        return True
    found = False
    for value in data.values():
        if type(value) is list:
            if value:
                return False
            found = True
    return found


def _measured(result: ToolResult, tool_id: str) -> tuple[ToolResult, int]:
    """The result and its size as JSON; a failure where it is none."""
    try:
        return result, len(orjson.dumps(result.data if result.ok else result.error))
    except (TypeError, ValueError) as error:
        logger.error("%s returned something that is no JSON: %s", tool_id, error)
        body = error_body(
            ErrorType.INTERNAL, f"{tool_id} gave no proper result.", partial_side_effects=True
        )
        return ToolResult(False, None, body, []), 0


def _own(error: BaseException) -> BaseException:
    """An error of the handler's own. A cancellation of the caller is not, and goes on."""
    if isinstance(error, asyncio.CancelledError):
        task = asyncio.current_task()
        if task is not None and task.cancelling():
            raise error
    return error
