"""Node liveness: locks that the kernel or the database server releases when a process dies."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Protocol

from sqlalchemy import Connection, text

from antiphon.storage.errors import StoreError


class Nodes(Protocol):
    """Liveness registry of the processes that use one database."""

    def join(self, connection: Connection, /) -> None:
        """Register this node as alive. Called again for each new connection."""

    def dead(self, connection: Connection, owners: Iterable[str], /) -> list[str]:
        """Return those of the owners whose process is gone."""

    def leave(self) -> None:
        """Release this node's registration. The connection may be closed already."""


class OnlyNode:
    """Liveness in an in-memory store, which no other process can open."""

    def join(self, _connection: Connection) -> None:
        pass

    def dead(self, _connection: Connection, _owners: Iterable[str]) -> list[str]:
        return []

    def leave(self) -> None:
        pass


class FileNodes:
    """Liveness by file locks: a folder beside the database with one locked file per living node."""

    def __init__(self, database: Path, node: str) -> None:
        if sys.platform == "win32":
            raise StoreError(
                f"The store at {database} needs file locks that Windows does not have; "
                "use a PostgreSQL URL instead."
            )
        self._folder = database.with_name(database.name + ".nodes")
        self._node = node
        self._lock: int | None = None
        self._folder.mkdir(mode=0o700, exist_ok=True)

    @contextmanager
    def exclusive(self) -> Iterator[None]:
        """Hold an exclusive lock across processes, for creating and migrating the database."""
        lock = os.open(self._folder / ".opening", os.O_RDWR | os.O_CREAT, 0o600)
        try:
            flock(lock, wait=True)
            yield
        finally:
            os.close(lock)

    def join(self, _connection: Connection) -> None:
        if self._lock is not None:
            return
        # Locked under a hidden name first, so that nobody sees it unlocked and takes it for dead.
        hidden = self._folder / f".{self._node}"
        self._lock = os.open(hidden, os.O_RDWR | os.O_CREAT | os.O_EXCL, 0o600)
        flock(self._lock, wait=False)
        hidden.rename(self._folder / self._node)

    def dead(self, _connection: Connection, owners: Iterable[str]) -> list[str]:
        for path in self._folder.iterdir():
            if not path.name.startswith(".") and path.name != self._node:
                self._remove_if_dead(path)
        living = {path.name for path in self._folder.iterdir()}
        return [owner for owner in owners if owner not in living]

    def _remove_if_dead(self, path: Path) -> None:
        try:
            lock = os.open(path, os.O_RDWR)
        except FileNotFoundError:
            return  # another node was quicker
        try:
            if flock(lock, wait=False):
                path.unlink(missing_ok=True)
        finally:
            os.close(lock)

    def leave(self) -> None:
        if self._lock is not None:
            (self._folder / self._node).unlink(missing_ok=True)
            os.close(self._lock)
            self._lock = None


class ServerNodes:
    """Liveness by PostgreSQL's advisory lock of the connection that this node writes with.

    It is the writing connection, not one of its own, so that a node cannot lose one and keep the
    other: whoever can write is alive, and a new connection takes the lock before it writes.
    """

    def __init__(self, node: str) -> None:
        self._key = int(node, 16) - (1 << 64 if int(node, 16) >> 63 else 0)

    def join(self, connection: Connection) -> None:
        connection.execute(text("SELECT pg_advisory_lock(:key)"), {"key": self._key})

    def dead(self, connection: Connection, owners: Iterable[str]) -> list[str]:
        held = connection.execute(
            text(
                "SELECT classid::bigint, objid::bigint FROM pg_locks"
                " WHERE locktype = 'advisory' AND objsubid = 1 AND granted AND database ="
                " (SELECT oid FROM pg_database WHERE datname = current_database())"
            )
        )
        living = {f"{(high << 32) | low:016x}" for high, low in held}
        return [owner for owner in owners if owner not in living]

    def leave(self) -> None:
        pass  # the lock went with the connection


def flock(descriptor: int, *, wait: bool) -> bool:
    """Lock an open file exclusively; return False if another process holds it and `wait` is not
    set."""
    import fcntl  # not there on Windows, where this is never called

    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX | (0 if wait else fcntl.LOCK_NB))
    except BlockingIOError:
        return False
    return True
