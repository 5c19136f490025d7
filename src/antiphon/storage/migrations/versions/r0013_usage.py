"""Tables of usage: what was used, the sums of days and months, spending caps."""

import sqlalchemy as sa
from alembic import op

revision = "0013"
down_revision = "0014"


def _texts(*names: str, primary_key: bool = False) -> list[sa.Column[str]]:
    return [sa.Column(name, sa.Text, nullable=False, primary_key=primary_key) for name in names]


def _counts(*names: str, nullable: bool = False) -> list[sa.Column[int]]:
    return [sa.Column(name, sa.BigInteger, nullable=nullable) for name in names]


def upgrade() -> None:
    op.create_table(
        "usage_entries",
        sa.Column("id", sa.Text, primary_key=True),
        sa.Column("at", sa.Double, nullable=False),
        *_texts("day", "user", "organisation", "agent", "session_id", "backend", "model", "tool"),
        *_texts("state", "node", "currency"),
        *_counts("estimate", "cost"),
        *_counts("input_tokens", "cached_tokens", "cache_write_tokens", "output_tokens"),
        *_counts("audio_input_tokens", "audio_output_tokens", "voice_ms"),
    )
    op.create_index("usage_entries_day", "usage_entries", ["day", "user"])
    op.create_index("usage_entries_organisation", "usage_entries", ["organisation", "day"])
    op.create_index("usage_entries_state", "usage_entries", ["state", "node"])
    op.create_table(
        "usage_sums",
        *_texts("currency", "organisation", "scope", "subject", "period", primary_key=True),
        *_counts("spent", "reserved"),
        *_counts("warned", nullable=True),
    )
    op.create_table(
        "usage_caps",
        *_texts("organisation", "scope", "subject", primary_key=True),
        *_texts("currency"),
        *_counts("day", "month", nullable=True),
        sa.Column("updated_at", sa.Double, nullable=False),
        *_texts("updated_by"),
    )
