"""Projects, playbooks, agents, workflows and experts of a running server, through its routes."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from tests.server.ws.phone import eventually
from tests.tools.services_world import registry

from antiphon.app.local_model import PHRASES
from antiphon.knowledge.service import FOLDER as KNOWLEDGE
from antiphon.workspace.playbooks import FOLDER as PLAYBOOKS


@pytest.fixture(scope="module")
def vox(workshop: Any, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Any]:
    serve = type(workshop)(registry(), tmp_path_factory.mktemp("data"))
    with serve.running(serve.app()) as client:
        yield client


def called(vox: Any, name: str, /, **args: Any) -> dict[str, Any]:
    reply = vox.post(f"/api/vox/function/{name}", {"args": args})
    assert reply.status == 200, reply.body
    assert reply.json["name"] == name
    result: dict[str, Any] = reply.json["result"]
    return result


def test_a_project_can_be_made_and_listed(vox: Any) -> None:
    assert called(vox, "create_project", name="Lisbon move")["success"]
    assert called(vox, "list_projects")["count"] == 1
    again = called(vox, "create_project", name="lisbon move")
    assert not again["success"]
    assert "There is a project 'Lisbon move' already" in again["error"]


def test_the_shipped_playbooks_agents_and_experts_are_there(vox: Any) -> None:
    found = called(vox, "search_playbooks", query="the provider does not answer")
    assert found["results"][0]["id"] == "provider-outage"
    assert called(vox, "list_agents")["count"] >= 6
    assert called(vox, "list_experts")["count"] >= 4


def test_an_expert_answers_from_the_sample(vox: Any) -> None:
    answer = called(
        vox, "chat_with_expert", expert_id="project-advisor", message="Who leads Atlas?"
    )
    assert "[project:atlas]" in answer["answer"]


def test_a_workflow_runs_as_a_task(vox: Any) -> None:
    started = called(vox, "run_workflow", workflow_name="error-recovery", input="it is stuck")
    assert started["success"]
    task = vox.get(f"/api/tasks/{started['task_id']}")
    assert task.status == 200


def test_what_is_needed_later_is_made_ready_before_anybody_asks(
    workshop: Any, tmp_path: Path
) -> None:
    app = workshop.app(data=tmp_path)
    app.services.warm_after = 0
    with workshop.running(app):
        eventually((tmp_path / PHRASES).exists)
        assert (tmp_path / KNOWLEDGE).is_dir()
        assert (tmp_path / PLAYBOOKS).is_dir()
