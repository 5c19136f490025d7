"""The SQLite file of a cache: shared by processes, bounded, made anew when damaged.

It may fail without harm: what cannot be read is made again, what cannot be written is not kept,
and a log line says so.
"""

from __future__ import annotations

import logging
import os
import sqlite3
import sys
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import TypeVar

from antiphon.contracts import ErrorType
from antiphon.knowledge.embedding.port import EmbeddingError
from antiphon.storage.errors import explain

logger = logging.getLogger(__name__)

T = TypeVar("T")

BUSY_SECONDS = 5
# How much of the bound is left filled when the oldest go, so that they do not go one by one.
KEPT = 0.9
# What a row takes beside its vector: the key, its place in the index, and how SQLite notes them.
ROW_BYTES = 100
_LOOKED_UP = 500
_OURS = 0x616E7465
_FORMAT = 1
_DAMAGED = (sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOTADB)

_TABLES = f"""
CREATE TABLE vectors (
    key BLOB PRIMARY KEY, used INTEGER NOT NULL, vector BLOB NOT NULL
) WITHOUT ROWID;
CREATE INDEX vectors_used ON vectors (used);
CREATE TABLE totals (entries INTEGER NOT NULL, bytes INTEGER NOT NULL, tick INTEGER NOT NULL);
INSERT INTO totals VALUES (0, 0, 0);
CREATE TRIGGER added AFTER INSERT ON vectors BEGIN
    UPDATE totals SET entries = entries + 1, bytes = bytes + length(new.vector) + {ROW_BYTES};
END;
CREATE TRIGGER changed AFTER UPDATE OF vector ON vectors BEGIN
    UPDATE totals SET bytes = bytes + length(new.vector) - length(old.vector);
END;
CREATE TRIGGER removed AFTER DELETE ON vectors BEGIN
    UPDATE totals SET entries = entries - 1, bytes = bytes - length(old.vector) - {ROW_BYTES};
END;
PRAGMA application_id = {_OURS};
PRAGMA user_version = {_FORMAT};
"""  # noqa: S608


class CacheFile:
    """Blobs by key. One thread at a time may use it, and any number of processes."""

    def __init__(self, path: Path, max_bytes: int, what: str = "embedding cache") -> None:
        """Open or create the file. Raises EmbeddingError when it cannot or must not be used."""
        self._path = path
        self._what = what
        self._max_bytes = max_bytes
        self._told: set[str] = set()
        self._closed = False
        self._connection: sqlite3.Connection | None = None
        try:
            path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
            with self._alone():
                try:
                    self._connection = self._open()
                except sqlite3.DatabaseError as error:
                    if not _is_damage(error):
                        raise
                    self._connection = self._made_anew(error)
        except OSError as error:
            raise self._unusable(str(error.strerror or error)) from error
        except sqlite3.Error as error:
            raise self._unusable(explain(error, str(path))) from error

    def read(self, keys: list[bytes]) -> dict[bytes, bytes]:
        """Those of the blobs that are in the cache."""

        def action(connection: sqlite3.Connection) -> dict[bytes, bytes]:
            found: dict[bytes, bytes] = {}
            for start in range(0, len(keys), _LOOKED_UP):
                some = keys[start : start + _LOOKED_UP]
                marks = ",".join("?" * len(some))
                query = f"SELECT key, vector FROM vectors WHERE key IN ({marks})"  # noqa: S608
                found.update(connection.execute(query, some))
            return found

        return self._do(action, {})

    def write(self, blobs: Mapping[bytes, bytes], used: Iterable[bytes]) -> None:
        """Store blobs and record which keys were used; evict the oldest when it is too full."""

        def action(connection: sqlite3.Connection) -> None:
            # Taking the write lock at once waits for it; taking it later could only fail.
            connection.execute("BEGIN IMMEDIATE")
            connection.execute("UPDATE totals SET tick = tick + 1")
            (tick,) = connection.execute("SELECT tick FROM totals").fetchone()
            connection.executemany(
                "INSERT INTO vectors (key, used, vector) VALUES (?, ?, ?) ON CONFLICT (key) "
                "DO UPDATE SET used = excluded.used, vector = excluded.vector",
                ((key, tick, blob) for key, blob in blobs.items()),
            )
            connection.executemany(
                "UPDATE vectors SET used = ? WHERE key = ?", ((tick, key) for key in used)
            )
            self._let_go(connection)
            connection.execute("COMMIT")

        self._do(action, None)

    def size(self) -> tuple[int, int]:
        """Number of entries and their bytes; 0 when they cannot be read."""

        def action(connection: sqlite3.Connection) -> tuple[int, int]:
            entries, size = connection.execute("SELECT entries, bytes FROM totals").fetchone()
            return entries, size

        return self._do(action, (0, 0))

    def close(self, used: Iterable[bytes] = ()) -> None:
        """Record which keys were used, then close. Closing twice is harmless."""
        if self._closed:
            return
        if used:
            self.write({}, used)
        self._closed = True
        self._disconnect()

    # -- inside

    def _do(self, action: Callable[[sqlite3.Connection], T], otherwise: T) -> T:
        if self._closed:
            raise EmbeddingError(f"The {self._what} {self._path} is closed; open it again.")
        if self._connection is None:
            return otherwise
        try:
            return action(self._connection)
        except sqlite3.Error as error:
            with suppress(sqlite3.Error):
                self._connection.rollback()
            if isinstance(error, sqlite3.DatabaseError) and _is_damage(error):
                self._repair(error)
            else:
                self._tell(str(error))
            return otherwise
        except BaseException:
            self._connection.rollback()
            raise

    def _let_go(self, connection: sqlite3.Connection) -> None:
        (size,) = connection.execute("SELECT bytes FROM totals").fetchone()
        if size <= self._max_bytes:
            return
        surplus = size - int(self._max_bytes * KEPT)
        oldest = []
        query = "SELECT key, length(vector) FROM vectors ORDER BY used, key"
        for key, length in connection.execute(query):
            if surplus <= 0:
                break
            surplus -= length + ROW_BYTES
            oldest.append((key,))
        connection.executemany("DELETE FROM vectors WHERE key = ?", oldest)

    def _open(self) -> sqlite3.Connection:
        # Vectors tell something about the texts, so they are for this user alone.
        os.close(os.open(self._path, os.O_RDWR | os.O_CREAT, 0o600))
        connection = sqlite3.connect(
            self._path, timeout=BUSY_SECONDS, isolation_level=None, check_same_thread=False
        )
        try:
            (owner,) = connection.execute("PRAGMA application_id").fetchone()
            (version,) = connection.execute("PRAGMA user_version").fetchone()
            (tables,) = connection.execute("SELECT count(*) FROM sqlite_master").fetchone()
            if tables and (owner, version) != (_OURS, _FORMAT):
                raise self._unusable(
                    "it is a database of something else or of another version; name another file"
                )
            connection.execute("PRAGMA journal_mode = WAL")
            connection.execute("PRAGMA synchronous = NORMAL")
            connection.execute("PRAGMA journal_size_limit = 16777216")
            if not tables:
                connection.executescript(f"BEGIN IMMEDIATE; {_TABLES} COMMIT;")
        except BaseException:
            connection.close()
            raise
        return connection

    def _repair(self, damage: sqlite3.DatabaseError) -> None:
        self._disconnect()
        try:
            with self._alone():
                self._connection = self._looked_over() or self._made_anew(damage)
        except (OSError, sqlite3.Error, EmbeddingError) as error:
            self._tell(f"it is damaged ({damage}) and cannot be made anew ({error})")

    def _looked_over(self) -> sqlite3.Connection | None:
        """Connection to the file, reopened when another process has replaced it."""
        connection = None
        try:
            connection = self._open()
            (verdict,) = connection.execute("PRAGMA integrity_check(1)").fetchone()
        except sqlite3.DatabaseError as error:
            verdict = str(error)
        if verdict == "ok":
            return connection
        if connection is not None:
            connection.close()
        return None

    def _made_anew(self, damage: sqlite3.DatabaseError) -> sqlite3.Connection:
        aside = self._path.with_name(self._path.name + ".damaged")
        self._path.replace(aside)
        for suffix in ("-wal", "-shm"):
            self._path.with_name(self._path.name + suffix).unlink(missing_ok=True)
        connection = self._open()
        logger.warning(
            "The %s %s was damaged (%s); it is now %s, and a new one is being filled.",
            self._what,
            self._path,
            damage,
            aside.name,
        )
        return connection

    @contextmanager
    def _alone(self) -> Iterator[None]:
        """Hold the lock between processes, for creating or replacing the file."""
        if sys.platform == "win32":
            # There nobody can put a file aside that another process has open.
            yield
            return
        import fcntl

        lock = os.open(
            self._path.with_name(self._path.name + ".lock"), os.O_RDWR | os.O_CREAT, 0o600
        )
        try:
            fcntl.flock(lock, fcntl.LOCK_EX)
            yield
        finally:
            os.close(lock)

    def _disconnect(self) -> None:
        connection, self._connection = self._connection, None
        if connection is not None:
            connection.close()

    def _tell(self, trouble: str) -> None:
        """Log each kind of failure once: it would come with every text."""
        if trouble not in self._told:
            self._told.add(trouble)
            logger.warning(
                "The %s %s cannot be used for now: %s. What it does not have is made again.",
                self._what,
                self._path,
                trouble,
            )

    def _unusable(self, why: str) -> EmbeddingError:
        return EmbeddingError(
            f"The {self._what} {self._path} cannot be used: {why}", ErrorType.PERMANENT
        )


def _is_damage(error: sqlite3.DatabaseError) -> bool:
    # The lowest byte says what happened, the others where.
    return getattr(error, "sqlite_errorcode", 0) & 0xFF in _DAMAGED
