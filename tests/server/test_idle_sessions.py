"""Sessions that nobody uses are in the store alone, and go on from there."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from antiphon.app import Application
from antiphon.config import Settings
from antiphon.contracts import ToolCall
from antiphon.server.idle_sessions import IdleSessions


async def test_idle_sessions_leave_memory_and_go_on_from_the_store(
    serve: Any, tmp_path: Path
) -> None:
    now = [1_000_000.0]
    settings = Settings(data=tmp_path)
    async with Application(settings, serve.registry, now=lambda: now[0]) as application:
        orchestrator = application.orchestrator
        idle = IdleSessions(orchestrator, lambda: application.text_agent, 900.0)
        sessions = [orchestrator.session("text", "ada") for _ in range(50)]
        held = orchestrator.session("text", "ada", channel=lambda message: None)
        voice = orchestrator.session("voice", "ada")
        shared = orchestrator.session("text", "local", id="rest-text", shared=True)
        first = sessions[0]
        await first.dispatch(ToolCall("c1", "format_datetime", {"value": "now"}))
        first.end_turn()
        assert await idle.forget_idle() == 0
        now[0] += 600.0
        await sessions[1].dispatch(ToolCall("c2", "format_datetime", {"value": "now"}))
        now[0] += 600.0
        assert await idle.forget_idle() == 49
        assert set(orchestrator.sessions) == {
            *(sessions[1].id, held.id, voice.id, shared.id),
        }
        again = await orchestrator.resume(first.id)
        assert again is not None
        assert (again.user, again.view.turn.number) == ("ada", 2)
        envelope = await again.dispatch(ToolCall("c3", "format_datetime", {"value": "now"}))
        assert envelope["ok"]
