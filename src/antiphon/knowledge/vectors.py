"""Nearest vectors: sign bits to find candidates among all rows, 8-bit vectors to rank them."""

from __future__ import annotations

import itertools
from typing import TYPE_CHECKING, Any

import numpy as np

from antiphon.knowledge.errors import KnowledgeError

if TYPE_CHECKING:
    from collections.abc import Iterator

    from numpy.typing import NDArray

# Rows are kept in blocks: adding one never moves the others, and one block's codes fit the
# processor's cache. Memory of a block is touched only as far as it is filled.
BLOCK = 32_768
# How many candidates are ranked exactly among how many rows. Sign bits put some of the best far
# down, the farther the more rows there are; measured on embeddings of the built-in model, these
# keep 98 of 100 true nearest.
CANDIDATES = 400
AMONG = 20_000
GROWTH = 0.43
_CHUNK = 512  # rows multiplied at a time; more would start threads that cost more than they bring
# With so few rows to look at, all of them are ranked exactly.
FEW = 1_500
_FAR = 65_535


class Quantized:
    """A unit vector as 8-bit numbers and what one step of them is worth, as kept in SQLite."""

    @staticmethod
    def pack(vectors: NDArray[np.float32]) -> list[bytes]:
        """Each row as 4 bytes of scale and one per dimension. Raises KnowledgeError for NaN."""
        if not np.isfinite(vectors).all():
            raise KnowledgeError("The embedder gave numbers that are not finite (NaN or infinite).")
        lengths = np.linalg.norm(vectors, axis=1, keepdims=True)
        unit = vectors / np.where(lengths > 0, lengths, 1.0)
        scales = np.maximum(np.abs(unit).max(axis=1), 1e-12).astype("<f4") / np.float32(127.0)
        steps = np.rint(unit / scales[:, None]).astype(np.int8)
        return [scale.tobytes() + step.tobytes() for scale, step in zip(scales, steps, strict=True)]

    @staticmethod
    def unpack(blobs: list[bytes], dims: int) -> tuple[NDArray[np.float32], NDArray[np.int8]]:
        raw = np.frombuffer(b"".join(blobs), np.uint8).reshape(len(blobs), dims + 4)
        scales = raw[:, :4].copy().view("<f4").reshape(-1)
        return scales, raw[:, 4:].view(np.int8)

    @staticmethod
    def fits(blob: bytes, dims: int) -> bool:
        return len(blob) == dims + 4


class _Block:
    __slots__ = ("codes", "scales", "steps")

    def __init__(
        self, codes: NDArray[np.uint64], steps: NDArray[np.int8], scales: NDArray[np.float32]
    ) -> None:
        self.codes = codes  # one line of words per 64 dimensions, so that a scan reads in order
        self.steps = steps
        self.scales = scales


class VectorIndex:
    """The caller sees to it that nobody searches while it changes."""

    def __init__(self, dims: int) -> None:
        self.dims = dims
        self._words = -(-dims // 64)
        self._blocks: list[_Block] = []
        self._present = np.zeros(0, np.bool_)
        self.size = 0
        self.count = 0

    # -- changes

    def put(
        self, rows: NDArray[np.int64], scales: NDArray[np.float32], steps: NDArray[np.int8]
    ) -> None:
        """Sets the vectors of these rows."""
        if not len(rows):
            return
        self._reach(int(rows.max()))
        codes = self._codes(steps)
        for block, at, inside in self._by_block(rows):
            block.codes[:, inside] = codes[at].T
            block.steps[inside] = steps[at]
            block.scales[inside] = scales[at]
        self.count += len(rows) - int(np.count_nonzero(self._present[rows]))
        self._present[rows] = True

    def drop(self, row: int) -> None:
        if row < self.size and self._present[row]:
            self._present[row] = False
            self.count -= 1

    def missing(self, alive: NDArray[np.bool_]) -> NDArray[np.int64]:
        """Rows that are alive and have no vector."""
        lacking = alive.copy()
        upto = min(len(alive), self.size)
        lacking[:upto] &= ~self._present[:upto]
        return np.flatnonzero(lacking)

    # -- search

    def search(
        self,
        query: NDArray[np.float32],
        limit: int,
        allowed: NDArray[np.bool_] | None = None,
        candidates: int | None = None,
    ) -> tuple[NDArray[np.int64], NDArray[np.float32]]:
        """The nearest `limit` rows, nearest first, and their cosines."""
        present = self._present[: self.size]
        if allowed is not None:
            fits = np.zeros(self.size, np.bool_)
            upto = min(self.size, len(allowed))
            np.logical_and(allowed[:upto], present[:upto], out=fits[:upto])
            rows = np.flatnonzero(fits)
            few = len(rows) <= max(FEW, self.size // 6)
        else:
            few = self.count <= FEW
            rows = np.flatnonzero(present) if few else np.zeros(0, np.int64)
            fits = present
        rivals = self.count if allowed is None else len(rows)
        wanted = max(candidates or _candidates(rivals), 4 * limit)
        if few:
            if len(rows) > max(FEW, wanted):
                rows = rows[_nearest(self._distances_of(rows, query), wanted)]
        else:
            distances = self._distances(query)
            if allowed is not None or self.count < self.size:
                np.copyto(distances, _FAR, where=~fits)
            rows = _nearest(distances, wanted)
            rows = rows[fits[rows]]
        cosines = self.cosines(rows, query)
        if len(rows) > limit:
            best = np.argpartition(-cosines, limit)[:limit]
            rows, cosines = rows[best], cosines[best]
        order = np.lexsort((rows, -cosines))
        return rows[order], cosines[order]

    def cosines(self, rows: NDArray[np.int64], query: NDArray[np.float32]) -> NDArray[np.float32]:
        """The cosine of each row with the query; NaN for rows without a vector."""
        found = np.full(len(rows), np.nan, np.float32)
        known = rows < self.size
        if not known.all():
            found[known] = self.cosines(rows[known], query)
            return found
        for start in range(0, len(rows), _CHUNK):
            some, part = rows[start : start + _CHUNK], found[start : start + _CHUNK]
            for block, at, inside in self._by_block(some):
                steps = block.steps[inside].astype(np.float32)
                part[at] = (steps @ query) * block.scales[inside]
        found[~self._present[rows]] = np.nan
        return found

    def _distances(self, query: NDArray[np.float32]) -> NDArray[np.uint16]:
        """In how many signs each row differs from the query."""
        code = self._codes(query[None, :])[0]
        out = np.empty(self.size, np.uint16)
        room = min(BLOCK, self.size)
        mixed, ones = np.empty(room, np.uint64), np.empty(room, np.uint8)
        total = np.empty(room, np.uint8)
        for number, block in enumerate(self._blocks):
            start = number * BLOCK
            filled = min(BLOCK, self.size - start)
            if filled <= 0:
                break
            target = out[start : start + filled]
            for word in range(self._words):
                third = word % 3  # three words differ in at most 192 bits, which 8 bits can count
                np.bitwise_xor(block.codes[word, :filled], code[word], out=mixed[:filled])
                if third == 0:
                    np.bitwise_count(mixed[:filled], out=total[:filled])
                else:
                    np.bitwise_count(mixed[:filled], out=ones[:filled])
                    np.add(total[:filled], ones[:filled], out=total[:filled])
                if third == 2 or word == self._words - 1:
                    if word < 3:
                        target[:] = total[:filled]
                    else:
                        np.add(target, total[:filled], out=target)
        return out

    def _distances_of(
        self, rows: NDArray[np.int64], query: NDArray[np.float32]
    ) -> NDArray[np.uint16]:
        code = self._codes(query[None, :])[0]
        out = np.zeros(len(rows), np.uint16)
        for block, at, inside in self._by_block(rows):
            total = np.zeros(len(inside), np.uint16)
            for word in range(self._words):
                total += np.bitwise_count(block.codes[word][inside] ^ code[word])
            out[at] = total
        return out

    # -- inside

    def _codes(self, vectors: NDArray[Any]) -> NDArray[np.uint64]:
        bits = np.packbits(vectors > 0, axis=1)
        padded = np.zeros((len(vectors), self._words * 8), np.uint8)
        padded[:, : bits.shape[1]] = bits
        return padded.view(np.uint64)

    def _by_block(self, rows: NDArray[np.int64]) -> Iterator[tuple[_Block, Any, NDArray[np.int64]]]:
        """Each block that has some of the rows: where these are among them, and in the block."""
        if len(self._blocks) == 1:
            yield self._blocks[0], slice(None), rows
            return
        numbers = rows // BLOCK
        steps = np.diff(numbers)
        if (steps >= 0).all():  # in order already, as the candidates of a scan are
            edges = [0, *(np.flatnonzero(steps) + 1).tolist(), len(rows)]
            for start, stop in itertools.pairwise(edges):
                if stop > start:
                    number = int(numbers[start])
                    part = slice(start, stop)
                    yield self._blocks[number], part, rows[part] - number * BLOCK
            return
        order = np.argsort(numbers, kind="stable")
        for at in np.split(order, np.flatnonzero(np.diff(numbers[order])) + 1):
            number = int(numbers[at[0]])
            yield self._blocks[number], at, rows[at] - number * BLOCK

    def _reach(self, row: int) -> None:
        self.size = max(self.size, row + 1)
        while len(self._blocks) * BLOCK < self.size:
            self._blocks.append(
                _Block(
                    np.zeros((self._words, BLOCK), np.uint64),
                    np.zeros((BLOCK, self.dims), np.int8),
                    np.zeros(BLOCK, np.float32),
                )
            )
        if self.size > len(self._present):
            room = max(256, self.size + self.size // 2)
            more = np.zeros(room - len(self._present), np.bool_)
            self._present = np.concatenate([self._present, more])

    # -- for the snapshot

    def dump(self) -> dict[str, NDArray[Any]]:
        arrays: dict[str, NDArray[Any]] = {"present": self._present[: self.size]}
        for number, block in enumerate(self._blocks):
            arrays[f"codes{number}"] = block.codes
            arrays[f"steps{number}"] = block.steps
            arrays[f"scales{number}"] = block.scales
        return arrays

    @classmethod
    def load(cls, dims: int, arrays: dict[str, NDArray[Any]]) -> VectorIndex:
        """Raises LookupError or ValueError for what `dump` did not make."""
        index = cls(dims)
        index._present = arrays["present"]
        index.size = len(index._present)
        index.count = int(np.count_nonzero(index._present))
        for number in range(-(-index.size // BLOCK)):
            codes, steps = arrays[f"codes{number}"], arrays[f"steps{number}"]
            if codes.shape != (index._words, BLOCK) or steps.shape != (BLOCK, dims):
                raise ValueError("a block of vectors has another shape")
            index._blocks.append(_Block(codes, steps, arrays[f"scales{number}"]))
        return index


def _candidates(rows: int) -> int:
    return int(CANDIDATES * max(0.5, (rows / AMONG) ** GROWTH))


def _nearest(distances: NDArray[np.uint16], wanted: int) -> NDArray[np.int64]:
    """Positions of at least the `wanted` smallest, and few more."""
    size = len(distances)
    if size <= wanted:
        return np.flatnonzero(distances < _FAR)
    if size > 64 * 1024:
        # A sample says about where the border is; far cheaper than to sort them all.
        step = size // 16_384
        sample = distances[::step]
        place = min(len(sample) - 1, 2 * wanted // step + 8)
        border = int(np.partition(sample, place)[place])
        found = np.flatnonzero(distances <= min(border, _FAR - 1))
        if len(found) >= wanted:
            if len(found) > 2 * wanted:
                near = distances[found]
                exact = int(np.partition(near, wanted - 1)[wanted - 1])
                found = found[near <= exact]
            return found
    border = int(np.partition(distances, wanted - 1)[wanted - 1])
    return np.flatnonzero(distances <= min(border, _FAR - 1))
