"""The options of `@tool(…)`: what a function's signature cannot say."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from antiphon.contracts.definition import (
    Category,
    Execution,
    Interruption,
    Isolation,
    Mode,
    RateLimit,
    Risk,
    SideEffects,
)
from antiphon.contracts.provenance import Sensitivity, ToolOrigin

VERSION = "0.1.0"
LATENCY_MS = 1000
# The default of a parameter that may be left out and has no value then: JSON has none for it.
UNSET: Any = object()


def given(values: Mapping[str, Any]) -> dict[str, Any]:
    """Return the values without those that are UNSET."""
    return {name: value for name, value in values.items() if value is not UNSET}


@dataclass(frozen=True, slots=True)
class ToolOptions:
    """What `@tool(…)` says of a function beyond its signature; None is left to the default."""

    name: str | None = None
    description: str | None = None
    guide: str | Path | None = None
    side_effects: SideEffects = "writes"
    origin: ToolOrigin | None = None
    sensitivity: Sensitivity | None = None
    outside: bool | None = None
    confirm: bool | None = None
    idempotent: bool | None = None
    modes: Sequence[Mode] = ("text", "voice")
    latency_ms: float = LATENCY_MS
    timeout_ms: float | None = None
    category: Category | None = None
    version: str = VERSION
    rate: str | RateLimit | None = None
    interruption: Interruption | None = None
    risk: Risk | None = None
    approvals: int | None = None
    redact: Sequence[str] | None = None
    isolation: Isolation | None = None
    execution: Execution | None = None
    network: bool | None = None
    availability: Mapping[str, Any] | None = None
    catalogue: str | None = None
    parameters: Mapping[str, Any] | None = None
    output: Mapping[str, Any] | None = None
