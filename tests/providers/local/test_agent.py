"""The built-in model behind the text agent: real registry, real gates, real sample knowledge."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator
from contextlib import aclosing, asynccontextmanager
from pathlib import Path
from typing import Any

import pytest
from tests.providers.local.world import TOOLS, provider
from tests.shipped import build_shipped
from tests.tools.kb_world import registry, sample_base

from antiphon import Orchestrator, Registry
from antiphon.agents.profiles import Profile
from antiphon.agents.text import TextAgent
from antiphon.config.settings import ProvidersSettings
from antiphon.knowledge.capability import Knowledge
from antiphon.orchestrator import Session
from antiphon.providers import Backends

pytestmark = pytest.mark.real_time(ignore=("*antiphon-kb-*",), timeout=90)

Event = dict[str, Any]


class Chat:
    """One person and the agent."""

    def __init__(self, agent: TextAgent, orchestrator: Orchestrator) -> None:
        self._agent = agent
        self._orchestrator = orchestrator
        self.id: str | None = None

    @property
    def session(self) -> Session:
        assert self.id is not None
        return self._orchestrator.sessions[self.id]

    async def say(self, text: str | None) -> list[Event]:
        turn = await self._agent.open(text, session_id=self.id)
        self.id = turn.session.id
        async with asyncio.timeout(60), aclosing(turn.events()) as events:
            return [event async for event in events]

    async def message(self, text: str | None) -> str:
        events = await self.say(text)
        assert [event for event in events if event["type"] == "error"] == []
        return str(events[-1]["message"])


@asynccontextmanager
async def chatting(tools: Registry | None = None, *names: str) -> AsyncIterator[Chat]:
    allowed = frozenset(names or TOOLS)
    async with (
        Backends(ProvidersSettings(), local=lambda access: provider()) as backends,
        Orchestrator(
            tools or registry(), "sqlite://", capabilities={"knowledge": Knowledge(sample_base())}
        ) as orchestrator,
    ):
        agent = TextAgent(orchestrator, backends, lambda name: Profile(name, tools=allowed))
        yield Chat(agent, orchestrator)


async def test_a_conversation_goes_on_over_turns_each_with_a_connection_of_its_own() -> None:
    async with chatting() as chat:
        first = await chat.message("Who leads Harbor Light?")
        assert "Kenji Okuhara" in first
        assert "(project:harbor_light)" in first
        second = await chat.message("and when did it start?")
        assert "9 February 2026" in second
        assert await chat.message("Find a LinkedIn profile") == "Which person?"
        assert "https://" in await chat.message("Hugo Brannigan")


async def test_voice_is_asked_for_with_what_the_person_wants() -> None:
    async with chatting() as chat:
        done = (await chat.say("Start voice mode and tell me who leads Keyring"))[-1]
        assert done["startVoiceSession"] is True
        assert "who leads Keyring" in done["pendingRequest"]


async def test_a_blocked_person_hears_the_farewell_of_the_tool_and_nothing_twice() -> None:
    async with chatting() as chat:
        events = await chat.say("Block me for 45 seconds")
        assert [e["name"] for e in events if e["type"] == "tool_call"] == ["ignore_user"]
        (told,) = [e for e in events if e["type"] == "timeout"]
        assert events[-1]["message"] == told["farewellMessage"]


def _confirmed(folder: Path) -> Registry:
    """A tool that writes and asks first, beside the shipped ones."""
    tool = folder / "post-notice"
    tool.mkdir(parents=True)
    schema = {
        "toolId": "post_notice",
        "version": "1.0.0",
        "description": "Post a notice on the board.",
        "category": "action",
        "sideEffects": "writes",
        "origin": "trusted",
        "outside": False,
        "idempotent": False,
        "requiresConfirmation": True,
        "allowedModes": ["text", "voice"],
        "latencyBudgetMs": 500,
        "parameters": {
            "type": "object",
            "additionalProperties": False,
            "required": ["text"],
            "properties": {"text": {"type": "string", "description": "What the notice says."}},
        },
    }
    (tool / "schema.json").write_text(json.dumps(schema))
    (tool / "guide.md").write_text(
        "# post_notice\n\nPuts a notice on the board of the office.\n\n## Phrases\n\n"
        '- "Post a notice: {text}"\n- "Put this on the board: {text}"\n'
    )
    (tool / "handler.py").write_text(
        '"""Posts."""\n\nfrom antiphon import ok\n\n\nasync def execute(args, context):\n'
        '    return ok({"message": "The notice is on the board."})\n'
    )
    return Registry.load(build_shipped(folder / "tool_registry.json", folder))


async def test_what_needs_a_confirmation_is_said_and_its_outcome_told_when_it_comes(
    tmp_path: Path,
) -> None:
    tools = _confirmed(tmp_path / "own")
    async with chatting(tools, *TOOLS, "post_notice") as chat:
        asked = await chat.message("Post a notice: The lift is broken.")
        assert "\u201cThe lift is broken\u201d" in asked
        assert asked.endswith("? Please answer where it is shown.")
        (request,) = chat.session.orchestrator.confirmations.waiting(chat.session)
        await chat.session.confirm(request["id"], request["token"], True)
        assert await chat.message(None) == "The notice is on the board."


async def test_a_denied_confirmation_is_told_as_not_done(tmp_path: Path) -> None:
    tools = _confirmed(tmp_path / "own")
    async with chatting(tools, *TOOLS, "post_notice") as chat:
        await chat.message("Post a notice: The lift is broken.")
        (request,) = chat.session.orchestrator.confirmations.waiting(chat.session)
        await chat.session.confirm(request["id"], request["token"], False)
        assert await chat.message(None) == "Post notice was not done. You did not approve it."


async def test_the_lookups_of_a_turn_stay_within_its_budget() -> None:
    async with chatting() as chat:
        for question in ("Who leads Atlas?", "Why was Rooftop Census stopped?"):
            events = await chat.say(question)
            decisions = [e["decision"]["outcome"] for e in events if e["type"] == "tool_call"]
            assert set(decisions) == {"run"}
