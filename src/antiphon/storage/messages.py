"""Stored messages: the words of turns, from which conversations are listed and found."""

from __future__ import annotations

import unicodedata

from sqlalchemy import Connection, String, case, insert, literal, select, update

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
        self._new_conversation = inserting(dialect, conversations)

    def add(self, connection: Connection, turn_id: int, row: TurnRow, role: str, text: str) -> None:
        """Add what was said in a turn to its conversation. One that no session of the store began
        is nobody's, and is not listed."""
        first = select(
            sessions.c.id,
            sessions.c.user,
            *(literal("", String) for _ in range(4)),
            literal(0),
            literal(False),
            literal(1),
            literal(row.at),
            literal(row.at),
        ).where(sessions.c.id == row.session_id)
        texts = ["title", "title_words", "folder", "preview"]
        names = ["id", "user", *texts, "messages", "spoken", "version", "created_at", "updated_at"]
        new = self._new_conversation.from_select(names, first)
        connection.execute(new.on_conflict_do_nothing())
        kept, title = conversations.c, _title(role, text)
        newest = kept.updated_at <= row.at
        found = connection.execute(
            update(conversations)
            .where(kept.id == row.session_id)
            .values(
                title=case((kept.title == "", title), else_=kept.title),
                title_words=case((kept.title == "", search_form(title)), else_=kept.title_words),
                preview=case((newest, shortened(text, PREVIEW_LENGTH)), else_=kept.preview),
                messages=kept.messages + 1,
                spoken=kept.spoken if row.channel != "voice" else True,
                updated_at=case((newest, row.at), else_=kept.updated_at),
            )
        )
        if found.rowcount:
            connection.execute(
                insert(messages).values(
                    turn_id=turn_id,
                    conversation_id=row.session_id,
                    role=role,
                    words=search_form(text),
                    comment="",
                )
            )


def _title(role: str, text: str) -> str:
    """The title that a message gives to a conversation that has none: the person's words."""
    return shortened(text, TITLE_LENGTH) if role == "user" else ""
