"""Character sets as sorted ranges of code points, and the sets that have names in patterns."""

from __future__ import annotations

import unicodedata
from collections import defaultdict
from collections.abc import Iterable
from functools import lru_cache

LAST = 0x10FFFF

Ranges = tuple[tuple[int, int], ...]

DIGITS: Ranges = ((48, 57),)
WORD: Ranges = ((48, 57), (65, 90), (95, 95), (97, 122))
SPACE: Ranges = (
    (9, 13),
    (32, 32),
    (0xA0, 0xA0),
    (0x1680, 0x1680),
    (0x2000, 0x200A),
    (0x2028, 0x2029),
    (0x202F, 0x202F),
    (0x205F, 0x205F),
    (0x3000, 0x3000),
    (0xFEFF, 0xFEFF),
)
NEWLINES: Ranges = ((10, 10), (13, 13), (0x2028, 0x2029))
EVERYTHING: Ranges = ((0, LAST),)


def merge(ranges: Iterable[tuple[int, int]]) -> Ranges:
    """Return ranges sorted, overlapping ones joined."""
    merged: list[tuple[int, int]] = []
    for low, high in sorted(ranges):
        if merged and low <= merged[-1][1] + 1:
            merged[-1] = (merged[-1][0], max(high, merged[-1][1]))
        else:
            merged.append((low, high))
    return tuple(merged)


def complement(ranges: Ranges) -> Ranges:
    """Return the ranges of all other characters."""
    gaps: list[tuple[int, int]] = []
    free = 0
    for low, high in ranges:
        if low > free:
            gaps.append((free, low - 1))
        free = high + 1
    if free <= LAST:
        gaps.append((free, LAST))
    return tuple(gaps)


def any_case(ranges: Ranges) -> Ranges:
    """Add the other case of ASCII letters: enough to see overlaps people write."""
    added = list(ranges)
    for first, shift in ((65, 32), (97, -32)):
        for low, high in ranges:
            inside = max(low, first), min(high, first + 25)
            if inside[0] <= inside[1]:
                added.append((inside[0] + shift, inside[1] + shift))
    return merge(added)


@lru_cache(maxsize=64)
def property_ranges(name: str, *, negated: bool) -> Ranges:
    """Return the characters of `\\p{name}`: exact for general categories, broad for everything
    else."""
    short = {"Letter": "L", "Alphabetic": "L", "Alpha": "L", "Number": "N", "Mark": "M"}
    short |= {"Punctuation": "P", "Symbol": "S", "Separator": "Z", "Uppercase": "Lu"}
    short |= {"Lowercase": "Ll", "Uppercase_Letter": "Lu", "Lowercase_Letter": "Ll"}
    short |= {"Decimal_Number": "Nd", "Other": "C"}
    key, _, value = name.partition("=")
    if key in ("Script", "sc", "Script_Extensions", "scx"):
        wanted = "L"
    else:
        wanted = short.get(value or key, value or key)
    found = [r for c, ranges in _categories().items() if c.startswith(wanted) for r in ranges]
    # Of what is not known, the complement is not known either.
    ranges = merge(found) if found else EVERYTHING
    return complement(ranges) if negated and found else ranges


@lru_cache(maxsize=1)
def _categories() -> dict[str, list[tuple[int, int]]]:
    """General category to ranges. Planes from the third on are ideographs or unused: letters."""
    found: dict[str, list[tuple[int, int]]] = defaultdict(list)
    scanned = 0x20000
    previous, start = unicodedata.category("\0"), 0
    for code, category in enumerate(map(unicodedata.category, map(chr, range(scanned)))):
        if category != previous:
            found[previous].append((start, code - 1))
            previous, start = category, code
    found[previous].append((start, scanned - 1))
    found["Lo"].append((scanned, LAST))
    return found
