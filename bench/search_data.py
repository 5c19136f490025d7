"""Writes the material of the search benchmark to files, for engines in other environments.

A folder holds `vectors.npy` (float32, one row a record, unit length), `texts.jsonl` (the records,
in the same order), `queries.npy`, `query_texts.jsonl`, `filters.json` (one for each query: type and
tag) and the true ten nearest rows of each query, best first: `exact.npy`, and
`exact_filtered.npy` for those the filter lets in.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from antiphon.knowledge import Record

Floats = NDArray[np.float32]
Rows = NDArray[np.int64]
NEAREST = 10
# So many tags of either kind go round among the records; a filter names a type and an area.
TYPES = ("project", "person", "process", "link", "doc")
AREAS = 23


class Material(Protocol):
    """Vectors and texts, made the same way each time."""

    vectors: Floats
    query_vectors: Floats
    queries: list[str]

    def record(self, at: int) -> Record: ...


class RealMaterial:
    """Sentences and questions with the vectors that an embedder gives them."""

    def __init__(
        self, texts: Sequence[str], vectors: Floats, queries: Sequence[str], query_vectors: Floats
    ) -> None:
        self._texts = texts
        self.vectors = vectors
        # The numbers tell whose vector it is where embedding is left out.
        self.queries = [f"q{at} {query}" for at, query in enumerate(queries)]
        self.query_vectors = query_vectors

    def record(self, at: int) -> Record:
        kind = TYPES[at % len(TYPES)]
        title, _, text = self._texts[at].partition("\n")
        return Record(f"{kind}:{at}", kind, f"#{at} {title}", text, (f"area-{at % AREAS}",))


def write_peer_data(folder: Path, material: Material) -> None:
    """Write everything that a search engine needs to be built, asked and judged."""
    folder.mkdir(parents=True, exist_ok=True)
    count = len(material.vectors)
    kinds = np.zeros(count, np.int64)
    areas = np.zeros(count, np.int64)
    with (folder / "texts.jsonl").open("w", encoding="utf-8") as file:
        for at in range(count):
            record = material.record(at)
            kinds[at] = TYPES.index(record.type)
            areas[at] = next(
                int(tag.removeprefix("area-")) for tag in record.tags if tag.startswith("area-")
            )
            file.write(json.dumps(record.to_dict(), ensure_ascii=False) + "\n")
    with (folder / "query_texts.jsonl").open("w", encoding="utf-8") as file:
        for text in material.queries:
            file.write(json.dumps({"text": text}, ensure_ascii=False) + "\n")
    filters = [
        {"type": TYPES[at % len(TYPES)], "tag": f"area-{at % AREAS}"}
        for at in range(len(material.queries))
    ]
    (folder / "filters.json").write_text(json.dumps(filters), "utf-8")
    np.save(folder / "vectors.npy", material.vectors)
    np.save(folder / "queries.npy", material.query_vectors)
    everything: list[Rows] = []
    filtered: list[Rows] = []
    for at, query in enumerate(material.query_vectors):
        cosines = material.vectors @ query
        everything.append(_nearest(cosines, np.arange(count)))
        allowed = np.flatnonzero((kinds == at % len(TYPES)) & (areas == at % AREAS))
        filtered.append(_nearest(cosines, allowed))
    np.save(folder / "exact.npy", np.stack(everything))
    np.save(folder / "exact_filtered.npy", np.stack(filtered))


def _nearest(cosines: Floats, allowed: Rows) -> Rows:
    """The nearest of the allowed rows, best first; -1 where there are too few."""
    best = allowed[np.argsort(-cosines[allowed], kind="stable")[:NEAREST]]
    return np.pad(best, (0, NEAREST - len(best)), constant_values=-1)
