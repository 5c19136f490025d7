"""Vectors that ship with the sample knowledge, so that its first minute needs no embedding.

Made anew with `python -m antiphon.knowledge.embedding.shipped` when the sample changes; a text that
is not among them is embedded as ever.
"""

from __future__ import annotations

import threading
from collections.abc import Iterator, Sequence
from hashlib import sha256
from pathlib import Path
from typing import Any

import orjson

from antiphon.knowledge.embedding.port import Embedder, Vectors, checked_texts

SAMPLE = Path(__file__).parents[1] / "sample"
FILE = SAMPLE / "vectors.bin"
_KEY = 16


class PrecomputedEmbedder:
    """The built-in embedder with the vectors of the sample at hand. Safe with threads."""

    def __init__(self, inner: Embedder, file: Path = FILE) -> None:
        self._inner = inner
        self._file = file
        self._reading = threading.Lock()
        self._known: dict[bytes, bytes] | None = None

    @property
    def name(self) -> str:
        return self._inner.name

    @property
    def dims(self) -> int:
        return self._inner.dims

    def embed(self, texts: Sequence[str]) -> Vectors:
        """See Embedder.embed."""
        import numpy

        given = checked_texts(texts)
        known = self._read()
        found = {at: known[key] for at, text in enumerate(given) if (key := _key(text)) in known}
        if not found:
            return self._inner.embed(given)
        from antiphon.knowledge.vectors import Quantized

        vectors = numpy.empty((len(given), self.dims), numpy.float32)
        scales, steps = Quantized.unpack(list(found.values()), self.dims)
        unit = steps * scales[:, None]
        vectors[list(found)] = unit / numpy.linalg.norm(unit, axis=1, keepdims=True)
        others = [at for at in range(len(given)) if at not in found]
        if others:
            vectors[others] = self._inner.embed([given[at] for at in others])
        return vectors

    def warm(self) -> None:
        """Load the model behind it."""
        warm: Any = getattr(self._inner, "warm", None)
        if warm is not None:
            warm()

    def _read(self) -> dict[bytes, bytes]:
        """Read the shipped vectors; none when they are of another model."""
        with self._reading:
            if self._known is None:
                named, _, rows = self._file.read_bytes().partition(b"\n")
                size = _KEY + 4 + self.dims
                self._known = {}
                if named.decode() == self.name and len(rows) % size == 0:
                    for start in range(0, len(rows), size):
                        row = rows[start : start + size]
                        self._known[row[:_KEY]] = row[_KEY:]
            return self._known


def sample_texts() -> Iterator[str]:
    """Texts of the sample that are embedded: one for each record."""
    from antiphon.knowledge.rows import embedding_text

    for name in sorted(SAMPLE.glob("*.jsonl")):
        for line in name.read_bytes().splitlines():
            record = orjson.loads(line)
            if "id" in record:  # else an edge
                yield embedding_text(record["id"], record.get("title", ""), record.get("text", ""))


def write(inner: Embedder, file: Path = FILE) -> int:
    """Embed the sample and write the file; returns how many texts there are."""
    from antiphon.knowledge.vectors import Quantized

    texts = sorted(set(sample_texts()))
    rows = zip(texts, Quantized.pack(inner.embed(texts)), strict=True)
    body = b"".join(_key(text) + packed for text, packed in rows)
    file.write_bytes(inner.name.encode() + b"\n" + body)
    return len(texts)


def _key(text: str) -> bytes:
    return sha256(text.encode("utf-8", "surrogatepass")).digest()[:_KEY]


if __name__ == "__main__":
    from antiphon.knowledge.embedding.minilm import MiniLM

    print(f"{write(MiniLM())} vectors in {FILE.name}")  # noqa: T201 - it is a program here
