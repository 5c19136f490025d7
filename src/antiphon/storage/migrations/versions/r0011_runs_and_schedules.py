"""Tables of runs, their events, and schedules."""

import sqlalchemy as sa
from alembic import op

revision = "0011"
down_revision = "0010"


def upgrade() -> None:
    op.create_table(
        "runs",
        sa.Column("id", sa.Text, primary_key=True),
        *(
            sa.Column(name, sa.Text, nullable=False)
            for name in ("key", "session_id", "user", "mode", "kind", "name", "title", "input")
        ),
        sa.Column("status", sa.Text, nullable=False),
        sa.Column("attempts", sa.Integer, nullable=False),
        sa.Column("stop_requested", sa.Boolean, nullable=False),
        *(sa.Column(name, sa.Text) for name in ("error", "error_type", "outcome")),
        sa.Column("created_at", sa.Double, nullable=False),
        sa.Column("finished_at", sa.Double),
    )
    op.create_index("runs_created_at", "runs", ["created_at", "id"])
    op.create_index("runs_user", "runs", ["user", "created_at", "id"])
    op.create_index("runs_name", "runs", ["user", "kind", "name", "created_at", "id"])
    op.create_index("runs_status", "runs", ["status", "created_at", "id"])
    number = sa.BigInteger().with_variant(sa.Integer(), "sqlite")
    op.create_table(
        "run_events",
        sa.Column("id", number, primary_key=True),
        sa.Column("run_id", sa.Text, nullable=False),
        sa.Column("at", sa.Double, nullable=False),
        *(sa.Column(name, sa.Text, nullable=False) for name in ("event", "step", "details")),
    )
    op.create_index("run_events_run", "run_events", ["run_id", "id"])
    op.create_index("run_events_at", "run_events", ["at"])
    op.create_table(
        "schedules",
        sa.Column("id", sa.Text, primary_key=True),
        sa.Column("user", sa.Text, nullable=False),
        sa.Column("data", sa.Text),
        *(
            sa.Column(name, sa.Text, nullable=False)
            for name in ("kind", "name", "input", "trigger", "zone", "missed")
        ),
        sa.Column("enabled", sa.Boolean, nullable=False),
        sa.Column("created_at", sa.Double, nullable=False),
        sa.Column("updated_at", sa.Double, nullable=False),
        sa.Column("next_at", sa.Double),
        sa.Column("last_at", sa.Double),
        *(sa.Column(name, sa.Text) for name in ("last_run", "problem")),
    )
    op.create_index("schedules_user", "schedules", ["user", "created_at"])
    op.create_index("schedules_next", "schedules", ["next_at"])
