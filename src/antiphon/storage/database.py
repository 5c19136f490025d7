"""Store database: one connection to SQLite or PostgreSQL, its migrations and transactions."""

from __future__ import annotations

import os
from contextlib import AbstractContextManager, nullcontext
from pathlib import Path

from sqlalchemy import URL, Connection, Engine, create_engine, inspect, make_url, text
from sqlalchemy.exc import ArgumentError, DBAPIError, NoSuchModuleError
from sqlalchemy.pool import NullPool

from antiphon.secrecy.vault import MasterKeys
from antiphon.storage.errors import StoreError, explain
from antiphon.storage.migrations import HEAD, REVISIONS
from antiphon.storage.nodes import FileNodes, Nodes, OnlyNode, ServerNodes
from antiphon.storage.sealed_rows import SealedRows
from antiphon.storage.tables import create_tables

# Pages that the log of SQLite collects before they are copied into the tables: pages that many
# commits write, as the last one of the audit, are copied once.
CHECKPOINT_PAGES = 4000
BUSY_SECONDS = 5
MIGRATION_SECONDS = 60  # for another node that is just bringing the tables up to date
# Any number will do, as long as every opener of the same database takes the same.
_MIGRATION_LOCK = 0x616E7469


class StoreDatabase:
    """One database connection and its dialect. Used by one thread at a time."""

    def __init__(
        self, url: str, node: str, keys: MasterKeys | None = None, *, seals: bool = True
    ) -> None:
        """Connect, migrate the tables, with `seals` seal with the keys what is not sealed yet, and
        register this node as alive. Raises StoreError."""
        self._rows = SealedRows(keys)
        parsed = _parse(url)
        self.dialect = "sqlite" if parsed.get_backend_name() == "sqlite" else "postgresql"
        self.path = _sqlite_path(parsed) if self.dialect == "sqlite" else None
        self.where = str(self.path) if self.path else _shown(parsed)
        self.nodes: Nodes
        self._connection: Connection | None = None
        alone: AbstractContextManager[None] = nullcontext()
        try:
            if self.path is not None:
                _create_private(self.path)
                self.nodes = FileNodes(self.path, node)
                alone = self.nodes.exclusive()
            else:
                self.nodes = ServerNodes(node) if self.dialect == "postgresql" else OnlyNode()
            self._engine = self._make_engine(parsed)
            with alone:
                self._connection = self._connect()
                self._migrate(self._connection)
                if keys is not None and seals:
                    self._seal(self._connection)
            self.nodes.join(self._connection)
        except DBAPIError as error:
            self.close()
            raise StoreError(explain(error, self.where)) from error
        except OSError as error:
            self.close()
            raise StoreError(
                f"The store at {self.where} cannot be opened: {error.strerror or error}; "
                "check that this process may write to the file and its folder."
            ) from error
        except BaseException:
            self.close()
            raise

    # -- transactions

    def begin(self, *, writes: bool) -> Connection:
        """Begin a transaction and return its connection; reconnect if the server was restarted."""
        # Taking SQLite's write lock at once waits for it; taking it later could only fail.
        statement = "BEGIN IMMEDIATE" if writes and self.dialect == "sqlite" else "BEGIN"
        connection = self._connection
        if connection is not None:
            try:
                connection.exec_driver_sql(statement)
            except DBAPIError as error:
                if not error.connection_invalidated:
                    raise
                self._drop()  # the server was restarted while we were idle: nothing is lost yet
            else:
                return connection
        connection = self._connect()
        try:
            self.nodes.join(connection)
            connection.exec_driver_sql(statement)
        except DBAPIError:
            connection.close()
            raise
        self._connection = connection
        return connection

    def commit(self) -> None:
        assert self._connection is not None
        self._connection.exec_driver_sql("COMMIT")

    def rollback(self) -> None:
        """Roll the transaction back, if there still is one, and drop a broken connection."""
        connection = self._connection
        if connection is None:
            return
        try:
            if connection.invalidated:
                self._drop()
            elif self.in_transaction():
                connection.exec_driver_sql("ROLLBACK")
        except DBAPIError:
            self._drop()

    def in_transaction(self) -> bool:
        """Whether the transaction is still open: SQLite itself ends it when the disk is full."""
        connection = self._connection
        if connection is None or connection.invalidated:
            return False
        raw = connection.connection.dbapi_connection
        if self.dialect == "sqlite":
            return bool(raw.in_transaction)  # type: ignore[union-attr]
        return bool(raw.info.transaction_status)  # type: ignore[union-attr] # 0 is idle

    def close(self) -> None:
        """Close the connection and release this node's lock."""
        if self._connection is not None:
            self._connection.close()
            self._connection = None
        if hasattr(self, "_engine"):
            self._engine.dispose()
        if hasattr(self, "nodes"):
            self.nodes.leave()

    # -- connecting

    def _make_engine(self, url: URL) -> Engine:
        if self.dialect == "sqlite":
            arguments: dict[str, object] = {
                "timeout": BUSY_SECONDS,
                "check_same_thread": False,  # opened by the caller, then used by the writer alone
            }
        else:
            arguments = {
                "connect_timeout": 10,
                "keepalives_idle": 30,
                "keepalives_interval": 10,
                "keepalives_count": 3,
                "application_name": "antiphon",
                **url.query,
            }
        try:
            # The store begins and ends its transactions itself, the same way for both.
            return create_engine(
                url.set(query={}),
                isolation_level="AUTOCOMMIT",
                poolclass=NullPool,
                connect_args=arguments,
            )
        except ModuleNotFoundError as error:
            raise StoreError(
                f"The store at {self.where} needs a library that is not installed "
                f"({error.name}): pip install 'antiphon[postgres]'."
            ) from error

    def _connect(self) -> Connection:
        connection = self._engine.connect()
        try:
            if self.dialect == "sqlite":
                mode = connection.exec_driver_sql("PRAGMA journal_mode = WAL").scalar()
                if self.path is not None and mode != "wal":
                    raise StoreError(
                        f"The store at {self.where} is on a file system without shared memory "
                        "(SQLite's WAL mode was refused); keep it on a local disk, or use "
                        "PostgreSQL."
                    )
                connection.exec_driver_sql("PRAGMA synchronous = FULL")
                connection.exec_driver_sql(f"PRAGMA wal_autocheckpoint = {CHECKPOINT_PAGES}")
                connection.exec_driver_sql("PRAGMA foreign_keys = ON")
            else:
                self._set_lock_timeout(connection, BUSY_SECONDS)
                # A node that stalls in a transaction would keep all others from the audit chain.
                connection.exec_driver_sql("SET idle_in_transaction_session_timeout = '30s'")
        except BaseException:
            connection.close()
            raise
        self._rows.attach(connection)
        return connection

    def _drop(self) -> None:
        connection, self._connection = self._connection, None
        if connection is not None:
            connection.invalidate()
            connection.close()

    # -- tables

    def _migrate(self, connection: Connection) -> None:
        """Make the tables of an empty database; migrate those of an older one to HEAD."""
        found = self._revision(connection)
        if found == HEAD:
            return
        if found is not None:
            import alembic.command  # noqa: F401 - slow: nobody else is to wait for it

        self._set_lock_timeout(connection, MIGRATION_SECONDS)
        connection.exec_driver_sql("BEGIN IMMEDIATE" if self.dialect == "sqlite" else "BEGIN")
        try:
            if self.dialect == "postgresql":
                connection.execute(
                    text("SELECT pg_advisory_xact_lock(:key)"), {"key": _MIGRATION_LOCK}
                )
            found = self._revision(connection)  # somebody may have done it while we waited
            if found is None:
                create_tables(connection, HEAD)
            elif found != HEAD:
                _upgrade(connection)
            connection.exec_driver_sql("COMMIT")
        except BaseException:
            if not connection.invalidated:
                connection.exec_driver_sql("ROLLBACK")
            raise
        self._set_lock_timeout(connection, BUSY_SECONDS)

    def _seal(self, connection: Connection) -> None:
        """Check the master key, and take over rows that were kept as they are, all or none."""
        if self._rows.check(connection) is not None and not self._rows.plain_rows(connection):
            return
        is_sqlite = self.dialect == "sqlite"
        if is_sqlite:
            # So that nothing of them stays in pages that are free afterwards.
            connection.exec_driver_sql("PRAGMA secure_delete = ON")
        connection.exec_driver_sql("BEGIN IMMEDIATE" if is_sqlite else "BEGIN")
        try:
            self._rows.make_ring(connection)
            self._rows.seal_plain_rows(connection)
            connection.exec_driver_sql("COMMIT")
        except BaseException:
            if not connection.invalidated:
                connection.exec_driver_sql("ROLLBACK")
            raise
        if is_sqlite:
            connection.exec_driver_sql("PRAGMA secure_delete = OFF")
            connection.exec_driver_sql("PRAGMA wal_checkpoint(TRUNCATE)")

    def _set_lock_timeout(self, connection: Connection, seconds: int) -> None:
        """Set the lock timeout: how long to wait for what another node holds."""
        if self.dialect == "sqlite":
            connection.exec_driver_sql(f"PRAGMA busy_timeout = {seconds * 1000}")
        else:
            connection.exec_driver_sql(f"SET lock_timeout = '{seconds}s'")

    def _revision(self, connection: Connection) -> str | None:
        """Return the revision of the tables; None for an empty database."""
        tables = inspect(connection).get_table_names()
        if "alembic_version" not in tables:
            if tables and self.dialect == "sqlite":
                raise StoreError(
                    f"The store at {self.where} is an SQLite database of another program; "
                    "name another file."
                )
            return None
        revision = connection.execute(text("SELECT version_num FROM alembic_version")).scalar()
        if revision is not None and revision not in REVISIONS:
            raise StoreError(
                f"The store at {self.where} has tables of version {revision}, which this Antiphon "
                f"does not know (it knows up to {HEAD}): they were made by a newer Antiphon or by "
                "another program. Update Antiphon, or name another store."
            )
        return revision


def sqlite_path(url: str) -> Path | None:
    """Return the file of an SQLite store; None for one in memory or on a server."""
    parsed = _parse(url)
    return _sqlite_path(parsed) if parsed.get_backend_name() == "sqlite" else None


def shown_url(url: str) -> str:
    """Return the URL of a store for messages, without the password."""
    return _shown(_parse(url))


def make_tables(url: str, revision: str) -> None:
    """Make the tables of that revision in an empty database on a server. Raises StoreError."""
    if revision not in REVISIONS:
        raise StoreError(
            f"This Antiphon does not know tables of version {revision} (it knows up to {HEAD}): "
            "they are of a newer Antiphon. Update Antiphon."
        )
    parsed = _parse(url)
    engine = create_engine(parsed, poolclass=NullPool)
    try:
        with engine.begin() as connection:
            _upgrade(connection, revision)
    except DBAPIError as error:
        raise StoreError(explain(error, _shown(parsed))) from error
    finally:
        engine.dispose()


def _upgrade(connection: Connection, revision: str = HEAD) -> None:
    from alembic import command  # slow to load and hardly ever needed
    from alembic.config import Config

    config = Config()
    config.set_main_option("script_location", "antiphon.storage:migrations")
    config.set_main_option("path_separator", "os")
    config.attributes["connection"] = connection
    command.upgrade(config, revision)


def _parse(url: str) -> URL:
    try:
        parsed = make_url(url)
        backend = parsed.get_backend_name()
    except (ArgumentError, NoSuchModuleError, ValueError):
        backend = ""
    if backend not in ("sqlite", "postgresql", "postgres"):
        # The text itself may hold a password, so only its beginning is shown.
        scheme = str(url).partition("://")[0] if "://" in str(url) else "no scheme"
        raise StoreError(
            f"This is not the URL of a store ({scheme[:40]}); write sqlite:///path/to/file.db, "
            "sqlite:// (in memory) or postgresql://user:password@host/database."
        )
    if backend == "sqlite":
        if parsed.host:
            raise StoreError(
                f"The store's URL names a host ({parsed.host}), which SQLite has none of; write "
                "three slashes for a path from here (sqlite:///antiphon.db), four for one from "
                "the root (sqlite:////var/lib/antiphon.db)."
            )
        if parsed.query:
            raise StoreError("The URL of an SQLite store takes no options; leave out '?…'.")
        return parsed.set(drivername="sqlite+pysqlite")
    return parsed.set(drivername="postgresql+psycopg")


def _shown(url: URL) -> str:
    """The URL for messages, without the password and without options that may be secret."""
    if url.get_backend_name() == "sqlite":
        return "sqlite:// (in memory)"
    place = {name: url.query[name] for name in ("host", "port") if name in url.query}
    return url.set(drivername="postgresql", query=place).render_as_string(hide_password=True)


def _sqlite_path(url: URL) -> Path | None:
    if not url.database or url.database == ":memory:":
        return None
    return Path(url.database)


def _create_private(path: Path) -> None:
    """Create the file readable for its owner alone; SQLite gives its companions the same rights."""
    if not path.parent.is_dir():
        raise StoreError(
            f"The store at {path} cannot be made: the folder {path.parent} does not exist; "
            "create it first."
        )
    if path.is_dir():
        raise StoreError(f"The store at {path} is a folder; name a file in it.")
    os.close(os.open(path, os.O_RDWR | os.O_CREAT, 0o600))
