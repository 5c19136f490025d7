"""start_voice_session: what the client is asked, what is handed over, and where it is refused."""

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
Message = dict[str, Any]


@pytest.fixture(scope="module")
def registry() -> Registry:
    return Registry.load(shipped_artifact())


def run(work: Coroutine[Any, Any, None]) -> None:
    asyncio.run(work)


async def call(session: Any, args: dict[str, Any], id: str = "call_000000001") -> dict[str, Any]:
    envelope = await session.dispatch(ToolCall(id, "start_voice_session", args))
    assert envelope_problems(envelope) == []
    return envelope  # type: ignore[no-any-return]


def requested(pending: str | None) -> dict[str, Any]:
    return {
        "voice_session_requested": True,
        "pending_request": pending,
        "message": "Voice session will be activated by client",
    }


@pytest.mark.parametrize(
    ("args", "pending"),
    [
        ({}, None),
        ({"pending_request": ""}, None),
        ({"pending_request": "   "}, None),
        ({"pending_request": "tell me a joke"}, "tell me a joke"),
        ({"pending_request": " tell a joke\n"}, "tell a joke"),
        ({"pending_request": "discuss my project ideas"}, "discuss my project ideas"),
        ({"pending_request": "help me brainstorm"}, "help me brainstorm"),
        ({"pending_request": "x" * 200}, "x" * 200),
    ],
)
async def test_the_client_is_asked_to_start_voice_with_the_pending_request(
    registry: Registry, args: dict[str, Any], pending: str | None
) -> None:
    told: list[Message] = []
    async with Orchestrator(registry, "sqlite://") as orchestrator:
        session = orchestrator.session("text", "ada", channel=told.append)
        envelope = await call(session, args)
        assert envelope["ok"]
        assert envelope["data"] == requested(pending)
        assert envelope["intents"] == []
        (message,) = told
        assert message.pop("sessionId").startswith("voice-")
        assert message == {"type": "voice_session_start", "pendingRequest": pending}


async def test_the_text_session_goes_on(registry: Registry) -> None:
    async with Orchestrator(registry, "sqlite://") as orchestrator:
        session = orchestrator.session("text", "ada")
        before = session.state.snapshot()
        await call(session, {"pending_request": "tell me a joke"})
        assert session.state.snapshot() == before
        other = ToolCall(None, "format_datetime", {"value": "2026-03-03T13:30:00Z"})
        assert (await session.dispatch(other))["ok"]


async def test_in_voice_mode_it_is_refused(registry: Registry) -> None:
    async with Orchestrator(registry, "sqlite://") as orchestrator:
        session = orchestrator.session("voice", "ada")
        envelope = await call(session, {})
        error = envelope["error"]
        assert error["type"] == "MODE_RESTRICTED"
        assert error["retryable"] is False
        assert "only available in text mode" in error["message"]
        assert session.drain_messages() == []


def test_it_is_declared_in_text_mode_only(registry: Registry) -> None:
    def names(mode: Any) -> set[str]:
        return {schema["name"] for schema in registry.provider_schemas("anthropic", mode)}

    assert "start_voice_session" in names("text")
    assert "start_voice_session" not in names("voice")


async def test_the_handler_itself_starts_no_voice_within_voice(registry: Registry) -> None:
    async def no_calls(session: Any, call: ToolCall, frame: Any) -> Envelope:
        raise AssertionError("it calls no other tool")

    async with Orchestrator(registry, "sqlite://") as orchestrator:
        session = orchestrator.session("voice", "ada")
        context = Context(session, "start_voice_session", "key", None, no_calls)
        handler = session.snapshot.tools["start_voice_session"].handler
        result = await handler.execute({"pending_request": ""}, context)
        assert result.error["type"] == "SESSION_ACTIVE"
        assert result.error["retryable"] is False
        assert session.drain_messages() == []


@pytest.mark.parametrize(
    ("args", "pointer"),
    [
        ({"pending_request": "x" * 201}, "/pending_request"),
        ({"pending_request": None}, "/pending_request"),
        ({"request": "tell me a joke"}, "/request"),
    ],
)
async def test_invalid_arguments_ask_nothing_of_the_client(
    registry: Registry, args: dict[str, Any], pointer: str
) -> None:
    async with Orchestrator(registry, "sqlite://") as orchestrator:
        session = orchestrator.session("text", "ada")
        envelope = await call(session, args)
        assert envelope["error"]["type"] == "VALIDATION"
        assert [error["pointer"] for error in envelope["error"]["errors"]] == [pointer]
        assert session.drain_messages() == []


async def test_called_twice_in_a_turn_the_client_is_asked_once(registry: Registry) -> None:
    async with Orchestrator(registry, "sqlite://") as orchestrator:
        session = orchestrator.session("text", "ada")
        first = await call(session, {"pending_request": "tell me a joke"})
        again = await call(session, {"pending_request": "tell me a joke"}, "call_000000002")
        assert again["data"] == first["data"]
        assert again["meta"]["replayed"] is True
        assert len(session.drain_messages()) == 1


async def test_called_again_in_a_later_turn_the_client_is_asked_again(registry: Registry) -> None:
    async with Orchestrator(registry, "sqlite://") as orchestrator:
        session = orchestrator.session("text", "ada")
        await call(session, {})
        session.end_turn()
        assert (await call(session, {}, "call_000000002"))["ok"]
        first, second = session.drain_messages()
        assert first["sessionId"] != second["sessionId"]


@pytest.mark.virtual_time(patience=0.1)
async def test_a_client_that_is_not_ready_is_asked_once_more_for_the_same_session(
    registry: Registry,
) -> None:
    tries: list[Message] = []

    def channel(message: Message) -> None:
        tries.append(message)
        if len(tries) == 1:
            raise ConnectionResetError("not ready")

    async with Orchestrator(registry, "sqlite://") as orchestrator:
        session = orchestrator.session("text", "ada", channel=channel)
        envelope = await call(session, {"pending_request": "tell me a joke"})
        assert envelope["data"] == requested("tell me a joke")
        assert len(tries) == 2
        assert tries[0] == tries[1]


@pytest.mark.virtual_time(patience=0.1)
async def test_a_client_that_is_not_there_leaves_the_text_chat_as_it_was(
    registry: Registry,
) -> None:
    tries: list[Message] = []
    gone = True

    def channel(message: Message) -> None:
        tries.append(message)
        if gone:
            raise BrokenPipeError("gone")

    async with Orchestrator(registry, "sqlite://") as orchestrator:
        session = orchestrator.session("text", "ada", channel=channel)
        envelope = await call(session, {})
        assert envelope["error"]["type"] == "TRANSIENT"
        assert envelope["error"]["retryable"] is True
        assert envelope["error"]["partialSideEffects"] is False
        assert len(tries) == 2
        await orchestrator.store.flush()
        assert await orchestrator.store.audit_lines(event="voice_session_start") == []
        gone = False
        assert (await call(session, {}))["ok"]


async def test_an_ended_session_starts_no_voice(registry: Registry) -> None:
    async with Orchestrator(registry, "sqlite://") as orchestrator:
        session = orchestrator.session("text", "ada")
        answer = asyncio.create_task(call(session, {}))
        await asyncio.sleep(0)  # it is let through, and now being entered in the ledger
        await session.end()
        assert (await answer)["error"]["type"] == "SESSION_INACTIVE"
        envelope = await call(session, {"pending_request": "tell me a joke"}, "call_000000002")
        assert envelope["error"]["type"] == "SESSION_INACTIVE"
        assert session.drain_messages() == []


@pytest.mark.parametrize(("pending", "preview"), [("", None), ("a" * 150, "a" * 100)])
async def test_the_audit_holds_a_preview_of_the_request(
    registry: Registry, pending: str, preview: str | None
) -> None:
    async with Orchestrator(registry, "sqlite://") as orchestrator:
        session = orchestrator.session("text", "ada")
        await call(session, {"pending_request": pending})
        (message,) = session.drain_messages()
        await orchestrator.store.flush()
        (line,) = await orchestrator.store.audit_lines(event="voice_session_start")
        assert line.data["details"] == {
            "voiceSessionId": message["sessionId"],
            "hasPendingRequest": bool(pending),
            "pendingRequestPreview": preview,
        }


def test_the_contract_is_text_only_and_idempotent(registry: Registry) -> None:
    metadata = registry.metadata("start_voice_session")
    expected = {
        "category": "utility",
        "sideEffects": "writes",
        "idempotent": True,
        "requiresConfirmation": False,
        "allowedModes": ["text"],
        "latencyBudgetMs": 500,
    }
    assert {name: metadata[name] for name in expected} == expected


async def test_the_guide_shows_true_results(registry: Registry) -> None:
    guide = registry.documentation("start_voice_session")
    blocks = [json.loads(block) for block in re.findall(r"```json\n(.*?)\n```", guide, re.DOTALL)]
    assert len(blocks) == 6

    async with Orchestrator(registry, "sqlite://") as orchestrator:
        for args, data in zip(blocks[::2], blocks[1::2], strict=True):
            envelope = await call(orchestrator.session("text", "ada"), args)
            assert envelope["data"] == data
