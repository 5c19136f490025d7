"""The first tables: ledger, sessions, blocks, rate windows, confirmations, audit, secrets."""

import sqlalchemy as sa
from alembic import op

revision = "0001"
down_revision = None


def upgrade() -> None:
    op.create_table(
        "ledger",
        sa.Column("id", sa.BigInteger().with_variant(sa.Integer(), "sqlite"), primary_key=True),
        sa.Column("session_id", sa.Text, nullable=False),
        sa.Column("key", sa.Text, nullable=False),
        sa.Column("call_hash", sa.Text, nullable=False),
        sa.Column("tool_id", sa.Text, nullable=False),
        sa.Column("args_digest", sa.Text, nullable=False),
        sa.Column("args", sa.LargeBinary, nullable=False),
        sa.Column("turn", sa.BigInteger, nullable=False),
        sa.Column("state", sa.Text, nullable=False),
        sa.Column("envelope", sa.LargeBinary),
        sa.Column("owner", sa.Text, nullable=False),
        sa.Column("created_at", sa.Double, nullable=False),
        sa.Column("updated_at", sa.Double, nullable=False),
        sa.Column("expires_at", sa.Double, nullable=False),
        sa.UniqueConstraint("session_id", "key", name="ledger_key"),
        sa.UniqueConstraint("session_id", "call_hash", name="ledger_call_hash"),
    )
    op.create_index("ledger_expires_at", "ledger", ["expires_at"])
    op.create_index(
        "ledger_running",
        "ledger",
        ["owner"],
        sqlite_where=sa.text("state = 'running'"),
        postgresql_where=sa.text("state = 'running'"),
    )
    op.create_table(
        "sessions",
        sa.Column("id", sa.Text, primary_key=True),
        sa.Column("user", sa.Text, nullable=False),
        sa.Column("mode", sa.Text, nullable=False),
        sa.Column("provider", sa.Text, nullable=False),
        sa.Column("profile", sa.Text, nullable=False),
        sa.Column("registry_version", sa.Text, nullable=False),
        sa.Column("state", sa.Text, nullable=False),
        sa.Column("created_at", sa.Double, nullable=False),
        sa.Column("updated_at", sa.Double, nullable=False),
        sa.Column("ended_at", sa.Double),
    )
    op.create_index("sessions_created_at", "sessions", ["created_at", "id"])
    op.create_index("sessions_user", "sessions", ["user", "created_at"])
    op.create_table(
        "blocks",
        sa.Column("user", sa.Text, primary_key=True),
        sa.Column("until", sa.Double, nullable=False),
        sa.Column("reason", sa.Text, nullable=False),
        sa.Column("created_at", sa.Double, nullable=False),
    )
    op.create_table(
        "rate_windows",
        sa.Column("session_id", sa.Text, primary_key=True),
        sa.Column("tool_id", sa.Text, primary_key=True),
        sa.Column("stamps", sa.Text, nullable=False),
        sa.Column("updated_at", sa.Double, nullable=False),
    )
    op.create_table(
        "confirmations",
        sa.Column("id", sa.Text, primary_key=True),
        sa.Column("session_id", sa.Text, nullable=False),
        sa.Column("user", sa.Text, nullable=False),
        sa.Column("tool_id", sa.Text, nullable=False),
        sa.Column("args", sa.LargeBinary, nullable=False),
        sa.Column("args_digest", sa.Text, nullable=False),
        sa.Column("registry_version", sa.Text, nullable=False),
        sa.Column("nonce", sa.Text, nullable=False),
        sa.Column("key", sa.Text, nullable=False),
        sa.Column("turn", sa.BigInteger, nullable=False),
        sa.Column("risk", sa.Text, nullable=False),
        sa.Column("preview", sa.Text, nullable=False),
        sa.Column("call_hash", sa.Text, nullable=False),
        sa.Column("call_args", sa.LargeBinary, nullable=False),
        sa.Column("created_at", sa.Double, nullable=False),
        sa.Column("expires_at", sa.Double, nullable=False),
        sa.Column("status", sa.Text, nullable=False),
        sa.Column("resolved_at", sa.Double),
    )
    op.create_index("confirmations_session", "confirmations", ["session_id", "created_at"])
    op.create_index("confirmations_status", "confirmations", ["status", "created_at"])
    op.create_table(
        "audit",
        sa.Column("seq", sa.BigInteger, primary_key=True, autoincrement=False),
        sa.Column("at", sa.Double, nullable=False),
        sa.Column("event", sa.Text),
        sa.Column("session_id", sa.Text),
        sa.Column("tool_id", sa.Text),
        sa.Column("decision", sa.Text),
        sa.Column("rule", sa.Text),
        sa.Column("ok", sa.Boolean),
        sa.Column("line", sa.Text, nullable=False),
    )
    op.create_index("audit_session", "audit", ["session_id", "seq"])
    head = op.create_table(
        "audit_head",
        sa.Column("id", sa.Integer, primary_key=True, autoincrement=False),
        sa.Column("seq", sa.BigInteger, nullable=False),
        sa.Column("hash", sa.Text, nullable=False),
    )
    # The one row that every writer locks, updates and never adds to.
    op.bulk_insert(head, [{"id": 1, "seq": 0, "hash": "0" * 64}])
    op.create_table(
        "audit_sinks",
        sa.Column("name", sa.Text, primary_key=True),
        sa.Column("seq", sa.BigInteger, nullable=False),
    )
    op.create_table(
        "secrets",
        sa.Column("name", sa.Text, primary_key=True),
        sa.Column("value", sa.LargeBinary, nullable=False),
    )
