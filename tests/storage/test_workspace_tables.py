"""Projects, finished steps and conversations with experts, in a store of each kind."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import pytest

from antiphon import ErrorType, ToolError
from antiphon.storage import Store
from antiphon.workspace.experts import KEPT_TURNS, Experts
from antiphon.workspace.projects import Projects
from antiphon.workspace.runs.journal import RunJournal

pytestmark = pytest.mark.real_time


async def test_projects_are_kept_and_their_names_are_one_users_own(store_url: str) -> None:
    async with Store.open(store_url) as store:
        made = await Projects(store).create("ada", "Lisbon move", "Office.", key="k")
        assert await Projects(store).create("ada", "Lisbon move", key="k") == made
        with pytest.raises(ToolError) as taken:
            await Projects(store).create("ada", "lisbon move", key="other")
        assert taken.value.type is ErrorType.CONFLICT
        await Projects(store).create("grace", "Lisbon move")
    async with Store.open(store_url) as store:
        assert await Projects(store).all("ada") == [made]
        await Projects(store).update("ada", made.id, status="done")
        assert (await Projects(store).delete("ada", "Lisbon move")).status == "done"
        assert await Projects(store).all("ada") == []


async def test_the_first_outcome_of_a_step_stays(store_url: str) -> None:
    async with Store.open(store_url) as store:
        steps = RunJournal(store)
        for text in ("one\0", "two"):
            await steps.save("key", "found", {"status": "done", "result": {"text": text}})
        assert await steps.load("key") == {"found": {"status": "done", "result": {"text": "one\0"}}}
        assert await steps.load("other") == {}


class NoKnowledge:
    """A knowledge base that knows nothing."""

    async def search(self, *_: Any, **__: Any) -> list[dict[str, Any]]:
        return []


def caller(key: str) -> Any:
    session = SimpleNamespace(user="ada")
    return SimpleNamespace(
        idempotency_key=key, knowledge=NoKnowledge(), mode="text", session=session
    )


async def test_the_last_turns_of_a_conversation_are_kept(store_url: str) -> None:
    async with Store.open(store_url) as store:
        experts = Experts(store)
        for number in range(KEPT_TURNS + 1):
            asked = caller(f"call {number}")
            answer = await experts.chat(asked, "front-desk", f"Question\0 {number}?")
        assert answer["turns"] == KEPT_TURNS
        # The same call again is the same turn.
        await experts.chat(asked, "front-desk", f"Question {number}?")
        kept = await experts.history("ada", "front-desk")
        assert [turn["message"] for turn in kept] == [
            f"Question {number}?" for number in range(1, KEPT_TURNS + 1)
        ]
        await experts.forget("ada", "front-desk")
        assert await experts.history("ada", "front-desk") == []
