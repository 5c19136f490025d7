"""Governed call: one call on its way from the decision through its strategy to its envelope."""

from __future__ import annotations

from collections.abc import Callable, Coroutine, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from antiphon.contracts import Principal, ToolCall, ToolResult
from antiphon.contracts.provenance import Exposure, ReadSource
from antiphon.orchestrator.call_frame import CallFrame
from antiphon.orchestrator.call_records import CallRecord
from antiphon.orchestrator.context import Context
from antiphon.policy import Case, TurnCounters
from antiphon.registry.registry import Tool

if TYPE_CHECKING:
    from antiphon.orchestrator.session import Session

# What begins the work of a call: the coroutine whose result is the call's.
BeginWork = Callable[["GovernedCall", Context], Coroutine[Any, Any, Any]]

CLIENT_GRACE_MS = 1000.0
# A write that its caller no longer waits for keeps its worker process for so many timeouts.
DETACHED_FACTOR = 10


@dataclass(slots=True)
class SuspendedHandler:
    """A handler whose first step was taken and which waits for what it yielded."""

    work: Coroutine[Any, Any, Any]
    yielded: Any


@dataclass(slots=True, eq=False)
class GovernedCall:
    """What a strategy needs of a call that was decided on, and what comes of it on the way."""

    session: Session
    call: ToolCall
    case: Case
    tool: Tool
    record: CallRecord
    source: str
    started: float  # by the orchestrator's monotonic clock
    frame: CallFrame | None
    rule: str
    turn: TurnCounters
    now: float
    begin: BeginWork
    starts_task: bool = False  # answered with the id of a background task
    in_task: bool = False  # the handler of a background task at work
    longest_task_ms: float = 0.0
    variant: str | None = None
    changes: Mapping[str, Any] | None = None  # what the person who approved it changed
    asker: Principal | None = None  # whoever made it
    step: ToolResult | SuspendedHandler | None = None  # what the handler's first step brought
    read: Exposure | None = None  # what the handler has read, beside what its tool says of itself

    def context(self) -> Context:
        """The context that the handler of this call gets."""
        record = self.record
        clamped = self.case.clamped is not None
        return Context(
            self.session, record.name, record.key, self.frame, clamped, self.asker, self.note_read
        )

    def note_read(self, source: ReadSource) -> None:
        """Note something that the handler has read; its result is as strict as that."""
        if self.read is None:
            self.read = Exposure()
        self.read.add(source)

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
        if self.in_task:
            return self.longest_task_ms
        if not self.tool.writes and self.tool.definition.interruption != "detach":
            return self.limit_ms
        longest = self.session.orchestrator.detached_ms
        return min(DETACHED_FACTOR * self.limit_ms, longest) if self.isolated else longest

    def report_progress(self, value: Any) -> None:
        """Report what a handler yields before its last value: words, or an object that may have
        `message`, `fraction` (0 to 1) and members of its own."""
        if isinstance(value, str):
            value = {"message": value}
        data = dict(value) if isinstance(value, dict) else {"value": value}
        message, fraction = str(data.pop("message", "")), data.pop("fraction", None)
        if isinstance(fraction, bool) or not isinstance(fraction, int | float):
            fraction = None
        self.session.report_progress(self.record.name, self.record.key, message, fraction, data)
