"""A real server on a free loopback port, and a client that can send what browsers would not."""

from __future__ import annotations

import http.client
import json
import math
import socket
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
import uvicorn
from fastapi import FastAPI

from antiphon.config import Settings
from antiphon.fastpath.server import FastServerProtocol
from antiphon.registry import Registry
from antiphon.registry.builder import build
from antiphon.registry.sources import CATALOGUE_TOOLS, SHIPPED_TOOLS
from antiphon.server import create_app
from antiphon.server.http_protocol import limited_http


@dataclass
class Reply:
    status: int
    headers: http.client.HTTPMessage
    body: bytes

    @property
    def json(self) -> Any:
        return json.loads(self.body)

    @property
    def media_type(self) -> str:
        return self.headers["content-type"].partition(";")[0]


class Client:
    def __init__(self, port: int) -> None:
        self.port = port

    def send(
        self,
        method: str,
        path: str,
        headers: dict[str, str] | None = None,
        body: bytes | Iterator[bytes] | None = None,
        *,
        source: str = "127.0.0.1",
    ) -> Reply:
        """`source`: the address on loopback that it comes from."""
        connection = http.client.HTTPConnection(
            "127.0.0.1", self.port, timeout=60, source_address=(source, 0)
        )
        try:
            connection.request(
                method, path, body, headers or {}, encode_chunked=isinstance(body, Iterator)
            )
            answer = connection.getresponse()
            return Reply(answer.status, answer.headers, answer.read())
        finally:
            connection.close()

    def get(self, path: str, **headers: str) -> Reply:
        return self.send("GET", path, {k.replace("_", "-"): v for k, v in headers.items()})

    def post(self, path: str, body: Any = None, **headers: str) -> Reply:
        sent = {k.replace("_", "-"): v for k, v in headers.items()}
        content = b"" if body is None else json.dumps(body).encode()
        return self.send("POST", path, {"Content-Type": "application/json", **sent}, content)

    def call(self, tool_id: str, args: dict[str, Any], key: str = "", **body: Any) -> Reply:
        headers = {"Idempotency_Key": key} if key else {}
        return self.post(f"/api/tools/{tool_id}/call", {"args": args, **body}, **headers)

    def raw(self, request: bytes) -> bytes:
        """Everything that comes back for bytes sent as they are."""
        with socket.create_connection(("127.0.0.1", self.port), timeout=60) as connection:
            connection.sendall(request)
            return b"".join(iter(lambda: connection.recv(65536), b""))


class Serve:
    """Makes applications over the shipped tools and runs them on sockets of their own."""

    def __init__(self, registry: Registry, data: Path) -> None:
        self.registry = registry
        self._data = data
        self._made = 0

    def app(self, **settings: Any) -> FastAPI:
        """Each with a data folder of its own, unless one is named."""
        self._made += 1
        app = create_app(
            self.registry, Settings(**{"data": self._data / str(self._made), **settings})
        )
        # What a test asks for is loaded then. All of it, for each server, would take longer than
        # most tests, and every stop would wait for it.
        app.services.warm_after = math.inf
        return app

    @contextmanager
    def running(self, app: FastAPI, *, patience: int | None = None) -> Iterator[Client]:
        """`patience`: for so many seconds the stop waits for requests under way."""
        started = threading.Event()

        class Server(uvicorn.Server):
            async def startup(self, sockets: list[socket.socket] | None = None) -> None:
                await super().startup(sockets)
                started.set()

        with socket.create_server(("127.0.0.1", 0)) as listener:
            # An expected failure of a test route is not worth a traceback in the output.
            config = uvicorn.Config(
                app,
                log_level="critical",
                http=limited_http(
                    app.services.application.settings.server,
                    app.services.application.settings.limits,
                ),
                timeout_keep_alive=app.services.application.settings.server.idle_seconds,
                ws=FastServerProtocol,
                lifespan="on",
                proxy_headers=False,
                timeout_graceful_shutdown=patience,
            )
            server = Server(config)
            thread = threading.Thread(target=server.run, kwargs={"sockets": [listener]})
            thread.start()
            try:
                assert started.wait(60), "the server did not start"
                yield Client(listener.getsockname()[1])
            finally:
                server.should_exit = True
                thread.join(60)
                assert not thread.is_alive(), "the server did not stop"


@pytest.fixture(scope="session")
def serve(tmp_path_factory: pytest.TempPathFactory) -> Serve:
    artifact: Path = tmp_path_factory.mktemp("registry") / "tool_registry.json"
    report = build([SHIPPED_TOOLS, CATALOGUE_TOOLS], artifact)
    assert report.ok, report.findings
    return Serve(Registry.load(artifact).lock(), tmp_path_factory.mktemp("data"))


# No longer than a module: what a server does by itself is not to be seen by other tests.
@pytest.fixture(scope="module")
def client(serve: Serve) -> Iterator[Client]:
    with serve.running(serve.app()) as running:
        yield running


# -- tools with effects that tests can see -----------------------------------------------------

_APPEND = """\
from pathlib import Path

from antiphon import ok


async def execute(args, context):
    with Path(args["file"]).open("a") as file:
        file.write(args["text"] + "\\n")
    return ok({"count": len(Path(args["file"]).read_text().splitlines())})
"""
_FIND = """\
from antiphon import ok


async def execute(args, context):
    return ok({"results": [] if args["query"] == "nothing" else [args["query"]]})
"""
_FAIL = """\
from antiphon import ErrorType, fail


async def execute(args, context):
    if args["type"] == "RAISE":
        raise RuntimeError("the secret is hunter2")
    return fail(ErrorType(args["type"]), "It failed.", retry_after=args.get("after"))
"""
_WAIT = """\
import asyncio
from pathlib import Path

from antiphon import ok


async def execute(args, context):
    while not Path(args["file"]).exists():
        await asyncio.sleep(0.005)
    return ok({"seen": True})
"""
_SLOW = """\
import asyncio
from pathlib import Path

from antiphon import ok


async def execute(args, context):
    Path(args["file"] + ".begun").touch()
    while not Path(args["file"]).exists():
        await asyncio.sleep(0.005)
    return ok({"seen": True})
"""


def _texts(*names: str, **more: Any) -> dict[str, Any]:
    return {
        "type": "object",
        "additionalProperties": False,
        "required": list(names),
        "properties": {**{name: {"type": "string"} for name in names}, **more},
    }


_READ = {
    "category": "retrieval",
    "sideEffects": "read_only",
    "origin": "trusted",
    "outside": False,
    "idempotent": True,
}
_WRITE = {
    "category": "action",
    "sideEffects": "writes",
    "origin": "trusted",
    "outside": False,
    "idempotent": False,
}
_LINE = _texts("file", "text")
WORKSHOP: dict[str, tuple[str, dict[str, Any]]] = {
    "append_line": (_APPEND, {**_WRITE, "parameters": _LINE}),
    "ask_first": (_APPEND, {**_WRITE, "requiresConfirmation": True, "parameters": _LINE}),
    "ask_lightly": (
        _APPEND,
        {**_WRITE, "requiresConfirmation": True, "risk": "low", "parameters": _LINE},
    ),
    "ask_two": (
        _APPEND,
        {**_WRITE, "requiresConfirmation": True, "approvals": 2, "parameters": _LINE},
    ),
    "invite": (
        _FIND.replace('args["query"]', 'args["guests"]'),
        {
            **_WRITE,
            "requiresConfirmation": True,
            "parameters": _texts("note", "pin", guests={"type": "array"}),
            "redact": ["/pin"],
        },
    ),
    "limited": (
        _FIND,
        {**_READ, "parameters": _texts("query"), "rateLimit": {"calls": 1, "windowMs": 3600000}},
    ),
    "find": (_FIND, {**_READ, "parameters": _texts("query")}),
    "read_mail": (_FIND, {**_READ, "origin": "untrusted", "parameters": _texts("query")}),
    "for_voice": (_FIND, {**_READ, "parameters": _texts("query"), "allowedModes": ["voice"]}),
    "for_admins": (
        _FIND,
        {**_READ, "parameters": _texts("query"), "availability": {"roles": ["admin"]}},
    ),
    "keep_secret": (_FIND, {**_READ, "parameters": _texts("query"), "redact": ["/query"]}),
    "slow_read": (_SLOW, {**_READ, "parameters": _texts("file"), "timeoutMs": 60000}),
    "slow_write": (_SLOW, {**_WRITE, "parameters": _texts("file"), "timeoutMs": 60000}),
    # For tests of what goes on meanwhile: it answers when the file is there, on a slow machine too.
    "wait_until_there": (_WAIT, {**_WRITE, "parameters": _texts("file"), "timeoutMs": 60000}),
    "wait_for": (_WAIT, {**_WRITE, "parameters": _texts("file"), "timeoutMs": 40}),
    "failing": (
        _FAIL,
        {**_READ, "idempotent": True, "parameters": _texts("type", after={"type": "number"})},
    ),
}


def write_workshop(folder: Path) -> None:
    for tool_id, (handler, contract) in WORKSHOP.items():
        directory = folder / tool_id.replace("_", "-")
        directory.mkdir(parents=True)
        schema = {
            "toolId": tool_id,
            "version": "1.0.0",
            "description": "Does something that tests can see.",
            "requiresConfirmation": False,
            "allowedModes": ["text", "voice"],
            "latencyBudgetMs": 2000,
            **contract,
        }
        (directory / "schema.json").write_text(json.dumps(schema))
        (directory / "guide.md").write_text(f"# {tool_id}\n\nDoes what its name says.\n")
        (directory / "handler.py").write_text(handler)


@pytest.fixture(scope="session")
def workshop(tmp_path_factory: pytest.TempPathFactory) -> Serve:
    folder = tmp_path_factory.mktemp("workshop")
    write_workshop(folder / "tools")
    report = build([folder / "tools"], folder / "tool_registry.json")
    assert report.ok, report.findings
    return Serve(Registry.load(folder / "tool_registry.json"), tmp_path_factory.mktemp("data"))


# No longer than a module: what a server does by itself is not to be seen by other tests.
@pytest.fixture(scope="module")
def shop(workshop: Serve) -> Iterator[Client]:
    """A running server over the tools of the workshop."""
    with workshop.running(workshop.app()) as running:
        yield running
