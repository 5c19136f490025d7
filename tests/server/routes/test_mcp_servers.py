"""MCP servers over HTTP: added, looked at, accepted, removed; who may and who may not."""

from __future__ import annotations

import http.client
import json
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import pytest
from tests.mcp_tools.protected_server import protected_server

SERVER = str(Path(__file__).parents[2] / "mcp_tools" / "scripted_server.py")
TOKEN = "a token of some length"
BEARER = {"Authorization": f"Bearer {TOKEN}"}


def listed(name: str, description: str) -> dict[str, Any]:
    return {"name": name, "description": description, "inputSchema": {"type": "object"}}


@pytest.fixture
def client(workshop: Any, tmp_path: Path) -> Iterator[Any]:
    app = workshop.app(data=tmp_path / "data", server={"admin_token": TOKEN})
    with workshop.running(app) as client:
        yield client


def test_a_server_is_added_looked_at_and_removed(client: Any, tmp_path: Path) -> None:
    file = tmp_path / "shop.json"
    file.write_text(json.dumps([listed("echo", "Say it."), listed("odd", "Say \u202eit.")]))
    body = {
        "name": "shop",
        "command": [sys.executable, "-S", SERVER, str(file)],
        "env": {"SHOP_KEY": "a-very-secret-value"},
    }
    assert client.post("/api/mcp/servers", body).status == 401
    reply = client.post("/api/mcp/servers", body, **BEARER)
    assert reply.status == 201, reply.body
    assert b"a-very-secret-value" not in reply.body
    shop = reply.json
    assert (shop["accepted"], shop["quarantined"], shop["source"]) == (1, 1, "store")
    echo, odd = shop["tools"]
    assert (echo["tool_id"], echo["status"], echo["differences"]) == ("shop__echo", "accepted", [])
    assert "⟨U+202E⟩" in odd["warnings"][0]
    assert client.post("/api/mcp/servers", body, **BEARER).status == 409
    tools = [each["toolId"] for each in client.get("/api/tools").json["tools"]]
    assert "shop__echo" in tools
    assert "shop__odd" not in tools
    connected = client.post("/api/mcp/servers/shop/connect", None, **BEARER).json
    assert (connected["state"], connected["title"]) == ("ready", "scripted 1")
    assert client.get("/api/mcp/servers/shop/stderr").json["text"].startswith("the server speaks")
    messages = client.get("/api/mcp/servers/shop/transcript").json["messages"]
    assert next(each["method"] for each in messages if each["sender"] == "here") in (
        "server/discover",
        "initialize",
    )
    wrong = {"tools": {"odd": "0" * 32}}
    assert client.post("/api/mcp/servers/shop/accept", wrong, **BEARER).status == 409
    right = {"tools": {"odd": odd["digest"]}}
    assert client.post("/api/mcp/servers/shop/accept", right).status == 401
    accepted = client.post("/api/mcp/servers/shop/accept", right, **BEARER).json
    assert (accepted["accepted"], accepted["quarantined"]) == (2, 0)
    rejected = client.post("/api/mcp/servers/shop/reject", right, **BEARER).json
    assert (rejected["accepted"], rejected["rejected"]) == (1, 1)
    (row,) = client.get("/api/mcp/servers").json["servers"]
    assert (row["name"], row["kind"], row["rejected"]) == ("shop", "command", 1)
    assert client.send("DELETE", "/api/mcp/servers/shop", BEARER).json == {"removed": "shop"}
    assert client.get("/api/mcp/servers/shop").status == 404
    tools = [each["toolId"] for each in client.get("/api/tools").json["tools"]]
    assert "shop__echo" not in tools


WRONG: list[tuple[dict[str, Any], int, str]] = [
    ({"name": "a"}, 422, "needs either `command` or `url`"),
    ({"name": "A b", "command": ["x"]}, 422, "pattern"),
    ({"name": "a__b", "command": ["x"]}, 422, "pattern"),
    ({"name": "a", "url": "file:///etc"}, 422, "`url` must be an address"),
    ({"name": "a", "url": "https://u:p@a.b/"}, 422, "must not hold a password"),
    ({"name": "a", "command": ["x"], "headers": {"a": "b"}}, 422, "are for a `url`"),
    ({"name": "a", "url": "http://a.b/", "headers": {"a": "b\r\nc: d"}}, 422, "one line"),
    ({"name": "a", "command": ["/no/such/program"]}, 502, "there is no program"),
    ({"name": "a", "command": ["x"], "surprise": 1}, 422, "surprise"),
]


def test_a_server_that_cannot_be_is_told_in_words(client: Any) -> None:
    for body, status, words in WRONG:
        reply = client.post("/api/mcp/servers", body, **BEARER)
        assert (reply.status, words in reply.json["detail"]) == (status, True), reply.body
    assert client.get("/api/mcp/servers").json["count"] == 0


def test_a_user_signs_in_and_out(client: Any) -> None:
    with protected_server() as protected:
        body = {"name": "mail", "url": protected.url, "sign_in": True}
        assert client.post("/api/mcp/servers", body, **BEARER).json["state"] == "sign_in"
        (row,) = client.get("/api/mcp/sign-in").json["servers"]
        assert row == {"server": "mail", "place": protected.url, "signed_in": False}
        address = client.post("/api/mcp/sign-in/mail").json["address"]
        browser = http.client.HTTPConnection(urlsplit(protected.base).netloc, timeout=20)
        browser.request("GET", address.removeprefix(protected.base))
        back = urlsplit(browser.getresponse().headers["location"])
        browser.close()
        assert (back.port, back.path) == (client.port, "/api/mcp/callback")
        came = client.get(f"{back.path}?{back.query}")
        assert (came.status, came.headers["location"]) == (303, "/#/mcp?signed-in=mail")
        again = client.get(f"{back.path}?{back.query}")
        assert again.headers["location"] == "/#/mcp?problem=unknown"
        mail = client.get("/api/mcp/servers/mail").json
        assert (mail["state"], mail["quarantined"]) == ("ready", 1)
        assert client.get("/api/mcp/sign-in").json["servers"][0]["signed_in"]
        signed_out = client.send("DELETE", "/api/mcp/sign-in/mail").json
        assert signed_out == {"server": "mail", "was_signed_in": True}
    document = client.get("/api/mcp/client.json").json
    assert document["redirect_uris"] == [f"http://127.0.0.1:{client.port}/api/mcp/callback"]
