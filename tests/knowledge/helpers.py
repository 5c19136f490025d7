"""A small deterministic embedder and records to put into a database."""

from __future__ import annotations

import re
import threading
import zlib
from collections.abc import Sequence
from functools import cache

import numpy as np
from numpy.typing import NDArray

from antiphon.knowledge import Record


@cache
def direction(text: str, dims: int) -> NDArray[np.float32]:
    seed = zlib.crc32(text.encode())
    return np.random.default_rng(seed).standard_normal(dims, dtype=np.float32)


class HashedWords:
    """Texts that share beginnings of words lie near each other; nothing is learned or loaded."""

    def __init__(self, name: str = "hashed-words", dims: int = 96) -> None:
        self.name = name
        self.dims = dims
        self.embedded: list[str] = []
        self.called = threading.Event()

    def embed(self, texts: Sequence[str]) -> NDArray[np.float32]:
        vectors = np.zeros((len(texts), self.dims), np.float32)
        for row, text in enumerate(texts):
            for word in re.findall(r"\w+", text.lower()):
                for size in (3, 4, 5):
                    vectors[row] += direction(f"{self.name}:{word[:size]}", self.dims)
            vectors[row, 0] += 1e-3  # no text is without a direction
            vectors[row] /= np.linalg.norm(vectors[row])
        self.embedded += texts
        self.called.set()
        return vectors


def record(id: str, text: str = "", **fields: object) -> Record:
    kind = id.partition(":")[0] if ":" in id else "doc"
    values = {"type": kind, "title": id.rpartition(":")[2].replace("_", " "), "text": text}
    return Record(id=id, **{**values, **fields})  # type: ignore[arg-type]


STUDIO = [
    record(
        "person:ada_lovelace",
        "Ada wrote the first program for the analytical engine. She lives in London.",
        tags=("engineer", "founder"),
        last_updated="2026-01-10",
        source_type="wiki",
    ),
    record(
        "person:grace_hopper",
        "Grace built the first compiler. She found a moth in a relay and called it a bug.",
        tags=("engineer",),
        last_updated="2026-03-02T09:30:00Z",
        source_type="wiki",
    ),
    record(
        "project:harbor",
        "A telephone assistant for ferries. It books tickets and answers questions on sailings.",
        tags=("voice", "live"),
        last_updated="2025-11-20",
        source_type="tracker",
    ),
    record(
        "project:orchard",
        "A dashboard for therapists that shows how patients recover after an operation.",
        tags=("web", "live"),
        last_updated="2026-05-05",
        source_type="tracker",
    ),
    record(
        "process:leave",
        "Holidays are asked for two weeks ahead in the calendar. Everyone has 27 days a year.",
        tags=("people",),
        last_updated="2024-02-29",
        source_type="wiki",
    ),
]
