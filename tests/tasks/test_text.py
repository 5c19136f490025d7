"""A written conversation and its tasks: the answer now, the outcome in a later turn."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest
from tests.agents.chatting import calls, chat, only, says, step
from tests.orchestrator.helpers import Workshop
from tests.tasks.world import backend, outcome, registry

from antiphon import ok
from antiphon.tasks import TaskRunner

pytestmark = pytest.mark.real_time


async def test_the_outcome_is_told_in_the_next_turn() -> None:
    work, gate = Workshop(), asyncio.Event()

    async def slowly(args: dict[str, Any], context: Any) -> Any:
        await gate.wait()
        return ok({"effect": work.happen("keep", args)})

    work.does("keep", slowly)
    script = [
        step("text", calls(("keep", {"text": "tea"}))),
        step("results", says("I have begun.")),
        step("text", says("It is kept."), text="/tool_result[^§]*effect[^§]*And now\\?/"),
    ]
    async with chat("openai", script, registry=registry(), work=work, tasks=TaskRunner) as talk:
        first = await talk.say("Keep tea")
        (started,) = only(first, "async_task_started")
        (result,) = only(first, "tool_result")
        assert result["envelope"]["data"]["task_id"] == started["task_id"]
        assert first[-1]["message"] == "I have begun."
        gate.set()
        await outcome(talk.orchestrator, started["task_id"])
        second = await talk.say("And now?")
        (over,) = only(second, "async_task_complete")
        assert (over["task_id"], over["result"]["effect"]) == (started["task_id"], 1)
        (late,) = only(second, "late_result")
        assert late["envelope"]["data"] == {"effect": 1}
        assert second[-1]["message"] == "It is kept."


async def test_an_outcome_that_comes_during_the_turn_is_told_in_it() -> None:
    work = Workshop()
    script = [
        step("text", calls(("keep", {"text": "tea"}))),
        step("results", calls(("stay", {"text": "a while"}))),
        step("results", says("I have begun.")),
        step("text", says("It is kept."), text="/tool_result[^§]*effect/"),
    ]
    async with chat("openai", script, registry=registry(), work=work, tasks=TaskRunner) as talk:

        async def until_over(args: dict[str, Any], context: Any) -> Any:
            [task] = await backend(talk.orchestrator).list()
            assert (await outcome(talk.orchestrator, task.id)).status == "succeeded"
            return ok({})

        work.does("stay", until_over)
        events = await talk.say("Keep tea")
        (late,) = only(events, "late_result")
        assert (late["name"], late["envelope"]["data"]["effect"]) == ("keep", 1)
        assert len(only(events, "async_task_complete")) == 1
        assert events[-1]["message"] == "I have begun.\n\nIt is kept."
