"""The knowledge base of a server: opened when it is first needed, with the sample in it."""

from __future__ import annotations

import logging
import threading
from pathlib import Path
from typing import TYPE_CHECKING, Any

from antiphon.contracts import ErrorType
from antiphon.knowledge.errors import KnowledgeError

if TYPE_CHECKING:
    from antiphon.knowledge.base import KnowledgeBase

log = logging.getLogger(__name__)

FOLDER = "knowledge"  # in the data folder
# So many databases are made ready before anybody asks; the others are when they are asked.
WARMED = 8


class KnowledgeHome:
    """Owns the knowledge base: in `<data>/knowledge`, or on the server of a PostgreSQL URL.

    `embedder` is the name of an embedder and its options. Safe to use from several threads.
    """

    def __init__(
        self,
        data: Path,
        url: str | None = None,
        embedder: tuple[str, dict[str, Any]] = ("minilm", {}),
    ) -> None:
        self.folder = data / FOLDER
        self._place: str | Path = url or self.folder
        self._embedder = embedder
        self._lock = threading.Lock()
        self._closing = threading.Event()
        self._base: KnowledgeBase | None = None

    def base(self) -> KnowledgeBase:
        """The open knowledge base. Blocks, the first time for as long as opening it takes.

        Raises KnowledgeError when it cannot be opened; the next call tries again.
        """
        if self._base is not None:
            return self._base
        with self._lock:
            if self._closing.is_set():
                raise KnowledgeError("The server is stopping.", ErrorType.TRANSIENT)
            if self._base is None:
                self._base = self._open()
            return self._base

    def _open(self) -> KnowledgeBase:
        from antiphon.knowledge.embedding import default_embedder, embedder_for
        from antiphon.knowledge.opening import open_knowledge
        from antiphon.knowledge.samples import import_samples

        name, options = self._embedder
        # The built-in one is large: whoever else needs it in this process has the same.
        built_in = name == "minilm" and not options
        embedder = default_embedder() if built_in else embedder_for(name, options)
        base = open_knowledge(self._place, embedder=embedder, work=self.folder)
        try:
            import_samples(base, self._closing.is_set)
        except KnowledgeError as error:
            # What is there can be used all the same.
            log.error("the sample knowledge was not imported: %s", error)
        return base

    def warm(self) -> None:
        """Loads the model and the indexes, so that the first question need not wait for them.

        Databases with records that are not embedded yet go on with it from here.
        """
        try:
            base = self.base()
            for name in base.ids()[:WARMED]:
                if self._closing.is_set():
                    return
                base.database(name).search("warm", k=1)
        except KnowledgeError as error:
            if not self._closing.is_set():
                log.error("the knowledge base is not ready: %s", error)

    def close(self) -> None:
        """Waits for what is under way, then closes for good."""
        self._closing.set()
        with self._lock:
            base = self._base
        if base is not None:
            base.close()
