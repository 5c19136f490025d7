"""Tables of all knowledge databases on one PostgreSQL server."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from typing import Any

from sqlalchemy import (
    ARRAY,
    BigInteger,
    Boolean,
    Column,
    ColumnElement,
    DateTime,
    Double,
    Identity,
    Index,
    Integer,
    LargeBinary,
    MetaData,
    Subquery,
    Table,
    Text,
    UniqueConstraint,
    any_,
    bindparam,
    cast,
    column,
    func,
    literal_column,
    select,
)
from sqlalchemy.dialects import postgresql
from sqlalchemy.dialects.postgresql import JSONB, TSVECTOR
from sqlalchemy.dialects.postgresql.psycopg import PGDialect_psycopg
from sqlalchemy.types import UserDefinedType

from antiphon.knowledge.sql.statements import Statements
from antiphon.knowledge.sql.tables import KnowledgeTables, Types

FORMAT = 1
_NAME = Text(collation="C")  # ordered and compared by code points, as SQLite does


class _Vector(UserDefinedType[Any]):
    """A vector type of pgvector: `vector`, or `halfvec` where the server has it."""

    cache_ok = True

    def __init__(self, name: str) -> None:
        self.name = name

    def get_col_spec(self, **_: Any) -> str:
        return self.name


class PostgresTables(KnowledgeTables):
    """The tables of one server, shared by its databases.

    Every write takes the row of its database first, so the counts in it and in `terms` are exact
    and no two writers wait for each other in a circle. The words of a record are those of the
    SQLite engine, taken apart here and not by the server: both rank alike, in every language, and
    no dictionary has to be installed. Each word begins with the number of its database, so that
    one index serves thousands of databases without mixing them; its positions only say how often
    it is in the title (A) and in the text (D).
    """

    def __init__(self, vectors: str = "vector") -> None:
        self.dialect = PGDialect_psycopg()  # type: ignore[no-untyped-call]
        self.metadata = MetaData()
        self.format = Table(
            "format",
            self.metadata,
            Column("version", Integer, nullable=False),
            Column("vectors", Text, nullable=False),
        )
        number = Column("number", Integer, Identity(), primary_key=True)
        self.databases = Table(
            "databases",
            self.metadata,
            number,
            Column("id", _NAME, nullable=False, unique=True),
            Column("title", Text, nullable=False),
            Column("description", Text, nullable=False),
            *(
                Column(name, BigInteger, nullable=False, server_default=literal_column("0"))
                for name in ("revision", "vectors", "records", "edges", "title_words", "body_words")
            ),
            Column("updated", Text, nullable=False),
        )
        self.databases.info["scope"] = self.databases.c.number
        self.records = Table(
            "records",
            self.metadata,
            Column("number", BigInteger, Identity(), primary_key=True),
            Column("database", Integer, nullable=False),
            Column("id", _NAME, nullable=False),
            Column("type", Text, nullable=False),
            Column("title", Text, nullable=False),
            Column("text", Text, nullable=False),
            Column("tags", ARRAY(Text), nullable=False),
            Column("url", Text, nullable=False),
            Column("source_type", Text, nullable=False),
            Column("last_updated", Text, nullable=False),
            Column("stamp", Double),
            Column("metadata", JSONB, nullable=False),
            Column("digest", LargeBinary, nullable=False),
            Column("hash", LargeBinary, nullable=False),
            Column("words", TSVECTOR, nullable=False),
            Column("title_words", Integer, nullable=False),
            Column("body_words", Integer, nullable=False),
            Column("revision", BigInteger, nullable=False),
            UniqueConstraint("database", "id"),
            # New entries go into the index at once: a list of pending ones is read by each search.
            *(
                Index(name, column, postgresql_using="gin", postgresql_with={"fastupdate": "off"})
                for name, column in (("records_by_words", "words"), ("records_by_tags", "tags"))
            ),
            Index("records_by_type", "database", "type"),
        )
        records = self.records.c
        Index(
            "records_by_stamp", records.database, records.stamp.desc().nulls_last(), records.number
        )
        self.records.info["scope"] = records.database
        self.terms = Table(
            "terms",
            self.metadata,
            Column("database", Integer, primary_key=True, autoincrement=False),
            Column("word", _NAME, primary_key=True),
            Column("title", Integer, nullable=False),
            Column("body", Integer, nullable=False),
        )
        self.edges = Table(
            "edges",
            self.metadata,
            Column("database", Integer, primary_key=True, autoincrement=False),
            Column("source", BigInteger, primary_key=True),
            Column("target", BigInteger, primary_key=True),
            Column("relation", _NAME, primary_key=True),
            Column("weight", Double, nullable=False),
            Column("provenance", JSONB, nullable=False),
            Index("edges_by_target", "database", "target"),
        )
        self.edges.info["scope"] = self.edges.c.database
        self.models = Table(
            "models",
            self.metadata,
            Column("number", Integer, Identity(), primary_key=True),
            Column("database", Integer, nullable=False),
            Column("name", Text, nullable=False),
            Column("dims", Integer, nullable=False),
            Column("embedded", Boolean, nullable=False, server_default=literal_column("false")),
            Column("used", DateTime(timezone=True), nullable=False, server_default=func.now()),
            UniqueConstraint("database", "name", "dims"),
        )
        self.embeddings = Table(
            "embeddings",
            self.metadata,
            Column("model", Integer, primary_key=True, autoincrement=False),
            Column("record", BigInteger, primary_key=True),
            Column("hash", LargeBinary, nullable=False),
            Column("embedding", _Vector(vectors)),
            Column("claimed", DateTime(timezone=True)),
            Column("hopeless", Boolean, nullable=False, server_default=literal_column("false")),
            Index("embeddings_by_record", "record"),
            Index("embeddings_by_hash", "model", "hash"),
            Index(
                "embeddings_pending",
                "model",
                "record",
                postgresql_where=literal_column("embedding IS NULL AND NOT hopeless"),
            ),
        )

    def is_one_of(self, column: ColumnElement[Any], name: str) -> ColumnElement[bool]:
        kind = BigInteger if isinstance(column.type, Integer) else Text
        return column == any_(bindparam(name, type_=ARRAY(kind)))

    def rows(self, name: str, types: Types) -> Subquery:
        given = func.jsonb_array_elements(cast(bindparam(name, type_=Text()), JSONB)).table_valued(
            column("value", JSONB)
        )
        return select(
            *(
                cast(given.c.value.op("->>")(literal_column(str(at))), kind).label(title)
                for at, (title, kind) in enumerate(types.items())
            )
        ).subquery()

    def insert(self, table: Table) -> Any:
        return postgresql.insert(table)

    def bind_list(self, values: Sequence[Any]) -> Any:
        return list(values)

    def load_tags(self, value: Any) -> tuple[str, ...]:
        return tuple(value)

    def load_json(self, value: Any) -> dict[str, Any]:
        return dict(value)


@cache
def statements() -> Statements:
    """The shared statements for PostgreSQL."""
    return Statements(PostgresTables())
