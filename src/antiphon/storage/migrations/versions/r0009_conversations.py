"""Conversations: titles, folders, shares and feedback, and the words by which they are found."""

import json

import sqlalchemy as sa
from alembic import op

revision = "0009"
down_revision = "0008"

NOTE = "(A note from the system, not from the person:"
BIG = sa.BigInteger().with_variant(sa.Integer(), "sqlite")


def upgrade() -> None:
    op.add_column(
        "sessions", sa.Column("conversation_id", sa.Text, nullable=False, server_default="")
    )
    op.create_index("sessions_conversation", "sessions", ["conversation_id"])
    op.create_table(
        "conversations",
        sa.Column("id", sa.Text, primary_key=True),
        sa.Column("user", sa.Text, nullable=False),
        sa.Column("title", sa.Text, nullable=False),
        sa.Column("title_words", sa.Text, nullable=False),
        sa.Column("folder", sa.Text, nullable=False),
        sa.Column("preview", sa.Text, nullable=False),
        sa.Column("messages", sa.Integer, nullable=False),
        sa.Column("spoken", sa.Boolean, nullable=False),
        sa.Column("share_token", sa.Text),
        sa.Column("version", sa.Integer, nullable=False),
        sa.Column("created_at", sa.Double, nullable=False),
        sa.Column("updated_at", sa.Double, nullable=False),
        sa.UniqueConstraint("share_token", name="conversations_share_token"),
    )
    op.create_index("conversations_user", "conversations", ["user", "updated_at", "id"])
    op.create_table(
        "messages",
        sa.Column("turn_id", BIG, primary_key=True, autoincrement=False),
        sa.Column("conversation_id", sa.Text, nullable=False),
        sa.Column("role", sa.Text, nullable=False),
        sa.Column("words", sa.Text, nullable=False),
        sa.Column("feedback", sa.Text),
        sa.Column("comment", sa.Text, nullable=False),
    )
    op.create_index("messages_conversation", "messages", ["conversation_id"])
    _fill(op.get_bind())


def _fill(connection: sa.Connection) -> None:
    """Fill the tables with what was said so far."""
    from antiphon.storage.messages import StoredMessages
    from antiphon.storage.rows import TurnRow

    for session_id, line in connection.execute(
        sa.text(
            "SELECT session_id, line FROM audit WHERE line LIKE '%session_started%' "
            "AND line LIKE '%\"conversation\"%'"
        )
    ).all():
        data = json.loads(line)
        began = (data.get("details") or {}).get("conversation")
        if data.get("event") == "session_started" and isinstance(began, str):
            connection.execute(
                sa.text("UPDATE sessions SET conversation_id = :began WHERE id = :id"),
                {"began": began, "id": session_id},
            )
    connection.execute(
        sa.text("UPDATE sessions SET conversation_id = id WHERE conversation_id = ''")
    )
    stored = StoredMessages(connection.dialect.name)
    last = 0
    while rows := connection.execute(
        sa.text(
            "SELECT id, session_id, at, channel, turn FROM turns WHERE id > :last "
            "ORDER BY id LIMIT 1000"
        ),
        {"last": last},
    ).all():
        for number, *columns in rows:
            row = TurnRow(*columns)
            body = json.loads(row.turn)
            text = str(body.get("text") or "").strip()
            if text and body.get("role") in ("user", "model") and not text.startswith(NOTE):
                stored.add(connection, number, row, body["role"], text)
        last = rows[-1].id
