"""Tables of records and edges, described once for both database systems, and how they differ.

SQLite keeps each database in a file of its own, PostgreSQL all of them in the same tables. So the
tables of PostgreSQL have a column `database` besides, and every statement is scoped to it.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Sequence
from typing import Any

from sqlalchemy import Column, ColumnElement, MetaData, Subquery, Table, bindparam
from sqlalchemy.engine import Dialect
from sqlalchemy.schema import CreateIndex, CreateTable
from sqlalchemy.types import TypeEngine

Types = dict[str, TypeEngine[Any]]


class KnowledgeTables(ABC):
    """The tables of one database system under names that are the same in both.

    `databases` has a row for each database with its title and counts, `records` and `edges` hold
    the content. A record is `number` in all of them.
    """

    dialect: Dialect
    metadata: MetaData
    databases: Table
    records: Table
    edges: Table

    def scope(self, table: Table) -> list[ColumnElement[bool]]:
        """Conditions that keep a statement on this table to the session's database."""
        column: Column[Any] | None = table.info.get("scope")
        return [] if column is None else [column == bindparam("database", type_=column.type)]

    def definitions(self) -> list[str]:
        """CREATE statements of the tables and their indexes."""
        made: list[str] = []
        for table in self.metadata.sorted_tables:
            made.append(str(CreateTable(table).compile(dialect=self.dialect)))
            indexes = sorted(table.indexes, key=lambda index: str(index.name))
            made += (str(CreateIndex(index).compile(dialect=self.dialect)) for index in indexes)
        return made

    @abstractmethod
    def is_one_of(self, column: ColumnElement[Any], name: str) -> ColumnElement[bool]:
        """Condition that a column has one of the values bound to `name` by `bind_list`."""

    @abstractmethod
    def rows(self, name: str, types: Types) -> Subquery:
        """Table of the rows bound to `name` as a JSON text of lists, with these columns."""

    @abstractmethod
    def insert(self, table: Table) -> Any:
        """Insert of the dialect, which knows ON CONFLICT."""

    @abstractmethod
    def bind_list(self, values: Sequence[Any]) -> Any:
        """A list as the driver binds it for `is_one_of`."""

    @abstractmethod
    def load_tags(self, value: Any) -> tuple[str, ...]:
        """Tags from their column."""

    @abstractmethod
    def load_json(self, value: Any) -> dict[str, Any]:
        """An object from a column of JSON."""
