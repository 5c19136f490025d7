"""Hostile clients: what they cost a well-behaved one beside them, and how much memory they take.

    python bench/hostile.py [--quick]

Starts the server. 200 hostile clients come from a process of their own: sockets that never say
`start`, sockets that flood it with what is no JSON, heads of requests that never end, readers that
stall, pages of other origins, and JSON that is nested 10,000 deep. The well-behaved client calls a
tool again and again over one connection, in turns without and with them; --quick takes shorter
turns.
"""

from __future__ import annotations

import asyncio
import base64
import contextlib
import http.client
import json
import os
import socket
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Coroutine, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from common import arguments, result, table, verdict

CLIENTS = 200
# The median of the turns' p99 with hostile clients, against that without.
RATIO_GOAL = 3.0
MEMORY_GOAL = 256 * 1024
ARGS = {"args": {"value": "2026-03-01T09:30:00Z", "timezone": "Europe/Vienna"}}
Stream = tuple[asyncio.StreamReader, asyncio.StreamWriter]


# -- the hostile ones ------------------------------------------------------------------------------


async def silent_socket(port: int) -> None:
    """A socket that is opened, and at which nothing is said."""
    reader, _ = await opened_socket(port)
    await reader.read(-1)


async def flooding_socket(port: int) -> None:
    """A socket that gets a message after the other that cannot be taken, until it is closed."""
    reader, writer = await opened_socket(port)
    while not reader.at_eof():
        writer.write(frame(b"no JSON" * 100))
        await writer.drain()
        with contextlib.suppress(TimeoutError):
            await asyncio.wait_for(reader.read(65536), 0.05)


async def half_request(port: int) -> None:
    """The head of a request, a letter at a time."""
    reader, writer = await asyncio.open_connection("127.0.0.1", port)
    writer.write(b"GET /healthz HTTP/1.1\r\nX: ")
    while not reader.at_eof():
        writer.write(b"a")
        await writer.drain()
        with contextlib.suppress(TimeoutError):
            await asyncio.wait_for(reader.read(65536), 0.5)


async def stalled_reader(port: int) -> None:
    """Requests for something large whose answers nobody reads."""
    _, writer = await asyncio.open_connection("127.0.0.1", port, limit=1024)
    request = f"GET /openapi.json HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\n\r\n".encode()
    writer.write(request * 20)
    await asyncio.sleep(3600)


async def foreign_page(port: int) -> None:
    """Requests of a page that may not ask."""
    head = f"Host: 127.0.0.1:{port}\r\nOrigin: https://evil.example\r\n"
    await asking(port, f"GET /api/tools HTTP/1.1\r\n{head}\r\n".encode())


async def deep_json(port: int) -> None:
    """Bodies that are nested deeper than anybody needs."""
    body = b'{"args": ' + b"[" * 10_000 + b"]" * 10_000 + b"}"
    head = (
        f"POST /api/tools/format_datetime/call HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\n"
        f"Content-Type: application/json\r\nContent-Length: {len(body)}\r\n\r\n"
    )
    await asking(port, head.encode() + body)


HOSTILE: tuple[Callable[[int], Coroutine[Any, Any, None]], ...] = (
    *(silent_socket, flooding_socket, half_request),
    *(stalled_reader, foreign_page, deep_json),
)


async def asking(port: int, request: bytes) -> None:
    """Send the same request twice a second over one connection."""
    reader, writer = await asyncio.open_connection("127.0.0.1", port)
    while not reader.at_eof():
        writer.write(request)
        await writer.drain()
        await reader.read(65536)
        await asyncio.sleep(0.5)


async def opened_socket(port: int) -> Stream:
    reader, writer = await asyncio.open_connection("127.0.0.1", port)
    key = base64.b64encode(os.urandom(16)).decode()
    writer.write(
        f"GET /ws/vox HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\nConnection: Upgrade\r\n"
        f"Upgrade: websocket\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Key: {key}\r\n\r\n"
        "".encode()
    )
    await reader.readuntil(b"\r\n\r\n")
    return reader, writer


def frame(data: bytes) -> bytes:
    """A text frame of a client; a mask of zeros is one, too."""
    return bytes([0x81, 0xFE]) + len(data).to_bytes(2, "big") + bytes(4) + data


async def hostile_client(work: Callable[[int], Coroutine[Any, Any, None]], port: int) -> None:
    """One hostile client. Whom the server hangs up on comes again."""
    while True:
        with contextlib.suppress(OSError, asyncio.IncompleteReadError):
            await work(port)
        await asyncio.sleep(0.2)


async def all_hostile(port: int) -> None:
    async with asyncio.TaskGroup() as group:
        for number in range(CLIENTS):
            group.create_task(hostile_client(HOSTILE[number % len(HOSTILE)], port))
        group.create_task(said())


async def said() -> None:
    """Tell the other process, once everybody has had the time to come."""
    await asyncio.sleep(2.0)
    print("there", flush=True)


@contextmanager
def hostile_process(port: int) -> Iterator[None]:
    command = [sys.executable, __file__, "hostile", str(port)]
    with subprocess.Popen(command, stdout=subprocess.PIPE) as process:
        try:
            assert process.stdout is not None
            assert process.stdout.readline(), "the hostile clients did not come"
            yield
        finally:
            process.kill()


# -- the server and the well-behaved one -----------------------------------------------------------


@contextmanager
def running_server(folder: Path) -> Iterator[tuple[int, int]]:
    """A server with the tools that ship: its port and its process."""
    with socket.create_server(("127.0.0.1", 0)) as free:
        port = free.getsockname()[1]
    command = [
        sys.executable,
        "-m",
        "antiphon",
        "serve",
        "--port",
        str(port),
        "--data",
        str(folder),
    ]
    environment = {**os.environ, "ANTIPHON_SERVER__WARM_UP": "false"}
    with subprocess.Popen(command, cwd=folder, env=environment) as process:
        try:
            until_ready(port, process)
            yield port, process.pid
        finally:
            process.terminate()


def until_ready(port: int, process: subprocess.Popen[bytes]) -> None:
    for _ in range(600):
        if process.poll() is not None:
            raise SystemExit("the server did not start")
        with contextlib.suppress(OSError):
            socket.create_connection(("127.0.0.1", port), timeout=1).close()
            return
        time.sleep(0.1)
    raise SystemExit("the server did not start in a minute")


def resident(pid: int) -> int:
    return int(Path(f"/proc/{pid}/statm").read_text().split()[1]) * os.sysconf("SC_PAGE_SIZE")


def calls(port: int, duration: float) -> list[float]:
    """Milliseconds of each call, one after the other, for so many seconds."""
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=60)
    found: list[float] = []
    end = time.perf_counter() + duration
    while time.perf_counter() < end:
        start = time.perf_counter()
        body, headers = json.dumps(ARGS), {"Content-Type": "application/json"}
        connection.request("POST", "/api/tools/format_datetime/call", body, headers)
        answer = connection.getresponse()
        answer.read()
        found.append((time.perf_counter() - start) * 1000)
        if answer.status != 200:
            raise SystemExit(f"a call was answered with {answer.status}")
        time.sleep(0.002)
    connection.close()
    return found


def quantiles(found: list[float]) -> tuple[float, float]:
    cuts = statistics.quantiles(found, n=100)
    return cuts[49], cuts[98]


def main() -> None:
    quick = arguments(__doc__ or "").quick
    rounds, duration = (3, 3.0) if quick else (7, 10.0)
    alone: list[tuple[float, float]] = []
    beside: list[tuple[float, float]] = []
    memory: list[float] = []
    with tempfile.TemporaryDirectory() as folder, running_server(Path(folder)) as (port, pid):
        calls(port, 1.0)
        with hostile_process(port):  # what is made once, for whomever, is there afterwards
            calls(port, 1.0)
        for _ in range(rounds):
            time.sleep(1.0)
            alone.append(quantiles(calls(port, duration)))
            before = resident(pid)
            with hostile_process(port):
                beside.append(quantiles(calls(port, duration)))
                memory.append((resident(pid) - before) / CLIENTS)
    p50, p99 = (statistics.median(each[index] for each in alone) for index in (0, 1))
    p50_beside, p99_beside = (statistics.median(each[index] for each in beside) for index in (0, 1))
    per_client = statistics.median(memory)
    ratio = p99_beside / p99
    table(
        f"{CLIENTS} hostile clients beside a well-behaved one, medians of {rounds} turns",
        [
            ("calls without them, p50 / p99", f"{p50:.1f} / {p99:.1f} ms", ""),
            (
                "calls beside them, p50 / p99",
                f"{p50_beside:.1f} / {p99_beside:.1f} ms",
                f"{ratio:.1f} times the p99; "
                + verdict(ratio <= RATIO_GOAL, f"at most {RATIO_GOAL:g} times"),
            ),
            (
                "memory for each of them",
                f"{per_client / 1024:.0f} KiB",
                verdict(per_client <= MEMORY_GOAL, f"at most {MEMORY_GOAL // 1024} KiB"),
            ),
        ],
    )
    result(
        {
            "p50_ms": p50,
            "p99_ms": p99,
            "p50_beside_ms": p50_beside,
            "p99_beside_ms": p99_beside,
            "p99_ratio": ratio,
            "bytes_per_client": per_client,
        }
    )


if __name__ == "__main__":
    if sys.argv[1:2] == ["hostile"]:
        asyncio.run(all_hostile(int(sys.argv[2])))
    else:
        main()
