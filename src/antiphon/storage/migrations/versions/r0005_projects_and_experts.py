"""Projects, what was said to experts, and the finished steps of workflows and agents."""

import sqlalchemy as sa
from alembic import op

revision = "0005"
down_revision = "0004"


def upgrade() -> None:
    op.create_table(
        "projects",
        sa.Column("id", sa.Text, primary_key=True),
        sa.Column("user", sa.Text, nullable=False),
        sa.Column("name", sa.Text, nullable=False),
        sa.Column("name_key", sa.Text, nullable=False),
        sa.Column("description", sa.Text, nullable=False),
        sa.Column("status", sa.Text, nullable=False),
        sa.Column("created_at", sa.Double, nullable=False),
        sa.Column("updated_at", sa.Double, nullable=False),
        sa.UniqueConstraint("user", "name_key", name="projects_name"),
    )
    op.create_table(
        "expert_turns",
        sa.Column("id", sa.BigInteger().with_variant(sa.Integer(), "sqlite"), primary_key=True),
        sa.Column("user", sa.Text, nullable=False),
        sa.Column("expert", sa.Text, nullable=False),
        sa.Column("key", sa.Text, nullable=False),
        sa.Column("at", sa.Double, nullable=False),
        sa.Column("message", sa.Text, nullable=False),
        sa.Column("answer", sa.Text, nullable=False),
        sa.UniqueConstraint("key", name="expert_turns_key"),
    )
    op.create_index("expert_turns_user", "expert_turns", ["user", "expert", "id"])
    op.create_table(
        "run_steps",
        sa.Column("key", sa.Text, primary_key=True),
        sa.Column("step", sa.Text, primary_key=True),
        sa.Column("at", sa.Double, nullable=False),
        sa.Column("outcome", sa.LargeBinary, nullable=False),
    )
    op.create_index("run_steps_at", "run_steps", ["at"])
