"""Tables of a knowledge database in SQLite: one file for each database."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from typing import Any

import orjson
from sqlalchemy import (
    REAL,
    CheckConstraint,
    Column,
    ColumnElement,
    Index,
    Integer,
    LargeBinary,
    MetaData,
    Subquery,
    Table,
    Text,
    bindparam,
    func,
    literal_column,
    select,
)
from sqlalchemy.dialects import sqlite

from antiphon.knowledge.sql.statements import Statement, Statements
from antiphon.knowledge.sql.tables import KnowledgeTables, Types

FORMAT = 1


class SqliteTables(KnowledgeTables):
    """The tables of one file.

    A record keeps its row as long as it lives and every derived index counts in rows, so rows of
    deleted records are given out again: the indexes stay dense and never need to be packed.
    `revision` goes up with each write of records and edges, `vectors` with each of embeddings.
    """

    def __init__(self) -> None:
        self.dialect = sqlite.dialect(paramstyle="named")
        self.metadata = MetaData()
        self.databases = Table(
            "state",
            self.metadata,
            Column("one", Integer, CheckConstraint("one = 1"), primary_key=True),
            Column("format", Integer, nullable=False),
            Column("title", Text, nullable=False),
            Column("description", Text, nullable=False),
            Column("revision", Integer, nullable=False),
            Column("vectors", Integer, nullable=False),
            Column("records", Integer, nullable=False),
            Column("edges", Integer, nullable=False),
            Column("updated", Text, nullable=False),
        )
        self.records = Table(
            "records",
            self.metadata,
            Column("row", Integer, primary_key=True, key="number"),
            Column("id", Text, nullable=False, unique=True),
            Column("type", Text, nullable=False),
            Column("title", Text, nullable=False),
            Column("text", Text, nullable=False),
            Column("tags", Text, nullable=False),
            Column("url", Text, nullable=False),
            Column("source_type", Text, nullable=False),
            Column("last_updated", Text, nullable=False),
            Column("stamp", REAL),
            Column("metadata", Text, nullable=False),
            Column("digest", LargeBinary, nullable=False),
            Column("hash", LargeBinary, nullable=False),
            Column("revision", Integer, nullable=False),
            Index("records_by_revision", "revision"),
            Index("records_by_hash", "hash"),
        )
        self.freed = Table(
            "freed",
            self.metadata,
            Column("row", Integer, primary_key=True, key="number"),
            Column("revision", Integer, nullable=False),
            Index("freed_by_revision", "revision"),
        )
        self.edges = Table(
            "edges",
            self.metadata,
            Column("source", Integer, primary_key=True, autoincrement=False),
            Column("target", Integer, primary_key=True),
            Column("relation", Text, primary_key=True),
            Column("weight", REAL, nullable=False),
            Column("provenance", Text, nullable=False),
            Index("edges_by_target", "target"),
            sqlite_with_rowid=False,
        )
        self.models = Table(
            "models",
            self.metadata,
            Column("model", Integer, primary_key=True),
            Column("name", Text, nullable=False, unique=True),
        )
        self.embeddings = Table(
            "embeddings",
            self.metadata,
            Column("hash", LargeBinary, nullable=False),
            Column("model", Integer, nullable=False),
            Column("vector", LargeBinary, nullable=False),
            Column("revision", Integer, nullable=False),
            Index("embeddings_by_hash", "hash", "model", unique=True),
            Index("embeddings_by_revision", "revision"),
        )

    def is_one_of(self, column: ColumnElement[Any], name: str) -> ColumnElement[bool]:
        given = func.json_each(bindparam(name, type_=Text())).table_valued("value")
        return column.in_(select(given.c.value))

    def rows(self, name: str, types: Types) -> Subquery:
        given = func.json_each(bindparam(name, type_=Text())).table_valued("value")
        return select(
            *(
                func.json_extract(given.c.value, literal_column(f"'$[{at}]'")).label(column)
                for at, column in enumerate(types)
            )
        ).subquery()

    def insert(self, table: Table) -> Any:
        return sqlite.insert(table)

    def bind_list(self, values: Sequence[Any]) -> Any:
        return orjson.dumps(values).decode()

    def load_tags(self, value: Any) -> tuple[str, ...]:
        return tuple(orjson.loads(value)) if value != "[]" else ()

    def load_json(self, value: Any) -> dict[str, Any]:
        return orjson.loads(value) if value != "{}" else {}

    def compiled(self, statement: Any) -> Statement:
        """A statement of this engine alone, as text."""
        return Statement(statement, self.dialect)


@cache
def statements() -> Statements:
    """The shared statements for SQLite."""
    return Statements(tables())


@cache
def tables() -> SqliteTables:
    return SqliteTables()
