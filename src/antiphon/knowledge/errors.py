"""Knowledge errors: cause, place and remedy, with the error type of the envelope."""

from __future__ import annotations

import logging
import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from antiphon.contracts import ErrorType
from antiphon.storage.errors import explain

logger = logging.getLogger(__name__)


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
    """Translate errors of SQLite and of the operating system to KnowledgeError.

    Models and clients read its message: it names the file in the data folder. The whole path is
    in the log.
    """
    named = f"{where.parent.name}/{where.name}"
    try:
        yield
    except sqlite3.Error as error:
        logger.error("the knowledge store %s failed: %s", where, error)
        locked = "locked" in str(error).lower() or "full" in str(error).lower()
        raise KnowledgeError(
            explain(error, named), ErrorType.TRANSIENT if locked else ErrorType.PERMANENT
        ) from error
    except OSError as error:
        logger.error("the knowledge store %s cannot be used: %s", where, error)
        raise KnowledgeError(
            f"The store at {named} cannot be used: {error.strerror or error}; check that this "
            "process may write there and that the disk has space.",
            ErrorType.PERMANENT,
        ) from error
