"""Users can try a tool of theirs in a session of its own."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from antiphon.registry.scaffold import new_tool
from antiphon.testing import run_real, tool_session

SHIPPED = Path(__file__).parents[2] / "src" / "antiphon" / "tools"


def test_a_tool_is_called_through_every_gate() -> None:
    async def main() -> None:
        async with tool_session(SHIPPED / "format-datetime") as tried:
            envelope = await tried.call({"value": "2026-03-03T14:30:00Z", "style": "iso"})
            assert envelope["data"]["iso"] == "2026-03-03T14:30:00+00:00"
            refused = await tried.call({"valu": 1})
            assert refused["error"]["type"] == "VALIDATION"

    run_real(main())


def test_messages_and_state_can_be_looked_at() -> None:
    async def main() -> None:
        async with tool_session(SHIPPED / "end-voice-session", mode="voice") as tried:
            await tried.call({"closing_message": "Goodbye."})
            assert tried.state["pending_end_voice_session"]["closingMessage"] == "Goodbye."
        async with tool_session(SHIPPED / "start-voice-session") as tried:
            await tried.call({"pending_request": "tell a joke"})
            assert tried.messages[0]["pendingRequest"] == "tell a joke"

    run_real(main())


def test_capabilities_progress_and_confirmations_are_the_testers_own(tmp_path: Path) -> None:
    tool = new_tool("book-room", tmp_path / "tools", category="action")
    schema = json.loads((tool / "schema.json").read_text())
    schema |= {"requiresConfirmation": True, "output": {"type": "object"}}
    (tool / "schema.json").write_text(json.dumps(schema))
    (tool / "handler.py").write_text(
        "from antiphon import ok\n\n\n"
        "async def execute(args, context):\n"
        '    context.progress("looking", 0.5)\n'
        "    context.calendar.append(args)\n"
        '    return ok({"booked": True})\n'
    )
    booked: list[dict[str, object]] = []

    async def main() -> None:
        async with tool_session(tool, calendar=booked) as tried:
            args = _example(tool)
            asked = await tried.call(args)
            assert asked["error"]["type"] == "CONFIRMATION_REQUIRED"
            assert booked == []
            assert (await tried.approve())["ok"]
            assert len(booked) == 1
            assert tried.progress[0]["message"] == "looking"

    run_real(main())


def _example(tool: Path) -> dict[str, object]:
    """Arguments that fit the scaffolded schema."""
    parameters = json.loads((tool / "schema.json").read_text())["parameters"]
    plain = {"string": "text", "integer": 1, "number": 1, "boolean": True}
    return {name: plain[parameters["properties"][name]["type"]] for name in parameters["required"]}


def test_a_tool_that_does_not_build_says_why(tmp_path: Path) -> None:
    tool = new_tool("broken", tmp_path / "tools")
    (tool / "handler.py").write_text("raise RuntimeError('no')\n")

    async def main() -> None:
        async with tool_session(tool):
            raise AssertionError("it must not come this far")

    with pytest.raises(ValueError, match="RuntimeError"):
        run_real(main())
