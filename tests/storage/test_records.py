"""Sessions, blocks, rate windows, confirmations and secrets."""

from __future__ import annotations

import asyncio
from dataclasses import replace

import pytest
from tests.storage.helpers import Clock, child, heard, kill

from antiphon.contracts.owners import Owners
from antiphon.storage import Block, ConfirmationRow, SessionRow, Store, StoreError

pytestmark = pytest.mark.real_time


async def test_a_session_is_saved_and_saved_again(store_url: str) -> None:
    clock = Clock()

    async with Store.open(store_url, now=clock) as store:
        row = SessionRow("s1", "ada", "voice", "local", "default", "1.0.0", {"turn": 3, "é": []})
        await store.save_session(row)
        saved = replace(row, created_at=clock.now, updated_at=clock.now)
        assert await store.session("s1") == saved
        clock.now += 9
        await store.save_session(replace(row, state={}, ended_at=clock.now))
        assert await store.session("s1") == replace(
            saved, state={}, updated_at=clock.now, ended_at=clock.now
        )
        assert await store.session("s2") is None


async def test_sessions_are_listed_newest_first_in_pages(store_url: str) -> None:
    async with Store.open(store_url) as store:
        for number in range(6):
            await store.save_session(
                SessionRow(
                    f"s{number}",
                    "ada" if number % 2 else "bob",
                    "voice" if number == 4 else "text",
                    created_at=float(number // 3 + 1),  # several at the same time
                    ended_at=9.0 if number < 2 else None,
                )
            )

        async def ids(**filters: object) -> list[str]:
            return [row.id for row in await store.sessions(**filters)]  # type: ignore[arg-type]

        assert await ids() == ["s5", "s4", "s3", "s2", "s1", "s0"]
        assert await ids(limit=2) == ["s5", "s4"]
        assert await ids(limit=2, before="s4") == ["s3", "s2"]
        assert await ids(limit=0) == []
        assert await ids(owners=Owners("ada")) == ["s5", "s3", "s1"]
        assert await ids(active=True) == ["s5", "s4", "s3", "s2"]
        assert await ids(active=False, owners=Owners("bob")) == ["s0"]
        assert await ids(mode="voice") == ["s4"]
        assert await ids(mode="text", owners=Owners("bob")) == ["s2", "s0"]
        with pytest.raises(StoreError, match="no session 'nobody'"):
            await ids(before="nobody")


async def test_state_that_is_not_json_is_refused_by_name(store_url: str) -> None:
    async with Store.open(store_url) as store:
        with pytest.raises(StoreError, match="state of session 's1' cannot be kept as JSON"):
            await store.save_session(SessionRow("s1", "ada", "text", state={"x": object()}))


async def test_a_block_holds_until_its_time_or_until_it_is_lifted(store_url: str) -> None:
    clock = Clock()

    async with Store.open(store_url, now=clock) as store:
        await store.block(Block("bob", clock.now + 10, "rude"))
        await store.block(Block("ada", clock.now + 20))
        await store.block(Block("ada", clock.now + 30, "again"))
        assert await store.blocks() == [
            Block("ada", clock.now + 30, "again", clock.now),
            Block("bob", clock.now + 10, "rude", clock.now),
        ]
        clock.now += 10
        assert [block.user for block in await store.blocks()] == ["ada"]
        await store.purge()
        await store.unblock("ada")
        clock.now -= 10
        assert await store.blocks() == []


async def test_rate_windows_are_kept_for_a_day(store_url: str) -> None:
    clock = Clock()

    async with Store.open(store_url, now=clock) as store:
        await store.save_rate("s1", "kb_search", [1.5, 2.0])
        await store.save_rate("s1", "kb_search", [1.5, 2.0, 3.25])
        await store.save_rate("s1", "kb_get", [])
        await store.save_rate("s2", "kb_get", [7.0])
        assert await store.rates("s1") == {"kb_search": [1.5, 2.0, 3.25], "kb_get": []}
        clock.now += 24 * 3600 - 1
        await store.purge()
        assert await store.rates("s2") == {"kb_get": [7.0]}
        clock.now += 1
        await store.purge()
        assert await store.rates("s2") == await store.rates("s1") == {}


def confirmation(id: str, **more: object) -> ConfirmationRow:
    fields: dict[str, object] = {
        "id": id, "session_id": "s1", "user": "ada", "tool_id": "calendar_create_event",
        "args": b"{}", "args_digest": "d", "registry_version": "1.0.0", "nonce": "n", "key": "k",
        "turn": 2, "risk": "high", "preview": "Tea at four?", "created_at": 5.0, "expires_at": 9.0,
    }  # fmt: skip
    return ConfirmationRow(**{**fields, **more})  # type: ignore[arg-type]


async def test_a_confirmation_is_answered_once(store_url: str) -> None:
    clock = Clock()

    async with Store.open(store_url, now=clock) as store, Store.open(store_url) as other:
        row = confirmation("c1")
        await store.add_confirmation(row)
        assert await store.confirmation("c1") == row
        answers = await asyncio.gather(
            store.resolve_confirmation("c1", "approved"),
            other.resolve_confirmation("c1", "denied"),
            store.resolve_confirmation("c1", "expired"),
        )
        assert sorted(answers) == [False, False, True]
        resolved = await store.confirmation("c1")
        assert resolved is not None
        assert resolved.status == ("approved", "denied", "expired")[answers.index(True)]
        assert resolved.resolved_at is not None
        assert not await store.resolve_confirmation("c1", "approved")
        assert not await store.resolve_confirmation("c2", "approved")
        assert await store.confirmation("c2") is None
        with pytest.raises(StoreError, match="already has such a row"):
            await store.add_confirmation(confirmation("c1"))
        with pytest.raises(StoreError, match="cannot be 'yes'"):
            await store.resolve_confirmation("c1", "yes")


async def test_confirmations_are_listed_newest_first_and_filtered(store_url: str) -> None:
    async with Store.open(store_url) as store:
        await store.add_confirmation(confirmation("c1", created_at=1.0))
        await store.add_confirmation(confirmation("c2", created_at=2.0, user="bob"))
        await store.add_confirmation(confirmation("c3", created_at=3.0, session_id="s2"))
        await store.resolve_confirmation("c1", "denied")

        async def ids(**filters: object) -> list[str]:
            rows = await store.confirmations(**filters)  # type: ignore[arg-type]
            return [row.id for row in rows]

        assert await ids() == ["c3", "c2", "c1"]
        assert await ids(limit=1) == ["c3"]
        assert await ids(session_id="s1") == ["c2", "c1"]
        assert await ids(owners=Owners("ada")) == ["c3", "c1"]
        assert await ids(status="pending") == ["c3", "c2"]
        assert await ids(status="denied", owners=Owners("bob")) == []


def test_a_secret_is_made_once_for_all_nodes_and_stays(store_url: str) -> None:
    async def main() -> None:
        async with Store.open(store_url) as one, Store.open(store_url) as two:
            value = one.secret("confirmations")
            assert len(value) == 32
            assert one.secret("confirmations") == two.secret("confirmations") == value
            assert two.secret("other", 16) != value[:16]
            with pytest.raises(StoreError, match="made with 32 bytes"):
                two.secret("confirmations", 16)

    asyncio.run(main())
    process = child("print(Store.open(url).secret('confirmations').hex(), flush=True)", store_url)
    said = heard(process)
    kill(process)

    async def again() -> bytes:
        async with Store.open(store_url) as store:
            return store.secret("confirmations")

    assert asyncio.run(again()).hex() == said
