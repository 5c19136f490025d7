"""The indexes of one database, and how they keep up with SQLite."""

from __future__ import annotations

import logging
import sqlite3
import threading
from collections.abc import Iterator
from itertools import islice
from pathlib import Path
from typing import TypeVar

import numpy as np
import orjson

from antiphon.knowledge import snapshot
from antiphon.knowledge.bm25 import TextDoc
from antiphon.knowledge.columns import Columns
from antiphon.knowledge.locks import FileLock, ReadWriteLock
from antiphon.knowledge.rows import DatabaseState
from antiphon.knowledge.sqlite import embeddings
from antiphon.knowledge.sqlite.connections import SqliteConnections
from antiphon.knowledge.text_index import (
    MEMTABLE_LIMIT,
    DamagedIndexError,
    TextIndex,
    UnwrittenIndexError,
)
from antiphon.knowledge.vectors import Quantized, VectorIndex

log = logging.getLogger(__name__)
T = TypeVar("T")

# So many changes at once go to disk directly, fewer are kept in memory first.
DIRECT = 512
_STEP = 2_000  # rows that are taken over at a time; searches go on in between
# A snapshot is written when this part of the rows has changed, and never for fewer than these.
_SNAPSHOT_SHARE = 0.1
_SNAPSHOT_ROWS = 2_000
_FORMAT = 2
NO_MODEL = -1


class Indexes:
    """Derived indexes of one database: text, vectors and filter columns.

    Each knows the revision it is true of and can be rebuilt from SQLite.
    """

    def __init__(
        self,
        folder: Path,
        connections: SqliteConnections,
        *,
        model: int = NO_MODEL,
        model_name: str = "",
        dims: int = 0,
    ) -> None:
        self.lock = ReadWriteLock()
        self._connections = connections
        self._model = model
        self._model_name = model_name
        self._dims = dims
        self._changing = threading.RLock()
        self._snapshot_path = folder / "rows.bin"
        self._snapshot_lock = FileLock(folder / "rows.lock")
        self._unsaved = 0
        self._in_memory = False  # since a write of the text index failed
        self.revision = 0
        self.vectors_revision = 0
        self.columns = Columns()
        self.vectors = VectorIndex(dims) if dims else None
        self.text = TextIndex(folder / "text")
        self._load_snapshot()
        self._text_revision = self.text.revision
        self.catch_up()

    # -- keeping up

    def catch_up(self) -> None:
        """Apply what was written to SQLite since the last time, by whichever process."""
        with self._changing:
            try:
                self._catch_up()
            except UnwrittenIndexError as error:
                self._unwritten(error)
                self._catch_up()  # keeps in memory what it cannot write
            except DamagedIndexError as error:
                self.repair(error)

    def _unwritten(self, error: UnwrittenIndexError) -> None:
        """Fall back to the memtable after a failed write, as on a full disk, and retry later."""
        log.warning("%s Searches go on from memory.", error)
        self._in_memory = True
        with self.lock.write():
            self.text.abandon()

    def refresh(self) -> None:
        """Catch up unless the indexes are current or another thread is catching up already."""
        with self._connections.reader() as connection:
            revision, vectors = connection.execute("SELECT revision, vectors FROM state").fetchone()
        behind = self.revision != revision or self._text_revision != revision
        if not behind and (self.vectors is None or self.vectors_revision == vectors):
            return
        if self._changing.acquire(blocking=False):
            try:
                self.catch_up()
            finally:
                self._changing.release()

    def repair(self, error: DamagedIndexError) -> None:
        """Rebuild the text index from the records."""
        with self._changing:
            with self.lock.write():
                self.text.rebuild(str(error))
                self._text_revision = self.text.revision
            self._catch_up()

    def _catch_up(self) -> None:
        with self._connections.reader() as connection:
            connection.execute("BEGIN")
            state = DatabaseState(*connection.execute(self._connections.sql.state.text).fetchone())
            since = min(self.revision, self._text_revision)
            if since > state.revision:  # SQLite was put back to an older state
                with self.lock.write():
                    self._forget_rows()
                    self.text.rebuild("it is newer than the records")
                    self._text_revision = self.text.revision
                since = 0
            if since < state.revision:
                self._take_changes(connection, since, state.revision)
            if self.vectors is not None and self.vectors_revision != state.vectors:
                self._take_vectors(connection, state.vectors)

    def _take_changes(self, connection: sqlite3.Connection, since: int, revision: int) -> None:
        many = connection.execute(
            "SELECT count(*) FROM records WHERE revision > ?", (self._text_revision,)
        ).fetchone()[0]
        direct = many >= DIRECT and not self._in_memory and self._begin_text()
        gone = connection.execute(
            "SELECT row, revision FROM freed WHERE revision > ?", (since,)
        ).fetchall()
        with self.lock.write():
            for row, at in gone:
                if at > self.revision:
                    self.columns.drop(row)
                    if self.vectors is not None:
                        self.vectors.drop(row)
                if at > self._text_revision:
                    self.text.drop(row, at)
        self._unsaved += len(gone)
        for step in _steps(embeddings.changed(connection, self._model, since), _STEP):
            docs = [
                TextDoc(row, at, title, text, _tags(tags), kind, source, stamp)
                for row, at, title, text, tags, kind, source, stamp, _ in step
            ]
            news = [doc for doc in docs if doc.revision > self._text_revision]
            if direct:
                self.text.write(news)
            with self.lock.write():
                if not direct:
                    for doc in news:
                        self.text.put(doc)
                self._put_rows(docs, [values[8] for values in step])
        if direct:
            self._write_text(revision)
        self.revision = self._text_revision = revision
        if self.text.unwritten > MEMTABLE_LIMIT and not self._in_memory:
            self._write_text(revision)

    def _put_rows(self, docs: list[TextDoc], vectors: list[bytes | None]) -> None:
        rows, blobs = [], []
        for doc, blob in zip(docs, vectors, strict=True):
            if doc.revision <= self.revision:
                continue
            self.columns.put(doc.row, doc.type, doc.source_type, doc.tags, doc.stamp)
            self._unsaved += 1
            if self.vectors is None:
                continue
            if blob is not None and Quantized.fits(blob, self._dims):
                rows.append(doc.row)
                blobs.append(blob)
            else:
                self.vectors.drop(doc.row)
        self._put_vectors(rows, blobs)

    def _take_vectors(self, connection: sqlite3.Connection, revision: int) -> None:
        found = embeddings.embedded(connection, self._model, self.vectors_revision)
        for step in _steps(found, _STEP):
            fitting = [(row, blob) for row, blob in step if Quantized.fits(blob, self._dims)]
            with self.lock.write():
                self._put_vectors([row for row, _ in fitting], [blob for _, blob in fitting])
            self._unsaved += len(fitting)
        self.vectors_revision = revision

    def _put_vectors(self, rows: list[int], blobs: list[bytes]) -> None:
        if rows:
            assert self.vectors is not None
            scales, steps = Quantized.unpack(blobs, self._dims)
            self.vectors.put(np.array(rows, np.int64), scales, steps)

    # -- files

    def _write_text(self, revision: int) -> None:
        if self._begin_text():
            adopt = self.text.commit(revision)
            with self.lock.write():
                adopt()
        else:
            with self.lock.write():
                self.text.follow()

    def _begin_text(self) -> bool:
        with self.lock.write():  # it may have to take over what another process has written
            return self.text.begin()

    def flush(self) -> None:
        """Write to disk what only memory has, unless another process is writing just now."""
        with self._changing:
            self._in_memory = False
            self.catch_up()
            if self.text.unwritten:
                try:
                    self._write_text(self._text_revision)
                except UnwrittenIndexError as error:
                    self._unwritten(error)
            self.save_snapshot()

    def release_writer(self) -> bool:
        """Release the index writer to other processes; save a snapshot when enough has changed."""
        with self._changing:
            finish = self.text.detach()
        finish()  # merging may take a while; what is written meanwhile stays in memory
        with self._changing:
            self._in_memory = False
            if self._unsaved >= max(_SNAPSHOT_ROWS, self.columns.count * _SNAPSHOT_SHARE):
                self.save_snapshot()
        return False

    def close(self) -> None:
        self.release_writer()

    def save_snapshot(self) -> None:
        """Save columns and vectors so that the next opening need not read every record."""
        if not self._unsaved or not self._snapshot_lock.acquire():
            return
        try:
            words, arrays = self.columns.dump()
            meta = {
                "format": _FORMAT,
                "revision": self.revision,
                "vectors_revision": self.vectors_revision,
                "model": self._model_name,
                "model_number": self._model,
                "dims": self._dims,
                "words": words,
            }
            vectors = {} if self.vectors is None else self.vectors.dump()
            snapshot.save(self._snapshot_path, meta, {**arrays, **vectors})
            self._unsaved = 0
        except OSError as error:
            log.warning("The snapshot %s is not written: %s", self._snapshot_path, error)
        finally:
            self._snapshot_lock.release()

    def _load_snapshot(self) -> None:
        try:
            found = snapshot.load(self._snapshot_path)
            if found is None:
                return
            meta, arrays = found
            if (meta["format"], meta["model"], meta["model_number"], meta["dims"]) != (
                _FORMAT,
                self._model_name,
                self._model,
                self._dims,
            ):
                return  # made with another embedder; SQLite has what there is of this one
            columns = Columns.load(meta["words"], arrays)
            vectors = VectorIndex.load(self._dims, arrays) if self._dims else None
            revision, vectors_revision = int(meta["revision"]), int(meta["vectors_revision"])
        except (snapshot.DamagedSnapshotError, LookupError, TypeError, ValueError) as error:
            log.warning("The snapshot %s is made again: %s", self._snapshot_path, error)
            self._unsaved = _SNAPSHOT_ROWS
            return
        self.columns, self.vectors = columns, vectors
        self.revision, self.vectors_revision = revision, vectors_revision

    def _forget_rows(self) -> None:
        self.columns = Columns()
        self.vectors = VectorIndex(self._dims) if self._dims else None
        self.revision = self.vectors_revision = 0


def _tags(text: str) -> tuple[str, ...]:
    return tuple(orjson.loads(text)) if text != "[]" else ()


def _steps(values: Iterator[T], size: int) -> Iterator[list[T]]:
    while step := list(islice(values, size)):
        yield step
