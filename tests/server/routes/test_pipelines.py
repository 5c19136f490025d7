"""Workflows and agents over HTTP: what there is, how a run stands, and going on with one."""

from __future__ import annotations

import json
import shutil
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from antiphon.registry import Registry
from antiphon.registry.builder import build
from antiphon.registry.sources import SHIPPED_TOOLS

PROBLEM = "application/problem+json"
PATIENCE = 60.0

_MARK = """\
from pathlib import Path

from antiphon import ok


async def execute(args, context):
    with Path(args["file"]).open("a") as file:
        file.write("x")
    return ok({"count": len(Path(args["file"]).read_text())})
"""
_HOLD = """\
import asyncio
from pathlib import Path

from antiphon import ErrorType, fail, ok


async def execute(args, context):
    while not Path(args["file"] + ".open").exists():
        if Path(args["file"] + ".broken").exists():
            return fail(ErrorType.TRANSIENT, "The gate is stuck.")
        await asyncio.sleep(0.005)
    return ok({"open": True})
"""
_AGENT = """\
title = "{title}"
description = "Marks a file, waits, and marks another."
input = "a path"

[[steps]]
id = "first"
title = "Mark it"
tool = "mark"
from = {{ file = "input/text" }}

[[steps]]
id = "gate"
title = "Wait for the gate"
tool = "{gate}"
from = {{ file = "input/text" }}

[[steps]]
id = "said"
title = "Say so"
otherwise = "Nothing."
sections = [{{ text = "Marked {{first/count}} times." }}]
"""


def _tool(folder: Path, id: str, handler: str, **contract: Any) -> None:
    directory = folder / id.replace("_", "-")
    directory.mkdir(parents=True)
    schema = {
        "toolId": id,
        "version": "1.0.0",
        "description": "Does something that tests can see.",
        "category": "action",
        "sideEffects": "writes",
        "origin": "trusted",
        "outside": False,
        "idempotent": False,
        "requiresConfirmation": False,
        "allowedModes": ["text"],
        "latencyBudgetMs": 2000,
        "timeoutMs": 20000,
        "parameters": {
            "type": "object",
            "additionalProperties": False,
            "required": ["file"],
            "properties": {"file": {"type": "string"}},
        },
        **contract,
    }
    (directory / "schema.json").write_text(json.dumps(schema))
    (directory / "guide.md").write_text(f"# {id}\n\nDoes what its name says.\n")
    (directory / "handler.py").write_text(handler)


@pytest.fixture(scope="module")
def made(workshop: Any, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Any]:
    """A server with agents that mark files, one of which waits for a gate and one for a person."""
    folder = tmp_path_factory.mktemp("runs")
    tools = folder / "tools"
    _tool(tools, "mark", _MARK)
    _tool(
        tools,
        "hold",
        _HOLD,
        sideEffects="read_only",
        origin="trusted",
        outside=False,
        idempotent=True,
    )
    _tool(tools, "ask_mark", _MARK, requiresConfirmation=True)
    shutil.copytree(SHIPPED_TOOLS / "run-agent", tools / "run-agent")
    report = build([tools], folder / "tool_registry.json")
    assert report.ok, report.findings
    data = tmp_path_factory.mktemp("data")
    agents = data / "agents"
    agents.mkdir()
    (agents / "marker.toml").write_text(_AGENT.format(title="Marker", gate="hold"))
    (agents / "asker.toml").write_text(_AGENT.format(title="Asker", gate="ask_mark"))
    serve = type(workshop)(Registry.load(folder / "tool_registry.json"), data)
    with serve.running(serve.app(data=data)) as client:
        yield client


def start(client: Any, agent: str, file: Path) -> str:
    reply = client.call("run_agent", {"agent_name": agent, "input": str(file)})
    assert reply.status == 200, reply.body
    task: str = reply.json["data"]["task_id"]
    return task


def until(client: Any, path: str, wanted: Any) -> dict[str, Any]:
    """The run as soon as it stands as it should."""
    over = time.monotonic() + PATIENCE
    while time.monotonic() < over:
        reply = client.get(path)
        # It is in the log as soon as it has begun.
        if reply.status == 200 and wanted(reply.json):
            found: dict[str, Any] = reply.json
            return found
    raise AssertionError(reply.body)


def finished(run: dict[str, Any]) -> bool:
    return run["status"] not in ("pending", "running")


def steps(run: dict[str, Any]) -> dict[str, str]:
    return {each["step"]: each["status"] for each in run["steps"]}


# -- what there is ---------------------------------------------------------------------------------


def test_the_templates_and_agents_are_told_with_their_steps(client: Any) -> None:
    body = client.get("/api/workflows").json
    names = [each["name"] for each in body["workflows"]]
    assert names == ["error-recovery", "knowledge-synthesis", "multi-agent", "session-handoff"]
    one = client.get("/api/workflows/knowledge%20synthesis").json
    assert one == body["workflows"][1]
    linked = {step["id"]: step for step in one["steps"]}["linked"]
    assert (linked["tool"], linked["optional"]) == ("query_kg", True)
    assert linked["condition"] == "found/results"
    assert one["steps"][-1]["asks_model"] is True
    agents = {each["name"]: each for each in client.get("/api/agents").json["agents"]}
    assert len(agents) == 8
    assert agents["web-reader"]["modes"] == ["text"]
    assert agents["researcher"]["modes"] == ["text", "voice"]
    assert all(step["known"] for each in agents.values() for step in each["steps"])
    assert client.get("/api/agents/reviewer").json["nearest"][0] == "code-reviewer"
    assert client.get("/api/workflows/moon").status == 404


def test_a_run_of_a_shipped_workflow_is_told_step_by_step(client: Any) -> None:
    args = {"workflow_name": "knowledge-synthesis", "input": "who leads Atlas"}
    task = client.call("run_workflow", args).json["data"]["task_id"]
    place = f"/api/automations/runs/{task}"
    run = until(client, place, finished)
    assert (run["status"], run["by"], run["error"]) == ("succeeded", "rules", None)
    assert set(steps(run).values()) == {"done"}
    assert all(each["seconds"] >= 0 for each in run["steps"])
    assert "Atlas" in run["text"]
    assert {"project:atlas"} <= {each["id"] for each in run["evidence"]}
    assert run["can_resume"] is False
    assert run["steps"][0]["result"] is None
    assert client.get(f"{place}?details=true").json["steps"][0]["result"]["results"]
    mine = "/api/automations/runs?kind=workflow&name=knowledge-synthesis"
    assert client.get(mine).json["runs"][0]["id"] == task
    assert client.post(f"{place}/resume").status == 409


# -- files of one's own ----------------------------------------------------------------------------

REPORT: dict[str, Any] = {
    "title": "Weekly report",
    "description": "What is known about a subject.",
    "input": "a subject",
    "steps": [
        {
            "id": "found",
            "title": "Search every graph",
            "tool": "cross_kg_search",
            "from": {"query": "input/query"},
        },
        {
            "id": "report",
            "title": "Write it",
            "sections": [{"heading": "Found", "each": "found/results", "line": "{title} [{id}]"}],
            "otherwise": "Nothing.",
        },
    ],
}


def changed(place: str, value: Any) -> str:
    """The report with something else at a path of it."""
    body = json.loads(json.dumps(REPORT))
    *path, last = [int(each) if each.isdecimal() else each for each in place.split("/")]
    at = body
    for name in path:
        at = at[name]
    at[last] = value
    return json.dumps(body)


@pytest.fixture(scope="module")
def own(serve: Any, tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[Any, Path]]:
    """A server, and the folder for workflows of one's own, which is not there yet."""
    data = tmp_path_factory.mktemp("own")
    with serve.running(serve.app(data=data)) as client:
        yield client, data / "workflows"


def test_a_workflow_of_ones_own_runs_like_those_that_ship(own: tuple[Any, Path]) -> None:
    client, folder = own
    body = client.get("/api/workflows").json
    assert (body["count"], body["folder"], body["left_out"]) == (4, str(folder.resolve()), [])
    folder.mkdir(exist_ok=True)
    (folder / "weekly-report.json").write_text(json.dumps(REPORT))
    names = [each["name"] for each in client.get("/api/workflows").json["workflows"]]
    assert "weekly-report" in names
    args = {"workflow_name": "my weekly report workflow", "input": "who leads Atlas"}
    task = client.call("run_workflow", args).json["data"]["task_id"]
    run = until(client, f"/api/automations/runs/{task}", finished)
    assert (run["status"], run["name"]) == ("succeeded", "weekly-report")
    assert "[project:atlas]" in run["text"]
    assert client.get(f"/api/tasks/{task}").json["args"]["workflow_name"] == "weekly-report"
    lines = client.get(f"/api/audit?session_id={run['session_id']}&limit=1000").json["lines"]
    assert "cross_kg_search" in {line.get("toolId") for line in lines}


def test_one_of_a_name_that_ships_takes_its_place(own: tuple[Any, Path]) -> None:
    client, folder = own
    folder.mkdir(exist_ok=True)
    file = folder / "multi-agent.json"
    file.write_text(json.dumps(REPORT))
    assert client.get("/api/workflows/multi-agent").json["title"] == "Weekly report"
    file.unlink()
    assert client.get("/api/workflows/multi-agent").json["title"] != "Weekly report"


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("{", "it is no JSON"),
        ("[]", "it has to be an object with title, description, input and steps"),
        (changed("title", ""), "it has no `title`"),
        (changed("steps", []), "`steps` has to be a list of 1 to 12"),
        (changed("steps/0/tol", 1), "step 1 has 'tol', which is none of args, ask, from, id"),
        (changed("steps/0/id", "Found!"), "step 1: the id 'Found!' has to be of a-z"),
        (changed("steps/0/from/query", "input/words"), "step 1: the input has query, text, url"),
        (
            changed("steps/1/sections/0/each", "fund/results"),
            "step 2: the path 'fund/results' has to begin with one of input, session, found",
        ),
        (changed("steps/1", REPORT["steps"][0] | {"id": "more"}), "give it `sections`"),
    ],
)
def test_a_file_that_is_wrong_is_named_with_what_and_where_and_hides_no_other(
    own: tuple[Any, Path], text: str, words: str
) -> None:
    client, folder = own
    folder.mkdir(exist_ok=True)
    before = client.get("/api/workflows").json["workflows"]
    broken = folder / "error-recovery.json"
    broken.write_text(text)
    try:
        body = client.get("/api/workflows").json
        assert body["workflows"] == before
        (left_out,) = body["left_out"]
        assert left_out["file"] == "error-recovery.json"
        assert words in left_out["reason"]
    finally:
        broken.unlink()


@pytest.mark.parametrize(
    ("tool", "args", "words"),
    [
        ("run_workflow", {"workflow_name": "moon"}, "There are error-recovery"),
        ("run_workflow", {"workflow_name": "synthesis", "input": "x"}, "knowledge-synthesis"),
        ("run_workflow", {"workflow_name": "error-recovery"}, "the error message"),
        ("run_agent", {"agent_name": "reviewer", "input": "x"}, "code-reviewer"),
        ("run_agent", {"agent_name": "researcher", "input": " "}, "nothing to work on"),
    ],
)
def test_what_cannot_run_is_refused_at_once(
    client: Any, tool: str, args: dict[str, Any], words: str
) -> None:
    before = client.get("/api/tasks").json["tasks"]
    refused = client.call(tool, args)
    assert (refused.status, refused.json["error"]["type"]) == (422, "VALIDATION")
    assert words in refused.json["error"]["message"]
    assert client.get("/api/tasks").json["tasks"] == before


# -- watching, stopping, going on ------------------------------------------------------------------


def test_a_run_is_watched_stopped_and_goes_on_without_repeating_a_write(
    made: Any, tmp_path: Path
) -> None:
    file = tmp_path / "marked"
    task = start(made, "the marker agent", file)
    place = f"/api/automations/runs/{task}"
    run = until(made, place, lambda run: steps(run)["gate"] == "running")
    assert steps(run) == {"first": "done", "gate": "running", "said": "pending"}
    assert run["input"] == str(file)
    assert made.post(f"{place}/resume").status == 409
    assert made.post(f"{place}/stop").status == 200
    run = until(made, place, finished)
    assert (run["status"], run["can_resume"]) == ("stopped", True)
    assert made.post(f"{place}/stop").status == 409
    assert steps(run) == {"first": "done", "gate": "stopped", "said": "pending"}

    Path(f"{file}.open").touch()
    resumed = made.post(f"{place}/resume").json
    assert (resumed["resumed_from"], resumed["reused"]) == (task, ["first"])
    assert made.post(f"{place}/resume").json["id"] == resumed["id"]
    after = until(made, f"/api/automations/runs/{resumed['id']}", finished)
    assert (after["status"], after["text"]) == ("succeeded", "Marked 1 times.")
    assert [each["reused"] for each in after["steps"]] == [True, False, False]
    assert after["resumed_from"] == task
    assert file.read_text() == "x"
    listed = made.get("/api/automations/runs?kind=agent&name=marker&limit=1").json
    assert [each["id"] for each in listed["runs"]] == [resumed["id"]]
    older = made.get(f"/api/automations/runs?limit=1&before={listed['next_before']}").json
    assert [each["id"] for each in older["runs"]] == [task]


def test_a_run_that_failed_says_where_and_goes_on_when_that_is_mended(
    made: Any, tmp_path: Path
) -> None:
    file = tmp_path / "marked"
    broken = Path(f"{file}.broken")
    broken.touch()
    task = start(made, "marker", file)
    place = f"/api/automations/runs/{task}"
    run = until(made, place, finished)
    assert (run["status"], run["error_type"]) == ("failed", "TRANSIENT")
    assert "The gate is stuck." in run["error"]
    assert steps(run) == {"first": "done", "gate": "failed", "said": "pending"}
    broken.unlink()
    Path(f"{file}.open").touch()
    resumed = made.post(f"{place}/resume")
    assert resumed.status == 200, resumed.body
    again = resumed.json["id"]
    assert until(made, f"/api/automations/runs/{again}", finished)["status"] == "succeeded"
    assert file.read_text() == "x"


def test_what_was_approved_meanwhile_is_not_asked_for_or_done_again(
    made: Any, tmp_path: Path
) -> None:
    file = tmp_path / "marked"
    task = start(made, "asker", file)
    place = f"/api/automations/runs/{task}"
    run = until(made, place, finished)
    assert (run["status"], run["can_resume"]) == ("waiting", True)
    assert steps(run)["gate"] == "waiting"
    question = f"/api/confirmations/{run['waiting']['confirmation_request']['id']}"
    asked = made.get(f"{question}?session_id={run['session_id']}").json
    answer = {"token": asked["token"], "approve": True}
    assert made.post(question, answer).status == 200
    resumed = made.post(f"{place}/resume").json
    assert resumed["reused"] == ["first", "gate"]
    after = until(made, f"/api/automations/runs/{resumed['id']}", finished)
    assert after["status"] == "succeeded"
    assert file.read_text() == "xx"


def test_a_run_that_is_not_there_is_a_problem(made: Any) -> None:
    for path in ("none", "none/resume", "none/stop"):
        reply = (made.get if path == "none" else made.post)(f"/api/automations/runs/{path}")
        assert (reply.status, reply.media_type) == (404, PROBLEM)
    assert made.get("/api/automations/runs?before=none").status == 422
