"""A worker process for one caller that blocks: commands and threads without an event loop."""

from __future__ import annotations

import contextlib
import os
import signal
import socket
import subprocess
import time
from collections.abc import Iterator
from typing import Any

from antiphon.workers.errors import WorkerError, ended, out_of_memory, timed_out, too_large
from antiphon.workers.limits import WorkerLimits, command, environment
from antiphon.workers.wire import LONGEST, FrameReader, TooLongFrame, decode, pickled

_PIECE = 1 << 18


def run_once(
    target: str,
    *args: Any,
    timeout: float,
    raises: tuple[type[Exception], ...] = (),
    limits: WorkerLimits | None = None,
) -> Any:
    """Run `module:function` with these arguments in a process of its own and return its result."""
    with SingleWorker(limits or WorkerLimits()) as worker:
        try:
            return worker.run(target, *args, timeout=timeout)
        except WorkerError as error:
            for known in raises:
                if error.kind == f"{known.__module__}.{known.__qualname__}":
                    raise known(error.message) from None
            raise


class SingleWorker:
    """A worker process that one thread talks to. Use as a context manager.

    With `variables` the process gets these as its whole environment.
    """

    def __init__(self, limits: WorkerLimits, variables: dict[str, str] | None = None) -> None:
        self.limits = limits
        self._frames = FrameReader()
        self._received: Iterator[bytes] = iter(())
        ours, theirs = socket.socketpair()
        try:
            self._process: subprocess.Popen[bytes] = subprocess.Popen(
                command(),
                stdin=theirs.fileno(),
                stdout=subprocess.DEVNULL,
                stderr=subprocess.DEVNULL if limits.folder is not None else None,
                env=environment(limits.network) if variables is None else variables,
            )
        finally:
            theirs.close()
        self._socket = ours
        self._send(("limits", limits.to_dict()))

    def __enter__(self) -> SingleWorker:
        return self

    def __exit__(self, *_: object) -> None:
        self.kill()

    def kill(self) -> None:
        """End the process and all that it has started, at once."""
        if self._process.returncode is None:
            self._process.send_signal(signal.SIGKILL)
        self._socket.close()
        self._process.wait()

    def run(self, target: str, *args: Any, timeout: float) -> Any:
        """Run one call and return its result. Raises WorkerError."""
        self.begin(target, *args, cpu_seconds=timeout)
        message = self.next(timeout)
        while "message" in message:
            message = self.next(timeout)
        return message["value"]

    def keep(self, name: str, value: Any) -> None:
        """Give the process a value that its functions find under `channel.kept`."""
        self._send(("keep", name, value))

    def begin(self, target: str, *args: Any, cpu_seconds: float, channel: bool = False) -> None:
        """Start a call; `next` returns its messages."""
        self._send(("call", target, args, cpu_seconds, channel))

    def next(self, timeout: float) -> Any:
        """Return the next message of the call under way. Raises WorkerError when none comes."""
        until = time.monotonic() + timeout
        try:
            while True:
                for body in self._received:
                    return self._checked(decode(body))
                left = until - time.monotonic()
                if left <= 0:
                    raise timed_out(timeout)
                self._socket.settimeout(left)
                data = self._socket.recv(_PIECE)
                if not data:
                    raise self._ended()
                self._received = self._frames.feed(data)
        except TimeoutError:
            raise timed_out(timeout) from None
        except TooLongFrame:
            raise too_large(LONGEST >> 20) from None
        except OSError:
            raise self._ended() from None
        except (ValueError, TypeError, AttributeError) as error:
            raise WorkerError("crash", "Its worker process sent an answer that is none.") from error

    def _checked(self, message: Any) -> dict[str, Any]:
        if not isinstance(message, dict) or not ({"message", "value", "raised"} & message.keys()):
            raise ValueError("no message of a worker")
        if "raised" not in message:
            return message
        kind = str(message["raised"])
        if kind == "MemoryError":
            raise out_of_memory(self.limits.memory_mb)
        if kind == "TooLongFrame":
            raise too_large(LONGEST >> 20)
        text = str(message.get("text") or kind.rpartition(".")[2])
        raise WorkerError("raised", text, kind, str(message.get("trace", "")))

    def _ended(self) -> WorkerError:
        with contextlib.suppress(subprocess.TimeoutExpired):
            self._process.wait(2)
        return ended(self._process.returncode, self.limits.memory_mb)

    def _send(self, message: Any) -> None:
        self._socket.settimeout(None)
        with contextlib.suppress(OSError):  # it has ended; whoever listens will say so
            self._socket.sendall(pickled(message))


def confined_environment(folder: str, hash_seed: int) -> dict[str, str]:
    """Return the whole environment of a process for code that is not trusted."""
    kept = ("LANG", "LC_ALL", "LC_CTYPE", "LD_LIBRARY_PATH", "SYSTEMROOT")
    found = {name: os.environ[name] for name in kept if name in os.environ}
    return {**found, "HOME": folder, "TMPDIR": folder, "PYTHONHASHSEED": str(hash_seed)}
