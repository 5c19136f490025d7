"""Macros and awareness over SQLite and over PostgreSQL: kept, changed, found again, pruned."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import pytest

from antiphon import ErrorType, ToolError
from antiphon.storage import Store
from antiphon.workspace.awareness import KEPT_SECONDS, Awareness
from antiphon.workspace.macros import Macros
from antiphon.workspace.runs.journal import RunJournal

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
            "visits": [],
            "errors": [],
            "context": {},
        }
