"""The reference servers of the Model Context Protocol for Node.js, brought in."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

import pytest
from tests.mcp_conformance import suites
from tests.mcp_tools.test_managed_servers import READ, Desk, opened

from antiphon.mcp.server_options import ServerOptions

pytestmark = pytest.mark.real_time


async def added(desk: Desk, package: str, *arguments: str, reads: tuple[str, ...]) -> Any:
    node = suites.command()[0]
    script = suites.HERE / "node_modules" / "@modelcontextprotocol" / package / "dist" / "index.js"
    overrides: dict[str, dict[str, Any]] = dict.fromkeys(reads, READ)
    name = package.partition("-")[2]
    command = (node, str(script), *arguments)
    return await desk.mcp.add(ServerOptions(name, command, overrides=overrides), "root")


async def test_the_everything_server(tmp_path: Path) -> None:
    async with opened(tmp_path) as desk:
        server = await added(desk, "server-everything", reads=("echo", "get-sum", "get-env"))
        assert server.problems == {}
        assert len(server.accepted()) > 8
        said = await desk.call("everything__echo", message="hello")
        assert said["data"] == {"text": "Echo: hello"}
        summed = await desk.call("everything__get_sum", a=2, b=3)
        assert "5" in summed["data"]["text"]
        wrong = (await desk.call("everything__get_sum", a="two", b=3))["error"]
        assert wrong["type"] == "VALIDATION"
        seen = await desk.call("everything__get_env")
        assert "HOME" not in seen["data"]["text"]
        assert os.environ["PATH"] in seen["data"]["text"]


async def test_the_filesystem_server(tmp_path: Path) -> None:
    papers = tmp_path / "papers"
    papers.mkdir()
    (papers / "note.txt").write_text("milk")
    async with opened(tmp_path) as desk:
        server = await added(
            desk, "server-filesystem", str(papers), reads=("read_text_file", "list_directory")
        )
        assert server.problems == {}
        read = await desk.call("filesystem__read_text_file", path=str(papers / "note.txt"))
        assert read["data"] == {"content": "milk"}
        outside = (await desk.call("filesystem__read_text_file", path="/etc/passwd"))["error"]
        assert "Access denied" in outside["message"]
        asked = await desk.call("filesystem__write_file", path=str(papers / "a"), content="b")
        assert asked["error"]["type"] == "CONFIRMATION_REQUIRED"
