"""The turns of conversations."""

import sqlalchemy as sa
from alembic import op

revision = "0002"
down_revision = "0001"


def upgrade() -> None:
    op.create_table(
        "turns",
        sa.Column("id", sa.BigInteger().with_variant(sa.Integer(), "sqlite"), primary_key=True),
        sa.Column("session_id", sa.Text, nullable=False),
        sa.Column("at", sa.Double, nullable=False),
        sa.Column("channel", sa.Text, nullable=False),
        sa.Column("turn", sa.Text, nullable=False),
    )
    op.create_index("turns_session", "turns", ["session_id", "at", "id"])
