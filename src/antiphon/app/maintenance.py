"""Background maintenance of an application: expiry, audit retention, task recovery, warm-up."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import AsyncIterator, Coroutine, Mapping
from contextlib import asynccontextmanager
from typing import TYPE_CHECKING, Any

from antiphon.orchestrator.loop_watchdog import LoopWatchdog
from antiphon.providers.heap import trim
from antiphon.providers.port import ProviderFault
from antiphon.storage import StoreError

if TYPE_CHECKING:
    from antiphon.app.application import Application
    from antiphon.orchestrator import Orchestrator

logger = logging.getLogger(__name__)

UPKEEP_SECONDS = 30.0
RESUME_SECONDS = 5.0
DAY_SECONDS = 86_400.0
# Whoever asks sooner makes the knowledge base ready themselves; the start does not wait for it.
WARM_AFTER_SECONDS = 1.0
WARM_SECONDS = 60.0


@asynccontextmanager
async def maintenance(application: Application, warm_after: float) -> AsyncIterator[None]:
    """Run the maintenance tasks of an open application until the context is left."""
    orchestrator, settings = application.orchestrator, application.settings
    work = {
        "upkeep": _upkeep(application, settings.audit.keep_days),
        "tasks": _recover_tasks(orchestrator),
        "limits": _reload_limits(application),
        "mcp servers": application.mcp.keep(),
        "warm": _warm_up(application, warm_after),
    }
    async with running_beside(work), LoopWatchdog(application.metrics):
        yield


@asynccontextmanager
async def running_beside(work: Mapping[str, Coroutine[Any, Any, None]]) -> AsyncIterator[None]:
    """Run coroutines as named tasks; cancel them and wait for their end on leaving."""
    running = [asyncio.create_task(each, name=name) for name, each in work.items()]
    try:
        yield
    finally:
        for task in running:
            task.cancel()
        await asyncio.gather(*running, return_exceptions=True)


async def _upkeep(application: Application, audit_days: int | None) -> None:
    """Drop what has expired, and take note of calls that another node left unfinished."""
    orchestrator, recordings = application.orchestrator, application.recordings
    while True:
        try:
            await orchestrator.upkeep()
            await application.limiter.book.purge()
            await application.access.purge()
            await application.usage.upkeep()
            if audit_days is not None:
                await orchestrator.store.prune_audit(orchestrator.now() - audit_days * DAY_SECONDS)
            await asyncio.to_thread(recordings.prune, orchestrator.now())
        except OSError as error:
            logger.error("old recordings were not deleted and will be tried again: %s", error)
        except StoreError as error:
            logger.error("upkeep of the store failed and will be tried again: %s", error)
        await asyncio.to_thread(application.organisation_knowledge.close_idle)
        await asyncio.to_thread(trim)  # what long recordings and texts took
        await asyncio.sleep(UPKEEP_SECONDS)


async def _recover_tasks(orchestrator: Orchestrator) -> None:
    """Resume tasks that dead nodes left, and poll what other nodes have done."""
    while True:
        await asyncio.sleep(RESUME_SECONDS)
        try:
            if orchestrator.background is not None:
                await orchestrator.background.backend.resume()
        except StoreError as error:
            logger.error("tasks could not be looked for and will be again: %s", error)


async def _reload_limits(application: Application) -> None:
    """Put in force what other nodes have set."""
    while True:
        await asyncio.sleep(RESUME_SECONDS)
        try:
            await application.limiter.load()
        except StoreError as error:
            logger.error("limits could not be looked for and will be again: %s", error)


async def _warm_up(application: Application, delay: float) -> None:
    """Load indexes and the built-in model, so that the first question need not wait for them."""
    await asyncio.sleep(delay)
    await asyncio.to_thread(application.knowledge.warm)
    await asyncio.to_thread(application.playbooks.warm)
    for api, what in (("local", "understand"), ("local-voice", "hear and speak")):
        try:
            await application.backends.provider(api).probe(WARM_SECONDS)
        except ProviderFault as failed:
            logger.warning("the built-in model cannot %s yet: %s", what, failed.fault.message)
    # Loading a model takes twice what the model is.
    await asyncio.to_thread(trim)
