"""`antiphon mcp`: the registry over standard input and output, for the official client."""

from __future__ import annotations

import json
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest
from mcp import Client
from mcp.client.stdio import StdioServerParameters, stdio_client
from tests.server.conftest import write_workshop
from tests.server.mcp_serving_helpers import ERAS, answering

from antiphon.cli import main

pytestmark = pytest.mark.real_time

COMMAND = [sys.executable, "-m", "antiphon", "mcp"]


@pytest.fixture(scope="module")
def project(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with settings: the tools of the workshop, and no others."""
    folder = tmp_path_factory.mktemp("project")
    write_workshop(folder / "tools")
    settings = f'[tools]\nfolders = ["{folder / "tools"}"]\n'
    (folder / "antiphon.toml").write_text(settings)
    return folder


def options(project: Path) -> list[str]:
    return ["--data", str(project / "data"), "--config", str(project / "antiphon.toml")]


async def test_a_client_that_starts_it_calls_and_is_asked(project: Path, tmp_path: Path) -> None:
    asked: list[str] = []
    command, *arguments = [*COMMAND, *options(project)]
    server = StdioServerParameters(command=command, args=arguments, cwd=str(project))
    line = {"file": str(tmp_path / "lines"), "text": "hello"}
    ask = answering(asked)
    async with Client(stdio_client(server), mode=ERAS[0], elicitation_callback=ask) as client:
        assert "find" in {tool.name for tool in (await client.list_tools()).tools}
        found = await client.call_tool("find", {"query": "ada"})
        wrote = await client.call_tool("ask_first", line)
    assert found.structured_content == {"results": ["ada"]}
    assert wrote.structured_content == {"count": 1}
    assert "hello" in asked[0]


@contextmanager
def started(project: Path) -> Iterator[subprocess.Popen[bytes]]:
    with subprocess.Popen(
        [*COMMAND, *options(project)],
        cwd=project,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    ) as process:
        try:
            yield process
        finally:
            process.kill()


def told(process: subprocess.Popen[bytes], message: bytes) -> Any:
    """What it answers to a line."""
    assert process.stdin is not None
    assert process.stdout is not None
    process.stdin.write(message + b"\n")
    process.stdin.flush()
    return json.loads(process.stdout.readline())


def request(method: str, id: int, **params: Any) -> bytes:
    body = {"jsonrpc": "2.0", "id": id, "method": method, "params": params}
    return json.dumps(body).encode()


def test_bad_lines_do_not_end_it_and_a_signal_does(project: Path) -> None:
    client = {"protocolVersion": "2025-11-25", "capabilities": {}}
    client["clientInfo"] = {"name": "test", "version": "1"}
    with started(project) as process:
        assert process.stdin is not None
        assert process.stderr is not None
        for bad in (b"{", b"\xff\xfe", b"x" * 600_000, b"[]"):
            process.stdin.write(bad + b"\n")
        begun = told(process, request("initialize", 1, **client))
        assert begun["result"]["serverInfo"]["name"] == "antiphon"
        process.stdin.write(b'{"jsonrpc": "2.0", "method": "notifications/initialized"}\n')
        answer = told(process, request("tools/call", 2, name="find", arguments={"query": "x"}))
        assert answer["result"]["structuredContent"] == {"results": ["x"]}
        process.send_signal(signal.SIGTERM)
        assert process.wait(60) == 0
        assert b"more than 262144 bytes is left out" in process.stderr.read()


def test_whose_it_is_has_to_be_somebody(project: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["mcp", "--user", "nobody", *options(project)]) == 1
    assert "There is no user" in capsys.readouterr().err
