"""Watched macro runs: one task for each run, and its progress to whoever watches it."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import AsyncIterator
from typing import Any

from antiphon.contracts import Envelope, ErrorType
from antiphon.orchestrator import Orchestrator, Session
from antiphon.server.http_sessions import HttpSessions
from antiphon.server.problems import STATUS
from antiphon.storage import StoreError

logger = logging.getLogger(__name__)

RUN_MACRO = "run_macro"


class MacroRuns:
    """Runs of macros that somebody watches. A run goes on when nobody does any more."""

    def __init__(self, orchestrator: Orchestrator) -> None:
        self._watching: dict[tuple[str, str], list[asyncio.Queue[dict[str, Any] | None]]] = {}
        self._running: set[asyncio.Task[Envelope]] = set()
        orchestrator.progress_listeners.subscribe(self._progressed)

    async def events(
        self, sessions: HttpSessions, id: str, key: str
    ) -> AsyncIterator[dict[str, Any]]:
        """Stream each step as it begins, with the result of the one before; at the end `done`,
        or `failed` where the run itself was refused."""
        queue: asyncio.Queue[dict[str, Any] | None] = asyncio.Queue()
        run = asyncio.create_task(
            sessions.call_shared("text", RUN_MACRO, {"macro_id": id}, key), name="macro run"
        )
        self._running.add(run)
        run.add_done_callback(self._ended)
        run.add_done_callback(lambda _: queue.put_nowait(None))
        watched = (sessions.user, f"client:{key}")
        self._watching.setdefault(watched, []).append(queue)
        try:
            while (told := await queue.get()) is not None:
                yield {"type": "step", **told}
            yield _end(run.result())
        except StoreError as error:
            words = f"The store is not there right now. {error}"
            yield {
                "type": "failed",
                "status": 503,
                "error": {"type": "TRANSIENT", "message": words},
            }
        finally:
            self._watching[watched].remove(queue)
            if not self._watching[watched]:
                del self._watching[watched]

    async def close(self) -> None:
        """Cancel the waiting for runs under way; the calls themselves end with the orchestrator."""
        for run in self._running:
            run.cancel()
        await asyncio.gather(*self._running, return_exceptions=True)

    def _ended(self, run: asyncio.Task[Envelope]) -> None:
        self._running.discard(run)
        if not run.cancelled() and run.exception() is not None:
            logger.error("a run of a macro did not come to its end: %s", run.exception())

    def _progressed(self, session: Session, event: dict[str, Any]) -> None:
        if event["toolId"] == RUN_MACRO:
            told = {name: each for name, each in event.items() if name not in ("toolId", "key")}
            for queue in self._watching.get((session.user, event["key"]), ()):
                queue.put_nowait(told)


def _end(envelope: Envelope) -> dict[str, Any]:
    if envelope["ok"]:
        replayed = envelope["meta"].get("replayed", False)
        return {"type": "done", **envelope["data"], "replayed": replayed}
    error = envelope["error"]
    status = STATUS[ErrorType(error["type"])]
    return {"type": "failed", "status": status, "error": error}
