"""Background strategy: a call that enters a durable task and is answered with its id.

Entering the task is the work of the call; it is a write or a read as the tool is one. The handler
runs later, in `task_execution`, maybe in another process.
"""

from __future__ import annotations

import inspect
import logging
from hashlib import sha256
from typing import TYPE_CHECKING, Any

from antiphon.contracts import Envelope, ErrorType, ToolError, ToolResult, ok
from antiphon.contracts.limits import LimitRefused, LimitScope
from antiphon.contracts.tasks import OpenTasks, RoomCheck, Task, TooManyTasks
from antiphon.orchestrator.call_frame import outside_key
from antiphon.orchestrator.call_records import digest, key_conflict
from antiphon.orchestrator.context import Context
from antiphon.orchestrator.governed_call import GovernedCall
from antiphon.orchestrator.strategies.port import CallStrategy
from antiphon.orchestrator.strategies.read import READ
from antiphon.orchestrator.strategies.write import WRITE
from antiphon.storage import StoreError

if TYPE_CHECKING:
    from antiphon.orchestrator.session import Session

logger = logging.getLogger(__name__)


class BackgroundStrategy:
    """Enters a task instead of running the handler."""

    def execute_now(self, governed: GovernedCall) -> Envelope | None:
        """Never: the task has to be durable first."""
        del governed
        return None

    async def execute(self, governed: GovernedCall) -> Envelope:
        """Enter the task and answer with its id."""
        governed.begin, governed.starts_task = enter_task, True
        return await _durability(governed).execute(governed)

    async def recover(self, governed: GovernedCall) -> Envelope:
        """Enter the task once more: its id is the same, so it is not started twice."""
        governed.begin, governed.starts_task = enter_task, True
        return await _durability(governed).recover(governed)


def _durability(governed: GovernedCall) -> CallStrategy:
    return WRITE if governed.tool.writes else READ


def task_id(session_id: str, key: str) -> str:
    """The id of a call's task, the same for every attempt, so that it cannot be started twice."""
    return sha256(outside_key(session_id, key).encode("utf-8", "surrogatepass")).hexdigest()[:32]


async def enter_task(governed: GovernedCall, context: Context) -> ToolResult:
    """Enter the task of a call, durably, and return its id. Raises ToolError when it was not
    entered."""
    session = governed.session
    background = session.orchestrator.background
    if background is None:
        raise ToolError(ErrorType.UNAVAILABLE, "This server runs no background tasks.")
    task = _make_task(governed, await _prepare(governed, context))
    try:
        known, is_new = await background.backend.start(task, _room_check(session))
    except TooManyTasks as error:
        raise ToolError(ErrorType.RATE_LIMIT, str(error), retry_after=10) from None
    except StoreError as error:
        logger.error("the store did not take a task of %s: %s", task.tool_id, error)
        raise ToolError(
            ErrorType.TRANSIENT, "It could not be written down, so it was not started."
        ) from error
    if known.tool_id != task.tool_id or known.args_digest != task.args_digest:
        return key_conflict()
    if is_new:
        await background.delivery.announce(session, known)
    return ok({"task_id": known.id, "status": "started"})


def _room_check(session: Session) -> RoomCheck | None:
    """The check that the session's user and their organisation may have one more task."""
    limits, subject = session.orchestrator.limits, session.counted
    if limits is None or subject is None:
        return None

    def check(unfinished: OpenTasks) -> None:
        def count(scope: LimitScope) -> int:
            place, name = (0, subject.user) if scope == "user" else (1, subject.organisation)
            return sum(each[place] == name for each in unfinished)

        try:
            limits.check_open(subject, "tasks", count)
        except LimitRefused as refused:
            raise TooManyTasks(str(refused)) from None

    return check


async def _prepare(governed: GovernedCall, context: Context) -> dict[str, Any]:
    """The arguments of the task. What a handler can refuse at once is not begun."""
    args: dict[str, Any] = governed.case.args
    prepare = governed.tool.handler.prepare
    if prepare is None:
        return args
    prepared = prepare(args, context)
    return await prepared if inspect.isawaitable(prepared) else prepared  # type: ignore[no-any-return]


def _make_task(governed: GovernedCall, args: dict[str, Any]) -> Task:
    session, record, tool = governed.session, governed.record, governed.tool
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
        args_digest=digest(governed.case.canonical or b""),
        turn=record.turn,
        source=governed.source,
        origin={**session.origin(), "redact": list(tool.definition.redact)},
    )


BACKGROUND = BackgroundStrategy()
