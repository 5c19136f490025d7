"""A browser that keeps cookies, and servers at which people sign in."""

from __future__ import annotations

import json
import logging
import re
import subprocess
import sys
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from time import monotonic
from typing import Any

from tests.server.conftest import Client, Reply, Serve

PASSWORD = "correct horse battery"
# Argon2 at no cost, and everybody asked to sign in.
ACCESS: dict[str, Any] = {"sign_in": "on", "password_memory": 8, "password_passes": 1}
OPERATOR = "the-operators-own-token"
_SET = re.compile(r"([^=]+)=([^;]*); (.*)")

_PROVIDER = """
import sys, json
from oidc_provider_mock import User, run_server_in_thread
people = [User(sub=each["sub"], claims=each) for each in json.loads(sys.argv[1])]
with run_server_in_thread(require_nonce=True, user_claims=people) as server:
    print(server.server_port, flush=True)
    sys.stdin.read()
"""


@contextmanager
def provider_process(people: list[dict[str, Any]]) -> Iterator[str]:
    """An OpenID Connect provider in a process of its own, who knows these people; its issuer."""
    command = [sys.executable, "-W", "ignore", "-c", _PROVIDER, json.dumps(people)]
    with subprocess.Popen(
        command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True
    ) as process:
        assert process.stdout is not None
        assert process.stdin is not None
        yield f"http://localhost:{int(process.stdout.readline())}"
        process.stdin.close()
        assert process.wait(30) == 0


@dataclass
class Browser:
    """Sends what a page of the server would send, and keeps the cookies that it is given."""

    client: Client
    source: str = "127.0.0.1"
    cookies: dict[str, str] = field(default_factory=dict)
    attributes: dict[str, str] = field(default_factory=dict)

    @property
    def origin(self) -> str:
        return f"http://127.0.0.1:{self.client.port}"

    @property
    def secret(self) -> str:
        return self.cookies["antiphon"]

    def send(self, method: str, path: str, body: Any = None, **headers: str | None) -> Reply:
        """A header that is None is left out."""
        sent: dict[str, str | None] = {"Origin": self.origin}
        if self.cookies:
            sent["Cookie"] = "; ".join(f"{name}={value}" for name, value in self.cookies.items())
        content = None
        if body is not None:
            sent["Content-Type"] = "application/json"
            content = json.dumps(body).encode()
        sent.update({name.replace("_", "-"): value for name, value in headers.items()})
        given = {name: value for name, value in sent.items() if value is not None}
        reply = self.client.send(method, path, given, content, source=self.source)
        for line in reply.headers.get_all("set-cookie", []):
            found = _SET.fullmatch(line)
            assert found is not None, line
            name, value, attributes = found.groups()
            self.attributes[name] = attributes
            if "Max-Age=0" in attributes:
                self.cookies.pop(name, None)
            else:
                self.cookies[name] = value
        return reply

    def get(self, path: str, **headers: str | None) -> Reply:
        return self.send("GET", path, **headers)

    def post(self, path: str, body: Any = None, **headers: str | None) -> Reply:
        return self.send("POST", path, body, **headers)

    def sign_in(self, user: str, password: str = PASSWORD) -> Reply:
        return self.post("/api/sign-in/password", {"user": user, "password": password})

    def fresh(self) -> Browser:
        """Another browser."""
        return Browser(self.client, self.source)

    def account(self) -> Any:
        reply = self.get("/api/account")
        assert reply.status == 200, reply.body
        return reply.json


def as_operator(client: Client, method: str, path: str, body: Any = None) -> Any:
    """What the operator of the server does."""
    headers = {"Authorization": f"Bearer {OPERATOR}", "Content-Type": "application/json"}
    content = None if body is None else json.dumps(body).encode()
    reply = client.send(method, path, headers, content)
    assert reply.status < 300, reply.body
    return reply.json


def make_user(client: Client, name: str, *roles: str, **more: Any) -> None:
    as_operator(
        client,
        "POST",
        "/api/users",
        {"name": name, "roles": list(roles or ("member",)), "password": PASSWORD, **more},
    )


def events(client: Client, event: str) -> list[Any]:
    """The audit lines of an event, oldest first."""
    found = as_operator(client, "GET", f"/api/audit?event={event}&limit=200")["lines"]
    return sorted(found, key=lambda line: line["seq"])


def in_a_moment(holds: Callable[[], bool]) -> None:
    """What holds within a bound; asked now and then, as requests are counted."""
    deadline, pause = monotonic() + 60, threading.Event()
    while not holds():
        assert monotonic() < deadline, "it did not come to that"
        pause.wait(0.1)


@contextmanager
def announced() -> Iterator[list[str]]:
    """The secrets of the first links that servers write into the log meanwhile."""
    found: list[str] = []

    class Listening(logging.Handler):
        def emit(self, record: logging.LogRecord) -> None:
            found.extend(re.findall(r"http\S+/#/link/(\S+)", record.getMessage()))

    logger, handler = logging.getLogger("antiphon.server.first_link"), Listening()
    logger.addHandler(handler)
    try:
        yield found
    finally:
        logger.removeHandler(handler)


@contextmanager
def signing_in(serve: Serve, data: Path | None = None, **access: Any) -> Iterator[Client]:
    """A server that asks people to sign in, with the administrator `root` unless it has users."""
    settings: dict[str, Any] = {
        "access": {**ACCESS, **access},
        "server": {"admin_token": OPERATOR},
    }
    if data is not None:
        settings["data"] = data
    with serve.running(serve.app(**settings)) as client:
        if not as_operator(client, "GET", "/api/users")["count"]:
            make_user(client, "root", "admin")
        yield client
