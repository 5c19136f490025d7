"""No secret leaves: unique ones of every kind are planted, and the product is driven to failure."""

from __future__ import annotations

import io
import json
import logging
from base64 import b64encode
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest
from tests.server.conftest import Reply, Serve
from tests.server.sign_in_helpers import ACCESS, Browser

from antiphon.cli import main
from antiphon.emulators.runner import emulate
from antiphon.registry import Registry
from antiphon.registry.builder import build

MASTER = b64encode(b"canary-master-key-of-32-bytes-xx").decode()
PLANTED = {
    "admin token": "canary-admin-token-4711",
    "master key": MASTER,
    "key of the settings": "sk-ant-canary-of-the-settings",
    "key of another provider": "canary-of-gemini-0815",
    "key set at run time": "canary-set-at-run-time",
    "key that replaced it": "canary-that-replaced-it",
    "refused key": "canary with a space",
    "password": "canary-password-of-root",
    "new password": "canary-new-password",
    "wrong password": "canary-wrong-password",
    "client secret": "canary-client-secret",
    "password of the calendar": "canary-calendar-password",
    "redacted argument": "canary-argument-of-a-call",
    "argument of a failed call": "canary-argument-that-failed",
    "argument of an open question": "canary-argument-that-waits",
    "misspelt argument": "canary-misspelt-argument",
    "guessed token": "anti_canaryguessedtoken0123456789",
    "guessed ticket": "canaryguessedticket0123456789",
    "guessed link": "canaryguessedlink012345678901234",
}
_FAIL = """\
async def execute(args, context):
    raise RuntimeError(f"cannot sign in with {args['password']}")
"""
_REFUSE = """\
from antiphon import ErrorType, fail


async def execute(args, context):
    return fail(ErrorType.AUTH, f"The password {args['password']} is wrong.")
"""
_ASK = """\
from antiphon import ok


async def execute(args, context):
    return ok({"done": True})
"""


def write_tools(folder: Path) -> None:
    parameters = {
        "type": "object",
        "additionalProperties": False,
        "required": ["password"],
        "properties": {"password": {"type": "string", "maxLength": 60}},
    }
    for tool_id, handler, asks in (
        ("sign_in", _FAIL, False),
        ("sign_on", _REFUSE, False),
        ("sign_up", _ASK, True),
    ):
        directory = folder / tool_id.replace("_", "-")
        directory.mkdir(parents=True)
        contract = {
            "toolId": tool_id,
            "version": "1.0.0",
            "description": "Signs in somewhere.",
            "category": "action",
            "sideEffects": "writes",
            "origin": "trusted",
            "outside": False,
            "idempotent": False,
            "requiresConfirmation": asks,
            "allowedModes": ["text", "voice"],
            "latencyBudgetMs": 2000,
            "parameters": parameters,
            "redact": ["/password"],
        }
        (directory / "schema.json").write_text(json.dumps(contract))
        (directory / "guide.md").write_text(f"# {tool_id}\n\nSigns in.\n")
        (directory / "handler.py").write_text(handler)


@contextmanager
def everything_logged() -> Iterator[io.StringIO]:
    out = io.StringIO()
    handler = logging.StreamHandler(out)
    root = logging.getLogger()
    levels = [(logger, logger.level) for logger in (root, logging.getLogger("antiphon"))]
    for logger, _ in levels:
        logger.setLevel(logging.DEBUG)
    root.addHandler(handler)
    try:
        yield out
    finally:
        root.removeHandler(handler)
        for logger, level in levels:
            logger.setLevel(level)


class Intruder:
    """Drives a server through its failures and keeps every answer, but for those that show a
    secret once, as they are meant to."""

    def __init__(self, browser: Browser, secrets: dict[str, str]) -> None:
        self.browser = browser
        self.secrets = secrets
        self.answers: list[tuple[str, bytes]] = []
        self.operator = {"Authorization": f"Bearer {PLANTED['admin token']}"}

    def send(self, method: str, path: str, body: Any = None, **headers: str) -> Reply:
        reply = self.browser.fresh().send(method, path, body, **{**self.operator, **headers})
        self.keep(f"{method} {path}", reply)
        return reply

    def keep(self, what: str, reply: Reply) -> None:
        self.answers.append((what, str(reply.headers).encode() + reply.body))

    def shown_once(self, kind: str, path: str, body: Any, *place: str, browser: Any = None) -> str:
        """A secret that an answer shows this one time."""
        reply = (browser or self.browser.fresh()).post(
            path, body, **({} if browser else self.operator)
        )
        assert reply.status < 300, reply.body
        found: Any = reply.json
        for name in place:
            found = found[name]
        self.secrets[kind] = str(found)
        return str(found)

    def provoke(self) -> None:
        send, planted = self.send, PLANTED
        # Keys: set, replaced, refused, quoted in a body that is no JSON.
        for name in ("key set at run time", "key that replaced it", "refused key"):
            send("POST", "/api/config/keys", {"openai": planted[name]})
        send("POST", "/api/config/keys", {"openai": [planted["refused key"]], "gemini": 5})
        send("POST", "/api/config/keys", {"nobody": planted["refused key"]})
        # Providers that refuse the key, are not there, and have a certificate of their own.
        for backend in ("claude", "openai", "gemini"):
            send("POST", "/api/chat", {"message": "Hello", "backend": backend})
        send("GET", "/api/vox/status")
        send("GET", "/api/backends?probe=true")
        # Tools that quote what is redacted, in tracebacks and refusals, and one that waits.
        for tool, name in (
            ("sign_in", "argument of a failed call"),
            ("sign_on", "redacted argument"),
            ("sign_up", "argument of an open question"),
        ):
            send("POST", f"/api/tools/{tool}/call", {"args": {"password": planted[name]}})
        send(
            "POST",
            "/api/tools/sign_in/call",
            {"args": {"passwrd": planted["misspelt argument"], "password": 5}},
        )
        long = planted["argument of a failed call"] * 5
        send("POST", "/api/tools/sign_in/call", {"args": {"password": long}})
        # Wrong credentials of every kind.
        for value in ("Bearer " + planted["guessed token"], "Bearer " + planted["guessed link"]):
            send("GET", "/api/account", Authorization=value)
        fresh = self.browser.fresh()
        fresh.cookies = {"antiphon": planted["guessed ticket"]}
        self.keep("cookie", fresh.get("/api/account"))
        self.keep("wrong password", fresh.sign_in("root", planted["wrong password"]))
        for path in ("/api/sign-in/link/look", "/api/sign-in/link"):
            body = {"secret": planted["guessed link"], "password": planted["new password"]}
            self.keep(path, fresh.post(path, body))
        self.keep("oidc", fresh.get("/api/sign-in/oidc/test"))
        # Bodies and addresses that quote what was sent.
        send("POST", "/api/users", {"name": 5, "password": {"a": planted["new password"]}})
        send("GET", "/api/calendar/events?start=2026-01-01T00:00:00Z&end=2026-01-02T00:00:00Z")
        send("GET", f"/api/shared/{planted['guessed link']}")

    def read_everything(self) -> None:
        """What every address without parameters shows to somebody who may see it all."""
        document = self.send("GET", "/openapi.json").json
        for path, methods in document["paths"].items():
            if "get" in methods and "{" not in path and "/sound" not in path:
                self.send("GET", path)
        self.send("GET", "/metrics")
        for line in self.send("GET", "/api/sessions?limit=50").json["sessions"]:
            for place in ("", "/timeline", "/messages"):
                self.send("GET", f"/api/sessions/{line['id']}{place}")
        for row in self.send("GET", "/api/conversations").json["conversations"]:
            self.send("GET", f"/api/conversations/{row['id']}")
            self.send("POST", f"/api/conversations/{row['id']}/share")
            for form in ("markdown", "json"):
                self.send("GET", f"/api/conversations/{row['id']}/export?format={form}")


def where_it_shows(
    secrets: dict[str, str], places: list[tuple[str, bytes]]
) -> list[tuple[str, str]]:
    """The kinds of secrets that are somewhere, as they are or as JSON writes them."""
    return [
        (kind, place)
        for kind, secret in secrets.items()
        for place, content in places
        if secret.encode() in content or json.dumps(secret)[1:-1].encode() in content
    ]


def test_no_secret_is_in_answers_logs_files_or_what_commands_print(
    tmp_path: Path, capfd: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    planted, data = PLANTED, tmp_path / "data"
    write_tools(tmp_path / "tools")
    assert build([tmp_path / "tools"], tmp_path / "tool_registry.json").ok
    serve = Serve(Registry.load(tmp_path / "tool_registry.json"), tmp_path)
    secrets = dict(planted)
    said = f"bad {planted['key of the settings']}"
    refused = {"error": {"type": "authentication_error", "message": said}, "status": 401}
    script = {"rules": [{"on": "text", "reply": [refused]}]}
    with (
        everything_logged() as log,
        emulate("anthropic", script, check=False, key=None) as emulator,
        emulate("gemini", check=False, tls=True) as foreign,
    ):
        settings: dict[str, Any] = {
            "data": str(data),
            "log_level": "debug",
            "server": {"admin_token": planted["admin token"]},
            "secrets": {"key": planted["master key"]},
            "access": {
                **ACCESS,
                "oidc": {
                    "test": {
                        "issuer": "https://nowhere.invalid",
                        "client_id": "antiphon",
                        "client_secret": planted["client secret"],
                    }
                },
            },
            "calendar": {
                "service": "caldav",
                "url": "http://nowhere.invalid/",
                "username": "me",
                "password": planted["password of the calendar"],
            },
            "providers": {
                "claude": {
                    "api_key": planted["key of the settings"],
                    "base_url": emulator.base_url,
                },
                "gemini": {
                    "api_key": planted["key of another provider"],
                    "base_url": foreign.base_url,
                },
                "openai": {"base_url": "http://nowhere.invalid/v1"},
            },
        }
        with serve.running(serve.app(**settings)) as client:
            intruder = Intruder(Browser(client), secrets)
            root = {"name": "root", "roles": ["admin"], "password": planted["password"]}
            intruder.send("POST", "/api/users", root)
            browser = Browser(client)
            assert browser.sign_in("root", planted["password"]).status == 200
            secrets["cookie"] = browser.secret
            intruder.shown_once(
                "service token", "/api/tokens", {"name": "t", "user": "root"}, "token"
            )
            intruder.shown_once("ticket", "/api/account/ticket", None, "ticket", browser=browser)
            intruder.shown_once("link", "/api/users/root/link", None, "secret")
            change = {"old": planted["password"], "new": planted["new password"]}
            intruder.keep("password", browser.send("PUT", "/api/account/password", change))
            intruder.provoke()
            intruder.read_everything()
        config = tmp_path / "antiphon.toml"
        config.write_text(_toml(settings))
        monkeypatch.chdir(tmp_path)
        for command in (["doctor", "--json"], ["secrets", "status", "--json"], ["audit", "list"]):
            main([*command, "--config", str(config)])
    printed = "".join(capfd.readouterr())
    assert len(intruder.answers) > 60
    places = [*intruder.answers, ("log", log.getvalue().encode()), ("printed", printed.encode())]
    places += [(str(path), path.read_bytes()) for path in data.rglob("*") if path.is_file()]
    assert {"keys.json", "antiphon.db", "audit.jsonl"} <= {Path(name).name for name, _ in places}
    assert not (found := where_it_shows(secrets, places)), "\n".join(map(str, found))
    # The failures were there: nothing was hidden by being left out.
    told = log.getvalue()
    assert "sign_in failed" in told
    assert "RuntimeError: cannot sign in with ********" in told
    bodies = b"".join(body for _, body in intruder.answers)
    assert b"The password ******** is wrong." in bodies
    for failure in (
        "not accept the key",
        "bad ********",
        "nowhere.invalid",
        "CERTIFICATE_VERIFY_FAILED",
    ):
        assert failure in told, failure


def _toml(settings: dict[str, Any], prefix: str = "") -> str:
    lines = [
        f"{name} = {json.dumps(value)}"
        for name, value in settings.items()
        if not isinstance(value, dict)
    ]
    text = (f"[{prefix}]\n" if prefix else "") + "\n".join(lines) + "\n"
    for name, value in settings.items():
        if isinstance(value, dict):
            text += _toml(value, f"{prefix}.{name}" if prefix else name)
    return text
