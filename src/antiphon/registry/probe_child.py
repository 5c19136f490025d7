"""The child process in which the builder imports handlers: a job a line in, an answer a line out.

A handler may print, exit, hang or crash while it is imported; here it harms nothing but its own
answer. The pipes to the builder are moved out of its reach first.
"""

from __future__ import annotations

import json
import os
import sys
from typing import IO, Any

# Nearly every handler needs the contracts: they are loaded while the builder still reads files.
import antiphon.contracts  # noqa: F401
from antiphon.extras import missing_extra
from antiphon.registry.handlers import describe, load_module

MAX_MESSAGE = 300


def serve() -> None:
    """Answer jobs until the builder closes the pipe."""
    jobs = os.fdopen(os.dup(0), "rb")
    answers = os.fdopen(os.dup(1), "wb")
    with _scratch_file() as printed, open(os.devnull, "r+b") as nothing:
        os.dup2(nothing.fileno(), 0)
        os.dup2(printed.fileno(), 1)
        os.dup2(nothing.fileno(), 2)
        _answer(answers, {"ready": True})
        own = os.getpid()
        for line in jobs:
            answer = _imported(json.loads(line))
            if os.getpid() != own:
                # A handler that forks while it is imported must not answer twice.
                os._exit(0)
            answer["printed"] = _take_printed()
            _answer(answers, answer)
    # Threads that a handler has left behind must not keep the process alive.
    os._exit(0)


def _answer(answers: IO[bytes], body: dict[str, Any]) -> None:
    answers.write(json.dumps(body).encode() + b"\n")
    answers.flush()


def _scratch_file() -> IO[bytes]:
    """Return the file that a handler's prints go to; in memory where the system can do that."""
    if hasattr(os, "memfd_create"):
        return os.fdopen(os.memfd_create("antiphon-printed"), "w+b")
    import tempfile

    return tempfile.TemporaryFile()


def _imported(job: dict[str, Any]) -> dict[str, Any]:
    sources = {name: data.encode("latin-1") for name, data in job["sources"].items()}
    directory = job["directory"]
    try:
        module = load_module(job["tool"], job["digest"], sources, directory, job["name"])
    except BaseException as error:  # noqa: BLE001 - `sys.exit` in a handler is an answer too
        return {"problem": _described(error, sources, directory)}
    try:
        return {"kind": describe(module).kind}
    except ValueError as error:
        return {"problem": str(error)}
    except BaseException as error:  # noqa: BLE001 - a module may define `__getattr__`
        return {"problem": _described(error, sources, directory)}


def _described(error: BaseException, sources: dict[str, bytes], directory: str) -> str:
    """Describe an error in one line: what was raised and where in the tool's own files; never a
    traceback."""
    name = type(error).__name__
    try:
        message = " ".join(str(error).split())
    except Exception:  # noqa: BLE001 - `__str__` belongs to the handler as well
        message = ""
    if isinstance(error, SystemExit):
        name, message = "it calls sys.exit", f"status {error.code}"
    elif isinstance(error, SyntaxError):
        message = error.msg or message
    text = f"{name}: {message}" if message else name
    if len(text) > MAX_MESSAGE:
        text = text[: MAX_MESSAGE - 1] + "…"
    place = _place(error, {os.path.join(directory, file): file for file in sources})
    what = f"cannot be imported: {text}" + (f" ({place})" if place else "")
    missing = missing_extra(error)
    return what if missing is None else f"{what}. {missing}"


def _place(error: BaseException, own: dict[str, str]) -> str:
    if isinstance(error, SyntaxError) and error.filename in own:
        return f"{own[error.filename]}:{error.lineno}"
    place = ""
    trace = error.__traceback__
    while trace is not None:
        file = own.get(trace.tb_frame.f_code.co_filename)
        if file:
            place = f"{file}:{trace.tb_lineno}"
        trace = trace.tb_next
    return place


def _take_printed() -> bool:
    try:
        sys.stdout.flush()
        written = os.fstat(1).st_size > 0
        os.ftruncate(1, 0)
        os.lseek(1, 0, os.SEEK_SET)
    except (OSError, ValueError):
        # The handler has closed or replaced the stream; what it printed is gone.
        return False
    return written
