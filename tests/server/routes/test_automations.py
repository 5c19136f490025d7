"""Runs of macros over HTTP as those of workflows: begun, logged, stopped, resumed from a step."""

from __future__ import annotations

import time
from collections.abc import Iterator
from typing import Any

import pytest
from tests.workspace.vox_world import Made, registry

from antiphon import ErrorType, ToolError

PATIENCE = 60.0


@pytest.fixture(scope="module")
def vox(workshop: Any, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Any]:
    """A server over the tools of VOX, and some that do what a test says."""
    serve = type(workshop)(registry(), tmp_path_factory.mktemp("data"))
    app = serve.app()
    with serve.running(app) as client:
        app.services.application.workspace.__dict__["made"] = client.made = Made()
        yield client


def saved(client: Any, phrase: str, *steps: Any, **more: Any) -> str:
    body = {"name": phrase.title(), "trigger_phrase": phrase, "steps": list(steps), **more}
    reply = client.post("/api/vox/macros", body)
    assert reply.status == 201, reply.body
    made: str = reply.json["macro"]["id"]
    return made


def begun(client: Any, macro: str) -> str:
    reply = client.post(f"/api/automations/macro/{macro}/run")
    assert reply.status == 200, reply.body
    run: str = reply.json["id"]
    return run


def over(client: Any, run: str, *, details: bool = False) -> dict[str, Any]:
    end = time.monotonic() + PATIENCE
    while time.monotonic() < end:
        more = "?details=true" if details else ""
        found: dict[str, Any] = client.get(f"/api/automations/runs/{run}{more}").json
        if found["status"] not in ("pending", "running"):
            return found
    raise AssertionError(found)


def note(text: str) -> dict[str, Any]:
    return {"function": "store_note", "args": {"text": text}}


def test_a_run_of_a_macro_is_logged_step_by_step(vox: Any) -> None:
    later = ToolError(ErrorType.TRANSIENT, "Not now.", retryable=True)
    vox.made.answers["fetch"] = [later, later, {"results": [1]}]
    macro = saved(
        vox,
        "log me",
        {"function": "fetch", "args": {"query": "x"}},
        note("done"),
        error_policy="retry",
    )
    run = over(vox, begun(vox, macro), details=True)
    assert (run["status"], run["kind"], run["name"]) == ("succeeded", "macro", macro)
    fetch, store = run["steps"]
    assert (fetch["tries"], fetch["args"], fetch["result"]) == (2, {"query": "x"}, {"results": [1]})
    assert fetch["seconds"] > 0
    assert store["gates"][-1]["outcome"] == "ran"
    assert [each["event"] for each in run["events"]] == [
        *("run_started", "step_started", "step_retried", "step_finished"),
        *("step_started", "step_finished", "run_finished"),
    ]
    automations = vox.get("/api/automations").json["automations"]
    (mine,) = [each for each in automations if each["name"] == macro]
    assert mine["last_run"]["id"] == run["id"]


def test_a_failed_run_goes_on_from_where_it_stopped_or_from_a_chosen_step(vox: Any) -> None:
    vox.made.answers["fetch"] = [ToolError(ErrorType.PERMANENT, "Broken."), {"results": []}]
    macro = saved(
        vox, "mend me", note("first"), {"function": "fetch", "args": {"query": "x"}}, note("last")
    )
    run = over(vox, begun(vox, macro))
    assert (run["status"], run["can_resume"]) == ("failed", True)
    assert [each["status"] for each in run["steps"]] == ["done", "failed", "pending"]
    before = len(vox.made.calls)
    resumed = vox.post(f"/api/automations/runs/{run['id']}/resume").json
    assert resumed["reused"] == ["1"]
    after = over(vox, resumed["id"])
    assert (after["status"], after["resumed_from"]) == ("succeeded", run["id"])
    assert [each["reused"] for each in after["steps"]] == [True, False, False]
    assert [name for name, _ in vox.made.calls[before:]] == ["fetch", "store_note"]

    # The one that succeeded begins anew at its last step; what came before is kept.
    place = f"/api/automations/runs/{after['id']}/resume"
    assert vox.post(place).status == 409
    assert vox.post(place, {"step": "9"}).status == 422
    last = over(vox, vox.post(place, {"step": "3"}).json["id"])
    assert [each["reused"] for each in last["steps"]] == [True, True, False]
    assert [name for name, _ in vox.made.calls[before:]] == ["fetch", "store_note", "store_note"]


def test_a_macro_that_waits_goes_on_after_the_approval(vox: Any) -> None:
    asks = {"function": "send_note", "args": {"text": "hello"}}
    inner = saved(vox, "asks inside", asks)
    macro = saved(
        vox, "asks first", {"function": "run_macro", "args": {"macro_id": inner}}, note("after")
    )
    run = over(vox, begun(vox, macro))
    assert run["status"] == "waiting"
    waiting = run["waiting"]["inside"]["confirmation_request"]
    question = f"/api/confirmations/{waiting['id']}"
    token = vox.get(f"{question}?session_id={run['session_id']}").json["token"]
    assert vox.post(question, {"token": token, "approve": True}).status == 200
    after = over(vox, vox.post(f"/api/automations/runs/{run['id']}/resume").json["id"])
    assert after["status"] == "succeeded"
    assert vox.made.names.count("send_note") == 1


def test_a_macro_is_stopped_before_its_next_step(vox: Any) -> None:
    busy = ToolError(ErrorType.TRANSIENT, "Not now.", retryable=True, retry_after=0.4)
    vox.made.answers["fetch"] = [busy, {"results": []}]
    macro = saved(
        vox,
        "stop me",
        {"function": "fetch", "args": {"query": "x"}},
        note("never"),
        error_policy="retry",
    )
    made = begun(vox, macro)
    assert vox.post(f"/api/automations/runs/{made}/stop").status == 200
    run = over(vox, made)
    assert run["status"] == "stopped"
    assert ("store_note", {"text": "never"}) not in vox.made.calls
    assert vox.post(f"/api/automations/runs/{made}/stop").status == 409


def test_what_cannot_be_run_is_refused(vox: Any) -> None:
    assert vox.post("/api/automations/macro/nowhere/run").status == 404
    assert vox.post("/api/automations/tour/x/run").status == 422
    assert vox.get("/api/automations/runs?status=odd").status == 422


def test_what_somebody_else_saved_meanwhile_is_not_replaced_unasked(vox: Any) -> None:
    body = {"name": "Both", "trigger_phrase": "both of us", "steps": [note("one")]}
    first = vox.post("/api/vox/macros", body).json["macro"]
    mine = {**body, "id": first["id"], "updated_at": first["updated_at"]}
    second = vox.post("/api/vox/macros", {**mine, "name": "Theirs"})
    assert second.status == 201
    late = vox.post("/api/vox/macros", {**mine, "name": "Mine"})
    assert (late.status, late.json["current"]["name"]) == (409, "Theirs")
    del mine["updated_at"]
    assert vox.post("/api/vox/macros", {**mine, "name": "Mine"}).status == 201
