"""Messages that are long for no reason: whoever sends one hears so, nobody else waits for it."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest
from tests.server.conftest import Client, Serve


def ask(client: Client, message: str) -> Any:
    reply = client.post("/api/chat", {"message": message}, accept="application/json")
    assert reply.status == 200, reply.body
    return reply.json["message"]


@pytest.mark.timeout(120)
def test_a_message_of_commas_is_answered_and_nobody_waits_for_it(serve: Serve) -> None:
    with serve.running(serve.app()) as client, ThreadPoolExecutor(4) as people:
        assert ask(client, "hello") == "Hello. What can I do for you?"
        odd = [people.submit(ask, client, text) for text in ("," * 7999 + "x", ", " * 7999 + "x")]
        beside = people.submit(ask, client, "hello")
        for answer, length in zip(odd, ("8,000", "15,999"), strict=True):
            assert answer.result().startswith(
                f"Your message has {length} characters; I read the first 2,000."
            )
        assert beside.result() == "Hello. What can I do for you?"
        assert client.get("/healthz").status == 200


def test_a_message_that_is_too_long_says_what_the_limit_is(client: Client) -> None:
    long = client.post("/api/chat", {"message": "x" * 40_000})
    assert long.status == 422
    assert long.json["detail"] == (
        "body `message`: may have at most 32,000 characters; this one has 40,000"
    )
    pasted = client.post("/api/chat", {"message": "x" * 1_000_000})
    assert pasted.status == 413
    assert pasted.json["detail"].startswith("A request body may have at most 262144 bytes.")
    assert "knowledge database" in pasted.json["detail"]
    empty = client.post("/api/chat", {"message": ""})
    assert empty.json["detail"] == "body `message`: is empty"
    for path in ("/api/conversations/%00", f"/api/conversations/{'x' * 201}", "/api/shared/%00"):
        reply = client.get(path)
        assert reply.status in (404, 422), path
        assert reply.media_type == "application/problem+json"
