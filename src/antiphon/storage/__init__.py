"""Durable storage: ledger, sessions, turns, confirmations, grants, blocks, audit."""

from antiphon.storage.errors import StoreError, UnstorableError
from antiphon.storage.rows import (
    AuditLine,
    AuditReport,
    Block,
    ConfirmationRow,
    GrantRow,
    LedgerRow,
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
    "LedgerRow",
    "SessionRow",
    "Store",
    "StoreError",
    "UnstorableError",
    "TurnRow",
]
