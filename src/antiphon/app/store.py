"""Store factory: the durable store of the settings, with its audit file beside it."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from antiphon.config import Settings
    from antiphon.storage import Store


def open_store(settings: Settings, *, audit_file: bool = False, make: bool = True) -> Store:
    """Open the store of the settings; with `audit_file` it writes the audit as JSON lines, too.

    The audit file belongs to the server: a command that runs beside it leaves it alone. Blocks.
    With `make` the data folder is made when it is not there.
    Raises StoreError when the store cannot be used, OSError when the data folder cannot be made.
    """
    from antiphon.app.master_keys import master_keys
    from antiphon.storage import Store

    if make:
        settings.data.mkdir(mode=0o700, parents=True, exist_ok=True)
    assert settings.store.url is not None
    audit = settings.audit_file if audit_file else None
    return Store.open(settings.store.url, audit_file=audit, keys=master_keys(settings), seals=make)
