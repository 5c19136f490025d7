"""The built-in model: dialogue policy, retrieval and slot filling without a key or a network."""

from __future__ import annotations

from typing import TYPE_CHECKING

from antiphon._lazy import lazy

if TYPE_CHECKING:
    from antiphon.providers.local.names import Name
    from antiphon.providers.local.provider import LocalConnection, LocalText

# A server that starts needs none of it yet.
_HERE = "antiphon.providers.local"
_HOMES = {
    "LocalConnection": f"{_HERE}.provider",
    "LocalText": f"{_HERE}.provider",
    "Name": f"{_HERE}.names",
}
__all__ = ["LocalConnection", "LocalText", "Name"]
__getattr__ = lazy(__name__, _HOMES, globals())
