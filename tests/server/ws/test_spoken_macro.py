"""A saved macro run by its trigger phrase, spoken to `/ws/vox` with the built-in model."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from typing import Any

import pytest
from tests.server.conftest import Client
from tests.server.ws.local_calls import Caller, LocalServe

from antiphon.providers.local.speech_port import Manner
from antiphon.registry.sources import SHIPPED_TOOLS

PHRASE = "good morning"
STEPS = [
    {"function": "kb_search", "args": {"query": "Harbor Light", "top_k": 1}},
    {"function": "kb_get", "pipe_from": {"step": 1, "path": "results/0/id", "to": "id"}},
]


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Client]:
    folder = tmp_path_factory.mktemp("spoken-macro")
    for name in ("run-macro", "list-macros"):
        shutil.copytree(SHIPPED_TOOLS / name, folder / "tools" / name)
    serve = LocalServe(folder)
    with serve.running(serve.spoken_app(Manner(lead=None))) as client:
        body = {"name": "Harbor news", "trigger_phrase": PHRASE, "steps": STEPS}
        assert client.post("/api/vox/macros", body).status == 201
        with Caller(client.port) as warm:  # so that no thread is begun by a test
            warm.call()
            warm.speak("Who leads Harbor Light?")
            warm.answered()
        yield client


def test_the_steps_of_a_macro_run_when_its_phrase_is_spoken(server: Client) -> None:
    with Caller(server.port) as caller:
        session: Any = caller.start("local", audio="binary", greeting=False)
        caller.speak("Good morning!")
        told = caller.until("function_result", name="run_macro")
        caller.answered()
    result = told["result"]
    assert result["success"]
    assert [(each["function"], each["success"]) for each in result["results"]] == [
        ("kb_search", True),
        ("kb_get", True),
    ]
    read = result["results"][1]["result"]["records"][0]
    assert read["id"] == "project:harbor_light"
    # Every step passed the gates by itself, in the conversation that it was asked for in.
    asked = session["sessionId"]
    lines = server.get(f"/api/audit?session={asked}&event=tool_execution").json["lines"]
    ran = [line["toolId"] for line in lines]
    assert [name for name in ran if name != "list_macros"] == ["kb_search", "kb_get", "run_macro"]
