"""Table of the destinations that people have sent something to."""

import sqlalchemy as sa
from alembic import op

revision = "0019"
down_revision = "0017"


def upgrade() -> None:
    op.create_table(
        "destinations",
        sa.Column("user", sa.Text, primary_key=True),
        sa.Column("digest", sa.Text, primary_key=True),
        sa.Column("used_at", sa.Double, nullable=False),
    )
