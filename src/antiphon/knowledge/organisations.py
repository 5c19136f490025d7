"""Knowledge of organisations: a knowledge base for each, opened on demand and closed when idle."""

from __future__ import annotations

import hashlib
import re
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from antiphon.contracts import ErrorType
from antiphon.knowledge.errors import KnowledgeError

if TYPE_CHECKING:
    from antiphon.knowledge.service import KnowledgeBase, KnowledgeService

FIRST = ""  # the organisation that always is there
FOLDER = "organisations"  # in the data folder: one folder for each organisation but the first
# So many are open at once beside the first; the least recently used are closed when more are asked
# for, and all of them once nobody has asked for a while.
MOST_OPEN = 16
IDLE_SECONDS = 600.0
_PLAIN = re.compile(r"[a-z0-9][a-z0-9-]{0,39}")


def folder_name(organisation: str) -> str:
    """The name of an organisation's folder: its id, or a digest of one that is no plain name."""
    if _PLAIN.fullmatch(organisation):
        return organisation
    return f"~{hashlib.sha256(organisation.encode('utf-8', 'surrogatepass')).hexdigest()[:32]}"


@dataclass(slots=True)
class _Opened:
    service: KnowledgeService
    used_at: float
    users: int = 0
    closing: bool = False
    closed: threading.Event = field(default_factory=threading.Event)


class OrganisationKnowledge:
    """Finds the knowledge base of an organisation. Safe to use from several threads.

    `first` is the service of the first organisation, which is somebody else's to close; `make`
    makes that of another one.
    """

    def __init__(
        self,
        first: KnowledgeService,
        make: Callable[[str], KnowledgeService],
        *,
        most_open: int = MOST_OPEN,
        idle_seconds: float = IDLE_SECONDS,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self._first = first
        self._make = make
        self._most_open = max(1, most_open)
        self._idle_seconds = idle_seconds
        self._clock = clock
        self._lock = threading.Lock()
        self._opened: dict[str, _Opened] = {}
        self._closed = False

    @property
    def open(self) -> list[str]:
        """The organisations beside the first whose knowledge is open, sorted."""
        with self._lock:
            return sorted(self._opened)

    @contextmanager
    def base(self, organisation: str = FIRST) -> Iterator[KnowledgeBase]:
        """The open knowledge base of an organisation, which is not closed meanwhile. Blocks while
        it is opened. Raises KnowledgeError when it cannot be."""
        if organisation == FIRST:
            yield self._first.base()
            return
        entry = self._entered(organisation)
        try:
            self._close_surplus()
            yield entry.service.base()
        finally:
            with self._lock:
                entry.users -= 1
                entry.used_at = self._clock()

    def close_idle(self) -> None:
        """Close the knowledge of organisations that nobody has asked for in a while."""
        since = self._clock() - self._idle_seconds
        self._close([name for name, entry in self._snapshot() if entry.used_at <= since])

    def close(self) -> None:
        """Wait for the calls under way, then close all of them for good."""
        with self._lock:
            self._closed = True
            entries = list(self._opened.items())
        for name, entry in entries:
            self._shut(name, entry)

    # -- inside

    def _entered(self, organisation: str) -> _Opened:
        while True:
            with self._lock:
                if self._closed:
                    raise KnowledgeError("The server is stopping.", ErrorType.TRANSIENT)
                entry = self._opened.get(organisation)
                if entry is None:
                    entry = _Opened(self._make(organisation), self._clock())
                    self._opened[organisation] = entry
                if not entry.closing:
                    entry.users += 1
                    entry.used_at = self._clock()
                    return entry
            entry.closed.wait()  # two openers of one folder would only be in each other's way

    def _snapshot(self) -> list[tuple[str, _Opened]]:
        with self._lock:
            return sorted(self._opened.items(), key=lambda item: item[1].used_at)

    def _close_surplus(self) -> None:
        surplus = len(self._opened) - self._most_open
        if surplus > 0:
            self._close([name for name, entry in self._snapshot() if not entry.users][:surplus])

    def _close(self, names: list[str]) -> None:
        for name in names:
            with self._lock:
                entry = self._opened.get(name)
                if entry is None or entry.users or entry.closing:
                    continue
                entry.closing = True
            self._shut(name, entry)

    def _shut(self, name: str, entry: _Opened) -> None:
        try:
            entry.service.close()
        finally:
            with self._lock:
                if self._opened.get(name) is entry:
                    del self._opened[name]
            entry.closed.set()
