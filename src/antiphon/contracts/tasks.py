"""Durable tasks: the record of one, and the interface between orchestrator and task backend."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, Literal, Protocol

from antiphon.contracts.envelope import Envelope
from antiphon.contracts.errors import ErrorType

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
        return self.status not in UNFINISHED


Tasks = list[Task]


class TooManyTasks(Exception):
    """Nothing was started: as many tasks as may be are under way. The words are for the model."""


class TaskWork(Protocol):
    """Who knows how to do what a task is about. Called on the event loop of the backend."""

    def fits(self, task: Task) -> bool:
        """Whether the tool is here in the version that the task was made for."""

    def outlives(self, task: Task) -> bool:
        """Whether the task may be cut short when the server stops: it goes on with the next."""

    async def run(self, task: Task, *, again: bool) -> Envelope:
        """The outcome. `again`: it was under way when another node died. Never raises, except
        when it is cancelled."""

    async def withdraw(self, task: Task) -> Envelope:
        """The outcome of a task that was cancelled before it began."""

    def stop(self, task: Task) -> None:
        """Somebody wants it stopped: what happens is for the tool to say."""

    def shown(self, task: Task) -> dict[str, Any]:
        """Its arguments without what is to be kept secret."""

    async def finished(self, task: Task) -> None:
        """The outcome is durable: tell whoever is there."""


class TaskBackend(Protocol):
    """Keeps tasks, and runs them until they are over, whatever becomes of a process.

    Everything that waits raises StoreError when what is kept cannot be reached.
    """

    def attach(self, work: TaskWork) -> None:
        """Who does the work. Once, before anything else."""

    async def resume(self) -> None:
        """Take up what dead nodes left; notice what others did. To be called now and then."""

    async def start(self, task: Task) -> tuple[Task, bool]:
        """Durable when this returns. The task of that id as it is, and whether it is a new one.

        Raises TooManyTasks.
        """

    async def get(self, id: str) -> Task | None: ...

    async def list(
        self,
        *,
        session_id: str | None = None,
        user: str | None = None,
        tool_id: str | None = None,
        status: TaskStatus | None = None,
        limit: int = 100,
        before: str | None = None,
    ) -> Tasks:
        """Newest first; `before` is the id of the last task of the page before."""

    async def cancel(self, id: str) -> Task | None:
        """Ask for it to stop. The task as it is after that; None when there is none."""

    async def progress(self, id: str, progress: dict[str, Any]) -> None:
        """How far it has come, durable when this returns."""

    async def result(self, id: str, seconds: float | None = None) -> Task | None:
        """The task, when it is over or the time is; None when there is none."""

    async def undelivered(self, session_id: str) -> Tasks:
        """What is over and has not reached the session's person or model, oldest first."""

    async def mark_delivered(self, id: str, *, client: bool = False, model: bool = False) -> None:
        """It has reached them."""

    async def purge(self) -> None:
        """Forget what has been over for long."""

    async def close(self, seconds: float) -> None:
        """Stop. What may be cut short is, the rest has so many seconds; all of it is taken up by
        the next life."""


def status_of(envelope: Envelope) -> TaskStatus:
    """How a task with this outcome ended."""
    if envelope["ok"]:
        return "succeeded"
    kind = envelope["error"]["type"]
    if kind == ErrorType.CANCELLED:
        return "cancelled"
    return "unknown" if kind == ErrorType.OUTCOME_UNKNOWN else "failed"
