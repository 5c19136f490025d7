"""Scenarios: coroutines given what an async context manager opens, for tests that are sync."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from contextlib import AbstractAsyncContextManager
from typing import Any


def run_in(
    opened: AbstractAsyncContextManager[Any], scenario: Callable[..., Awaitable[Any]]
) -> Any:
    """Run a scenario inside a context manager; a tuple that it yields becomes several arguments."""

    async def main() -> Any:
        async with opened as found:
            return await (scenario(*found) if isinstance(found, tuple) else scenario(found))

    return asyncio.run(main())
