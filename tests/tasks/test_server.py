"""Tasks over HTTP and over `/ws/vox`, also across a restart of the server."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from tests.server.conftest import Client
from tests.server.ws.phone import RULES, Phone, VoiceServe, eventually
from tests.tasks.world import write_file_tools

from antiphon.server.routes.tasks import TaskDetail, TaskPage

TOLD = "It is kept."
SCRIPT: dict[str, Any] = {
    "rules": [
        {
            "on": "text",
            "with": {"text": "/tool_result[^§]*safe_on_files/"},
            "reply": [{"say": TOLD}, "complete"],
        },
        {
            "on": "text",
            "with": {"text": r"/keep (\S+)/"},
            "reply": [
                {
                    "call": {
                        "id": "call_keep_0001",
                        "name": "safe_on_files",
                        "args": {"folder": "{1}"},
                    }
                }
            ],
        },
        *RULES["rules"],
    ]
}


class TaskServe(VoiceServe):
    def __init__(self, folder: Path) -> None:
        write_file_tools(folder / "tools")
        super().__init__(folder)


@pytest.fixture(scope="module")
def serve_tasks(tmp_path_factory: pytest.TempPathFactory) -> TaskServe:
    return TaskServe(tmp_path_factory.mktemp("tasks"))


@pytest.fixture(scope="module")
def shop(serve_tasks: TaskServe) -> Iterator[Client]:
    with serve_tasks.running(serve_tasks.app()) as client:
        yield client


def start(client: Client, tool: str, folder: Path, **more: Any) -> str:
    folder.mkdir(exist_ok=True)
    reply = client.call(tool, {"folder": str(folder)}, **more)
    assert reply.status == 200, reply.body
    assert reply.json["data"]["status"] == "started"
    found: str = reply.json["data"]["task_id"]
    return found


def detail(client: Client, id: str) -> TaskDetail:
    reply = client.get(f"/api/tasks/{id}")
    assert reply.status == 200, reply.body
    return TaskDetail.model_validate(reply.json, strict=True)


def until_status(client: Client, id: str, status: str) -> TaskDetail:
    eventually(lambda: detail(client, id).status == status)
    return detail(client, id)


# -- HTTP ------------------------------------------------------------------------------------------


def test_a_task_can_be_watched_from_its_start_to_its_end(shop: Client, tmp_path: Path) -> None:
    task = start(shop, "safe_on_files", tmp_path, key="k1")
    eventually(lambda: detail(shop, task).progress is not None)
    running = detail(shop, task)
    assert (running.status, running.result, running.finished_at) == ("running", None, None)
    assert running.progress is not None
    assert (running.progress["message"], running.progress["fraction"]) == ("begun", 0.5)
    assert running.args == {"folder": str(tmp_path)}
    assert start(shop, "safe_on_files", tmp_path, key="k1") == task
    (tmp_path / "gate").touch()
    over = until_status(shop, task, "succeeded")
    assert over.result is not None
    assert over.result["data"] == {"by": "rest-text"}
    assert (tmp_path / "done").read_text().splitlines() == ["rest-text/client:k1"]


def test_tasks_are_listed_newest_first_in_pages(shop: Client, tmp_path: Path) -> None:
    (tmp_path / "gate").touch()
    made = [start(shop, "read_on_files", tmp_path) for _ in range(3)]
    for task in made:
        until_status(shop, task, "succeeded")
    query = "/api/tasks?tool=read_on_files&status=succeeded&session_id=rest-text&user=local"
    first = TaskPage.model_validate(shop.get(f"{query}&limit=2").json, strict=True)
    assert [each.id for each in first.tasks] == made[:0:-1]
    assert first.next_before == made[1]
    rest = TaskPage.model_validate(shop.get(f"{query}&before={first.next_before}").json)
    assert rest.tasks[0].id == made[0]
    assert shop.get("/api/tasks?user=nobody").json == {"tasks": [], "next_before": None}


def test_a_task_that_may_be_stopped_is_stopped_once(shop: Client, tmp_path: Path) -> None:
    task = start(shop, "read_on_files", tmp_path)
    eventually(lambda: (tmp_path / "begun").exists())
    reply = shop.post(f"/api/tasks/{task}/cancel")
    assert reply.status == 200, reply.body
    stopped = TaskDetail.model_validate(reply.json, strict=True)
    assert (stopped.status, stopped.cancel_requested) == ("cancelled", True)
    assert stopped.result is not None
    assert stopped.result["error"]["type"] == "CANCELLED"
    again = shop.post(f"/api/tasks/{task}/cancel")
    assert (again.status, again.media_type) == (409, "application/problem+json")
    assert again.json["task_status"] == "cancelled"


def test_a_task_that_must_finish_says_so(shop: Client, tmp_path: Path) -> None:
    task = start(shop, "once_on_files", tmp_path)
    eventually(lambda: (tmp_path / "begun").exists())
    reply = shop.post(f"/api/tasks/{task}/cancel")
    assert (reply.status, reply.json["status"]) == (200, "running")
    assert reply.json["cancel_requested"] is True
    (tmp_path / "gate").touch()
    until_status(shop, task, "succeeded")


@pytest.mark.parametrize(
    ("method", "path", "status"),
    [
        ("GET", "/api/tasks/nobody", 404),
        ("POST", "/api/tasks/nobody/cancel", 404),
        ("GET", "/api/tasks?before=nobody", 422),
        ("GET", "/api/tasks?status=happy", 422),
        ("GET", "/api/tasks?limit=0", 422),
    ],
)
def test_what_cannot_be_is_a_problem(shop: Client, method: str, path: str, status: int) -> None:
    reply = shop.send(method, path, {"Content-Type": "application/json"}, b"")
    assert (reply.status, reply.media_type) == (status, "application/problem+json")
    assert reply.json["detail"]


def test_the_routes_are_described(shop: Client) -> None:
    paths = shop.get("/openapi.json").json["paths"]
    listed, one = paths["/api/tasks"]["get"], paths["/api/tasks/{task_id}"]["get"]
    assert {"200", "422", "503"} <= set(listed["responses"])
    assert {"200", "404", "422", "503"} <= set(one["responses"])
    cancel = paths["/api/tasks/{task_id}/cancel"]["post"]["responses"]
    assert {"200", "404", "409", "422", "503"} <= set(cancel)


def test_a_server_that_stops_leaves_its_tasks_to_the_next(
    serve_tasks: TaskServe, tmp_path: Path
) -> None:
    data = tmp_path / "data"
    with serve_tasks.running(serve_tasks.app(data=data)) as client:
        task = start(client, "safe_on_files", tmp_path / "work", key="k")
        eventually(lambda: (tmp_path / "work" / "begun").exists())
    with serve_tasks.running(serve_tasks.app(data=data)) as client:
        assert start(client, "safe_on_files", tmp_path / "work", key="k") == task
        (tmp_path / "work" / "gate").touch()
        assert until_status(client, task, "succeeded").attempts == 2
    assert len((tmp_path / "work" / "done").read_text().splitlines()) == 1


# -- /ws/vox ---------------------------------------------------------------------------------------


def types(phone: Phone) -> list[str]:
    return [each["type"] for each in phone.heard if isinstance(each, dict)]


def said(phone: Phone) -> str:
    """What the model says, to the end of its turn."""
    before = len(phone.heard)
    phone.until("turn_complete")
    heard = [each for each in phone.heard[before:] if each["type"] == "transcript"]
    return "".join(each["text"] for each in heard if each["role"] == "assistant")


def test_a_conversation_goes_on_while_a_task_runs_and_hears_of_its_end(
    serve_tasks: TaskServe, tmp_path: Path
) -> None:
    with serve_tasks.talking(script=SCRIPT) as (client, _, _), Phone(client.port) as phone:
        phone.start()
        phone.say("text", text=f"keep {tmp_path}")
        started = phone.until("async_task_started")
        assert (started["function"], started["fn_call_id"]) == ("safe_on_files", "call_keep_0001")
        answered = phone.until("function_result")
        assert answered["result"] == {
            "success": True,
            "task_id": started["task_id"],
            "status": "started",
        }
        phone.until("turn_complete")
        phone.works()
        (tmp_path / "gate").touch()
        over = phone.until("async_task_complete")
        assert over["task_id"] == started["task_id"]
        assert over["result"]["success"] is True
        assert said(phone) == TOLD
        [progress] = [each for each in phone.heard if each["type"] == "async_task_progress"]
        assert (progress["task_id"], progress["fraction"]) == (started["task_id"], 0.5)
        assert types(phone).index("async_task_started") < types(phone).index("function_result")


def test_who_lost_the_line_hears_of_it_when_they_are_back(
    serve_tasks: TaskServe, tmp_path: Path
) -> None:
    with serve_tasks.talking(script=SCRIPT) as (client, _, _):
        with Phone(client.port) as first:
            token = first.start()["session_token"]
            first.say("text", text=f"keep {tmp_path}")
            task = first.until("async_task_started")["task_id"]
            first.until("turn_complete")
        (tmp_path / "gate").touch()
        until_status(client, task, "succeeded")
        with Phone(client.port) as second:
            assert second.start(session_token=token)["resumed"] is True
            assert second.until("async_task_complete")["task_id"] == task
            assert said(second) == TOLD
            second.works()
            assert types(second).count("async_task_complete") == 1


@pytest.mark.parametrize("done", ["before they are back", "while they listen"])
def test_a_restart_in_the_middle_loses_nothing(
    serve_tasks: TaskServe, tmp_path: Path, done: str
) -> None:
    data, work = tmp_path / "data", tmp_path / "work"
    work.mkdir()
    with (
        serve_tasks.talking(script=SCRIPT, data=data) as (client, _, _),
        Phone(client.port) as first,
    ):
        token = first.start()["session_token"]
        first.say("text", text=f"keep {work}")
        task = first.until("async_task_started")["task_id"]
        first.until("turn_complete")
    with serve_tasks.talking(script=SCRIPT, data=data) as (client, _, _):
        if done == "before they are back":
            (work / "gate").touch()
            until_status(client, task, "succeeded")
        with Phone(client.port) as second:
            assert second.start(session_token=token)["resumed"] is True
            (work / "gate").touch()
            over = second.until("async_task_complete")
            assert (over["task_id"], over["status"]) == (task, "succeeded")
            assert said(second) == TOLD
    assert len((work / "done").read_text().splitlines()) == 1
