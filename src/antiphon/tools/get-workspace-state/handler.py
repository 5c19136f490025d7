"""Workspace state (selection and open items) of the person's browser, which answers."""

from __future__ import annotations

from typing import Any

from antiphon import ErrorType, fail


async def execute(args: dict[str, Any], context: Any) -> Any:
    return fail(ErrorType.UNAVAILABLE, "get_workspace_state runs in the browser.")
