"""Maintenance thread: embedding of pending records and release of idle index writers."""

from __future__ import annotations

import logging
import threading
import time
from typing import TYPE_CHECKING

from antiphon.knowledge.errors import KnowledgeError

if TYPE_CHECKING:
    from antiphon.knowledge.database import Database

log = logging.getLogger(__name__)

BATCH = 32
# A database that has not been written for this long is tidied.
QUIET_SECONDS = 2.0
# After an embedder failed it is left alone for this long.
PAUSE_SECONDS = 30.0
# So often an open database is looked at for what other processes have written to it.
LOOK_SECONDS = 5.0


class Maintenance:
    """One thread for all databases, started on demand and stopped by `close`."""

    def __init__(self, *, embeds: bool, look_seconds: float = LOOK_SECONDS) -> None:
        self._embeds = embeds
        self._look_seconds = look_seconds
        self._wake = threading.Condition()
        # When to embed what is pending in each open database.
        self._waiting: dict[str, tuple[float, Database]] = {}
        self._quiet_due: dict[str, tuple[float, Database]] = {}
        self._not_before = 0.0
        self._thread: threading.Thread | None = None
        self._stopped = False

    def schedule(self, database: Database) -> None:
        """Schedule a database that was opened or written, to be embedded and released."""
        with self._wake:
            if self._stopped:
                return
            if self._embeds:
                self._waiting[database.id] = (time.monotonic(), database)
            self._quiet_due[database.id] = (time.monotonic() + QUIET_SECONDS, database)
            if self._thread is None:
                self._thread = threading.Thread(
                    target=self._run, name="knowledge-maintenance", daemon=True
                )
                self._thread.start()
            self._wake.notify()

    def close(self) -> None:
        """Stop after the batch under way; what is pending then is done after the next opening."""
        with self._wake:
            self._stopped = True
            self._wake.notify()
        if self._thread is not None:
            self._thread.join()

    def _run(self) -> None:
        while True:
            with self._wake:
                if self._stopped:
                    return
                clock = time.monotonic()
                # What is taken out here may be remembered again while it is worked on.
                due = [one for at, one in self._quiet_due.values() if at <= clock]
                for database in due:
                    del self._quiet_due[database.id]
                ready = None
                if self._waiting and clock >= self._not_before:
                    at, first = min(self._waiting.values(), key=lambda item: item[0])
                    if at <= clock:
                        ready = first
                        del self._waiting[first.id]
                if ready is None and not due:
                    self._wake.wait(self._patience(clock))
                    continue
            for database in due:
                self._release_writer(database)
            if ready is not None:
                self._embed(ready)

    def _patience(self, clock: float) -> float | None:
        """Seconds until something is due by the clock; None when nothing is."""
        moments = [at for at, _ in self._quiet_due.values()]
        if self._waiting:
            soonest = min(at for at, _ in self._waiting.values())
            moments.append(max(soonest, self._not_before))
        return max(0.0, min(moments) - clock) if moments else None

    def _embed(self, database: Database) -> None:
        again = 0.0
        try:
            if database.is_open() and not database.embed_pending(BATCH):
                again = self._look_seconds
        except KnowledgeError as error:
            if database.is_open():  # else it was deleted or closed meanwhile
                log.warning("Embedding for %s waits: %s", database.id, error)
                with self._wake:
                    self._not_before = time.monotonic() + PAUSE_SECONDS
        if database.is_open():
            with self._wake:
                due = time.monotonic() + again
                self._waiting.setdefault(database.id, (due, database))

    def _release_writer(self, database: Database) -> None:
        try:
            more = database.release_writer()
        except KnowledgeError as error:
            log.warning("The indexes of %s were not written: %s", database.id, error)
            more = True
        if more:
            with self._wake:
                due = time.monotonic() + QUIET_SECONDS
                self._quiet_due.setdefault(database.id, (due, database))
