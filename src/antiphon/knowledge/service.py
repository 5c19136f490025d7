"""Knowledge service: the databases of a folder or server, opened on demand and maintained."""

from __future__ import annotations

import contextlib
import logging
import os
import re
import shutil
import sqlite3
import tempfile
import threading
import time
from collections import OrderedDict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from difflib import get_close_matches
from pathlib import Path
from typing import TYPE_CHECKING, Any

from antiphon.contracts import ErrorType
from antiphon.knowledge.database import FILE, Database
from antiphon.knowledge.errors import KnowledgeError, explained
from antiphon.knowledge.maintenance import LOOK_SECONDS, Maintenance
from antiphon.knowledge.organisations import FIRST, folder_name
from antiphon.knowledge.organisations import FOLDER as ORGANISATIONS
from antiphon.knowledge.records import Evidence, Filters
from antiphon.knowledge.rows import now
from antiphon.plugins import Plugins

if TYPE_CHECKING:
    from antiphon.knowledge.embedding import Embedder

log = logging.getLogger(__name__)

FOLDER = "knowledge"  # in the data folder
# So many databases are made ready before anybody asks; the others are when they are asked.
WARMED = 8
# Open databases cost files and memory; more are closed and opened again when they are needed.
MAX_OPEN = 64
_ID = re.compile(r"[a-z0-9][a-z0-9_-]{0,63}")
_UNFINISHED = "unfinished-"
_OLD_SECONDS = 3600.0
_SERVERS = ("postgresql", "postgres")


@dataclass(frozen=True, slots=True)
class DatabaseInfo:
    """Entry of the list of databases."""

    id: str
    title: str
    description: str
    records: int
    edges: int
    updated: str


class KnowledgeBase:
    """All databases in one folder. Safe to use from several threads; close it when done."""

    def __init__(
        self,
        folder: Path,
        embedder: Embedder | None,
        *,
        max_open: int,
        look_seconds: float = LOOK_SECONDS,
    ) -> None:
        self.folder = folder
        self.embedder = embedder
        self._max_open = max_open
        self._lock = threading.Lock()
        self._handles: dict[str, Database] = {}
        self._open: OrderedDict[str, Database] = OrderedDict()
        self._infos: dict[str, tuple[tuple[int, ...], DatabaseInfo]] = {}
        self._maintenance = Maintenance(embeds=embedder is not None, look_seconds=look_seconds)
        self._closed = False

    @classmethod
    def open(
        cls,
        folder: Path,
        *,
        embedder: Embedder | None = None,
        max_open: int = MAX_OPEN,
        look_seconds: float = LOOK_SECONDS,
    ) -> KnowledgeBase:
        """Open a folder, created when it is not there. Without an embedder search is by words.

        Embedding goes on in a thread of its own, which `close` stops. What is left pending then,
        or in a database that nobody uses, is embedded once that database is used again. What other
        processes write to an open one is embedded too: it is looked for every `look_seconds`.
        """
        folder = Path(folder)
        with explained(folder):
            folder.mkdir(parents=True, exist_ok=True, mode=0o700)
            for left in folder.glob(f".{_UNFINISHED}*"):
                # Of a process that was killed; one that is at it now needs far less time.
                if left.stat().st_mtime < time.time() - _OLD_SECONDS:
                    shutil.rmtree(left, ignore_errors=True)
        return cls(folder, embedder, max_open=max(1, max_open), look_seconds=look_seconds)

    def __enter__(self) -> KnowledgeBase:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    # -- databases

    def databases(self) -> list[DatabaseInfo]:
        """All databases, by id."""
        return [self._info(name) for name in self.ids()]

    def ids(self) -> list[str]:
        """Ids of all databases, sorted."""
        with explained(self.folder), os.scandir(self.folder) as entries:
            return sorted(
                entry.name
                for entry in entries
                if _ID.fullmatch(entry.name) and (self.folder / entry.name / FILE).is_file()
            )

    def stored_bytes(self) -> int:
        """The size of everything that is kept, indexes included."""
        total = 0
        for folder, _, names in os.walk(self.folder):
            for name in names:
                with contextlib.suppress(FileNotFoundError):  # replaced or removed meanwhile
                    total += os.stat(os.path.join(folder, name)).st_size
        return total

    def create(self, id: str, title: str = "", description: str = "") -> Database:
        """Create an empty database. Raises KnowledgeError for a bad id or one that is taken."""
        self._check_open()
        path = self._path(id)
        for name, value in (("title", title), ("description", description)):
            if not isinstance(value, str) or len(value) > 10_000:
                raise KnowledgeError(f"The {name} of a database is a text of at most 10,000.")
        from antiphon.knowledge.sqlite.connections import create_file  # loads SQLAlchemy

        with explained(path):
            # Made aside and moved into place, so that a kill leaves no half of a database.
            aside = Path(tempfile.mkdtemp(prefix=f".{_UNFINISHED}", dir=self.folder))
            try:
                create_file(aside / FILE, title, description, now())
                try:
                    os.rename(aside, path)
                except OSError as error:
                    if not path.exists():
                        raise
                    raise KnowledgeError(
                        f"There is a database {id!r} already; choose another id.",
                        ErrorType.CONFLICT,
                    ) from error
            finally:
                shutil.rmtree(aside, ignore_errors=True)
        return self.database(id)

    def delete(self, id: str) -> None:
        """Delete a database with everything in it. Raises KnowledgeError when it is not there."""
        database = self.database(id)
        database.close()
        try:
            with explained(database.folder):
                aside = Path(tempfile.mkdtemp(prefix=f".{_UNFINISHED}", dir=self.folder))
                os.rename(database.folder, aside / id)
        finally:
            # Only now: whoever asks meanwhile gets the closed one, and opens no new one on a
            # folder that is about to go.
            with self._lock:
                self._handles.pop(id, None)
                self._open.pop(id, None)
                self._infos.pop(id, None)
        with explained(aside):
            shutil.rmtree(aside)

    def database(self, id: str) -> Database:
        """The database with this id. Raises KnowledgeError that names the nearest ids."""
        self._check_open()
        path = self._path(id)
        with self._lock:
            handle = self._handles.get(id)
        if handle is not None:
            return handle
        if not (path / FILE).is_file():
            raise self._unknown(id)
        with self._lock:
            return self._handles.setdefault(
                id,
                Database(
                    id, path, self.embedder, used=self._touch, changed=self._maintenance.schedule
                ),
            )

    def search_all(
        self,
        query: str,
        ids: Sequence[str] | None = None,
        *,
        filters: Filters | None = None,
        k: int = 5,
        explain: bool = False,
        full_text: bool = False,
    ) -> list[tuple[str, Evidence]]:
        """Search several databases (all without `ids`) for the best `k`, each with its id.

        Scores mean the same in every database, so the results are merged by score.
        """
        names = self.ids() if ids is None else list(dict.fromkeys(ids))
        databases = [self.database(name) for name in names]
        found = [
            (database.id, evidence)
            for database in databases
            for evidence in database.search(
                query, filters=filters, k=k, explain=explain, full_text=full_text
            )
        ]
        found.sort(key=lambda item: (-item[1].score, item[0], item[1].id))
        return found[: max(0, k)]

    def close(self) -> None:
        """Stop the maintenance and close every database, with its indexes on disk."""
        with self._lock:
            if self._closed:
                return
            self._closed = True
        self._maintenance.close()
        for handle in list(self._handles.values()):
            handle.close()

    # -- inside

    def _check_open(self) -> None:
        if self._closed:
            raise KnowledgeError("The knowledge base has been closed.", ErrorType.PERMANENT)

    def _path(self, id: object) -> Path:
        if not isinstance(id, str) or not _ID.fullmatch(id):
            raise KnowledgeError(
                "The id of a database has 1 to 64 lower-case letters, digits, '-' and '_', "
                f"and begins with a letter or a digit; this is {str(id)[:80]!r}."
            )
        return self.folder / id

    def _unknown(self, id: str) -> KnowledgeError:
        known = self.ids()
        nearest = tuple(get_close_matches(id, known, n=3, cutoff=0.5)) or tuple(known[:5])
        hint = f" Did you mean {' or '.join(nearest)}?" if nearest else " There is none yet."
        return KnowledgeError(
            f"There is no database {id!r}.{hint}", ErrorType.NOT_FOUND, nearest=nearest
        )

    def _touch(self, database: Database) -> None:
        """Register the use of a database, and close the least recently used beyond the limit."""
        with self._lock:
            self._open[database.id] = database
            self._open.move_to_end(database.id)
            surplus = len(self._open) - self._max_open
            oldest: Iterable[Database] = (
                [handle for _, handle in zip(range(surplus), self._open.values(), strict=False)]
                if surplus > 0
                else ()
            )
        for handle in oldest:
            if handle is not database and handle.close_idle():
                with self._lock:
                    if not handle.is_open():
                        self._open.pop(handle.id, None)

    def _info(self, id: str) -> DatabaseInfo:
        handle = self._handles.get(id)
        if handle is not None and handle.is_open():
            state = handle.state()
            return DatabaseInfo(
                id, state.title, state.description, state.records, state.edges, state.updated
            )
        # Thousands need not be opened each time: a file that has not changed says the same again.
        path = self.folder / id / FILE
        stamp = (*_stamp(path), *_stamp(path.with_name(f"{FILE}-wal")))
        known = self._infos.get(id)
        if known is not None and known[0] == stamp:
            return known[1]
        with explained(path):
            connection = sqlite3.connect(f"{path.absolute().as_uri()}?mode=rw", uri=True)
            try:
                row = connection.execute(
                    "SELECT title, description, records, edges, updated FROM state"
                ).fetchone()
            finally:
                connection.close()
        info = DatabaseInfo(id, *row)
        self._infos[id] = (
            (*_stamp(path), *_stamp(path.with_name(f"{FILE}-wal"))),
            info,
        )
        return info


def _stamp(path: Path) -> tuple[int, ...]:
    try:
        found = path.stat()
    except FileNotFoundError:
        return ()
    return found.st_ino, found.st_size, found.st_mtime_ns


def open_knowledge(
    place: str | Path,
    *,
    embedder: Embedder | None = None,
    work: Path | None = None,
    organisation: str = "",
) -> KnowledgeBase:
    """The knowledge base in a folder, or on the server of a postgresql:// URL, where each
    organisation has a schema of its own.

    `work` is a folder in which a node that uses a server keeps how far its imports have come.
    Raises KnowledgeError when it cannot be opened; the text says why and what to do.
    """
    if isinstance(place, str) and "://" in place:
        scheme = place.partition("://")[0]
        if scheme.partition("+")[0] not in _SERVERS:
            # The rest may hold a password.
            raise KnowledgeError(
                f"Knowledge cannot be kept at {scheme[:40]}://…; name a folder, or write "
                "postgresql://user:password@host/database."
            )
        from antiphon.knowledge.postgres.service import WORK, PostgresKnowledgeBase

        return PostgresKnowledgeBase.connect(
            place, embedder=embedder, work=work or WORK, organisation=organisation
        )
    if not str(place).strip():
        raise KnowledgeError("Name the folder of the knowledge base, or a postgresql:// URL.")
    return KnowledgeBase.open(Path(place), embedder=embedder)


class KnowledgeService:
    """Owns a knowledge base: in `<data>/knowledge`, or on the server of a PostgreSQL URL.

    That of an `organisation` beside the first is in `<data>/organisations/<id>/knowledge`, or in a
    schema of its own. `embedder` is the name of an embedder and its options; without one search is
    by words. With `samples` the sample databases are imported when it is opened. Safe to use from
    several threads.
    """

    def __init__(
        self,
        data: Path,
        url: str | None = None,
        embedder: tuple[str, dict[str, Any]] | None = ("minilm", {}),
        plugins: Plugins | None = None,
        *,
        samples: bool = True,
        organisation: str = FIRST,
    ) -> None:
        self._plugins = plugins
        self._organisation = organisation
        home = data if organisation == FIRST else data / ORGANISATIONS / folder_name(organisation)
        self.folder = home / FOLDER
        self._place: str | Path = url or self.folder
        self._embedder = embedder
        self._samples = samples
        self._lock = threading.Lock()
        self._closing = threading.Event()
        self._base: KnowledgeBase | None = None

    def base(self) -> KnowledgeBase:
        """The open knowledge base. Blocks, the first time for as long as opening it takes.

        Raises KnowledgeError when it cannot be opened; the next call tries again.
        """
        if self._base is not None:
            return self._base
        with self._lock:
            if self._closing.is_set():
                raise KnowledgeError("The server is stopping.", ErrorType.TRANSIENT)
            if self._base is None:
                self._base = self._open()
            return self._base

    def _open(self) -> KnowledgeBase:
        base = open_knowledge(
            self._place,
            embedder=self._make_embedder(),
            work=self.folder,
            organisation=self._organisation,
        )
        if self._samples:
            from antiphon.knowledge.samples import import_samples

            try:
                import_samples(base, self._closing.is_set)
            except KnowledgeError as error:
                # What is there can be used all the same.
                log.error("the sample knowledge was not imported: %s", error)
        return base

    def _make_embedder(self) -> Embedder | None:
        if self._embedder is None:
            return None
        from antiphon.knowledge.embedding import default_embedder, embedder_for

        name, options = self._embedder
        # The built-in one is large: whoever else needs it in this process has the same.
        built_in = name == "minilm" and not options
        return default_embedder() if built_in else embedder_for(name, options, self._plugins)

    def warm(self) -> None:
        """Load the model and the indexes, so that the first question need not wait for them.

        Databases with pending records are embedded from here on.
        """
        try:
            base = self.base()
            for name in base.ids()[:WARMED]:
                if self._closing.is_set():
                    return
                base.database(name).search("warm", k=1)
        except KnowledgeError as error:
            if not self._closing.is_set():
                log.error("the knowledge base is not ready: %s", error)

    def close(self) -> None:
        """Wait for the calls under way, then close for good."""
        self._closing.set()
        with self._lock:
            base = self._base
        if base is not None:
            base.close()
