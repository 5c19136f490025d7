"""Further functions of a tool: asked before a call, shown to a person, asked after a crash."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path
from typing import Any

from tests.registry import recoverable_functions as recoverable

from antiphon import Context, ErrorType, Orchestrator, Registry, ToolCall, ToolError, fail, ok, tool

ROOT = Path(__file__).parents[2]

paid: list[int] = []


@tool(side_effects="writes", risk="low")
async def pay(sum: int, purpose: str = "tea") -> dict[str, Any]:
    """Pay a sum.

    Args:
        sum: In euros.
        purpose: What it is for.
    """
    paid.append(sum)
    return {"paid": sum, "purpose": purpose}


@pay.prepare
async def check(sum: int, context: Context) -> None:
    if sum > 100:
        raise ToolError(ErrorType.PERMANENT, f"Too much for {context.session.user}.")


@pay.preview
def show(sum: int) -> dict[str, str]:
    return {"sum": f"{sum} euros and no cents"}


@tool(side_effects="writes", confirm=False, execution="background")
async def plan(place: str, days: int = 2) -> dict[str, Any]:
    """Plan a journey.

    Args:
        place: Where to.
        days: How long.
    """
    return {"place": place, "days": days}


@plan.prepare
def fill_in(days: int) -> dict[str, int]:
    return {"days": days + 1}


async def test_prepare_refuses_before_a_person_is_asked_and_preview_has_the_words() -> None:
    async with Orchestrator(Registry.of(pay)) as orchestrator:
        session = orchestrator.session("text", "ada")
        refused = await session.dispatch(ToolCall(None, "pay", {"sum": 101}))
        asked = await session.dispatch(ToolCall(None, "pay", {"sum": 7}))
    assert refused["error"]["message"] == "Too much for ada."
    assert asked["error"]["type"] == "CONFIRMATION_REQUIRED"
    assert "7 euros and no cents" in str(asked["error"])
    assert paid == []


def test_prepare_may_change_arguments() -> None:
    assert plan.handler.prepare is not None
    assert plan.handler.prepare({"place": "Oslo", "days": 4}, None) == {"place": "Oslo", "days": 5}


async def test_prepare_may_refuse_as_a_handler_does() -> None:
    @tool
    def book(place: str) -> None:
        """Book a table."""

    @book.prepare
    async def check(place: str) -> Any:
        return ok({"place": place.title()}) if place else fail(ErrorType.CONFLICT, "It is closed.")

    async with Orchestrator(Registry.of(book)) as orchestrator:
        session = orchestrator.session("text", "ada")
        refused = await session.dispatch(ToolCall(None, "book", {"place": ""}))
        asked = await session.dispatch(ToolCall(None, "book", {"place": "oslo"}))
    assert (refused["error"]["type"], refused["error"]["message"]) == ("CONFLICT", "It is closed.")
    assert asked["error"]["type"] == "CONFIRMATION_REQUIRED"


async def test_a_call_cut_short_by_a_crash_is_looked_up(tmp_path: Path) -> None:
    url = f"sqlite:///{tmp_path / 'store.db'}"
    command = [sys.executable, "-m", recoverable.__name__, url]
    with subprocess.Popen(command, stdout=subprocess.PIPE, cwd=ROOT) as process:
        assert process.stdout is not None
        assert process.stdout.readline() == b"started\n"
        process.kill()
    async with Orchestrator(Registry.of(recoverable.transfer), store=url) as after:
        session = await after.resume("s1")
        assert session is not None
        answer = await session.dispatch(recoverable.CALL)
    assert answer["data"] == {"result": "5 euros, found by s1/provider:call_00000001"}


def test_reconcile_says_none_where_it_cannot_tell() -> None:
    @tool
    def send(word: str) -> None:
        """Send a word.

        Args:
            word: Any.
        """

    @send.reconcile
    def unsure(key: str) -> None:
        """Know nothing."""

    assert send.handler.reconcile is not None
    assert send.handler.reconcile("k", {"word": "x"}, None) is None
