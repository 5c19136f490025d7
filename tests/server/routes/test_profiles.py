"""The profiles and their budgets over HTTP."""

from __future__ import annotations

from pathlib import Path
from typing import Any


def test_the_budgets_in_force_are_those_of_the_rules(client: Any) -> None:
    body = client.get("/api/profiles").json
    assert body["default"] == "assistant"
    assert body["broken"] == []
    found = {profile["name"]: profile for profile in body["profiles"]}
    assert found.keys() == {"assistant", "vox", "workspace"}
    vox = found["vox"]
    assert "navigate_page" in vox["tools"]
    assert "kb_search" not in vox["tools"]
    assert vox["modes"] == {}
    assert found["workspace"]["modes"]["calendar_create_event"] == ["voice"]
    assert (vox["voice"]["backend"], vox["voice"]["model"]) == ("local", "local")
    assert vox["voice"]["voice"] == "Puck"
    assert vox["voice"]["budget"] == {
        "retrieval_calls": 2,
        "total_calls": 3,
        "rounds": None,
        "top_k": 3,
        "tool_time_ms": 1500,
        "write_calls": None,
        "open_questions": 5,
    }
    assert vox["text"]["budget"]["rounds"] == 5
    assert body["limits"]["same_call_limit"] == 3
    assert body["limits"]["confirmation_seconds"] == 300


def test_a_profile_of_ones_own_is_shown_as_it_is_and_a_broken_one_says_why(
    serve: Any, tmp_path: Path
) -> None:
    (tmp_path / "support.toml").write_text(
        'tools = ["kb_search", "nowhere"]\n[voice]\nbackend = "gemini"\ntotal_calls = "none"\n'
    )
    (tmp_path / "odd.toml").write_text("colour = 3\n")
    with serve.running(serve.app(profiles={"folder": tmp_path})) as client:
        body = client.get("/api/profiles").json
    [support] = [profile for profile in body["profiles"] if profile["name"] == "support"]
    assert support["tools"] == ["find_tools", "kb_search"]
    assert support["voice"]["backend"] == "gemini"
    assert support["voice"]["model"].startswith("gemini-")
    assert support["voice"]["budget"]["total_calls"] is None
    assert support["text"]["budget"]["retrieval_calls"] == 5
    [odd] = body["broken"]
    assert odd["name"] == "odd"
    assert "`colour`" in odd["problems"][0]
