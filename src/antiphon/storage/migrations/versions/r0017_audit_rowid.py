"""The number of an audit line as SQLite's own row number, which spares an index of its own."""

import sqlalchemy as sa
from alembic import op

revision = "0017"
down_revision = "0013"


def upgrade() -> None:
    if op.get_bind().dialect.name != "sqlite":
        return
    op.drop_index("audit_session", "audit")
    op.rename_table("audit", "audit_before")
    op.create_table(
        "audit",
        sa.Column("seq", sa.Integer, primary_key=True, autoincrement=False),
        sa.Column("at", sa.Double, nullable=False),
        sa.Column("session_id", sa.Text),
        sa.Column("line", sa.Text, nullable=False),
    )
    op.execute(
        "INSERT INTO audit (seq, at, session_id, line) "
        "SELECT seq, at, session_id, line FROM audit_before ORDER BY seq"
    )
    op.drop_table("audit_before")
    op.create_index("audit_session", "audit", ["session_id", "seq"])
