"""Schedules: due runs begun once, missed ones, events of the calendar, and approvals meanwhile."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from datetime import UTC, datetime, timedelta
from typing import Any

from tests.workspace.vox_world import World, world

from antiphon import Principal
from antiphon.contracts.principal import PrincipalRefused
from antiphon.contracts.rights import Rights, ToolRule
from antiphon.server.automation_runs import AutomationRuns
from antiphon.server.http_sessions import HttpSessions
from antiphon.server.schedule_runner import GRACE_SECONDS, ScheduleRunner
from antiphon.workspace.calendar import Calendar, LocalCalendar, NewEvent
from antiphon.workspace.schedules import CronTrigger, EventTrigger, Schedule

MINUTE, HOUR = 60.0, 3600.0


class Planned:
    """A world with a calendar, a macro of the user `local`, and what runs it at its times."""

    def __init__(self, inside: World, macro: str) -> None:
        self.world, self.macro = inside, macro
        store = inside.orchestrator.store
        self.calendar = Calendar(LocalCalendar(store, "UTC"))
        self.schedules = inside.workspace.schedules
        self.runner = self.new_runner()

    def new_runner(self) -> ScheduleRunner:
        """Of another process, for all that the store knows."""
        orchestrator = self.world.orchestrator
        self.runs = AutomationRuns(orchestrator, lambda _: self.world.workspace)
        sessions = HttpSessions(orchestrator)
        return ScheduleRunner(
            orchestrator, self.schedules, self.runs, sessions, lambda _: self.calendar
        )

    async def add(self, trigger: Any, **more: Any) -> Schedule:
        fields: dict[str, Any] = {"missed": "skip", "enabled": True, "zone": "UTC", **more}
        data = fields.pop("data", None)
        schedule = Schedule(
            "",
            "local",
            data,
            "macro",
            self.macro,
            "",
            trigger,
            created_at=0,
            updated_at=0,
            **fields,
        )
        made: Schedule = await self.schedules.save(schedule, self.calendar)
        return made

    async def at(self, moment: float) -> list[Any]:
        """Look at that time; return the runs that there are by then, over."""
        self.world.clock.jump(moment - self.world.clock.now())
        await self.runner.tick()
        return await self.over()

    async def over(self) -> list[Any]:
        log = self.runs.journal.log
        while True:
            runs = list(await log.list())
            if all(run.status not in ("pending", "running") for run in runs):
                return runs
            await asyncio.sleep(0.01)

    async def event(self, title: str, start: float) -> None:
        begins = datetime.fromtimestamp(start, UTC)
        event = NewEvent("primary", title, begins, begins + timedelta(hours=1))
        await self.calendar.source.create("local", event, f"{title} {start}")


@asynccontextmanager
async def planned(*steps: Any) -> AsyncIterator[Planned]:
    async with world() as inside:
        whole = list(steps) or [{"function": "store_note", "args": {"text": "due"}}]
        macro = await inside.macros.save("local", "Note", "note it", whole)
        yield Planned(inside, macro.id)


HOURLY = CronTrigger(type="cron", expression="0 * * * *")


async def test_what_is_due_runs_once_whoever_looks() -> None:
    async with planned() as it:
        made = await it.add(HOURLY)
        assert made.next_at is not None
        assert await it.at(made.next_at - 1) == []
        other = it.new_runner()
        it.world.clock.jump(2)
        await asyncio.gather(it.runner.tick(), other.tick(), it.runner.tick())
        (run,) = await it.over()
        assert (run.status, run.schedule_id) == ("succeeded", made.id)
        after = await it.schedules.find("local", made.id)
        assert (after.last_at, after.last_run) == (made.next_at, run.id)
        assert after.next_at == made.next_at + HOUR
        assert len(await it.at(after.next_at)) == 2
        assert it.world.made.names.count("store_note") == 2


async def test_it_runs_with_the_rights_that_its_owner_has_by_then() -> None:
    held: dict[str, Rights] = {"t1": Rights(frozenset({"tools.call"}), (ToolRule(("*",)),))}
    asked: list[tuple[str, str]] = []

    async def look_up(user: str, credential: str) -> Principal:
        asked.append((user, credential))
        if credential not in held:
            raise PrincipalRefused("This token was revoked. Ask for a new one.")
        return Principal(user, rights=held[credential], credential=credential)

    async with planned() as it:
        it.world.orchestrator.principals = look_up
        made = await it.add(HOURLY, data={}, credential="t1")
        assert made.next_at is not None
        await it.at(made.next_at)
        assert it.world.made.names.count("store_note") == 1
        assert asked[0] == ("local", "t1")

        held["t1"] = Rights(frozenset({"tools.call"}), (ToolRule(("run_macro",)),))
        *_, run = sorted(await it.at(made.next_at + HOUR), key=lambda run: run.created_at)
        assert run.status == "failed"
        held.clear()
        assert len(await it.at(made.next_at + 2 * HOUR)) == 2
        after = await it.schedules.find("local", made.id)
        assert after.problem == "This token was revoked. Ask for a new one."
        it.world.orchestrator.principals = None
        assert len(await it.at(made.next_at + 3 * HOUR)) == 2
        assert it.world.made.names.count("store_note") == 1


async def test_missed_times_are_skipped_or_made_up_for_once() -> None:
    async with planned() as it:
        skips, once = await it.add(HOURLY), await it.add(HOURLY, missed="run_once")
        assert skips.next_at is not None
        late = skips.next_at + 5 * HOUR + GRACE_SECONDS + 1
        (run,) = await it.at(late)
        assert run.schedule_id == once.id
        for each in (skips, once):
            assert (await it.schedules.find("local", each.id)).next_at == skips.next_at + 6 * HOUR
        # A little late is not missed.
        assert len(await it.at(skips.next_at + 6 * HOUR + GRACE_SECONDS)) == 3


async def test_an_event_is_run_before_and_a_moved_or_deleted_one_is_not() -> None:
    async with planned() as it:
        now = it.world.clock.now()
        before = EventTrigger(type="event", title="stand-up", minutes_before=10)
        made = await it.add(before)
        assert made.next_at is None
        await it.event("Daily Stand-up", now + HOUR)
        await it.event("Lunch", now + HOUR / 2)
        assert await it.at(now + HOUR / 2) == []
        assert (await it.schedules.find("local", made.id)).next_at == now + HOUR - 10 * MINUTE
        assert len(await it.at(now + HOUR - 10 * MINUTE)) == 1
        assert len(await it.at(now + HOUR + MINUTE)) == 1
        # One that is gone by its time is not run.
        await it.event("Stand-up", now + 2 * HOUR)
        await it.at(now + HOUR + 5 * MINUTE)
        found = await it.calendar.occurrences(
            "local",
            datetime.fromtimestamp(now + 2 * HOUR, UTC),
            datetime.fromtimestamp(now + 3 * HOUR, UTC),
        )
        await it.calendar.writable.remove("local", found[0].calendar, found[0].uid, None, None)
        assert len(await it.at(now + 2 * HOUR - 10 * MINUTE)) == 1
        assert (await it.schedules.find("local", made.id)).next_at is None


async def test_a_run_that_asks_goes_on_when_it_was_approved_and_ends_when_not() -> None:
    asks = {"function": "send_note", "args": {"text": "hello"}}
    async with planned(asks, {"function": "store_note", "args": {"text": "after"}}) as it:
        made = await it.add(HOURLY)
        assert made.next_at is not None
        for approve, status in ((True, "succeeded"), (False, "stopped")):
            due = (await it.schedules.find("local", made.id)).next_at
            assert (await it.at(due))[0].status == "waiting"
            (asked,) = await it.world.orchestrator.store.confirmations(status="pending")
            session = it.world.orchestrator.sessions[asked.session_id]
            (request,) = it.world.orchestrator.confirmations.waiting(session)
            # Nobody need be there at that time: the question waits for a day.
            assert asked.expires_at == due + 24 * HOUR
            await session.answer_confirmation(asked.id, request["token"], approve)
            newest, *_ = await it.at(due + 1)
            assert newest.status == status
        assert it.world.made.names == ["send_note", "store_note"]


async def test_what_is_not_there_any_more_is_switched_off_and_says_why() -> None:
    async with planned() as it:
        made = await it.add(HOURLY)
        await it.world.macros.delete("local", it.macro)
        assert await it.at(made.next_at or 0.0) == []
        after = await it.schedules.find("local", made.id)
        assert not after.enabled
        assert "no macro" in (after.problem or "").lower()
