"""What the knowledge engine says when it cannot do its work: what is wrong, where, what to do."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from antiphon.contracts import ErrorType
from antiphon.storage.errors import explain


class KnowledgeError(Exception):
    """Bad input, an unknown name, or a store that cannot be used. `type` says which of these.

    VALIDATION: the input must change. NOT_FOUND: no such database or record (`nearest` has the
    names that come closest). CONFLICT: it exists already. TRANSIENT: may work when tried again.
    PERMANENT: the store itself must be looked at.
    """

    def __init__(
        self,
        message: str,
        type: ErrorType = ErrorType.VALIDATION,
        *,
        nearest: tuple[str, ...] = (),
    ) -> None:
        super().__init__(message)
        self.message = message
        self.type = type
        self.nearest = nearest


@contextmanager
def explained(where: Path) -> Iterator[None]:
    """Turns what SQLite and the operating system raise into a KnowledgeError."""
    try:
        yield
    except sqlite3.Error as error:
        locked = "locked" in str(error).lower() or "full" in str(error).lower()
        raise KnowledgeError(
            explain(error, str(where)), ErrorType.TRANSIENT if locked else ErrorType.PERMANENT
        ) from error
    except OSError as error:
        raise KnowledgeError(
            f"The store at {where} cannot be used: {error.strerror or error}; check that this "
            "process may write there and that the disk has space.",
            ErrorType.PERMANENT,
        ) from error
