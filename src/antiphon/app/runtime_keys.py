"""Runtime keys: provider keys that are set while the application runs, durable and audited."""

from __future__ import annotations

import asyncio
import time
from typing import TYPE_CHECKING

from antiphon.app.key_files import read_keys, write_keys

if TYPE_CHECKING:
    from antiphon.config import Settings
    from antiphon.providers import Backends
    from antiphon.providers.faults import Vendor
    from antiphon.storage import Store


class RuntimeKeys:
    """The keys that were set at run time, in the data folder and in the backends."""

    def __init__(self, settings: Settings, backends: Backends, store: Store) -> None:
        self._settings = settings
        self._backends = backends
        self._store = store
        self._changing = asyncio.Lock()

    async def change(self, given: dict[Vendor, str | None]) -> None:
        """Set each vendor's key, or forget it for None: first in the file, then in the backends.

        Raises KeyFileError when the file cannot be written; then nothing was changed.
        """
        async with self._changing:
            kept = await asyncio.to_thread(read_keys, self._settings)
            for vendor, key in given.items():
                if key is None:
                    kept.pop(vendor, None)
                else:
                    kept[vendor] = key
            await asyncio.to_thread(write_keys, self._settings, kept)
            for vendor, key in given.items():
                in_force = key or self._configured(vendor)
                await self._backends.set_key(vendor, in_force, saved=key is not None)
                self._audit(vendor, key is not None)

    def _configured(self, vendor: Vendor) -> str | None:
        key = getattr(getattr(self._settings.providers, vendor, None), "api_key", None)
        return (key.get_secret_value().strip() or None) if key is not None else None

    def _audit(self, vendor: Vendor, present: bool) -> None:
        change = "set" if present else "forgotten"
        details = {"provider": vendor, "change": change}
        self._store.append_audit({"event": "key_changed", "at": time.time(), "details": details})
