"""Macros and awareness over SQLite and over PostgreSQL: kept, changed, found again, pruned."""

from __future__ import annotations

from dataclasses import replace
from types import SimpleNamespace
from typing import Any

import pytest

from antiphon import ErrorType, ToolError
from antiphon.contracts.owners import Owners
from antiphon.storage import Store
from antiphon.workspace.awareness import KEPT_SECONDS, Awareness
from antiphon.workspace.macros import Macros
from antiphon.workspace.runs.journal import RunJournal
from antiphon.workspace.runs.log import RunEvent, RunLog
from antiphon.workspace.schedules import CronTrigger, Schedule, Schedules

pytestmark = pytest.mark.real_time

ANYTHING = SimpleNamespace(
    definition=SimpleNamespace(tool_id="anything", parameters={"type": "object"}),
    validator=SimpleNamespace(argument_errors=lambda _args: []),
)


def tools() -> Any:
    """A registry of one function that takes any arguments."""
    return SimpleNamespace(tools={"anything": ANYTHING}, nearest=lambda _name: [])


STEPS = [{"function": "anything", "args": {"ü": [1, None, "\U0001f600"]}}]


async def test_macros_survive_their_store(store_url: str) -> None:
    async with Store.open(store_url) as store:
        macro = await Macros(store, tools, RunJournal(store)).save(
            "ada", "One", "go", STEPS, key="k"
        )
    async with Store.open(store_url) as store:
        macros = Macros(store, tools, RunJournal(store))
        assert await macros.all("ada") == [macro]
        again = await macros.save("ada", "One more", "go", STEPS, "skip", key="k")
        assert again.id == macro.id
        with pytest.raises(ToolError) as refused:
            await macros.save("ada", "Two", "go", STEPS)
        assert refused.value.type is ErrorType.CONFLICT
        changed = await macros.save("ada", "Two", "go on", STEPS, id=macro.id)
        assert [each.name for each in await macros.all("ada")] == [changed.name]
        await macros.delete("ada", macro.id)
        assert await macros.all("ada") == []


async def test_runs_are_listed_by_pages_with_their_events_and_kept_for_a_month(
    store_url: str,
) -> None:
    now = 1_800_000_000.0
    async with Store.open(store_url) as store:
        log = RunLog(store, now=lambda: now)
        for number in range(5):
            now += 1
            name = "a" if number % 2 else "b"
            await log.begin(
                *(f"s/client:{number}", "s", "ada", "text"),
                kind="macro",
                name=name,
                title=name,
                input="x\0y",
            )
        newest = await log.list(owners=Owners("ada"), limit=2)
        assert [run.call_key for run in newest] == ["client:4", "client:3"]
        older = await log.list(owners=Owners("ada"), before=newest[-1].id)
        assert [run.call_key for run in older] == ["client:2", "client:1", "client:0"]
        assert [run.name for run in await log.list(kind="macro", name="a")] == ["a", "a"]
        assert await log.list(owners=Owners("bob")) == []
        latest = await log.latest(Owners("ada"))
        assert {key[1]: run.call_key for key, run in latest.items()} == {
            "a": "client:3",
            "b": "client:4",
        }
        one = newest[0]
        event = RunEvent(now, "step_started", "1", {"args": {"ü": None}})
        assert await log.add(one.id, [event]) is False
        await log.ask_to_stop(one.id)
        assert await log.add(one.id, []) is True
        await log.end(one.id, "failed", "No\0.", "PERMANENT", {"text": "t"})
        await log.end(one.id, "succeeded")  # too late
        ended = await log.get(one.id)
        assert ended is not None
        assert (ended.status, ended.error, ended.outcome) == ("failed", "No .", {"text": "t"})
        assert [each.event for each in await log.events(one.id)] == ["step_started", "run_finished"]
        now += 31 * 24 * 3600.0
        await log.begin("s/new", "s", "ada", "text", kind="agent", name="c", title="c")
        assert [run.key for run in await log.list()] == ["s/new"]
        assert await log.events(one.id) == []


async def test_a_schedule_moves_on_once(store_url: str) -> None:
    async with Store.open(store_url) as store:
        schedules = Schedules(store, now=lambda: 1_800_000_000.0)
        daily = CronTrigger(type="cron", expression="@daily")
        body = Schedule(
            *("", "ada", {"tenant": "x"}, "macro", "m", "", daily, "Europe/Berlin", "skip", True),
            created_at=0.0,
            updated_at=0.0,
        )
        made = await schedules.save(body, None)
        assert await schedules.all("ada") == [made]
        assert await schedules.advance(made, next_at=1.0, last_at=made.next_at)
        assert not await schedules.advance(made, next_at=2.0)
        assert (await schedules.find("ada", made.id)).next_at == 1.0
        never = CronTrigger(type="cron", expression="0 0 31 2 *")
        with pytest.raises(ToolError, match="never comes"):
            await schedules.save(replace(body, trigger=never), None)
        with pytest.raises(ToolError, match="no schedule"):
            await schedules.delete("bob", made.id)
        await schedules.delete("ada", made.id)
        assert await schedules.enabled() == []


async def test_awareness_is_kept_for_a_day(store_url: str) -> None:
    now = 1_800_000_000.0
    async with Store.open(store_url) as store:
        awareness = Awareness(store, now=lambda: now)
        first = await awareness.record_visit("ada", "tools", {"a": 1})
        error = await awareness.record_error("ada", "network", "No answer.", "tools")
        assert await awareness.record_error("ada", "network", "No answer.", "tools") == error
        await awareness.set_context("ada", "active_graph", "studio")
        await awareness.set_context("ada", "active_graph", "public")
        now += 60
        second = await awareness.record_visit("ada", "vox")
        known = await awareness.recent_activity("ada")
        assert [visit["id"] for visit in known["visits"]] == [second, first]
        assert [visit["seconds"] for visit in known["visits"]] == [0, 60]
        assert known["errors"][0]["times"] == 2
        assert known["context"] == {"active_graph": "public"}
        now += KEPT_SECONDS
        await awareness.set_context("bob", "x", "y")
        assert await awareness.recent_activity("ada") == {
            "project": "",
            "visits": [],
            "errors": [],
            "context": {},
        }
