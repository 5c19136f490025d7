"""Application for synchronous commands: opened and closed on an event loop that stands still."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from antiphon.app import Application
    from antiphon.config import Settings


@contextmanager
def opened_application(settings: Settings, **options: Any) -> Iterator[Application]:
    """An open application whose parts are used from the calling thread.

    `options` are those of `Application`. Raises what entering it does.
    """
    import asyncio

    from antiphon.app import Application

    with asyncio.Runner() as runner:
        application = Application(settings, runner=runner, **options)
        runner.run(application.__aenter__())
        try:
            yield application
        finally:
            runner.run(application.__aexit__(None, None, None))
