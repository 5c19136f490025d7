"""The five fields of a cron expression."""

from __future__ import annotations

import re
from dataclasses import dataclass
from datetime import date

from antiphon.toolkit import invalid
from antiphon.toolkit.language import MONTHS_SHORT, WEEKDAYS_SHORT

MONTHS = tuple(name.upper() for name in MONTHS_SHORT)
# Cron counts the days from Sunday.
DAYS = tuple(name.upper() for name in (WEEKDAYS_SHORT[-1], *WEEKDAYS_SHORT[:-1]))
NAMED = {
    "@yearly": "0 0 1 1 *", "@annually": "0 0 1 1 *", "@monthly": "0 0 1 * *",
    "@weekly": "0 0 * * 0", "@daily": "0 0 * * *", "@midnight": "0 0 * * *",
    "@hourly": "0 * * * *",
}  # fmt: skip
FIELDS = (
    ("minute", 0, 59, ()), ("hour", 0, 23, ()), ("day of month", 1, 31, ()),
    ("month", 1, 12, MONTHS), ("day of week", 0, 7, DAYS),
)  # fmt: skip
PART = re.compile(r"(?P<first>\*|\?|\w+)(?:-(?P<last>\w+))?(?:/(?P<step>\d{1,4}))?", re.ASCII)


@dataclass(frozen=True)
class CronExpression:
    text: str
    parts: tuple[str, ...]
    minutes: frozenset[int]
    hours: frozenset[int]
    days: frozenset[int]
    months: frozenset[int]
    weekdays: frozenset[int]

    def on_day(self, day: date) -> bool:
        if day.month not in self.months:
            return False
        of_month = day.day in self.days
        of_week = day.isoweekday() % 7 in self.weekdays
        free_month, free_week = self.parts[2][0] in "*?", self.parts[4][0] in "*?"
        if free_month or free_week:
            return of_month and of_week
        return of_month or of_week


def parse_expression(text: str) -> CronExpression:
    plain = " ".join(text.split())
    if plain.startswith("@"):
        if plain.lower() not in NAMED:
            known = ", ".join(sorted(NAMED))
            raise invalid("/expression", f"{plain[:40]!r} is not known; use one of {known}.")
        plain = NAMED[plain.lower()]
    parts = plain.upper().split()
    if len(parts) != 5:
        raise invalid(
            "/expression",
            f"has {len(parts)} fields; 5 are needed: minute, hour, day of month, month and "
            "day of week.",
        )
    sets = [parse_field(part, *field) for part, field in zip(parts, FIELDS, strict=True)]
    weekdays = frozenset(day % 7 for day in sets[4])
    return CronExpression(plain.upper(), tuple(parts), sets[0], sets[1], sets[2], sets[3], weekdays)


def parse_field(
    text: str, label: str, low: int, high: int, names: tuple[str, ...]
) -> frozenset[int]:
    found: set[int] = set()
    for part in text.split(","):
        match = PART.fullmatch(part)
        if not match:
            raise invalid("/expression", f"{label}: {part[:40]!r} cannot be read.")
        step = int(match["step"] or 1)
        if step < 1:
            raise invalid("/expression", f"{label}: a step must be 1 or more.")
        if match["first"] in "*?":
            first, last = low, 6 if label == "day of week" else high
        else:
            first = number(match["first"], label, low, high, names)
            last = number(match["last"], label, low, high, names) if match["last"] else first
            last = high if match["step"] and not match["last"] else last
        if first > last:
            raise invalid("/expression", f"{label}: the range {part} runs backwards.")
        found.update(range(first, last + 1, step))
    return frozenset(found)


def number(text: str, label: str, low: int, high: int, names: tuple[str, ...]) -> int:
    if text in names:
        return names.index(text) + (1 if len(names) == 12 else 0)
    if not text.isdigit() or not low <= int(text[:6]) <= high:
        raise invalid("/expression", f"{label}: {text[:20]!r} is not between {low} and {high}.")
    return int(text)
