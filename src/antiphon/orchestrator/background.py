"""Background calls: durable tasks that calls start, and their delivery to sessions."""

from __future__ import annotations

import copy
import inspect
import logging
from collections import deque
from functools import partial
from hashlib import sha256
from typing import TYPE_CHECKING, Any

import orjson

from antiphon.contracts import (
    Envelope,
    ErrorType,
    ToolCall,
    ToolError,
    ToolResult,
    error_body,
    failure,
    flat_result,
    make_meta,
    ok,
)
from antiphon.contracts.tasks import Task, TaskBackend, TooManyTasks
from antiphon.orchestrator.audit import redacted
from antiphon.orchestrator.call_records import CallRecord, digest, key_conflict, outcome_unknown
from antiphon.orchestrator.context import outside_key
from antiphon.orchestrator.dispatch import dispatch_nested
from antiphon.orchestrator.execution import Execution
from antiphon.orchestrator.handler_run import HandlerStopped, failure_result
from antiphon.orchestrator.session import Session
from antiphon.orchestrator.task_session import ProgressFeed, TaskRun, TaskSession
from antiphon.policy import Case, TurnCounters
from antiphon.registry.registry import Tool
from antiphon.storage import StoreError

if TYPE_CHECKING:
    from antiphon.orchestrator.orchestrator import Orchestrator

logger = logging.getLogger(__name__)

# A task that takes its process with it every time is not begun for ever.
MOST_ATTEMPTS = 20
REMEMBERED = 1000
RULE = "task"


def task_id(session_id: str, key: str) -> str:
    """The same for every attempt at a call, so that it cannot be started twice."""
    return sha256(outside_key(session_id, key).encode("utf-8", "surrogatepass")).hexdigest()[:32]


class Background:
    """Stands between the calls of this orchestrator and the backend that keeps and runs tasks."""

    def __init__(self, orchestrator: Orchestrator, backend: TaskBackend) -> None:
        self.backend = backend
        self._orchestrator = orchestrator
        self._runs: dict[str, TaskRun] = {}
        self._waiting: dict[str, Session] = {}  # who was handed what, and has not taken it yet
        # What the store may not have noted yet when it is asked.
        self._told: deque[tuple[str, str]] = deque(maxlen=REMEMBERED)
        backend.attach(self)

    # -- a call becomes a task -----------------------------------------------------------------

    async def start(self, execution: Execution) -> ToolResult:
        """The answer of a call that runs as a task. Durable when this returns."""
        task = self._task(execution, await self._prepared(execution))
        try:
            known, is_new = await self.backend.start(task)
        except TooManyTasks as error:
            raise ToolError(ErrorType.RATE_LIMIT, str(error), retry_after=10) from None
        except StoreError as error:
            logger.error("the store did not take a task of %s: %s", task.tool_id, error)
            raise ToolError(
                ErrorType.TRANSIENT, "It could not be written down, so it was not started."
            ) from error
        if known.tool_id != task.tool_id or known.args_digest != task.args_digest:
            return key_conflict()
        session = execution.session
        if is_new and session.channel is not None:
            await self._send(
                session, self._message("async_task_started", known, started_at=known.created_at)
            )
        return ok({"task_id": known.id, "status": "started"})

    async def _prepared(self, execution: Execution) -> dict[str, Any]:
        """The arguments of the task. What a handler can refuse at once is not begun."""
        args: dict[str, Any] = execution.case.args
        prepare = execution.tool.handler.prepare
        if prepare is None:
            return args
        prepared = prepare(args, execution.context())
        return await prepared if inspect.isawaitable(prepared) else prepared  # type: ignore[no-any-return]

    def _task(self, execution: Execution, args: dict[str, Any]) -> Task:
        session, record, tool = execution.session, execution.record, execution.tool
        fields = dict(session.view.fields)
        own = ("id", "user", "mode", "provider", "profile", "roles", "authenticated")
        return Task(
            id=task_id(session.id, record.key),
            session_id=session.id,
            user=session.user,
            mode=session.mode,
            tool_id=record.name,
            tool_version=tool.definition.version,
            registry_version=session.snapshot.version,
            key=record.key,
            call_id=record.call.id if isinstance(record.call.id, str) else None,
            args=args,
            args_digest=digest(execution.case.canonical or b""),
            turn=record.turn,
            source=execution.source,
            origin={
                "provider": session.provider,
                "profile": session.profile,
                "roles": list(session.roles),
                "authenticated": bool(fields.get("authenticated")),
                "fields": {name: value for name, value in fields.items() if name not in own},
                "redact": list(tool.definition.redact),
                **session.extra_modes(),
            },
        )

    # -- what the backend asks -----------------------------------------------------------------

    def _tool(self, task: Task) -> Tool | None:
        tool = self._orchestrator.registry_snapshot().tools.get(task.tool_id)
        fits = tool is not None and tool.definition.version == task.tool_version
        return tool if fits else None

    def fits(self, task: Task) -> bool:
        return self._tool(task) is not None

    def outlives(self, task: Task) -> bool:
        tool = self._tool(task)
        if tool is None:
            return False
        return tool.definition.idempotent or tool.handler.reconcile is not None

    def shown(self, task: Task) -> dict[str, Any]:
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
            run = self._run(task, tool)
            work = self._ran(run, task, again)
            tracing = self._orchestrator.tracing
            if tracing is not None:
                work = tracing.around(run.session, run.call, task.source, work)
            return await work
        except Exception as error:
            # A fault of ours: whoever waits is answered all the same, and nothing is repeated.
            logger.error("task %s could not be seen through", task.id, exc_info=error)
            return await self._not_run(task, outcome_unknown(task.tool_id))

    async def _ran(self, run: TaskRun, task: Task, again: bool) -> Envelope:
        self._runs[task.id] = run
        try:
            result = await self._result(run, task, again)
        finally:
            del self._runs[task.id]
            await run.feed.close()
        live = self._orchestrator.sessions.get(task.session_id)
        if live is not None:
            run.session.state = live.state  # what the outcome asks for is asked of the session
        envelope = run.finished(result, "task_execution")
        envelope["meta"]["taskId"] = task.id
        return await self._kept(envelope)

    async def _result(self, run: TaskRun, task: Task, again: bool) -> ToolResult:
        definition = run.tool.definition
        if again:
            known = await run.reconciled()
            if isinstance(known, ToolResult):
                return known
            if task.cancel_requested and definition.interruption == "cancel":
                return failure_result(
                    HandlerStopped("cancelled"), task.tool_id, writes=definition.writes
                )
            if not definition.idempotent:
                return outcome_unknown(task.tool_id)
            if task.attempts > MOST_ATTEMPTS:
                return _given_up(task)
        if task.cancel_requested:
            self.stop(task)
            if definition.interruption == "cancel":
                return failure_result(HandlerStopped("cancelled"), task.tool_id, writes=False)
        return await run.run(run.longest_ms)

    def _run(self, task: Task, tool: Tool) -> TaskRun:
        orchestrator, origin = self._orchestrator, task.origin
        live = orchestrator.sessions.get(task.session_id)
        session = TaskSession(
            orchestrator,
            id=task.session_id,
            user=task.user,
            mode="voice" if task.mode == "voice" else "text",
            snapshot=orchestrator.registry_snapshot(),
            provider=origin.get("provider"),
            profile=origin.get("profile"),
            roles=origin.get("roles") or (),
            authenticated=bool(origin.get("authenticated")),
            fields=origin.get("fields") or {},
            channel=None,
            policy=live.view.policy if live is not None else orchestrator.policy,
            toolset=None,
            modes=origin.get("modes"),
            shared=live is not None and live.shared,
        )
        session.feed = ProgressFeed(task, self.tell_progress)
        session.call_client = session.ask_client
        session.view.turn = TurnCounters(task.turn)
        session.view.now = orchestrator.now()
        session.view.blocked_until = orchestrator.blocked_until(task.user) or 0.0
        session.view.approved = orchestrator.grants.granted_tools(session)
        if live is not None:
            session.view.rates = live.view.rates
        canonical = orjson.dumps(task.args, option=orjson.OPT_SORT_KEYS)
        # A copy: whatever the handler does to them, the task keeps its arguments.
        call = ToolCall(task.call_id, task.tool_id, orjson.loads(canonical))
        case = Case(call, canonical, None, None, True)
        record = CallRecord(call, canonical, task.key, "", task.turn, tool)
        return TaskRun(
            session,
            call,
            case,
            tool,
            record,
            task.source,
            orchestrator.monotonic(),
            ((), 0, [0]),  # of its own: its nested calls count by themselves, its time does not
            RULE,
            dispatch_nested,
        )

    async def withdraw(self, task: Task) -> Envelope:
        return await self._not_run(
            task, failure_result(HandlerStopped("cancelled"), task.tool_id, writes=False)
        )

    def stop(self, task: Task) -> None:
        run = self._runs.get(task.id)
        if run is not None:
            run.record.interrupt("cancelled")

    async def finished(self, task: Task) -> None:
        session = self._orchestrator.sessions.get(task.session_id)
        if session is not None and session.view.active:
            await self._hand(session, task)

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
        return await self._kept(failure(result.error, meta))

    async def _kept(self, envelope: Envelope) -> Envelope:
        """The line about a task is durable before its outcome is."""
        try:
            await self._orchestrator.store.flush()
        except StoreError as error:
            logger.error("the audit of a task will be late: %s", error)
        return envelope

    # -- who hears of it -----------------------------------------------------------------------

    async def reopen(self, session: Session) -> None:
        """A session is back: what was finished meanwhile is for it."""
        for task in await self.backend.undelivered(session.id):
            await self._hand(session, task)

    async def _hand(self, session: Session, task: Task) -> None:
        sessions, waiting = self._orchestrator.sessions, self._waiting
        gone = [known for known, each in waiting.items() if sessions.get(each.id) is not each]
        for known in gone:
            del waiting[known]
        told = {"client": task.client_told, "model": task.model_told}
        left = {who for who, done in told.items() if not done and (task.id, who) not in self._told}
        if task.id in waiting or not left:
            return
        waiting[task.id] = session
        assert task.envelope is not None
        envelope = task.envelope
        taken = partial(self._taken, task.id, left)
        if "model" in left:
            call = ToolCall(task.call_id, task.tool_id, task.args)
            session.queue_late_result(call, envelope, partial(taken, "model"))
        if "client" in left:
            message = self._message(
                "async_task_complete",
                task,
                status=task.status,
                result=flat_result(envelope),
                finished_at=task.finished_at,
            )
            if session.channel is not None and await self._send(session, message):
                taken("client")
            else:
                session.queue_message(message, partial(taken, "client"))

    def _taken(self, id: str, left: set[str], who: str) -> None:
        left.discard(who)
        self._told.append((id, who))
        if not left:
            self._waiting.pop(id, None)
        if not self._orchestrator.closed:
            self._orchestrator.spawn(self._note(id, who), f"task {id} told")

    async def _note(self, id: str, who: str) -> None:
        try:
            await self.backend.mark_delivered(id, client=who == "client", model=who == "model")
        except StoreError as error:
            logger.error("task %s may be told twice: %s", id, error)

    async def tell_progress(self, task: Task, progress: dict[str, Any]) -> None:
        """Keep how far a task is, and tell a person who is there."""
        progress = {**progress, "at": self._orchestrator.now()}
        try:
            progress = orjson.loads(
                orjson.dumps(progress, default=str, option=orjson.OPT_NON_STR_KEYS)
            )
            await self.backend.progress(task.id, progress)
        except (TypeError, ValueError, StoreError) as error:
            logger.error("the progress of task %s was not kept: %s", task.id, error)
        session = self._orchestrator.sessions.get(task.session_id)
        if session is not None and session.channel is not None:
            message = self._message("async_task_progress", task)
            known = {name: value for name, value in progress.items() if name not in message}
            await self._send(session, {**message, **known})

    def _message(self, type: str, task: Task, **fields: Any) -> dict[str, Any]:
        return {
            "type": type,
            "task_id": task.id,
            "function": task.tool_id,
            "fn_call_id": task.call_id,
            "turn_id": task.turn,
            **fields,
        }

    async def _send(self, session: Session, message: dict[str, Any]) -> bool:
        try:
            await session.send(message)
        except Exception as error:  # noqa: BLE001
            # Channels fail in ways of their own; to us all of them mean "not delivered".
            logger.info("a message did not reach session %s: %r", session.id, error)
            return False
        return True


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
