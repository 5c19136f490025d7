"""The functions and voices of VOX over HTTP."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

NAMES = {
    *("Puck", "Charon", "Kore", "Fenrir", "Aoede", "Leda", "Orus", "Zephyr"),
    *("Achernar", "Algieba", "Autonoe", "Callirrhoe", "Despina", "Enceladus"),
    *("Iapetus", "Sulafat"),
}


@pytest.fixture(scope="module")
def own_functions(workshop: Any, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Any]:
    """A server whose profile of VOX names tools with effects that tests can see."""
    folder: Path = tmp_path_factory.mktemp("profiles")
    tools = '["find", "append_line", "ask_first", "failing", "nowhere"]'
    (folder / "vox.toml").write_text(f'name = "vox"\ntools = {tools}\n')
    with workshop.running(workshop.app(profiles={"folder": folder})) as client:
        yield client


def test_there_are_sixteen_voices(client: Any) -> None:
    voices = client.get("/api/vox/voices").json["voices"]
    assert len(voices) == 16
    assert {voice["id"] for voice in voices} == NAMES
    assert voices[0]["id"] == "Puck"
    assert all(voice.keys() == {"id", "name", "gender", "style"} for voice in voices)


def test_each_backend_has_voices_of_its_own(client: Any) -> None:
    assert client.get("/api/vox/voices?backend=openai").json["voices"][0]["id"] == "marin"
    assert client.get("/api/vox/voices?backend=local").json["voices"] == []
    assert client.get("/api/vox/voices?backend=nobody").status == 422


def test_the_functions_are_those_of_the_profile_that_there_are(client: Any) -> None:
    body = client.get("/api/vox/functions").json
    names = {function["name"] for function in body["functions"]}
    assert body["count"] == len(names)
    assert {"list_kgs", "query_kg", "search_kg"} <= names
    assert "kb_search" not in names
    assert all(f.keys() == {"name", "description", "parameters"} for f in body["functions"])
    [search] = [f for f in body["functions"] if f["name"] == "search_kg"]
    assert search["parameters"]["type"] == "object"
    assert {"database_id", "query"} <= set(search["parameters"]["required"])


def test_a_function_answers_in_the_flat_shape(own_functions: Any) -> None:
    reply = own_functions.post("/api/vox/function/find", {"args": {"query": "ada"}})
    assert reply.status == 200
    assert reply.json == {"name": "find", "result": {"success": True, "results": ["ada"]}}


def test_a_failure_is_told_in_the_flat_shape(own_functions: Any) -> None:
    reply = own_functions.post("/api/vox/function/failing", {"args": {"type": "PERMANENT"}})
    assert reply.status == 200
    result = reply.json["result"]
    assert (result["success"], result["error"]) == (False, "It failed.")
    assert result["error_type"] == "PERMANENT"


def test_arguments_are_checked_as_everywhere(own_functions: Any) -> None:
    result = own_functions.post("/api/vox/function/find", {"args": {"qery": "x"}}).json["result"]
    assert (result["success"], result["error_type"]) == (False, "VALIDATION")
    assert result["errors"]


def test_what_needs_an_approval_is_not_run(own_functions: Any, tmp_path: Path) -> None:
    args = {"file": str(tmp_path / "lines"), "text": "x"}
    result = own_functions.post("/api/vox/function/ask_first", {"args": args}).json["result"]
    assert (result["success"], result["error_type"]) == (False, "CONFIRMATION_REQUIRED")
    assert result["confirmation_request"]["tool"] == "ask_first"
    assert not (tmp_path / "lines").exists()


def test_a_key_makes_a_function_run_once(own_functions: Any, tmp_path: Path) -> None:
    args = {"file": str(tmp_path / "lines"), "text": "x"}
    for _ in range(2):
        reply = own_functions.post(
            "/api/vox/function/append_line", {"args": args}, Idempotency_Key="only-once"
        )
        assert reply.json["result"] == {"success": True, "count": 1}


@pytest.mark.parametrize("name", ["no_such_function", "limited", "nowhere"])
def test_an_unknown_function_is_said_to_be_unknown(own_functions: Any, name: str) -> None:
    """Tools that the profile does not have, and functions without a tool, are unknown too."""
    reply = own_functions.post(f"/api/vox/function/{name}", {"args": {}})
    error = f"Unknown server function: {name}"
    assert reply.json == {"name": name, "result": {"success": False, "error": error}}


def test_a_call_leaves_its_line_in_the_audit(own_functions: Any) -> None:
    own_functions.post("/api/vox/function/find", {"args": {"query": "a needle"}})
    lines = own_functions.get("/api/audit?tool=find&limit=100").json
    assert "a needle" in str(lines)


@pytest.mark.parametrize("body", [[], {"args": []}, {"arguments": {}}])
def test_a_body_of_another_shape_is_refused(own_functions: Any, body: Any) -> None:
    assert own_functions.post("/api/vox/function/find", body).status == 422
