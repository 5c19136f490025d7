"""Imports handlers at build time in a child process, with a deadline for each of them."""

from __future__ import annotations

import contextlib
import json
import os
import select
import signal
import subprocess
import sys
import time
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from types import TracebackType
from typing import Any

from antiphon.contracts.definition import HandlerKind

DEADLINE = 10.0
STARTUP_DEADLINE = 60.0

_NO_START = "the process that imports handlers did not start"
# The child sees modules exactly as this process does, whichever way this process was started.
_BOOT = (
    "import sys, json; sys.path[:] = json.loads(sys.argv.pop());"
    "sys.dont_write_bytecode = True;"
    "from antiphon.registry.probe_child import serve; serve()"
)


class ProbeError(RuntimeError):
    """The child process could not be started; the text says why."""


@dataclass(frozen=True, slots=True)
class ProbeResult:
    """The result of one probe; `problem` is None when the handler can be imported and has the right
    shape."""

    problem: str | None
    printed: bool = False
    kind: HandlerKind | None = None


class Prober:
    """The parent of the child process that imports handlers. Use as a context manager; the child
    starts with the first handler, and anew after a crash."""

    def __init__(self, deadline: float = DEADLINE) -> None:
        self._deadline = deadline
        self._child: subprocess.Popen[bytes] | None = None
        self._received = b""
        self._awaited = False

    def __enter__(self) -> Prober:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self._stop()

    def probe(
        self, tool: str, digest: str, sources: Mapping[str, bytes], directory: Path, name: str
    ) -> ProbeResult:
        """Import one handler and look at it. Raises ProbeError only when nothing can be probed."""
        child = self._ready()
        job = {
            "tool": tool,
            "digest": digest,
            "directory": str(directory),
            "name": name,
            # One character for each byte: whatever the encoding of a file is, it arrives as it was.
            "sources": {file: data.decode("latin-1") for file, data in sources.items()},
        }
        line = json.dumps(job).encode() + b"\n"
        try:
            answer = self._exchange(child, line, time.monotonic() + self._deadline)
        except TimeoutError:
            self._stop()
            problem = f"its import did not end within {self._deadline:g} s"
            return ProbeResult(f"cannot be imported: {problem}")
        except (OSError, EOFError, ValueError):
            return ProbeResult(f"cannot be imported: it {_ending(self._stop())}")
        return ProbeResult(answer.get("problem"), bool(answer.get("printed")), answer.get("kind"))

    def prepare(self) -> None:
        """Start the child without waiting for it: it comes up while other work is done.

        When it cannot be started, `probe` will say so.
        """
        with contextlib.suppress(OSError):
            self._start()

    def _start(self) -> None:
        if self._child is not None:
            return
        path = json.dumps([entry or os.getcwd() for entry in sys.path])
        self._received, self._awaited = b"", True
        self._child = child = subprocess.Popen(
            [sys.executable, "-P", "-c", _BOOT, path],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            # A group of its own: what a handler starts is ended together with the child.
            start_new_session=True,
        )
        assert child.stdin
        assert child.stdout
        os.set_blocking(child.stdin.fileno(), False)
        os.set_blocking(child.stdout.fileno(), False)

    def _ready(self) -> subprocess.Popen[bytes]:
        try:
            self._start()
        except OSError as error:
            raise ProbeError(f"{_NO_START}: {error.strerror or error}") from None
        child = self._child
        assert child
        if not self._awaited:
            return child
        try:
            self._exchange(child, b"", time.monotonic() + STARTUP_DEADLINE)
        except (OSError, EOFError, ValueError) as error:
            os.killpg(child.pid, signal.SIGKILL)
            said = child.stderr.read().decode(errors="replace").strip() if child.stderr else ""
            self._stop()
            reason = said.splitlines()[-1] if said else str(error) or type(error).__name__
            raise ProbeError(f"{_NO_START}: {reason}") from None
        self._awaited = False
        return child

    def _exchange(
        self, child: subprocess.Popen[bytes], data: bytes, until: float
    ) -> dict[str, Any]:
        """Send `data`, wait for one line. Both sides are awaited at once, so neither can block."""
        assert child.stdin
        assert child.stdout
        to_child, from_child = child.stdin.fileno(), child.stdout.fileno()
        unsent = memoryview(data)
        waiting = select.poll()
        waiting.register(from_child, select.POLLIN)
        if unsent:
            waiting.register(to_child, select.POLLOUT)
        while b"\n" not in self._received:
            left = until - time.monotonic()
            if left <= 0:
                raise TimeoutError
            events = dict(waiting.poll(left * 1000))
            if to_child in events:
                unsent = unsent[os.write(to_child, unsent) :]
                if not unsent:
                    waiting.unregister(to_child)
            if from_child in events:
                chunk = os.read(from_child, 65536)
                if not chunk:
                    raise EOFError
                self._received += chunk
        line, _, self._received = self._received.partition(b"\n")
        answer = json.loads(line)
        if not isinstance(answer, dict):
            raise ValueError("the answer is no object")  # noqa: TRY004 - handled as any bad answer
        return answer

    def _stop(self) -> int | None:
        child, self._child = self._child, None
        if child is None:
            return None
        with contextlib.suppress(subprocess.TimeoutExpired):
            # Its pipe is closed: give the kernel a moment to say how it ended by itself.
            child.wait(0.5 if self._at_end(child) else 0)
        ended = child.poll()
        with contextlib.suppress(ProcessLookupError, PermissionError):
            os.killpg(child.pid, signal.SIGKILL)
        child.wait()
        for stream in (child.stdin, child.stdout, child.stderr):
            if stream:
                with contextlib.suppress(BrokenPipeError):
                    stream.close()
        return ended

    @staticmethod
    def _at_end(child: subprocess.Popen[bytes]) -> bool:
        assert child.stdout
        waiting = select.poll()
        waiting.register(child.stdout.fileno(), select.POLLIN)
        return bool(waiting.poll(0))


def _ending(status: int | None) -> str:
    if status is None:
        return "broke the connection to the builder"
    if status < 0:
        try:
            return f"crashed the process ({signal.Signals(-status).name})"
        except ValueError:
            return f"crashed the process (signal {-status})"
    return f"ended the process with status {status}"
