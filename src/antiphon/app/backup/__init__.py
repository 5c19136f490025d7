"""Backup of a deployment: its store, its knowledge and its files in one archive, and back."""

from __future__ import annotations

from antiphon.app.backup.archive import BackupError, Manifest
from antiphon.app.backup.making import make_backup
from antiphon.app.backup.restoring import Restored, restore_backup

__all__ = ["BackupError", "Manifest", "Restored", "make_backup", "restore_backup"]
