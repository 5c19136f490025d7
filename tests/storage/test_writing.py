"""The writer: commits in groups, survives failures, finishes what it was given."""

from __future__ import annotations

import asyncio
import sqlite3
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import text
from tests.storage.helpers import call, child, end

from antiphon.storage import (
    Block,
    ConfirmationRow,
    SessionRow,
    Store,
    StoreError,
)
from antiphon.storage.writer import KEPT_LINES

pytestmark = pytest.mark.real_time


async def test_calls_that_wait_together_are_committed_together(store_url: str) -> None:
    async with Store.open(store_url) as store:
        before = store.commits
        await asyncio.gather(*(store.begin(call(f"k{n}"), [{"event": "b"}]) for n in range(64)))
        assert 1 <= store.commits - before <= 16
        assert len(await store.ledger("s1")) == 64
        before = store.commits
        await store.finish("s1", "k1", b"")
        assert store.commits == before + 1
        await store.find("s1", "k1")
        assert store.commits == before + 1


async def test_one_failure_does_not_fail_those_it_was_committed_with(store_url: str) -> None:
    async with Store.open(store_url) as store:
        await store.begin(call("there"))
        results = await asyncio.gather(
            store.begin(call("a"), [{"event": "a"}]),
            store.finish("s1", "missing", b"", [{"event": "never"}]),
            store.run(lambda to: to.execute(text("SELECT * FROM no_such_table"))),
            store.run(lambda _: 1 / 0),
            store.finish("s1", "there", b"answer", [{"event": "there"}]),
            return_exceptions=True,
        )
        assert results[0] is None
        assert isinstance(results[1], StoreError)
        assert isinstance(results[2], StoreError)
        assert isinstance(results[3], ZeroDivisionError)
        assert results[4] is None
        assert {row.key: row.state for row in await store.ledger("s1")} == {
            "there": "done",
            "a": "running",
        }
        assert [line.data["event"] for line in await store.audit_lines()] == ["a", "there"]
        assert (await store.verify_audit()).ok


async def test_work_that_fails_halfway_leaves_nothing(store_url: str) -> None:
    def half(connection: Any) -> None:
        connection.execute(text("DELETE FROM ledger"))
        raise ValueError("changed my mind")

    async with Store.open(store_url) as store:
        await store.begin(call())
        with pytest.raises(ValueError, match="changed my mind"):
            await store.run(half)
        with pytest.raises(ValueError, match="changed my mind"):
            await asyncio.gather(store.run(half), store.save_rate("s1", "t", [1.0]))
        assert await store.find("s1", "k1") is not None
        assert await store.rates("s1") == {"t": [1.0]}


async def test_cancelling_the_one_who_waits_does_not_cancel_the_write(store_url: str) -> None:
    async with Store.open(store_url) as store:
        task = asyncio.create_task(store.begin(call(), [{"event": "begin"}]))
        await asyncio.sleep(0)
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task
        assert await store.find("s1", "k1") is not None
        assert len(await store.audit_lines()) == 1


async def test_closing_does_what_is_waiting_first(store_url: str) -> None:
    store = Store.open(store_url)
    tasks = [asyncio.create_task(store.begin(call(f"k{n}"))) for n in range(50)]
    await asyncio.sleep(0)
    store.append_audit({"event": "last"})
    await asyncio.gather(store.close(), store.close())
    assert await asyncio.gather(*tasks) == [None] * 50
    await store.close()
    async with Store.open(store_url) as again:
        assert len(await again.ledger("s1")) == 50
        assert [line.data["event"] for line in await again.audit_lines()] == ["last"]


async def test_after_closing_every_call_is_an_error(sqlite_url: str) -> None:
    confirmation = ConfirmationRow(
        "c", "s", "u", "t", b"", "", "", "", "", 1, "low", "", created_at=0, expires_at=0
    )

    store = Store.open(sqlite_url)
    await store.close()
    calls = [
        store.begin(call()),
        store.reclaim("s1", "k1"),
        store.finish("s1", "k1", b""),
        store.forget("s1", "k1"),
        store.ledger("s1"),
        store.find("s1", "k1"),
        store.recover(),
        store.save_session(SessionRow("s1", "ada", "text")),
        store.session("s1"),
        store.sessions(),
        store.block(Block("ada", 1.0)),
        store.blocks(),
        store.unblock("ada"),
        store.save_rate("s1", "t", []),
        store.rates("s1"),
        store.add_confirmation(confirmation),
        store.resolve_confirmation("c", "denied"),
        store.confirmation("c"),
        store.confirmations(),
        store.flush(),
        store.audit_lines(),
        store.verify_audit(),
        store.purge(),
    ]
    for result in await asyncio.gather(*calls, return_exceptions=True):
        assert isinstance(result, StoreError)
        assert "is closed" in str(result)
    with pytest.raises(StoreError, match="is closed"):
        store.append_audit({})
    with pytest.raises(StoreError, match="is closed"):
        store.secret("x")


def test_a_store_goes_from_one_event_loop_to_the_next(sqlite_url: str) -> None:
    store = Store.open(sqlite_url)

    async def left_waiting() -> None:
        task = asyncio.create_task(store.begin(call("left")))
        await asyncio.sleep(0)
        task.cancel()
        store.append_audit({"event": "left"})

    async def next_one() -> None:
        assert await store.find("s1", "left") is not None
        await store.flush()
        assert len(await store.audit_lines()) == 1
        await store.close()

    asyncio.run(left_waiting())
    asyncio.run(next_one())


def pragma(store: Store, setting: str) -> Any:
    return store.run(lambda to: to.execute(text(f"PRAGMA {setting}")).scalar(), writes=False)


async def test_a_full_disk_is_an_error_and_the_store_goes_on(sqlite_url: str) -> None:
    async with Store.open(sqlite_url) as store:
        pages = await pragma(store, "page_count")
        await pragma(store, f"max_page_count = {pages + 4}")
        big = call("big", envelope=None)
        big.args = b"x" * 1_000_000
        store.append_audit({"event": "kept"})
        with pytest.raises(StoreError, match="out of disk space"):
            await store.begin(big, [{"event": "begin big"}])
        results = await asyncio.gather(
            store.begin(call("a")), store.begin(big), store.begin(call("b")),
            return_exceptions=True,
        )  # fmt: skip
        assert isinstance(results[1], StoreError)
        stored = {row.key for row in await store.ledger("s1")}
        for key, result in zip("ab", (results[0], results[2]), strict=True):
            assert (key in stored) == (result is None)
        await pragma(store, "max_page_count = 1000000")
        assert await store.begin(big, [{"event": "begin big"}]) is None
        # What was appended while the disk was full is there too, and before.
        lines = [line.data["event"] for line in await store.audit_lines()]
        assert lines == ["kept", "begin big"]
        assert (await store.verify_audit()).ok


def test_a_disk_that_reports_errors_is_an_error_and_the_store_goes_on(sqlite_url: str) -> None:
    """A limit on the size of files makes the writes themselves fail."""
    code = """
import resource
async def main():
    async with Store.open(url) as store:
        await store.begin(call("before"))
        most = resource.getrlimit(resource.RLIMIT_FSIZE)[1]
        resource.setrlimit(resource.RLIMIT_FSIZE, (4096, most))
        big = call("big")
        big.args = bytes(10_000_000)  # more than is kept in memory until the commit
        results = await asyncio.gather(store.begin(call("alone")), return_exceptions=True)
        results += await asyncio.gather(
            *(store.begin(row) for row in (call("with"), big, call("big one"))),
            return_exceptions=True,
        )
        for error in results:
            assert isinstance(error, StoreError) and "the disk reports" in str(error), error
        resource.setrlimit(resource.RLIMIT_FSIZE, (most, most))
        assert await store.begin(call("after")) is None
        keys = [row.key for row in await store.ledger("s1")]
        assert keys == ["before", "after"], keys
asyncio.run(main())
"""
    assert end(child(code, sqlite_url)) == 0


async def test_a_store_locked_by_another_program_is_an_error_and_the_store_goes_on(
    sqlite_url: str,
) -> None:
    async with Store.open(sqlite_url) as store:
        await pragma(store, "busy_timeout = 0")
        other = sqlite3.connect(sqlite_url.removeprefix("sqlite:///"), isolation_level=None)
        other.execute("BEGIN IMMEDIATE")
        store.append_audit({"event": "kept"})
        with pytest.raises(StoreError, match="was locked by another process"):
            await store.begin(call(), [{"event": "not begun"}])
        with pytest.raises(StoreError, match="was locked by another process"):
            await store.flush()
        assert await store.find("s1", "k1") is None  # reading goes on meanwhile
        other.execute("ROLLBACK")
        other.close()
        assert await store.begin(call()) is None
        assert [line.data["event"] for line in await store.audit_lines()] == ["kept"]


async def test_lines_that_had_to_be_given_up_are_counted_in_the_chain(sqlite_url: str) -> None:
    async with Store.open(sqlite_url) as store:
        await pragma(store, "busy_timeout = 0")
        other = sqlite3.connect(sqlite_url.removeprefix("sqlite:///"), isolation_level=None)
        other.execute("BEGIN IMMEDIATE")
        for number in range(KEPT_LINES + 7):
            store.append_audit({"number": number})
        with pytest.raises(StoreError, match="was locked"):
            await store.flush()
        other.execute("ROLLBACK")
        other.close()
        await store.flush()
        notice, first = await store.audit_lines(limit=2)
        assert (notice.data["event"], notice.data["count"]) == ("audit_lost", 7)
        assert first.data["number"] == 7
        [last] = await store.audit_lines(newest_first=True, limit=1)
        assert (last.seq, last.data["number"]) == (KEPT_LINES + 1, KEPT_LINES + 6)


async def test_a_lost_connection_is_made_anew_and_the_node_stays_alive(postgres: Any) -> None:
    name = postgres.new_database()
    url = postgres.url(name)

    def cut() -> None:
        with postgres.admin() as admin:
            admin.execute(
                "SELECT pg_terminate_backend(pid, 5000) FROM pg_stat_activity WHERE datname = %s",
                [name],
            )

    async with Store.open(url) as store:
        await store.begin(call())
        cut()
        await store.finish("s1", "k1", b"answer", [{"event": "finish"}])
        await store.begin(call("k2"))
        cut()
        assert len(await store.ledger("s1")) == 2
        async with Store.open(url) as other:
            assert await other.recover() == []
        with pytest.raises(StoreError, match="cannot be reached"):
            await store.run(
                lambda to: to.execute(text("SELECT pg_terminate_backend(pg_backend_pid())"))
            )
        assert await store.begin(call("k3")) is None


def test_a_moved_store_keeps_everything(sqlite_url: str, tmp_path: Path) -> None:
    async def fill() -> bytes:
        async with Store.open(sqlite_url) as store:
            await store.begin(call(), [{"event": "begin"}])
            return store.secret("x")

    secret = asyncio.run(fill())
    moved = tmp_path / "elsewhere"
    moved.mkdir()
    for each in list(tmp_path.glob("store.db*")):
        each.rename(moved / each.name)

    async def look() -> None:
        async with Store.open(f"sqlite:///{moved / 'store.db'}") as store:
            assert store.secret("x") == secret
            assert [row.key for row in await store.recover()] == ["k1"]
            assert (await store.verify_audit()).count == 1

    asyncio.run(look())
