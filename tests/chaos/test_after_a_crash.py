"""What a restart finds: sessions at their last turn, calls cut short, each noted once."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest
from tests.orchestrator.helpers import Workshop, answer, kind, toolbox
from tests.storage.helpers import child, heard, kill

from antiphon import Orchestrator
from antiphon.storage import Store

pytestmark = pytest.mark.real_time

BEGIN = """
async def main():
    store = Store.open(url)
    await store.begin(call("k1"))
    await store.begin(call("k2"))
    await store.finish("s1", "k2", b"{}")
    print("begun", flush=True)
    sys.stdin.readline()
asyncio.run(main())
"""


async def test_a_session_resumes_in_the_turn_of_its_last_write_though_that_was_not_saved(
    tmp_path: Path,
) -> None:
    """A call that comes again under a new id is known again, and has one effect."""
    url = f"sqlite:///{tmp_path / 'store.db'}"
    work = Workshop()

    def house() -> Orchestrator:
        return Orchestrator(toolbox(), store=url, capabilities={"workspace": work}, environment={})

    async with house() as before:
        session = before.session("text", "ada", id="s1")
        await before.save(session)
        session.end_turn()
        session.end_turn()
        assert kind(await answer(session, "save_note", {"text": "tea"})) == "ok"
    async with house() as after:
        resumed = await after.resume("s1")
        assert resumed is not None
        assert resumed.view.turn.number == resumed.state.get("turn") == 3
        again = await answer(resumed, "save_note", {"text": "tea"})
        assert again["meta"]["replayed"]
        assert work.count("save_note") == 1


async def test_whoever_resumes_a_session_at_the_same_time_gets_the_same_one(tmp_path: Path) -> None:
    url = f"sqlite:///{tmp_path / 'store.db'}"

    async with Orchestrator(toolbox(), store=url, environment={}) as before:
        await before.save(before.session("text", "ada", id="s1"))
    async with Orchestrator(toolbox(), store=url, environment={}) as after:
        one, other = await asyncio.gather(after.resume("s1"), after.resume("s1"))
        assert one is other
        assert one is not None
        assert after.metrics.sessions_active == 1


async def test_a_call_that_was_cut_short_becomes_unknown_and_is_noted_in_one_commit(
    tmp_path: Path,
) -> None:
    """A crash in between would leave it out of the audit, because nobody finds it again."""
    url = f"sqlite:///{tmp_path / 'store.db'}"
    process = child(BEGIN, url)
    assert heard(process) == "begun"
    kill(process)

    async with Store.open(url) as store:
        found = await store.recover(lambda row: {"event": "tool_unknown", "key": row.key})
        assert [row.key for row in found] == ["k1"]
        assert store.commits == 1
        lines = await store.audit_lines(event="tool_unknown")
        assert [line.data["key"] for line in lines] == ["k1"]
        assert await store.recover(lambda row: {"event": "again"}) == []
        assert await store.audit_lines(event="again") == []
