"""Durable tasks: the record of one, and the interface between orchestrator and task backend."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any, Literal, Protocol

from antiphon.contracts.envelope import Envelope
from antiphon.contracts.errors import ErrorType
from antiphon.contracts.owners import Owners

TaskStatus = Literal["queued", "running", "succeeded", "failed", "cancelled", "unknown"]
UNFINISHED: tuple[TaskStatus, ...] = ("queued", "running")


@dataclass(slots=True)
class Task:
    """A call that runs apart from the one who made it. Times are seconds since the epoch."""

    id: str
    session_id: str
    user: str
    mode: str
    tool_id: str
    tool_version: str
    registry_version: str
    key: str  # the call's own, unique in its session
    call_id: str | None
    args: dict[str, Any]  # validated; once the task is over without what is to be kept secret
    args_digest: str  # of the arguments as the call had them
    turn: int
    source: str
    origin: dict[str, Any] = field(default_factory=dict)  # what else is to be known of the session
    status: TaskStatus = "queued"
    owner: str = ""  # the node that runs it; empty when nobody does
    attempts: int = 0
    cancel_requested: bool = False
    progress: dict[str, Any] | None = None
    envelope: Envelope | None = None
    client_told: bool = False
    model_told: bool = False
    created_at: float = 0.0
    updated_at: float = 0.0
    started_at: float | None = None
    finished_at: float | None = None

    @property
    def finished(self) -> bool:
        """Whether it has an outcome."""
        return self.status not in UNFINISHED


Tasks = list[Task]
# The user and organisation of each task that is unfinished.
OpenTasks = list[tuple[str, str]]


class TooManyTasks(Exception):
    """No task was started, as the limit of unfinished tasks is reached. The message is for the
    model."""


# Called in the transaction that enters a task; it raises TooManyTasks where there is no room for
# one more.
RoomCheck = Callable[[OpenTasks], None]


class TaskWork(Protocol):
    """The executor of tasks: how a task's call is run, cancelled and reported. Called on the event
    loop of the backend."""

    def has_tool(self, task: Task) -> bool:
        """Whether the tool is registered here in the version that the task was made for."""

    def is_resumable(self, task: Task) -> bool:
        """Whether the task may be cut short when the server stops: the next one resumes it."""

    async def run(self, task: Task, *, again: bool) -> Envelope:
        """Run the task and return its outcome. `again`: it was running when another node died.
        Never raises, except when it is cancelled."""

    async def withdraw(self, task: Task) -> Envelope:
        """Return the outcome of a task that was cancelled before it began."""

    def stop(self, task: Task) -> None:
        """Request that a running task stops; what happens then is for the tool to decide."""

    def redacted_args(self, task: Task) -> dict[str, Any]:
        """Return the task's arguments with secrets redacted."""

    async def notify_finished(self, task: Task) -> None:
        """Notify whoever is there of an outcome that is durable now."""


class TaskBackend(Protocol):
    """The store and scheduler of tasks: it runs each until it has an outcome, whatever becomes of a
    process.

    Every coroutine raises StoreError when the store cannot be reached.
    """

    def attach(self, work: TaskWork) -> None:
        """Set the executor. Called once, before anything else."""

    async def resume(self) -> None:
        """Take over tasks of dead nodes, and notice what others did. To be called periodically."""

    async def start(self, task: Task, check: RoomCheck | None = None) -> tuple[Task, bool]:
        """Enqueue a task, durable when this returns. Return the task of that id as it is, and
        whether it is new. Raises TooManyTasks, and so may `check`."""

    async def get(self, id: str) -> Task | None:
        """Return the task of that id, or None."""

    async def list(
        self,
        *,
        session_id: str | None = None,
        owners: Owners | None = None,
        tool_id: str | None = None,
        status: TaskStatus | None = None,
        limit: int = 100,
        before: str | None = None,
    ) -> Tasks:
        """List tasks, newest first; `before` is the id of the last task of the previous page."""

    async def cancel(self, id: str) -> Task | None:
        """Request cancellation. Return the task as it is after that, or None when there is none."""

    async def progress(self, id: str, progress: dict[str, Any]) -> None:
        """Record how far a task has come, durable when this returns."""

    async def result(self, id: str, seconds: float | None = None) -> Task | None:
        """Wait for the outcome, at most so many seconds. Return the task, or None when there is
        none."""

    async def unfinished(self) -> OpenTasks:
        """List the user and organisation of each unfinished task."""

    async def undelivered(self, session_id: str) -> Tasks:
        """List finished tasks whose outcome has not reached the session's person or model, oldest
        first."""

    async def mark_delivered(self, id: str, *, client: bool = False, model: bool = False) -> None:
        """Record that the outcome has reached the client, the model, or both."""

    async def purge(self) -> None:
        """Delete tasks that finished long ago."""

    async def close(self, seconds: float) -> None:
        """Stop. Tasks that may be cut short are, the others have so many seconds; the next server
        resumes all of them."""


def status_of(envelope: Envelope) -> TaskStatus:
    """Return the status of a task with this outcome."""
    if envelope["ok"]:
        return "succeeded"
    kind = envelope["error"]["type"]
    if kind == ErrorType.CANCELLED:
        return "cancelled"
    return "unknown" if kind == ErrorType.OUTCOME_UNKNOWN else "failed"
