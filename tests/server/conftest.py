"""A real server on a free loopback port, and a client that can send what browsers would not."""

from __future__ import annotations

import http.client
import json
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

from antiphon.config import SHIPPED_TOOLS, Settings
from antiphon.registry import Registry
from antiphon.registry.builder import build
from antiphon.server import create_app


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
    ) -> Reply:
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=20)
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

    def raw(self, request: bytes) -> bytes:
        """Everything that comes back for bytes sent as they are."""
        with socket.create_connection(("127.0.0.1", self.port), timeout=20) as connection:
            connection.sendall(request)
            return b"".join(iter(lambda: connection.recv(65536), b""))


class Serve:
    """Makes applications over the shipped tools and runs them on sockets of their own."""

    def __init__(self, registry: Registry) -> None:
        self.registry = registry

    def app(self, **settings: Any) -> FastAPI:
        return create_app(self.registry, Settings(**settings))

    @contextmanager
    def running(self, app: FastAPI) -> Iterator[Client]:
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
                http="httptools",
                ws="websockets-sansio",
                lifespan="on",
            )
            server = Server(config)
            thread = threading.Thread(target=server.run, kwargs={"sockets": [listener]})
            thread.start()
            try:
                assert started.wait(20), "the server did not start"
                yield Client(listener.getsockname()[1])
            finally:
                server.should_exit = True
                thread.join(20)
                assert not thread.is_alive(), "the server did not stop"


@pytest.fixture(scope="session")
def serve(tmp_path_factory: pytest.TempPathFactory) -> Serve:
    artifact: Path = tmp_path_factory.mktemp("registry") / "tool_registry.json"
    report = build([SHIPPED_TOOLS], artifact)
    assert report.ok, report.findings
    return Serve(Registry.load(artifact).lock())


@pytest.fixture(scope="session")
def client(serve: Serve) -> Iterator[Client]:
    with serve.running(serve.app()) as running:
        yield running
