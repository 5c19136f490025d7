"""Connections to one SQLite file: one that writes, taken in turn, and a pool that reads."""

from __future__ import annotations

import os
import sqlite3
import threading
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, TypeVar

from sqlalchemy import insert

from antiphon.contracts import ErrorType
from antiphon.knowledge.errors import KnowledgeError, explained
from antiphon.knowledge.sql.statements import Statement, Statements
from antiphon.knowledge.sqlite.tables import FORMAT, statements, tables

T = TypeVar("T")

BUSY_SECONDS = 10.0
# Idle connections that are kept for the next reader; each is up to three open files.
IDLE_READERS = 2


class SqliteSession:
    """A transaction on one connection."""

    __slots__ = ("connection",)

    def __init__(self, connection: sqlite3.Connection) -> None:
        self.connection = connection

    def execute(self, statement: Statement, **values: Any) -> sqlite3.Cursor:
        """Run a statement with the values of its parameters."""
        if statement.constants:
            values.update(statement.constants)
        return self.connection.execute(statement.text, values)

    def execute_many(self, statement: Statement, values: Iterable[dict[str, Any]]) -> None:
        """Run a statement once for each set of values."""
        self.connection.executemany(statement.text, values)


class SqliteConnections:
    """Transactions on one database file. Safe to use from several threads."""

    def __init__(self, path: Path, *, busy_seconds: float = BUSY_SECONDS) -> None:
        """Open a file; a write waits up to `busy_seconds` for those of other processes.

        Raises KnowledgeError when the file is no knowledge database or of another format.
        """
        self.path = path
        self._busy_seconds = busy_seconds
        self._writing = threading.RLock()
        self._idle: list[sqlite3.Connection] = []
        self._closed = False
        with explained(path):
            self._writer = _connect(path, busy_seconds)
            try:
                self._check()
            except BaseException:
                self._writer.close()
                raise

    @property
    def sql(self) -> Statements:
        """The shared statements for SQLite."""
        return statements()

    def read(self, work: Callable[[SqliteSession], T], *, snapshot: bool = True) -> T:
        """Return what `work` returns. With `snapshot` all that it reads is of one moment."""
        with self.reader() as connection:
            if snapshot:
                connection.execute("BEGIN")
            return work(SqliteSession(connection))

    def write(self, work: Callable[[SqliteSession], T]) -> T:
        """Return what `work` returns once all that it wrote is on disk; nothing is if it raises."""
        with self.writer() as connection:
            return work(SqliteSession(connection))

    @contextmanager
    def writer(self) -> Iterator[sqlite3.Connection]:
        """The connection that writes, in a transaction that is committed at the end."""
        with self._writing, explained(self.path):
            # Taking the lock at once waits for other processes; taking it later could only fail.
            self._writer.execute("BEGIN IMMEDIATE")
            try:
                yield self._writer
                self._writer.execute("COMMIT")
            except BaseException:
                if self._writer.in_transaction:  # a full disk has ended it already
                    self._writer.execute("ROLLBACK")
                raise

    @contextmanager
    def reader(self) -> Iterator[sqlite3.Connection]:
        """A connection for one statement, or for several within BEGIN and COMMIT."""
        with explained(self.path):
            try:
                connection = self._idle.pop()
            except IndexError:
                connection = _connect(self.path, self._busy_seconds)
            try:
                yield connection
            finally:
                if connection.in_transaction:
                    connection.execute("ROLLBACK")
                if self._closed or len(self._idle) >= IDLE_READERS:
                    connection.close()
                else:
                    self._idle.append(connection)

    def close(self) -> None:
        """Close every connection."""
        self._closed = True
        with self._writing:
            while self._idle:
                self._idle.pop().close()
            self._writer.close()

    def _check(self) -> None:
        mode = self._writer.execute("PRAGMA journal_mode = WAL").fetchone()[0]
        if mode != "wal":
            raise KnowledgeError(
                f"The store at {self.path} is on a file system without shared memory (SQLite's "
                "WAL mode was refused); keep it on a local disk.",
                ErrorType.PERMANENT,
            )
        found = self._writer.execute(
            "SELECT name FROM sqlite_master WHERE name IN ('state', 'records')"
        ).fetchall()
        if len(found) != 2:
            raise KnowledgeError(
                f"The file {self.path} is not a knowledge database; move it away.",
                ErrorType.PERMANENT,
            )
        version = self._writer.execute("SELECT format FROM state").fetchone()[0]
        if version != FORMAT:
            raise KnowledgeError(
                f"The store at {self.path} has format {version}, this Antiphon knows {FORMAT}: "
                "update Antiphon, or export with the version that made it and import here.",
                ErrorType.PERMANENT,
            )


def create_file(path: Path, title: str, description: str, now: str) -> None:
    """Make an empty database in a new file that only its owner may read."""
    made = tables()
    state = made.compiled(insert(made.databases))
    with explained(path):
        os.close(os.open(path, os.O_RDWR | os.O_CREAT | os.O_EXCL, 0o600))
        connection = _connect(path, BUSY_SECONDS)
        try:
            connection.execute("PRAGMA journal_mode = WAL")
            connection.execute("BEGIN")
            for definition in made.definitions():
                connection.execute(definition)
            connection.execute(
                state.text,
                {
                    "one": 1,
                    "format": FORMAT,
                    "title": title,
                    "description": description,
                    **dict.fromkeys(("revision", "vectors", "records", "edges"), 0),
                    "updated": now,
                },
            )
            connection.execute("COMMIT")
        finally:
            connection.close()


def _connect(path: Path, busy_seconds: float) -> sqlite3.Connection:
    # mode=rw: a file that is gone must not come back empty.
    connection = sqlite3.connect(
        f"{path.absolute().as_uri()}?mode=rw",
        uri=True,
        timeout=busy_seconds,
        isolation_level=None,
        check_same_thread=False,
    )
    connection.execute("PRAGMA synchronous = FULL")
    return connection
