"""Commands of an operator beside a running server: what they change holds there."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from time import monotonic

import pytest
from tests.server.conftest import Serve
from tests.server.sign_in_helpers import Browser, make_user, signing_in

from antiphon.cli import main


def becomes(status: int, ask: Callable[[], int]) -> bool:
    """Whether an answer becomes this one. It does within a second, and is waited for longer, as
    machines may be slow."""
    patience = monotonic() + 30
    while monotonic() < patience:
        if ask() == status:
            return True
    return False


def test_what_commands_change_holds_on_the_running_server(
    workshop: Serve, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    def run(*arguments: str) -> str:
        assert main([*arguments, "--data", str(tmp_path)]) == 0
        return capsys.readouterr().out

    with signing_in(workshop, data=tmp_path) as client:
        make_user(client, "ann")
        browser = Browser(client)
        assert browser.sign_in("ann").status == 200
        secret = run("tokens", "create", "ann", "ci").strip()
        bearer = {"Authorization": f"Bearer {secret}", "Origin": None}
        program = browser.fresh()
        assert program.get("/api/account", **bearer).json["way"] == "token"

        assert browser.get("/api/audit").status == 403
        run("users", "change", "ann", "--role", "operator")
        assert becomes(200, lambda: browser.get("/api/audit").status)
        token = json.loads(run("tokens", "list", "--json"))["tokens"][0]
        run("tokens", "revoke", token["id"])
        assert becomes(401, lambda: program.get("/api/account", **bearer).status)
        assert browser.get("/api/account").status == 200
        run("users", "disable", "ann")
        assert becomes(401, lambda: browser.get("/api/account").status)
        run("users", "enable", "ann")
        assert browser.get("/api/account").status == 401

        link = run("users", "link", "ann").strip()
        chosen = {"secret": link.rpartition("/")[2], "password": "another battery horse"}
        reply = browser.fresh().post("/api/sign-in/link", chosen)
        assert (reply.status, reply.json["user"]) == (200, "ann")
