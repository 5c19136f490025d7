"""Columns of schedules for the organisation and credential of whose they are."""

import sqlalchemy as sa
from alembic import op

revision = "0016"
down_revision = "0012"


def upgrade() -> None:
    op.add_column(
        "schedules", sa.Column("organisation", sa.Text, nullable=False, server_default="")
    )
    op.add_column("schedules", sa.Column("credential", sa.Text))
