"""A judged set for search: passages, questions with grades, and nDCG."""

from __future__ import annotations

import json
import math
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import NamedTuple

import tantivy

from antiphon.knowledge import Record
from antiphon.knowledge.analysis import analyzer, query_words

FOLDER = Path(__file__).parent / "judged"


class Judged(NamedTuple):
    """A question and the grade of each passage that answers it."""

    query: str
    relevant: Mapping[str, int]


def passages() -> list[Record]:
    lines = (FOLDER / "documents.jsonl").read_text("utf-8").splitlines()
    return [Record(one["id"], "doc", one["title"], one["text"]) for one in map(json.loads, lines)]


def questions(split: str) -> list[Judged]:
    lines = (FOLDER / f"{split}.jsonl").read_text("utf-8").splitlines()
    return [Judged(**json.loads(line)) for line in lines]


def ndcg(ids: Sequence[str], relevant: Mapping[str, int], at: int = 10) -> float:
    """The normalised discounted cumulative gain of the first results."""
    best = sorted(relevant.values(), reverse=True)[:at]
    return _gain(relevant.get(one, 0) for one in ids[:at]) / _gain(best)


def mean_ndcg(rankings: Sequence[Sequence[str]], asked: Sequence[Judged]) -> float:
    pairs = zip(rankings, asked, strict=True)
    return sum(ndcg(ids, one.relevant) for ids, one in pairs) / len(asked)


def _gain(grades: Iterable[int]) -> float:
    return sum((2**grade - 1) / math.log2(place + 2) for place, grade in enumerate(grades))


class PlainBM25:
    """What the words alone give with tantivy's own BM25 over title and text as one field."""

    def __init__(self, records: Sequence[Record]) -> None:
        self._ids = [record.id for record in records]
        builder = tantivy.SchemaBuilder()
        builder.add_unsigned_field("row", fast=True)
        builder.add_text_field("text", tokenizer_name="words", index_option="freq")
        self._schema = builder.build()
        index = tantivy.Index(self._schema)
        index.register_tokenizer("words", analyzer())
        writer = index.writer(16_000_000, 1)
        for row, record in enumerate(records):
            document = tantivy.Document()
            document.add_unsigned("row", row)
            document.add_text("text", f"{record.title}\n{record.text}")
            writer.add_document(document)
        writer.commit()
        writer.wait_merging_threads()
        index.reload()
        self._searcher = index.searcher()

    def search(self, query: str, k: int = 10) -> list[str]:
        terms = [
            (tantivy.Occur.Should, tantivy.Query.term_query(self._schema, "text", word, "freq"))
            for word in query_words(query)
        ]
        hits = self._searcher.search(tantivy.Query.boolean_query(terms), k, False).hits
        rows = self._searcher.fast_field_values("row", [address for _, address in hits])
        return [self._ids[row] for row in rows]
