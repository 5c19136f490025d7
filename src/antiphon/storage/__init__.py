"""Durable storage: ledger, sessions, turns, confirmations, grants, blocks, audit."""

from antiphon.storage.errors import StoreError, UnstorableError
from antiphon.storage.rows import (
    AuditLine,
    AuditReport,
    Block,
    ConfirmationRow,
    ConversationRow,
    GrantRow,
    LedgerRow,
    MessageRow,
    SessionRow,
    TurnRow,
)
from antiphon.storage.store import Store

__all__ = [
    "AuditLine",
    "AuditReport",
    "Block",
    "GrantRow",
    "ConfirmationRow",
    "ConversationRow",
    "LedgerRow",
    "MessageRow",
    "SessionRow",
    "Store",
    "StoreError",
    "UnstorableError",
    "TurnRow",
]
