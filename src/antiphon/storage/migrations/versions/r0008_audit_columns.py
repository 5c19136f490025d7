"""Audit columns that only repeated members of the line, dropped."""

from alembic import op

revision = "0008"
down_revision = "0007"


def upgrade() -> None:
    for name in ("event", "tool_id", "decision", "rule", "ok"):
        op.drop_column("audit", name)
