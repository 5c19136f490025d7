"""Sessions on one database of the server: transactions that know its number."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeVar

import psycopg
from psycopg import sql

from antiphon.contracts import ErrorType
from antiphon.knowledge.errors import KnowledgeError
from antiphon.knowledge.postgres.connections import Connection, PostgresConnections
from antiphon.knowledge.postgres.tables import statements
from antiphon.knowledge.sql.statements import Statement, Statements

T = TypeVar("T")


class PostgresSession:
    """A transaction on one connection, scoped to one database."""

    __slots__ = ("connection", "database")

    def __init__(self, connection: Connection, database: int) -> None:
        self.connection = connection
        self.database = database

    def execute(self, statement: Statement, **values: Any) -> psycopg.Cursor[tuple[Any, ...]]:
        """Run a statement with the values of its parameters, on the session's database."""
        given = {**statement.constants, **values, "database": self.database}
        return self.connection.execute(statement.encoded, given)


class PostgresTransactions:
    """Transactions on one database of the server."""

    def __init__(self, connections: PostgresConnections, id: str) -> None:
        self.connections = connections
        self.id = id

    @property
    def sql(self) -> Statements:
        """The shared statements for PostgreSQL."""
        return statements()

    def read(self, work: Callable[[PostgresSession], T], *, snapshot: bool = True) -> T:
        """Return what `work` returns; all that it reads is of one moment, in any case.

        Raises KnowledgeError (NOT_FOUND) when the database has been deleted.
        """
        del snapshot
        return self.connections.read(
            lambda connection: work(PostgresSession(connection, number_of(connection, self.id)))
        )

    def write(self, work: Callable[[PostgresSession], T]) -> T:
        """Return what `work` returns once it is kept. Nobody else writes to the database meanwhile.

        `work` may be called twice. Raises KnowledgeError (NOT_FOUND) when the database has been
        deleted.
        """

        def writing(connection: Connection) -> T:
            return work(PostgresSession(connection, number_of(connection, self.id, lock=True)))

        return self.connections.write(writing)


def number_of(connection: Connection, id: str, *, lock: bool = False) -> int:
    """The number of a database; with `lock` nobody else writes to it until the end."""
    row = connection.execute(
        sql.SQL("SELECT number FROM databases WHERE id = %s {}").format(
            sql.SQL("FOR UPDATE" if lock else "")
        ),
        (id,),
    ).fetchone()
    if row is None:
        raise KnowledgeError(
            f"The database {id!r} has been closed or deleted.", ErrorType.NOT_FOUND
        )
    return int(row[0])
