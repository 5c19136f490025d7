"""A model that only reads and writes, spoken to: the server listens and speaks for it."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

import pytest
from tests.server.ws.local_calls import Caller, LocalServe, understood

from antiphon.emulators.runner import emulate
from antiphon.providers.local.speech_port import Manner

SEARCH = {"id": "call_kb_search_1", "name": "kb_search", "args": {"query": "Harbor Light"}}
RULES = {
    "rules": [
        {"on": "results", "reply": [{"say": "Kenji leads it, as far as I know."}, "complete"]},
        {"on": "text", "with": {"text": r"/(?i)who leads/"}, "reply": [{"call": SEARCH}]},
        {"on": "text", "reply": [{"say": "You are welcome."}, "complete"]},
    ]
}


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[int]:
    serve = LocalServe(tmp_path_factory.mktemp("claude-voice"))
    with emulate("anthropic", RULES, check=False) as claude:
        access = {"api_key": claude.key, "base_url": claude.base_url, "ca_file": claude.ca_file}
        # Nobody there has to wait for speech to be played.
        app = serve.spoken_app(Manner(lead=None), providers={"claude": access})
        with serve.running(app) as client:
            with Caller(client.port) as warm:  # so that no thread is begun by a test
                warm.start("claude", audio="binary", greeting=False, voice="built-in")
                warm.speak("Thank you.")
                warm.answered()
            yield client.port


def test_claude_is_heard_and_spoken_for_where_the_browser_cannot(server: int) -> None:
    with Caller(server) as caller:
        ready = caller.start("claude", audio="binary", greeting=False, voice="built-in")
        assert (ready["mode"], ready["voice"]) == ("claude", "built-in")
        caller.speak("Who leads Harbor Light?")
        answer = caller.answered()
        assert re.search("who leads", caller.transcript("user"), re.IGNORECASE)
        assert caller.calls() == ["kb_search"]
        assert answer == "Kenji leads it, as far as I know."
        assert "as far as i know" in understood(caller.spoken).lower()


def test_without_that_voice_the_browser_does_both(server: int) -> None:
    with Caller(server) as caller:
        ready: dict[str, Any] = caller.start("claude", audio="binary", greeting=False)
        assert ready["voice"] == "browser"
        caller.say(type="text", text="Thank you.")
        caller.until("turn_complete")
        assert caller.spoken == b""
