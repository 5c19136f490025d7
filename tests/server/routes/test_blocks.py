"""Blocks: an operator sees who is kept out, and lets them in again."""

from __future__ import annotations

import asyncio
import json
from pathlib import Path
from typing import Any
from urllib.parse import quote

import pytest

from antiphon.cli import main

TOKEN = "a token of some length"
BLOCK = {"duration_seconds": 86400, "farewell_message": "That is enough for today."}
OTHER = {"value": "2026-03-03T13:30:00Z"}


def lifted(client: Any, user: str, token: str | None = TOKEN) -> Any:
    headers = {} if token is None else {"Authorization": f"Bearer {token}"}
    return client.send("DELETE", f"/api/blocks/{quote(user, safe='')}", headers)


def events(client: Any) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = client.get("/api/audit?event=block_lifted").json["lines"]
    return found


@pytest.fixture
def desk(serve: Any, tmp_path: Path) -> Any:
    app = serve.app(data=tmp_path, server={"admin_token": TOKEN})
    with serve.running(app) as client:
        yield client


def test_an_operator_lists_a_block_and_lifts_it(desk: Any) -> None:
    assert desk.get("/api/blocks").json == {"blocks": []}
    until = desk.call("ignore_user", BLOCK).json["data"]["timeoutUntil"]
    assert desk.call("format_datetime", OTHER).status == 403
    assert desk.post("/api/chat", {"message": "hello"}).status == 403
    (block,) = desk.get("/api/blocks").json["blocks"]
    assert (block["user"], block["reason"]) == ("local", "ignore_user")
    assert round(block["until"] * 1000) == until

    # Whom it keeps out cannot do it: it takes what only an operator has.
    for token in (None, "wrong"):
        refused = lifted(desk, "local", token)
        assert (refused.status, refused.media_type) == (401, "application/problem+json")
        assert "admin-token" in refused.json["detail"]
    assert desk.call("format_datetime", OTHER).status == 403

    reply = lifted(desk, "local")
    assert (reply.status, reply.json) == (200, block)
    assert desk.get("/api/blocks").json == {"blocks": []}
    assert desk.call("format_datetime", OTHER).status == 200
    (line,) = events(desk)
    assert line["user"] == "local"
    assert line["details"] == {"until": block["until"], "reason": "ignore_user", "via": "api"}

    again = lifted(desk, "local")
    assert (again.status, again.json["detail"]) == (404, "The user `local` is not blocked.")
    assert len(events(desk)) == 1


def test_any_name_that_a_user_can_have_can_be_lifted(desk: Any) -> None:
    for user in ("a/b c", "zoë", "anonymous:4711"):
        made = desk.post("/api/sessions", {"user": user, "mode": "text"}).json
        assert desk.call("ignore_user", BLOCK, session_id=made["id"]).status == 200
        assert [each["user"] for each in desk.get("/api/blocks").json["blocks"]] == [user]
        assert lifted(desk, user).json["user"] == user


def test_a_block_is_lifted_from_the_command_line_beside_a_server(
    serve: Any, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    app = serve.app(data=tmp_path)
    with serve.running(app) as client:
        client.call("ignore_user", BLOCK)
        folder = ["--data", str(tmp_path)]
        assert main(["blocks", "list", *folder]) == 0
        assert "local  until 20" in capsys.readouterr().out
        assert main(["blocks", "list", "--json", *folder]) == 0
        (listed,) = json.loads(capsys.readouterr().out)["blocks"]
        assert (listed["user"], listed["reason"]) == ("local", "ignore_user")

        assert main(["blocks", "lift", "nobody", *folder]) == 1
        assert capsys.readouterr().err == "antiphon blocks lift: nobody is not blocked.\n"
        assert main(["blocks", "lift", "local", "--json", *folder]) == 0
        assert json.loads(capsys.readouterr().out) == listed
        assert main(["blocks", "list", *folder]) == 0
        assert capsys.readouterr().out == "Nobody is blocked.\n"

        # What the server does every half minute.
        orchestrator = app.services.application.orchestrator
        asyncio.run_coroutine_threadsafe(orchestrator.upkeep(), orchestrator._loop).result(30)
        assert client.call("format_datetime", OTHER).status == 200
        (line,) = events(client)
        assert line["details"]["via"] == "command line"
        assert client.get("/api/audit/verify").json["ok"] is True
