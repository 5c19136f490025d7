"""What of the standard library may be worked out here: it reaches nothing and ends soon. What
depends on chance or on the clock is stood in for, so that several outcomes can be compared."""

from __future__ import annotations

import ast
import datetime
import math
import re
from types import SimpleNamespace
from typing import Any

LARGEST = 200
LONGEST = 25  # of a text that a pattern is tried on: no pattern takes long for so little


class TooMuch(Exception):
    """It would take too long, or is none of what is known here."""


class Chance:
    """Stands in for chance and clock: first this `share` of what is possible, then `step` more."""

    def __init__(self, share: float, step: float) -> None:
        self._first = share
        self._step = step
        self.restart()

    def restart(self) -> None:
        self.share = self._first
        self.used = False

    def random(self) -> float:
        drawn = self.share
        self.used = True
        self.share = (self.share + self._step) % 1.0
        return drawn

    def uniform(self, low: float, high: float) -> float:
        return low + (high - low) * self.random()

    def randint(self, low: int, high: int) -> int:
        return self.randrange(low, high + 1)

    def randrange(self, start: int, stop: int | None = None) -> int:
        low, high = (0, start) if stop is None else (start, stop)
        if low >= high:
            raise ValueError
        return low + int((high - low) * self.random())

    def choice(self, items: Any) -> Any:
        if not items:
            raise IndexError
        return items[int(len(items) * self.random())]

    def choices(self, items: Any, k: int = 1) -> list[Any]:
        return [self.choice(items) for _ in range(min(k, LARGEST))]

    def sample(self, items: Any, k: int) -> list[Any]:
        self.used = True
        if not 0 <= k <= len(items):
            raise ValueError
        return list(items)[len(items) - k :] if self.share > 0.5 else list(items)[:k]

    def shuffle(self, items: list[Any]) -> None:
        self.used = True
        if self.share > 0.5:
            items.reverse()

    def now(self, zone: Any = None) -> datetime.datetime:
        passed = datetime.timedelta(4000 * self.random())
        return datetime.datetime(2024, 1, 15, 12, 30, tzinfo=zone) + passed

    def today(self) -> datetime.date:
        return self.now().date()

    def time(self) -> float:
        return self.now(datetime.UTC).timestamp()


def small(function: Any) -> Any:
    def bounded(*numbers: Any) -> Any:
        if any(isinstance(n, int | float) and abs(n) > LARGEST for n in numbers):
            raise TooMuch
        return function(*numbers)

    return bounded


def short(function: Any) -> Any:
    def bounded(*given: Any, **more: Any) -> Any:
        *patterns, text = given
        if any(len(each) > LARGEST for each in patterns if isinstance(each, str)):
            raise TooMuch
        if isinstance(text, str) and len(text) > LONGEST:
            raise TooMuch
        try:
            return function(*given, **more)
        except re.error:
            raise TooMuch from None

    return bounded


MATH = {
    name: getattr(math, name)
    for name in (
        "sqrt", "floor", "ceil", "trunc", "fabs", "fmod", "modf", "hypot", "gcd", "lcm", "log",
        "log2", "log10", "sin", "cos", "tan", "asin", "acos", "atan", "atan2", "degrees", "radians",
        "isclose", "isnan", "isinf", "isqrt", "copysign", "dist", "fsum", "prod", "pi", "e", "tau",
        "inf",
    )
}  # fmt: skip
MATH |= {name: small(getattr(math, name)) for name in ("factorial", "comb", "perm", "exp", "pow")}
RE = {
    name: short(getattr(re, name))
    for name in ("match", "search", "fullmatch", "findall", "sub", "split")
}
RE |= {name: getattr(re, name) for name in ("escape", "IGNORECASE", "I", "MULTILINE", "M")}


def library(chance: Chance) -> dict[str, Any]:
    """The modules, by name."""
    stood_in = ("random", "uniform", "randint", "randrange", "choice", "choices", "sample")
    clock = {"now": chance.now, "utcnow": chance.now, "today": chance.now}
    modules: dict[str, dict[str, Any]] = {
        "math": MATH,
        "re": RE,
        "random": {name: getattr(chance, name) for name in (*stood_in, "shuffle")},
        "time": {"time": chance.time, "monotonic": chance.time, "perf_counter": chance.time},
        "datetime": {
            "timedelta": datetime.timedelta,
            "UTC": datetime.UTC,
            "timezone": SimpleNamespace(utc=datetime.UTC),
            "date": Kind(datetime.date, {"today": chance.today}),
            "datetime": Kind(datetime.datetime, clock),
        },
    }
    return {name: SimpleNamespace(**found) for name, found in modules.items()}


class Kind:
    """A class of the library whose own functions partly depend on the clock."""

    def __init__(self, made: Any, clock: dict[str, Any]) -> None:
        self._made = made
        self.fromisoformat = made.fromisoformat
        for name, function in clock.items():
            setattr(self, name, function)

    def __call__(self, *given: Any, **more: Any) -> Any:
        return self._made(*given, **more)


METHODS: dict[Any, set[str]] = {
    re.Match: {"group", "groups", "groupdict", "start", "end", "span"},
    datetime.date: {"isoformat", "weekday", "isoweekday", "replace", "toordinal", "strftime"},
    datetime.datetime: {
        "isoformat", "weekday", "isoweekday", "replace", "date", "time", "timestamp", "strftime",
    },
    datetime.timedelta: {"total_seconds"},
}  # fmt: skip
ATTRIBUTES: dict[Any, set[str]] = {
    datetime.date: {"year", "month", "day"},
    datetime.datetime: {"year", "month", "day", "hour", "minute", "second"},
    datetime.timedelta: {"days", "seconds"},
}
WRITTEN = (datetime.date, datetime.timedelta)  # that a test can write down


def imported(tree: ast.Module, modules: dict[str, Any]) -> dict[str, Any]:
    """What the imports of a module name, as far as it is known here."""
    found: dict[str, Any] = {}
    for node in tree.body:
        if isinstance(node, ast.Import):
            for name in node.names:
                if name.name in modules:
                    found[name.asname or name.name] = modules[name.name]
        elif isinstance(node, ast.ImportFrom) and node.module in modules:
            for name in node.names:
                value = getattr(modules[node.module], name.name, None)
                if value is not None:
                    found[name.asname or name.name] = value
    return found
