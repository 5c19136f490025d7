"""Schedule runner: due automations begun with their owners' rights, each time once."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable
from typing import Any

from antiphon.contracts import Principal, ToolError
from antiphon.contracts.principal import PrincipalRefused
from antiphon.orchestrator import Orchestrator
from antiphon.orchestrator.principals import UNKNOWN_RIGHTS
from antiphon.server.automation_runs import AutomationRuns
from antiphon.server.http_sessions import SHARED, HttpSessions, is_shared
from antiphon.server.problems import ProblemError
from antiphon.storage import StoreError
from antiphon.workspace.calendar import Calendar
from antiphon.workspace.errors import NotThere
from antiphon.workspace.runs.log import SCHEDULE, UNDER_WAY, LoggedRun
from antiphon.workspace.schedules import EventTrigger, Schedule, Schedules, upcoming

logger = logging.getLogger(__name__)

# How often it looks; a schedule is late by that much at most.
LOOK_SECONDS = 5.0
# Until then a time that has passed was not missed.
GRACE_SECONDS = 60.0
# Events may be moved: how often their times are worked out anew.
EVENTS_SECONDS = 60.0
MOST_WAITING = 100
_UNANSWERED = {
    "denied": "It was not approved.",
    "expired": "Nobody approved it in time.",
    "void": "The question was withdrawn, as the tool has changed.",
}


class ScheduleRunner:
    """Begins what is due, and goes on with runs whose question was answered.

    A run's key is made of its schedule and its time, so that two processes on one store begin it
    once. A schedule whose run is still under way leaves a time out.
    """

    def __init__(
        self,
        orchestrator: Orchestrator,
        schedules: Schedules,
        runs: AutomationRuns,
        sessions: HttpSessions,
        calendars: Callable[[str], Calendar],
    ) -> None:
        self._orchestrator = orchestrator
        self._schedules = schedules
        self._runs = runs
        self._sessions = sessions
        self._calendars = calendars
        self._looked: dict[str, float] = {}  # when the events of a schedule were looked at

    async def keep(self) -> None:
        """Look again and again, until cancelled."""
        while True:
            try:
                await self.tick()
            except (StoreError, ToolError) as error:
                logger.error("schedules could not be looked at and will be again: %s", error)
            await asyncio.sleep(LOOK_SECONDS)

    async def tick(self) -> None:
        """Begin what is due by now, and go on with what was answered."""
        for schedule in await self._schedules.enabled():
            try:
                await self._see_to(schedule)
            except ToolError as error:
                # A calendar that is away, for instance: it is said, and tried again.
                if error.message != schedule.problem:
                    await self._schedules.advance(schedule, problem=error.message)
        for run in await self._runs.journal.log.list(status="waiting", limit=MOST_WAITING):
            await self._answered(run)

    # -- schedules -----------------------------------------------------------------------------

    async def _see_to(self, schedule: Schedule) -> None:
        now = self._orchestrator.now()
        if isinstance(schedule.trigger, EventTrigger):
            schedule = await self._with_events(schedule, now)
        due = schedule.next_at
        if due is None or due > now:
            return
        since = now
        changes: dict[str, Any]
        if now - due > GRACE_SECONDS and schedule.missed == "skip":
            since, changes = now - GRACE_SECONDS, {"problem": None}
        else:
            changes = {"last_at": due, **await self._run(schedule, due)}
        following = await self._next(schedule, max(since, due))
        await self._schedules.advance(schedule, next_at=following, **changes)

    async def _with_events(self, schedule: Schedule, now: float) -> Schedule:
        """Return a schedule with the time of its next event as the calendar has it now."""
        looked = self._looked.get(schedule.id, 0.0)
        due = schedule.next_at is not None and schedule.next_at <= now
        if not due and now - looked < EVENTS_SECONDS:
            return schedule
        settled = schedule.last_at or 0.0
        since = max(settled, schedule.updated_at, now - GRACE_SECONDS)
        if due and schedule.next_at is not None:
            since = min(since, schedule.next_at - 1.0) if schedule.next_at > settled else since
        following = await self._next(schedule, since)
        self._looked[schedule.id] = now
        if following != schedule.next_at or schedule.problem is not None:
            await self._schedules.advance(schedule, next_at=following, problem=None)
            return await self._schedules.find(None, schedule.id)
        return schedule

    async def _next(self, schedule: Schedule, after: float) -> float | None:
        calendar = None
        if isinstance(schedule.trigger, EventTrigger):
            calendar = self._calendars(schedule.organisation)
        found = await upcoming(schedule.trigger, schedule.zone, schedule.user, calendar, after)
        return found[0] if found else None

    async def _run(self, schedule: Schedule, due: float) -> dict[str, Any]:
        """Begin the run of a time; return what the schedule keeps of it."""
        if schedule.last_run is not None:
            before = await self._runs.journal.log.get(schedule.last_run)
            if before is not None and (await self._runs.settled(before)).status in UNDER_WAY:
                return {"problem": "A time was left out, as the run before it was still under way."}
        key = f"{SCHEDULE}:{schedule.id}:{due:.0f}"
        try:
            sessions = await self._sessions_of(schedule)
            run = await self._runs.start(
                sessions, schedule.kind, schedule.name, schedule.input, key
            )
        except PrincipalRefused as refused:
            return {"problem": refused.reason}
        except NotThere as error:
            return {"problem": error.message, "enabled": False}
        except ProblemError as error:
            return {"problem": error.detail}
        return {"last_run": run, "problem": None}

    async def _sessions_of(self, schedule: Schedule) -> HttpSessions:
        """The sessions of the owner of a schedule, with their rights of today. Raises
        PrincipalRefused."""
        if schedule.data is None:
            return self._sessions
        if schedule.credential is None:
            principal = Principal(schedule.user, schedule.data, schedule.organisation)
            return self._sessions.of(principal)
        look_up = self._orchestrator.principals
        if look_up is None:
            raise PrincipalRefused(UNKNOWN_RIGHTS)
        return self._sessions.of(await look_up(schedule.user, schedule.credential))

    # -- questions -----------------------------------------------------------------------------

    async def _answered(self, run: LoggedRun) -> None:
        """Go on with a run that waited for an approval, or end it, once somebody has answered.
        Runs of a conversation are for whoever talks there."""
        full = await self._runs.journal.log.get(run.id)
        request = None if full is None else _request(full.outcome.get("waiting"))
        if full is None or request is None or not is_shared(full.session_id):
            return
        row = await self._orchestrator.store.confirmation(request["id"])
        if row is None or row.status in _UNANSWERED:
            words = _UNANSWERED["expired" if row is None else row.status]
            await self._runs.journal.log.end(full.id, "stopped", words)
        elif row.status == "approved":
            done = await self._orchestrator.store.find(full.session_id, row.key)
            if done is not None and done.envelope:
                try:
                    sessions = await self._sessions_of_run(full)
                except PrincipalRefused as refused:
                    await self._runs.journal.log.end(full.id, "stopped", refused.reason)
                    return
                await self._runs.resume(sessions, full, None, None)

    async def _sessions_of_run(self, run: LoggedRun) -> HttpSessions:
        """The sessions of whoever began a run, with their rights of today. Raises
        PrincipalRefused."""
        if run.session_id in SHARED:
            return self._sessions
        session = await self._orchestrator.resume(run.session_id, shared=True)
        if session is None:
            raise PrincipalRefused("The session in which it ran is over.")
        words = None if session.view.rights is None else await session.renew_principal()
        if words is not None:
            raise PrincipalRefused(words)
        principal = session.principal
        if principal is None or principal.rights is None:
            principal = Principal(run.user, session.data, session.view.fields["organisation"])
        return self._sessions.of(principal)


def _request(waiting: dict[str, Any] | None) -> dict[str, Any] | None:
    """The question that a run waits for, in this macro or inside of one that it runs."""
    while waiting is not None:
        found: dict[str, Any] | None = waiting.get("confirmation_request")
        if found is not None:
            return found
        waiting = waiting.get("inside")
    return None
