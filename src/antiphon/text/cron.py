"""Cron expressions: their fields, their meaning in words, and the next times they fire."""

from __future__ import annotations

import re
from dataclasses import dataclass
from datetime import UTC, date, datetime, timedelta, tzinfo

from antiphon.text.calendar_names import MONTHS, MONTHS_SHORT, WEEKDAYS, WEEKDAYS_SHORT

# 29 February on a given weekday comes round within 28 years, 40 with a century between.
YEARS = 41

_MONTHS = tuple(name.upper() for name in MONTHS_SHORT)
# Cron counts the days from Sunday.
_DAYS = tuple(name.upper() for name in (WEEKDAYS_SHORT[-1], *WEEKDAYS_SHORT[:-1]))
NAMED = {
    "@yearly": "0 0 1 1 *", "@annually": "0 0 1 1 *", "@monthly": "0 0 1 * *",
    "@weekly": "0 0 * * 0", "@daily": "0 0 * * *", "@midnight": "0 0 * * *",
    "@hourly": "0 * * * *",
}  # fmt: skip
FIELDS = (
    ("minute", 0, 59, ()), ("hour", 0, 23, ()), ("day of month", 1, 31, ()),
    ("month", 1, 12, _MONTHS), ("day of week", 0, 7, _DAYS),
)  # fmt: skip
PART = re.compile(r"(?P<first>\*|\?|\w+)(?:-(?P<last>\w+))?(?:/(?P<step>\d{1,4}))?", re.ASCII)


class CronError(ValueError):
    """A cron expression that cannot be used, in words."""


@dataclass(frozen=True)
class CronExpression:
    """The times that an expression names: the values of each field."""

    text: str
    parts: tuple[str, ...]
    minutes: frozenset[int]
    hours: frozenset[int]
    days: frozenset[int]
    months: frozenset[int]
    weekdays: frozenset[int]

    def on_day(self, day: date) -> bool:
        """Whether it fires on a day."""
        if day.month not in self.months:
            return False
        of_month = day.day in self.days
        of_week = day.isoweekday() % 7 in self.weekdays
        free_month, free_week = self.parts[2][0] in "*?", self.parts[4][0] in "*?"
        if free_month or free_week:
            return of_month and of_week
        return of_month or of_week


def parse_cron(text: str) -> CronExpression:
    """Return a cron expression of five fields, or one of the names such as `@daily`. Raises
    CronError, which says what is wrong."""
    plain = " ".join(text.split())
    if plain.startswith("@"):
        if plain.lower() not in NAMED:
            known = ", ".join(sorted(NAMED))
            raise CronError(f"{plain[:40]!r} is not known; use one of {known}.")
        plain = NAMED[plain.lower()]
    parts = plain.upper().split()
    if len(parts) != 5:
        raise CronError(
            f"has {len(parts)} fields; 5 are needed: minute, hour, day of month, month and "
            "day of week.",
        )
    sets = [_parse_field(part, *field) for part, field in zip(parts, FIELDS, strict=True)]
    weekdays = frozenset(day % 7 for day in sets[4])
    return CronExpression(plain.upper(), tuple(parts), sets[0], sets[1], sets[2], sets[3], weekdays)


def _parse_field(
    text: str, label: str, low: int, high: int, names: tuple[str, ...]
) -> frozenset[int]:
    found: set[int] = set()
    for part in text.split(","):
        match = PART.fullmatch(part)
        if not match:
            raise CronError(f"{label}: {part[:40]!r} cannot be read.")
        step = int(match["step"] or 1)
        if step < 1:
            raise CronError(f"{label}: a step must be 1 or more.")
        if match["first"] in "*?":
            first, last = low, 6 if label == "day of week" else high
        else:
            first = _number(match["first"], label, low, high, names)
            last = _number(match["last"], label, low, high, names) if match["last"] else first
            last = high if match["step"] and not match["last"] else last
        if first > last:
            raise CronError(f"{label}: the range {part} runs backwards.")
        found.update(range(first, last + 1, step))
    return frozenset(found)


def _number(text: str, label: str, low: int, high: int, names: tuple[str, ...]) -> int:
    if text in names:
        return names.index(text) + (1 if len(names) == 12 else 0)
    if not text.isdigit() or not low <= int(text[:6]) <= high:
        raise CronError(f"{label}: {text[:20]!r} is not between {low} and {high}.")
    return int(text)


def next_times(cron: CronExpression, after: datetime, zone: tzinfo, count: int) -> list[datetime]:
    """Return the next times after a moment, in `zone`.

    A time that the clocks skip comes as much later as they are put forward. One that comes twice
    counts the first time, and each time where the expression names every hour.
    """
    found: list[datetime] = []
    day = after.astimezone(zone).date()
    last = day.replace(year=day.year + YEARS, day=1)
    folds = (0, 1) if _covers(cron.hours, 0, 23) else (0,)
    while day <= last and len(found) < count:
        if cron.on_day(day):
            moments = {
                datetime(
                    day.year, day.month, day.day, hour, minute, tzinfo=zone, fold=fold
                ).astimezone(UTC)
                for hour in cron.hours
                for minute in cron.minutes
                for fold in folds
            }
            found += [moment.astimezone(zone) for moment in sorted(moments) if moment > after]
        day += timedelta(days=1)
    return found[:count]


_WEEKDAYS = (WEEKDAYS[-1], *WEEKDAYS[:-1])


def explain_cron(cron: CronExpression) -> str:
    """Return what an expression means, in English."""
    parts = [_describe_times(cron)]
    free_month, free_week = cron.parts[2][0] in "*?", cron.parts[4][0] in "*?"
    days = _describe_set(cron.days, [str(n) for n in range(32)])
    month_days = f"on day {days} of the month" if not _covers(cron.days, 1, 31) else ""
    week_days = "" if len(cron.weekdays) == 7 else _describe_weekdays(cron.weekdays)
    if month_days and week_days and not (free_month or free_week):
        parts.append(f"{month_days} or {week_days}")
    else:
        parts += [part for part in (month_days, week_days) if part]
    if not _covers(cron.months, 1, 12):
        parts.append(f"in {_describe_set(cron.months, ['', *MONTHS])}")
    if len(parts) == 1 and parts[0].startswith("At ") and "hour" not in parts[0]:
        parts.append("every day")
    return ", ".join(parts) + "."


def _describe_times(cron: CronExpression) -> str:
    minutes, hours = cron.minutes, cron.hours
    if _covers(minutes, 0, 59):
        start = "Every minute"
        return start if _covers(hours, 0, 23) else f"{start} of the hours {_describe_hours(hours)}"
    if len(minutes) * len(hours) <= 6:
        shown = [f"{hour:02}:{minute:02}" for hour in sorted(hours) for minute in sorted(minutes)]
        return f"At {_join_words(shown)}"
    step = _common_step(minutes, 60)
    if step:
        start = f"Every {step} minutes"
    elif minutes == {0}:
        start = "Every hour" if _covers(hours, 0, 23) else "On the hour"
    else:
        start = f"At minute {_join_words([str(m) for m in sorted(minutes)])}"
    if _covers(hours, 0, 23):
        return start if step or minutes == {0} else f"{start} of every hour"
    every = _common_step(hours, 24)
    return (
        f"{start} every {every} hours"
        if every
        else f"{start} of the hours {_describe_hours(hours)}"
    )


def _describe_hours(hours: frozenset[int]) -> str:
    return _describe_set(hours, [f"{n:02}" for n in range(24)])


def _describe_weekdays(days: frozenset[int]) -> str:
    if days == {1, 2, 3, 4, 5}:
        return "from Monday to Friday"
    if days == {0, 6}:
        return "at weekends"
    return f"on {_join_words([_WEEKDAYS[day] for day in sorted(days)])}"


def _describe_set(numbers: frozenset[int], names: list[str]) -> str:
    ordered = sorted(numbers)
    if len(ordered) > 2 and ordered[-1] - ordered[0] == len(ordered) - 1:
        return f"{names[ordered[0]]} to {names[ordered[-1]]}"
    return _join_words([names[n] for n in ordered])


def _join_words(words: list[str]) -> str:
    return words[0] if len(words) == 1 else f"{', '.join(words[:-1])} and {words[-1]}"


def _covers(numbers: frozenset[int], low: int, high: int) -> bool:
    return len(numbers) == high - low + 1


def _common_step(numbers: frozenset[int], size: int) -> int:
    """Return the step of numbers that go from 0 through `size` in equal steps, else 0."""
    ordered = sorted(numbers)
    if len(ordered) < 2 or ordered[0]:
        return 0
    step = ordered[1]
    return step if ordered == list(range(0, size, step)) else 0
