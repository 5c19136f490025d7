"""Intervals of what was counted: Wilson's for shares, the bootstrap for means."""

from __future__ import annotations

import math
import random
from collections.abc import Sequence

_Z = 1.959963984540054  # of 95 %
_SAMPLES = 2_000


def wilson(hits: int, of: int) -> tuple[float, float]:
    """The 95 % interval of a share."""
    if of == 0:
        return 0.0, 1.0
    share, square = hits / of, _Z * _Z
    middle = (share + square / (2 * of)) / (1 + square / of)
    half = _Z * math.sqrt(share * (1 - share) / of + square / (4 * of * of)) / (1 + square / of)
    return max(0.0, middle - half), min(1.0, middle + half)


def bootstrap(values: Sequence[float], seed: int = 1) -> tuple[float, float]:
    """The 95 % interval of a mean, by drawing again what was seen."""
    draw = random.Random(seed)
    means = sorted(sum(draw.choices(values, k=len(values))) / len(values) for _ in range(_SAMPLES))
    return means[int(0.025 * _SAMPLES)], means[int(0.975 * _SAMPLES)]
