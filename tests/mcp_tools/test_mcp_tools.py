"""Tools of a real MCP server behind the gates."""

from __future__ import annotations

import asyncio
import sys
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import pytest
import uvicorn
from tests.mcp_tools.a_server import server

from antiphon import Orchestrator, Registry, ToolCall, tool
from antiphon.mcp import McpError, McpServer
from antiphon.orchestrator import Session
from antiphon.registry import RegistryError

pytestmark = pytest.mark.real_time

COMMAND = [sys.executable, str(Path(__file__).with_name("a_server.py"))]
READS = {"side_effects": "read_only"}
# What the operator vouches for: nobody is asked about a call after what another one read.
HOUSE = {"origin": "trusted", "outside": False}
OPEN: dict[str, dict[str, Any]] = {
    **{name: {**READS, **HOUSE} for name in ("add", "fail", "flood", "count", "hang")},
    **{name: {"confirm": False, **HOUSE} for name in ("note", "die")},
}


@tool(side_effects="read_only", outside=False)
def double(number: int) -> int:
    """Double a number."""
    return 2 * number


@asynccontextmanager
async def connected(**options: Any) -> AsyncIterator[Session]:
    async with McpServer("files", COMMAND, **{"overrides": OPEN, **options}) as files:
        async with Orchestrator(Registry.of(double, mcp=[files])) as orchestrator:
            yield orchestrator.session(mode="text", user="ada")


async def call(session: Session, name: str, **args: Any) -> dict[str, Any]:
    envelope = await session.dispatch(ToolCall(f"call of {name} with {args}", name, args))
    session.end_turn()
    return envelope


async def test_its_tools_take_the_way_of_every_call() -> None:
    async with connected() as session:
        assert (await call(session, "files__add", a=2, b=3))["data"] == {"result": 5}
        assert (await call(session, "double", number=4))["data"] == {"result": 8}
        refused = (await call(session, "files__add", a="two"))["error"]
        assert (refused["type"], refused["errors"][0]["pointer"]) == ("VALIDATION", "/a")
        unknown = (await call(session, "files__add", a=1, c=2))["error"]
        assert unknown["type"] == "VALIDATION"
        told: list[dict[str, Any]] = []
        session.orchestrator.progress_listeners.subscribe(lambda _, event: told.append(event))
        assert (await call(session, "files__count", to=2))["ok"]
        assert ("at 1", 0.5) in [(event["message"], event["fraction"]) for event in told]


async def test_a_write_is_never_made_twice() -> None:
    async with connected() as session:
        first = await call(session, "files__note", text="milk")
        again = await call(session, "files__note", text="milk")
        assert (first["data"], again["meta"]["replayed"]) == ({"result": "1 notes"}, True)
        await session.orchestrator.store.flush()
        lines = await session.orchestrator.store.audit_lines(tool_id="files__note")
        assert [line.data["decision"] for line in lines] == ["run", "replay"]


async def test_what_is_not_said_to_read_asks_a_person() -> None:
    async with connected(overrides={}, include=["add", "note"]) as session:
        asked = (await call(session, "files__add", a=1))["error"]
        assert asked["type"] == "CONFIRMATION_REQUIRED"
        assert (await call(session, "files__fail"))["error"]["type"] == "NOT_FOUND"


async def test_its_tools_count_as_untrusted_unless_the_operator_says_otherwise() -> None:
    overrides = {"add": {**READS, **HOUSE}}
    async with McpServer("files", COMMAND, include=["add", "note"], overrides=overrides) as files:
        registry = Registry.of(double, mcp=[files])
    marks = {
        name: (tool.definition.origin, tool.definition.sensitivity, tool.definition.outside)
        for name, tool in registry.snapshot().tools.items()
    }
    worst = ("untrusted", "private", True)
    assert marks["files__note"] == worst
    assert marks["double"] == ("untrusted", "private", False)
    assert marks["files__add"] == ("trusted", "private", False)


async def test_what_goes_wrong_is_told_in_words() -> None:
    hasty = {**OPEN, "hang": {**OPEN["hang"], "latency_ms": 100, "timeout_ms": 200}}
    wrong = [
        ("fail", {}, "PERMANENT", "files failed: Error executing tool fail"),
        ("flood", {"size": 5000}, "PERMANENT", "at most 2000 are taken"),
        ("hang", {}, "TRANSIENT", "did not answer in time and was stopped"),
        ("die", {"text": "x"}, "OUTCOME_UNKNOWN", "It may have happened"),
        ("add", {"a": 1}, "TRANSIENT", "files did not answer"),
    ]
    async with connected(max_bytes=2000, overrides=hasty) as session:
        for name, args, kind, words in wrong:
            error = (await call(session, f"files__{name}", **args))["error"]
            assert error["type"] == kind
            assert words in error["message"]


@pytest.mark.parametrize(
    ("command", "options", "words"),
    [
        (["/no/such/command"], {}, "files cannot be used"),
        ([sys.executable, "-c", "raise SystemExit('no licence')"], {}, "files cannot be used"),
        ([], {}, "empty command"),
        ("npx some-server", {}, "Give a command as a list"),
        ("http://127.0.0.1:9/mcp", {}, "files cannot be used"),
        (COMMAND, {"include": ["ad"]}, "has no tool 'ad', which `include` names. It has add,"),
    ],
)
async def test_a_server_that_cannot_be_used_is_told_in_words(
    command: Any, options: dict[str, Any], words: str
) -> None:
    with pytest.raises(McpError) as refused:
        async with McpServer("files", command, timeout=20, **options):
            pass
    assert words in str(refused.value)


async def test_a_server_at_an_address_is_reached_with_its_headers() -> None:
    seen: list[str] = []
    inner = server.streamable_http_app(stateless_http=True)

    async def noting(scope: Any, receive: Any, send: Any) -> None:
        seen.extend(v.decode() for k, v in scope.get("headers", ()) if k == b"authorization")
        await inner(scope, receive, send)

    config = uvicorn.Config(noting, host="127.0.0.1", port=0, log_level="error", lifespan="on")
    http = uvicorn.Server(config)
    serving = asyncio.create_task(http.serve())
    try:
        async with asyncio.timeout(30):
            while not http.started:  # noqa: ASYNC110 - nothing tells
                await asyncio.sleep(0.01)
        port = http.servers[0].sockets[0].getsockname()[1]
        address, headers = f"http://127.0.0.1:{port}/mcp", {"authorization": "Bearer it"}
        async with McpServer("far", address, headers=headers, overrides={"add": READS}) as far:
            async with Orchestrator(Registry.of(mcp=[far])) as orchestrator:
                session = orchestrator.session(mode="text", user="ada")
                assert (await call(session, "far__add", a=2))["data"] == {"result": 3}
    finally:
        http.should_exit = True
        await serving
    assert set(seen) == {"Bearer it"}


async def test_tools_are_there_only_while_the_server_is() -> None:
    files = McpServer("files", COMMAND, include=["add"], overrides={"add": READS})
    with pytest.raises(McpError, match="has not been entered yet"):
        Registry.of(mcp=[files])
    async with files:
        registry = Registry.of(mcp=[files])
    async with Orchestrator(registry) as orchestrator:
        session = orchestrator.session(mode="text", user="ada")
        error = (await call(session, "files__add", a=1))["error"]
        assert error["message"] == "The MCP server files is not connected any more."


async def test_a_name_that_no_tool_may_have_is_a_finding() -> None:
    async with McpServer("My Files", COMMAND, include=["add"]) as files:
        with pytest.raises(RegistryError, match="mcp:My Files#add"):
            Registry.of(mcp=[files])
