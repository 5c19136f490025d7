"""Projects over HTTP."""

from __future__ import annotations

import json
from datetime import UTC, datetime, timedelta
from typing import Any

PROBLEM = "application/problem+json"


def make(client: Any, name: str, description: str = "") -> dict[str, Any]:
    reply = client.post("/api/projects", {"name": name, "description": description})
    assert reply.status == 201, reply.body
    project: dict[str, Any] = reply.json
    return project


def change(client: Any, id: str, **body: Any) -> Any:
    headers = {"Content-Type": "application/json"}
    return client.send("PUT", f"/api/projects/{id}", headers, json.dumps(body).encode())


def delete(client: Any, id: str) -> Any:
    return client.send("DELETE", f"/api/projects/{id}")


def context(client: Any) -> dict[str, str]:
    known: dict[str, str] = client.get("/api/vox/awareness").json["context"]
    return known


def test_a_project_is_made_read_changed_and_deleted(client: Any) -> None:
    made = make(client, "Lantern", "Light for the yard.")
    assert (made["status"], made["current"]) == ("active", False)
    assert client.get(f"/api/projects/{made['id']}").json == made
    assert client.get("/api/projects/lantern").json == made
    done = change(client, made["id"], status="done", description="").json
    assert (done["name"], done["status"], done["description"]) == ("Lantern", "done", "")
    listed = client.get("/api/projects").json
    assert listed["projects"][0] == done
    assert listed["count"] == len(listed["projects"])
    assert delete(client, made["id"]).json == {"deleted": made["id"]}
    assert client.get(f"/api/projects/{made['id']}").status == 404
    lines = client.get("/api/audit?limit=200").json["lines"]
    noted = [line for line in lines if (line.get("details") or {}).get("project") == made["id"]]
    assert [line["event"] for line in noted] == ["project_saved"] * 2 + ["project_deleted"]


def test_the_current_project_is_what_agents_are_told(client: Any) -> None:
    one, other = make(client, "Kestrel"), make(client, "Heron")
    assert change(client, one["id"], current=True).json["current"] is True
    assert context(client)["active_project"] == "Kestrel"
    assert change(client, one["id"], name="Kestrel Two").json["current"] is True
    assert context(client)["active_project"] == "Kestrel Two"
    change(client, other["id"], current=True)
    current = {p["name"]: p["current"] for p in client.get("/api/projects").json["projects"]}
    assert (current["Kestrel Two"], current["Heron"]) == (False, True)
    assert change(client, one["id"], current=False).json["current"] is False
    assert context(client)["active_project"] == "Heron"
    delete(client, other["id"])
    assert "active_project" not in context(client)
    delete(client, one["id"])


def test_what_cannot_be_saved_says_why(client: Any) -> None:
    made = make(client, "Marble")
    taken = client.post("/api/projects", {"name": "marble"})
    assert (taken.status, taken.media_type) == (409, PROBLEM)
    assert taken.json["project_id"] == made["id"]
    long = client.post("/api/projects", {"name": " ", "description": "x" * 2001})
    assert long.status == 422
    assert [each["pointer"] for each in long.json["errors"]] == ["/name", "/description"]
    assert change(client, made["id"], status="lost").status == 422
    assert change(client, made["id"], colour="red").status == 422


def test_a_slip_in_a_name_is_no_project_to_delete(client: Any) -> None:
    make(client, "Juniper grove")
    reply = delete(client, "juniper%20grov")
    assert reply.status == 404
    assert reply.json["nearest"] == ["Juniper grove"]
    assert client.get("/api/projects/Juniper%20grove").status == 200


def test_what_names_a_project_is_found(client: Any) -> None:
    """In the graph that ships, in the calendar, and among runs; by whole words."""
    make(client, "Atlas")
    tomorrow = (datetime.now(UTC) + timedelta(days=1)).date().isoformat()
    days = {"start_time": tomorrow, "end_time": tomorrow, "all_day": True, "status": "free"}
    for title in ("Atlas standup", "Talk about atlases"):
        assert client.post("/api/calendar/events", {"title": title, **days}).status == 201
    args = {"workflow_name": "session-handoff", "input": "Where atlas stands"}
    task = client.call("run_workflow", args).json["data"]["task_id"]
    found = client.get("/api/projects/atlas/related").json
    assert "project:atlas" in [record["id"] for record in found["records"]]
    assert [each["title"] for each in found["events"]] == ["Atlas standup"]
    assert [(run["kind"], run["task_id"]) for run in found["runs"]] == [("workflow", task)]
    assert found["problems"] == []
