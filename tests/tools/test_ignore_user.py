"""ignore_user: who is told, who is kept out and for how long, and what ends."""

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
from antiphon.contracts import envelope_problems

pytestmark = pytest.mark.real_time

TOOLS = Path(antiphon.__file__).parent / "tools"
NOW = 1772548200.0  # 2026-03-03T14:30:00Z
SECOND_OFFENCE = {
    "duration_seconds": 60,
    "farewell_message": "I don't tolerate disrespect. This conversation is over.",
}
EXTREME_ABUSE = {
    "duration_seconds": 86400,
    "farewell_message": "That behavior is completely unacceptable. You're blocked for 24 hours.",
}
OTHER = {"value": "2026-03-03T13:30:00Z"}
Message = dict[str, Any]


class Clock:
    def __init__(self) -> None:
        self.time = NOW

    def __call__(self) -> float:
        return self.time


@pytest.fixture(scope="module")
def registry() -> Registry:
    return Registry.load(shipped_artifact())


@pytest.fixture
def clock() -> Clock:
    return Clock()


def run(work: Coroutine[Any, Any, None]) -> None:
    asyncio.run(work)


async def call(session: Any, args: dict[str, Any], id: str = "call_000000001") -> dict[str, Any]:
    envelope = await session.dispatch(ToolCall(id, "ignore_user", args))
    assert envelope_problems(envelope) == []
    return envelope  # type: ignore[no-any-return]


async def other_tool(session: Any) -> dict[str, Any]:
    envelope = await session.dispatch(ToolCall(None, "format_datetime", OTHER))
    assert envelope_problems(envelope) == []
    return envelope  # type: ignore[no-any-return]


async def audit_events(orchestrator: Any) -> list[dict[str, Any]]:
    await orchestrator.store.flush()
    return [line.data for line in await orchestrator.store.audit_lines()]


@pytest.mark.parametrize("args", [SECOND_OFFENCE, EXTREME_ABUSE])
async def test_in_voice_the_user_is_told_and_the_session_ends_after_the_farewell(
    registry: Registry, clock: Clock, args: dict[str, Any]
) -> None:
    told: list[Message] = []
    async with Orchestrator(registry, "sqlite://", now=clock) as orchestrator:
        session = orchestrator.session("voice", "ada", channel=told.append)
        envelope = await call(session, args)
        until = 1772548200000 + args["duration_seconds"] * 1000
        assert envelope["ok"]
        assert envelope["data"] == {
            "timeoutUntil": until,
            "duration": args["duration_seconds"],
            "reason": "user_blocked",
            "finalMessage": args["farewell_message"],
        }
        assert envelope["intents"] == [
            {"type": "END_VOICE_SESSION", "after": "farewell_spoken"},
            {"type": "SUPPRESS_AUDIO", "value": True},
            {"type": "SUPPRESS_TRANSCRIPT", "value": True},
        ]
        assert told == [
            {
                "type": "timeout",
                "timeoutUntil": until,
                "seconds": args["duration_seconds"],
                "durationSeconds": args["duration_seconds"],
                "farewellMessage": args["farewell_message"],
                "message": args["farewell_message"],
            }
        ]
        assert session.state.get("pending_end_voice_session") == {
            "after": "farewell_spoken",
            "reason": "user_blocked",
            "closingMessage": args["farewell_message"],
            "textResponse": None,
        }
        assert session.state.get("should_suppress_audio") is True


async def test_in_text_there_is_no_voice_session_to_end(registry: Registry, clock: Clock) -> None:
    told: list[Message] = []
    async with Orchestrator(registry, "sqlite://", now=clock) as orchestrator:
        session = orchestrator.session("text", "ada", channel=told.append)
        envelope = await call(session, SECOND_OFFENCE)
        assert envelope["ok"]
        assert envelope["intents"] == [{"type": "SUPPRESS_AUDIO", "value": True}]
        assert session.state.get("pending_end_voice_session") is None
        assert [message["type"] for message in told] == ["timeout"]
        assert orchestrator.blocked_until("ada") == NOW + 60
        events = [line["event"] for line in await audit_events(orchestrator)]
        assert "intent_refused" not in events


@pytest.mark.parametrize("mode", ["text", "voice"])
async def test_until_the_time_is_over_every_session_of_that_user_is_refused(
    registry: Registry, clock: Clock, mode: Any
) -> None:
    async with Orchestrator(registry, "sqlite://", now=clock) as orchestrator:
        elsewhere = orchestrator.session("text", "ada")
        session = orchestrator.session(mode, "ada")
        until = (await call(session, SECOND_OFFENCE))["data"]["timeoutUntil"]
        session.end_turn()
        clock.time = NOW + 59.9
        for each in (
            session,
            elsewhere,
            orchestrator.session("text", "ada"),
            orchestrator.session("voice", "ada"),
        ):
            refused = await other_tool(each)
            assert refused["error"]["type"] == "UNAVAILABLE"
            assert refused["error"]["retryable"] is False
            assert refused["error"]["timeoutUntil"] == until
        assert (await other_tool(orchestrator.session(mode, "grace")))["ok"]
        clock.time = NOW + 60
        assert (await other_tool(elsewhere))["ok"]
        assert (await other_tool(orchestrator.session(mode, "ada")))["ok"]


async def test_a_block_outlives_the_server(
    registry: Registry, clock: Clock, tmp_path: Path
) -> None:
    url = f"sqlite:///{tmp_path / 'antiphon.db'}"

    async with Orchestrator(registry, url, now=clock) as orchestrator:
        await call(orchestrator.session("voice", "ada"), EXTREME_ABUSE)
    clock.time = NOW + 86399
    async with Orchestrator(registry, url, now=clock) as orchestrator:
        session = orchestrator.session("text", "ada")
        refused = await other_tool(session)
        assert refused["error"]["type"] == "UNAVAILABLE"
        assert refused["error"]["timeoutUntil"] == (NOW + 86400) * 1000
        clock.time = NOW + 86400
        assert (await other_tool(session))["ok"]
    async with Orchestrator(registry, url, now=clock) as orchestrator:
        assert (await other_tool(orchestrator.session("text", "ada")))["ok"]


@pytest.mark.parametrize("mode", ["text", "voice"])
async def test_a_user_who_cannot_be_told_is_not_blocked(
    registry: Registry, clock: Clock, mode: Any
) -> None:
    told: list[Message] = []
    closed = True

    def channel(message: Message) -> None:
        if closed:
            raise ConnectionResetError("the socket is closed")
        told.append(message)

    async with Orchestrator(registry, "sqlite://", now=clock) as orchestrator:
        session = orchestrator.session(mode, "ada", channel=channel)
        envelope = await call(session, SECOND_OFFENCE)
        assert envelope["error"]["type"] == "TRANSIENT"
        assert envelope["error"]["retryable"] is True
        assert envelope["error"]["partialSideEffects"] is False
        assert orchestrator.blocked_until("ada") is None
        assert session.state.get("pending_end_voice_session") is None
        assert session.state.get("should_suppress_audio") is False
        assert (await other_tool(session))["ok"]
        events = [line["event"] for line in await audit_events(orchestrator)]
        assert "user_timeout_undelivered" in events
        assert "user_timeout" not in events

        closed = False
        assert (await call(session, SECOND_OFFENCE))["ok"]
        assert len(told) == 1
        assert orchestrator.blocked_until("ada") == NOW + 60


async def test_a_failed_delivery_is_not_tried_twice_by_itself(
    registry: Registry, clock: Clock
) -> None:
    tries: list[Message] = []

    def channel(message: Message) -> None:
        tries.append(message)
        raise BrokenPipeError("gone")

    async with Orchestrator(registry, "sqlite://", now=clock) as orchestrator:
        session = orchestrator.session("text", "ada", channel=channel)
        assert not (await call(session, SECOND_OFFENCE))["ok"]
        assert len(tries) == 1


async def test_the_block_ends_when_the_user_was_told_however_slow_the_channel(
    registry: Registry, clock: Clock
) -> None:
    told: list[Message] = []

    async def channel(message: Message) -> None:
        told.append(message)
        clock.time += 4

    async with Orchestrator(registry, "sqlite://", now=clock) as orchestrator:
        session = orchestrator.session("voice", "ada", channel=channel)
        envelope = await call(session, SECOND_OFFENCE)
        until = told[0]["timeoutUntil"]
        assert until == (NOW + 60) * 1000
        assert envelope["data"]["timeoutUntil"] == until
        assert orchestrator.blocked_until("ada") == NOW + 60


async def test_times_are_whole_milliseconds_on_any_clock(registry: Registry, clock: Clock) -> None:
    clock.time = NOW + 0.1234567
    async with Orchestrator(registry, "sqlite://", now=clock) as orchestrator:
        session = orchestrator.session("text", "ada")
        envelope = await call(session, {**SECOND_OFFENCE, "duration_seconds": 90.5})
        until = envelope["data"]["timeoutUntil"]
        assert type(until) is int
        assert until == 1772548290624
        (message,) = session.drain_messages()
        assert message["timeoutUntil"] == until
        assert message["durationSeconds"] == 90.5
        assert orchestrator.blocked_until("ada") == pytest.approx(until / 1000, abs=1e-5)


async def test_the_same_call_resent_is_answered_from_its_record(
    registry: Registry, clock: Clock
) -> None:
    async with Orchestrator(registry, "sqlite://", now=clock) as orchestrator:
        session = orchestrator.session("voice", "ada")
        first = await call(session, SECOND_OFFENCE)
        clock.time += 10
        again = await call(session, SECOND_OFFENCE)
        renamed = await call(session, SECOND_OFFENCE, "call_000000002")
        assert again["data"] == renamed["data"] == first["data"]
        assert again["meta"]["replayed"] is True
        assert renamed["meta"]["replayed"] is True
        assert len(session.drain_messages()) == 1
        assert orchestrator.blocked_until("ada") == NOW + 60


async def test_of_two_blocks_at_once_the_longer_is_in_force(
    registry: Registry, clock: Clock
) -> None:
    long = {**SECOND_OFFENCE, "duration_seconds": 120}
    for first, second in ((SECOND_OFFENCE, long), (long, SECOND_OFFENCE)):
        async with Orchestrator(registry, "sqlite://", now=clock) as orchestrator:
            one = orchestrator.session("voice", "ada")
            two = orchestrator.session("text", "ada")
            _, later = await asyncio.gather(call(one, first), call(two, second))
            assert orchestrator.blocked_until("ada") == NOW + 120
            assert later["data"]["timeoutUntil"] == (NOW + 120) * 1000
            assert later["data"]["duration"] == second["duration_seconds"]


async def test_after_a_block_is_over_the_user_can_be_blocked_anew(
    registry: Registry, clock: Clock
) -> None:
    async with Orchestrator(registry, "sqlite://", now=clock) as orchestrator:
        session = orchestrator.session("text", "ada")
        await call(session, SECOND_OFFENCE)
        session.end_turn()
        clock.time = NOW + 30
        refused = await call(session, SECOND_OFFENCE, "call_000000002")
        assert refused["error"]["type"] == "UNAVAILABLE"
        assert orchestrator.blocked_until("ada") == NOW + 60
        clock.time = NOW + 60
        assert (await call(session, SECOND_OFFENCE, "call_000000003"))["ok"]
        assert orchestrator.blocked_until("ada") == NOW + 120


@pytest.mark.parametrize(
    ("args", "pointer"),
    [
        ({**SECOND_OFFENCE, "duration_seconds": 29.9}, "/duration_seconds"),
        ({**SECOND_OFFENCE, "duration_seconds": 86401}, "/duration_seconds"),
        ({**SECOND_OFFENCE, "duration_seconds": "60"}, "/duration_seconds"),
        ({**SECOND_OFFENCE, "farewell_message": "x" * 201}, "/farewell_message"),
        ({**SECOND_OFFENCE, "farewell_message": None}, "/farewell_message"),
        ({"duration_seconds": 60}, "/farewell_message"),
        ({"farewell_message": "Bye"}, "/duration_seconds"),
        ({**SECOND_OFFENCE, "reason": "abuse"}, "/reason"),
    ],
)
async def test_invalid_arguments_do_nothing(
    registry: Registry, clock: Clock, args: dict[str, Any], pointer: str
) -> None:
    async with Orchestrator(registry, "sqlite://", now=clock) as orchestrator:
        session = orchestrator.session("voice", "ada")
        envelope = await call(session, args)
        assert envelope["error"]["type"] == "VALIDATION"
        assert [error["pointer"] for error in envelope["error"]["errors"]] == [pointer]
        assert session.drain_messages() == []
        assert orchestrator.blocked_until("ada") is None


@pytest.mark.parametrize(
    "args",
    [
        {"duration_seconds": 30, "farewell_message": "x" * 200},
        {"duration_seconds": 86400, "farewell_message": "Bye"},
    ],
)
async def test_the_limits_themselves_are_allowed(
    registry: Registry, clock: Clock, args: dict[str, Any]
) -> None:
    async with Orchestrator(registry, "sqlite://", now=clock) as orchestrator:
        assert (await call(orchestrator.session("voice", "ada"), args))["ok"]
        assert orchestrator.blocked_until("ada") == NOW + args["duration_seconds"]


@pytest.mark.parametrize("farewell", ["", "  \n"])
async def test_without_a_farewell_the_session_ends_with_the_turn(
    registry: Registry, clock: Clock, farewell: str
) -> None:
    async with Orchestrator(registry, "sqlite://", now=clock) as orchestrator:
        session = orchestrator.session("voice", "ada")
        envelope = await call(session, {"duration_seconds": 60, "farewell_message": farewell})
        assert envelope["data"]["finalMessage"] is None
        pending = session.state.get("pending_end_voice_session")
        assert pending["after"] == "current_turn"
        assert pending["closingMessage"] is None


async def test_an_ended_session_blocks_nobody(registry: Registry, clock: Clock) -> None:
    async with Orchestrator(registry, "sqlite://", now=clock) as orchestrator:
        session = orchestrator.session("voice", "ada")
        await session.end()
        envelope = await call(session, SECOND_OFFENCE)
        assert envelope["error"]["type"] == "SESSION_INACTIVE"
        assert session.drain_messages() == []
        assert orchestrator.blocked_until("ada") is None


async def test_a_session_that_ends_before_the_call_starts_blocks_nobody(
    registry: Registry, clock: Clock
) -> None:
    async with Orchestrator(registry, "sqlite://", now=clock) as orchestrator:
        session = orchestrator.session("voice", "ada")
        answer = asyncio.create_task(call(session, SECOND_OFFENCE))
        await asyncio.sleep(0)  # it is let through, and now being entered in the ledger
        await session.end()
        envelope = await answer
        assert envelope["error"]["type"] == "SESSION_INACTIVE"
        assert envelope["error"]["partialSideEffects"] is False
        assert session.drain_messages() == []
        assert orchestrator.blocked_until("ada") is None


async def test_talking_over_it_does_not_stop_it(registry: Registry, clock: Clock) -> None:
    reached, taken = asyncio.Event(), asyncio.Event()

    async def channel(message: Message) -> None:
        reached.set()
        await taken.wait()

    async with Orchestrator(registry, "sqlite://", now=clock) as orchestrator:
        session = orchestrator.session("voice", "ada", channel=channel)
        answer = asyncio.create_task(call(session, SECOND_OFFENCE))
        await reached.wait()
        session.interrupt()
        assert orchestrator.blocked_until("ada") is None
        taken.set()
        assert (await answer)["ok"]
        assert orchestrator.blocked_until("ada") == NOW + 60


async def test_the_audit_says_who_was_blocked_and_until_when(
    registry: Registry, clock: Clock
) -> None:
    async with Orchestrator(registry, "sqlite://", now=clock) as orchestrator:
        await call(orchestrator.session("voice", "ada"), SECOND_OFFENCE)
        lines = await audit_events(orchestrator)
        (line,) = [line for line in lines if line["event"] == "user_timeout"]
        assert line["user"] == "ada"
        assert line["toolId"] == "ignore_user"
        assert line["details"] == {
            "duration": 60,
            "timeoutUntil": 1772548260000,
            "reason": "tool_invocation",
        }
        (executed,) = [line for line in lines if line["event"] == "tool_execution"]
        assert executed["intents"] == [
            *("END_VOICE_SESSION", "SUPPRESS_AUDIO", "SUPPRESS_TRANSCRIPT")
        ]


def test_the_contract_is_that_of_a_moderating_action(registry: Registry) -> None:
    metadata = registry.metadata("ignore_user")
    expected = {
        "category": "action",
        "sideEffects": "writes",
        "idempotent": False,
        "requiresConfirmation": False,
        "allowedModes": ["text", "voice"],
        "latencyBudgetMs": 1000,
        "interruption": "finish",
    }
    assert {name: metadata[name] for name in expected} == expected


async def test_the_guide_shows_true_results(registry: Registry, clock: Clock) -> None:
    guide = registry.documentation("ignore_user")
    blocks = [json.loads(block) for block in re.findall(r"```json\n(.*?)\n```", guide, re.DOTALL)]
    assert len(blocks) == 4

    async with Orchestrator(registry, "sqlite://", now=clock) as orchestrator:
        for args, data in zip(blocks[::2], blocks[1::2], strict=True):
            user = f"user {args['duration_seconds']}"
            envelope = await call(orchestrator.session("voice", user), args)
            assert envelope["data"] == data
