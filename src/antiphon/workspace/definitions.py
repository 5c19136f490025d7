"""Definition files: things of the workspace that files define, reloaded when a file changes."""

from __future__ import annotations

import logging
import threading
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Generic, TypeVar

logger = logging.getLogger(__name__)

MAX_BYTES = 256 * 1024

Thing = TypeVar("Thing")


class BadDefinition(Exception):
    """The words say what is wrong with a file."""


class Definitions(Generic[Thing]):
    """One thing for each file of that suffix, by the file's name without it.

    Of two files of one name, the one in the later folder counts: people may replace what ships. A
    file that cannot be read is left out, and named in the log and in `left_out`. Safe to use from
    several threads.
    """

    def __init__(
        self, folders: Sequence[Path], suffix: str, read: Callable[[str, str], Thing]
    ) -> None:
        self._folders = tuple(folders)
        self._suffix = suffix
        self._read = read
        self._lock = threading.Lock()
        self._seen: dict[Path, tuple[int, int]] | None = None
        self._things: dict[str, Thing] = {}
        self._left_out: list[tuple[Path, str]] = []
        self._changes = 0

    def all(self) -> dict[str, Thing]:
        """By name. Blocks."""
        return self.current()[0]

    def left_out(self) -> list[tuple[Path, str]]:
        """The files that are no such thing, each with what is wrong with it. Blocks."""
        self.current()
        return list(self._left_out)

    def current(self) -> tuple[dict[str, Thing], int]:
        """All of them, and how often they have changed so far. Blocks."""
        with self._lock:
            seen = self._look()
            if seen != self._seen:
                self._things = self._load(seen)
                self._seen = seen
                self._changes += 1
            return self._things, self._changes

    def _look(self) -> dict[Path, tuple[int, int]]:
        found = {}
        for folder in self._folders:
            for file in sorted(folder.glob(f"*{self._suffix}")):
                try:
                    facts = file.stat()
                except OSError:  # gone since it was listed, or not ours to look at
                    continue
                found[file] = (facts.st_mtime_ns, facts.st_size)
        return found

    def _load(self, files: dict[Path, tuple[int, int]]) -> dict[str, Thing]:
        things: dict[str, Thing] = {}
        left_out = []
        for file, (_, size) in files.items():
            name = file.name.removesuffix(self._suffix)
            try:
                if size > MAX_BYTES:
                    raise BadDefinition(f"it is larger than {MAX_BYTES // 1024} KiB")
                things[name] = self._read(name, file.read_text("utf-8"))
            except (OSError, UnicodeDecodeError, BadDefinition) as error:
                logger.error("%s is left out: %s", file, error)
                left_out.append((file, _words(error)))
        self._left_out = left_out
        return dict(sorted(things.items()))


def _words(error: Exception) -> str:
    if isinstance(error, UnicodeDecodeError):
        return f"it is no UTF-8 text (at byte {error.start + 1})"
    if isinstance(error, OSError):
        return f"it cannot be read: {error.strerror or error}"
    return str(error)
