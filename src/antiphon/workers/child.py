"""The main loop of a worker process: one call at a time, until the server closes the socket."""

from __future__ import annotations

import os
import pickle
import socket
import struct
import sys
import threading
from collections.abc import Callable
from importlib import import_module
from typing import Any

from antiphon.workers.limits import WorkerLimits
from antiphon.workers.sandbox import apply_limits, die_with_parent, limit_cpu
from antiphon.workers.wire import TooLongFrame, encode

_HEAD = struct.Struct(">I")
_LONGEST_TEXT = 20_000


class WorkerChannel:
    """The worker's end of the socket to the server. Safe to use from several threads."""

    def __init__(self, connection: socket.socket) -> None:
        self._socket = connection
        self._lock = threading.RLock()
        self._asked = 0
        # Messages that came while an answer was waited for, by the number of their question.
        self._answers: dict[int, Any] = {}
        self.kept: dict[str, Any] = {}
        self.confinement: WorkerLimits | None = None  # to be put up before the first call
        self.represent: Callable[[Any], Any] | None = None

    def fileno(self) -> int:
        """Return the descriptor of the socket, for select."""
        return self._socket.fileno()

    def send(self, message: dict[str, Any]) -> None:
        """Send one message. Raises TypeError for what is no JSON, TooLongFrame for what is too
        long."""
        frame = encode(message, self.represent)
        with self._lock:
            self._socket.sendall(frame)

    def receive(self) -> Any:
        """Return the next message of the server. Raises EOFError when it has closed the socket."""
        with self._lock:
            (size,) = _HEAD.unpack(self._exactly(_HEAD.size))
            return pickle.loads(self._exactly(size))  # noqa: S301 - from our own server

    def _exactly(self, size: int) -> bytes:
        parts = bytearray()
        while len(parts) < size:
            data = self._socket.recv(min(size - len(parts), 1 << 20))
            if not data:
                raise EOFError
            parts += data
        return bytes(parts)

    def notify(self, message: dict[str, Any]) -> None:
        """Send a message that has no answer."""
        self.send({"message": message})

    def request(self, message: dict[str, Any]) -> tuple[int, Any]:
        """Send a request and wait for its first answer. Return it with its number: a later answer
        to the same request comes under that number."""
        with self._lock:
            self._asked += 1
            number = self._asked
            self.send({"message": message, "number": number})
            while number not in self._answers:
                self.receive_answer()
            return number, self._answers.pop(number)

    def receive_answer(self) -> int:
        """Receive one answer, keep it, and return the number of its request."""
        with self._lock:
            kind, number, answer = self.receive()
            assert kind == "answer"
            self._answers[number] = answer
            return int(number)

    def take_answer(self, number: int) -> Any:
        """Return the answer that was kept for a request, and forget it."""
        return self._answers.pop(number)

    def has_answer(self, number: int) -> bool:
        """Whether an answer to this request was received."""
        return number in self._answers


def main() -> None:
    """Serve calls until the server closes the socket."""
    die_with_parent(os.getppid())
    connection = socket.socket(fileno=os.dup(0))
    os.set_inheritable(connection.fileno(), False)
    with open(os.devnull, "r+b") as nothing:
        os.dup2(nothing.fileno(), 0)
    os.dup2(2, 1)  # what is printed goes where the log goes
    channel = WorkerChannel(connection)
    try:
        while _serve(channel, channel.receive()):
            pass
    except (EOFError, OSError, KeyboardInterrupt):
        pass
    # Threads that a call has left behind must not keep the process alive.
    os._exit(0)


def _serve(channel: WorkerChannel, message: Any) -> bool:
    kind, *rest = message
    if kind == "limits":
        limits = WorkerLimits(**rest[0])
        if limits.folder is None:
            apply_limits(limits)
        else:
            channel.confinement = limits
    elif kind == "keep":
        key, value = rest
        channel.kept[key] = value
    elif kind == "call":
        return _call(channel, *rest)
    return True


def _call(
    channel: WorkerChannel,
    target: str,
    args: tuple[Any, ...],
    cpu_seconds: float,
    with_channel: bool,
) -> bool:
    """Run one call and send its outcome; return False when this process must not be used again."""
    limit_cpu(cpu_seconds)
    try:
        module, _, name = target.partition(":")
        function = getattr(import_module(module), name)
        confinement, channel.confinement = channel.confinement, None
        if confinement is not None:
            # Not before now: what is called may lie where nothing can be read any more.
            assert confinement.folder is not None
            os.chdir(confinement.folder)
            apply_limits(confinement)
        value = function(channel, *args) if with_channel else function(*args)
        channel.send({"value": value})
    except MemoryError:
        channel.send({"raised": "MemoryError", "text": "", "trace": ""})
        return False
    except TooLongFrame:
        channel.send({"raised": "TooLongFrame", "text": "", "trace": ""})
    except BaseException as error:  # noqa: BLE001 - `sys.exit` in a handler is an answer too
        channel.send(_described(error))
    finally:
        channel.represent = None
    return True


def _described(error: BaseException) -> dict[str, Any]:
    import traceback

    kind = type(error)
    try:
        text = str(getattr(error, "message", None) or error)
    except Exception:  # noqa: BLE001 - `__str__` may raise anything
        text = ""
    trace = "".join(traceback.format_exception(error))
    return {
        "raised": f"{kind.__module__}.{kind.__qualname__}",
        "text": text[:_LONGEST_TEXT].encode("utf-8", "replace").decode(),
        "trace": trace[-_LONGEST_TEXT:].encode("utf-8", "replace").decode(),
    }


if __name__ == "__main__":
    sys.exit("a worker is started by the server, not by hand")
