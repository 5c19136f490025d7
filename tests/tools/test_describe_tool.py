"""describe_tool: the guide of a tool that the session may use, and of no other."""

from __future__ import annotations

from typing import Any

import pytest
from tests.orchestrator.helpers import answer, house, play
from tests.providers.local.world import registry

from antiphon.agents.profiles import load_profile
from antiphon.agents.setup import open_session
from antiphon.contracts import Envelope
from antiphon.contracts.definition import Mode
from antiphon.orchestrator.session import Session


def described(profile: str, tool_id: str, mode: Mode = "text", **fields: Any) -> Envelope:
    async def main() -> Envelope:
        async with house(registry()) as h:
            chosen = load_profile(profile)
            session = open_session(h.orchestrator, mode, chosen, "local", user="ada", **fields)
            return await answer(session, "describe_tool", {"tool_id": tool_id})

    return play(main())


def test_the_guide_and_the_parameters_are_told() -> None:
    data = described("assistant", "calendar-create-event")["data"]
    assert data["tool_id"] == "calendar_create_event"
    assert data["needs_approval"] is True
    assert data["guide"].startswith("# calendar_create_event")
    assert "Ask for them, never invent one." in data["guide"]
    assert "## Phrases" not in data["guide"]
    assert "## Watch Out" in data["guide"]
    title = next(p for p in data["parameters"] if p["name"] == "title")
    assert (title["required"], title["type"], title["maxLength"]) == (True, "string", 200)
    assert title["description"]


def test_only_tools_that_the_session_may_use_are_described() -> None:
    error = described("assistant", "calendar_create_evnt")["error"]
    assert (error["type"], error["nearest"][0]) == ("NOT_FOUND", "calendar_create_event")
    # one of another profile, one of another mode, and one that nobody has
    assert described("assistant", "create_macro")["error"]["type"] == "NOT_FOUND"
    assert described("assistant", "calendar_create_event", "voice")["error"]["nearest"] == []
    assert described("workspace", "calendar_create_event", "voice")["ok"]
    assert described("assistant", "nothing_like_that")["error"]["type"] == "NOT_FOUND"
    # what the catalogue has can be run where the catalogue can
    assert described("workspace", "calculator")["ok"]
    assert described("assistant", "calculator")["error"]["type"] == "NOT_FOUND"


@pytest.mark.virtual_time(patience=0.0)
async def test_it_is_no_lookup_of_the_turn() -> None:
    async with house(registry()) as h:
        session: Session = open_session(
            h.orchestrator, "voice", load_profile("assistant"), "local", user="ada"
        )
        assert (await answer(session, "describe_tool", {"tool_id": "kb_search"}))["ok"]
        assert session.view.turn.retrieval == 0
        assert session.view.turn.total == 1


def test_vox_is_the_34_functions_and_has_guides_instead() -> None:
    assert described("vox", "run_tool")["error"]["type"] == "NOT_FOUND"
    assert "describe_tool" not in (load_profile("vox").tools or ())
    assert load_profile("vox").guides
