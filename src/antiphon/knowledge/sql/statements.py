"""Statements on records and edges that SQLite and PostgreSQL share, compiled once per dialect.

SQLAlchemy makes the SQL and stays out of its execution, which is the driver's own: a search reads
four times in less than two milliseconds, and SQLAlchemy's results would cost a tenth of that.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from sqlalchemy import (
    BigInteger,
    Double,
    Integer,
    Table,
    Text,
    bindparam,
    delete,
    func,
    literal_column,
    select,
    tuple_,
    union_all,
    update,
)
from sqlalchemy.engine import Dialect
from sqlalchemy.sql.expression import ClauseElement
from sqlalchemy.types import TypeEngine

from antiphon.knowledge.records import Edge, Record

if TYPE_CHECKING:
    from antiphon.knowledge.sql.tables import KnowledgeTables

_Types = dict[str, TypeEngine[Any]]
_KEY: _Types = {"source": BigInteger(), "target": BigInteger(), "relation": Text()}
_EDGE: _Types = {**_KEY, "weight": Double(), "provenance": Text()}


class Statement:
    """A Core statement as text of one dialect, with the values of its constants."""

    __slots__ = ("constants", "encoded", "text")

    def __init__(self, statement: ClauseElement, dialect: Dialect) -> None:
        compiled = statement.compile(dialect=dialect)
        self.text = str(compiled)
        self.encoded = self.text.encode()
        self.constants = {
            name: value for name, value in compiled.params.items() if value is not None
        }


class Statements:
    """The shared statements in one dialect, and the decoding of the rows that they return.

    Lists are bound as one value, so that every statement is a constant text.
    """

    def __init__(self, tables: KnowledgeTables) -> None:
        def compiled(statement: ClauseElement) -> Statement:
            return Statement(statement, tables.dialect)

        self.tables = tables
        self.bind_list = tables.bind_list
        self._load_tags = tables.load_tags
        self._load_json = tables.load_json

        one = tables.databases
        here = tables.scope(one)
        self.state = compiled(
            select(
                *(one.c.revision, one.c.vectors, one.c.records, one.c.edges),
                *(one.c.title, one.c.description, one.c.updated),
            ).where(*here)
        )
        self.revision = compiled(select(one.c.revision).where(*here))
        self.describe = compiled(
            update(one)
            .where(*here)
            .values(
                title=func.coalesce(bindparam("new_title", type_=Text()), one.c.title),
                description=func.coalesce(
                    bindparam("new_description", type_=Text()), one.c.description
                ),
                updated=bindparam("at", type_=Text()),
            )
        )
        self.advance = compiled(
            update(one)
            .where(*here)
            .values(
                revision=one.c.revision + literal_column("1"),
                records=one.c.records + bindparam("more_records", type_=Integer()),
                edges=one.c.edges + bindparam("more_edges", type_=Integer()),
                updated=bindparam("at", type_=Text()),
            )
        )

        records = tables.records
        content = (
            *(records.c.id, records.c.type, records.c.title, records.c.text, records.c.tags),
            *(records.c.url, records.c.source_type, records.c.last_updated, records.c.metadata),
        )
        self.records_by_title = compiled(
            select(*content)
            .where(
                *tables.scope(records),
                func.lower(records.c.title).like(bindparam("pattern", type_=Text()), escape="!"),
            )
            .order_by(func.length(records.c.title), records.c.id)
            .limit(bindparam("limit", type_=Integer()))
        )
        ids = [*tables.scope(records), tables.is_one_of(records.c.id, "ids")]
        numbers = tables.is_one_of(records.c.number, "numbers")
        self.records_by_id = compiled(select(*content).where(*ids))
        self.records_by_number = compiled(
            select(*content, records.c.number, records.c.revision).where(numbers)
        )
        self.page_of_records = compiled(
            select(*content)
            .where(*tables.scope(records), records.c.id > bindparam("after", type_=Text()))
            .order_by(records.c.id)
            .limit(bindparam("limit", type_=Integer()))
        )
        self.numbers = compiled(select(records.c.id, records.c.number).where(*ids))
        self.digests = compiled(
            select(records.c.id, records.c.number, records.c.digest).where(*ids)
        )
        self.ids = compiled(select(records.c.number, records.c.id).where(numbers))
        self.delete_records = compiled(delete(records).where(numbers))
        self._edge_statements(tables, compiled)

    def _edge_statements(self, tables: KnowledgeTables, compiled: Any) -> None:
        edges = tables.edges
        here = tables.scope(edges)
        key = tuple_(edges.c.source, edges.c.target, edges.c.relation)
        whole = (
            *(edges.c.source, edges.c.target, edges.c.relation),
            *(edges.c.weight, edges.c.provenance),
        )
        from_here = tables.is_one_of(edges.c.source, "numbers")
        to_here = tables.is_one_of(edges.c.target, "numbers")
        self.delete_edges_from = compiled(delete(edges).where(*here, from_here))
        self.delete_edges_to = compiled(delete(edges).where(*here, to_here))
        # Two parts, so that each uses its index.
        self.edges_at = compiled(
            union_all(
                select(*whole).where(*here, from_here),
                select(*whole).where(*here, to_here, ~from_here),
            ).order_by(literal_column("1"), literal_column("2"), literal_column("3"))
        )
        after = (
            bindparam("after_source", type_=BigInteger()),
            bindparam("after_target", type_=BigInteger()),
            bindparam("after_relation", type_=Text()),
        )
        self.page_of_edges = compiled(
            select(*whole)
            .where(*here, key > tuple_(*after))
            .order_by(edges.c.source, edges.c.target, edges.c.relation)
            .limit(bindparam("limit", type_=Integer()))
        )
        keys = tables.rows("keys", _KEY)
        self.edges_by_key = compiled(select(*whole).where(*here, key.in_(select(*keys.c))))
        self.delete_edges = compiled(delete(edges).where(*here, key.in_(select(*keys.c))))
        self.put_edges = compiled(_put(tables, edges))

    def record(self, values: Sequence[Any]) -> Record:
        """A record from its columns, id to metadata."""
        return Record(
            values[0],
            values[1],
            values[2],
            values[3],
            self._load_tags(values[4]),
            values[5],
            values[6],
            values[7],
            self._load_json(values[8]),
        )

    def edge(self, names: dict[int, str], values: Sequence[Any]) -> Edge:
        """An edge from its columns and the ids of the records at its ends."""
        source, target, relation, weight, provenance = values
        return Edge(names[source], names[target], relation, weight, self._load_json(provenance))


def _put(tables: KnowledgeTables, edges: Table) -> ClauseElement:
    given = tables.rows("rows", {**_EDGE, "provenance": edges.c.provenance.type})
    scope = [bindparam("database", type_=edges.c.database.type)] if tables.scope(edges) else []
    names = [*(["database"] if scope else []), *_EDGE]
    # The condition lets SQLite tell ON CONFLICT from the ON of a join.
    source = select(*scope, *given.c).where(literal_column("1") == literal_column("1"))
    insert = tables.insert(edges).from_select(names, source)
    statement: ClauseElement = insert.on_conflict_do_update(
        index_elements=list(edges.primary_key.columns),
        set_={"weight": insert.excluded.weight, "provenance": insert.excluded.provenance},
    )
    return statement
