"""Hybrid search: speed, memory, build throughput, recall and quality, beside the bare minimum.

The minimum is a tantivy query, a scan of sign bits with 8-bit rescoring, scores added, rows read
from SQLite: what any such search has to do, without live changes, filters kept in memory,
coverage, neighbours, duplicates, snippets or evidence. Query embedding is left out but for the
last figure, which is a whole call.
"""

from __future__ import annotations

import argparse
import json
import os
import random
import re
import shutil
import sqlite3
import statistics
import sys
import tempfile
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import tantivy
from numpy.typing import NDArray

from antiphon.knowledge import Edge, Filters, KnowledgeBase, Record
from antiphon.knowledge.analysis import analyzer, query_words
from antiphon.knowledge.vectors import Quantized, VectorIndex
from common import result, table, verdict

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))
from tests.knowledge import judged  # noqa: E402 - after the path to it is known

SAMPLE = ROOT / "src" / "antiphon" / "knowledge" / "sample"
QUERIES = ROOT / "tests" / "knowledge" / "queries.jsonl"
DIMS = 384
K = 5
TYPES = ("project", "person", "process", "link", "doc")
BATCH = 10_000

Floats = NDArray[np.float32]


class SyntheticMaterial:
    """Texts from the words of the sample, and vectors that lie in clusters as real ones do."""

    def __init__(self, records: int, queries: int, seed: int = 7) -> None:
        self.random = random.Random(seed)
        words = [word for text in sample_texts() for word in re.findall(r"[A-Za-z]{3,}", text)]
        # Common words stay common, and rare ones are told apart so that the vocabulary grows.
        self.words = words
        self.rare = [f"{word}{number}" for word in sorted(set(words)) for number in range(20)]
        numbers = np.random.default_rng(seed)
        clusters = max(50, records // 200)
        centres = numbers.standard_normal((clusters, DIMS), dtype=np.float32)
        self.vectors = centres[numbers.integers(0, clusters, records)]
        self.vectors += 0.7 * numbers.standard_normal((records, DIMS), dtype=np.float32)
        self.vectors /= np.linalg.norm(self.vectors, axis=1, keepdims=True)
        chosen = numbers.integers(0, records, queries)
        self.query_vectors = self.vectors[chosen] + 0.03 * numbers.standard_normal(
            (queries, DIMS), dtype=np.float32
        )
        self.query_vectors /= np.linalg.norm(self.query_vectors, axis=1, keepdims=True)
        self.queries = [f"q{at} {self.text(4, rare=1)}" for at in range(queries)]

    def text(self, size: int, rare: int) -> str:
        return " ".join(
            self.random.choices(self.words, k=size - rare) + self.random.choices(self.rare, k=rare)
        )

    def record(self, at: int) -> Record:
        day = at % 1500
        return Record(
            f"{TYPES[at % 5]}:{at}",
            TYPES[at % 5],
            f"#{at} {self.text(4, rare=1)}",
            f"{self.text(20, rare=2)}. {self.text(20, rare=2)}.",
            (f"area-{at % 23}", f"team-{at % 7}"),
            f"https://example.org/{at}",
            ("wiki", "calendar", "mail")[at % 3],
            f"20{22 + day // 365:02}-{1 + day % 365 // 31:02}-{1 + day % 28:02}",
            {"number": at},
        )


class Planned:
    """Gives the vectors of the material back, so that embedding costs nothing here."""

    name = "bench"
    dims = DIMS

    def __init__(self, material: SyntheticMaterial) -> None:
        self._material = material

    def embed(self, texts: Sequence[str]) -> Floats:
        return np.stack([self._one(text) for text in texts])

    def _one(self, text: str) -> Floats:
        number = int(text[1 : text.index(" ")])
        vectors = self._material.vectors if text[0] == "#" else self._material.query_vectors
        found: Floats = vectors[number]
        return found


class Floor:
    """The bare minimum, over the same records and vectors."""

    def __init__(self, folder: Path, material: SyntheticMaterial, records: int) -> None:
        folder.mkdir()
        builder = tantivy.SchemaBuilder()
        builder.add_unsigned_field("row", indexed=True, fast=True)
        builder.add_text_field("title", tokenizer_name="words", index_option="freq")
        builder.add_text_field("body", tokenizer_name="words", index_option="freq")
        self._schema = builder.build()
        index = tantivy.Index(self._schema, path=str(folder))
        index.register_tokenizer("words", analyzer())
        writer = index.writer(48_000_000, 1)
        self._rows = sqlite3.connect(folder / "rows.db")
        self._rows.execute("CREATE TABLE records (row INTEGER PRIMARY KEY, id, title, text)")
        self._vectors = VectorIndex(DIMS)
        for start in range(0, records, BATCH):
            stop = min(records, start + BATCH)
            for at in range(start, stop):
                record = material.record(at)
                document = tantivy.Document()
                document.add_unsigned("row", at)
                document.add_text("title", record.title)
                document.add_text("body", record.text)
                writer.add_document(document)
                self._rows.execute(
                    "INSERT INTO records VALUES (?, ?, ?, ?)",
                    (at, record.id, record.title, record.text),
                )
            packed = Quantized.pack(material.vectors[start:stop])
            self._vectors.put(np.arange(start, stop), *Quantized.unpack(packed, DIMS))
        self._rows.commit()
        writer.commit()
        writer.wait_merging_threads()
        index.reload()
        self._searcher = index.searcher()

    def search(self, query: str, vector: Floats) -> list[tuple[Any, ...]]:
        parts = []
        for word in query_words(query):
            for name in ("title", "body"):
                term = tantivy.Query.term_query(self._schema, name, word, "freq")
                parts.append((tantivy.Occur.Should, term))
        hits = self._searcher.search(tantivy.Query.boolean_query(parts), 64, False).hits
        rows = self._searcher.fast_field_values("row", [address for _, address in hits])
        scores = {
            row: 0.3 * score / (score + 6.0) for (score, _), row in zip(hits, rows, strict=True)
        }
        near, cosines = self._vectors.search(vector, 64)
        for row, cosine in zip(near.tolist(), cosines.tolist(), strict=True):
            scores[row] = scores.get(row, 0.0) + cosine
        best = sorted(scores, key=lambda row: -scores[row])[:K]
        marks = ",".join("?" * len(best))
        return self._rows.execute(f"SELECT * FROM records WHERE row IN ({marks})", best).fetchall()


def sample_records() -> dict[str, tuple[list[Record], list[Edge]]]:
    found: dict[str, tuple[list[Record], list[Edge]]] = {}
    for path in sorted(SAMPLE.glob("*.jsonl")):
        lines = [json.loads(line) for line in path.read_text("utf-8").splitlines() if line.strip()]
        found[path.stem] = (
            [Record.from_dict(line) for line in lines if line["kind"] == "record"],
            [Edge.from_dict(line) for line in lines if line["kind"] == "edge"],
        )
    return found


def sample_texts() -> list[str]:
    return [
        text
        for records, _ in sample_records().values()
        for record in records
        for text in (record.title, record.text)
    ]


Times = tuple[list[float], list[float]]  # milliseconds by the clock, and of this thread's CPU


def timed(works: Sequence[Callable[[int], Any]], calls: int, warm: int = 20) -> list[Times]:
    """How long each call of each work takes, taken in turns.

    A search runs in one thread, so its CPU time is all that it costs; the clock has what other
    programs on the machine take besides.
    """
    for at in range(warm):
        for work in works:
            work(at)
    found: list[Times] = [([], []) for _ in works]
    for at in range(calls):
        for work, (clock, cpu) in zip(works, found, strict=True):
            start, used = time.perf_counter(), time.thread_time()
            work(at)
            cpu.append((time.thread_time() - used) * 1000)
            clock.append((time.perf_counter() - start) * 1000)
    return found


def shown(times: Times) -> str:
    clock, cpu = times
    return f"{p50(clock):.2f} / {p99(clock):.2f}, CPU {p50(cpu):.2f} / {p99(cpu):.2f}"


def p50(times: Sequence[float]) -> float:
    return statistics.median(times)


def p99(times: Sequence[float]) -> float:
    return sorted(times)[min(len(times) - 1, int(len(times) * 0.99))]


def resident() -> float:
    """Megabytes of this process's memory."""
    pages = int(Path("/proc/self/statm").read_text().split()[1])
    return pages * os.sysconf("SC_PAGE_SIZE") / 1e6


def speed(folder: Path, n: int, calls: int) -> dict[str, float]:
    material = SyntheticMaterial(n, calls)
    before = resident()
    planned = Planned(material)
    base = KnowledgeBase.open(folder / "base", embedder=None)
    database = base.create("bench")
    start = time.perf_counter()
    for at in range(0, n, BATCH):
        database.upsert(material.record(row) for row in range(at, min(n, at + BATCH)))
    records_seconds = time.perf_counter() - start
    base.close()
    base = KnowledgeBase.open(folder / "base", embedder=planned)
    database = base.database("bench")
    start = time.perf_counter()
    while database.embed_pending(BATCH):
        pass
    vectors_seconds = time.perf_counter() - start
    database.upsert_edges(
        Edge(material.record(at).id, material.record(at * 7 % n).id, "linked")
        for at in range(1, min(n, 20_000))
        if at != at * 7 % n
    )
    database.flush()
    base.close()

    start = time.perf_counter()
    base = KnowledgeBase.open(folder / "base", embedder=planned)
    database = base.database("bench")
    database.search(material.queries[0])
    opening = time.perf_counter() - start
    memory = resident() - before

    floor = Floor(folder / "floor", material, n)
    queries = material.queries

    def narrow(at: int) -> Filters:
        return Filters(types=(TYPES[at % 5],), tags=(f"area-{at % 23}",))

    def dated(at: int) -> Filters:
        return Filters(since=f"2023-{1 + at % 12:02}-01", until=f"2024-{1 + at % 12:02}-15")

    bare, plain, filtered, ranged = timed(
        [
            lambda at: floor.search(queries[at], planned.embed([queries[at]])[0]),
            lambda at: database.search(queries[at], k=K),
            lambda at: database.search(queries[at], k=K, filters=narrow(at)),
            lambda at: database.search(queries[at], k=K, filters=dated(at)),
        ],
        calls,
    )
    base.close()
    goal = 4.0 if n <= 100_000 else 15.0
    ratio = p50(plain[1]) / p50(bare[1])
    ratio_by_clock = p50(plain[0]) / p50(bare[0])
    table(
        f"\n{n:,} records, {DIMS} dimensions, {calls} queries each, milliseconds p50 / p99",
        [
            ("bare tantivy + sign bits + SQLite", shown(bare), ""),
            (
                "hybrid",
                shown(plain),
                verdict(p99(plain[0]) <= goal, f"p99 <= {goal:.0f} ms"),
            ),
            (
                "hybrid, type and tag (1 %)",
                shown(filtered),
                verdict(p99(filtered[0]) <= goal, f"p99 <= {goal:.0f} ms"),
            ),
            (
                "hybrid, date range (about 30 %)",
                shown(ranged),
                verdict(p99(ranged[0]) <= goal, f"p99 <= {goal:.0f} ms"),
            ),
            ("hybrid to bare, p50 of CPU", f"{ratio:.2f}", verdict(ratio <= 2.0, "<= 2")),
            ("hybrid to bare, p50 by the clock", f"{ratio_by_clock:.2f}", ""),
            ("records written and indexed", f"{n / records_seconds:,.0f} a second", ""),
            ("vectors written and indexed", f"{n / vectors_seconds:,.0f} a second", ""),
            ("opening with the first search", f"{opening * 1000:.0f} ms", ""),
            (
                "memory of the open database",
                f"{memory:,.0f} MB",
                verdict(memory <= 1000, "<= 1 GB at 1M"),
            ),
        ],
    )
    return {
        "hybrid_p50_ms": p50(plain[0]),
        "hybrid_p99_ms": p99(plain[0]),
        "hybrid_p99_cpu_ms": p99(plain[1]),
        "filtered_p99_ms": max(p99(filtered[0]), p99(ranged[0])),
        "filtered_p99_cpu_ms": max(p99(filtered[1]), p99(ranged[1])),
        "ratio_to_floor": ratio,
        "ratio_to_floor_by_clock": ratio_by_clock,
    }


def real_texts(count: int) -> list[str]:
    """Texts of real sentences: the sample's, put together anew."""
    chance = random.Random(3)
    titles = [record.title for records, _ in sample_records().values() for record in records]
    sentences = [
        sentence
        for records, _ in sample_records().values()
        for record in records
        for sentence in re.split(r"(?<=[.!?])\s+", record.text)
        if len(sentence) > 20
    ]
    return [
        f"{chance.choice(titles)}\n{chance.choice(sentences)} {chance.choice(sentences)}"
        for _ in range(count)
    ]


def recall(embedder: Any, count: int) -> float:
    """How many of the true ten nearest are found, with real embeddings of texts and queries."""
    texts = real_texts(count)
    vectors = np.concatenate([embedder.embed(texts[at : at + 128]) for at in range(0, count, 128)])
    queries = embedder.embed([query["query"] for query in held_queries()])
    index = VectorIndex(embedder.dims)
    index.put(np.arange(count), *Quantized.unpack(Quantized.pack(vectors), embedder.dims))
    found = 0
    for query in queries:
        exact = np.argsort(-(vectors @ query), kind="stable")[:10]
        found += len(set(exact.tolist()) & set(index.search(query, 10)[0].tolist()))
    value = found / (10 * len(queries))
    table(
        f"\nRecall on {count:,} real embeddings",
        [("recall@10 of exact", f"{value:.4f}", verdict(value >= 0.97, ">= 0.97"))],
    )
    return value


def held_queries() -> list[dict[str, Any]]:
    return [json.loads(line) for line in QUERIES.read_text("utf-8").splitlines() if line.strip()]


def quality(folder: Path, embedder: Any) -> float:
    """MRR and hits on the held queries, words and meaning alone and together; p50 of a call."""
    base = KnowledgeBase.open(folder / "sample", embedder=embedder)
    for name, (records, edges) in sample_records().items():
        database = base.create(name)
        database.upsert(records)
        database.upsert_edges(edges)
        database.flush()
    queries = held_queries()
    rankings = {"BM25 alone": [], "vectors alone": [], "hybrid": []}  # type: dict[str, list[int]]
    times = []
    for query in queries:
        database = base.database(query["database"])
        given = query.get("filters") or {}
        filters = Filters(
            **{key: tuple(item) if isinstance(item, list) else item for key, item in given.items()}
        )
        text = query["query"]
        vector = embedder.embed([text])[0]
        start = time.perf_counter()
        answers = database.search(text, filters=filters, k=10, cut_off=False)
        times.append((time.perf_counter() - start) * 1000)
        with database._use() as engine:
            source = engine.search_source(filters or None)
            weights = source.weights(query_words(text))
            by_words = list(source.match(weights, 10, parts=False).scores)
            by_meaning = source.nearest(vector, 10)[0].tolist()
            records_of = source.records([*by_words, *by_meaning])
        for name, ids in (
            ("BM25 alone", [records_of[row][1].id for row in by_words]),
            ("vectors alone", [records_of[row][1].id for row in by_meaning]),
            ("hybrid", [evidence.id for evidence in answers]),
        ):
            places = [at for at, found in enumerate(ids, 1) if found in query["expected"]]
            rankings[name].append(places[0] if places else 0)
    base.close()
    for kind in ("paraphrase", "all"):
        picked = [at for at, query in enumerate(queries) if kind in ("all", query["kind"])]
        rows = []
        for name, places in rankings.items():
            chosen = [places[at] for at in picked]
            mrr = sum(1 / place for place in chosen if place) / len(chosen)
            hits = [sum(0 < place <= most for place in chosen) / len(chosen) for most in (1, 3)]
            rows.append((name, f"{mrr:.3f}  {hits[0]:.3f}  {hits[1]:.3f}", ""))
        table(f"\n{len(picked)} held queries ({kind}): MRR, hit@1, hit@3", rows)
    table(
        "\nA whole search of the sample, embedding the query included",
        [
            (
                "p50 / p99",
                f"{p50(times):.1f} / {p99(times):.1f} ms",
                verdict(p50(times) <= 25, "p50 <= 25 ms"),
            )
        ],
    )
    return p50(times)


def judged_quality(folder: Path, embedder: Any) -> dict[str, float]:
    """nDCG@10 of the judged set by how many results are asked for, beside plain BM25."""
    records = judged.passages()
    plain = judged.PlainBM25(records)
    figures: dict[str, float] = {}
    rows: dict[str, list[tuple[str, str, str]]] = {"tune": [], "held": []}
    for split in rows:
        asked = judged.questions(split)
        least = judged.mean_ndcg([plain.search(one.query) for one in asked], asked)
        figures[f"ndcg_{split}_bm25"] = least
        rows[split].append(("plain BM25 (tantivy)", f"{least:.4f}", ""))
    for name, by in (("words alone", None), ("words and meaning", embedder)):
        base = KnowledgeBase.open(folder / name.replace(" ", "-"), embedder=by)
        database = base.create("passages")
        database.upsert(records)
        database.flush()
        for split in rows:
            asked = judged.questions(split)
            found = {
                k: [
                    [one.id for one in database.search(each.query, k=k, cut_off=False)]
                    for each in asked
                ]
                for k in (10, 30, 100)
            }
            values = {k: judged.mean_ndcg(ids, asked) for k, ids in found.items()}
            same = all([one[:10] for one in ids] == found[10] for ids in found.values())
            # The last digits of two ways to add up the same scores differ.
            good = same and min(values.values()) >= figures[f"ndcg_{split}_bm25"] - 0.001
            rows[split].append(
                (
                    f"{name}, k = 10 / 30 / 100",
                    " / ".join(f"{value:.4f}" for value in values.values()),
                    verdict(good, ">= BM25, one order"),
                )
            )
            figures[f"ndcg_{split}_{name.replace(' ', '_')}"] = min(values.values())
        base.close()
    for split, lines in rows.items():
        table(f"\nnDCG@10 on judged questions ({split}), {len(records)} passages", lines)
    return figures


def embedding_speed() -> dict[str, float]:
    """Abstracts embedded in a CPU second, beside the bare model run on the same numbers."""
    from antiphon.knowledge.embedding.minilm import MAX_TOKENS, MiniLM, bare_session
    from antiphon.text.wordpiece import WordPieces

    words = " ".join(record.text for record in judged.passages()).split()
    texts = [" ".join(words[at : at + 150]) for at in range(0, 150 * 40, 150)]
    pieces = WordPieces()
    numbers = [pieces.numbers(text, MAX_TOKENS) for text in texts]
    session = bare_session()
    embedder = MiniLM(cores=1)  # so that all of it is in this thread's CPU time

    def bare() -> None:
        for one in numbers:
            ids = np.array([one], np.int64)
            feeds = {
                "input_ids": ids,
                "attention_mask": np.ones_like(ids),
                "token_type_ids": np.zeros_like(ids),
            }
            session.run(["last_hidden_state"], feeds)

    def best(work: Callable[[], Any]) -> float:
        work()
        used = []
        for _ in range(3):
            start = time.thread_time()
            work()
            used.append(time.thread_time() - start)
        return min(used)

    limit, ours = best(bare), best(lambda: embedder.embed(texts))
    tokens = sum(map(len, numbers))
    ratio = ours / limit
    table(
        f"\nEmbedding {len(texts)} abstracts of {tokens / len(texts):.0f} tokens on one core",
        [
            (
                "the bare model (onnxruntime)",
                f"{len(texts) / limit:.1f} a CPU second, {tokens / limit:,.0f} tokens",
                "",
            ),
            (
                "the built-in embedder",
                f"{len(texts) / ours:.1f} a CPU second, {tokens / ours:,.0f} tokens",
                verdict(len(texts) / ours >= 40 or ratio <= 1.1, ">= 40, or the model's limit"),
            ),
            ("embedder to bare model", f"{ratio:.3f}", verdict(ratio <= 1.1, "<= 1.1")),
        ],
    )
    return {"abstracts_per_cpu_second": len(texts) / ours, "embedder_to_bare_model": ratio}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    size = parser.add_mutually_exclusive_group()
    size.add_argument("--quick", action="store_true", help="a smaller run, for a first look")
    size.add_argument("--full", action="store_true", help="a million records as well")
    chosen = parser.parse_args()
    sizes = [50_000] if chosen.quick else [100_000, 1_000_000] if chosen.full else [100_000]
    calls = 200 if chosen.quick else 500
    folder = Path(tempfile.mkdtemp(prefix="antiphon-search-"))
    try:
        figures: dict[str, float] = {}
        for n in sizes:
            figures = speed(folder / str(n), n, calls)
            shutil.rmtree(folder / str(n))
        from antiphon.knowledge.embedding import default_embedder

        embedder = default_embedder()
        figures["recall_at_10"] = recall(embedder, 2_000 if chosen.quick else 20_000)
        figures["kb_search_p50_ms"] = quality(folder, embedder)
        figures |= judged_quality(folder, embedder)
        figures |= embedding_speed()
    finally:
        shutil.rmtree(folder, ignore_errors=True)
    result({"n": sizes[-1], **figures})


if __name__ == "__main__":
    main()
