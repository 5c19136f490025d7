"""The turns of conversations."""

from __future__ import annotations

import asyncio

import pytest
from sqlalchemy import text
from tests.storage.helpers import child, heard, kill

from antiphon.storage import SessionRow, Store, StoreError, TurnRow
from antiphon.storage.tables import metadata

pytestmark = pytest.mark.real_time


async def test_turns_are_kept_in_the_order_in_which_they_began(store_url: str) -> None:
    async with Store.open(store_url) as store:
        rows = [
            TurnRow("s1", 2.0, "text", '{"n": 1}'),
            TurnRow("s1", 3.0, "voice", '{"n": 2}'),
            TurnRow("s1", 1.0, "text", '{"n": 3}'),
            TurnRow("s1", 2.0, "voice", '{"n": 4}'),  # at the same time, but told later
            TurnRow("s2", 1.5, "text", '{"n": 5}'),
        ]
        await asyncio.gather(*map(store.add_turn, rows))
        first, second, third, fourth, other = rows
        assert await store.turns("s1") == [third, first, fourth, second]
        assert await store.turns("s1", limit=2) == [fourth, second]
        assert await store.turns("s1", limit=0) == []
        assert await store.turns("s2") == [other]
        assert await store.turns("s3") == []
        assert await store.first_turns(["s2", "s1", "s3"], each=2) == [third, first, other]
        assert await store.first_turns([], each=2) == []


async def test_a_session_that_has_ended_keeps_what_was_said(store_url: str) -> None:
    async with Store.open(store_url) as store:
        await store.save_session(SessionRow("s1", "ada", "text"))
        await store.add_turn(TurnRow("s1", 1.0, "text", "{}"))
        await store.save_session(SessionRow("s1", "ada", "text", ended_at=9.0))
        await store.purge()
    async with Store.open(store_url) as store:
        assert await store.turns("s1") == [TurnRow("s1", 1.0, "text", "{}")]


async def test_a_turn_is_durable_once_its_future_says_so(store_url: str) -> None:
    """Another process is killed right after; what it was told is there is there."""
    process = child(
        "async def main():\n"
        "    store = Store.open(url)\n"
        "    await store.add_turn(TurnRow('s1', 1.0, 'voice', '{}'))\n"
        "    print('durable', flush=True)\n"
        "    await asyncio.sleep(60)\n"
        "asyncio.run(main())",
        store_url,
    )
    assert heard(process) == "durable"
    kill(process)

    async with Store.open(store_url) as store:
        assert len(await store.turns("s1")) == 1


async def test_a_closed_store_takes_no_turn(store_url: str) -> None:
    store = Store.open(store_url)
    await store.close()
    with pytest.raises(StoreError, match="is closed"):
        store.add_turn(TurnRow("s1", 1.0, "text", "{}"))


FIRST_TABLES = {
    *("ledger", "sessions", "blocks", "rate_windows", "confirmations"),
    *("audit", "audit_head", "audit_sinks", "secrets"),
}


async def go_back(store: Store, revision: str) -> None:
    """Sessions as they were before they had conversations, confirmations before their answers."""
    answers = ("title", "rule", "approvers", "changes", "answered_by", "via")
    for statement in (
        *(f"ALTER TABLE confirmations DROP COLUMN {name}" for name in answers),
        "DROP INDEX sessions_conversation",
        "ALTER TABLE sessions DROP COLUMN conversation_id",
        f"UPDATE alembic_version SET version_num = '{revision}'",
    ):
        await store.run(lambda to, done=statement: to.execute(text(done)))


async def test_a_store_from_before_conversations_gets_their_table_and_keeps_its_rows(
    empty_url: str,
) -> None:
    async with Store.open(empty_url) as store:
        await store.save_session(SessionRow("s1", "ada", "text"))
        store.append_audit({"event": "kept", "sessionId": "s1", "ok": True})
        await store.flush()
        for column in ("event TEXT", "tool_id TEXT", "decision TEXT", "rule TEXT", "ok BOOLEAN"):
            await store.run(
                lambda to, column=column: to.execute(text(f"ALTER TABLE audit ADD {column}"))
            )
        await store.run(lambda to: to.execute(text("UPDATE audit SET event = 'kept'")))
        for name in sorted(metadata.tables.keys() - FIRST_TABLES):
            await store.run(lambda to, name=name: to.execute(text(f"DROP TABLE {name}")))
        await go_back(store, "0001")
    async with Store.open(empty_url) as store:
        assert await store.session("s1") is not None
        await store.add_turn(TurnRow("s1", 1.0, "text", "{}"))
        assert len(await store.turns("s1")) == 1
        assert [line.seq for line in await store.audit_lines(event="kept", ok=True)] == [1]
        assert (await store.verify_audit()).ok
