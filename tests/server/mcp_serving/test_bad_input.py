"""What clients may send wrong: each told in words, none of it holds the server up."""

from __future__ import annotations

import json
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest
from tests.server.conftest import Client
from tests.server.mcp_serving_helpers import KEY, calling, modern
from tests.server.sign_in_helpers import in_a_moment


def send(client: Client, content: bytes, **headers: str) -> Any:
    _, usual = modern("tools/list")
    sent = {name.replace("_", "-"): value for name, value in {**usual, **headers}.items()}
    return client.send("POST", "/mcp", {"Content-Type": "application/json", **sent}, content)


@pytest.mark.parametrize(
    ("content", "code"),
    [
        (b"{", -32700),
        (b"", -32700),
        (b"\xff\xfe", -32700),
        (b"[" * 5000, -32700),
        (b'{"id": ' + b"9" * 5000 + b"}", -32700),
        (b"[]", -32600),
        (b'"text"', -32600),
        (b'[{"jsonrpc": "2.0", "id": 1, "method": "tools/list"}]', -32600),
        (b'{"jsonrpc": "1.0", "id": 1, "method": "tools/list"}', -32600),
        (b'{"jsonrpc": "2.0", "id": {}, "method": "tools/list"}', -32600),
        (b'{"jsonrpc": "2.0", "id": 1, "method": "tools/list", "params": {}}', -32602),
    ],
)
def test_broken_messages(shop: Client, content: bytes, code: int) -> None:
    reply = send(shop, content)
    assert reply.status == 400
    assert reply.json["error"]["code"] == code


def test_unknown_methods_and_revisions(shop: Client) -> None:
    body, headers = modern("tools/destroy")
    reply = shop.post("/mcp", body, **headers)
    assert (reply.status, reply.json["error"]["code"]) == (404, -32601)
    body, headers = modern("tools/list")
    reply = shop.post("/mcp", body, **{**headers, "MCP_Protocol_Version": "3000-01-01"})
    assert reply.status == 400


def test_what_is_too_large_or_from_elsewhere(shop: Client) -> None:
    large = calling_body("find", {"query": "x" * 300_000})
    assert send(shop, large, Mcp_Method="tools/call", Mcp_Name="find").status == 413
    body, headers = modern("tools/list")
    assert shop.post("/mcp", body, **headers, Host="evil.example").status == 421
    assert shop.post("/mcp", body, **headers, Origin="http://evil.example").status == 403


def calling_body(tool: str, args: dict[str, Any]) -> bytes:
    return json.dumps(modern("tools/call", name=tool, arguments=args)[0]).encode()


def test_wrong_parameters_of_a_call(shop: Client) -> None:
    assert calling(shop, "find", [1])["error"]["code"] == -32602  # type: ignore[arg-type]
    for key in (7, "", "x" * 201, "two\nlines"):
        error = calling(shop, "find", {"query": "ada"}, meta={KEY: key})["error"]
        assert (error["code"], KEY in error["message"]) == (-32602, True)
    result = calling(shop, "x" * 5000, {})["result"]
    assert result["isError"]
    result = calling(shop, "failing", {"type": "RAISE"})["result"]
    assert "hunter2" not in json.dumps(result)


def test_the_same_id_twice_is_two_requests(shop: Client) -> None:
    answers = [calling(shop, "find", {"query": name}, id="same") for name in ("ada", "alan")]
    found = [each["result"]["structuredContent"]["results"] for each in answers]
    assert (found, {each["id"] for each in answers}) == ([["ada"], ["alan"]], {"same"})


def test_methods_that_it_does_not_have(shop: Client) -> None:
    for method in ("GET", "DELETE"):
        _, headers = modern("tools/list")
        sent = {name.replace("_", "-"): value for name, value in headers.items()}
        assert shop.send(method, "/mcp", sent).status == 405
    assert shop.send("PUT", "/mcp").status == 405


def test_an_id_that_is_under_way_twice_in_a_session(shop: Client, tmp_path: Path) -> None:
    """Of the older revisions: the second is refused in words, and the first ends as it would."""
    sent = {"Accept": "application/json, text/event-stream"}
    params = {
        "protocolVersion": "2025-11-25",
        "capabilities": {},
        "clientInfo": {"name": "test", "version": "1"},
    }
    begin = {"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": params}
    sent["Mcp_Session_Id"] = shop.post("/mcp", begin, **sent).headers["mcp-session-id"]
    file = tmp_path / "file"
    slow = {"name": "slow_read", "arguments": {"file": str(file)}}
    body = {"jsonrpc": "2.0", "id": 7, "method": "tools/call", "params": slow}
    with ThreadPoolExecutor() as threads:
        first = threads.submit(shop.post, "/mcp", body, **sent)
        in_a_moment(Path(f"{file}.begun").exists)
        refused = [shop.post("/mcp", {**body, "id": same}, **sent) for same in (7, "7")]
        file.touch()
        assert b'"seen":true' in first.result(60).body.replace(b" ", b"")
    assert [reply.status for reply in refused] == [400, 400]
    assert all("is under way" in reply.json["error"]["message"] for reply in refused)
    ping = {"jsonrpc": "2.0", "id": 8, "method": "ping"}
    assert shop.post("/mcp", ping, **sent).status == 200
