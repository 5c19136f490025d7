"""Conversation index: listed, searched, named, filed, judged, shared and deleted in a store."""

from __future__ import annotations

import secrets
from collections.abc import Iterable
from dataclasses import fields
from typing import Any

from sqlalchemy import (
    ColumnElement,
    Connection,
    Select,
    delete,
    exists,
    func,
    or_,
    select,
    tuple_,
    update,
)

from antiphon.storage.messages import TITLE_LENGTH, search_form, shortened, storable
from antiphon.storage.rows import ConversationRow, MessageRow, TurnRow
from antiphon.storage.sealed_rows import SHARE_MARK, kept_share, opened_share, sealed_share
from antiphon.storage.store import Store
from antiphon.storage.tables import conversations, messages, sessions, turns

FOLDER_LENGTH = 80
MAX_WORDS = 12

_ROW = [conversations.c[field.name] for field in fields(ConversationRow)]
_TURN = [turns.c[field.name] for field in fields(TurnRow)]


class ConversationChanged(Exception):
    """A change that was made of an older version than there is. `row` is the one that there is."""

    def __init__(self, row: ConversationRow) -> None:
        super().__init__(f"The conversation {row.id!r} was changed meanwhile.")
        self.row = row


class ConversationIndex:
    """The conversations of a store, each its owner's. `user` None: of whomever."""

    def __init__(self, store: Store) -> None:
        self._store = store

    async def page(
        self,
        user: str | None,
        *,
        query: str = "",
        folder: str | None = None,
        limit: int = 50,
        before: str | None = None,
    ) -> list[ConversationRow]:
        """Return a page of conversations, the one that was held last first. `query`: those in which
        all its words stand, in the title or in what was said; `folder`: those in it, '' for those
        in none; `before`: the id of the last of the page before, LookupError if there is none."""
        kept = conversations.c
        statement: Select[Any] = select(*_ROW)
        if user is not None:
            statement = statement.where(kept.user == user)
        if folder is not None:
            statement = statement.where(kept.folder == storable(folder))
        for word in search_form(query).split()[:MAX_WORDS]:
            statement = statement.where(_has(word))
        statement = statement.order_by(kept.updated_at.desc(), kept.id.desc())

        def read(connection: Connection) -> list[ConversationRow]:
            wanted = statement
            if before is not None:
                place = select(kept.updated_at).where(kept.id == storable(before))
                mark = connection.execute(
                    place if user is None else place.where(kept.user == user)
                ).scalar()
                if mark is None:
                    raise LookupError(f"There is no conversation {before!r}.")
                wanted = wanted.where(tuple_(kept.updated_at, kept.id) < (mark, before))
            return [ConversationRow(*row) for row in connection.execute(wanted.limit(limit))]

        return await self._store.run(read, writes=False)

    async def folders(self, user: str | None) -> list[tuple[str, int]]:
        """Return the folders and how many conversations each has, by name."""
        statement = select(conversations.c.folder, func.count()).where(conversations.c.folder != "")
        if user is not None:
            statement = statement.where(conversations.c.user == user)
        statement = statement.group_by(conversations.c.folder).order_by(conversations.c.folder)
        return await self._store.run(
            lambda to: [(str(name), int(count)) for name, count in to.execute(statement)],
            writes=False,
        )

    async def find(self, id: str) -> ConversationRow | None:
        """Return the conversation of a session: its own, or the one that it goes on with."""
        name = storable(id)
        first = select(sessions.c.conversation_id).where(sessions.c.id == name).scalar_subquery()
        wanted = or_(conversations.c.id == name, conversations.c.id == first)
        return await self._store.run(lambda to: _one(to, wanted), writes=False)

    async def shared(self, token: str) -> ConversationRow | None:
        """Return the conversation that was shared by a token."""
        kept = conversations.c.share_token
        wanted = kept.startswith(kept_share(token), autoescape=True)
        if SHARE_MARK not in token:
            wanted = or_(wanted, kept == storable(token))  # of an earlier release
        return await self._store.run(lambda to: _one(to, wanted), writes=False)

    async def messages(
        self,
        id: str,
        *,
        limit: int,
        before: int | None = None,
        through: int | None = None,
        after: int | None = None,
    ) -> list[MessageRow]:
        """Return the newest turns of a conversation in the order in which they began, those of
        calls and their answers too. `before`, `through` and `after` are numbers of turns,
        LookupError if they are not of it."""
        statement = (
            select(turns.c.id, *_TURN, messages.c.feedback, messages.c.comment)
            .join_from(turns, messages, messages.c.turn_id == turns.c.id, isouter=True)
            .where(turns.c.session_id == id)
            .order_by(turns.c.at.desc(), turns.c.id.desc())
            .limit(limit)
        )
        place = tuple_(turns.c.at, turns.c.id)

        def read(connection: Connection) -> list[MessageRow]:
            wanted = statement
            if before is not None:
                wanted = wanted.where(place < _place(connection, id, before))
            if through is not None:
                wanted = wanted.where(place <= _place(connection, id, through))
            if after is not None:
                wanted = wanted.where(place > _place(connection, id, after))
            found = connection.execute(wanted).all()
            return [
                MessageRow(number, TurnRow(*turn), feedback, comment or "")
                for number, *turn, feedback, comment in reversed(found)
            ]

        return await self._store.run(read, writes=False)

    async def change(
        self,
        id: str,
        *,
        title: str | None = None,
        folder: str | None = None,
        version: int | None = None,
    ) -> ConversationRow | None:
        """Rename a conversation, or put it into a folder ('' takes it out); return it as it is now,
        None if there is none. Raises ConversationChanged where `version` is not of today."""
        values: dict[str, object] = {"version": conversations.c.version + 1}
        if title is not None:
            values["title"] = shortened(title, TITLE_LENGTH)
            values["title_words"] = search_form(title)
        if folder is not None:
            values["folder"] = shortened(folder, FOLDER_LENGTH)

        def work(connection: Connection) -> ConversationRow | None:
            wanted = conversations.c.id == id
            row = _one(connection, wanted)
            if row is None:
                return None
            if version is not None and row.version != version:
                raise ConversationChanged(row)
            connection.execute(update(conversations).where(wanted).values(values))
            return _one(connection, wanted)

        return await self._store.run(work)

    async def file_branch(self, id: str, row: ConversationRow, at: float) -> None:
        """Give a branch the title and folder of the conversation that it left."""
        values = {
            "title": row.title,
            "title_words": search_form(row.title),
            "folder": row.folder,
            "updated_at": at,
        }
        statement = update(conversations).where(conversations.c.id == id).values(values)
        await self._store.run(lambda to: to.execute(statement))

    async def judge(self, id: str, turn: int, value: str | None, comment: str) -> bool:
        """Keep what the person thinks of an answer; return False if it is none of the
        conversation's."""
        kept = messages.c
        statement = (
            update(messages)
            .where(kept.turn_id == turn, kept.conversation_id == id, kept.role == "model")
            .values(feedback=value, comment=storable(comment) if value else "")
        )
        return await self._store.run(lambda to: to.execute(statement).rowcount == 1)

    async def share(self, id: str) -> str | None:
        """Return the token by which anybody may read the conversation, the same one every time."""
        kept = conversations.c
        none_yet = update(conversations).where(kept.id == id, kept.share_token.is_(None))

        def work(connection: Connection) -> str | None:
            token = secrets.token_urlsafe(24)
            connection.execute(none_yet.values(share_token=sealed_share(connection, id, token)))
            found = connection.execute(select(kept.share_token).where(kept.id == id)).scalar()
            return None if found is None else opened_share(connection, id, found)

        return await self._store.run(work)

    async def unshare(self, id: str) -> None:
        """Revoke the token: what was shared by it is not found any more."""
        statement = update(conversations).where(conversations.c.id == id).values(share_token=None)
        await self._store.run(lambda to: to.execute(statement))

    async def delete(self, id: str) -> None:
        """Delete all that was said. Sessions and the audit stay."""

        def work(connection: Connection) -> None:
            connection.execute(delete(messages).where(messages.c.conversation_id == id))
            connection.execute(delete(turns).where(turns.c.session_id == id))
            connection.execute(delete(conversations).where(conversations.c.id == id))

        await self._store.run(work)

    async def snippets(self, ids: Iterable[str], query: str) -> dict[str, str]:
        """Return for each conversation the message in which a word of the query stands, the newest
        of them."""
        words = search_form(query).split()[:MAX_WORDS]
        if not words:
            return {}
        statement = (
            select(messages.c.conversation_id, turns.c.turn)
            .join_from(messages, turns, messages.c.turn_id == turns.c.id)
            .where(
                messages.c.conversation_id.in_(list(ids)),
                or_(*(messages.c.words.contains(word, autoescape=True) for word in words)),
            )
            .order_by(turns.c.at, turns.c.id)
        )
        return await self._store.run(
            lambda to: {str(key): str(turn) for key, turn in to.execute(statement)}, writes=False
        )


def _has(word: str) -> ColumnElement[bool]:
    kept = conversations.c
    said = exists().where(
        messages.c.conversation_id == kept.id, messages.c.words.contains(word, autoescape=True)
    )
    return or_(kept.title_words.contains(word, autoescape=True), said)


def _one(connection: Connection, wanted: ColumnElement[bool]) -> ConversationRow | None:
    row = connection.execute(select(*_ROW).where(wanted)).first()
    return None if row is None else ConversationRow(*row)


def _place(connection: Connection, id: str, turn: int) -> tuple[float, int]:
    at = connection.execute(
        select(turns.c.at).where(turns.c.id == turn, turns.c.session_id == id)
    ).scalar()
    if at is None:
        raise LookupError(f"There is no turn {turn} in the conversation {id!r}.")
    return float(at), turn
