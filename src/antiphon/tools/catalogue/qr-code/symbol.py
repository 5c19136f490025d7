"""QR symbol: its fixed patterns, the codewords and the best mask."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from itertools import pairwise

LEVELS = {"L": 1, "M": 0, "Q": 3, "H": 2}
ALIGNMENT = {
    1: (),
    2: (6, 18),
    3: (6, 22),
    4: (6, 26),
    5: (6, 30),
    6: (6, 34),
    7: (6, 22, 38),
    8: (6, 24, 42),
    9: (6, 26, 46),
    10: (6, 28, 50),
}
MASKS: tuple[Callable[[int, int], bool], ...] = (
    lambda x, y: (x + y) % 2 == 0,
    lambda _, y: y % 2 == 0,
    lambda x, _: x % 3 == 0,
    lambda x, y: (x + y) % 3 == 0,
    lambda x, y: (x // 3 + y // 2) % 2 == 0,
    lambda x, y: x * y % 2 + x * y % 3 == 0,
    lambda x, y: (x * y % 2 + x * y % 3) % 2 == 0,
    lambda x, y: ((x + y) % 2 + x * y % 3) % 2 == 0,
)
# A finder with its light side, read from the left and from the right.
FINDER_LIKE = ("10111010000", "00001011101")


class Symbol:
    """`modules[y][x]` is true where it is dark."""

    def __init__(self, version: int, level: str, codewords: bytes) -> None:
        self.version, self.level = version, level
        self.size = version * 4 + 17
        self.modules = [[False] * self.size for _ in range(self.size)]
        self.fixed = [[False] * self.size for _ in range(self.size)]
        self.draw_patterns()
        self.draw_codewords(codewords)
        self.mask = min(range(8), key=self.penalty_of)
        self.draw_format(self.mask)
        self.apply(self.mask)

    def set(self, x: int, y: int, dark: bool) -> None:
        self.modules[y][x] = dark
        self.fixed[y][x] = True

    def draw_patterns(self) -> None:
        for at in range(self.size):
            self.set(at, 6, at % 2 == 0)
            self.set(6, at, at % 2 == 0)
        last = self.size - 4
        for x, y in ((3, 3), (last, 3), (3, last)):
            self.draw_finder(x, y)
        places = ALIGNMENT[self.version]
        corners = ((6, 6), (6, self.size - 7), (self.size - 7, 6))
        for x in places:
            for y in places:
                if (x, y) not in corners:
                    self.draw_alignment(x, y)
        self.draw_format(0)  # keeps the place
        self.draw_version()

    def draw_finder(self, x: int, y: int) -> None:
        for down in range(-4, 5):
            for right in range(-4, 5):
                ring = max(abs(down), abs(right))
                if 0 <= x + right < self.size and 0 <= y + down < self.size:
                    self.set(x + right, y + down, ring not in (2, 4))

    def draw_alignment(self, x: int, y: int) -> None:
        for down in range(-2, 3):
            for right in range(-2, 3):
                self.set(x + right, y + down, max(abs(down), abs(right)) != 1)

    def draw_format(self, mask: int) -> None:
        data = LEVELS[self.level] << 3 | mask
        bits = (data << 10 | divided(data, 10, 0x537)) ^ 0x5412
        for at in range(15):
            dark = bool(bits >> at & 1)
            # Around the upper left finder, with the timing patterns left out.
            if at < 8:
                self.set(8, at + (at >= 6), dark)
                self.set(self.size - 1 - at, 8, dark)
            else:
                self.set(7 if at == 8 else 14 - at, 8, dark)
                self.set(8, self.size - 15 + at, dark)
        self.set(8, self.size - 8, True)

    def draw_version(self) -> None:
        if self.version < 7:
            return
        bits = self.version << 12 | divided(self.version, 12, 0x1F25)
        for at in range(18):
            far, near = self.size - 11 + at % 3, at // 3
            self.set(far, near, bool(bits >> at & 1))
            self.set(near, far, bool(bits >> at & 1))

    def path(self) -> Iterator[tuple[int, int]]:
        """Places for data: two columns at a time from the right, up and down in turn."""
        upward = True
        right = self.size - 1
        while right > 0:
            if right == 6:  # the timing pattern has this column
                right = 5
            for step in range(self.size):
                y = self.size - 1 - step if upward else step
                for x in (right, right - 1):
                    if not self.fixed[y][x]:
                        yield x, y
            upward = not upward
            right -= 2

    def draw_codewords(self, codewords: bytes) -> None:
        bits = (byte >> shift & 1 for byte in codewords for shift in range(7, -1, -1))
        for x, y in self.path():
            self.modules[y][x] = bool(next(bits, 0))

    def apply(self, mask: int) -> None:
        for y in range(self.size):
            for x in range(self.size):
                if not self.fixed[y][x]:
                    self.modules[y][x] ^= MASKS[mask](x, y)

    def penalty_of(self, mask: int) -> int:
        self.draw_format(mask)
        self.apply(mask)
        rows = ["".join("01"[dark] for dark in row) for row in self.modules]
        self.apply(mask)  # twice is not at all
        columns = ["".join(column) for column in zip(*rows, strict=True)]
        return penalty(rows, columns)


def divided(data: int, degree: int, polynomial: int) -> int:
    left = data
    for _ in range(degree):
        left = left << 1 ^ (left >> (degree - 1) & 1) * polynomial
    return left


def penalty(rows: list[str], columns: list[str]) -> int:
    """How hard it is to read: long runs, blocks, what looks like a finder, too much of one kind."""
    size = len(rows)
    total = 0
    for line in rows + columns:
        for dark in "01":
            runs = line.split("1" if dark == "0" else "0")
            total += sum(len(run) - 2 for run in runs if len(run) >= 5)
        for like in FINDER_LIKE:
            total += 40 * sum(line.startswith(like, at) for at in range(size - 10))
    for above, below in pairwise(rows):
        for at in range(size - 1):
            total += 3 * (above[at] * 2 == above[at : at + 2] == below[at : at + 2])
    dark_part = sum(row.count("1") for row in rows) * 20
    steps = abs(dark_part - size * size * 10)
    return total + 10 * ((steps + size * size - 1) // (size * size) - 1 if steps else 0)
