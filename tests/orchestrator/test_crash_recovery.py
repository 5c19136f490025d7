"""Crash recovery: which calls go on as tasks by themselves, and which stay unknown."""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import Any

from tests.orchestrator.helpers import Workshop, toolbox
from tests.storage.helpers import child, heard, kill

from antiphon import Orchestrator
from antiphon.tasks import TaskRunner

BEGIN = """
from dataclasses import replace
async def main():
    store = Store.open(url)
    for entry in arguments:
        session, key, tool = entry.split(" ")
        row = replace(call(key, session=session), tool_id=tool, args=b'{"text":"tea"}')
        await store.begin(row)
    print("begun", flush=True)
    sys.stdin.readline()
asyncio.run(main())
"""


def house(url: str, work: Workshop, **options: Any) -> Orchestrator:
    capabilities = {"workspace": work}
    return Orchestrator(
        toolbox(), store=url, capabilities=capabilities, environment={}, tasks=TaskRunner, **options
    )


def cut_short(url: str, *entries: str) -> None:
    """Calls that a process had begun when it was killed, in sessions that were saved."""

    async def sessions() -> None:
        async with house(url, Workshop()) as before:
            for name in ("s1", "s2"):
                await before.save(before.session("text", "ada", id=name))

    asyncio.run(sessions())
    process = child(BEGIN, url, *entries)
    assert heard(process) == "begun"
    kill(process)


def test_a_call_of_a_resumable_tool_goes_on_as_a_task_and_is_told(tmp_path: Path) -> None:
    url = f"sqlite:///{tmp_path / 'store.db'}"
    cut_short(url, "s1 provider:call_00000001 put_note")
    work = Workshop()

    async def scenario() -> None:
        async with house(url, work, resumable=["put_note"]) as after:
            assert after.background is not None
            tasks = after.background.backend
            (task,) = await tasks.list()
            done = await tasks.result(task.id, 30.0)
            assert done is not None
            assert done.status == "succeeded"
            assert work.effects == [("put_note", {"text": "tea"})]
            assert work.keys == ["s1/provider:call_00000001"]
            session = await after.resume("s1")
            assert session is not None
            assert session.unknown_outcomes() == []
            ((call, envelope),) = session.drain_late_results()
            assert (call.id, call.args) == ("call_00000001", {"text": "tea"})
            assert envelope["data"]["effect"] == 1

    asyncio.run(scenario())


def test_other_calls_stay_unknown(tmp_path: Path) -> None:
    """One that may not run twice, one of another tool, one whose arguments are secret, one of a
    session that was never saved, and one that another call made."""
    url = f"sqlite:///{tmp_path / 'store.db'}"
    cut_short(
        url,
        "s1 provider:call_00000001 save_note",
        "s1 provider:call_00000002 dim_lights",
        "s1 provider:call_00000003 sign_in",
        "s9 provider:call_00000004 put_note",
        "s2 nested:provider:call_00000005/1 put_note",
    )
    work = Workshop()

    async def scenario() -> None:
        async with house(url, work, resumable=["put_note", "save_note", "sign_in"]) as after:
            assert after.background is not None
            assert await after.background.backend.list() == []
            assert work.started == []
            session = await after.resume("s1")
            assert session is not None
            unknown = [call.name for call, _ in session.unknown_outcomes()]
            assert unknown == ["save_note", "dim_lights", "sign_in"]

    asyncio.run(scenario())


def test_without_tasks_nothing_goes_on_by_itself(tmp_path: Path) -> None:
    url = f"sqlite:///{tmp_path / 'store.db'}"
    cut_short(url, "s1 provider:call_00000001 put_note")

    async def scenario() -> None:
        work = Workshop()
        async with Orchestrator(
            toolbox(), url, capabilities={"workspace": work}, resumable=["put_note"]
        ) as after:
            session = await after.resume("s1")
            assert session is not None
            assert [call.name for call, _ in session.unknown_outcomes()] == ["put_note"]
        assert work.started == []

    asyncio.run(scenario())
