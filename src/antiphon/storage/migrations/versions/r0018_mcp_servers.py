"""Tables of MCP servers: those that were added, what was accepted of their tools, credentials."""

import sqlalchemy as sa
from alembic import op

revision = "0018"
down_revision = "0019"


def upgrade() -> None:
    op.create_table(
        "mcp_servers",
        sa.Column("name", sa.Text, primary_key=True),
        sa.Column("content", sa.Text, nullable=False),
        sa.Column("secrets", sa.LargeBinary, nullable=False),
        sa.Column("added_at", sa.Double, nullable=False),
        sa.Column("added_by", sa.Text, nullable=False),
    )
    op.create_table(
        "mcp_pins",
        sa.Column("server", sa.Text, primary_key=True),
        sa.Column("tool", sa.Text, primary_key=True),
        sa.Column("status", sa.Text, nullable=False),
        sa.Column("reason", sa.Text, nullable=False),
        sa.Column("accepted", sa.Text),
        sa.Column("seen", sa.Text, nullable=False),
        sa.Column("digest", sa.Text, nullable=False),
        sa.Column("first_seen_at", sa.Double, nullable=False),
        sa.Column("changed_at", sa.Double, nullable=False),
        sa.Column("decided_at", sa.Double),
        sa.Column("decided_by", sa.Text),
    )
    op.create_table(
        "mcp_credentials",
        sa.Column("id", sa.Text, primary_key=True),
        sa.Column("server", sa.Text, nullable=False),
        sa.Column("kind", sa.Text, nullable=False),
        sa.Column("user", sa.Text, nullable=False),
        sa.Column("value", sa.LargeBinary, nullable=False),
        sa.Column("updated_at", sa.Double, nullable=False),
    )
    op.create_index("mcp_credentials_server", "mcp_credentials", ["server", "kind"])
