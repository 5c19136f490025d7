"""Everything that must outlive a process: ledger, sessions, turns, confirmations, blocks, audit."""

from antiphon.storage.errors import StoreError, UnstorableError
from antiphon.storage.rows import (
    ApprovalRow,
    AuditLine,
    AuditReport,
    Block,
    ConfirmationRow,
    LedgerRow,
    SessionRow,
    TurnRow,
)
from antiphon.storage.store import Store

__all__ = [
    "AuditLine",
    "AuditReport",
    "Block",
    "ApprovalRow",
    "ConfirmationRow",
    "LedgerRow",
    "SessionRow",
    "Store",
    "StoreError",
    "UnstorableError",
    "TurnRow",
]
