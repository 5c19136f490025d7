"""Credential cache: what was found of a credential, for half a second."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable
from typing import Generic, TypeVar

KEPT_SECONDS = 0.5
MAX_KEPT = 4096

Found = TypeVar("Found")


class CredentialCache(Generic[Found]):
    """Outcomes of look-ups by the hash of what was shown. An older one is looked up again, so that
    what another node has revoked is refused here within a second."""

    def __init__(self, monotonic: Callable[[], float]) -> None:
        self._monotonic = monotonic
        self._found: OrderedDict[str, tuple[float, Found]] = OrderedDict()

    def find(self, key: str) -> Found | None:
        kept = self._found.get(key)
        if kept is None or not 0 <= self._monotonic() - kept[0] < KEPT_SECONDS:
            return None
        return kept[1]

    def keep(self, key: str, outcome: Found, looked_at: float) -> None:
        """Keep an outcome. `looked_at`: when the look began, as a change may have come since."""
        self._found[key] = (looked_at, outcome)
        self._found.move_to_end(key)
        while len(self._found) > MAX_KEPT:
            self._found.popitem(last=False)

    def clear(self) -> None:
        """Forget everything: something was changed on this node."""
        self._found.clear()
