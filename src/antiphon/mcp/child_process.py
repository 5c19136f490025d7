"""Server processes: an MCP server as a child with a bare environment, limits and bounded pipes."""

from __future__ import annotations

import asyncio
import os
import shutil
import signal
import sys
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from types import TracebackType
from typing import Any

import anyio
from mcp.shared.message import SessionMessage
from mcp_types import jsonrpc_message_adapter

MOST_STDERR = 64 * 1024
_CHUNK = 64 * 1024
# Seconds until a process that was asked to end is killed.
_GRACE = 2.0
_WATCH = 0.2
_LAUNCHER = Path(__file__).with_name("child_launcher.py")


@dataclass(frozen=True, slots=True)
class ProcessLimits:
    """What a server process may take at most."""

    memory_mb: int = 2048
    files: int = 512
    cpu_seconds: int = 3600

    @property
    def argument(self) -> str:
        """The limits as the launcher takes them."""
        limits = {
            # Not the address space: runtimes reserve far more of it than they ever use.
            "DATA": self.memory_mb * 1024 * 1024,
            "NOFILE": self.files,
            "CPU": self.cpu_seconds,
            "CORE": 0,
        }
        return ",".join(f"{name}={number}" for name, number in limits.items())


class StderrTail:
    """The last bytes that a server wrote to its standard error."""

    def __init__(self) -> None:
        self._kept = bytearray()

    def add(self, data: bytes) -> None:
        self._kept += data
        del self._kept[:-MOST_STDERR]

    @property
    def text(self) -> str:
        return self._kept.decode("utf-8", "replace")


class ServerProcess:
    """A transport of the SDK to a server that is a child process, in a process group of its own.

    It has the environment that it was given, and `PATH`. A message of more than `max_message` bytes
    ends it; `ended` is told why.
    """

    def __init__(
        self,
        command: Sequence[str],
        *,
        env: Mapping[str, str],
        cwd: str | os.PathLike[str] | None,
        limits: ProcessLimits,
        max_message: int,
        stderr: StderrTail,
        ended: Callable[[str], None],
    ) -> None:
        self._command = list(command)
        self._env = {"PATH": os.environ.get("PATH", os.defpath), **env}
        self._cwd = cwd
        self._limits = limits
        self._max_message = max_message
        self._stderr = stderr
        self._ended = ended
        self._process: asyncio.subprocess.Process | None = None
        self._tasks: list[asyncio.Task[None]] = []
        self._streams: list[Any] = []

    async def __aenter__(self) -> tuple[Any, Any]:
        program = self._command[0]
        beside = program if self._cwd is None else os.path.join(self._cwd, program)
        path = self._env["PATH"]
        if shutil.which(program, path=path) is None and shutil.which(beside, path=path) is None:
            raise FileNotFoundError(f"there is no program {program!r}")
        command = self._command
        if os.name == "posix":
            launcher = [sys.executable, "-I", "-S", str(_LAUNCHER), self._limits.argument]
            command = [*launcher, *command]
        self._process = await asyncio.create_subprocess_exec(
            *command,
            stdin=asyncio.subprocess.PIPE,
            stdout=asyncio.subprocess.PIPE,
            stderr=asyncio.subprocess.PIPE,
            env=self._env,
            cwd=self._cwd,
            start_new_session=True,
        )
        incoming, read = anyio.create_memory_object_stream[SessionMessage | Exception](0)
        write, outgoing = anyio.create_memory_object_stream[SessionMessage](0)
        self._streams = [incoming, read, write, outgoing]
        self._tasks = [
            asyncio.create_task(work, name=f"MCP server {program}")
            for work in (
                self._read(incoming),
                self._write(outgoing),
                self._read_errors(),
                self._watch(incoming),
            )
        ]
        return read, write

    async def __aexit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        process = self._process
        if process is None:
            return
        for task in self._tasks:
            task.cancel()
        try:
            await asyncio.gather(*self._tasks, return_exceptions=True)
            for stream in self._streams:
                stream.close()
            assert process.stdin is not None
            process.stdin.close()
            if not await self._has_ended(0.2):
                self._signal(signal.SIGTERM)
                await self._has_ended(_GRACE)
        finally:
            # Whatever it has started goes with it, also when the server itself has ended before.
            self._signal(signal.SIGKILL)
        with suppress(TimeoutError):
            async with asyncio.timeout(_GRACE):
                await process.wait()
        process._transport.close()  # type: ignore[attr-defined]

    async def _watch(self, incoming: Any) -> None:
        """Take note of the end of the process, while its children may hold its pipes open."""
        assert self._process is not None
        while self._process.returncode is None:  # noqa: ASYNC110 - its own event waits for pipes
            await asyncio.sleep(_WATCH)
        await asyncio.sleep(_WATCH)  # what it has said is still read
        self._ended(f"it ended with status {self._process.returncode}")
        incoming.close()

    async def _has_ended(self, seconds: float) -> bool:
        """Whether the process ends in time. Its pipes may stay open in its children."""
        process = self._process
        assert process is not None
        for _ in range(round(seconds / 0.02)):
            if process.returncode is not None:
                return True
            await asyncio.sleep(0.02)
        return process.returncode is not None

    def _signal(self, number: int) -> None:
        assert self._process is not None
        with suppress(ProcessLookupError, PermissionError):
            os.killpg(self._process.pid, number)

    async def _read(self, to: Any) -> None:
        assert self._process is not None
        assert self._process.stdout is not None
        out, parts, size = self._process.stdout, [], 0
        async with to:
            with suppress(anyio.BrokenResourceError, anyio.ClosedResourceError):
                while chunk := await out.read(_CHUNK):
                    *lines, rest = chunk.split(b"\n")
                    for line in lines:
                        parts.append(line)
                        await to.send(_parsed(b"".join(parts)))
                        parts, size = [], 0
                    parts.append(rest)
                    size += len(rest)
                    if size > self._max_message:
                        self._ended(f"it sent a message of more than {self._max_message} bytes")
                        return

    async def _write(self, outgoing: Any) -> None:
        assert self._process is not None
        assert self._process.stdin is not None
        pipe = self._process.stdin
        with suppress(ConnectionError):
            async for item in outgoing:
                text = item.message.model_dump_json(by_alias=True, exclude_unset=True)
                pipe.write(text.encode() + b"\n")
                await pipe.drain()

    async def _read_errors(self) -> None:
        assert self._process is not None
        assert self._process.stderr is not None
        while chunk := await self._process.stderr.read(_CHUNK):
            self._stderr.add(chunk)


def _parsed(line: bytes) -> SessionMessage | Exception:
    try:
        return SessionMessage(jsonrpc_message_adapter.validate_json(line, by_name=False))
    except ValueError as error:
        return error
