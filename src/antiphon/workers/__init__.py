"""A pool of worker processes with limits: foreign text is parsed, analysed and run here.

A worker is a slim Python process with a bound on CPU time, memory and open files, without the
server's environment and without network. It is killed when its time is over, and another one takes
its place, so a document or a pattern that takes for ever costs one worker for a while and the
server nothing.

From a coroutine, with the pool that the application has:

    data = await pool.run("package.module:function", content, "pdf", timeout=20)

From a thread (work that was sent off the event loop), `pool.run_from_thread` takes the same
arguments. From a command or a script without a pool, `run_once` starts a process for this one call.

The function is imported in the worker by its name. Its arguments may be anything that can be
pickled. What it returns has to be JSON (bytes, dates and times may be in it): what comes from a
worker is never unpickled, because what ran there may have been taken over. Errors:

- `WorkerError` when there is no result: `reason` is "busy", "timeout", "memory", "cpu", "crash",
  "size" or "raised" (the function raised), and the message is a sentence for people;
- an exception of a class in `raises=(...)` is raised again as that class with the same message.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from antiphon._lazy import lazy

if TYPE_CHECKING:
    from antiphon.workers.errors import WorkerError
    from antiphon.workers.limits import WorkerLimits
    from antiphon.workers.pool import WorkerPool
    from antiphon.workers.single_worker import run_once

__all__ = ["WorkerError", "WorkerLimits", "WorkerPool", "run_once"]

__getattr__ = lazy(
    __name__,
    {
        "WorkerError": "antiphon.workers.errors",
        "WorkerLimits": "antiphon.workers.limits",
        "WorkerPool": "antiphon.workers.pool",
        "run_once": "antiphon.workers.single_worker",
    },
    globals(),
)
