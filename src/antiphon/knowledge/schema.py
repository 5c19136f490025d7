"""The tables of one knowledge database, and connections to them."""

from __future__ import annotations

import os
import sqlite3
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from antiphon.contracts import ErrorType
from antiphon.knowledge.errors import KnowledgeError, explained

FORMAT = 1
BUSY_SECONDS = 10.0
# Idle connections that are kept for the next reader; each is up to three open files.
IDLE_READERS = 2

# A record keeps its row as long as it lives and every derived index counts in rows, so rows of
# deleted records are given out again: the indexes stay dense and never need to be packed.
# `revision` goes up with each write of records and edges, `vectors` with each write of embeddings.
TABLES = """
CREATE TABLE state (
  one INTEGER PRIMARY KEY CHECK (one = 1),
  format INTEGER NOT NULL,
  title TEXT NOT NULL,
  description TEXT NOT NULL,
  revision INTEGER NOT NULL,
  vectors INTEGER NOT NULL,
  records INTEGER NOT NULL,
  edges INTEGER NOT NULL,
  updated TEXT NOT NULL
);
CREATE TABLE records (
  row INTEGER PRIMARY KEY,
  id TEXT NOT NULL UNIQUE,
  type TEXT NOT NULL,
  title TEXT NOT NULL,
  text TEXT NOT NULL,
  tags TEXT NOT NULL,
  url TEXT NOT NULL,
  source_type TEXT NOT NULL,
  last_updated TEXT NOT NULL,
  stamp REAL,
  metadata TEXT NOT NULL,
  digest BLOB NOT NULL,
  hash BLOB NOT NULL,
  revision INTEGER NOT NULL
);
CREATE INDEX records_by_revision ON records (revision);
CREATE INDEX records_by_hash ON records (hash);
CREATE TABLE freed (row INTEGER PRIMARY KEY, revision INTEGER NOT NULL);
CREATE INDEX freed_by_revision ON freed (revision);
CREATE TABLE edges (
  source INTEGER NOT NULL,
  target INTEGER NOT NULL,
  relation TEXT NOT NULL,
  weight REAL NOT NULL,
  provenance TEXT NOT NULL,
  PRIMARY KEY (source, target, relation)
) WITHOUT ROWID;
CREATE INDEX edges_by_target ON edges (target);
CREATE TABLE models (model INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE);
CREATE TABLE embeddings (
  hash BLOB NOT NULL,
  model INTEGER NOT NULL,
  vector BLOB NOT NULL,
  revision INTEGER NOT NULL
);
CREATE UNIQUE INDEX embeddings_by_hash ON embeddings (hash, model);
CREATE INDEX embeddings_by_revision ON embeddings (revision);
"""


class SqliteConnections:
    """One connection that writes, taken in turn, and as many that read as there are readers."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self._writing = threading.RLock()
        self._idle: list[sqlite3.Connection] = []
        self._closed = False
        with explained(path):
            self._writer = _connect(path)
            try:
                self._check()
            except BaseException:
                self._writer.close()
                raise

    @contextmanager
    def write(self) -> Iterator[sqlite3.Connection]:
        """A transaction that writes: all of it is on disk afterwards, or none of it."""
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
    def read(self) -> Iterator[sqlite3.Connection]:
        """A connection for one statement, or for several within BEGIN and COMMIT."""
        with explained(self.path):
            try:
                connection = self._idle.pop()
            except IndexError:
                connection = _connect(self.path)
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


def create(path: Path, title: str, description: str, now: str) -> None:
    """Makes the tables in a new file, readable for its owner alone."""
    with explained(path):
        os.close(os.open(path, os.O_RDWR | os.O_CREAT | os.O_EXCL, 0o600))
        connection = _connect(path)
        try:
            connection.execute("PRAGMA journal_mode = WAL")
            connection.executescript(f"BEGIN;{TABLES}")
            connection.execute(
                "INSERT INTO state VALUES (1, ?, ?, ?, 0, 0, 0, 0, ?)",
                (FORMAT, title, description, now),
            )
            connection.execute("COMMIT")
        finally:
            connection.close()


def _connect(path: Path) -> sqlite3.Connection:
    # mode=rw: a file that is gone must not come back empty.
    connection = sqlite3.connect(
        f"{path.absolute().as_uri()}?mode=rw",
        uri=True,
        timeout=BUSY_SECONDS,
        isolation_level=None,
        check_same_thread=False,
    )
    connection.execute("PRAGMA synchronous = FULL")
    return connection
