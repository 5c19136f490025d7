"""Stopping a task: what its tool says of interruptions holds."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest
from tests.orchestrator.helpers import Workshop, answer, kind
from tests.tasks.world import backend, node, outcome, until

from antiphon import ok

pytestmark = pytest.mark.real_time


@pytest.mark.parametrize(
    ("tool", "status", "partial"),
    [("look", "cancelled", False), ("keep_until_told", "cancelled", True)],
)
async def test_a_tool_that_may_be_stopped_is_stopped(tool: str, status: str, partial: bool) -> None:
    work, stopped = Workshop(), asyncio.Event()

    async def forever(args: dict[str, Any], context: Any) -> Any:
        try:
            await asyncio.Event().wait()
        finally:
            stopped.set()

    work.does(tool, forever)
    async with node(work=work) as orchestrator:
        session = orchestrator.session("text", "ada")
        started = await answer(session, tool)
        await until(lambda: work.started)
        task = await backend(orchestrator).cancel(started["data"]["task_id"])
        assert task is not None
        assert task.envelope is not None
        assert (task.status, kind(task.envelope)) == (status, "CANCELLED")
        assert task.envelope["error"]["partialSideEffects"] is partial
        assert stopped.is_set()
        [message] = session.drain_messages()
        assert (message["type"], message["status"]) == ("async_task_complete", "cancelled")


async def test_a_tool_that_must_finish_finishes() -> None:
    work, gate = Workshop(), asyncio.Event()

    async def slowly(args: dict[str, Any], context: Any) -> Any:
        await gate.wait()
        return ok({"done": True})

    work.does("keep", slowly)
    async with node(work=work) as orchestrator:
        session = orchestrator.session("text", "ada")
        started = await answer(session, "keep")
        await until(lambda: work.started)
        task = await backend(orchestrator).cancel(started["data"]["task_id"])
        assert task is not None
        assert (task.status, task.cancel_requested) == ("running", True)
        gate.set()
        task = await outcome(orchestrator, started)
        assert task.envelope is not None
        assert (task.status, task.envelope["data"]) == ("succeeded", {"done": True})
        assert task.envelope["meta"]["interrupted"]


async def test_a_task_that_waits_never_begins() -> None:
    work, gate = Workshop(), asyncio.Event()

    async def slowly(args: dict[str, Any], context: Any) -> Any:
        await gate.wait()
        return ok({"effect": work.happen("keep", args)})

    work.does("keep", slowly)
    async with node(work=work, at_once=1) as orchestrator:
        session = orchestrator.session("text", "ada")
        first = await answer(session, "keep", {"text": "1"})
        second = await answer(session, "keep", {"text": "2"})
        task = await backend(orchestrator).cancel(second["data"]["task_id"])
        assert task is not None
        assert task.envelope is not None
        assert (task.status, task.attempts) == ("cancelled", 0)
        assert task.envelope["error"]["partialSideEffects"] is False
        gate.set()
        assert (await outcome(orchestrator, first)).status == "succeeded"
        assert work.count("keep") == 1
        third = await answer(session, "keep", {"text": "3"})  # its place is free again
        assert (await outcome(orchestrator, third)).status == "succeeded"
        lines = await orchestrator.store.audit_lines(event="task_not_run")
        assert [line.data["details"]["taskId"] for line in lines] == [task.id]


async def test_what_is_over_stays_as_it_ended_and_what_is_unknown_is_nothing() -> None:
    async with node() as orchestrator:
        session = orchestrator.session("text", "ada")
        task = await outcome(orchestrator, await answer(session, "keep"))
        again = await backend(orchestrator).cancel(task.id)
        assert again is not None
        assert (again.status, again.cancel_requested) == ("succeeded", False)
        assert await backend(orchestrator).cancel("nobody") is None


async def test_speaking_does_not_stop_a_task() -> None:
    work, gate = Workshop(), asyncio.Event()

    async def slowly(args: dict[str, Any], context: Any) -> Any:
        await gate.wait()
        return ok({})

    work.does("look", slowly)
    async with node(work=work) as orchestrator:
        session = orchestrator.session("voice", "ada")
        started = await answer(session, "look")
        await until(lambda: work.started)
        session.interrupt()
        session.end_turn()
        gate.set()
        assert (await outcome(orchestrator, started)).status == "succeeded"


async def test_a_task_of_another_node_is_stopped_there(store_url: str) -> None:
    work = Workshop()

    async def forever(args: dict[str, Any], context: Any) -> Any:
        await asyncio.Event().wait()

    work.does("look", forever)
    async with node(store_url, work=work) as one, node(store_url) as other:
        started = await answer(one.session("text", "ada"), "look")
        await until(lambda: work.started)
        asked = await backend(other).cancel(started["data"]["task_id"])
        assert asked is not None
        assert (asked.status, asked.cancel_requested) == ("running", True)
        await backend(one).resume()
        assert (await outcome(other, started)).status == "cancelled"
