"""Connections to one PostgreSQL server, and what its errors mean for the caller."""

from __future__ import annotations

import re
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from hashlib import sha256
from typing import Any, TypeAlias, TypeVar

import orjson

from antiphon.contracts import ErrorType
from antiphon.knowledge.errors import KnowledgeError
from antiphon.storage.errors import explain

try:
    import psycopg
    from psycopg import errors
    from psycopg.conninfo import conninfo_to_dict, make_conninfo
    from psycopg.types.json import set_json_loads
except ModuleNotFoundError as missing:
    raise KnowledgeError(
        f"Knowledge in PostgreSQL needs a library that is not installed ({missing.name}): "
        "pip install 'antiphon[postgres]'.",
        ErrorType.PERMANENT,
    ) from missing

T = TypeVar("T")
Connection: TypeAlias = psycopg.Connection[tuple[Any, ...]]

SCHEMA = "antiphon_knowledge"
# One process uses at most this many at once; a server has a hundred for everybody. Organisations
# beside the first have fewer: there may be many.
MAX_CONNECTIONS = 8
MAX_OF_OTHERS = 2
IDLE_CONNECTIONS = 4
WAIT_SECONDS = 30
_DEFAULTS = {
    "connect_timeout": "10",
    "keepalives_idle": "30",
    "keepalives_interval": "10",
    "keepalives_count": "3",
    "application_name": "antiphon",
}
_PLAIN = re.compile(r"[a-z0-9-]{1,40}")
_REFUSED = ("password authentication failed", "no password supplied", "no pg_hba.conf entry")


class _LostError(psycopg.OperationalError):
    """The connection was lost before anything was committed."""


class PostgresConnections:
    """Connection pool of one server. Safe to use from several threads."""

    def __init__(self, url: str, organisation: str = "") -> None:
        """Parse the URL; connects on first use. Raises KnowledgeError for what is no URL."""
        given = _parsed(url)
        self.schema = schema_of(organisation)
        self._most = MAX_OF_OTHERS if organisation else MAX_CONNECTIONS
        self.where = _shown(given)
        self._conninfo = make_conninfo(**{**_DEFAULTS, **given})
        self._idle: list[Connection] = []
        self._lock = threading.Lock()
        self._room = threading.BoundedSemaphore(self._most)
        self._closed = False

    def read(self, work: Callable[[Connection], T]) -> T:
        """Run `work` in a read-only transaction on one snapshot and return its result."""

        def reading(connection: Connection) -> T:
            connection.execute("SET TRANSACTION ISOLATION LEVEL REPEATABLE READ, READ ONLY")
            return work(connection)

        return self._run(reading)

    def write(self, work: Callable[[Connection], T]) -> T:
        """Run `work` in a transaction; returns its result once committed. It may run twice."""
        return self._run(work)

    @contextmanager
    def plain(self) -> Iterator[Connection]:
        """A connection in autocommit mode, closed afterwards: for creating indexes."""
        with explained(self.where):
            connection = self._connect()
            try:
                connection.autocommit = True
                yield connection
            finally:
                connection.close()

    def renew(self) -> None:
        """Close idle connections; the next calls open new ones."""
        with self._lock:
            idle, self._idle = self._idle, []
        for connection in idle:
            connection.close()

    def close(self) -> None:
        self._closed = True
        self.renew()

    # -- inside

    def _run(self, work: Callable[[Connection], T]) -> T:
        if self._closed:
            raise KnowledgeError("The knowledge base has been closed.", ErrorType.PERMANENT)
        if not self._room.acquire(timeout=WAIT_SECONDS):
            raise KnowledgeError(
                f"All {self._most} connections to {self.where} have been busy for "
                f"{WAIT_SECONDS} seconds; try again later.",
                ErrorType.TRANSIENT,
            )
        try:
            with explained(self.where):
                try:
                    return self._attempt(self._take(), work)
                except _LostError:
                    # The server was restarted or the line was cut: nothing has been kept, so it
                    # may all be done again, once.
                    self.renew()
                    return self._attempt(self._connect(), work)
        finally:
            self._room.release()

    def _attempt(self, connection: Connection, work: Callable[[Connection], T]) -> T:
        kept = False
        try:
            result = work(connection)
            self._commit(connection)
            kept = True
        except psycopg.OperationalError as error:
            if connection.broken:
                raise _LostError(str(error)) from error
            raise
        finally:
            if not kept:
                connection.close()  # which undoes what was written
        self._give_back(connection)
        return result

    def _commit(self, connection: Connection) -> None:
        try:
            connection.commit()
        except psycopg.OperationalError as error:
            if not connection.broken:
                raise
            raise KnowledgeError(
                f"The connection to {self.where} was lost while a change was being kept; whether "
                "it was is not known. Do it again: that changes nothing if it was.",
                ErrorType.TRANSIENT,
            ) from error

    def _take(self) -> Connection:
        with self._lock:
            while self._idle:
                connection = self._idle.pop()
                if not connection.closed:
                    return connection
        return self._connect()

    def _give_back(self, connection: Connection) -> None:
        with self._lock:
            if not self._closed and len(self._idle) < IDLE_CONNECTIONS:
                self._idle.append(connection)
                return
        connection.close()

    def _connect(self) -> Connection:
        connection = psycopg.connect(self._conninfo)
        try:
            set_json_loads(orjson.loads, connection)
            # Where the extension's types are is the server's choice. Compiling a statement takes
            # longer than any of these.
            connection.execute(
                "SELECT set_config('search_path', concat_ws(', ', %s::text, "
                "(SELECT quote_ident(n.nspname) FROM pg_extension e "
                "JOIN pg_namespace n ON n.oid = e.extnamespace WHERE e.extname = 'vector')), "
                "false), set_config('lock_timeout', %s, false), set_config('jit', 'off', false), "
                "set_config('client_min_messages', 'warning', false)",
                (self.schema, f"{WAIT_SECONDS}s"),
            )
            connection.commit()
        except BaseException:
            connection.close()
            raise
        return connection


def schema_of(organisation: str) -> str:
    """The schema with the tables of an organisation; a name that needs no quotation marks."""
    if not organisation:
        return SCHEMA
    if _PLAIN.fullmatch(organisation):
        return f"{SCHEMA}_o_{organisation.replace('-', '_')}"
    return f"{SCHEMA}_h_{sha256(organisation.encode('utf-8', 'surrogatepass')).hexdigest()[:32]}"


@contextmanager
def explained(where: str) -> Iterator[None]:
    """Translate errors of the server and the driver to KnowledgeError."""
    try:
        yield
    except psycopg.Error as error:
        raise KnowledgeError(explain(error, where), _type(error)) from error
    except UnicodeError as error:
        raise KnowledgeError(
            "Half of a surrogate pair is not text and cannot be kept; remove it or correct the "
            "encoding."
        ) from error


def _type(error: psycopg.Error) -> ErrorType:
    if isinstance(error, errors.InsufficientPrivilege | errors.InvalidAuthorizationSpecification):
        return ErrorType.AUTH
    if isinstance(error, psycopg.OperationalError):
        words = str(error).lower()
        if any(part in words for part in _REFUSED):
            return ErrorType.AUTH
        # A name that the server does not know stays unknown; anything else may pass.
        return ErrorType.PERMANENT if "does not exist" in words else ErrorType.TRANSIENT
    # What no column can hold, such as a NUL character.
    return ErrorType.VALIDATION if isinstance(error, psycopg.DataError) else ErrorType.PERMANENT


def _parsed(url: str) -> dict[str, Any]:
    scheme, separator, rest = url.partition("://")
    if not separator or scheme.partition("+")[0] not in ("postgresql", "postgres"):
        raise KnowledgeError(
            f"This is not the URL of a PostgreSQL server ({scheme[:40]}); write "
            "postgresql://user:password@host/database."
        )
    try:
        return dict(conninfo_to_dict(f"postgresql://{rest}"))
    except psycopg.Error as error:
        # Its words may repeat the URL, and so a password.
        raise KnowledgeError(
            "The URL of the PostgreSQL server cannot be read; write "
            "postgresql://user:password@host/database, with %40 for an @ in the password."
        ) from error


def _shown(given: dict[str, Any]) -> str:
    """The URL for messages: user and host, without password and options."""
    user = f"{given['user']}@" if given.get("user") else ""
    port = f":{given['port']}" if given.get("port") else ""
    return f"postgresql://{user}{given.get('host', '')}{port}/{given.get('dbname', '')}"
