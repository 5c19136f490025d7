"""Durable tasks."""

import sqlalchemy as sa
from alembic import op

revision = "0003"
down_revision = "0002"


def upgrade() -> None:
    op.create_table(
        "tasks",
        sa.Column("id", sa.Text, primary_key=True),
        sa.Column("session_id", sa.Text, nullable=False),
        sa.Column("user", sa.Text, nullable=False),
        sa.Column("mode", sa.Text, nullable=False),
        sa.Column("tool_id", sa.Text, nullable=False),
        sa.Column("tool_version", sa.Text, nullable=False),
        sa.Column("registry_version", sa.Text, nullable=False),
        sa.Column("key", sa.Text, nullable=False),
        sa.Column("call_id", sa.Text),
        sa.Column("args", sa.LargeBinary, nullable=False),
        sa.Column("args_digest", sa.Text, nullable=False),
        sa.Column("turn", sa.BigInteger, nullable=False),
        sa.Column("source", sa.Text, nullable=False),
        sa.Column("origin", sa.LargeBinary, nullable=False),
        sa.Column("status", sa.Text, nullable=False),
        sa.Column("owner", sa.Text, nullable=False),
        sa.Column("attempts", sa.Integer, nullable=False),
        sa.Column("cancel_requested", sa.Boolean, nullable=False),
        sa.Column("progress", sa.LargeBinary),
        sa.Column("envelope", sa.LargeBinary),
        sa.Column("client_told", sa.Boolean, nullable=False),
        sa.Column("model_told", sa.Boolean, nullable=False),
        sa.Column("created_at", sa.Double, nullable=False),
        sa.Column("updated_at", sa.Double, nullable=False),
        sa.Column("started_at", sa.Double),
        sa.Column("finished_at", sa.Double),
    )
    op.create_index("tasks_created_at", "tasks", ["created_at", "id"])
    op.create_index("tasks_session", "tasks", ["session_id", "created_at"])
    op.create_index("tasks_status", "tasks", ["status", "created_at"])
    op.create_index("tasks_finished_at", "tasks", ["finished_at"])
