"""A session in which the shipped tools find a calendar and a workspace, at a time of one's own."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from datetime import UTC, datetime, time
from typing import Any

from tests.tools.kb_world import World as Calls
from tests.tools.kb_world import registry

from antiphon import Orchestrator
from antiphon.storage import Store
from antiphon.workspace.calendar import Calendar, CalendarSource, LocalCalendar
from antiphon.workspace.calendar.meetings import MeetingLinks

MONDAY = datetime(2026, 1, 12, 8, tzinfo=UTC)


class World(Calls):
    """`now` may be moved; `messages` is what the person's channel got."""

    calendar: Calendar
    local: LocalCalendar

    def __init__(self, session: Any, messages: list[dict[str, Any]]) -> None:
        super().__init__(session)
        self.messages = messages

    async def confirmed(self, tool: str, /, *, yes: bool = True, **args: Any) -> dict[str, Any]:
        """The envelope after the person has answered."""
        asked = await self.call(tool, **args)
        assert asked["error"]["type"] == "CONFIRMATION_REQUIRED", asked
        (request,) = self.session.orchestrator.confirmations.waiting(self.session)
        envelope: dict[str, Any] = await self.session.confirm(request["id"], request["token"], yes)
        return envelope

    def other(self, user: str) -> World:
        """Another person's session."""
        messages: list[dict[str, Any]] = []
        made = self.session.orchestrator.session("text", user, channel=messages.append)
        world = World(made, messages)
        world.calendar, world.local = self.calendar, self.local
        return world


@asynccontextmanager
async def within(
    *,
    mode: Any = "text",
    now: datetime = MONDAY,
    zone: str = "Europe/Berlin",
    source: CalendarSource | None = None,
    meetings: MeetingLinks | None = None,
    modes: dict[str, tuple[Any, ...]] | None = None,
    day: tuple[time, time] | None = None,
    **capabilities: Any,
) -> AsyncIterator[Any]:
    async with Store.open() as store:
        local = LocalCalendar(store, zone)
        calendar = Calendar(source or local, zone=zone, meetings=meetings, day=day)
        async with Orchestrator(
            registry(),
            "sqlite://",
            capabilities={"calendar": calendar, **capabilities},
            now=now.timestamp,
        ) as orchestrator:
            messages: list[dict[str, Any]] = []
            session = orchestrator.session(mode, "ada", channel=messages.append, modes=modes)
            world = World(session, messages)
            world.calendar, world.local = calendar, local
            yield world
