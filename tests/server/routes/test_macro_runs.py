"""Macros as the console builds and watches them, and which tools may be called now."""

from __future__ import annotations

import http.client
import json
from collections.abc import Iterator
from typing import Any

import pytest
from tests.server.ws.phone import eventually
from tests.workspace.vox_world import Made, registry

from antiphon import ErrorType, ToolError
from antiphon.server.routes.tools import ToolCatalogue

PROBLEM = "application/problem+json"


@pytest.fixture(scope="module")
def vox(workshop: Any, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Any]:
    """A server over the tools of VOX, and some that do what a test says."""
    serve = type(workshop)(registry(), tmp_path_factory.mktemp("data"))
    app = serve.app()
    with serve.running(app) as client:
        app.services.application.workspace.__dict__["made"] = client.made = Made()
        yield client


def save(client: Any, phrase: str, *steps: Any, **more: Any) -> str:
    body = {"name": phrase.title(), "trigger_phrase": phrase, "steps": list(steps), **more}
    reply = client.post("/api/vox/macros", body)
    assert reply.status == 201, reply.body
    made: str = reply.json["macro"]["id"]
    return made


def watched(client: Any, id: str, key: str = "") -> list[dict[str, Any]]:
    headers = {"Idempotency_Key": key} if key else {}
    reply = client.post(f"/api/vox/macros/{id}/run/events", None, **headers)
    assert (reply.status, reply.media_type) == (200, "text/event-stream")
    frames = reply.body.decode().strip().split("\n\n")
    events = []
    for frame in frames:
        name, data = frame.split("\n")
        events.append(json.loads(data.removeprefix("data: ")))
        assert name == f"event: {events[-1]['type']}"
    return events


def test_a_run_tells_of_each_step_and_what_came_of_it(vox: Any) -> None:
    vox.made.answers["list_graphs"] = {"databases": [{"id": "studio"}]}
    measure = {"function": "measure_graph", "pipe_from": 1}
    macro = save(vox, "watch me", {"function": "list_graphs"}, measure)
    first, second, done = watched(vox, macro)
    assert (first["step"], first["function"], first["last"]) == (1, "list_graphs", None)
    assert (second["step"], second["fraction"], second["macro_id"]) == (2, 0.5, macro)
    assert second["last"]["result"] == {"databases": [{"id": "studio"}]}
    assert (done["type"], done["success"], done["completed"]) == ("done", True, 2)
    assert done["results"][1]["result"] == {"got": {"database_id": "studio"}}


def test_a_watched_run_happens_once_for_a_key(vox: Any) -> None:
    macro = save(vox, "watch once", {"function": "store_note", "args": {"text": "x"}})
    before = len(vox.made.calls)
    assert watched(vox, macro, "watch-once")[-1]["replayed"] is False
    assert [each["type"] for each in watched(vox, macro, "watch-once")] == ["done"]
    assert len(vox.made.calls) == before + 1


def test_a_run_goes_on_when_nobody_watches_any_more(vox: Any) -> None:
    later = ToolError(ErrorType.TRANSIENT, "Not now.", retryable=True)
    vox.made.answers["fetch"] = [later, {"results": []}]
    macro = save(
        vox,
        "leave me alone",
        {"function": "fetch", "args": {"query": "x"}},
        {"function": "store_note", "args": {"text": "left alone"}},
        error_policy="retry",
    )
    line = http.client.HTTPConnection("127.0.0.1", vox.port, timeout=60)
    line.request("POST", f"/api/vox/macros/{macro}/run/events")
    answer = line.getresponse()
    assert b"Step 1 of 2" in answer.read1(1000)
    answer.close()
    line.close()
    eventually(lambda: ("store_note", {"text": "left alone"}) in vox.made.calls)


def test_steps_of_a_macro_inside_are_told_apart_and_a_waiting_one_is_named(vox: Any) -> None:
    inner = save(vox, "inside", {"function": "send_note", "args": {"text": "hello"}})
    outer = save(vox, "outside", {"function": "run_macro", "args": {"macro_id": inner}})
    events = watched(vox, outer)
    assert [each.get("macro_id") for each in events[:-1]] == [outer, inner]
    waiting = events[-1]["waiting"]
    assert waiting["inside"]["confirmation_request"]["tool"] == "send_note"
    assert not events[-1]["success"]


def test_a_run_that_is_refused_says_why(vox: Any) -> None:
    macro = save(vox, "same key", {"function": "list_graphs"})
    other = save(vox, "other key", {"function": "list_helpers"})
    watched(vox, macro, "one key")
    failed = watched(vox, other, "one key")[-1]
    assert (failed["type"], failed["status"]) == ("failed", 409)
    assert failed["error"]["type"] == "CONFLICT"
    reply = vox.post("/api/vox/macros/nowhere%20at%20all/run/events")
    assert (reply.status, reply.media_type) == (404, PROBLEM)


def test_steps_are_rehearsed_without_being_saved(vox: Any) -> None:
    saved = vox.get("/api/vox/macros").json["count"]
    called = len(vox.made.calls)
    steps = [
        {"function": "list_graphs"},
        {"function": "send_note", "pipe_from": {"step": 1, "path": "x", "to": "text"}},
        {"function": "for_voice"},
    ]
    reply = vox.post("/api/vox/macros/dry-run", {"steps": steps})
    assert (reply.status, reply.json["success"]) == (200, False)
    assert [(each["outcome"], each["rule"]) for each in reply.json["steps"]] == [
        ("run", "run"),
        ("confirm", "confirmation"),
        ("refuse", "mode"),
    ]
    assert reply.json["steps"][1]["args"] == {"text": "<step 1: x>"}
    assert vox.get("/api/vox/macros").json["count"] == saved
    assert len(vox.made.calls) == called


def test_what_is_wrong_with_steps_has_a_pointer(vox: Any) -> None:
    wrong = [{"function": "fetch", "args": {"query": 1}}, {"function": "fetsh"}]
    reply = vox.post("/api/vox/macros/dry-run", {"steps": wrong})
    assert (reply.status, reply.media_type) == (422, PROBLEM)
    assert [each["pointer"] for each in reply.json["errors"]] == [
        "/steps/0/args/query",
        "/steps/1/function",
    ]
    shapeless = vox.post("/api/vox/macros/dry-run", {"steps": []})
    assert shapeless.json["errors"][0]["pointer"] == "/steps"


def test_steps_that_would_run_themselves_are_refused(vox: Any) -> None:
    inner = save(vox, "go round", {"function": "list_graphs"})
    outer = save(vox, "round we go", {"function": "run_macro", "args": {"macro_id": inner}})
    steps = [{"function": "run_macro", "args": {"macro_id": outer}}]
    reply = vox.post("/api/vox/macros/dry-run", {"steps": steps, "id": inner})
    assert reply.status == 422
    assert "would run itself" in reply.json["errors"][0]["message"]
    assert vox.post("/api/vox/macros/dry-run", {"steps": steps}).status == 200


def test_a_tool_says_whether_it_may_be_called_now(shop: Any) -> None:
    tools = {each.tool_id: each for each in ToolCatalogue(**shop.get("/api/tools").json).tools}
    assert not tools["for_admins"].available
    assert tools["for_admins"].unavailable_because == "it is for admin only"
    assert tools["find"].available
    assert shop.get("/api/tools/for_admins").json["unavailableBecause"] == "it is for admin only"
    assert "unavailableBecause" not in shop.get("/api/tools/find").json
