"""end_voice_session: when the session ends, what is said and shown, and where it is refused."""

from __future__ import annotations

import asyncio
import json
import re
from collections.abc import Coroutine
from pathlib import Path
from typing import Any

import pytest
from tests.shipped import shipped_artifact

import antiphon
from antiphon import Orchestrator, Registry, ToolCall
from antiphon.contracts import Envelope, envelope_problems
from antiphon.orchestrator.context import Context

pytestmark = pytest.mark.real_time

TOOLS = Path(antiphon.__file__).parent / "tools"


@pytest.fixture(scope="module")
def registry() -> Registry:
    return Registry.load(shipped_artifact())


def run(work: Coroutine[Any, Any, None]) -> None:
    asyncio.run(work)


async def call(session: Any, args: dict[str, Any], id: str = "call_000000001") -> dict[str, Any]:
    envelope = await session.dispatch(ToolCall(id, "end_voice_session", args))
    assert envelope_problems(envelope) == []
    return envelope  # type: ignore[no-any-return]


@pytest.mark.parametrize(
    ("args", "after", "reason", "closing", "text"),
    [
        ({}, "current_turn", "user_requested", None, None),
        ({"reason": "user_left"}, "current_turn", "user_left", None, None),
        ({"reason": "inactivity"}, "current_turn", "inactivity", None, None),
        ({"closing_message": "Bye!"}, "farewell_spoken", "user_requested", "Bye!", None),
        (
            {"reason": "conversation_complete", "closing_message": "x" * 300},
            "farewell_spoken",
            "conversation_complete",
            "x" * 300,
            None,
        ),
        (
            {"reason": "switch_to_text", "text_response": "y" * 2000},
            "current_turn",
            "switch_to_text",
            None,
            "y" * 2000,
        ),
        (
            {"reason": "switch_to_text", "closing_message": "See chat.", "text_response": "Link"},
            "farewell_spoken",
            "switch_to_text",
            "See chat.",
            "Link",
        ),
        (
            {"closing_message": " ", "text_response": "\n"},
            "current_turn",
            "user_requested",
            None,
            None,
        ),
    ],
)
async def test_the_session_ends_after_the_closing_message_or_the_turn(
    registry: Registry,
    args: dict[str, Any],
    after: str,
    reason: str,
    closing: str | None,
    text: str | None,
) -> None:
    async with Orchestrator(registry, "sqlite://") as orchestrator:
        session = orchestrator.session("voice", "ada")
        envelope = await call(session, args)
        assert envelope["ok"]
        assert envelope["data"] == {
            "reason": reason,
            "finalMessage": closing,
            "textResponse": text,
        }
        assert envelope["intents"] == [{"type": "END_VOICE_SESSION", "after": after}]
        assert session.state.get("pending_end_voice_session") == {
            "after": after,
            "reason": reason,
            "closingMessage": closing,
            "textResponse": text,
        }


async def test_until_its_moment_comes_the_session_is_active_and_audible(registry: Registry) -> None:
    async with Orchestrator(registry, "sqlite://") as orchestrator:
        session = orchestrator.session("voice", "ada")
        await call(session, {"closing_message": "Goodbye!"})
        assert session.state.get("is_active") is True
        assert session.state.get("should_suppress_audio") is False
        assert session.drain_messages() == []
        assert orchestrator.blocked_until("ada") is None


async def test_in_text_mode_it_is_refused(registry: Registry) -> None:
    async with Orchestrator(registry, "sqlite://") as orchestrator:
        session = orchestrator.session("text", "ada")
        error = (await call(session, {}))["error"]
        assert error["type"] == "MODE_RESTRICTED"
        assert error["retryable"] is False
        assert "only available in voice mode" in error["message"]
        assert session.state.get("pending_end_voice_session") is None


def test_it_is_declared_in_voice_mode_only(registry: Registry) -> None:
    def names(mode: Any) -> set[str]:
        return {schema["name"] for schema in registry.provider_schemas("anthropic", mode)}

    assert "end_voice_session" in names("voice")
    assert "end_voice_session" not in names("text")


@pytest.mark.parametrize(
    ("args", "pointer"),
    [
        ({"reason": "bored"}, "/reason"),
        ({"closing_message": "x" * 301}, "/closing_message"),
        ({"text_response": "x" * 2001}, "/text_response"),
        ({"closing_message": None}, "/closing_message"),
        ({"force": True}, "/force"),
    ],
)
async def test_invalid_arguments_end_nothing(
    registry: Registry, args: dict[str, Any], pointer: str
) -> None:
    async with Orchestrator(registry, "sqlite://") as orchestrator:
        session = orchestrator.session("voice", "ada")
        envelope = await call(session, args)
        assert envelope["error"]["type"] == "VALIDATION"
        assert [error["pointer"] for error in envelope["error"]["errors"]] == [pointer]
        assert session.state.get("pending_end_voice_session") is None


async def test_a_farewell_may_be_added_before_the_turn_is_over(registry: Registry) -> None:
    async with Orchestrator(registry, "sqlite://") as orchestrator:
        session = orchestrator.session("voice", "ada")
        await call(session, {})
        await call(session, {"closing_message": "Goodbye!"}, "call_000000002")
        pending = session.state.get("pending_end_voice_session")
        assert pending["after"] == "farewell_spoken"
        assert pending["closingMessage"] == "Goodbye!"


async def test_a_farewell_on_its_way_is_not_replaced_and_the_answer_says_so(
    registry: Registry,
) -> None:
    async with Orchestrator(registry, "sqlite://") as orchestrator:
        session = orchestrator.session("voice", "ada")
        first = await call(
            session,
            {"reason": "switch_to_text", "closing_message": "Bye!", "text_response": "Link"},
        )
        pending = session.state.get("pending_end_voice_session")
        again = await call(session, {"closing_message": "Wait!"}, "call_000000002")
        assert again["ok"]
        assert again["data"] == first["data"]
        assert again["intents"] == []
        assert session.state.get("pending_end_voice_session") == pending
        await orchestrator.store.flush()
        assert await orchestrator.store.audit_lines(event="intent_refused") == []


async def test_the_same_call_resent_is_answered_from_its_record(registry: Registry) -> None:
    async with Orchestrator(registry, "sqlite://") as orchestrator:
        session = orchestrator.session("voice", "ada")
        first = await call(session, {"reason": "inactivity"})
        again = await call(session, {"reason": "inactivity"})
        assert again["meta"]["replayed"] is True
        assert again["data"] == first["data"]


async def test_an_ended_session_cannot_be_ended_again(registry: Registry) -> None:
    async with Orchestrator(registry, "sqlite://") as orchestrator:
        session = orchestrator.session("voice", "ada")
        await session.end()
        error = (await call(session, {}))["error"]
        assert error["type"] == "SESSION_INACTIVE"
        assert error["partialSideEffects"] is False
        assert session.state.get("pending_end_voice_session") is None


@pytest.mark.parametrize("mode", ["text", "voice"])
async def test_the_handler_itself_ends_only_an_active_voice_session(
    registry: Registry, mode: Any
) -> None:
    async def no_calls(session: Any, call: ToolCall, frame: Any) -> Envelope:
        raise AssertionError("it calls no other tool")

    async with Orchestrator(registry, "sqlite://") as orchestrator:
        session = orchestrator.session(mode, "ada")
        if mode == "voice":
            await session.end()
        context = Context(session, "end_voice_session", "key", None, no_calls)
        handler = session.snapshot.tools["end_voice_session"].handler
        result = await handler.execute({"reason": "user_requested"}, context)
        assert result.error["type"] == "SESSION_INACTIVE"
        assert result.intents == []


def test_the_contract_is_voice_only_and_without_side_effects(registry: Registry) -> None:
    metadata = registry.metadata("end_voice_session")
    expected = {
        "category": "utility",
        "sideEffects": "none",
        "idempotent": True,
        "requiresConfirmation": False,
        "allowedModes": ["voice"],
        "latencyBudgetMs": 500,
    }
    assert {name: metadata[name] for name in expected} == expected


async def test_the_guide_shows_true_results(registry: Registry) -> None:
    guide = registry.documentation("end_voice_session")
    blocks = [json.loads(block) for block in re.findall(r"```json\n(.*?)\n```", guide, re.DOTALL)]
    assert len(blocks) == 6

    async with Orchestrator(registry, "sqlite://") as orchestrator:
        for args, data in zip(blocks[::2], blocks[1::2], strict=True):
            envelope = await call(orchestrator.session("voice", "ada"), args)
            assert envelope["data"] == data
