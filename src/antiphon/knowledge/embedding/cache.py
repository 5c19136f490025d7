"""Vectors that are kept by what they were made of, so that no text is embedded twice.

Vectors go through the form that they are kept in also on their first
way out, so that a text has the same vector whether it was in the cache or not.
"""

from __future__ import annotations

import hashlib
import threading
import zlib
from collections.abc import Sequence
from pathlib import Path
from types import TracebackType
from typing import NamedTuple, Self

from antiphon.knowledge.embedding.cache_file import CacheFile
from antiphon.knowledge.embedding.port import (
    Embedder,
    Vectors,
    checked_texts,
    normalised,
    whole_number,
)

MAX_BYTES = 512 * 1024 * 1024
# Texts that are embedded before their vectors are kept: what a stopped import can lose.
CHUNK = 256
# Uses that are remembered before they are written, so that reading does not cost a write each time.
USES = 512


class CacheStats(NamedTuple):
    """Hits and misses of one instance, and the size of its file."""

    hits: int
    misses: int
    entries: int
    bytes: int


class CachedEmbedder:
    """Embedder with a cache in a file: only texts that it has not seen go to the one behind it.

    Safe to use from several threads; several processes may share the file. When the vectors take
    more than `max_bytes`, the least recently used are evicted.
    """

    def __init__(self, inner: Embedder, path: Path, *, max_bytes: int = MAX_BYTES) -> None:
        """Open or create the cache. A damaged file is set aside and created anew.

        Raises EmbeddingError when the file belongs to something else or cannot be created.
        """
        whole_number("max_bytes", max_bytes, 65_536, 2**50)
        self._inner = inner
        self._file = CacheFile(Path(path), max_bytes)
        self._guard = threading.Lock()
        self._used: set[bytes] = set()
        self._hits = 0
        self._misses = 0

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
        dims = self.dims
        vectors = numpy.empty((len(given), dims), numpy.float32)
        places: dict[bytes, list[int]] = {}
        for position, text in enumerate(given):
            places.setdefault(self._key(text), []).append(position)
        found = self._kept(list(places), dims)
        for key, vector in found.items():
            vectors[places[key]] = vector
        missing = [key for key in places if key not in found]
        with self._guard:
            self._hits += len(found)
            self._misses += len(missing)
        for start in range(0, len(missing), CHUNK):
            chunk = missing[start : start + CHUNK]
            # Outside the guard: others may read while the model works.
            fresh = self._inner.embed([given[places[key][0]] for key in chunk])
            rounded = fresh.astype(numpy.float16)
            blobs = {}
            for key, row in zip(chunk, rounded, strict=True):
                content = row.tobytes()
                blobs[key] = _check(key, content) + content
            with self._guard:
                used, self._used = self._used, set()
                self._file.write(blobs, used)
            for key, vector in zip(chunk, normalised(rounded, self.name), strict=True):
                vectors[places[key]] = vector
        return vectors

    def warm(self) -> None:
        """Warm the embedder behind it, when it can be."""
        warm = getattr(self._inner, "warm", None)
        if warm is not None:
            warm()

    def stats(self) -> CacheStats:
        """Hits and misses of this instance, and what is in the file (0 when it cannot be read)."""
        with self._guard:
            return CacheStats(self._hits, self._misses, *self._file.size())

    def close(self) -> None:
        """Flush and close the file, then close the embedder behind it."""
        with self._guard:
            used, self._used = self._used, set()
            self._file.close(used)
        close = getattr(self._inner, "close", None)
        if close is not None:
            close()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        _kind: type[BaseException] | None,
        _error: BaseException | None,
        _trace: TracebackType | None,
    ) -> None:
        self.close()

    def _key(self, text: str) -> bytes:
        named = f"{self.name}\0{text}"
        return hashlib.sha256(named.encode("utf-8", "surrogatepass")).digest()

    def _kept(self, keys: list[bytes], dims: int) -> dict[bytes, Vectors]:
        import numpy

        with self._guard:
            blobs = self._file.read(keys)
        rows = {}
        for key, blob in blobs.items():
            if len(blob) == 4 + 2 * dims and blob[:4] == _check(key, blob[4:]):
                rows[key] = numpy.frombuffer(blob, numpy.float16, offset=4)
        if not rows:
            return {}
        vectors = normalised(numpy.array(list(rows.values())), self.name)
        with self._guard:
            self._used.update(rows)
            if len(self._used) >= USES:
                used, self._used = self._used, set()
                self._file.write({}, used)
        return dict(zip(rows, vectors, strict=True))


def _check(key: bytes, content: bytes) -> bytes:
    """Checksum of a vector: SQLite checks its own pages, not their content."""
    return zlib.crc32(content, zlib.crc32(key)).to_bytes(4, "big")
