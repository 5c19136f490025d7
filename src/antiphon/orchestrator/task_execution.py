"""Task execution: the handler of a background call at work in its durable task."""

from __future__ import annotations

import copy
import logging
from dataclasses import dataclass
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
)
from antiphon.contracts.provenance import Exposure
from antiphon.contracts.tasks import Task
from antiphon.orchestrator.audit import redacted
from antiphon.orchestrator.call_frame import CallFrame
from antiphon.orchestrator.call_records import CallRecord, outcome_unknown
from antiphon.orchestrator.governed_call import GovernedCall
from antiphon.orchestrator.handler_call import begin_handler, run_handler
from antiphon.orchestrator.handler_run import HandlerStopped, failure_result
from antiphon.orchestrator.outcome import finish_call
from antiphon.orchestrator.strategies.write import reconcile
from antiphon.orchestrator.task_delivery import TaskDelivery
from antiphon.orchestrator.task_session import ProgressFeed, TaskSession
from antiphon.policy import Case, TurnCounters, check_rights
from antiphon.registry.registry import Tool
from antiphon.storage import StoreError

if TYPE_CHECKING:
    from antiphon.orchestrator.orchestrator import Orchestrator

logger = logging.getLogger(__name__)

# A task that takes its process with it every time is not begun for ever.
MOST_ATTEMPTS = 20
TASK_SECONDS = 3600.0
RULE = "task"


@dataclass(slots=True)
class _TaskRun:
    governed: GovernedCall
    session: TaskSession


class TaskExecutor:
    """The `TaskWork` of an orchestrator: runs the handlers of tasks for the backend."""

    def __init__(self, orchestrator: Orchestrator, delivery: TaskDelivery) -> None:
        self._orchestrator = orchestrator
        self._delivery = delivery
        self._runs: dict[str, _TaskRun] = {}

    @property
    def running(self) -> frozenset[str]:
        """The ids of the tasks whose handlers are at work in this process."""
        return frozenset(self._runs)

    # -- what the backend asks -----------------------------------------------------------------

    def _tool(self, task: Task) -> Tool | None:
        there = self._orchestrator.registry_snapshot().versions.get(task.tool_id, {})
        return there.get(task.tool_version)

    def has_tool(self, task: Task) -> bool:
        return self._tool(task) is not None

    def is_resumable(self, task: Task) -> bool:
        tool = self._tool(task)
        if tool is None:
            return False
        return tool.definition.idempotent or tool.handler.reconcile is not None

    def redacted_args(self, task: Task) -> dict[str, Any]:
        pointers = task.origin.get("redact") or ()
        args: dict[str, Any] = (
            redacted(copy.deepcopy(task.args), pointers) if pointers else task.args
        )
        return args

    async def run(self, task: Task, *, again: bool) -> Envelope:
        try:
            tool = self._tool(task)
            if tool is None:
                return await self._not_run(task, _changed(task, again))
            run = self._start(task, tool)
            work = self._execute(run, task, again)
            tracing = self._orchestrator.tracing
            if tracing is not None:
                work = tracing.around(run.session, run.governed.call, task.source, work)
            return await work
        except Exception as error:
            # A fault of ours: whoever waits is answered all the same, and nothing is repeated.
            logger.error("task %s could not be seen through", task.id, exc_info=error)
            return await self._not_run(task, outcome_unknown(task.tool_id))

    async def withdraw(self, task: Task) -> Envelope:
        stopped = HandlerStopped("cancelled")
        return await self._not_run(task, failure_result(stopped, task.tool_id, writes=False))

    def stop(self, task: Task) -> None:
        run = self._runs.get(task.id)
        if run is not None:
            run.governed.record.interrupt("cancelled")

    async def notify_finished(self, task: Task) -> None:
        await self._orchestrator.recovery.enter_outcome(task)
        session = self._orchestrator.sessions.get(task.session_id)
        if session is not None and session.view.active:
            await self._delivery.deliver(session, task)

    # -- the handler ---------------------------------------------------------------------------

    async def _execute(self, run: _TaskRun, task: Task, again: bool) -> Envelope:
        self._runs[task.id] = run
        try:
            result = await self._result(run.governed, task, again)
        finally:
            del self._runs[task.id]
            await run.session.feed.close()
        live = self._orchestrator.sessions.get(task.session_id)
        if live is not None:
            run.session.state = live.state  # what the outcome asks for is asked of the session
        envelope = finish_call(run.governed, result, "task_execution")
        envelope["meta"]["taskId"] = task.id
        return await self._flush_audit(envelope)

    async def _result(self, governed: GovernedCall, task: Task, again: bool) -> ToolResult:
        definition = governed.tool.definition
        lost = await self._lost_right(governed)
        if lost is not None:
            return ToolResult(False, None, {**lost, "partialSideEffects": again}, [])
        if again:
            known = await reconcile(governed)
            if known is not None:
                return known
            if task.cancel_requested and definition.interruption == "cancel":
                stopped = HandlerStopped("cancelled")
                return failure_result(stopped, task.tool_id, writes=definition.writes)
            if not definition.idempotent:
                return outcome_unknown(task.tool_id)
            if task.attempts > MOST_ATTEMPTS:
                return _given_up(task)
        if task.cancel_requested:
            self.stop(task)
            if definition.interruption == "cancel":
                return failure_result(HandlerStopped("cancelled"), task.tool_id, writes=False)
        return await run_handler(governed, governed.longest_ms)

    async def _lost_right(self, governed: GovernedCall) -> dict[str, Any] | None:
        """The error of a call that whoever made it may not make any more."""
        session = governed.session
        if session.view.rights is None:
            return None
        words = await session.renew_principal()
        if words is not None:
            return error_body(ErrorType.AUTH, words)
        refusal = check_rights(governed.case, governed.tool, session.view)
        return None if refusal is None else refusal.error

    def _start(self, task: Task, tool: Tool) -> _TaskRun:
        """The task's call, decided and counted when it was made, in a session of its own."""
        session = self._session(task)
        canonical = orjson.dumps(task.args, option=orjson.OPT_SORT_KEYS)
        # A copy: whatever the handler does to them, the task keeps its arguments.
        call = ToolCall(task.call_id, task.tool_id, orjson.loads(canonical))
        governed = GovernedCall(
            session=session,
            call=call,
            case=Case(call, canonical, None, None, True),
            tool=tool,
            record=CallRecord(call, canonical, task.key, "", task.turn, tool),
            source=task.source,
            started=self._orchestrator.monotonic(),
            frame=CallFrame.root(),  # its nested calls count by themselves, its time does not
            rule=RULE,
            turn=session.view.turn,
            now=session.view.now,
            begin=begin_handler,
            in_task=True,
            longest_task_ms=TASK_SECONDS * 1000,
        )
        return _TaskRun(governed, session)

    def _session(self, task: Task) -> TaskSession:
        orchestrator, origin = self._orchestrator, task.origin
        live = orchestrator.sessions.get(task.session_id)
        session = TaskSession(
            orchestrator,
            id=task.session_id,
            user=task.user,
            mode="voice" if task.mode == "voice" else "text",
            snapshot=orchestrator.registry_snapshot().chosen(origin.get("versions") or {}),
            provider=origin.get("provider"),
            profile=origin.get("profile"),
            roles=origin.get("roles") or (),
            authenticated=bool(origin.get("authenticated")),
            fields={
                **(origin.get("fields") or {}),
                "organisation": origin.get("organisation") or "",
            },
            channel=None,
            policy=live.view.policy if live is not None else orchestrator.policy,
            toolset=None,
            modes=origin.get("modes"),
            shared=live is not None and live.shared,
        )
        if live is not None and live.principal is not None:
            session.set_principal(live.principal)
            session.checked_at = live.checked_at
        else:
            session.set_stored_principal(origin)
        # It goes on from what the model had read when it made the call, or has read since.
        if "read" in origin:
            session.view.exposure.join(Exposure.from_dict(origin["read"]))
        if live is not None:
            session.view.exposure.join(live.view.exposure)
        session.feed = ProgressFeed(task, self._delivery.report_progress)
        session.run_in_client = session.run_in_live_client
        session.view.turn = TurnCounters(task.turn)
        session.view.now = orchestrator.now()
        session.view.blocked_until = orchestrator.blocked_until(task.user) or 0.0
        session.view.approved = orchestrator.grants.granted_tools(session)
        if live is not None:
            session.view.rates = live.view.rates
        return session

    async def _not_run(self, task: Task, result: ToolResult) -> Envelope:
        """The outcome of a task whose handler has not come to its end here."""
        assert result.error is not None
        self._orchestrator.store.append_audit(
            {
                "event": "task_not_run",
                "at": self._orchestrator.now(),
                "sessionId": task.session_id,
                "user": task.user,
                "mode": task.mode,
                "turnId": task.turn,
                "toolId": task.tool_id,
                "idempotencyKey": task.key,
                "registryVersion": task.registry_version,
                "ok": False,
                "details": {"taskId": task.id, "type": str(result.error["type"])},
            }
        )
        meta = make_meta(task.tool_id, task.tool_version, task.registry_version, 0)
        meta["taskId"] = task.id
        return await self._flush_audit(failure(result.error, meta))

    async def _flush_audit(self, envelope: Envelope) -> Envelope:
        """Make the audit line of a task durable before its outcome is."""
        try:
            await self._orchestrator.store.flush()
        except StoreError as error:
            logger.error("the audit of a task will be late: %s", error)
        return envelope


def _given_up(task: Task) -> ToolResult:
    body = error_body(
        ErrorType.OUTCOME_UNKNOWN,
        f"{task.tool_id} was begun {task.attempts - 1} times, and the server stopped each time. "
        "It is not begun again: tell the user.",
        partial_side_effects=True,
    )
    return ToolResult(False, None, body, [])


def _changed(task: Task, again: bool) -> ToolResult:
    kind = ErrorType.OUTCOME_UNKNOWN if again else ErrorType.UNAVAILABLE
    words = "It may have happened in part: tell the user." if again else "It was not run."
    body = error_body(
        kind,
        f"{task.tool_id} was changed or removed before its task was done. {words}",
        partial_side_effects=again,
    )
    return ToolResult(False, None, body, [])
