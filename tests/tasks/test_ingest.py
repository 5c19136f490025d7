"""The graph functions that ship run as tasks; a text that is being added can be stopped."""

from __future__ import annotations

import asyncio
import threading
from pathlib import Path

import pytest
from tests.scenarios import run_in
from tests.tools.kb_world import World, within

from antiphon.knowledge import KnowledgeBase
from antiphon.knowledge.capability import Knowledge

TEXT = "Greta Lindqvall works for Aurora Labs. Aurora Labs is based in Oslo. " * 20


def test_a_text_is_added_as_a_task_that_says_how_far_it_is(tmp_path: Path) -> None:
    async def scenario(world: World) -> None:
        answer = await world.call("ingest_to_kg", database_id="notes", text=TEXT)
        assert answer["data"].keys() == {"task_id", "status"}
        tasks = world.session.orchestrator.background.backend
        task = await tasks.result(answer["data"]["task_id"], 20)
        assert task.status == "succeeded"
        assert task.envelope["data"]["report"]["complete"]
        assert task.progress["fraction"] == 1
        assert "Writing" in task.progress["message"]

    with KnowledgeBase.open(tmp_path) as base:
        base.create("notes")
        run_in(within(base=base), scenario)


@pytest.mark.real_time(ignore=("*.db*", "*.bin", "*.lock"))
async def test_several_graphs_are_searched_as_a_task() -> None:
    async with within() as world:
        answer = await world.call("cross_kg_search", query="accessibility", limit=2)
        tasks = world.session.orchestrator.background.backend
        task = await tasks.result(answer["data"]["task_id"], 20)
        assert task.envelope["data"]["count"] == 2
        [(call, envelope)] = world.session.drain_late_results()
        assert (call.name, envelope) == ("cross_kg_search", task.envelope)


@pytest.mark.real_time
async def test_what_is_being_added_stops_when_it_is_cancelled_and_the_same_call_completes_it(
    tmp_path: Path,
) -> None:
    async def stopped_and_completed(knowledge: Knowledge) -> None:
        begun, gate, heard = threading.Event(), threading.Event(), []

        def held(done: int, total: int) -> None:
            heard.append((done, total))
            begun.set()
            assert gate.wait(20)

        adding = asyncio.create_task(knowledge.ingest("notes", TEXT, "test", progress=held))
        assert await asyncio.to_thread(begun.wait, 20)
        adding.cancel()
        await asyncio.sleep(0)  # the cancellation arrives, and waits for the thread to end
        assert not adding.done()
        gate.set()
        with pytest.raises(asyncio.CancelledError):
            await adding
        assert heard[-1][0] < heard[-1][1]
        report = await knowledge.ingest("notes", TEXT, "test")
        assert (report["complete"], report["unchanged"]) == (True, False)
        assert (await knowledge.ingest("notes", TEXT, "test"))["unchanged"]

    with KnowledgeBase.open(tmp_path) as base:
        base.create("notes")
        await stopped_and_completed(Knowledge(base))
