"""Store errors: driver failures as one plain sentence with what to do."""

from __future__ import annotations


class StoreError(Exception):
    """A store that could not be opened, read or written. The text says where and what to do."""


class UnstorableError(StoreError):
    """A value that no store can take, however often it is tried."""


# Parts of what SQLite and PostgreSQL say, and what that means for the person who runs the store.
# The first that fits wins.
_MEANINGS: tuple[tuple[str, str], ...] = (
    ("database or disk is full", "is out of disk space; free some and try again"),
    ("no space left on device", "is out of disk space; free some and try again"),
    (
        "database is locked",
        "was locked by another process for too long; see what else uses it and try again",
    ),
    (
        "lock timeout",
        "was locked by another node for too long; see what else uses it and try again",
    ),
    (
        "readonly database",
        "cannot be written; give the user of this process write permission to the file and its "
        "folder",
    ),
    (
        "unable to open database file",
        "cannot be opened; check that the folder exists and that this process may write there",
    ),
    (
        "file is not a database",
        "is not an SQLite database; name another file, or move this one away",
    ),
    (
        "malformed",
        "is damaged; restore it from a backup, or move it away to start with an empty store",
    ),
    (
        "disk i/o error",
        "cannot be read or written because the disk reports errors; check the disk and its limits",
    ),
    (
        "password authentication failed",
        "refused the user name or the password; correct them in the URL",
    ),
    ("no password supplied", "wants a password; put it in the URL or in PGPASSWORD"),
    ("does not exist", "is missing something; create it or correct the URL"),
    ("permission denied", "refused permission; grant this user the rights to use the database"),
)
_UNREACHABLE = (
    "connection refused",
    "connection failed",
    "connection is bad",
    "connection timeout",
    "could not translate",
    "failed to resolve",
    "server closed the connection",
    "terminating connection",
    "connection is lost",
    "the connection is closed",
    "consuming input failed",
    "sending query failed",
    "name or service not known",
)


def explain(error: BaseException, where: str) -> str:
    """A plain sentence for an error of the database driver, without statements or values."""
    original = getattr(error, "orig", None) or error
    words = " ".join(str(original).split("\nDETAIL")[0].split()) or type(original).__name__
    lowered = words.lower()
    if type(error).__name__ == "IntegrityError":
        return f"The store at {where} already has such a row ({words})."
    for part, meaning in _MEANINGS:
        if part in lowered:
            return f"The store at {where} {meaning} ({words})."
    if any(part in lowered for part in _UNREACHABLE):
        return (
            f"The store at {where} cannot be reached; check that the server runs and that the "
            f"URL is right ({words})."
        )
    return f"The store at {where} failed: {words}."
