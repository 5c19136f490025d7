"""Audit file: the chain exported as JSON lines after every commit."""

from __future__ import annotations

import os
import socket
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path

import orjson
from sqlalchemy import Connection, func, select

from antiphon.storage.audit import find_line, lines_after
from antiphon.storage.errors import StoreError
from antiphon.storage.nodes import flock
from antiphon.storage.tables import audit, audit_sinks, inserting

_PAGE = 1000
_BLOCK = 1 << 16


class AuditFile:
    """An append-only file of committed audit lines, each exported once and in order, also across
    restarts.

    The last line of the file says where to go on. The number stored in the database is for a file
    that was rotated away: the new, empty one continues where the old one ended. Several processes
    may name the same file.
    """

    def __init__(self, path: Path, dialect: str) -> None:
        self.path = path.absolute()
        self._name = f"{socket.gethostname()}:{self.path}"
        self._last = 0
        self._size: int | None = None  # of the file, when we last wrote it
        self._upsert = inserting(dialect, audit_sinks)
        self._upsert = self._upsert.on_conflict_do_update(
            index_elements=["name"], set_={"seq": self._upsert.excluded.seq}
        )

    def export(self, connection: Connection, first: int = 0, lines: Sequence[bytes] = ()) -> None:
        """Append what the file lacks. `lines` were just committed, the first with number `first`.

        Raises OSError or StoreError; the next call repairs what was left undone.
        """
        file = os.open(self.path, os.O_RDWR | os.O_CREAT, 0o600)
        try:
            flock(file, wait=True)
            size, self._size = self._size, None
            if lines and os.fstat(file).st_size == size and self._last + 1 == first:
                self._append(file, lines)
            else:
                # Lines of other nodes come in between, or somebody else wrote the file.
                self._last = self._end_of(file, connection)
                while page := lines_after(connection, self._last, _PAGE):
                    self._append(file, [line.line for line in page])
            self._size = os.fstat(file).st_size
        finally:
            os.close(file)

    def drop(self, through: int) -> None:
        """Delete the lines up to that number from the file, atomically."""
        with suppress(FileNotFoundError), self.path.open("rb") as old:
            flock(old.fileno(), wait=True)
            shorter = self.path.with_name(f"{self.path.name}.shorter")
            file = os.open(shorter, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600)
            with os.fdopen(file, "wb") as new:
                for line in old:
                    if orjson.loads(line)["seq"] > through:
                        new.write(line)
                new.flush()
                os.fsync(new.fileno())
            shorter.replace(self.path)
            self._size = None

    def save(self, connection: Connection) -> None:
        """Store in the open transaction how far the file is exported."""
        connection.execute(self._upsert, {"name": self._name, "seq": self._last})

    def _append(self, file: int, lines: Sequence[bytes]) -> None:
        os.lseek(file, 0, os.SEEK_END)
        left = memoryview(b"".join(line + b"\n" for line in lines))
        while left:
            left = left[os.write(file, left) :]
        self._last += len(lines)

    def _end_of(self, file: int, connection: Connection) -> int:
        """Return the number of the last complete line; truncate a partial line after it."""
        size = os.fstat(file).st_size
        tail = b""
        start = size
        while start > 0 and tail.count(b"\n") < 2:
            step = min(_BLOCK, start)
            start -= step
            tail = os.pread(file, step, start) + tail
        whole, newline, half = tail.rpartition(b"\n")
        if half:
            if not half.startswith(b"{"):
                raise self._foreign()
            os.ftruncate(file, size - len(half))
        if not newline:
            saved = select(audit_sinks.c.seq).where(audit_sinks.c.name == self._name)
            return max(self._last, connection.execute(saved).scalar() or 0)
        last = whole.rpartition(b"\n")[2]
        try:
            record = orjson.loads(last)
            seq = record["seq"]
        except (orjson.JSONDecodeError, TypeError, KeyError) as error:
            raise self._foreign() from error
        if not isinstance(seq, int):
            raise self._foreign()
        known = find_line(connection, seq)
        if known != last and not (known is None and _was_pruned(connection, seq)):
            raise self._foreign()
        return seq

    def _foreign(self) -> StoreError:
        return StoreError(
            f"The audit file {self.path} does not end with a line of this store; move it away, "
            "or name another file."
        )


def _was_pruned(connection: Connection, seq: int) -> bool:
    first = connection.execute(select(func.min(audit.c.seq))).scalar()
    return first is not None and 0 < seq < first
