"""Tools compiled ahead of time: built and checked, loaded and looked up, projected to providers."""

from __future__ import annotations

from typing import TYPE_CHECKING

from antiphon._lazy import lazy

if TYPE_CHECKING:
    from antiphon.registry.registry import Registry
    from antiphon.registry.snapshot import RegistryError, Snapshot, Tool
    from antiphon.registry.validation import UnusableSchema, Validator

__all__ = ["Registry", "RegistryError", "Snapshot", "Tool", "UnusableSchema", "Validator"]

# Lazy, because the child process that tries out handlers needs none of them.
__getattr__ = lazy(
    __name__,
    {
        "Registry": "antiphon.registry.registry",
        "RegistryError": "antiphon.registry.snapshot",
        "Snapshot": "antiphon.registry.snapshot",
        "Tool": "antiphon.registry.snapshot",
        "UnusableSchema": "antiphon.registry.validation",
        "Validator": "antiphon.registry.validation",
    },
    globals(),
)
