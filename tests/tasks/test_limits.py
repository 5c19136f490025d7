"""Background tasks and calls of somebody who is held to limits."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from functools import partial
from pathlib import Path
from typing import Any

import pytest
from tests.orchestrator.helpers import Workshop, answer, kind
from tests.tasks.world import backend, outcome, registry

from antiphon import Orchestrator, Principal, ok
from antiphon.contracts.limits import LimitRefused
from antiphon.limits.book import LimitBook
from antiphon.limits.limiter import Limiter
from antiphon.tasks import TaskRunner

pytestmark = pytest.mark.real_time

ANN, BEN, ZOE = Principal("ann"), Principal("ben"), Principal("zoe", organisation="shop")


@asynccontextmanager
async def limited(
    url: str,
    work: Workshop,
    user: Mapping[str, float | None],
    organisation: Mapping[str, float | None] | None = None,
) -> AsyncIterator[Orchestrator]:
    async with Orchestrator(
        registry(),
        store=url,
        capabilities={"workspace": work},
        environment={},
        tasks=partial(TaskRunner, at_once=8),
    ) as orchestrator:
        store = orchestrator.store
        orchestrator.limits = Limiter(
            LimitBook(store),
            user=user,
            organisation=organisation or {},
            record=store.append_audit,
        )
        yield orchestrator


async def test_so_many_tasks_of_a_user_and_an_organisation_are_under_way(tmp_path: Path) -> None:
    url, work, release = f"sqlite:///{tmp_path}/a.db", Workshop(), asyncio.Event()

    async def wait(args: Any, context: Any) -> Any:
        await release.wait()
        return ok({"done": True})

    work.does("keep_safely", wait)
    async with limited(url, work, {"tasks": 2}, {"tasks": 3}) as orchestrator:
        ann, ben, zoe = (orchestrator.session("text", principal=one) for one in (ANN, BEN, ZOE))
        begun = [await answer(ann, "keep_safely", {"text": str(n)}) for n in range(2)]
        assert all(each["ok"] for each in begun)
        third = await answer(ann, "keep_safely", {"text": "2"})
        assert kind(third) == "RATE_LIMIT"
        assert "`tasks`: 2 background tasks" in third["error"]["message"]
        begun.append(await answer(ben, "keep_safely", {"text": "3"}))
        assert begun[-1]["ok"]
        whole = await answer(ben, "keep_safely", {"text": "4"})
        assert "Your organisation has" in whole["error"]["message"]
        begun.append(await answer(zoe, "keep_safely", {"text": "5"}))
        assert begun[-1]["ok"]
        release.set()
        for each in begun:
            assert (await outcome(orchestrator, each)).status == "succeeded"
        assert await backend(orchestrator).unfinished() == []
        ann.end_turn()
        again = await answer(ann, "keep_safely", {"text": "6"})
        assert (await outcome(orchestrator, again)).status == "succeeded"


async def test_calls_that_a_call_makes_are_counted_with_it(tmp_path: Path) -> None:
    work = Workshop()
    url = f"sqlite:///{tmp_path}/a.db"
    async with limited(url, work, {"calls_per_minute": 2}) as orchestrator:
        session = orchestrator.session("text", principal=ANN)
        assert (await answer(session, "parent", {"text": "1"}))["ok"]
        refused = await answer(session, "stay", {"text": "2"})
        assert (kind(refused), refused["error"]["limit"]) == ("RATE_LIMIT", "calls_per_minute")
        # Nobody is counted in a session of nobody.
        free = orchestrator.session("text", "local")
        for number in range(5):
            assert (await answer(free, "stay", {"text": str(number)}))["ok"]


async def test_sessions_are_counted_where_they_are_opened_and_not_where_they_go_on(
    tmp_path: Path,
) -> None:
    async with limited(f"sqlite:///{tmp_path}/a.db", Workshop(), {"sessions": 2}) as orchestrator:
        first, second = (orchestrator.session("text", principal=ANN) for _ in range(2))
        with pytest.raises(LimitRefused, match="2 open sessions"):
            orchestrator.session("text", principal=ANN)
        orchestrator.session("text", principal=BEN)
        await orchestrator.save(first)
        orchestrator.forget(first)
        orchestrator.session("voice", principal=ANN)
        assert await orchestrator.resume(first.id, principal=ANN) is not None
        with pytest.raises(LimitRefused):
            orchestrator.session("text", principal=ANN)
        await second.end()
        await first.end()
