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
