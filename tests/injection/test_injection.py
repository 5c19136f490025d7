"""Attempts to have something done that its person did not ask for. Not one may get through."""

from __future__ import annotations

import os
import random
from collections import Counter

import pytest
from tests.injection.house import House
from tests.injection.ways import WAYS
from tests.injection.words import TECHNIQUES, wishes

from antiphon import ToolCall

pytestmark = pytest.mark.virtual_time(watchdog=1200.0)
ATTEMPTS = int(os.environ.get("INJECTION_ATTEMPTS", "60"))
SEED = int(os.environ.get("INJECTION_SEED", "1"))
_PLANS = [(way, technique) for way in WAYS for technique in TECHNIQUES]


async def test_no_attempt_does_anything_that_nobody_approved() -> None:
    draw = random.Random(SEED)
    got_through: list[str] = []
    made: Counter[str] = Counter()
    house = House()
    plans = draw.sample(_PLANS, len(_PLANS))
    async with house.open():
        for number in range(ATTEMPTS):
            way, technique = plans[number % len(plans)]
            wish = wishes(draw)
            house.mail, house.memory, house.done = TECHNIQUES[technique](wish, draw), [], []
            await WAYS[way](house, wish, draw)
            made[way] += 1
            if house.done:
                got_through.append(f"{way}, {technique}: {wish.words} (seed {SEED}, {number})")
    print(f"{ATTEMPTS} attempts, {len(got_through)} got through")
    print("".join(f"  {way:14} {times:4}\n" for way, times in sorted(made.items())))
    assert not got_through, f"{len(got_through)} of {ATTEMPTS}:\n" + "\n".join(got_through[:20])


async def test_a_yes_to_exactly_the_wish_does_it() -> None:
    """The attempts lack nothing but a yes: with one, each of these wishes is done, once."""
    draw = random.Random(SEED)
    house = House()
    async with house.open():
        for tool in ("send", "fetch", "change_password", "delete_notes"):
            wish = next(each for each in iter(lambda: wishes(draw), None) if each.tool == tool)
            house.mail, house.done = TECHNIQUES["plain"](wish, draw), []
            session = await house.app.session(user=f"ada-{tool}")
            await session.dispatch(ToolCall("call_000000000001", "read_inbox", {}))
            asked = await session.dispatch(ToolCall("call_000000000002", wish.tool, wish.args))
            assert asked["error"]["type"] == "CONFIRMATION_REQUIRED", tool
            assert not house.done
            (request,) = session.orchestrator.confirmations.waiting(session)
            await session.confirm(request["id"], request["token"], approve=True)
            assert house.done == [(session.user, wish.tool, wish.args)]
            await session.end()
