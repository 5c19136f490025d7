"""Binary planes: the signs of vectors as bit planes, compared with a query 64 rows at a time.

A query asks only for the dimensions it is strongest in. These few planes tell as much about the
cosine as the signs of all dimensions do, and only they are read.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    Words = NDArray[np.uint64]

# Rows of one set of planes: many enough that numpy's calls cost little beside what they do, and
# few enough that what a query asks of them stays in the processor's cache.
ROWS = 131_072
_WORDS = ROWS // 64
# Seven planes are added to a number of three bits, fifteen such numbers to the number of signs
# that agree: both fill their bits, so that no addition is idle. Planes of one column agree in the
# sign that the query has there.
_DEEP = 7
_COLUMNS = 15
_ASKED = _DEEP * _COLUMNS


class Planes:
    """Sign bits of `ROWS` vectors, one plane per dimension.

    One more plane, always empty, stands in for missing dimensions.
    """

    __slots__ = ("words",)

    def __init__(self, dims: int) -> None:
        self.words: Words = np.zeros((dims + 1, _WORDS), np.uint64)

    def put(self, rows: NDArray[np.int64], positive: NDArray[np.bool_]) -> None:
        """Set the signs of these rows, which ascend; `positive` has one line for each."""
        octets = self.words.view(np.uint8)[:-1]
        touched, where = np.unique(rows >> 3, return_inverse=True)
        first, last = int(touched[0]), int(touched[-1])
        # A slice is far quicker than a list of places, and rows mostly come one after another.
        places = slice(first, last + 1) if last - first < len(touched) else touched
        lines = np.unpackbits(octets[:, places].T, axis=0, bitorder="little")
        lines[8 * where + (rows & 7)] = positive
        octets[:, places] = np.packbits(np.ascontiguousarray(lines.T), axis=1, bitorder="little")


class PlaneQuery:
    """The dimensions and signs of a query that are compared with the planes."""

    def __init__(self, query: NDArray[np.float32]) -> None:
        order = np.argsort(-np.abs(query))
        positive = query[order] > 0
        # Each column has one sign. So a few of the weakest may give way to some that are weaker.
        above = round(int(np.count_nonzero(positive[:_ASKED])) / _DEEP)
        self._above = above
        index = np.full((_COLUMNS, _DEEP), len(query), np.int64)
        for columns, dims in ((index[:above], order[positive]), (index[above:], order[~positive])):
            columns.reshape(-1)[: len(dims)] = dims[: columns.size]
        self._index = np.ascontiguousarray(index.T)

    def count_agreement(self, blocks: Sequence[Planes], rows: int) -> list[Words]:
        """Count the compared signs in which each row agrees: bits of the number, lowest first."""
        words = -(-rows // 64)
        sums = np.empty((4, 3, words), np.uint64)
        room: _PlaneAdder | None = None
        for start in range(0, words, _WORDS):
            planes = blocks[start // _WORDS].words
            filled = min(_WORDS, words - start)
            if room is None or filled < _WORDS:
                room = _PlaneAdder(planes[:, :filled][self._index])
            else:
                np.take(planes, self._index, axis=0, out=room.planes, mode="clip")
            room.count(self._above, sums[:, :, start : start + filled])
        return _total(sums)


class _PlaneAdder:
    """Bit-sliced adder for the planes of one block, with the views of its memory."""

    def __init__(self, planes: Words) -> None:
        self.planes = planes
        self._columns = np.empty((_COLUMNS, 3, planes.shape[2]), np.uint64)
        # Views of one dimension: with more, numpy takes longer to begin than to add.
        seven = [plane.reshape(-1) for plane in self.planes]
        one = [column.reshape(-1) for column in self._columns]
        pairs = self.planes[:6].reshape(3, -1)
        fives = self._columns.reshape(3, -1)
        self._to_three = (tuple(pairs), (seven[4], seven[5], seven[6]), (*seven[:2], seven[4]))
        self._to_four = (
            tuple(fives),  # what is left counts once in 10 to 14, twice in 0 to 4
            (one[11], one[10], one[12]),
            (one[12], one[13], one[14]),  # and now once in 14, twice in 0 to 4, 11 and 12
            tuple(self._columns[at : at + 2].reshape(-1) for at in (0, 2, 11)),
            (one[11], one[12], one[4]),
            (one[0], one[1], one[11]),
        )

    def count(self, above: int, sums: Words) -> None:
        """Write the four bits of each row's count to `sums`; the planes are overwritten."""
        for three in self._to_three:
            _add(*three)
        columns = self._columns
        for bit, place in enumerate((6, 4, 0)):
            columns[:, bit] = self.planes[place]
        against = columns[above:]
        np.invert(against, out=against)
        for three in self._to_four:
            _add(*three)
        for bit, place in enumerate((14, 4, 11, 0)):
            sums[bit] = columns[place]


def _add(a: NDArray[Any], b: NDArray[Any], c: NDArray[Any]) -> None:
    """Add three bits in place: the sum ends in `c`, the carry in `a`, and `b` is overwritten."""
    b ^= a
    c ^= b
    a ^= c
    a |= b
    a ^= c


def _total(sums: Words) -> list[Words]:
    """Bits of once + 2 * twice + 4 * fourfold, which are numbers of four bits each."""
    once, twice, fourfold = (sums[:, at] for at in range(3))
    found = [once[0]]
    carry = once[1] & twice[0]
    found.append(once[1] ^ twice[0])
    # Three of a kind come together from here on, and two carries.
    _add(once[2], twice[1], carry)
    low = carry
    carry = low & fourfold[0]
    found.append(low ^ fourfold[0])
    _add(once[3], twice[2], once[2])
    low, first = once[2], once[3]
    _add(low, fourfold[1], carry)
    found.append(carry)
    carry = low
    _add(first, twice[3], fourfold[2])
    low, second = fourfold[2], first
    found.append(low ^ carry)
    carry = low & carry
    _add(second, fourfold[3], carry)
    found += [carry, second]
    return found


def top_rows(agreeing: Sequence[Words], allowed: Words, wanted: int) -> NDArray[np.int64]:
    """The `wanted` allowed rows that agree in most signs, and some that agree in as many.

    At most twice as many, in order of their numbers; all that are allowed when these are fewer.
    """
    taken, count = np.zeros_like(allowed), 0
    level = allowed.copy()  # those that agree in as many as the last that will be taken
    higher, ones = np.empty_like(allowed), np.empty(len(allowed), np.uint8)
    for bit in reversed(agreeing):
        np.bitwise_and(level, bit, out=higher)
        more = int(np.bitwise_count(higher, out=ones).sum(dtype=np.uint32))
        if count + more > wanted:
            level, higher = higher, level
        else:
            taken |= higher
            count += more
            level ^= higher
    left = int(np.bitwise_count(level, out=ones).sum(dtype=np.uint32))
    if count + left <= 2 * wanted:
        return unpack_rows(taken | level)
    return np.sort(np.concatenate([unpack_rows(taken), unpack_rows(level)[: 2 * wanted - count]]))


def pack_rows(rows: NDArray[np.bool_]) -> Words:
    """Row flags packed to one bit each, in the order of the planes."""
    octets = np.zeros(-(-len(rows) // 64) * 8, np.uint8)
    bits = np.packbits(rows, bitorder="little")
    octets[: len(bits)] = bits
    return octets.view(np.uint64)


def unpack_rows(words: Words) -> NDArray[np.int64]:
    """Numbers of the rows whose bit is set."""
    some = np.flatnonzero(words)
    bits = np.unpackbits(words[some].view(np.uint8), bitorder="little")
    places = np.flatnonzero(bits.view(np.bool_))
    found: NDArray[np.int64] = (some[places >> 6] << 6) + (places & 63)
    return found
