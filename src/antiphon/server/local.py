"""The built-in model of a server or a command: its embedder, and the names it knows."""

from __future__ import annotations

import logging
import threading
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

from antiphon.knowledge.errors import KnowledgeError
from antiphon.providers.local import LocalText, Name
from antiphon.providers.port import Access

if TYPE_CHECKING:
    from antiphon.knowledge.base import KnowledgeBase
    from antiphon.knowledge.home import KnowledgeHome

logger = logging.getLogger(__name__)

# More names take too long to read and to look through; the newest databases come first by size.
MOST_NAMES = 20_000


class KnownNames:
    """The titles of records, read again when a database has changed. Called from one thread or
    several; the same object as long as nothing changed."""

    def __init__(self, base: Callable[[], KnowledgeBase], most: int = MOST_NAMES) -> None:
        self._base = base
        self._most = most
        self._lock = threading.Lock()
        self._seen: dict[str, int] = {}
        self._names: tuple[Name, ...] = ()

    def __call__(self) -> Sequence[Name]:
        """Without a knowledge base there are no names; the searches themselves say why."""
        try:
            with self._lock:
                return self._read()
        except KnowledgeError as error:
            logger.warning("the names of the knowledge base cannot be read: %s", error)
            return ()

    def _read(self) -> tuple[Name, ...]:
        base = self._base()
        databases = {name: base.database(name) for name in base.ids()}
        seen = {name: database.revision for name, database in databases.items()}
        if seen == self._seen:
            return self._names
        found: list[Name] = []
        for name, database in databases.items():
            for record in database.all_records():
                if len(found) >= self._most:
                    break
                if record.title:
                    found.append(Name(record.id, record.title, record.type, name))
        self._seen, self._names = seen, tuple(found)
        return self._names


def local_model(home: KnowledgeHome) -> Callable[[Access], LocalText]:
    """Makes the provider for `Backends(local=…)`. Nothing is loaded before it is used."""

    def make(access: Access) -> LocalText:
        from antiphon.knowledge.embedding import default_embedder

        return LocalText(access, embed=default_embedder().embed, names=KnownNames(home.base))

    return make
