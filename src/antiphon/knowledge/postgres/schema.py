"""Set-up of a server: pgvector, the schema and its tables, made when they are first needed."""

from __future__ import annotations

from typing import NamedTuple

from psycopg import errors, sql

from antiphon.contracts import ErrorType
from antiphon.knowledge.errors import KnowledgeError
from antiphon.knowledge.postgres.connections import Connection, PostgresConnections
from antiphon.knowledge.postgres.tables import FORMAT, PostgresTables

# Any number will do, as long as every opener of the same server takes the same.
_LOCK = 0x6B6E6F77
_HALF = (0, 7)  # the version of pgvector that brought vectors of half the size
_OLDEST = (0, 5)  # that brought the index used here


class Abilities(NamedTuple):
    """Features of the server's pgvector."""

    vectors: str  # the type that vectors are kept in
    iterative: bool  # whether its index goes on when a filter leaves too few

    @property
    def most_dims(self) -> int:
        """Maximum dimensions of an indexed vector."""
        return 4_000 if self.vectors == "halfvec" else 2_000


def prepare(connections: PostgresConnections) -> Abilities:
    """Create what is missing on the server. Raises KnowledgeError that says what it lacks."""

    def look(connection: Connection) -> tuple[str | None, tuple[int, str] | None]:
        return _pgvector(connection), _format(connection, connections.schema)

    version, found = connections.read(look)
    if version is None or found is None:
        version, found = connections.write(
            lambda connection: _make(connection, connections.where, connections.schema)
        )
        # The next connections know where the types of the extension are.
        connections.renew()
    number, vectors = found
    if number != FORMAT:
        raise KnowledgeError(
            f"The knowledge at {connections.where} has format {number}, this Antiphon knows "
            f"{FORMAT}: update Antiphon, or export with the version that made it and import here.",
            ErrorType.PERMANENT,
        )
    return Abilities(vectors, _numbers(version) >= (0, 8))


def _make(connection: Connection, where: str, schema: str) -> tuple[str, tuple[int, str]]:
    connection.execute("SELECT pg_advisory_xact_lock(%s)", (_LOCK,))
    version = _pgvector(connection) or _install(connection, where)
    if _numbers(version) < _OLDEST:
        raise KnowledgeError(
            f"The server at {where} has pgvector {version}; at least 0.5 is needed. Install a "
            "newer package there and run: ALTER EXTENSION vector UPDATE;",
            ErrorType.PERMANENT,
        )
    found = _format(connection, schema)
    if found is None:  # nobody did it while we waited
        vectors = "halfvec" if _numbers(version) >= _HALF else "vector"
        home = connection.execute(
            "SELECT n.nspname FROM pg_extension e JOIN pg_namespace n ON n.oid = e.extnamespace "
            "WHERE e.extname = 'vector'"
        ).fetchone()
        assert home is not None
        try:
            connection.execute(
                sql.SQL("CREATE SCHEMA IF NOT EXISTS {}").format(sql.Identifier(schema))
            )
            connection.execute(
                sql.SQL("SET LOCAL search_path = {}, {}").format(
                    sql.Identifier(schema), sql.Identifier(home[0])
                )
            )
            for definition in PostgresTables(vectors).definitions():
                connection.execute(definition.encode())
        except errors.InsufficientPrivilege as error:
            raise KnowledgeError(
                f"The user of {where} may not make the schema {schema}. Have the owner of the "
                f"database run: GRANT CREATE ON DATABASE … TO …; or CREATE SCHEMA {schema} "
                "AUTHORIZATION …;",
                ErrorType.AUTH,
            ) from error
        connection.execute("INSERT INTO format VALUES (%s, %s)", (FORMAT, vectors))
        found = FORMAT, vectors
    return version, found


def _install(connection: Connection, where: str) -> str:
    row = connection.execute(
        "SELECT (SELECT default_version FROM pg_available_extensions WHERE name = 'vector'), "
        "current_setting('server_version_num')::integer / 10000"
    ).fetchone()
    assert row is not None
    if row[0] is None:
        raise KnowledgeError(
            f"The server at {where} has no pgvector, which knowledge needs. Install its package "
            f"on the server's machine (on Debian: apt install postgresql-{row[1]}-pgvector), then "
            "run in this database: CREATE EXTENSION vector;",
            ErrorType.PERMANENT,
        )
    try:
        connection.execute("CREATE EXTENSION vector WITH SCHEMA public")
    except errors.InsufficientPrivilege as error:
        raise KnowledgeError(
            f"The user of {where} may not turn on pgvector. Have a superuser run once in this "
            "database: CREATE EXTENSION vector;",
            ErrorType.AUTH,
        ) from error
    return str(row[0])


def _pgvector(connection: Connection) -> str | None:
    row = connection.execute(
        "SELECT extversion FROM pg_extension WHERE extname = 'vector'"
    ).fetchone()
    return None if row is None else str(row[0])


def _format(connection: Connection, schema: str) -> tuple[int, str] | None:
    there = connection.execute("SELECT to_regclass(%s)", (f"{schema}.format",)).fetchone()
    if there is None or there[0] is None:
        return None
    row = connection.execute(
        sql.SQL("SELECT version, vectors FROM {}.format").format(sql.Identifier(schema))
    ).fetchone()
    return None if row is None else (int(row[0]), str(row[1]))


def _numbers(version: str) -> tuple[int, ...]:
    return tuple(int(part) for part in version.split(".")[:2] if part.isdigit())
