"""Background tasks of people with rights: begun and gone on with by what they may do today."""

from __future__ import annotations

import asyncio
from functools import partial
from typing import Any

import pytest
from tests.orchestrator.helpers import Workshop, answer, kind
from tests.tasks.world import outcome, registry, until

from antiphon import Orchestrator, Principal
from antiphon.contracts.principal import PrincipalRefused
from antiphon.contracts.rights import Rights, ToolRule
from antiphon.tasks import TaskRunner

pytestmark = pytest.mark.real_time

CALL = frozenset({"tools.call"})
ALL = Rights(CALL, (ToolRule(("*",)),))


class Desk:
    """One person, whose rights change while nobody is there; None: they are gone."""

    def __init__(self) -> None:
        self.rights: Rights | None = ALL
        self.work = Workshop()

    async def look_up(self, user: str, credential: str) -> Principal:
        assert credential == "t1"
        if self.rights is None:
            raise PrincipalRefused("The token was revoked.")
        return Principal(user, rights=self.rights, credential=credential)

    def node(self, url: str) -> Orchestrator:
        return Orchestrator(
            registry(),
            store=url,
            capabilities={"workspace": self.work},
            environment={},
            tasks=partial(TaskRunner, at_once=1),
            principals=self.look_up,
        )


async def cut_short(desk: Desk, url: str) -> tuple[str, str]:
    """Two tasks that a stop of the server leaves: one begun, and one that was not."""

    async def forever(args: Any, context: Any) -> Any:
        await asyncio.Event().wait()

    desk.work.does("keep_safely", forever)
    async with desk.node(url) as orchestrator:
        principal = Principal("ada", rights=ALL, credential="t1")
        session = orchestrator.session("text", principal=principal)
        first = await answer(session, "keep_safely", {"text": "1"})
        second = await answer(session, "keep_safely", {"text": "2"})
        await until(lambda: desk.work.started)
        await orchestrator.save(session)
    desk.work.scripts.clear()
    return first["data"]["task_id"], second["data"]["task_id"]


async def outcomes(desk: Desk, url: str, tasks: tuple[str, str]) -> list[str]:
    async with desk.node(url) as orchestrator:
        found = [(await outcome(orchestrator, each)).envelope for each in tasks]
        return [kind(each) for each in found if each is not None]


async def test_tasks_go_on_after_a_restart_for_who_may_still_make_them(sqlite_url: str) -> None:
    desk = Desk()
    tasks = await cut_short(desk, sqlite_url)
    assert await outcomes(desk, sqlite_url, tasks) == ["ok", "ok"]
    assert desk.work.count("keep_safely") == 2


@pytest.mark.parametrize(
    ("rights", "said"),
    [
        (None, "AUTH"),
        (Rights(CALL, (ToolRule(("look",)),)), "NOT_FOUND"),
        (Rights(CALL, (ToolRule(("*",), when="args.text == '9'"),)), "AUTH"),
    ],
)
async def test_a_task_whose_right_is_gone_is_not_gone_on_with(
    sqlite_url: str, rights: Rights | None, said: str
) -> None:
    desk = Desk()
    tasks = await cut_short(desk, sqlite_url)
    desk.rights = rights
    assert await outcomes(desk, sqlite_url, tasks) == [said, said]
    assert desk.work.effects == []


async def test_calls_that_a_task_makes_are_held_to_the_rights_of_their_moment(
    sqlite_url: str,
) -> None:
    desk = Desk()
    desk.rights = Rights(CALL, (ToolRule(("parent_task",)),))
    async with desk.node(sqlite_url) as orchestrator:
        principal = Principal("ada", rights=desk.rights, credential="t1")
        session = orchestrator.session("text", principal=principal)
        started = await answer(session, "parent_task", {"text": "a"})
        envelope = (await outcome(orchestrator, started)).envelope
        assert envelope is not None
        assert kind(envelope["data"]["inner"]) == "NOT_FOUND"
    assert desk.work.effects == []
