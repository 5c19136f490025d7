"""Tables of limits: those that were set, and what was used on a day."""

import sqlalchemy as sa
from alembic import op

revision = "0014"
down_revision = "0016"


def upgrade() -> None:
    op.create_table(
        "limit_overrides",
        sa.Column("organisation", sa.Text, primary_key=True),
        sa.Column("kind", sa.Text, primary_key=True),
        sa.Column("name", sa.Text, primary_key=True),
        sa.Column("amounts", sa.Text, nullable=False),
        sa.Column("updated_at", sa.Double, nullable=False),
        sa.Column("updated_by", sa.Text, nullable=False),
    )
    op.create_table(
        "limit_usage",
        sa.Column("scope", sa.Text, primary_key=True),
        sa.Column("name", sa.Text, primary_key=True),
        sa.Column("limit", sa.Text, primary_key=True),
        sa.Column("day", sa.BigInteger, primary_key=True),
        sa.Column("amount", sa.Double, nullable=False),
    )
    op.create_index("limit_usage_day", "limit_usage", ["day"])
