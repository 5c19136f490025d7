"""Knowledge base on a PostgreSQL server: its databases and their maintenance."""

from __future__ import annotations

from collections.abc import Callable
from hashlib import blake2b
from pathlib import Path
from typing import TYPE_CHECKING

from antiphon.contracts import ErrorType
from antiphon.knowledge.database import Database
from antiphon.knowledge.errors import KnowledgeError, explained
from antiphon.knowledge.postgres.connections import Connection, PostgresConnections
from antiphon.knowledge.postgres.embeddings import forget_models
from antiphon.knowledge.postgres.engine import PostgresEngine
from antiphon.knowledge.postgres.schema import Abilities, prepare
from antiphon.knowledge.postgres.session import number_of
from antiphon.knowledge.rows import now
from antiphon.knowledge.service import DatabaseInfo, KnowledgeBase

if TYPE_CHECKING:
    from antiphon.knowledge.embedding import Embedder
    from antiphon.knowledge.engine import KnowledgeEngine

# From so many vectors on an index finds the nearest; below, comparing all of them is quick and
# misses none.
INDEX_FROM = 20_000
WORK = Path(".antiphon") / "knowledge"


class PostgresDatabase(Database):
    """Handle of a database on the server. Several nodes may use it at once."""

    def __init__(
        self,
        id: str,
        engine: PostgresEngine,
        folder: Path,
        *,
        changed: Callable[[Database], None],
    ) -> None:
        self._folder = folder
        self._server = engine
        self._seen = False
        self._missing = False  # another node has deleted it, as far as we know
        super().__init__(id, folder, changed=changed)

    @property
    def folder(self) -> Path:
        """Folder of this node alone, for checkpoints of imports; made when it is first needed."""
        with explained(self._folder):
            self._folder.mkdir(parents=True, exist_ok=True, mode=0o700)
        return self._folder

    @folder.setter
    def folder(self, folder: Path) -> None:
        self._folder = folder

    def is_open(self) -> bool:
        """Whether it is in use: neither closed nor deleted by another node, as far as known."""
        return not self._gone and not self._missing

    def close_idle(self) -> bool:
        """Do nothing and return False: a handle holds no files."""
        return False

    def release_writer(self) -> bool:
        """Create the vector index when it is due; False, as nothing is left to release."""
        try:
            return self.is_open() and self._server.release_writer()
        except KnowledgeError as error:
            if error.type is ErrorType.NOT_FOUND:
                return False
            raise

    def embed_pending(self, batch: int = 64) -> int:
        """Embed up to `batch` records that no other node has claimed; returns how many."""
        try:
            return super().embed_pending(batch)
        except KnowledgeError as error:
            self._missing = error.type is ErrorType.NOT_FOUND
            raise

    def _enter(self, counts: bool) -> KnowledgeEngine:
        del counts  # nothing is ever closed to make room
        with self._lock:
            if self._gone:
                raise KnowledgeError(
                    f"The database {self.id!r} has been closed or deleted.", ErrorType.NOT_FOUND
                )
            self._users += 1
            self._missing = False
            first, self._seen = not self._seen, True
        if first:
            self._notify_changed()  # there may be work left from before
        return self._server


class PostgresKnowledgeBase(KnowledgeBase):
    """All databases on one server, in a schema of their own."""

    def __init__(
        self,
        connections: PostgresConnections,
        abilities: Abilities,
        embedder: Embedder | None,
        *,
        work: Path,
        index_from: int,
    ) -> None:
        super().__init__(work, embedder, max_open=1)
        self._connections = connections
        self._abilities = abilities
        self._index_from = index_from

    @classmethod
    def connect(
        cls,
        url: str,
        *,
        embedder: Embedder | None = None,
        work: Path = WORK,
        index_from: int = INDEX_FROM,
        organisation: str = "",
    ) -> PostgresKnowledgeBase:
        """Connect to a server and create the tables of an organisation when they are missing.

        `work` is a folder of this node alone, made when an import first needs it. Raises
        KnowledgeError when the server cannot be reached or lacks pgvector or a permission.
        """
        connections = PostgresConnections(url, organisation)
        try:
            abilities = prepare(connections)
        except BaseException:
            connections.close()
            raise
        return cls(connections, abilities, embedder, work=Path(work), index_from=index_from)

    # -- databases

    def databases(self) -> list[DatabaseInfo]:
        """All databases, by id."""

        def work(connection: Connection) -> list[DatabaseInfo]:
            rows = connection.execute(
                "SELECT id, title, description, records, edges, updated FROM databases ORDER BY id"
            )
            return [DatabaseInfo(*row) for row in rows]

        return self._connections.read(work)

    def stored_bytes(self) -> int:
        """The size of the organisation's tables and indexes."""

        def work(connection: Connection) -> int:
            row = connection.execute(
                "SELECT coalesce(sum(pg_total_relation_size(c.oid)), 0) FROM pg_class c "
                "JOIN pg_namespace n ON n.oid = c.relnamespace "
                "WHERE n.nspname = %s AND c.relkind IN ('r', 'p', 'm')",
                (self._connections.schema,),
            ).fetchone()
            return int(row[0]) if row else 0

        return self._connections.read(work)

    def ids(self) -> list[str]:
        return [info.id for info in self.databases()]

    def create(self, id: str, title: str = "", description: str = "") -> Database:
        """Create an empty database. Raises KnowledgeError for a bad id or one that is taken."""
        self._check_open()
        self._path(id)
        for name, value in (("title", title), ("description", description)):
            if not isinstance(value, str) or len(value) > 10_000:
                raise KnowledgeError(f"The {name} of a database is a text of at most 10,000.")

        def work(connection: Connection) -> bool:
            row = connection.execute(
                "INSERT INTO databases (id, title, description, updated) VALUES (%s, %s, %s, %s) "
                "ON CONFLICT (id) DO NOTHING RETURNING number",
                (id, title, description, now()),
            ).fetchone()
            return row is not None

        if not self._connections.write(work):
            raise KnowledgeError(
                f"There is a database {id!r} already; choose another id.", ErrorType.CONFLICT
            )
        return self.database(id)

    def delete(self, id: str) -> None:
        """Delete a database with everything in it. Raises KnowledgeError when it is not there."""
        database = self.database(id)
        with self._lock:
            self._handles.pop(id, None)
        database.close()

        def work(connection: Connection) -> None:
            number = number_of(connection, id, lock=True)
            models = connection.execute(
                "SELECT number FROM models WHERE database = %s", (number,)
            ).fetchall()
            forget_models(connection, [model for (model,) in models])
            for table in ("edges", "records", "terms"):
                connection.execute(f"DELETE FROM {table} WHERE database = %s", (number,))  # noqa: S608
            connection.execute("DELETE FROM databases WHERE number = %s", (number,))

        self._connections.write(work)

    def database(self, id: str) -> Database:
        """The database with this id. Raises KnowledgeError that names the nearest ids."""
        self._check_open()
        self._path(id)
        with self._lock:
            handle = self._handles.get(id)
        if handle is not None:
            return handle
        if not self._exists(id):
            raise self._unknown(id)
        where = blake2b(self._connections.where.encode(), digest_size=6).hexdigest()
        engine = PostgresEngine(
            self._connections, self._abilities, id, self.embedder, index_from=self._index_from
        )
        made = PostgresDatabase(
            id, engine, self.folder / f"{id}-{where}", changed=self._maintenance.schedule
        )
        with self._lock:
            return self._handles.setdefault(id, made)

    def close(self) -> None:
        """Stop the maintenance and close every connection."""
        super().close()
        self._connections.close()

    def _exists(self, id: str) -> bool:
        def work(connection: Connection) -> bool:
            found = connection.execute("SELECT 1 FROM databases WHERE id = %s", (id,)).fetchone()
            return found is not None

        return self._connections.read(work)
