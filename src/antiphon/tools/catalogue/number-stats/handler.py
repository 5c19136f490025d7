"""Descriptive statistics of numbers: centre, spread, quartiles, outliers."""

from __future__ import annotations

from collections import Counter
from fractions import Fraction
from math import sqrt
from typing import Any

from antiphon import ok


def execute(args: dict[str, Any], context: Any) -> Any:
    # Fractions: sums of decimals come out as people expect them, in any order.
    numbers = sorted(Fraction(str(number)) for number in args["numbers"])
    count = len(numbers)
    mean = sum(numbers, Fraction(0)) / count
    squares = sum(((number - mean) ** 2 for number in numbers), Fraction(0))
    low, middle, high = (quantile(numbers, Fraction(part, 4)) for part in (1, 2, 3))
    reach = (high - low) * Fraction(3, 2)
    outliers = [number for number in numbers if not low - reach <= number <= high + reach]
    data: dict[str, Any] = {
        "count": count,
        "sum": round_float(sum(numbers, Fraction(0))),
        "mean": round_float(mean),
        "median": round_float(middle),
        "mode": [round_float(number) for number in modes(numbers)],
        "min": round_float(numbers[0]),
        "max": round_float(numbers[-1]),
        "range": round_float(numbers[-1] - numbers[0]),
        "population_stdev": round_float(sqrt(squares / count)),
        "q1": round_float(low),
        "q3": round_float(high),
        "iqr": round_float(high - low),
        "outliers": [round_float(number) for number in outliers[:100]],
        "percentiles": [
            {
                "percent": percent,
                "value": round_float(quantile(numbers, Fraction(str(percent)) / 100)),
            }
            for percent in args["percentiles"]
        ],
    }
    if count > 1:
        data["stdev"] = round_float(sqrt(squares / (count - 1)))
        data["variance"] = round_float(squares / (count - 1))
    return ok(data)


def quantile(numbers: list[Fraction], part: Fraction) -> Fraction:
    """Interpolate a quantile between the two nearest values (inclusive, as spreadsheets do)."""
    place = (len(numbers) - 1) * part
    below = int(place)
    above = min(below + 1, len(numbers) - 1)
    return numbers[below] + (numbers[above] - numbers[below]) * (place - below)


def modes(numbers: list[Fraction]) -> list[Fraction]:
    """Return the commonest numbers; none if every number is there once."""
    counts = Counter(numbers)
    most = max(counts.values())
    if most == 1:
        return []
    return [number for number in sorted(counts) if counts[number] == most][:20]


def round_float(number: Fraction | float) -> float:
    return float(f"{float(number):.12g}")
