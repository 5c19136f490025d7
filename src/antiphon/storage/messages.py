"""Stored messages: the words of turns, from which conversations are listed and found."""

from __future__ import annotations

import unicodedata

from sqlalchemy import (
    Boolean,
    Connection,
    Double,
    Text,
    bindparam,
    case,
    delete,
    insert,
    literal,
    or_,
    select,
    update,
)

from antiphon.storage.rows import TurnRow
from antiphon.storage.tables import conversations, inserting, messages, sessions

TITLE_LENGTH = 120
PREVIEW_LENGTH = 160


def search_form(text: str) -> str:
    """Return a text as it is compared in a search: one case, one form of each letter and one kind
    of space."""
    return " ".join(unicodedata.normalize("NFKC", storable(text)).casefold().split())


def storable(text: str) -> str:
    """Return a text that every database takes: without halves of characters and without NUL."""
    return text.encode("utf-8", "replace").decode().replace("\x00", "\ufffd")


def shortened(text: str, length: int) -> str:
    """Return the beginning of a text in one line, cut at a word where there is one."""
    line = " ".join(storable(text).split())
    if len(line) <= length:
        return line
    cut = line[: length - 1]
    head, _, _ = cut.rpartition(" ")
    return f"{head if len(head) > length // 2 else cut}…"


class StoredMessages:
    """The statements that keep the list of conversations up with their turns."""

    def __init__(self, dialect: str) -> None:
        kept = conversations.c
        at, title = bindparam("turn_at", type_=Double), bindparam("said_title", type_=Text)
        first = select(
            sessions.c.id,
            sessions.c.user,
            *(literal("", Text) for _ in range(4)),
            literal(0),
            literal(False),
            literal(1),
            at,
            at,
        ).where(sessions.c.id == bindparam("conversation"))
        texts = ["title", "title_words", "folder", "preview"]
        names = ["id", "user", *texts, "messages", "spoken", "version", "created_at", "updated_at"]
        new = inserting(dialect, conversations).from_select(names, first)
        self._begin = new.on_conflict_do_nothing()
        newest, unnamed = kept.updated_at <= at, kept.title == ""
        words = bindparam("said_title_words", type_=Text)
        said = bindparam("said_preview", type_=Text)
        self._update = (
            update(conversations)
            .where(kept.id == bindparam("conversation"))
            .values(
                title=case((unnamed, title), else_=kept.title),
                title_words=case((unnamed, words), else_=kept.title_words),
                preview=case((newest, said), else_=kept.preview),
                messages=kept.messages + 1,
                spoken=or_(kept.spoken, bindparam("aloud", type_=Boolean)),
                updated_at=case((newest, at), else_=kept.updated_at),
            )
        )
        self._add = insert(messages)

    def add(self, connection: Connection, turn_id: int, row: TurnRow, role: str, text: str) -> None:
        """Add what was said in a turn to its conversation. One that no session of the store began
        is nobody's, and is not listed."""
        place = {"conversation": row.session_id, "turn_at": row.at}
        title = _title(role, text)
        changes = {
            "said_title": title,
            "said_title_words": search_form(title),
            "said_preview": shortened(text, PREVIEW_LENGTH),
            "aloud": row.channel == "voice",
        }
        found = connection.execute(self._update, {**place, **changes})
        if not found.rowcount:
            connection.execute(self._begin, place)
            found = connection.execute(self._update, {**place, **changes})
        if found.rowcount:
            message = {"turn_id": turn_id, "conversation_id": row.session_id, "role": role}
            connection.execute(self._add, {**message, "words": search_form(text), "comment": ""})

    def remove(
        self, connection: Connection, turn_id: int, row: TurnRow, role: str, text: str
    ) -> None:
        """Remove what was said in a turn, and the title that its conversation has from it."""
        if not connection.execute(delete(messages).where(messages.c.turn_id == turn_id)).rowcount:
            return
        kept, title = conversations.c, _title(role, text)
        named = kept.title == title
        connection.execute(
            update(conversations)
            .where(kept.id == row.session_id)
            .values(
                title=case((named, ""), else_=kept.title),
                title_words=case((named, ""), else_=kept.title_words),
                messages=kept.messages - 1,
            )
        )


def _title(role: str, text: str) -> str:
    """The title that a message gives to a conversation that has none: the person's words."""
    return shortened(text, TITLE_LENGTH) if role == "user" else ""
