"""The ledger: what was begun is there, happens once, and is found after a crash."""

from __future__ import annotations

import asyncio

import pytest
from tests.storage.helpers import Clock, call, child, end, heard, kill

from antiphon.storage import Store, StoreError

pytestmark = pytest.mark.real_time

DAY = 24 * 3600.0


async def test_a_call_is_begun_once_and_finished(store_url: str) -> None:
    clock = Clock()

    async with Store.open(store_url, now=clock) as store:
        assert await store.begin(call()) is None
        begun = await store.begin(call())
        assert begun is not None
        assert (begun.state, begun.owner, begun.envelope) == ("running", store.node, None)
        assert (begun.created_at, begun.expires_at) == (clock.now, clock.now + DAY)
        assert (begun.args, begun.turn, begun.tool_id) == (
            b'{"title":"Tea"}',
            1,
            "calendar_create_event",
        )
        clock.now += 5
        await store.finish("s1", "k1", b'{"ok":true}')
        done = await store.begin(call())
        assert done is not None
        assert (done.state, done.envelope, done.updated_at) == (
            "done",
            b'{"ok":true}',
            clock.now,
        )
        assert await store.find("s1", "k1") == done
        assert await store.find("s1", "other") is None


async def test_the_same_call_under_another_key_is_found_by_its_hash(store_url: str) -> None:
    async with Store.open(store_url) as store:
        assert await store.begin(call("k1", call_hash="h")) is None
        found = await store.begin(call("k2", call_hash="h"))
        assert found is not None
        assert found.key == "k1"
        assert await store.begin(call("k2", call_hash="h", session="s1")) is not None
        assert await store.begin(call("k1", call_hash="h", session="s2")) is None


async def test_a_row_with_the_same_key_comes_before_one_with_the_same_hash(store_url: str) -> None:
    async with Store.open(store_url) as store:
        await store.begin(call("by hash", call_hash="h1"))
        await store.begin(call("by key", call_hash="h2"))
        found = await store.begin(call("by key", call_hash="h1"))
        assert found is not None
        assert found.key == "by key"


async def test_an_expired_row_gives_way(store_url: str) -> None:
    clock = Clock()

    async with Store.open(store_url, now=clock) as store:
        await store.begin(call("k1", call_hash="h"))
        await store.finish("s1", "k1", b"first")
        await store.begin(call("brief", expires_at=clock.now + 10))
        clock.now += 10
        assert [row.key for row in await store.ledger("s1")] == ["k1"]
        clock.now += DAY
        assert await store.find("s1", "k1") is None
        assert await store.begin(call("k2", call_hash="h")) is None
        assert [row.key for row in await store.ledger("s1")] == ["k2"]
        assert await store.begin(call("k2", call_hash="h")) is not None


async def test_purge_drops_what_is_expired_and_nothing_else(store_url: str) -> None:
    clock = Clock()

    async with Store.open(store_url, now=clock) as store:
        await store.begin(call("old"))
        clock.now += DAY - 1
        await store.begin(call("new"))
        clock.now += 1
        await store.purge()
        clock.now = 0.0  # back to when nothing is expired, to see what is left
        assert [row.key for row in await store.ledger("s1")] == ["new"]


async def test_rows_are_listed_oldest_first_even_if_the_clock_jumps_back(store_url: str) -> None:
    clock = Clock()

    async with Store.open(store_url, now=clock) as store:
        for key in ("b", "a", "c"):
            await store.begin(call(key))
            clock.now -= 60
        assert [row.key for row in await store.ledger("s1")] == ["b", "a", "c"]
        assert await store.ledger("nobody") == []


async def test_a_forgotten_call_may_begin_again_but_a_finished_one_is_never_forgotten(
    store_url: str,
) -> None:
    async with Store.open(store_url) as store, Store.open(store_url) as other:
        await store.begin(call())
        await other.forget("s1", "k1")  # not its own
        assert await store.find("s1", "k1") is not None
        await store.forget("s1", "k1")
        assert await store.begin(call()) is None
        await store.finish("s1", "k1", b"done")
        await store.forget("s1", "k1")
        assert await store.begin(call()) is not None


async def test_the_first_outcome_of_a_call_stays(store_url: str) -> None:
    async with Store.open(store_url) as store:
        await store.begin(call())
        await store.finish("s1", "k1", b"first")
        await store.finish("s1", "k1", b"second")
        row = await store.find("s1", "k1")
        assert row is not None
        assert row.envelope == b"first"


async def test_finishing_what_was_never_begun_is_an_error(store_url: str) -> None:
    async with Store.open(store_url) as store:
        with pytest.raises(StoreError, match="no call 'k1' of session 's1'"):
            await store.finish("s1", "k1", b"x", [{"event": "execution"}])
        assert await store.audit_lines() == []


async def test_calls_of_a_killed_process_become_unknown_and_those_of_a_living_one_do_not(
    store_url: str,
) -> None:
    code = """
async def main():
    store = Store.open(url)
    await store.begin(call(arguments[0] + " running"))
    await store.begin(call(arguments[0] + " done"))
    await store.finish("s1", arguments[0] + " done", b"answer")
    print("answered", flush=True)
    sys.stdin.read()
    await store.close()
asyncio.run(main())
"""
    killed, living = child(code, store_url, "killed"), child(code, store_url, "living")
    assert heard(killed) == heard(living) == "answered"
    kill(killed)

    async with Store.open(store_url) as store:
        mine = call("mine")
        await store.begin(mine)
        recovered = await store.recover()
        while not recovered:  # a server may take a moment to see that a client is gone
            recovered = await store.recover()
        assert [(row.key, row.state) for row in recovered] == [("killed running", "unknown")]
        assert await store.recover() == []
        rows = {row.key: (row.state, row.envelope) for row in await store.ledger("s1")}
        assert rows == {
            "killed running": ("unknown", None),
            "killed done": ("done", b"answer"),
            "living running": ("running", None),
            "living done": ("done", b"answer"),
            "mine": ("running", None),
        }
    assert end(living) == 0


async def test_an_unknown_call_is_taken_up_by_one_node_only(store_url: str) -> None:
    gone = Store.open(store_url)
    await gone.begin(call())
    await gone.close()
    async with Store.open(store_url) as one, Store.open(store_url) as two:
        assert not await one.reclaim("s1", "k1")  # still running, as far as anybody knows
        recovered = await one.recover()
        while not recovered:
            recovered = await one.recover()
        taken = await asyncio.gather(
            *(store.reclaim("s1", "k1") for store in (one, two) for _ in range(3))
        )
        assert sorted(taken) == [False] * 5 + [True]
        row = await one.find("s1", "k1")
        assert row is not None
        assert row.state == "running"
        assert row.owner == (one.node if any(taken[:3]) else two.node)
        assert await one.recover() == []


async def test_two_nodes_cannot_begin_the_same_call(store_url: str) -> None:
    async with Store.open(store_url) as one, Store.open(store_url) as two:
        for number in range(10):
            answers = await asyncio.gather(
                *(node.begin(call(f"k{number}")) for node in (one, two, one, two))
            )
            assert answers.count(None) == 1


async def test_nodes_that_enter_the_same_calls_in_opposite_order_all_get_an_answer(
    store_url: str,
) -> None:
    keys = [f"k{number}" for number in range(40)]

    async with Store.open(store_url) as one, Store.open(store_url) as two:
        answers = await asyncio.gather(
            *(one.begin(call(key)) for key in keys),
            *(two.begin(call(key)) for key in reversed(keys)),
        )
        assert answers.count(None) == len(keys)
        assert len(await one.ledger("s1")) == len(keys)
