"""Cache of model answers by request, so that the same text is extracted alike again."""

from __future__ import annotations

import logging
import threading
import zlib
from pathlib import Path

from antiphon.knowledge.embedding.cache_file import CacheFile
from antiphon.knowledge.errors import KnowledgeError

logger = logging.getLogger(__name__)

FILE = "answers.db"  # beside the databases
MAX_BYTES = 256 * 1024 * 1024


class AnswerCache:
    """Cache of answers by key, in a file that several processes may use. Safe with threads.

    It is opened on first use. One that cannot be opened behaves as an empty one, and a log line
    says so; the oldest answers are evicted when it is full.
    """

    def __init__(self, path: Path, *, max_bytes: int = MAX_BYTES) -> None:
        self._path = path
        self._max_bytes = max_bytes
        self._guard = threading.Lock()
        self._file: CacheFile | None = None
        self._over = False

    def get(self, key: bytes) -> str | None:
        with self._guard:
            file = self._open()
            found = file.read([key]).get(key) if file is not None else None
        if found is None:
            return None
        try:
            return zlib.decompress(found).decode()
        except (zlib.error, UnicodeDecodeError):
            return None  # damaged in a way that SQLite does not notice

    def put(self, key: bytes, answer: str) -> None:
        blob = zlib.compress(answer.encode("utf-8", "replace"))
        with self._guard:
            file = self._open()
            if file is not None:
                file.write({key: blob}, ())

    def close(self) -> None:
        """Close the file; later answers are not kept."""
        with self._guard:
            self._over = True
            if self._file is not None:
                self._file.close()
                self._file = None

    def _open(self) -> CacheFile | None:
        if self._file is None and not self._over:
            try:
                self._file = CacheFile(self._path, self._max_bytes, "cache of models' answers")
            except KnowledgeError as error:
                self._over = True
                logger.error("answers of models are not kept: %s", error.message)
        return self._file
