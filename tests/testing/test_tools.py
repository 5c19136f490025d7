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


FRACTIONS = """
from antiphon import Context, ok


async def execute(args: dict, context: Context):
    yield {"message": "begun", "fraction": 0.25, "pages": 2}
    yield "half"
    yield {"fraction": "odd"}
    yield 7
    yield {"message": "nearly", "fraction": 0.9}
    yield ok({"words": [], "total": 0})
"""


@pytest.mark.parametrize("execution", ["server", "background"])
def test_what_a_generator_yields_is_progress_with_its_fraction(
    tmp_path: Path, execution: str
) -> None:
    tool = new_tool("count-words", tmp_path / "tools")
    schema = json.loads((tool / "schema.json").read_text()) | {"execution": execution}
    (tool / "schema.json").write_text(json.dumps(schema))
    (tool / "handler.py").write_text(FRACTIONS)

    async def main() -> None:
        async with tool_session(tool) as tried:
            answer = await tried.call(_example(tool))
            assert (await tried.outcome(answer))["ok"]
            if execution == "server":
                told = [(p["message"], p["fraction"]) for p in tried.progress]
                assert told == [
                    *(("begun", 0.25), ("half", None), ("", None), ("", None), ("nearly", 0.9)),
                ]
                assert tried.progress[0]["pages"] == 2
                assert tried.progress[3]["value"] == 7
                return
            background = tried.session.orchestrator.background
            assert background is not None
            task = await background.backend.get(answer["data"]["task_id"])
            assert task is not None
            assert task.progress is not None
            assert (task.progress["message"], task.progress["fraction"]) == ("nearly", 0.9)
            last = [m for m in tried.messages if m["type"] == "async_task_progress"][-1]
            assert (last["message"], last["fraction"]) == ("nearly", 0.9)

    run_real(main())


CAPABLE = """
from antiphon import Context, ok


async def execute(args: dict, context: Context):
    found = [context.crm.find(7)]
    if "crm" in args["text"]:
        found.append(context.capabilities["crm"].find(8))
    return ok({"words": found, "total": 2})
"""


class Crm:
    def find(self, number: int) -> str:
        return f"customer {number}"


@pytest.mark.parametrize("isolation", ["inline", "process"])
def test_capabilities_of_any_name_reach_handlers(tmp_path: Path, isolation: str) -> None:
    tool = new_tool("find-customer", tmp_path / "tools")
    schema = json.loads((tool / "schema.json").read_text()) | {"isolation": isolation}
    (tool / "schema.json").write_text(json.dumps(schema))
    (tool / "handler.py").write_text(CAPABLE)

    async def main() -> None:
        async with tool_session(tool, crm=Crm()) as tried:
            envelope = await tried.call({"text": "x"})
            assert envelope["data"]["words"] == ["customer 7"], envelope
            if isolation == "process":
                return
            envelope = await tried.call({"text": "crm"})
            assert envelope["data"]["words"] == ["customer 7", "customer 8"]
        async with tool_session(tool) as tried:
            assert (await tried.call({"text": "x"}))["error"]["type"] == "INTERNAL"
        for name in ("session", "call_tool", "_key", "no name"):
            with pytest.raises(ValueError, match="a capability cannot be called"):
                async with tool_session(tool, **{name: Crm()}):
                    pass

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
