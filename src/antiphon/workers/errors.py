"""The error of a call whose worker process gave no result."""

from __future__ import annotations

import signal
from typing import Literal

Reason = Literal["busy", "timeout", "memory", "cpu", "crash", "size", "raised"]


class WorkerError(Exception):
    """No result came from a worker. `reason` says what happened, the message says it in words.

    With "raised", `kind` is the full name of the exception's class and `trace` its traceback as
    text, which is for logs only.
    """

    def __init__(self, reason: Reason, message: str, kind: str = "", trace: str = "") -> None:
        super().__init__(message)
        self.reason = reason
        self.message = message
        self.kind = kind
        self.trace = trace


def timed_out(seconds: float) -> WorkerError:
    """The error of a call that took longer than its timeout."""
    return WorkerError("timeout", f"It did not end within {seconds:g} s and was stopped.")


def out_of_memory(memory_mb: int) -> WorkerError:
    """The error of a call that needed more memory than its worker has."""
    return WorkerError(
        "memory", f"It needs more than {memory_mb} MB of memory, which is the limit."
    )


def busy(count: int) -> WorkerError:
    """The error of a call that got no worker in time."""
    words = "The worker process is" if count == 1 else f"All {count} worker processes are"
    return WorkerError("busy", f"{words} busy. Try again in a moment.")


def too_large(megabytes: int) -> WorkerError:
    """The error of a result that is larger than any may be."""
    return WorkerError("size", f"Its answer has more than {megabytes} MB, which is the limit.")


def ended(status: int | None, memory_mb: int) -> WorkerError:
    """The error for the exit status of a worker that ended without an answer."""
    if status is None or status >= 0:
        said = "" if status is None else f" with status {status}"
        return WorkerError("crash", f"Its worker process ended{said} before it had an answer.")
    if -status == getattr(signal, "SIGXCPU", None):
        return WorkerError("cpu", "It used up the CPU time that it may take.")
    if -status == getattr(signal, "SIGKILL", None):
        return WorkerError(
            "memory",
            "Its worker process was killed by the system, most likely for memory "
            f"(the limit is {memory_mb} MB).",
        )
    try:
        name = signal.Signals(-status).name
    except ValueError:
        name = f"signal {-status}"
    return WorkerError("crash", f"Its worker process crashed ({name}).")
