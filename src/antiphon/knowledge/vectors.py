"""Nearest vectors: signs to find candidates among all rows, 8-bit vectors to rank them."""

from __future__ import annotations

import itertools
from typing import TYPE_CHECKING, Any

import numpy as np

from antiphon.knowledge import binary_planes
from antiphon.knowledge.errors import KnowledgeError

if TYPE_CHECKING:
    from collections.abc import Iterator

    from numpy.typing import NDArray

# Rows are kept in blocks: adding one never moves the others. Memory of a block is touched only as
# far as it is filled.
BLOCK = binary_planes.ROWS
# How many candidates are ranked exactly among how many rows. Signs put some of the best far down,
# the farther the more rows there are; measured on embeddings of the built-in model, these keep 98
# of 100 true nearest.
CANDIDATES = 400
AMONG = 20_000
GROWTH = 0.43
_CHUNK = 512  # rows multiplied at a time; more would start threads that cost more than they bring
# So few rows, or such a part of all, are ranked exactly at once: that takes no longer.
FEW = 1_500
FEW_SHARE = 1 / 64


class Quantized:
    """Unit vectors quantised to 8 bits with a scale, as SQLite stores them."""

    @staticmethod
    def pack(vectors: NDArray[np.float32]) -> list[bytes]:
        """Pack rows to 4 bytes of scale and one per dimension. Raises KnowledgeError for NaN."""
        if not np.isfinite(vectors).all():
            raise KnowledgeError("The embedder gave numbers that are not finite (NaN or infinite).")
        lengths = np.linalg.norm(vectors, axis=1, keepdims=True)
        unit = vectors / np.where(lengths > 0, lengths, 1.0)
        scales = np.maximum(np.abs(unit).max(axis=1), 1e-12).astype("<f4") / np.float32(127.0)
        steps = np.rint(unit / scales[:, None]).astype(np.int8)
        return [scale.tobytes() + step.tobytes() for scale, step in zip(scales, steps, strict=True)]

    @staticmethod
    def unpack(blobs: list[bytes], dims: int) -> tuple[NDArray[np.float32], NDArray[np.int8]]:
        """Unpack blobs to scales and 8-bit vectors."""
        raw = np.frombuffer(b"".join(blobs), np.uint8).reshape(len(blobs), dims + 4)
        scales = raw[:, :4].copy().view("<f4").reshape(-1)
        return scales, raw[:, 4:].view(np.int8)

    @staticmethod
    def fits(blob: bytes, dims: int) -> bool:
        """Whether a blob has these dimensions."""
        return len(blob) == dims + 4


class _Block:
    """Vectors and sign planes of `BLOCK` rows."""

    __slots__ = ("planes", "scales", "steps")

    def __init__(self, dims: int) -> None:
        self.planes = binary_planes.Planes(dims)
        self.steps = np.zeros((BLOCK, dims), np.int8)
        self.scales = np.zeros(BLOCK, np.float32)

    def with_room(self) -> _Block:
        """The block itself, or a full-size copy when it came from a snapshot."""
        filled, dims = self.steps.shape
        if filled == BLOCK:
            return self
        block = _Block(dims)
        block.planes.words[:, : self.planes.words.shape[1]] = self.planes.words
        block.steps[:filled] = self.steps
        block.scales[:filled] = self.scales
        return block


class VectorIndex:
    """Index of quantised vectors by row. Not synchronised: nobody may search while it changes."""

    def __init__(self, dims: int) -> None:
        self.dims = dims
        self._blocks: list[_Block] = []
        self._present = np.zeros(0, np.bool_)
        self.size = 0
        self.count = 0

    # -- changes

    def put(
        self, rows: NDArray[np.int64], scales: NDArray[np.float32], steps: NDArray[np.int8]
    ) -> None:
        """Set the vectors of these rows."""
        if not len(rows):
            return
        if (rows[1:] < rows[:-1]).any():
            order = np.argsort(rows, kind="stable")
            rows, scales, steps = rows[order], scales[order], steps[order]
        self._reach(int(rows[-1]))
        for block, at, inside in self._by_block(rows):
            block.planes.put(inside, steps[at] > 0)
            block.steps[inside] = steps[at]
            block.scales[inside] = scales[at]
        self.count += len(rows) - int(np.count_nonzero(self._present[rows]))
        self._present[rows] = True

    def drop(self, row: int) -> None:
        """Remove the vector of a row, if it has one."""
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
        fits = self._present[: self.size]
        count = self.count
        if allowed is not None:
            upto = min(self.size, len(allowed))
            fits = fits.copy()
            fits[:upto] &= allowed[:upto]
            fits[upto:] = False
            count = int(np.count_nonzero(fits))
        wanted = max(candidates or _candidates(count), 4 * limit)
        if count <= max(FEW, wanted, self.size * FEW_SHARE):
            rows = np.flatnonzero(fits)
        else:
            planes = [block.planes for block in self._blocks]
            agreeing = binary_planes.PlaneQuery(query).count_agreement(planes, self.size)
            rows = binary_planes.top_rows(agreeing, binary_planes.pack_rows(fits), wanted)
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
        if (rows[1:] < rows[:-1]).any():
            order = np.argsort(rows)
            found[order] = self.cosines(rows[order], query)
            return found
        steps = np.empty((min(_CHUNK, len(rows)), self.dims), np.int8)
        scales = np.empty(len(rows), np.float32)
        for start in range(0, len(rows), _CHUNK):
            stop = min(start + _CHUNK, len(rows))
            for block, at, inside in self._by_block(rows[start:stop]):
                block.steps.take(inside, axis=0, out=steps[at], mode="clip")
                block.scales.take(inside, out=scales[start:stop][at], mode="clip")
            found[start:stop] = steps[: stop - start].astype(np.float32) @ query
        found *= scales
        found[~self._present[rows]] = np.nan
        return found

    # -- inside

    def _by_block(
        self, rows: NDArray[np.int64]
    ) -> Iterator[tuple[_Block, slice, NDArray[np.int64]]]:
        """Blocks of ascending rows: the block, their positions, and those inside the block."""
        first, last = int(rows[0]) // BLOCK, int(rows[-1]) // BLOCK
        edges = np.searchsorted(rows, np.arange(first + 1, last + 1) * BLOCK).tolist()
        for number, (start, stop) in enumerate(itertools.pairwise([0, *edges, len(rows)]), first):
            if stop > start:
                part = slice(start, stop)
                yield self._blocks[number], part, rows[part] - number * BLOCK

    def _reach(self, row: int) -> None:
        if row >= self.size:
            self.size = row + 1
            if self._blocks:
                self._blocks[-1] = self._blocks[-1].with_room()
        while len(self._blocks) * BLOCK < self.size:
            self._blocks.append(_Block(self.dims))
        if self.size > len(self._present):
            room = max(256, self.size + self.size // 2)
            more = np.zeros(room - len(self._present), np.bool_)
            self._present = np.concatenate([self._present, more])

    # -- for the snapshot

    def dump(self) -> dict[str, NDArray[Any]]:
        arrays: dict[str, NDArray[Any]] = {"present": self._present[: self.size]}
        for number, block in enumerate(self._blocks):
            filled = min(BLOCK, self.size - number * BLOCK)
            arrays[f"signs{number}"] = block.planes.words[:, : -(-filled // 64)]
            arrays[f"steps{number}"] = block.steps[:filled]
            arrays[f"scales{number}"] = block.scales[:filled]
        return arrays

    @classmethod
    def load(cls, dims: int, arrays: dict[str, NDArray[Any]]) -> VectorIndex:
        """Restore what `dump` saved. Raises LookupError or ValueError for anything else."""
        index = cls(dims)
        index._present = arrays["present"]
        index.size = len(index._present)
        index.count = int(np.count_nonzero(index._present))
        for number in range(-(-index.size // BLOCK)):
            filled = min(BLOCK, index.size - number * BLOCK)
            words, steps = arrays[f"signs{number}"], arrays[f"steps{number}"]
            scales = arrays[f"scales{number}"]
            shapes = (dims + 1, -(-filled // 64)), (filled, dims), (filled,)
            if (words.shape, steps.shape, scales.shape) != shapes:
                raise ValueError("a block of vectors has another shape")
            block = _Block(dims)
            block.planes.words, block.steps, block.scales = words, steps, scales
            index._blocks.append(block)
        return index


def _candidates(rows: int) -> int:
    return int(CANDIDATES * max(0.5, (rows / AMONG) ** GROWTH))
