"""Background tasks: the backend that keeps them, their execution and their delivery."""

from __future__ import annotations

from typing import TYPE_CHECKING

from antiphon.contracts.tasks import TaskBackend
from antiphon.orchestrator.task_delivery import TaskDelivery
from antiphon.orchestrator.task_execution import TaskExecutor

if TYPE_CHECKING:
    from antiphon.orchestrator.orchestrator import Orchestrator


class BackgroundTasks:
    """The three parts of background work: `backend` keeps tasks and decides when they run, the
    `executor` runs their handlers, `delivery` brings their outcomes to sessions."""

    def __init__(self, orchestrator: Orchestrator, backend: TaskBackend) -> None:
        self.backend = backend
        self.delivery = TaskDelivery(orchestrator, backend)
        self.executor = TaskExecutor(orchestrator, self.delivery)
        backend.attach(self.executor)
