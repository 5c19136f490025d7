"""`GET /api/vox/status`: which backends can be used, told at once or after asking them."""

from __future__ import annotations

import socket
from typing import Any

from antiphon.emulators.runner import emulate
from antiphon.server.routes.vox_status import VoxStatus

KEY = "sk-secret-0123456789"


def by_name(status: dict[str, Any]) -> dict[str, dict[str, Any]]:
    return {backend["name"]: backend for backend in status["backends"]}


def test_without_any_key_no_backend_is_available_and_each_says_what_to_do(client: Any) -> None:
    reply = client.get("/api/vox/status")
    assert reply.status == 200
    status = reply.json
    VoxStatus.model_validate(status)
    assert list(by_name(status)) == ["local", "gemini", "openai", "claude"]
    assert (status["backend"], status["recorded_days"]) == ("local", None)
    for name, variable in (
        ("gemini", "GEMINI_API_KEY"),
        ("openai", "OPENAI_API_KEY"),
        ("claude", "ANTHROPIC_API_KEY"),
    ):
        assert status[f"{name}_available"] is False
        backend = by_name(status)[name]
        assert (backend["configured"], backend["reachable"]) == (False, False)
        assert f"Set {variable}" in backend["why"]
        assert backend["models"]
        assert {mode for model in backend["models"] for mode in model["modes"]} <= {"text", "voice"}


def test_models_come_from_the_settings(serve: Any) -> None:
    app = serve.app(
        agent={"backend": "openai"},
        voice={"record": True, "record_days": 7},
        providers={"openai": {"api_key": KEY, "model": "gpt-4.1-mini", "voice_model": "my-voice"}},
    )
    with serve.running(app) as client:
        status = client.get("/api/vox/status").json
    assert (status["backend"], status["recorded_days"]) == ("openai", 7)
    openai = by_name(status)["openai"]
    assert (openai["model"], openai["voice_model"]) == ("gpt-4.1-mini", "my-voice")
    assert by_name(status)["claude"]["voice_model"] is None


def test_a_provider_that_takes_the_key_is_reachable_once_it_was_asked(serve: Any) -> None:
    with emulate("anthropic", key=KEY) as emulator:
        claude = {"api_key": KEY, "base_url": emulator.base_url}
        with serve.running(serve.app(providers={"claude": claude})) as client:
            first = client.get("/api/vox/status").json
            asked = client.get("/api/vox/status?probe=true")
            then = client.get("/api/vox/status").json
    assert by_name(first)["claude"]["reachable"] is None  # it does not wait for the network
    assert first["claude_available"] is True  # nothing speaks against it
    assert by_name(asked.json)["claude"]["reachable"] is True
    assert asked.json["claude_available"] is True
    assert by_name(then)["claude"] == by_name(asked.json)["claude"]  # what is known stays known
    assert KEY.encode() not in asked.body


def test_a_refused_key_makes_a_backend_unavailable_and_names_the_variable(serve: Any) -> None:
    with emulate("anthropic", key="another", check=False) as emulator:
        claude = {"api_key": KEY, "base_url": emulator.base_url}
        with serve.running(serve.app(providers={"claude": claude})) as client:
            reply = client.get("/api/vox/status?probe=true")
    found = by_name(reply.json)["claude"]
    assert (found["configured"], found["reachable"]) == (True, False)
    assert "Check ANTHROPIC_API_KEY" in found["why"]
    assert reply.json["claude_available"] is False
    assert KEY.encode() not in reply.body


def test_a_provider_that_says_nothing_holds_nobody_up(serve: Any) -> None:
    with socket.create_server(("127.0.0.1", 0)) as mute:
        claude = {"api_key": KEY, "base_url": f"http://127.0.0.1:{mute.getsockname()[1]}"}
        with serve.running(serve.app(providers={"claude": claude})) as client:
            replies = [client.get("/api/vox/status").json for _ in range(3)]
        # The server has stopped, with a question still under way.
    assert [by_name(reply)["claude"]["reachable"] for reply in replies] == [None] * 3


def test_sessions_in_writing_do_not_count_as_spoken_ones(client: Any) -> None:
    assert client.post("/api/sessions", {"mode": "text"}).status == 201
    assert client.get("/api/vox/status").json["active_sessions"] == 0


def test_a_question_that_makes_no_sense_is_a_problem_document(client: Any) -> None:
    reply = client.get("/api/vox/status?probe=perhaps")
    assert (reply.status, reply.media_type) == (422, "application/problem+json")


def test_a_broken_file_of_models_does_not_keep_the_server_from_starting(
    serve: Any, tmp_path: Any, caplog: Any
) -> None:
    (tmp_path / "models.toml").write_text("[claude]\nmodels = 1\n")
    with serve.running(serve.app(data=tmp_path)) as client:
        assert by_name(client.get("/api/vox/status").json)["claude"]["models"]
    assert "models.toml:2: `claude.models` must be a list of tables" in caplog.text
