"""Credential watch: whose credentials are looked up while their answers are under way."""

from __future__ import annotations

from typing import Any, Literal

import pytest
from starlette.responses import PlainTextResponse
from starlette.types import Receive, Scope, Send
from tests.access.conftest import Node

from antiphon import Orchestrator, Registry, tool
from antiphon.contracts import Principal
from antiphon.server.authentication import Authentication, Requester
from antiphon.server.credential_watch import CredentialWatch, WatchedAnswers


@pytest.mark.parametrize(("kind", "status"), [("host", 200), ("session", 401)])
async def test_only_credentials_of_the_directory_are_looked_up(
    node: Node, kind: Literal["host", "session"], status: int
) -> None:
    @tool
    def nothing() -> None:
        """Do nothing."""

    async with Orchestrator(Registry.of(nothing).lock()) as orchestrator:
        watch = CredentialWatch(node.directory, orchestrator)

        async def slow(scope: Scope, receive: Receive, send: Send) -> None:
            await watch.look()
            await PlainTextResponse("done")(scope, receive, send)

        async def identify(connection: Any) -> Requester:
            return Requester(kind, Principal("ann", credential="b-of-the-host"))

        sent: list[Any] = []

        async def receive() -> Any:
            return {"type": "http.request", "body": b""}

        async def send(message: Any) -> None:
            sent.append(message)

        app = Authentication(WatchedAnswers(slow, lambda: watch), identify)
        scope = {"type": "http", "method": "GET", "path": "/", "raw_path": b"/", "headers": []}
        await app(scope, receive, send)
    assert sent[0]["status"] == status
