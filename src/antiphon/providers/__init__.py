"""Model providers: one narrow port to every model, and the backends behind it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from antiphon._lazy import lazy

if TYPE_CHECKING:
    from antiphon.providers.backends import Backends
    from antiphon.providers.models import Facts
    from antiphon.providers.port import (
        Access,
        Capabilities,
        Connection,
        Deadlines,
        NoTools,
        Provider,
        ProviderFault,
        Setup,
        ToolDeclarations,
    )
    from antiphon.providers.vendors import ProviderSpec

__all__ = [
    "Access",
    "Backends",
    "Capabilities",
    "Connection",
    "Deadlines",
    "ToolDeclarations",
    "Facts",
    "NoTools",
    "Provider",
    "ProviderFault",
    "ProviderSpec",
    "Setup",
]

_HOMES = {
    "Backends": "antiphon.providers.backends",
    "Facts": "antiphon.providers.models",
    "ProviderSpec": "antiphon.providers.vendors",
}
# Lazy, so that whoever needs the facts of a model does not pay for the rest.
__getattr__ = lazy(
    __name__,
    {name: _HOMES.get(name, "antiphon.providers.port") for name in __all__},
    globals(),
)
