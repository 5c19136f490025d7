"""Execution of one call: handler, envelope, intents, metrics, audit line."""

from __future__ import annotations

import asyncio
import logging
import random
from collections.abc import Coroutine
from contextlib import suppress
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
    intent_problem,
    make_meta,
    success,
)
from antiphon.orchestrator.audit import AuditPayload
from antiphon.orchestrator.call_records import CallRecord, in_progress
from antiphon.orchestrator.context import CallNested, Context, Frame
from antiphon.orchestrator.handler_run import (
    HandlerRun,
    HandlerStopped,
    checked_result,
    failure_result,
)
from antiphon.orchestrator.isolation import begin
from antiphon.policy import Case
from antiphon.registry.handlers import Handler
from antiphon.registry.registry import Tool
from antiphon.storage import StoreError

if TYPE_CHECKING:
    from antiphon.orchestrator.session import Session

logger = logging.getLogger(__name__)

# The latency budget of a retrieval tool in text, where its own is larger: soft, as every one.
TEXT_RETRIEVAL_MS = 2000.0

RETRY_SECONDS = (0.05, 0.15)


CLIENT_GRACE_MS = 1000.0
# A write that its caller no longer waits for keeps its worker process for so many timeouts.
DETACHED_FACTOR = 10


class Execution:
    """A call on its way through its handler, or waiting for an earlier one to come through."""

    in_task = False

    __slots__ = (
        "call",
        "call_nested",
        "case",
        "first",
        "frame",
        "now",
        "record",
        "rule",
        "session",
        "source",
        "started",
        "tool",
        "turn",
        "variant",
        "work",
        "yielded",
    )

    def __init__(
        self,
        session: Session,
        call: ToolCall,
        case: Case,
        tool: Tool,
        record: CallRecord,
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
        self.now = session.view.now
        self.variant: str | None = None
        self.call_nested = call_nested
        self.first: ToolResult | None = None
        self.work: Coroutine[Any, Any, Any] | None = None
        self.yielded: Any = None

    @property
    def limit_ms(self) -> float:
        """How long an answer is waited for. A browser that does not answer in time is reported by
        whoever asked it, at the time that the tool gives; that must have the first word."""
        definition = self.tool.definition
        grace = CLIENT_GRACE_MS if definition.execution == "client" else 0
        return definition.timeout_ms + grace

    @property
    def isolated(self) -> bool:
        """Whether the handler runs in a worker process, which is killed where it is stopped."""
        return self.tool.definition.isolation == "process"

    @property
    def longest_ms(self) -> float:
        """How long the handler may go on, also when nobody waits for it any more."""
        if not self.tool.writes and self.tool.definition.interruption != "detach":
            return self.limit_ms
        longest = self.session.orchestrator.detached_ms
        return min(DETACHED_FACTOR * self.limit_ms, longest) if self.isolated else longest

    # -- reads -------------------------------------------------------------------------------

    def read_at_once(self) -> Envelope | None:
        """The answer of a read whose handler never waits; None when `read_on` has to go on.

        Nothing else can run meanwhile, so nobody has to be able to find or stop the call.
        """
        if self.tool.definition.interruption == "detach":
            return None
        self.opened()
        result = self.start()
        if result is None:
            return None
        if result.error is not None and self._try_again(result.error):
            self.first = result
            return None
        return self._settled(result)

    async def read_on(self) -> Envelope:
        """A read that waits runs in the caller's task and is gone when that is gone."""
        session, record, limit = self.session, self.record, self.limit_ms
        session.remember(record)
        session.running[record.key] = record
        if self.tool.definition.interruption == "detach":
            self.opened()
            return await self.in_own_task(self._read_through(), limit)
        try:
            result = await self.go_on(limit)
        except asyncio.CancelledError:
            with suppress(StoreError):  # closed meanwhile; the cancellation must still go on
                self._settled(
                    failure_result(HandlerStopped("cancelled"), record.name, writes=False)
                )
            raise
        finally:
            session.running.pop(record.key, None)
        return self._settled(result)

    async def _read_through(self) -> None:
        """A read that may outlive its caller, because the tool says that it is to be detached."""
        try:
            result = await self.run(self.longest_ms)
        except asyncio.CancelledError:
            self.give(
                self.finished(
                    failure_result(HandlerStopped("cancelled"), self.record.name, writes=False)
                )
            )
            raise
        finally:
            self.session.running.pop(self.record.key, None)
        self.record.state = "done"
        if not result.ok and result.error["retryable"]:  # type: ignore[index]
            self.forget()
        self.give(self.finished(result))

    def _settled(self, result: ToolResult) -> Envelope:
        """A read is done: kept for duplicates, or forgotten where it may be tried again."""
        record = self.record
        envelope = record.envelope = self.finished(result)
        record.state = "done"
        if record.answer is not None and not record.answer.done():
            record.answer.set_result(envelope)
        error = result.error
        if error is None or not (error["retryable"] or error["type"] == ErrorType.CANCELLED):
            self.session.remember(record)
        else:
            self.forget()
        return envelope

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
        except asyncio.CancelledError:
            record.release()  # whoever asked is gone: what comes of it is for the session to tell
            self.session.mark_undelivered(record)
            raise
        finally:
            timer.cancel()
        if envelope["meta"]:
            return envelope
        self.session.mark_undelivered(record)
        return self._still_running("tool_detached", "run")

    def give(self, envelope: Envelope) -> None:
        """Hand the answer to whoever waits; to the session when they have been answered already."""
        record, session = self.record, self.session
        record.envelope = envelope
        answer = record.answer
        assert answer is not None
        if not answer.done():
            answer.set_result(envelope)
            return
        session.queue_late_result(self.call, envelope)

    def forget(self) -> None:
        session, record = self.session, self.record
        session.recent.pop(record.key, None)
        if record.hash:
            session.by_hash.pop(record.hash, None)
        session.clear_undelivered(record.call)

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
        return self._still_running("tool_decision", "wait")

    def _still_running(self, event: str, decision: str) -> Envelope:
        """For who does not wait any longer. The call itself is counted when it is done."""
        session, record = self.session, self.record
        duration = (session.orchestrator.monotonic() - self.started) * 1000
        version = self.tool.definition.version
        meta = make_meta(record.name, version, session.snapshot.version, round(duration, 3))
        if record.interrupted:
            meta["interrupted"] = True
        envelope = failure(in_progress(record.name).error or {}, meta)
        session.orchestrator.store.append_audit(self.line(envelope, event, decision))
        return envelope

    def replay(self) -> Envelope:
        """The stored answer of an earlier call. Its intents were applied then, not again."""
        record = self.record
        stored = record.envelope
        assert stored is not None
        meta = {**stored["meta"], "replayed": True, "originalTurn": record.turn}
        envelope = {**stored, "meta": meta}
        self.session.orchestrator.store.append_audit(self.line(envelope, "tool_replayed", "replay"))
        self.session.mark_delivered(record.call)
        return envelope

    # -- the handler -------------------------------------------------------------------------

    def opened(self) -> None:
        """The call starts: counters that outlive the turn. In one step with the decision, so that
        calls at the same time see each other."""
        self.session.calls += 1
        if self.case.clamped is not None:
            asked, used = self.case.clamped
            details = {"asked": asked, "used": used}
            self.session.append_audit("top_k_clamped", tool_id=self.record.name, details=details)
        if logger.isEnabledFor(logging.DEBUG):
            # Where a value was filled in, never which: arguments do not belong in logs.
            filled = self.tool.validator.defaulted(self.call.args, self.case.args)
            if filled:
                logger.debug("%s: defaults applied for %s", self.record.name, ", ".join(filled))
        if self.frame is not None:
            self.frame[2][0] += 1
        if self.tool.definition.rate_limit is not None:
            self.session.orchestrator.count_rate(self.session, self.tool.definition)

    @property
    def becomes_task(self) -> bool:
        """Whether the call is answered with the id of a task. One that another call makes is part
        of that one, which waits for its result."""
        background = self.tool.definition.execution == "background"
        return background and self.frame is None and not self.in_task

    async def run(self, limit_ms: float) -> ToolResult:
        """The handler's result, however long it takes within the limit."""
        result = self.start()
        if result is not None and (result.error is None or not self._try_again(result.error)):
            return result
        self.first = result
        return await self.go_on(limit_ms)

    def context(self) -> Context:
        record = self.record
        clamped = self.case.clamped is not None
        return Context(self.session, record.name, record.key, self.frame, self.call_nested, clamped)

    def start(self) -> ToolResult | None:
        """Take the handler's first step by hand: its result, or None when it waits."""
        record, tool = self.record, self.tool
        context = self.context()
        try:
            if self.becomes_task:
                work = self.session.orchestrator.start_task(self)
            elif tool.definition.execution == "client":
                work = self.session.orchestrator.run_in_client(
                    self.session, tool.definition, self.case.args, context
                )
            else:
                handler = self._variant() if tool.variants else tool.handler
                if handler.kind == "async":
                    work = handler.execute(self.case.args, context)
                else:
                    work = begin(self, handler, context)
            self.yielded = work.send(None)
        except StopIteration as stop:
            return checked_result(stop.value, record.name)
        except (Exception, SystemExit, asyncio.CancelledError) as error:  # noqa: BLE001 - anything
            return failure_result(_own(error), record.name, writes=tool.writes)
        self.work = work
        return None

    async def go_on(self, limit_ms: float) -> ToolResult:
        """See a started handler through. A text session tries an idempotent tool once more after
        a transient failure; voice never waits for that."""
        result = self.first
        if result is None:
            result = await self._waited(limit_ms)
        if result.error is not None and self._try_again(result.error):
            await asyncio.sleep(random.uniform(*RETRY_SECONDS))  # noqa: S311 - jitter
            if not self.record.interrupted:
                result = self.start() or await self._waited(limit_ms)
            elif self.tool.definition.interruption == "cancel":
                result = failure_result(
                    HandlerStopped("interrupted"), self.record.name, writes=False
                )
        return result

    async def _waited(self, limit_ms: float) -> ToolResult:
        record = self.record
        work, self.work = self.work, None
        assert work is not None
        running = record.running = HandlerRun()
        try:
            return checked_result(await running.wait(work, self.yielded, limit_ms), record.name)
        except (Exception, SystemExit, asyncio.CancelledError) as error:  # noqa: BLE001
            if isinstance(error, HandlerStopped):
                running.stopped = error.reason  # what waited for a place has waited long enough
            writes, killed = self.tool.writes, self.isolated
            return failure_result(_own(error), record.name, writes=writes, killed=killed)

    def _try_again(self, error: dict[str, Any]) -> bool:
        running = self.record.running
        return bool(
            error["type"] == ErrorType.TRANSIENT
            and error["retryable"]
            and self.session.mode == "text"
            and self.tool.definition.idempotent
            and not self.record.interrupted
            and (running is None or running.stopped is None)
        )

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

    def report_progress(self, value: Any) -> None:
        """What a handler yields before its last value: words, or an object that may have `message`,
        `fraction` (0 to 1) and members of its own."""
        if isinstance(value, str):
            value = {"message": value}
        data = dict(value) if isinstance(value, dict) else {"value": value}
        message, fraction = str(data.pop("message", "")), data.pop("fraction", None)
        if isinstance(fraction, bool) or not isinstance(fraction, int | float):
            fraction = None
        self.session.report_progress(self.record.name, self.record.key, message, fraction, data)

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
        if tool.output is not None and result.ok and not self.becomes_task:
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
            intents = result.intents
            if intents:  # the envelope has those that were applied; the others are in the audit
                intents = [i for i in intents if session.state.apply_intent(i, data) is None]
            envelope = success(data, intents, meta)
            if not tool.writes and is_empty(data):
                turn.empty[record.name] = turn.empty.get(record.name, 0) + 1
            outcome = "ok"
        else:
            assert result.error is not None
            envelope = failure(result.error, meta)
            outcome = result.error["type"]
        # The budget of a task is for its answer, which it has had.
        budget_ms = definition.latency_budget_ms
        if definition.category == "retrieval" and session.mode == "text":
            budget_ms = min(budget_ms, TEXT_RETRIEVAL_MS)
        over = duration > budget_ms and not self.in_task
        if over:
            logger.warning(
                "%s took %.0f ms of its latency budget of %g ms", record.name, duration, budget_ms
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
            partial_side_effects=self.tool.writes,
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

    def line(self, envelope: Envelope, event: str, decision: str = "run") -> AuditPayload:
        """What the audit will say, in the order that `audit.render` expects."""
        record = self.record
        succeeded: bool = envelope["ok"]
        intents = envelope["intents"]
        return (
            event,
            self.now,
            self.session.facts,
            self.turn.number,
            self.tool.facts,
            self.call.id,
            record.key,
            record.canonical,
            decision,
            self.rule,
            succeeded,
            envelope["meta"]["duration"],
            None if succeeded else str(envelope["error"]["type"]),
            tuple(str(intent.get("type")) for intent in intents) if intents else (),
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
        if result.intents:
            orjson.dumps([i for i in result.intents if intent_problem(i) is None])
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
