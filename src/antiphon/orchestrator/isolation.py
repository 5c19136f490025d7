"""Handler isolation: threads for plain functions, worker processes for isolated tools."""

from __future__ import annotations

import asyncio
import contextvars
import inspect
import logging
import os
import pickle
from collections.abc import Coroutine
from datetime import date, datetime
from typing import TYPE_CHECKING, Any

from antiphon.contracts import ErrorType, ToolError, ToolResult
from antiphon.orchestrator.context import Context
from antiphon.orchestrator.handler_run import HandlerStopped, drain
from antiphon.orchestrator.threads import ThreadsBusy
from antiphon.registry.handlers import Handler
from antiphon.workers import WorkerError

if TYPE_CHECKING:
    from antiphon.orchestrator.governed_call import GovernedCall
    from antiphon.workers.pool import Answer

logger = logging.getLogger(__name__)

# Whoever waits for a place is told so before the call itself times out.
WAITING_SHARE = 0.9
# What a handler in a worker process may ask of its context.
CAPABILITIES = frozenset(
    {
        *("session", "messaging", "voice", "audio", "audit", "users"),
        *("knowledge", "calendar", "workspace"),
        *("now", "note_source", "progress", "call_tool"),
    }
)
_DEEPEST = 8
_PLAIN = (str, int, float, bytes, bool, list, tuple, dict, set, frozenset, datetime, date)
_TARGET = "antiphon.orchestrator.worker_handler:execute"


def begin_isolated(
    governed: GovernedCall, handler: Handler, context: Context
) -> Coroutine[Any, Any, Any]:
    """The coroutine that runs a handler which is no coroutine function itself."""
    args = governed.case.args
    if handler.kind == "generator":
        return drain(handler.execute(args, context), governed.report_progress)
    if handler.kind == "sync":
        return _in_thread(governed, handler, context)
    return _in_process(governed, handler, context)


async def _in_thread(governed: GovernedCall, handler: Handler, context: Context) -> Any:
    threads = governed.session.orchestrator.threads
    seconds = WAITING_SHARE * governed.limit_ms / 1000
    try:
        return await threads.run(handler.execute, governed.case.args, context, seconds=seconds)
    except ThreadsBusy as error:
        raise HandlerStopped("busy") from error


async def _in_process(governed: GovernedCall, handler: Handler, context: Context) -> Any:
    """Run the handler in a worker process until it ends. A cancellation kills the worker."""
    origin, definition = handler.origin, governed.tool.definition
    assert origin is not None
    served = ServedContext(context, governed)
    variables = definition.availability.get("env", ())
    call = {
        "key": origin.key,
        "args": governed.case.args,
        "mode": context.mode,
        "idempotency_key": context.idempotency_key,
        "clamped": context.clamped,
        "env": {name: os.environ[name] for name in variables if name in os.environ},
    }
    try:
        answer = await governed.session.orchestrator.workers.call(
            _TARGET,
            (call,),
            cpu_seconds=governed.longest_ms / 1000,
            wait_seconds=WAITING_SHARE * governed.limit_ms / 1000,
            listener=served.handle_message,
            own=served.resolve,
            once=(origin.key, origin),
            network=definition.network,
            extra=_around(governed),
        )
    except WorkerError as error:
        if error.reason == "busy":
            raise HandlerStopped("busy") from error
        raise
    finally:
        served.close()
    return _result(answer)


def _around(governed: GovernedCall) -> int:
    """Count the calls in workers that wait for this one: it must not wait for their places."""
    if governed.frame is None:
        return 0
    tools = governed.session.snapshot.tools
    return sum(
        name in tools and tools[name].definition.isolation == "process"
        for name in governed.frame.path
    )


def _result(answer: Any) -> Any:
    """A handler's return value from the worker's JSON; anything that is none, unchanged."""
    if not isinstance(answer, dict) or "ok" not in answer:
        return answer
    return ToolResult(
        answer["ok"] is True, answer.get("data"), answer.get("error"), answer.get("intents") or []
    )


class ServedContext:
    """The server's end of a context whose handler runs in a worker process.

    What asks may no longer be the handler: only the public names of capabilities are answered.
    """

    def __init__(self, context: Context, governed: GovernedCall) -> None:
        self._context = context
        self._governed = governed
        self._variables = contextvars.copy_context()
        self._tasks: set[asyncio.Task[Any]] = set()

    def handle_message(self, message: Any, answer: Answer | None) -> None:
        """Handle one message of the worker. Runs on the event loop, in no particular task."""
        self._variables.run(self._handle_message, message, answer)

    def _handle_message(self, message: dict[str, Any], answer: Answer | None) -> None:
        kind = message["op"]
        if kind == "yield":
            self._governed.report_progress(message["value"])
        elif kind == "progress":
            fraction = message["fraction"]
            told = float(fraction) if isinstance(fraction, int | float) else None
            self._context.progress(str(message["text"]), told, **message["data"])
        elif answer is not None:
            try:
                value = self.resolve(message["path"])
                if kind == "call":
                    value = value(*message["args"], **message["kwargs"])
            except Exception as error:  # noqa: BLE001 - for the handler to see
                answer(_error(error))
                return
            if inspect.isawaitable(value):
                answer(("later",))
                self._await(value, answer)
            elif kind == "get" and not (value is None or isinstance(value, _PLAIN)):
                answer(("object",))
            else:
                answer(_value(value))

    def resolve(self, path: Any) -> Any:
        """Resolve a path of names from the context. Raises ToolError for what is private."""
        names = [str(name) for name in path]
        given = CAPABILITIES | self._context.capabilities.keys()
        if not 0 < len(names) <= _DEEPEST or names[0] not in given:
            raise ToolError(ErrorType.PERMANENT, f"context has no {'.'.join(names)[:100]!r}")
        found: Any = self._context
        for name in names:
            if name.startswith("_"):
                raise ToolError(ErrorType.PERMANENT, f"context has no {'.'.join(names)[:100]!r}")
            found = getattr(found, name)
        return found

    def _await(self, work: Any, answer: Answer) -> None:
        async def waited() -> None:
            try:
                answer(_value(await work))
            except Exception as error:  # noqa: BLE001 - for the handler to see
                answer(_error(error))

        task = asyncio.get_running_loop().create_task(waited(), name="asked by a worker")
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    def close(self) -> None:
        """Cancel what the ended call still waited for."""
        for task in tuple(self._tasks):
            task.cancel()


def _value(value: Any) -> tuple[str, Any]:
    try:
        pickle.dumps(value)
    except Exception as error:  # noqa: BLE001 - whatever an object has against it
        kind = type(value).__name__
        logger.error("%s cannot be given to a worker process: %s", kind, error)
        return _error(ToolError(ErrorType.PERMANENT, f"a worker process cannot be given a {kind}"))
    return ("value", value)


def _error(error: Exception) -> tuple[str, Any]:
    if isinstance(error, ToolError):
        return ("tool_error", error.body)
    return ("error", f"{type(error).__name__}: {error}")
