"""Calls over `/mcp`: CPU and time of one, beside FastMCP serving the same tool.

    python bench/mcp_serving.py [--quick]

Starts `antiphon serve` and a FastMCP server (`python bench/peers/install.py fastmcp` installs it),
and calls one tool that reads, again and again over one connection to each, in turns: by the
revision 2026-07-28, and in a session of the one before it. Ours passes the gates and writes an
audit line for each call; FastMCP checks the arguments. The client is the same for both, and its
CPU is not counted.
"""

from __future__ import annotations

import http.client
import json
import os
import socket
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import Any

import psutil

from common import arguments, result, table, verdict

HERE = Path(__file__).resolve().parent
PEER = HERE / "peers" / ".venvs" / "fastmcp" / "bin" / "python"
NOW, BEFORE = "2026-07-28", "2025-11-25"
GOAL = 1.0
ARGUMENTS = {"query": "founder of the studio", "top_k": 3, "filters": {"type": "person"}}
SCHEMA: dict[str, Any] = {
    "toolId": "kb_search",
    "version": "1.0.0",
    "description": "Searches the knowledge base.",
    "category": "retrieval",
    "sideEffects": "read_only",
    "idempotent": True,
    "requiresConfirmation": False,
    "allowedModes": ["text"],
    "latencyBudgetMs": 1000,
    "parameters": {
        "type": "object",
        "additionalProperties": False,
        "required": ["query"],
        "properties": {
            "query": {"type": "string", "description": "What is searched."},
            "namespace": {
                "type": "string",
                "enum": ["studio", "personal", "public"],
                "default": "studio",
                "description": "Where.",
            },
            "top_k": {"type": "integer", "minimum": 1, "maximum": 10, "default": 5},
            "filters": {
                "type": "object",
                "additionalProperties": False,
                "properties": {
                    "type": {"enum": ["project", "person", "process", "link", "doc"]},
                    "tags": {"type": "array", "items": {"type": "string"}},
                },
            },
        },
    },
}
HANDLER = '''"""A search that gives one answer."""

from antiphon import ok

FOUND = (
    ("person-1", "Ada Quill", 0.92), ("person-2", "Jon Marsh", 0.81), ("person-3", "Mei Tan", 0.77)
)


async def execute(args, context):
    results = [{"id": id, "title": title, "score": score} for id, title, score in FOUND]
    return ok({"results": results, "count": 3})
'''


class McpCaller:
    """One connection to a server, and the same call over it."""

    def __init__(self, port: int, pid: int, revision: str) -> None:
        self._process = psutil.Process(pid)
        self._connection = http.client.HTTPConnection("127.0.0.1", port, timeout=60)
        self._revision = revision
        self._headers = {
            "Content-Type": "application/json",
            "Accept": "application/json, text/event-stream",
            "MCP-Protocol-Version": revision,
        }
        self._meta: dict[str, Any] = {}
        if revision == NOW:
            self._meta = {
                "_meta": {
                    "io.modelcontextprotocol/protocolVersion": NOW,
                    "io.modelcontextprotocol/clientCapabilities": {},
                }
            }
            self._headers |= {"Mcp-Method": "tools/call", "Mcp-Name": "kb_search"}
        else:
            self._begin()
        self._body = self._message("tools/call", {"name": "kb_search", "arguments": ARGUMENTS})
        found = self._answer(self._send(self._body))["result"]
        if found["structuredContent"]["count"] != 3:
            sys.exit(f"the tool's answer did not come back: {found}")

    def _begin(self) -> None:
        client = {"name": "bench", "version": "1"}
        params = {"protocolVersion": BEFORE, "capabilities": {}, "clientInfo": client}
        self._send(self._message("initialize", params))
        body = {"jsonrpc": "2.0", "method": "notifications/initialized"}
        self._send(json.dumps(body).encode())

    def _message(self, method: str, params: dict[str, Any]) -> bytes:
        body = {"jsonrpc": "2.0", "id": 1, "method": method, "params": {**params, **self._meta}}
        return json.dumps(body).encode()

    def _send(self, body: bytes) -> bytes:
        self._connection.request("POST", "/mcp", body, self._headers)
        answer = self._connection.getresponse()
        if (session := answer.getheader("mcp-session-id")) is not None:
            self._headers["Mcp-Session-Id"] = session
        found = answer.read()
        if answer.status >= 300:
            sys.exit(f"{answer.status}: {found[:500]!r}")
        return found

    @staticmethod
    def _answer(body: bytes) -> dict[str, Any]:
        """The message in JSON, or in an event."""
        lines = [line for line in body.decode().splitlines() if line.startswith("data: {")]
        found: dict[str, Any] = json.loads(lines[-1].removeprefix("data: ") if lines else body)
        return found

    def measure(self, calls: int) -> tuple[float, float]:
        """Microseconds of CPU that a call takes there, and its median time in milliseconds."""
        taken = []
        begun = self._cpu()
        for _ in range(calls):
            at = time.perf_counter()
            self._send(self._body)
            taken.append(time.perf_counter() - at)
        return (self._cpu() - begun) / calls * 1e6, statistics.median(taken) * 1e3

    def _cpu(self) -> float:
        times = self._process.cpu_times()
        return float(times.user + times.system)


def free_port() -> int:
    with socket.create_server(("127.0.0.1", 0)) as listener:
        port: int = listener.getsockname()[1]
    return port


@contextmanager
def started(command: list[str], port: int) -> Iterator[int]:
    """A server, from when it listens on; its process id."""
    environment = {**os.environ, "FASTMCP_LOG_LEVEL": "CRITICAL"}
    process = subprocess.Popen(command, stdout=subprocess.DEVNULL, env=environment)
    try:
        for _ in range(600):
            try:
                socket.create_connection(("127.0.0.1", port), 1).close()
                break
            except OSError:
                if process.poll() is not None:
                    sys.exit(f"{command[0]} ended with {process.returncode}")
                time.sleep(0.1)
        yield process.pid
    finally:
        process.terminate()
        process.wait(30)


def write_tool(folder: Path) -> None:
    folder.mkdir(parents=True)
    (folder / "schema.json").write_text(json.dumps(SCHEMA))
    (folder / "guide.md").write_text("# kb_search\n\nSearches.\n")
    (folder / "handler.py").write_text(HANDLER)


def main() -> None:
    options = arguments(__doc__ or "")
    if not PEER.is_file():
        sys.exit("FastMCP is missing: python bench/peers/install.py fastmcp")
    rounds, calls = (5, 500) if options.quick else (9, 2000)
    with tempfile.TemporaryDirectory() as name, ExitStack() as running:
        folder = Path(name)
        write_tool(folder / "tools" / "kb-search")
        settings = f'[tools]\nfolders = ["{folder / "tools"}"]\n[server]\nwarm_up = false\n'
        (folder / "antiphon.toml").write_text(settings)
        ports = {"antiphon": free_port(), "fastmcp": free_port()}
        ours = [sys.executable, "-m", "antiphon", "serve", "--port", str(ports["antiphon"])]
        ours += ["--data", str(folder / "data"), "--config", str(folder / "antiphon.toml")]
        theirs = [str(PEER), str(HERE / "peers" / "fastmcp_http.py"), str(ports["fastmcp"])]
        pids = {
            "antiphon": running.enter_context(started(ours, ports["antiphon"])),
            "fastmcp": running.enter_context(started(theirs, ports["fastmcp"])),
        }
        found: dict[str, Any] = {"calls": calls * rounds}
        for revision in (NOW, BEFORE):
            callers = {each: McpCaller(ports[each], pids[each], revision) for each in ports}
            measured: dict[str, list[tuple[float, float]]] = {each: [] for each in callers}
            for caller in callers.values():
                caller.measure(calls)
            for _ in range(rounds):
                for each, caller in callers.items():
                    measured[each].append(caller.measure(calls))
            for each, values in measured.items():
                found[f"{each}_cpu_us_{revision}"] = statistics.median(v[0] for v in values)
                found[f"{each}_p50_ms_{revision}"] = statistics.median(v[1] for v in values)
            ours_us, theirs_us = (found[f"{each}_cpu_us_{revision}"] for each in callers)
            found[f"ratio_{revision}"] = ours_us / theirs_us
            table(
                f"A call over /mcp, revision {revision} ({calls * rounds} of each)",
                [
                    (each, f"{found[f'{each}_cpu_us_{revision}']:.0f} µs CPU", f"{ms:.2f} ms p50")
                    for each in callers
                    for ms in [found[f"{each}_p50_ms_{revision}"]]
                ]
                + [
                    (
                        "antiphon against fastmcp",
                        f"{ours_us / theirs_us:.2f} times",
                        verdict(ours_us <= GOAL * theirs_us, f"at most {GOAL:.0f} times its CPU"),
                    )
                ],
            )
    result(found)


if __name__ == "__main__":
    main()
