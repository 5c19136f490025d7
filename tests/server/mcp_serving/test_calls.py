"""Tools listed and called by the official MCP client, in both eras of the protocol."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from tests.server.conftest import Client
from tests.server.mcp_serving_helpers import CLIENT_LEAKS, ENVELOPE, ERAS, KEY, mcp_client
from tests.server.sign_in_helpers import in_a_moment

pytestmark = pytest.mark.real_time(ignore=CLIENT_LEAKS)

each_era = pytest.mark.parametrize("era", ERAS)


def audited(shop: Client, **wanted: str) -> list[dict[str, Any]]:
    query = "&".join(f"{name}={value}" for name, value in wanted.items())
    found: list[dict[str, Any]] = shop.get(f"/api/audit?limit=500&{query}").json["lines"]
    return found


async def until(holds: Callable[[], bool]) -> None:
    await asyncio.to_thread(in_a_moment, holds)


@each_era
async def test_tools_are_listed_with_what_they_do(shop: Client, era: str) -> None:
    async with mcp_client(shop.port, era) as client:
        tools = {tool.name: tool for tool in (await client.list_tools()).tools}
        hints = {
            name: tools[name].annotations.model_dump(by_alias=True, exclude_none=True)  # type: ignore[union-attr]
            for name in ("find", "append_line")
        }
    read = {"readOnlyHint": True, "destructiveHint": False, "idempotentHint": True}
    write = {"readOnlyHint": False, "destructiveHint": True, "idempotentHint": False}
    assert read.items() <= hints["find"].items()
    assert write.items() <= hints["append_line"].items()
    assert all("openWorldHint" in each for each in hints.values())
    assert tools["find"].input_schema["required"] == ["query"]
    # What may not be called here is not there.
    assert not {"for_voice", "for_admins"} & tools.keys()


@each_era
async def test_a_call_takes_the_way_of_every_call(shop: Client, era: str) -> None:
    async with mcp_client(shop.port, era) as client:
        found = await client.call_tool("find", {"query": f"ada {era}"})
        refused = await client.call_tool("find", {"query": 7})
        unknown = await client.call_tool("fnd", {})
        voice = await client.call_tool("for_voice", {"query": "ada"})
    assert found.structured_content == {"results": [f"ada {era}"]}
    assert json.loads(found.content[0].text) == found.structured_content  # type: ignore[union-attr]
    assert found.meta[ENVELOPE]["meta"]["toolId"] == "find"  # type: ignore[index]
    for result, kind in (
        (refused, "VALIDATION"),
        (unknown, "NOT_FOUND"),
        (voice, "MODE_RESTRICTED"),
    ):
        envelope = json.loads(result.content[0].text)  # type: ignore[union-attr]
        assert result.is_error
        assert (envelope["ok"], envelope["error"]["type"]) == (False, kind)
    lines = audited(shop, tool="find", session="mcp-text")
    assert {line["source"] for line in lines} == {"mcp"}


@each_era
async def test_a_key_in_meta_is_answered_as_over_http(
    shop: Client, era: str, tmp_path: Path
) -> None:
    line = {"file": str(tmp_path / "lines"), "text": "once"}
    meta: Any = {KEY: f"order-{era}"}
    async with mcp_client(shop.port, era) as client:
        first = await client.call_tool("append_line", line, meta=meta)
        again = await client.call_tool("append_line", line, meta=meta)
        other = await client.call_tool("append_line", {**line, "text": "two"}, meta=meta)
        fresh = await client.call_tool("append_line", line)
    assert first.structured_content == again.structured_content == {"count": 1}
    assert again.meta[ENVELOPE]["meta"]["replayed"]  # type: ignore[index]
    assert json.loads(other.content[0].text)["error"]["type"] == "CONFLICT"  # type: ignore[union-attr]
    assert fresh.structured_content == {"count": 2}


@each_era
async def test_a_client_that_goes_loses_no_write(shop: Client, era: str, tmp_path: Path) -> None:
    """The write is finished and recorded; its key gets the outcome."""
    file = tmp_path / "file"
    meta: Any = {KEY: f"gone-{era}"}
    begun = Path(f"{file}.begun")
    async with mcp_client(shop.port, era) as client:
        call = asyncio.ensure_future(client.call_tool("slow_write", {"file": str(file)}, meta=meta))
        await until(begun.exists)
        call.cancel()
        await asyncio.wait([call])
    file.touch()
    async with mcp_client(shop.port, era) as client:
        outcome = await client.call_tool("slow_write", {"file": str(file)}, meta=meta)
    assert outcome.structured_content == {"seen": True}
    assert outcome.meta[ENVELOPE]["meta"]["replayed"]  # type: ignore[index]


@each_era
async def test_a_read_ends_with_its_client(shop: Client, era: str, tmp_path: Path) -> None:
    begun, args = tmp_path / "file.begun", {"file": str(tmp_path / "file")}

    def of_it() -> list[dict[str, Any]]:
        lines = audited(shop, tool="slow_read", event="tool_execution")
        return [line for line in lines if line["args"] == args]

    async with mcp_client(shop.port, era) as client:
        call = asyncio.ensure_future(client.call_tool("slow_read", args))
        await until(begun.exists)
        call.cancel()
        await asyncio.wait([call])
        await until(lambda: bool(of_it()))
    assert [line["errorType"] for line in of_it()] == ["CANCELLED"]


async def test_a_session_is_for_who_opened_it_and_ends(shop: Client) -> None:
    """Of the revisions with sessions: an id that is none is told so."""
    sent = {
        "Accept": "application/json, text/event-stream",
        "MCP_Protocol_Version": "2025-11-25",
        "Mcp_Session_Id": "made-up",
    }
    body = {"jsonrpc": "2.0", "id": 1, "method": "tools/list"}
    reply = shop.post("/mcp", body, **sent)
    assert (reply.status, reply.json["error"]["message"]) == (404, "Session not found")
