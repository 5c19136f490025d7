"""What the benchmarks share: timing, medians, a table, and one JSON object as the last line."""

from __future__ import annotations

import argparse
import json
import statistics
import time
from collections.abc import Callable, Sequence
from typing import Any


def arguments(description: str) -> argparse.Namespace:
    """`--quick` and nothing else: a benchmark that needs more has its own parser."""
    parser = argparse.ArgumentParser(description=description)
    parser.add_argument("--quick", action="store_true", help="a smaller run, for a first look")
    return parser.parse_args()


def seconds(work: Callable[[], Any]) -> float:
    """How long `work` takes, once."""
    start = time.perf_counter()
    work()
    return time.perf_counter() - start


def each(work: Callable[[], Any], times: int) -> float:
    """Seconds per call of `work`, over `times` calls in a row."""
    turns = range(times)
    start = time.perf_counter()
    for _ in turns:
        work()
    return (time.perf_counter() - start) / times


def interleaved(works: Sequence[Callable[[], float]], rounds: int) -> list[float]:
    """Median of what each of `works` measures, taken in turns so that noise falls on all alike."""
    found: list[list[float]] = [[] for _ in works]
    for _ in range(rounds):
        for work, results in zip(works, found, strict=True):
            results.append(work())
    return [statistics.median(results) for results in found]


def table(title: str, rows: Sequence[tuple[str, str, str]]) -> None:
    """What was measured, the figure, and the goal or a remark."""
    print(title)
    wide, broad = (max(len(row[column]) for row in rows) for column in (0, 1))
    for name, figure, remark in rows:
        print(f"  {name:<{wide}}  {figure:>{broad}}  {remark}".rstrip())


def verdict(met: bool, goal: str) -> str:
    return f"goal {goal}: {'met' if met else 'MISSED'}"


def result(body: dict[str, Any]) -> None:
    """The last line, for programs."""
    print(json.dumps({k: round(v, 4) if isinstance(v, float) else v for k, v in body.items()}))
