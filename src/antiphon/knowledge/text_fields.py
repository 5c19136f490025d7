"""Tantivy fields of the text index: its schema, the document of a record, and its queries."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

from antiphon.knowledge.bm25 import TITLE_BOOST, TextDoc, Weights
from antiphon.knowledge.records import Filters

if TYPE_CHECKING:
    from tantivy import Document, Query, Schema

TOKENIZER = "words"
_DAY = 86_400.0
_FIRST_DAY = 1_000_000  # days are counted from far enough back that none is below zero


def schema() -> Schema:
    """The fields of a document. One document has `state` alone, which says what the index holds."""
    from tantivy import SchemaBuilder

    builder = SchemaBuilder()
    builder.add_unsigned_field("row", indexed=True, fast=True)
    for name in ("title", "whole"):
        builder.add_text_field(name, tokenizer_name=TOKENIZER, index_option="freq")
    for name in ("type", "tag", "source", "mark"):
        builder.add_text_field(name, tokenizer_name="raw", index_option="basic")
    builder.add_unsigned_field("day", indexed=True)
    builder.add_text_field("state", stored=True, tokenizer_name="raw", index_option="basic")
    return builder.build()


def document(doc: TextDoc, title: str, body: str) -> Document:
    """The document of a record, whose title and text have their words spaced already."""
    from tantivy import Document

    made = Document()
    made.add_unsigned("row", doc.row)
    made.add_text("title", title)
    made.add_text("whole", f"{title}\n{body}")
    made.add_text("type", doc.type)
    made.add_text("source", doc.source_type)
    for tag in doc.tags:
        made.add_text("tag", tag)
    if doc.stamp is not None:
        made.add_unsigned("day", _day(doc.stamp))
    return made


def presence_query(schema: Schema, weights: Weights) -> Query:
    """A query that scores a record by the weights of the words it has, not by their number."""
    from tantivy import Occur, Query

    parts = []
    for word in weights.words:
        term = Query.term_query(schema, "whole", word, "basic")
        parts.append((Occur.Should, Query.const_score_query(term, weights.worth[word])))
    return Query.boolean_query(parts)


def words_query(schema: Schema, terms: Iterable[tuple[str, str]]) -> Query:
    """A query that scores a record by BM25 over (field, word) pairs; titles are boosted."""
    from tantivy import Occur, Query

    parts = []
    for name, word in terms:
        term = Query.term_query(schema, name, word, "freq")
        if name == "title":
            term = Query.boost_query(term, TITLE_BOOST)
        parts.append((Occur.Should, term))
    return Query.boolean_query(parts)


def both_queries(query: Query, narrow: Query) -> Query:
    """A query for what fits both; only the first scores."""
    from tantivy import Occur, Query

    return Query.boolean_query([(Occur.Must, query), (Occur.Must, narrow)])


def filter_query(schema: Schema, filters: Filters | None) -> Query | None:
    """The filter in the index's own terms; dates count by the day, rows are checked after."""
    if filters is None:
        return None
    from tantivy import FieldType, Occur, Query

    parts: list[tuple[Occur, Query]] = [
        (Occur.Must, Query.term_query(schema, "tag", tag, "basic")) for tag in filters.tags
    ]
    for name, values in (("type", filters.types), ("source", filters.source_types)):
        if values:
            parts.append((Occur.Must, Query.term_set_query(schema, name, list(values))))
    since, until = filters.range()
    if since is not None or until is not None:
        days = Query.range_query(
            schema,
            "day",
            FieldType.Unsigned,
            None if since is None else _day(since),
            None if until is None else _day(until),
            use_inverted_index=True,
        )
        parts.append((Occur.Must, days))
    return Query.const_score_query(Query.boolean_query(parts), 0.0)


def _day(stamp: float) -> int:
    return int(stamp // _DAY) + _FIRST_DAY
