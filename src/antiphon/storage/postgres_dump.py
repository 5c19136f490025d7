"""Dump of PostgreSQL tables: their rows as COPY text, out of one snapshot and into empty tables."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from antiphon.storage.errors import StoreError, explain

if TYPE_CHECKING:
    import psycopg


@dataclass(frozen=True, slots=True)
class TableDump:
    """The rows of one table: how many, and in which columns they stand in the text."""

    schema: str
    table: str
    columns: tuple[str, ...]
    rows: int


@contextmanager
def connected(url: str, where: str, *, snapshot: bool) -> Iterator[psycopg.Connection[Any]]:
    """Open one transaction on the server, committed at the end; with `snapshot` it only reads, and
    sees one moment. Raises StoreError."""
    try:
        import psycopg
    except ModuleNotFoundError as missing:
        raise StoreError(
            f"The store at {where} needs a library that is not installed ({missing.name}): "
            "pip install 'antiphon[postgres]'."
        ) from None
    try:
        with psycopg.connect(url, connect_timeout=10, application_name="antiphon") as connection:
            if snapshot:
                connection.execute("SET TRANSACTION ISOLATION LEVEL REPEATABLE READ, READ ONLY")
            yield connection
    except psycopg.Error as error:
        raise StoreError(explain(error, where)) from error


def schemas_like(connection: psycopg.Connection[Any], prefix: str) -> list[str]:
    """Return the schemas whose name begins with that, in order."""
    rows = connection.execute(
        "SELECT nspname FROM pg_namespace WHERE starts_with(nspname, %s) ORDER BY 1", (prefix,)
    )
    return [name for (name,) in rows]


def current_schema(connection: psycopg.Connection[Any]) -> str:
    """Return the schema in which tables without one are looked for first."""
    row = connection.execute("SELECT current_schema()").fetchone()
    if row is None or row[0] is None:
        raise StoreError("This user of the database has no schema to keep tables in; make one.")
    return str(row[0])


def tables_of(connection: psycopg.Connection[Any], schema: str) -> list[str]:
    """Return the names of the tables in a schema, in order."""
    rows = connection.execute(
        "SELECT tablename FROM pg_tables WHERE schemaname = %s ORDER BY 1", (schema,)
    )
    return [name for (name,) in rows]


def dump_table(
    connection: psycopg.Connection[Any],
    schema: str,
    table: str,
    write: Callable[[bytes], object],
) -> TableDump:
    """Write all rows of a table as COPY text."""
    from psycopg import sql

    columns = [name for name, _ in _columns(connection, schema, table)]
    statement = sql.SQL("COPY {} ({}) TO STDOUT").format(
        sql.Identifier(schema, table), sql.SQL(", ").join(map(sql.Identifier, columns))
    )
    cursor = connection.cursor()
    with cursor.copy(statement) as copy:
        for part in copy:
            write(bytes(part))
    return TableDump(schema, table, tuple(columns), max(0, cursor.rowcount))


def load_table(
    connection: psycopg.Connection[Any],
    schema: str,
    table: str,
    columns: Sequence[str],
    parts: Iterable[bytes],
) -> int:
    """Replace the rows of a table by those of a dump and return how many there are; numbers that
    the server gives go on behind them."""
    from psycopg import sql

    name = sql.Identifier(schema, table)
    there = dict(_columns(connection, schema, table))
    if unknown := [column for column in columns if column not in there]:
        raise StoreError(
            f"The backup has columns that the table {schema}.{table} does not: "
            f"{', '.join(unknown)}. It was made by another version of Antiphon."
        )
    connection.execute(sql.SQL("DELETE FROM {}").format(name))
    cursor = connection.cursor()
    statement = sql.SQL("COPY {} ({}) FROM STDIN").format(
        name, sql.SQL(", ").join(map(sql.Identifier, columns))
    )
    with cursor.copy(statement) as copy:
        for part in parts:
            copy.write(part)
    count = max(0, cursor.rowcount)
    for column, sequence in there.items():
        if sequence is not None:
            connection.execute(
                sql.SQL("SELECT setval(%s, coalesce(max({0}), 1), max({0}) IS NOT NULL) FROM {1}")
                .format(sql.Identifier(column), name),
                (sequence,),
            )  # fmt: skip
    return count


def _columns(
    connection: psycopg.Connection[Any], schema: str, table: str
) -> list[tuple[str, str | None]]:
    """The columns of a table that have values of their own, each with its sequence, if any."""
    rows = connection.execute(
        "SELECT attname, pg_get_serial_sequence(format('%%I.%%I', nspname, relname), attname)"
        " FROM pg_attribute JOIN pg_class c ON c.oid = attrelid"
        " JOIN pg_namespace n ON n.oid = relnamespace"
        " WHERE nspname = %s AND relname = %s AND attnum > 0 AND NOT attisdropped"
        " AND attgenerated = '' ORDER BY attnum",
        (schema, table),
    )
    return [(str(name), sequence) for name, sequence in rows]
