"""What a crash or a restart leaves is taken up: once, by whoever is alive."""

from __future__ import annotations

import asyncio
import json
from functools import partial
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import text
from tests.orchestrator.helpers import WRITE, Workshop, answer, built, kind, write_tool
from tests.tasks.lives import SESSION, killed_while_running
from tests.tasks.world import (
    BACKGROUND,
    FOLDER,
    ON_FILES,
    backend,
    listening,
    node,
    outcome,
    registry,
    told,
    until,
)

from antiphon import Orchestrator, ok
from antiphon.contracts.tasks import Task
from antiphon.orchestrator.task_execution import MOST_ATTEMPTS
from antiphon.storage import Store
from antiphon.tasks import TaskRunner, statements

pytestmark = pytest.mark.real_time


def artifact() -> Path:
    path = registry().path
    assert path is not None
    return path


def lines(file: Path) -> list[str]:
    return file.read_text().splitlines() if file.exists() else []


# Of a task that was cut short: how it ends, how often its handler was begun, and came to its end.
ENDS = {
    "safe_on_files": ("succeeded", "ok", 2, 1),
    "read_on_files": ("succeeded", "ok", 2, 1),
    "once_on_files": ("unknown", "OUTCOME_UNKNOWN", 1, 0),
    "known_on_files": ("succeeded", "ok", 1, 0),
}


async def test_killed_and_restarted_tasks_come_to_their_ends(
    store_url: str, tmp_path: Path
) -> None:
    """Run again under the same key where that is safe; asked for, or unknown, where it is not."""
    tasks = killed_while_running(artifact(), store_url, tmp_path, *ENDS)
    for tool in ENDS:
        (tmp_path / tool / "gate").touch()

    async with node(store_url) as orchestrator:
        ended = {tool: await outcome(orchestrator, made) for tool, made in tasks.items()}
        for tool, (status, error, _, _) in ENDS.items():
            task = ended[tool]
            assert task.envelope is not None
            assert (task.status, kind(task.envelope)) == (status, error), tool
            assert task.attempts == 2
            if tool == "known_on_files":
                assert task.envelope["data"] == {"found": f"{SESSION}/{task.key}"}
        # Its person and its model were not there; the session comes back and has it.
        session = await orchestrator.resume(SESSION)
        assert session is not None
        late = {call.name: envelope for call, envelope in session.drain_late_results()}
        assert late == {tool: task.envelope for tool, task in ended.items()}
        messages = session.drain_messages()
        assert {m["type"] for m in messages} == {"async_task_complete"}
        assert {m["task_id"] for m in messages} == set(tasks.values())
        for made in tasks.values():
            await told(orchestrator, made)
    for tool, (_, _, begun, done) in ENDS.items():
        assert len(lines(tmp_path / tool / "begun")) == begun, tool
        assert len(set(lines(tmp_path / tool / "begun"))) == 1  # the same key each time
        assert len(lines(tmp_path / tool / "done")) == done, tool


async def test_a_session_that_is_back_before_the_task_is_over_is_told_at_its_end(
    sqlite_url: str, tmp_path: Path
) -> None:
    tool = "safe_on_files"
    started = killed_while_running(artifact(), sqlite_url, tmp_path, tool)[tool]

    async with node(sqlite_url) as orchestrator:
        session = await orchestrator.resume(SESSION)
        assert session is not None
        messages = listening(session)
        args = {"folder": str(tmp_path / tool)}
        again = await answer(session, tool, args, id=f"call_{tool}")
        assert (again["data"]["task_id"], again["meta"]["replayed"]) == (started, True)
        (tmp_path / tool / "gate").touch()
        await until(lambda: messages and messages[-1]["type"] == "async_task_complete")
        assert messages[-1]["result"]["by"] == SESSION
        [(_, envelope)] = session.drain_late_results()
        assert envelope["data"] == {"by": SESSION}
        await told(orchestrator, started)


async def test_an_orderly_stop_does_not_wait_for_what_can_go_on_later(sqlite_url: str) -> None:
    work = Workshop()

    async def forever(args: dict[str, Any], context: Any) -> Any:
        await asyncio.Event().wait()

    work.does("keep_safely", forever)
    async with node(sqlite_url, work=work, at_once=1) as orchestrator:
        session = orchestrator.session("text", "ada")
        first = await answer(session, "keep_safely", {"text": "1"})
        second = await answer(session, "keep_safely", {"text": "2"})
        await until(lambda: work.started)
    work = Workshop()
    async with node(sqlite_url, work=work) as orchestrator:
        assert [(await outcome(orchestrator, each)).attempts for each in (first, second)] == [
            2,
            1,
        ]
        assert work.count("keep_safely") == 2


async def test_an_orderly_stop_waits_for_what_could_not_go_on(sqlite_url: str) -> None:
    work, gate = Workshop(), asyncio.Event()

    async def slowly(args: dict[str, Any], context: Any) -> Any:
        await gate.wait()
        return ok({"effect": work.happen("keep", args)})

    work.does("keep", slowly)
    async with node(sqlite_url, work=work) as orchestrator:
        started = await answer(orchestrator.session("text", "ada"), "keep")
        await until(lambda: work.started)
        asyncio.get_running_loop().call_later(0.05, gate.set)
    async with node(sqlite_url, work=work) as orchestrator:
        assert (await outcome(orchestrator, started)).status == "succeeded"
    assert work.count("keep") == 1


async def test_the_work_of_a_dead_node_is_taken_over_by_one_survivor(
    store_url: str, tmp_path: Path
) -> None:
    async with node(store_url) as one, node(store_url) as two:
        tool = "safe_on_files"
        tasks = await asyncio.to_thread(killed_while_running, artifact(), store_url, tmp_path, tool)
        started = tasks[tool]
        (tmp_path / tool / "gate").touch()
        # PostgreSQL takes a moment to notice that a client is gone.
        async with asyncio.timeout(60):
            while not (task := await backend(one).get(started)) or not task.finished:
                await asyncio.gather(*(backend(each).resume() for each in (one, two)))
                await asyncio.sleep(0.02)
        assert (task.status, task.attempts) == ("succeeded", 2)
    assert len(lines(tmp_path / "safe_on_files" / "done")) == 1


async def test_what_a_living_node_runs_is_left_to_it(store_url: str) -> None:
    work, gate = Workshop(), asyncio.Event()

    async def slowly(args: dict[str, Any], context: Any) -> Any:
        await gate.wait()
        return ok({"effect": work.happen("keep_safely", args)})

    work.does("keep_safely", slowly)
    async with node(store_url, work=work) as one, node(store_url, work=work) as other:
        started = await answer(one.session("text", "ada"), "keep_safely")
        await until(lambda: work.started)
        await backend(other).resume()
        gate.set()
        task = await outcome(other, started)
        assert (task.attempts, work.count("keep_safely")) == (1, 1)


async def test_the_outcome_of_a_node_that_was_taken_for_dead_does_not_count(
    sqlite_url: str,
) -> None:
    slow, quick, gate = Workshop(), Workshop(), asyncio.Event()

    async def slowly(args: dict[str, Any], context: Any) -> Any:
        await gate.wait()
        return ok({"by": "the one taken for dead"})

    slow.does("keep_safely", slowly)
    quick.does("keep_safely", lambda args, context: ok({"by": "the survivor"}))
    async with node(sqlite_url, work=slow) as one, node(sqlite_url, work=quick) as other:
        started = await answer(one.session("text", "ada"), "keep_safely")
        await until(lambda: slow.started)
        # As if its lock had been lost: the task is nobody's.
        await other.store.run(lambda to: to.execute(text("UPDATE tasks SET owner = ''")))
        await backend(other).resume()
        task = await outcome(other, started)
        gate.set()
        await until(lambda: not one.background.executor.running)  # type: ignore[union-attr]
        again = await backend(other).get(task.id)
        assert again is not None
        assert again.envelope is not None
        assert again.envelope["data"] == {"by": "the survivor"}


async def test_a_session_at_another_node_hears_of_it(store_url: str, tmp_path: Path) -> None:
    async with node(store_url) as one, node(store_url) as other:
        session = one.session("text", "ada")
        await one.save(session)
        started = await answer(session, "keep_safely")
        one.sessions.pop(session.id)  # the person is somewhere else by now
        there = await other.resume(session.id)
        assert there is not None
        await outcome(other, started)
        for _ in range(2):  # twice: it is told once
            await backend(other).resume()
        assert len(there.drain_late_results()) + len(session.drain_late_results()) == 1


async def test_a_task_that_takes_its_process_with_it_is_given_up(sqlite_url: str) -> None:
    work, gate = Workshop(), asyncio.Event()

    async def forever(args: dict[str, Any], context: Any) -> Any:
        await gate.wait()

    work.does("keep_safely", forever)
    async with node(sqlite_url, work=work) as orchestrator:
        started = await answer(orchestrator.session("text", "ada"), "keep_safely")
        await until(lambda: work.started)
    for _ in range(MOST_ATTEMPTS - 1):
        begun = len(work.started)
        async with node(sqlite_url, work=work):
            await until(lambda begun=begun: len(work.started) > begun)
    async with node(sqlite_url, work=work) as orchestrator:
        task = await outcome(orchestrator, started)
        assert task.envelope is not None
        assert (task.status, kind(task.envelope)) == ("unknown", "OUTCOME_UNKNOWN")
        assert f"{MOST_ATTEMPTS} times" in task.envelope["error"]["message"]


@pytest.mark.parametrize("begun", [False, True])
async def test_a_task_whose_tool_has_changed_is_left_for_a_while_and_then_ended(
    sqlite_url: str, tmp_path: Path, begun: bool
) -> None:
    """Another node may have the version that it was made for."""

    now = [1e9]
    store = await asyncio.to_thread(Store.open, sqlite_url)
    folder = tmp_path / "tools"
    write_tool(
        folder, "safe_on_files", handler=ON_FILES, **WRITE, **BACKGROUND, parameters=FOLDER,
        version="9.0.0",
    )  # fmt: skip
    task = Task(
        "t1", "s1", "ada", "text", "safe_on_files", "1.2.3", "1.0.x", "k", None,
        {"folder": str(tmp_path)}, "", 1, "agent",
    )  # fmt: skip
    task.created_at = task.updated_at = now[0]
    task.status = "running" if begun else "queued"
    await store.run(lambda to: statements.insert(to, task, 10))
    async with Orchestrator(
        built(folder), store, tasks=TaskRunner, now=lambda: now[0], environment={}
    ) as orchestrator:
        found = await backend(orchestrator).get("t1")
        assert found is not None
        assert found.owner == ""
        now[0] += 61
        await backend(orchestrator).resume()
        ended = await outcome(orchestrator, "t1")
        assert ended.envelope is not None
        expected = "OUTCOME_UNKNOWN" if begun else "UNAVAILABLE"
        assert kind(ended.envelope) == expected
        assert "changed" in ended.envelope["error"]["message"]
    await store.close()
    assert not (tmp_path / "begun").exists()


@pytest.mark.parametrize("entered", [False, True])
async def test_a_call_cut_short_before_it_was_answered_has_its_task_when_it_comes_again(
    sqlite_url: str, entered: bool
) -> None:
    """The ledger does not know what came of the call, but tasks are known by its key."""

    work = Workshop()
    async with node(sqlite_url, work=work) as orchestrator:
        session = orchestrator.session("text", "ada", id="s1")
        await orchestrator.save(session)
        await outcome(orchestrator, await answer(session, "keep", {"text": "a"}, id="call_0001x"))
    store = await asyncio.to_thread(Store.open, sqlite_url)
    if not entered:
        await store.run(lambda to: to.execute(text("DELETE FROM tasks")))
    unknown = text("UPDATE ledger SET state = 'unknown', envelope = NULL")
    await store.run(lambda to: to.execute(unknown))
    await store.close()
    work = Workshop()
    async with node(sqlite_url, work=work) as orchestrator:
        session_again = await orchestrator.resume("s1")
        assert session_again is not None
        again = await answer(session_again, "keep", {"text": "a"}, id="call_0001x")
        assert kind(again) == "ok"
        assert (await outcome(orchestrator, again)).status == "succeeded"
        assert work.count("keep") == (0 if entered else 1)


async def test_tasks_may_have_a_store_of_their_own(sqlite_url: str, tmp_path: Path) -> None:
    url = f"sqlite:///{tmp_path / 'tasks.db'}"
    made = partial(TaskRunner, url=url)
    work = {"workspace": Workshop()}
    async with Orchestrator(registry(), sqlite_url, tasks=made, capabilities=work) as one:
        started = await answer(one.session("text", "ada"), "keep", {"text": "a"})
        await outcome(one, started)
    async with await asyncio.to_thread(Store.open, url) as store:
        kept = await TaskRunner(store).get(started["data"]["task_id"])
        assert kept is not None
        assert kept.status == "succeeded"
    async with await asyncio.to_thread(Store.open, sqlite_url) as store:
        assert await TaskRunner(store).list() == []


async def test_what_is_over_is_kept_for_a_week(sqlite_url: str) -> None:
    now = [1e9]
    async with Orchestrator(
        registry(),
        sqlite_url,
        tasks=TaskRunner,
        now=lambda: now[0],
        capabilities={"workspace": Workshop()},
    ) as orchestrator:
        started = await answer(orchestrator.session("text", "ada"), "keep", {"text": "a"})
        task = await outcome(orchestrator, started)
        now[0] += 6 * 24 * 3600
        await orchestrator.upkeep()
        assert await backend(orchestrator).get(task.id) is not None
        now[0] += 2 * 24 * 3600
        await orchestrator.upkeep()
        assert await backend(orchestrator).get(task.id) is None


async def test_nested_writes_of_a_task_that_runs_again_happen_once(sqlite_url: str) -> None:
    work, gate = Workshop(), asyncio.Event()

    async def with_effect(args: dict[str, Any], context: Any) -> Any:
        inner = await context.call_tool("keep", {"text": "inner"})
        await gate.wait()
        return ok({"inner": inner["data"]["effect"]})

    work.does("keep_safely", with_effect)
    async with node(sqlite_url, work=work) as orchestrator:
        started = await answer(orchestrator.session("text", "ada"), "keep_safely")
        await until(lambda: work.count("keep") == 1)
        # Its result is durable by the time the outer call waits.
        await until(lambda: len(work.started) == 2)
        await orchestrator.store.flush()
    gate.set()
    async with node(sqlite_url, work=work) as orchestrator:
        task = await outcome(orchestrator, started)
        assert task.envelope is not None
        assert (task.status, task.envelope["data"]) == ("succeeded", {"inner": 1})
        assert (task.attempts, work.count("keep")) == (2, 1)
        assert json.dumps(task.envelope)
