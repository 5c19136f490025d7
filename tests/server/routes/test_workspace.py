"""Awareness, tours, macros and thermal over HTTP."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest
from tests.workspace.vox_world import registry

from antiphon.workspace.pages import IDS

PROBLEM = "application/problem+json"


@pytest.fixture(scope="module")
def vox(workshop: Any, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Any]:
    """A server over the tools of VOX that are tested here, and some that do nothing."""
    serve = type(workshop)(registry(), tmp_path_factory.mktemp("data"))
    app = serve.app()
    with serve.running(app) as client:
        from tests.workspace.vox_world import Made

        app.services.application.workspace.__dict__["made"] = client.made = Made()
        yield client


def save(client: Any, phrase: str, *steps: Any, **more: Any) -> dict[str, Any]:
    body = {"name": phrase.title(), "trigger_phrase": phrase, "steps": list(steps), **more}
    reply = client.post("/api/vox/macros", body)
    assert reply.status == 201, reply.body
    macro: dict[str, Any] = reply.json["macro"]
    return macro


def delete(client: Any, id: str) -> Any:
    return client.send("DELETE", f"/api/vox/macros/{id}")


# -- awareness -------------------------------------------------------------------------------------


def test_what_is_told_is_known(vox: Any) -> None:
    told = vox.post("/api/vox/awareness", {"event_type": "page_visit", "page": "kg studio"})
    assert told.status == 200
    assert told.json["success"]
    error = vox.post(
        "/api/vox/awareness",
        {"event_type": "error", "error_type": "network", "message": "No answer.", "page": "tools"},
    ).json
    context = {"event_type": "context", "key": "active_project", "value": "Aurora"}
    assert vox.post("/api/vox/awareness", context).json == {"success": True}
    known = vox.get("/api/vox/awareness").json
    assert known.keys() == {
        *("prompt", "reports", "recent_pages", "unresolved_errors", "page_stats", "context"),
    }
    assert known["recent_pages"][0]["id"] == told.json["visit_id"]
    assert known["recent_pages"][0]["page"] == "kg-studio"
    assert [each["id"] for each in known["unresolved_errors"]] == [error["error_id"]]
    assert known["page_stats"][0]["visits"] == 1
    assert 'Active project: "Aurora"' in known["reports"]
    resolved = {"event_type": "error_resolved", "error_id": error["error_id"]}
    assert vox.post("/api/vox/awareness", resolved).json["success"]
    assert vox.get("/api/vox/awareness").json["unresolved_errors"] == []


@pytest.mark.parametrize(
    "body",
    [
        {"event_type": "page_visit"},
        {"event_type": "error", "error_type": "x"},
        {"event_type": "context", "key": "x"},
        {"event_type": "error_resolved"},
        {"event_type": "dance"},
        {"event_type": "page_visit", "page": "tools", "more": 1},
        {"event_type": "error", "error_type": "x", "message": " "},
        [],
    ],
)
def test_an_event_that_is_none_is_refused(vox: Any, body: Any) -> None:
    reply = vox.post("/api/vox/awareness", body)
    assert (reply.status, reply.media_type) == (422, PROBLEM)


def test_a_page_of_another_client_is_kept_under_its_own_name(vox: Any) -> None:
    body = {"event_type": "page_visit", "page": "my-own-page <b>"}
    assert vox.post("/api/vox/awareness", body).status == 200
    pages = [each["page"] for each in vox.get("/api/vox/awareness").json["recent_pages"]]
    assert "my-own-page b" in pages
    none = vox.post("/api/vox/awareness", {"event_type": "page_visit", "page": "<>"})
    assert none.status == 404


# -- tours -----------------------------------------------------------------------------------------


def test_the_tours_are_listed(vox: Any) -> None:
    body = vox.get("/api/vox/tours").json
    assert body["count"] == len(body["tours"]) == 17
    assert [tour["page"] for tour in body["tours"]] == list(IDS)
    assert all(t.keys() == {"page", "name", "description", "step_count"} for t in body["tours"])


def test_a_tour_is_given_with_its_steps(vox: Any) -> None:
    body = vox.get("/api/vox/tours/kg-studio").json
    assert body.keys() == {"page", "name", "description", "steps"}
    assert body["steps"][0].keys() == {"target", "speech", "position", "highlight"}
    assert vox.get("/api/vox/tours/knowledge%20graphs").json == body


def test_a_tour_of_a_missing_page_is_not_found(vox: Any) -> None:
    reply = vox.get("/api/vox/tours/moon")
    assert (reply.status, reply.media_type) == (404, PROBLEM)
    assert reply.json["error"] == "No tour found for page: moon"


# -- macros ----------------------------------------------------------------------------------------


def test_a_macro_is_saved_listed_changed_and_deleted(vox: Any) -> None:
    macro = save(vox, "good night", {"function": "list_graphs"})
    assert macro["steps"] == [{"function": "list_graphs", "args": {}, "pipe_from": None}]
    listed = vox.get("/api/vox/macros").json
    assert macro in listed["macros"]
    assert listed["count"] == len(listed["macros"])
    changed = save(vox, "sleep well", {"function": "list_helpers"}, id=macro["id"])
    assert (changed["id"], changed["created_at"]) == (macro["id"], macro["created_at"])
    assert delete(vox, macro["id"]).json == {"success": True, "deleted": macro["id"]}
    gone = delete(vox, macro["id"])
    assert (gone.status, gone.media_type) == (404, PROBLEM)
    events = [line["event"] for line in vox.get("/api/audit?limit=200").json["lines"]]
    assert {"macro_saved", "macro_deleted"} <= set(events)


def test_a_macro_with_wrong_steps_is_refused_with_pointers(vox: Any) -> None:
    body = {"name": "x", "trigger_phrase": "x", "steps": [{"function": "fetch"}, {"function": "y"}]}
    reply = vox.post("/api/vox/macros", body)
    assert (reply.status, reply.media_type) == (422, PROBLEM)
    assert [each["pointer"] for each in reply.json["errors"]] == [
        "/steps/0/args/query",
        "/steps/1/function",
    ]


def test_a_phrase_that_is_taken_is_a_conflict(vox: Any) -> None:
    macro = save(vox, "taken", {"function": "list_graphs"})
    body = {"name": "x", "trigger_phrase": "Taken", "steps": [{"function": "list_graphs"}]}
    reply = vox.post("/api/vox/macros", body)
    assert (reply.status, reply.json["macro_id"]) == (409, macro["id"])


def test_a_macro_is_run_by_its_id_and_by_its_phrase(vox: Any) -> None:
    vox.made.answers["list_graphs"] = {"databases": [{"id": "studio"}]}
    measure = {"function": "measure_graph", "pipe_from": 1}
    macro = save(vox, "measure it", {"function": "list_graphs"}, measure)
    for name in (macro["id"], "measure%20it"):
        reply = vox.post(f"/api/vox/macros/{name}/run")
        assert reply.status == 200, reply.body
        assert reply.json["success"]
        assert [(r["step"], r["success"]) for r in reply.json["results"]] == [(1, True), (2, True)]
        assert vox.made.calls[-1] == ("measure_graph", {"database_id": "studio"})


def test_every_way_to_run_a_macro_says_the_same_of_a_step_that_failed(vox: Any) -> None:
    steps = ({"function": "for_voice"}, {"function": "list_graphs"})
    macro = save(vox, "half of it", *steps, error_policy="skip")
    run = vox.post(f"/api/vox/macros/{macro['id']}/run").json
    function = vox.post("/api/vox/function/run_macro", {"args": {"macro_id": macro["id"]}}).json
    tool = vox.post("/api/tools/run_macro/call", {"args": {"macro_id": macro["id"]}}).json
    for said in (run, function["result"], tool["data"]):
        assert (said["success"], said["completed"], said["failed"]) == (False, 1, 1)


def test_a_key_makes_a_macro_run_once(vox: Any) -> None:
    macro = save(vox, "once only", {"function": "store_note", "args": {"text": "x"}})
    before = len(vox.made.calls)
    for _ in range(2):
        reply = vox.post(f"/api/vox/macros/{macro['id']}/run", None, Idempotency_Key="once-only")
        assert reply.json["success"]
    assert len(vox.made.calls) == before + 1


def test_a_run_that_waits_for_an_approval_says_so(vox: Any) -> None:
    macro = save(vox, "send it", {"function": "send_note", "args": {"text": "hello"}})
    body = vox.post(f"/api/vox/macros/{macro['id']}/run").json
    assert not body["success"]
    request = body["waiting"]["confirmation_request"]
    waiting = vox.get("/api/confirmations").json["confirmations"]
    assert request["id"] in {each["id"] for each in waiting}


def test_a_macro_that_does_not_exist_is_not_found(vox: Any) -> None:
    save(vox, "weekly summary", {"function": "list_graphs"})
    for body in (None, {"dry_run": True}):
        reply = vox.post("/api/vox/macros/weekly%20sermon/run", body)
        assert (reply.status, reply.media_type) == (404, PROBLEM)
        assert "weekly summary" in reply.json["nearest"]


def test_a_dry_run_names_the_gate_that_would_stop_each_step(vox: Any) -> None:
    save(vox, "inner one", {"function": "send_note", "args": {"text": "x"}})
    macro = save(
        vox,
        "look before",
        {"function": "list_graphs"},
        {"function": "measure_graph", "pipe_from": 1},
        {"function": "send_note", "pipe_from": {"step": 1, "path": "x", "to": "text"}},
        {"function": "for_voice"},
        {"function": "navigate_page", "args": {"path": "tools"}},
        {"function": "run_macro", "args": {"macro_id": "inner one"}},
    )
    before = len(vox.made.calls)
    body = vox.post(f"/api/vox/macros/{macro['id']}/run", {"dry_run": True}).json
    assert (body["dry_run"], body["success"]) == (True, False)
    assert [(step["outcome"], step["rule"]) for step in body["steps"]] == [
        ("run", "run"),
        ("run", "run"),
        ("confirm", "confirmation"),
        ("refuse", "mode"),
        ("refuse", "client"),
        ("confirm", "confirmation"),
    ]
    assert body["steps"][2]["args"] == {"text": "<step 1: x>"}
    assert body["steps"][5]["steps"][0]["function"] == "send_note"
    assert len(vox.made.calls) == before


def test_a_run_with_a_body_of_another_shape_is_refused(vox: Any) -> None:
    assert vox.post("/api/vox/macros/x/run", {"dry": True}).status == 422


def test_the_functions_answer_in_the_flat_shape_too(vox: Any) -> None:
    args = {"name": "Flat", "trigger_phrase": "flat one", "steps": [{"function": "list_graphs"}]}
    result = vox.post("/api/vox/function/create_macro", {"args": args}).json["result"]
    assert result["success"]
    assert result["macro"]["trigger_phrase"] == "flat one"
    result = vox.post("/api/vox/function/run_macro", {"args": {"macro_id": "flat one"}}).json
    assert result["result"]["results"][0]["success"]


# -- thermal ---------------------------------------------------------------------------------------


def test_the_heat_is_told(vox: Any) -> None:
    body = vox.get("/api/vox/thermal").json
    assert body.keys() == {
        *("temperature", "status", "health", "percentage"),
        *("plugged", "warning", "threshold", "suggestion"),
    }
    assert body["threshold"] == 42
