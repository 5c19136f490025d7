"""The events of the local calendar."""

import sqlalchemy as sa
from alembic import op

revision = "0006"
down_revision = "0005"


def upgrade() -> None:
    op.create_table(
        "calendar_events",
        sa.Column("id", sa.Text, primary_key=True),
        sa.Column("user", sa.Text, nullable=False),
        sa.Column("calendar", sa.Text, nullable=False),
        sa.Column("uid", sa.Text, nullable=False),
        sa.Column("key", sa.Text),
        sa.Column("title", sa.Text, nullable=False),
        sa.Column("zone", sa.Text, nullable=False),
        sa.Column("events", sa.Text, nullable=False),
        sa.Column("zones", sa.Text, nullable=False),
        sa.Column("starts_at", sa.Double, nullable=False),
        sa.Column("ends_at", sa.Double),
        sa.Column("created_at", sa.Double, nullable=False),
        sa.Column("updated_at", sa.Double, nullable=False),
        sa.UniqueConstraint("user", "calendar", "uid", name="calendar_events_uid"),
        sa.UniqueConstraint("key", name="calendar_events_key"),
    )
    op.create_index("calendar_events_time", "calendar_events", ["user", "calendar", "starts_at"])
