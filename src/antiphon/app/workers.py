"""Worker pool factory, and a probe of the limits that hold in worker processes here."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, Any

from antiphon.config.settings import Settings

if TYPE_CHECKING:
    from antiphon.workers import WorkerPool

TRY_SECONDS = 20.0


def worker_pool(settings: Settings) -> WorkerPool:
    """A pool without a process yet."""
    from antiphon.workers import WorkerLimits, WorkerPool

    tools = settings.tools
    limits = WorkerLimits(memory_mb=tools.worker_memory_mb)
    return WorkerPool(tools.workers, limits=limits, idle_seconds=tools.worker_idle_seconds)


def worker_facts(settings: Settings) -> dict[str, Any]:
    """The limits of worker processes on this system, probed by starting one. Blocks."""
    from antiphon.workers import WorkerError, WorkerLimits, run_once
    from antiphon.workers.pool import default_size

    linux = sys.platform == "linux"
    limits = WorkerLimits(memory_mb=settings.tools.worker_memory_mb)
    facts: dict[str, Any] = {
        "most": settings.tools.workers or default_size(),
        "memory_mb": limits.memory_mb if linux else None,
        "open_files": limits.open_files,
        "cpu_time": sys.platform != "win32",
    }
    try:
        tried = run_once("antiphon.workers.sandbox:try_out", timeout=TRY_SECONDS, limits=limits)
    except (WorkerError, OSError) as error:
        return {**facts, "problem": f"No worker process could be started: {error}"}
    return {**facts, "network": tried["network"], "confines": bool(tried["landlock"])}
