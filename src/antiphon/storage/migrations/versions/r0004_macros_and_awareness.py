"""Macros, and what the console tells of its pages: visits, errors, context."""

import sqlalchemy as sa
from alembic import op

revision = "0004"
down_revision = "0003"


def upgrade() -> None:
    op.create_table(
        "macros",
        sa.Column("id", sa.Text, primary_key=True),
        sa.Column("user", sa.Text, nullable=False),
        sa.Column("name", sa.Text, nullable=False),
        sa.Column("trigger_phrase", sa.Text, nullable=False),
        sa.Column("steps", sa.Text, nullable=False),
        sa.Column("error_policy", sa.Text, nullable=False),
        sa.Column("created_at", sa.Double, nullable=False),
        sa.Column("updated_at", sa.Double, nullable=False),
        sa.UniqueConstraint("user", "trigger_phrase", name="macros_trigger_phrase"),
    )
    op.create_table(
        "page_visits",
        sa.Column("id", sa.BigInteger().with_variant(sa.Integer(), "sqlite"), primary_key=True),
        sa.Column("user", sa.Text, nullable=False),
        sa.Column("page", sa.Text, nullable=False),
        sa.Column("at", sa.Double, nullable=False),
        sa.Column("seconds", sa.Double),
        sa.Column("details", sa.Text, nullable=False),
    )
    op.create_index("page_visits_user", "page_visits", ["user", "at"])
    op.create_index("page_visits_at", "page_visits", ["at"])
    op.create_table(
        "page_errors",
        sa.Column("id", sa.BigInteger().with_variant(sa.Integer(), "sqlite"), primary_key=True),
        sa.Column("user", sa.Text, nullable=False),
        sa.Column("error_type", sa.Text, nullable=False),
        sa.Column("message", sa.Text, nullable=False),
        sa.Column("page", sa.Text, nullable=False),
        sa.Column("at", sa.Double, nullable=False),
        sa.Column("times", sa.Integer, nullable=False),
        sa.Column("resolved_at", sa.Double),
    )
    op.create_index("page_errors_user", "page_errors", ["user", "at"])
    op.create_index("page_errors_at", "page_errors", ["at"])
    op.create_table(
        "page_context",
        sa.Column("user", sa.Text, primary_key=True),
        sa.Column("key", sa.Text, primary_key=True),
        sa.Column("value", sa.Text, nullable=False),
        sa.Column("at", sa.Double, nullable=False),
    )
