"""Thermal state of the device."""

from __future__ import annotations

from typing import Any

from antiphon import ok


async def execute(args: dict[str, Any], context: Any) -> Any:
    return ok(await context.workspace.thermal.check())
