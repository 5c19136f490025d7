"""Users who sign in to MCP servers by OAuth, and authorization servers that lie."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any
from urllib.parse import parse_qs, urlsplit

import httpx2
import pytest
from sqlalchemy import select
from tests.mcp_tools.protected_server import Protected, protected_server
from tests.mcp_tools.test_managed_servers import READ, Desk, opened

from antiphon import ToolCall
from antiphon.access.errors import AccessRefused
from antiphon.mcp import McpError
from antiphon.mcp.server_options import ServerOptions
from antiphon.storage.tables import mcp_credentials

pytestmark = pytest.mark.real_time

BASE = "http://127.0.0.1:8080"


@pytest.fixture(scope="module")
def shared() -> Iterator[Protected]:
    with protected_server() as app:
        yield app


@pytest.fixture
def protected(shared: Protected) -> Protected:
    shared.lies = set()
    return shared


def options(protected: Protected) -> ServerOptions:
    reads = {"whoami": {**READ, "latency_ms": 10_000}}
    return ServerOptions("mail", url=protected.url, sign_in=True, overrides=reads)


async def visited(address: str) -> dict[str, str]:
    """What a browser comes back with that goes to the address."""
    async with httpx2.AsyncClient() as browser:
        reply = await browser.get(address)
    location = reply.headers["location"]
    assert location.startswith(f"{BASE}/api/mcp/callback?")
    return {name: values[0] for name, values in parse_qs(urlsplit(location).query).items()}


async def sign_in(desk: Desk, user: str) -> None:
    begun = await desk.mcp.sign_in.begin(desk.mcp.server("mail").options, user, BASE)
    await desk.mcp.sign_in.finish(await visited(begun), user)


async def whoami(desk: Desk, user: str) -> Any:
    session = desk.application.orchestrator.session("text", user)
    return await session.dispatch(ToolCall("call_0123456789", "mail__whoami", {}))


async def test_each_user_calls_in_their_own_name(tmp_path: Path, protected: Protected) -> None:
    async with opened(tmp_path) as desk:
        before = protected.registrations
        server = await desk.mcp.add(options(protected), "root")
        assert server.state == "sign_in"
        await sign_in(desk, "ada")
        assert protected.requests[-1]["resource"] == protected.url
        await server.connect("ada")
        await desk.accept("mail")
        first = (await whoami(desk, "ada"))["data"]["text"]
        error = (await whoami(desk, "bob"))["error"]
        assert (error["type"], "Sign in to it first" in error["message"]) == ("AUTH", True)
        await sign_in(desk, "bob")
        assert (await whoami(desk, "bob"))["data"]["text"] != first
        assert (await whoami(desk, "ada"))["data"]["text"] == first
        assert protected.registrations == before + 1
        kept = await desk.application.store.run(
            lambda connection: connection.execute(select(mcp_credentials.c.value)).scalars().all(),
            writes=False,
        )
        assert len(kept) == 3
        assert not any(b"token-" in value or b"client-" in value for value in kept)
        events = [each["user"] for each in await desk.audited("mcp_signed_in")]
        assert events == ["ada", "bob"]
        assert await desk.mcp.sign_out("mail", "bob")
        assert (await whoami(desk, "bob"))["error"]["type"] == "AUTH"


async def test_tokens_are_renewed_after_a_restart(tmp_path: Path, protected: Protected) -> None:
    async with opened(tmp_path) as desk:
        await desk.mcp.add(options(protected), "root")
        await sign_in(desk, "ada")
        await desk.mcp.server("mail").connect("ada")
        await desk.accept("mail")
    protected.tokens.clear()
    async with opened(tmp_path) as desk:
        assert (await whoami(desk, "ada"))["ok"]
        assert protected.requests[-1]["grant_type"] == "refresh_token"
        protected.tokens.clear()
        protected.refresh.clear()
        error = (await whoami(desk, "ada"))["error"]
        assert error["type"] == "AUTH"
        assert await desk.mcp.book.signed_in("ada") == set()


@pytest.mark.parametrize(
    ("lie", "words"),
    [
        ("resource", "does not match expected"),
        ("issuer", "issuer mismatch"),
        ("page", "without https"),
        ("private", "not a public address"),
    ],
)
async def test_a_server_that_lies_sends_nobody_anywhere(
    tmp_path: Path, protected: Protected, lie: str, words: str
) -> None:
    protected.lies.add(lie)
    async with opened(tmp_path) as desk:
        await desk.mcp.add(options(protected), "root")
        with pytest.raises(McpError, match=words):
            await desk.mcp.sign_in.begin(options(protected), "ada", BASE)


async def test_answers_that_are_not_what_they_should_be_sign_nobody_in(
    tmp_path: Path, protected: Protected
) -> None:
    async with opened(tmp_path) as desk:
        await desk.mcp.add(options(protected), "root")

        async def refused(answer: dict[str, str], user: str = "ada") -> str:
            with pytest.raises(AccessRefused) as found:
                await desk.mcp.sign_in.finish(answer, user)
            return str(found.value)

        async def begun() -> dict[str, str]:
            return await visited(await desk.mcp.sign_in.begin(options(protected), "ada", BASE))

        protected.lies = {"iss"}
        assert "iss mismatch" in await refused(await begun())
        protected.lies = {"state"}
        assert "is not known here" in await refused(await begun())
        protected.lies = set()
        answer = await begun()
        assert "by somebody else" in await refused(answer, "eve")
        without = {name: value for name, value in answer.items() if name != "iss"}
        assert "missing iss" in await refused(without)
        assert "is not known here" in await refused(answer)
        denied = await begun()
        assert "access_denied" in await refused(
            {"state": denied["state"], "error": "access_denied"}
        )
        protected.lies = {"audience"}
        assert "does not take the token" in await refused(await begun())
        assert len(await desk.audited("mcp_sign_in_refused")) == 5


@pytest.mark.parametrize(
    ("lie", "words"),
    [
        ("huge", "more than 6000000 bytes"),
        ("gzip", "answered compressed"),
        ("redirect", "169.254.169.254/mcp not followed"),
    ],
)
async def test_what_an_address_answers_is_bounded(
    tmp_path: Path, protected: Protected, lie: str, words: str
) -> None:
    protected.lies.add(lie)
    protected.tokens[""] = "anybody"
    async with opened(tmp_path) as desk:
        with pytest.raises(McpError, match=words):
            await desk.mcp.add(ServerOptions("far", url=protected.url), "root")
    del protected.tokens[""]
