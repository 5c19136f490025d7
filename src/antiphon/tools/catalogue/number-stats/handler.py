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
        "sum": tidy(sum(numbers, Fraction(0))),
        "mean": tidy(mean),
        "median": tidy(middle),
        "mode": [tidy(number) for number in modes(numbers)],
        "min": tidy(numbers[0]),
        "max": tidy(numbers[-1]),
        "range": tidy(numbers[-1] - numbers[0]),
        "population_stdev": tidy(sqrt(squares / count)),
        "q1": tidy(low),
        "q3": tidy(high),
        "iqr": tidy(high - low),
        "outliers": [tidy(number) for number in outliers[:100]],
        "percentiles": [
            {"percent": percent, "value": tidy(quantile(numbers, Fraction(str(percent)) / 100))}
            for percent in args["percentiles"]
        ],
    }
    if count > 1:
        data["stdev"] = tidy(sqrt(squares / (count - 1)))
        data["variance"] = tidy(squares / (count - 1))
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


def tidy(number: Fraction | float) -> float:
    return float(f"{float(number):.12g}")
