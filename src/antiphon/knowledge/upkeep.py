"""The thread that embeds what is pending and lets go of what writing needed."""

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


class Upkeep:
    """Owns one thread, started when there is first something to do and stopped by `close`."""

    def __init__(self, *, embeds: bool) -> None:
        self._embeds = embeds
        self._wake = threading.Condition()
        self._waiting: dict[str, Database] = {}
        self._untidy: dict[str, tuple[float, Database]] = {}
        self._not_before = 0.0
        self._thread: threading.Thread | None = None
        self._stopped = False

    def remember(self, database: Database) -> None:
        """There may be something to do for this database."""
        with self._wake:
            if self._stopped:
                return
            if self._embeds:
                self._waiting[database.id] = database
            self._untidy[database.id] = (time.monotonic() + QUIET_SECONDS, database)
            if self._thread is None:
                self._thread = threading.Thread(
                    target=self._run, name="knowledge-upkeep", daemon=True
                )
                self._thread.start()
            self._wake.notify()

    def close(self) -> None:
        """Stops after the batch under way; what is pending then is done after the next opening."""
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
                due = [one for at, one in self._untidy.values() if at <= clock]
                for database in due:
                    del self._untidy[database.id]
                ready = None
                if self._waiting and clock >= self._not_before:
                    ready = self._waiting.pop(next(iter(self._waiting)))
                if ready is None and not due:
                    self._wake.wait(self._patience(clock))
                    continue
            for database in due:
                self._tidy(database)
            if ready is not None:
                self._embed(ready)

    def _patience(self, clock: float) -> float | None:
        """Seconds until something is due by the clock; None when nothing is."""
        moments = [at for at, _ in self._untidy.values()]
        if self._waiting:
            moments.append(self._not_before)
        return max(0.0, min(moments) - clock) if moments else None

    def _embed(self, database: Database) -> None:
        try:
            more = database.is_open() and database.embed_pending(BATCH) > 0
        except KnowledgeError as error:
            more = database.is_open()  # else it was deleted or closed meanwhile
            if more:
                log.warning("Embedding for %s waits: %s", database.id, error)
                with self._wake:
                    self._not_before = time.monotonic() + PAUSE_SECONDS
        if more:
            with self._wake:
                self._waiting.setdefault(database.id, database)

    def _tidy(self, database: Database) -> None:
        try:
            more = database.tidy()
        except KnowledgeError as error:
            log.warning("The indexes of %s were not written: %s", database.id, error)
            more = True
        if more:
            with self._wake:
                due = time.monotonic() + QUIET_SECONDS
                self._untidy.setdefault(database.id, (due, database))
