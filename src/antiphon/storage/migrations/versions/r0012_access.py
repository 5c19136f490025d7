"""Tables of users, groups, roles, tokens, browser sessions and passkeys."""

import sqlalchemy as sa
from alembic import op

revision = "0012"
down_revision = "0011"


def _texts(*names: str) -> list[sa.Column[str]]:
    return [sa.Column(name, sa.Text, nullable=False) for name in names]


def _times(*names: str, nullable: bool = False) -> list[sa.Column[float]]:
    return [sa.Column(name, sa.Double, nullable=nullable) for name in names]


def upgrade() -> None:
    op.create_table(
        "organisations",
        sa.Column("id", sa.Text, primary_key=True),
        *_texts("name"),
        *_times("created_at"),
    )
    op.create_table(
        "users",
        sa.Column("name", sa.Text, primary_key=True),
        *_texts("name_key", "organisation", "display_name", "email", "roles"),
        sa.Column("password", sa.Text),
        sa.Column("identity", sa.Text),
        sa.Column("disabled", sa.Boolean, nullable=False),
        *_times("created_at", "updated_at"),
        *_times("signed_in_at", "removed_at", nullable=True),
        sa.UniqueConstraint("name_key", name="users_name_key"),
        sa.UniqueConstraint("identity", name="users_identity"),
    )
    op.create_index("users_organisation", "users", ["organisation", "name"])
    op.create_table(
        "user_groups",
        sa.Column("organisation", sa.Text, primary_key=True),
        sa.Column("name", sa.Text, primary_key=True),
        *_texts("roles", "members"),
        *_times("updated_at"),
    )
    op.create_table(
        "roles",
        sa.Column("organisation", sa.Text, primary_key=True),
        sa.Column("name", sa.Text, primary_key=True),
        *_texts("content"),
        *_times("updated_at"),
    )
    op.create_table(
        "service_tokens",
        sa.Column("id", sa.Text, primary_key=True),
        *_texts("hash", "user", "name", "permissions", "tools", "networks"),
        *_times("created_at"),
        *_texts("created_by"),
        *_times("expires_at", "revoked_at", "used_at", nullable=True),
        sa.UniqueConstraint("hash", name="service_tokens_hash"),
    )
    op.create_index("service_tokens_user", "service_tokens", ["user", "created_at"])
    op.create_table(
        "browser_sessions",
        sa.Column("id", sa.Text, primary_key=True),
        *_texts("hash"),
        sa.Column("previous_hash", sa.Text),
        *_texts("user", "way", "agent"),
        *_times("created_at", "used_at", "rotated_at", "expires_at"),
        *_times("ended_at", nullable=True),
        sa.UniqueConstraint("hash", name="browser_sessions_hash"),
    )
    op.create_index("browser_sessions_user", "browser_sessions", ["user", "created_at"])
    op.create_index("browser_sessions_expires_at", "browser_sessions", ["expires_at"])
    op.create_table(
        "single_use",
        sa.Column("hash", sa.Text, primary_key=True),
        *_texts("purpose", "user", "content"),
        *_times("created_at", "expires_at"),
        *_times("used_at", nullable=True),
    )
    op.create_index("single_use_expires_at", "single_use", ["expires_at"])
    op.create_table(
        "passkeys",
        sa.Column("id", sa.Text, primary_key=True),
        *_texts("user", "name"),
        sa.Column("public_key", sa.LargeBinary, nullable=False),
        sa.Column("sign_count", sa.BigInteger, nullable=False),
        *_times("created_at"),
        *_times("used_at", nullable=True),
    )
    op.create_index("passkeys_user", "passkeys", ["user", "created_at"])
