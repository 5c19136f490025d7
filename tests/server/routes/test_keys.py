"""Keys that are set at run time go in, are in force, and never come out again."""

from __future__ import annotations

import json
import logging
import stat
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from antiphon.app.key_files import KeyFileError, admin_token, read_keys, write_keys
from antiphon.cli import main
from antiphon.config import Settings
from antiphon.emulators.runner import emulate

KEY = "sk-very-secret-4711"
TOKEN = "a token of some length"


class Desk:
    """Who sets keys, and what is then in force; no provider is asked whether it takes them."""

    def __init__(self, client: Any, app: Any, token: str = TOKEN) -> None:
        self.client = client
        self.app = app
        self.data: Path = app.services.application.settings.data
        self.token = token

    def set(self, body: Any, **headers: str) -> Any:
        sent = {"Authorization": f"Bearer {self.token}", **headers}
        return self.client.post("/api/config/keys", body, **sent)

    def configured(self) -> dict[str, bool]:
        backends = self.app.services.application.backends
        return {name: backends.configured(name) for name in ("gemini", "openai", "claude")}


@pytest.fixture
def desk(workshop: Any, tmp_path: Path) -> Iterator[Desk]:
    app = workshop.app(data=tmp_path, server={"admin_token": TOKEN})
    with workshop.running(app) as client:
        yield Desk(client, app)


def mode(path: Path) -> int:
    return stat.S_IMODE(path.stat().st_mode)


def test_a_key_is_in_force_at_once(desk: Desk) -> None:
    assert desk.configured()["gemini"] is False
    reply = desk.set({"gemini": f" {KEY}\n"})
    assert (reply.status, reply.json) == (
        200,
        {"configured": {"gemini": True, "openai": False, "claude": False}},
    )
    assert desk.configured() == {"gemini": True, "openai": False, "claude": False}


def test_a_key_is_kept_for_this_user_only_and_taken_up_again(workshop: Any, tmp_path: Path) -> None:
    app = workshop.app(data=tmp_path, server={"admin_token": TOKEN})
    with workshop.running(app) as client:
        Desk(client, app).set({"openai": KEY})
    assert read_keys(Settings(data=tmp_path)) == {"openai": KEY}
    assert KEY.encode() not in (tmp_path / "keys.json").read_bytes()
    assert mode(tmp_path / "keys.json") == 0o600
    app = workshop.app(data=tmp_path, server={"admin_token": TOKEN})
    with workshop.running(app) as client:
        assert Desk(client, app).configured()["openai"] is True


def test_what_is_left_out_stays_and_null_forgets(desk: Desk) -> None:
    desk.set({"gemini": KEY, "claude": KEY})
    reply = desk.set({"gemini": None})
    assert reply.json["configured"] == {"gemini": False, "openai": False, "claude": True}
    assert read_keys(Settings(data=desk.data)) == {"claude": KEY}


def test_a_key_that_is_set_counts_before_the_settings_until_it_is_forgotten(
    workshop: Any, tmp_path: Path
) -> None:
    app = workshop.app(
        data=tmp_path,
        server={"admin_token": TOKEN},
        providers={"gemini": {"api_key": "from-the-settings"}},
    )
    with workshop.running(app) as client:
        desk = Desk(client, app)

        def in_force() -> str | None:
            found: str | None = app.services.application.backends.provider("gemini").access.api_key
            return found

        assert in_force() == "from-the-settings"
        desk.set({"gemini": KEY})
        assert in_force() == KEY
        desk.set({"gemini": None})
        assert in_force() == "from-the-settings"
        assert desk.configured()["gemini"] is True


@pytest.mark.parametrize(
    "header", [None, "Bearer wrong", "Bearer", "Basic YTpi", f"bearer{TOKEN}", "Bearer  "]
)
def test_nobody_sets_a_key_without_the_admin_token(desk: Desk, header: str | None) -> None:
    headers = {} if header is None else {"Authorization": header}
    reply = desk.client.post("/api/config/keys", {"gemini": KEY}, **headers)
    assert (reply.status, reply.media_type) == (401, "application/problem+json")
    assert reply.headers["www-authenticate"] == "Bearer"
    assert "admin-token" in reply.json["detail"]
    assert not (desk.data / "keys.json").exists()
    assert desk.configured()["gemini"] is False


def test_a_key_that_is_not_accepted_is_named_by_where_it_was_set(workshop: Any) -> None:
    with emulate("anthropic", key="another", check=False) as emulator:
        claude = {"api_key": "from-the-settings", "base_url": emulator.base_url}
        app = workshop.app(server={"admin_token": TOKEN}, providers={"claude": claude})
        with workshop.running(app) as client:
            desk = Desk(client, app)

            def why() -> str:
                for _ in range(10):  # on a busy machine the first answers may come too late
                    backends = client.get("/api/vox/status?probe=true").json["backends"]
                    words = str(next(b["why"] for b in backends if b["name"] == "claude"))
                    if "in time" not in words:
                        break
                return words

            assert "ANTHROPIC_API_KEY" in why()
            desk.set({"claude": KEY})
            assert "saved in Settings" in why()
            assert "ANTHROPIC_API_KEY" not in why()
            desk.set({"claude": None})
            assert "ANTHROPIC_API_KEY" in why()


def test_pages_of_other_origins_set_no_key(desk: Desk) -> None:
    assert desk.set({"gemini": KEY}, Origin="https://evil.example").status == 403
    assert not (desk.data / "keys.json").exists()


def test_keys_are_not_to_be_read(desk: Desk) -> None:
    desk.set({"gemini": KEY})
    reply = desk.client.get("/api/config/keys", Authorization=f"Bearer {TOKEN}")
    assert reply.status == 405
    assert KEY.encode() not in reply.body


@pytest.mark.parametrize(
    "body",
    [
        {"gemini": ""},
        {"gemini": "  "},
        {"gemini": "two words"},
        {"gemini": f"{KEY}\r\nX: y"},
        {"gemini": "schlüssel"},
        {"gemini": 5},
        {"gemini": [KEY]},
        {"mistral": KEY},
        {"gemini": "x" * 501},
        [],
    ],
)
def test_what_cannot_be_a_key_is_refused_and_not_repeated(desk: Desk, body: Any) -> None:
    reply = desk.set(body)
    assert reply.status == 422
    assert KEY.encode() not in reply.body
    assert not (desk.data / "keys.json").exists()


def test_a_key_is_told_to_nobody(
    desk: Desk, caplog: pytest.LogCaptureFixture, capfd: pytest.CaptureFixture[str]
) -> None:
    with caplog.at_level(logging.DEBUG):
        desk.set({"gemini": KEY, "openai": KEY})
        desk.set({"claude": f"{KEY} with a space"})
        answers = [
            desk.client.get(path).body
            for path in ("/api/audit", "/api/sessions", "/openapi.json", "/metrics")
        ]
    assert all(KEY.encode() not in answer for answer in answers)
    assert KEY not in caplog.text
    assert KEY not in "".join(capfd.readouterr())
    changes = desk.client.get("/api/audit?event=key_changed").json
    assert "gemini" in str(changes)
    files = [path for path in desk.data.rglob("*") if path.is_file()]
    assert not [path.name for path in files if KEY.encode() in path.read_bytes()]


def test_a_folder_that_takes_nothing_changes_nothing(desk: Desk) -> None:
    (desk.data / "keys.json").mkdir()
    reply = desk.set({"gemini": KEY})
    assert reply.status == 503
    assert "keys.json" in reply.json["detail"]
    assert KEY.encode() not in reply.body
    assert desk.configured()["gemini"] is False


def test_a_file_that_holds_no_keys_does_not_stop_the_start(workshop: Any, tmp_path: Path) -> None:
    (tmp_path / "keys.json").write_text(f'{{"gemini": ["{KEY}"]')
    app = workshop.app(data=tmp_path, server={"admin_token": TOKEN})
    with workshop.running(app) as client:
        desk = Desk(client, app)
        assert desk.configured()["gemini"] is False
        reply = desk.set({"openai": KEY})
        assert reply.status == 503
        assert "Remove it" in reply.json["detail"]
        assert KEY.encode() not in reply.body


def test_an_admin_token_is_made_once_and_kept_for_this_user_only(
    workshop: Any, tmp_path: Path
) -> None:
    app = workshop.app(data=tmp_path)
    with workshop.running(app) as client:
        file = tmp_path / "admin-token"
        token = file.read_text().strip()
        assert len(token) >= 32
        assert mode(file) == 0o600
        assert Desk(client, app, token).set({"gemini": KEY}).status == 200
    app = workshop.app(data=tmp_path)
    with workshop.running(app) as client:
        assert file.read_text().strip() == token
        assert Desk(client, app, token).set({"gemini": None}).status == 200


def test_the_token_of_the_settings_is_written_nowhere(desk: Desk) -> None:
    assert not (desk.data / "admin-token").exists()
    assert desk.set({}).status == 200


def test_files_of_secrets_that_cannot_be_used_are_named(tmp_path: Path, workshop: Any) -> None:
    settings = workshop.app(data=tmp_path).services.application.settings
    (tmp_path / "admin-token").mkdir()
    with pytest.raises(KeyFileError, match="admin-token"):
        admin_token(settings)
    (tmp_path / "file").write_text("")
    with pytest.raises(KeyFileError, match="Not a directory"):
        write_keys(Settings(data=tmp_path / "file"), {"gemini": KEY})
    assert read_keys(Settings(data=tmp_path)) == {}
    assert not [path for path in tmp_path.iterdir() if path.name.startswith(".")]


def test_the_doctor_says_that_a_key_was_set_at_run_time(
    desk: Desk, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    desk.set({"claude": KEY})
    monkeypatch.setenv("ANTHROPIC_API_KEY", "from-the-environment")
    monkeypatch.chdir(desk.data)
    main(["doctor", "--data", str(desk.data), "--json"])
    report = json.loads(capsys.readouterr().out)
    found = report["settings"]["providers.claude.api_key"]
    assert found == {"value": "********", "origin": str(desk.data / "keys.json")}
    [claude] = [each for each in report["backends"] if each["name"] == "claude"]
    assert claude["configured"] is True


def test_the_doctor_names_a_file_of_keys_that_is_broken(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "keys.json").write_text("{")
    monkeypatch.chdir(tmp_path)
    assert main(["doctor", "--data", str(tmp_path), "--json"]) == 1
    assert "keys.json does not hold keys" in str(json.loads(capsys.readouterr().out)["problems"])
