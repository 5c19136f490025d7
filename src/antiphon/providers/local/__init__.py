"""The built-in model: understands simple requests without a large one, a key or a network."""

from antiphon.providers.local.names import Name
from antiphon.providers.local.provider import LocalConnection, LocalText

__all__ = ["LocalConnection", "LocalText", "Name"]
