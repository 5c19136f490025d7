"""Barge-in at every await point: one answer, the right number of effects, nothing left behind."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest
from tests.orchestrator.helpers import (
    House,
    Script,
    answer,
    call,
    house,
    kind,
    settle,
    valid,
)

from antiphon import ErrorType, ToolError, fail, ok
from antiphon.contracts import Envelope
from antiphon.orchestrator.session import Session

pytestmark = pytest.mark.virtual_time(patience=0.0)

AWAITS = 3
HOWS = ("cancel", "finish", "detach")


def stepping(h: House, tool: str, pause: float) -> Script:
    """A handler that waits three times and has its effect after the second."""

    async def script(args: Any, context: Any) -> Any:
        for number in range(AWAITS):
            await asyncio.sleep(pause)
            if number == 1:
                h.work.happen(tool, args)
        return ok({"done": args["text"]})

    return script


async def interrupted(
    h: House, session: Session, tool: str, when: float | int, text: str
) -> tuple[Envelope, list[Envelope], int]:
    """One call with an interruption; its answer, its late answers and how many effects it had.

    `when` is a time, or a number of turns of the event loop.
    """
    made = call(tool, {"text": text})
    before = h.work.count(tool)
    task = asyncio.create_task(_dispatched(session, made))
    if isinstance(when, int):
        await settle(when)
    else:
        await settle(2)
        await h.clock.advance(when)
    session.interrupt()
    envelope = await task
    await h.clock.advance(10)
    await settle()
    late = session.drain_late_results()
    assert all(late_call is made for late_call, _ in late)
    assert session.running == {}
    effects = h.work.count(tool) - before
    # The same call once more: never a second effect after a first.
    again = valid(await session.dispatch(made))
    if effects:
        assert h.work.count(tool) - before == 1 or not tool.startswith("write")
    if envelope["ok"] or late:
        assert again["meta"]["replayed"] is True
    session.interrupt()
    session.end_turn()
    return envelope, [valid(e) for _, e in late], effects


async def _dispatched(session: Session, made: Any) -> Envelope:
    envelope = valid(await session.dispatch(made))
    # A cancellation that was meant for the handler must not reach the caller later.
    task = asyncio.current_task()
    assert task is not None
    assert task.cancelling() == 0
    await asyncio.sleep(0)
    return envelope


def expected(how: str, when: float) -> tuple[str, int]:
    """Answer and effects of a call that is interrupted in the middle of its time."""
    total, effect_at = 0.1 * AWAITS, 0.2
    if how == "finish" or when > total:
        return "ok", 1
    if how == "detach":
        return "IN_PROGRESS", 1
    return "CANCELLED", int(when > effect_at)


@pytest.mark.parametrize("what", ["read", "write"])
@pytest.mark.parametrize("how", HOWS)
async def test_between_the_await_points_of_a_handler(how: str, what: str) -> None:
    async with house() as h:
        tool = f"{what}_{how}"
        session = h.session("voice")
        for number, when in enumerate((0.05, 0.15, 0.25, 0.35)):
            h.work.does(tool, stepping(h, tool, 0.1))
            envelope, late, effects = await interrupted(h, session, tool, when, str(number))
            outcome = expected(how, when)
            assert (kind(envelope), effects) == outcome
            if outcome[0] == "IN_PROGRESS":
                assert [e["data"] for e in late] == [{"done": str(number)}]
                assert late[0]["meta"]["interrupted"] is True
            else:
                assert late == []
            if outcome[0] == "CANCELLED":
                assert envelope["error"]["partialSideEffects"] is (what == "write")
                assert envelope["error"]["retryable"] is False
                assert "the user spoke" in envelope["error"]["message"]
            during = when < 0.3
            assert envelope["meta"].get("interrupted", False) is during


@pytest.mark.parametrize("what", ["read", "write"])
@pytest.mark.parametrize("how", HOWS)
async def test_at_every_turn_of_the_event_loop(how: str, what: str) -> None:
    """Also while the ledger is written, before the handler has begun and after it is done."""

    async with house() as h:
        tool = f"{what}_{how}"
        session = h.session("voice")
        h.work.does(tool, stepping(h, tool, 0.0))
        for turns in range(40):
            envelope, late, effects = await interrupted(h, session, tool, turns, str(turns))
            said = kind(envelope)
            assert said in {"cancel": ("ok", "CANCELLED"), "finish": ("ok",)}.get(
                how, ("ok", "IN_PROGRESS")
            )
            assert len(late) == (1 if said == "IN_PROGRESS" else 0)
            if said == "CANCELLED":
                assert effects <= 1
                if not envelope["error"]["partialSideEffects"] and what == "write":
                    assert effects == 0
            else:
                assert effects == 1
                assert all(e["ok"] for e in late)
        assert (await h.store.verify_audit()).ok


@pytest.mark.parametrize("what", ["read", "write"])
@pytest.mark.parametrize("how", HOWS)
@pytest.mark.parametrize("order", ["before", "after"])
async def test_at_the_very_instant_of_an_await_point(how: str, what: str, order: str) -> None:
    async with house() as h:
        tool = f"{what}_{how}"
        session = h.session("voice")
        loop = asyncio.get_running_loop()
        for number in range(1, AWAITS + 1):
            h.work.does(tool, stepping(h, tool, 0.1))
            made = call(tool, {"text": str(number)})
            if order == "before":
                loop.call_later(0.1 * number, session.interrupt)
            task = asyncio.create_task(_dispatched(session, made))
            await settle(3)
            if order == "after":
                loop.call_later(0.1 * number, session.interrupt)
            envelope = await task
            await h.clock.advance(10)
            late = session.drain_late_results()
            assert kind(envelope) in ("ok", "CANCELLED", "IN_PROGRESS")
            assert len(late) == (1 if kind(envelope) == "IN_PROGRESS" else 0)
            assert how == "cancel" or kind(envelope) != "CANCELLED"
            assert session.running == {}
            session.end_turn()


@pytest.mark.parametrize(
    ("how", "answered", "effects"),
    [("cancel", "CANCELLED", 0), ("finish", "ok", 1), ("detach", "IN_PROGRESS", 1)],
)
async def test_before_the_ledger_has_taken_a_write(how: str, answered: str, effects: int) -> None:
    """A write that is to be cancelled and has not begun is not begun, and leaves no row."""

    async with house() as h:
        tool = f"write_{how}"
        session = h.session(id="s")
        made = call(tool, {"text": "a"})
        task = asyncio.create_task(_dispatched(session, made))
        await asyncio.sleep(0)
        assert session.running  # it is on its way to the ledger
        session.interrupt()
        envelope = await task
        await h.clock.advance(1)
        assert kind(envelope) == answered
        assert h.work.count(tool) == effects
        assert len(await h.store.ledger("s")) == effects
        if answered == "CANCELLED":
            assert envelope["error"]["partialSideEffects"] is False
            assert h.work.started == []
            assert kind(valid(await session.dispatch(made))) == "ok"
            assert h.work.count(tool) == 1


async def test_an_interruption_without_a_call_or_after_it_does_nothing() -> None:
    async with house() as h:
        session = h.session()
        session.interrupt()
        made = call("write_cancel", {"text": "a"})
        first = valid(await session.dispatch(made))
        session.interrupt()
        again = valid(await session.dispatch(made))
        assert kind(first) == kind(again) == "ok"
        assert "interrupted" not in again["meta"]


@pytest.mark.parametrize("what", ["read", "write"])
@pytest.mark.parametrize("how", HOWS)
async def test_a_call_that_the_provider_withdraws_is_treated_as_its_tool_says(
    how: str, what: str
) -> None:
    async with house() as h:
        tool = f"{what}_{how}"
        h.work.does(tool, stepping(h, tool, 0.1))
        session = h.session("voice")
        made, other = call(tool, {"text": "a"}), call("read_finish", {"text": "b"})
        h.work.does("read_finish", stepping(h, "read_finish", 0.1))
        tasks = [asyncio.create_task(session.dispatch(c)) for c in (made, other)]
        await settle(2)
        await h.clock.advance(0.05)
        assert session.cancel(made.id) is True
        assert session.cancel("nobody") is False
        envelopes = [valid(await task) for task in tasks]
        assert kind(envelopes[0]) == {"cancel": "CANCELLED", "finish": "ok"}.get(how, "IN_PROGRESS")
        if how == "cancel":
            assert "withdrawn" in envelopes[0]["error"]["message"]
        assert "interrupted" not in envelopes[1]["meta"]
        await h.clock.advance(1)
        assert session.cancel(made.id) is False


async def test_all_calls_under_way_are_interrupted_each_in_its_own_way() -> None:
    async with house() as h:
        session = h.session()
        tools = [f"{what}_{how}" for what in ("read", "write") for how in HOWS]
        for tool in tools:
            h.work.does(tool, stepping(h, tool, 0.1))
        tasks = [asyncio.create_task(answer(session, tool, {"text": "a"})) for tool in tools]
        await settle(2)
        await h.clock.advance(0.15)
        session.interrupt()
        session.interrupt()
        assert [kind(await task) for task in tasks] == [
            "CANCELLED",
            "ok",
            "IN_PROGRESS",
        ] * 2
        await h.clock.advance(1)
        assert sorted(made.name for made, _ in session.drain_late_results()) == [
            "read_detach",
            "write_detach",
        ]


async def test_a_handler_that_does_not_let_itself_be_stopped_gives_its_answer() -> None:
    async def stubborn(args: Any, context: Any) -> Any:
        try:
            await asyncio.sleep(60)
        except asyncio.CancelledError:
            await asyncio.sleep(0.1)
        return ok({"kept": "going"})

    async with house() as h:
        for tool in ("read_cancel", "write_cancel"):
            h.work.does(tool, stubborn)
            session = h.session("voice")
            task = asyncio.create_task(_dispatched(session, call(tool, {"text": "a"})))
            await settle(2)
            await h.clock.advance(1)
            session.interrupt()
            assert (await task)["data"] == {"kept": "going"}


async def test_a_handler_that_fails_while_it_is_stopped_is_internal() -> None:
    async def failing(args: Any, context: Any) -> Any:
        try:
            await asyncio.sleep(60)
        finally:
            raise ToolError(ErrorType.PERMANENT, "no way back")

    async with house() as h:
        h.work.does("read_cancel", failing)
        session = h.session()
        task = asyncio.create_task(_dispatched(session, call("read_cancel")))
        await settle(2)
        session.interrupt()
        assert kind(await task) == "PERMANENT"


@pytest.mark.parametrize(
    ("tool", "answered"), [("read_cancel", "CANCELLED"), ("read_finish", "TRANSIENT")]
)
async def test_an_interruption_while_a_retry_is_waited_for_prevents_the_retry(
    tool: str, answered: str
) -> None:
    async with house() as h:
        h.work.does(tool, lambda args, context: fail(ErrorType.TRANSIENT, "busy"))
        session = h.session("text")
        task = asyncio.create_task(answer(session, tool, {"text": "a"}))
        await settle(2)
        await h.clock.advance(0.01)
        assert h.work.started == [tool]
        session.interrupt()
        assert kind(await task) == answered
        assert h.work.started == [tool]


async def test_a_call_around_a_call_is_stopped_as_well() -> None:
    ended: list[str] = []

    async with house() as h:

        async def inner(args: Any, context: Any) -> Any:
            try:
                await asyncio.sleep(1)
            finally:
                ended.append("inner")

        async def outer(args: Any, context: Any) -> Any:
            try:
                await context.call_tool("inner")
                h.work.happen("outer", args)
                await asyncio.sleep(1)
            finally:
                ended.append("outer")
            return ok({"never": "reached"})

        h.work.does("inner", inner)
        h.work.does("outer", outer)
        session = h.session()
        task = asyncio.create_task(_dispatched(session, call("outer")))
        await settle(2)
        await h.clock.advance(0.5)
        session.interrupt()
        assert kind(await task) == "CANCELLED"
        assert ended == ["inner", "outer"]
        assert h.work.count("outer") == 0
        assert session.running == {}


async def test_a_nested_write_is_finished_although_the_call_around_it_is_stopped() -> None:
    async with house() as h:
        h.work.does("save_note", stepping(h, "save_note", 0.1))

        async def outer(args: Any, context: Any) -> Any:
            await context.call_tool("save_note", {"text": "a"})
            return ok({})

        h.work.does("outer", outer)
        session = h.session(id="s")
        task = asyncio.create_task(_dispatched(session, call("outer")))
        await settle(2)
        await h.clock.advance(0.05)
        session.interrupt()
        assert kind(await task) == "CANCELLED"
        await h.clock.advance(1)
        await settle()
        assert h.work.count("save_note") == 1
        [row] = await h.store.ledger("s")
        assert row.state == "done"


@pytest.mark.parametrize("what", ["read", "write"])
async def test_a_duplicate_that_waits_is_answered_too(what: str) -> None:
    async with house() as h:
        for how, outcome in zip(HOWS, ("CANCELLED", "ok", "IN_PROGRESS"), strict=True):
            tool = f"{what}_{how}"
            h.work.does(tool, stepping(h, tool, 0.1))
            session = h.session("voice")
            made = call(tool, {"text": "a"})
            tasks = [asyncio.create_task(session.dispatch(made)) for _ in range(3)]
            await settle(2)
            await h.clock.advance(0.05)
            session.interrupt()
            assert [kind(valid(await task)) for task in tasks] == [outcome] * 3
            await h.clock.advance(1)
            assert len(session.drain_late_results()) == (1 if outcome == "IN_PROGRESS" else 0)


async def test_the_end_of_a_session_answers_its_calls_and_finishes_its_writes() -> None:
    async with house() as h:
        session = h.session()
        for tool in ("read_cancel", "write_finish"):
            h.work.does(tool, stepping(h, tool, 0.1))
        tasks = [
            asyncio.create_task(answer(session, tool, {"text": "a"}))
            for tool in ("read_cancel", "write_finish")
        ]
        await settle(2)
        await h.clock.advance(0.05)
        await session.end()
        assert [kind(await task) for task in tasks] == ["CANCELLED", "ok"]
        assert h.work.count("write_finish") == 1


async def test_the_late_result_of_a_write_belongs_to_the_next_turn() -> None:
    async with house() as h:
        h.work.does("write_detach", stepping(h, "write_detach", 0.1))
        session = h.session("voice")
        task = asyncio.create_task(answer(session, "write_detach", {"text": "a"}))
        await settle(2)
        await h.clock.advance(0.05)
        session.interrupt()
        assert kind(await task) == "IN_PROGRESS"
        session.end_turn()
        await h.clock.advance(1)
        [(_, envelope)] = session.drain_late_results()
        assert envelope["data"] == {"done": "a"}
        line = (await h.told(event="tool_execution"))[-1]
        assert line["turnId"] == 1
        assert session.view.turn.tool_ms == 0
