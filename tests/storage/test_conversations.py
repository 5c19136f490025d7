"""Conversations of a store: found by what was said, filed, judged, shared and deleted."""

from __future__ import annotations

import json

import pytest
from sqlalchemy import text
from tests.storage.test_turns import FIRST_TABLES, go_back

from antiphon.storage import ConversationRow, SessionRow, Store, TurnRow
from antiphon.storage.conversations import ConversationChanged, ConversationIndex
from antiphon.storage.tables import metadata

pytestmark = pytest.mark.real_time

TABLES_BEFORE = FIRST_TABLES | {
    *("turns", "tasks", "macros", "page_visits", "page_errors", "page_context", "projects"),
    *("expert_turns", "run_steps", "calendar_events", "approvals"),
}


async def say(
    store: Store, id: str, at: float, role: str, words: str, channel: str = "text"
) -> None:
    body = json.dumps({"role": role, "text": words, "calls": []})
    await store.add_turn(TurnRow(id, at, channel, body), role=role, text=words)


async def begin(store: Store, id: str, user: str = "ada", conversation: str = "") -> None:
    await store.save_session(SessionRow(id, user, "text", conversation_id=conversation or id))


def ids(rows: list[ConversationRow]) -> list[str]:
    return [row.id for row in rows]


async def test_what_was_taken_back_is_neither_listed_nor_found(store_url: str) -> None:
    async with Store.open(store_url) as store:
        index = ConversationIndex(store)
        await begin(store, "one")
        await say(store, "one", 1.0, "user", "Send the report")
        await say(store, "one", 2.0, "model", "To whom?")
        await say(store, "one", 3.0, "user", "Send the report")
        for row in await store.turns("one"):
            body = json.loads(row.turn)
            if row.at < 3.0:
                await store.remove_turn(row, role=body["role"], text=body["text"])
        assert [row.at for row in await store.turns("one")] == [3.0]
        (left,) = await index.page("ada")
        assert (left.messages, left.title) == (1, "")
        await say(store, "one", 4.0, "user", "Send the report to Ada")
        assert [row.title for row in await index.page("ada")] == ["Send the report to Ada"]
        assert ids(await index.page("ada", query="whom")) == []


async def test_conversations_are_listed_and_found_by_all_that_was_said(store_url: str) -> None:
    async with Store.open(store_url) as store:
        index = ConversationIndex(store)
        for each in ("one", "two", "none"):
            await begin(store, each)
        await begin(store, "hers", "grace")
        await say(store, "one", 1.0, "model", "Good day!")
        await say(store, "one", 2.0, "user", "Wo ist die GRÜNE\0 Straße?  Ich suche 100%_sie.")
        await say(store, "one", 3.0, "model", "In Köln.", "voice")
        await say(store, "two", 5.0, "user", "x " * 200)
        await say(store, "hers", 4.0, "user", "Köln?")
        await say(store, "nobody", 4.0, "user", "Köln?")
        first, second = reversed(await index.page("ada"))
        assert (first.id, first.messages, first.spoken, first.preview) == (
            "one",
            3,
            True,
            "In Köln.",
        )
        assert first.title.startswith("Wo ist die GRÜNE")
        assert (first.created_at, first.updated_at, first.version) == (1.0, 3.0, 1)
        assert (second.id, second.spoken, len(second.title) <= 120) == ("two", False, True)
        found = {
            query: ids(await index.page("ada", query=query))
            for query in ("strasse köln", "100%_", "100_", "grüne x", "KÖLN", "day")
        }
        assert found == {
            "strasse köln": ["one"],
            "100%_": ["one"],
            "100_": [],
            "grüne x": [],
            "KÖLN": ["one"],
            "day": ["one"],
        }
        assert ids(await index.page(None)) == ["two", "hers", "one"]
        assert ids(await index.page("ada", limit=1, before="two")) == ["one"]
        with pytest.raises(LookupError):
            await index.page("ada", before="none")


async def test_titles_and_folders_stay_and_an_old_version_changes_nothing(store_url: str) -> None:
    async with Store.open(store_url) as store:
        index = ConversationIndex(store)
        await begin(store, "one")
        await begin(store, "later", conversation="one")
        await say(store, "one", 1.0, "user", "Hello")
        renamed = await index.change("one", title="Ärger im  Büro", folder="Work")
        assert renamed is not None
        assert (renamed.title, renamed.folder, renamed.version) == ("Ärger im Büro", "Work", 2)
        with pytest.raises(ConversationChanged) as conflict:
            await index.change("one", title="Other", version=1)
        assert conflict.value.row == renamed
        await say(store, "one", 2.0, "user", "More")
        assert await index.change("none", title="x") is None
    async with Store.open(store_url) as store:
        index = ConversationIndex(store)
        assert (await index.folders("ada"), await index.folders("grace")) == ([("Work", 1)], [])
        [kept] = await index.page("ada", query="ärger büro", folder="Work")
        assert kept.title == "Ärger im Büro"
        assert await index.page("ada", folder="") == []
        assert await index.find("later") == kept
        assert [row.id for row in await store.sessions_of("one")] == ["later", "one"]


async def test_answers_are_judged_shared_and_deleted(store_url: str) -> None:
    async with Store.open(store_url) as store:
        index = ConversationIndex(store)
        await begin(store, "one")
        await say(store, "one", 1.0, "user", "Who?")
        await say(store, "one", 2.0, "model", "Kenji.")
        asked, answered = await index.messages("one", limit=10)
        assert [
            await index.judge("one", each.id, "up", "Yes!\0") for each in (asked, answered)
        ] == [
            False,
            True,
        ]
        assert not await index.judge("two", answered.id, "down", "")
        [judged] = await index.messages("one", limit=10, after=asked.id)
        assert (judged.feedback, judged.comment) == ("up", "Yes!\ufffd")
        assert await index.messages("one", limit=10, before=asked.id) == []
        with pytest.raises(LookupError):
            await index.messages("two", limit=10, after=asked.id)
        await index.judge("one", answered.id, None, "gone with it")
        assert (await index.messages("one", limit=1))[0].comment == ""
        token = await index.share("one")
        assert token is not None
        assert len(token) >= 32
        assert await index.share("one") == token
        shared = await index.shared(token)
        assert shared is not None
        assert shared.id == "one"
        await index.unshare("one")
        assert await index.shared(token) is None
        assert await index.share("none") is None
        await index.delete("one")
        assert (await index.find("one"), await store.turns("one")) == (None, [])
        assert await store.session("one") is not None


async def test_what_was_said_before_is_found_after_an_update(empty_url: str) -> None:
    async with Store.open(empty_url) as store:
        await begin(store, "one")
        await begin(store, "two")
        await say(store, "one", 1.0, "user", "Where is Köln?")
        note = "(A note from the system, not from the person: it rains.)"
        await say(store, "one", 2.0, "user", note)
        started = {"event": "session_started", "details": {"conversation": "one"}}
        store.append_audit({**started, "sessionId": "two"})
        await store.flush()
        for table in sorted(metadata.tables.keys() - TABLES_BEFORE):
            await store.run(lambda to, name=table: to.execute(text(f"DROP TABLE {name}")))
        await go_back(store, "0008")
    async with Store.open(empty_url) as store:
        index = ConversationIndex(store)
        [found] = await index.page("ada", query="köln")
        assert (found.title, found.messages) == ("Where is Köln?", 1)
        assert await index.find("two") == found
