"""Confirmation columns: title, rule, approvers, changes, the person and the way of an answer."""

import sqlalchemy as sa
from alembic import op

revision = "0010"
down_revision = "0009"


def upgrade() -> None:
    for name, default in (("title", ""), ("rule", ""), ("approvers", "[]"), ("changes", "{}")):
        column = sa.Column(name, sa.Text(), nullable=False, server_default=default)
        op.add_column("confirmations", column)
    for name in ("answered_by", "via"):
        op.add_column("confirmations", sa.Column(name, sa.Text()))
