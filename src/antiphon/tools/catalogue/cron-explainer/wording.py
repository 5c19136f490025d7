"""Wording of a cron expression in English."""

from __future__ import annotations

from antiphon.toolkit.language import MONTHS, WEEKDAYS

from .expression import CronExpression

DAYS = (WEEKDAYS[-1], *WEEKDAYS[:-1])


def explain(cron: CronExpression) -> str:
    parts = [describe_times(cron)]
    free_month, free_week = cron.parts[2][0] in "*?", cron.parts[4][0] in "*?"
    days = describe_set(cron.days, [str(n) for n in range(32)])
    month_days = f"on day {days} of the month" if not covers(cron.days, 1, 31) else ""
    week_days = "" if len(cron.weekdays) == 7 else describe_weekdays(cron.weekdays)
    if month_days and week_days and not (free_month or free_week):
        parts.append(f"{month_days} or {week_days}")
    else:
        parts += [part for part in (month_days, week_days) if part]
    if not covers(cron.months, 1, 12):
        parts.append(f"in {describe_set(cron.months, ['', *MONTHS])}")
    if len(parts) == 1 and parts[0].startswith("At ") and "hour" not in parts[0]:
        parts.append("every day")
    return ", ".join(parts) + "."


def describe_times(cron: CronExpression) -> str:
    minutes, hours = cron.minutes, cron.hours
    if covers(minutes, 0, 59):
        start = "Every minute"
        return start if covers(hours, 0, 23) else f"{start} of the hours {describe_hours(hours)}"
    if len(minutes) * len(hours) <= 6:
        shown = [f"{hour:02}:{minute:02}" for hour in sorted(hours) for minute in sorted(minutes)]
        return f"At {join_words(shown)}"
    step = common_step(minutes, 60)
    if step:
        start = f"Every {step} minutes"
    elif minutes == {0}:
        start = "Every hour" if covers(hours, 0, 23) else "On the hour"
    else:
        start = f"At minute {join_words([str(m) for m in sorted(minutes)])}"
    if covers(hours, 0, 23):
        return start if step or minutes == {0} else f"{start} of every hour"
    every = common_step(hours, 24)
    return (
        f"{start} every {every} hours" if every else f"{start} of the hours {describe_hours(hours)}"
    )


def describe_hours(hours: frozenset[int]) -> str:
    return describe_set(hours, [f"{n:02}" for n in range(24)])


def describe_weekdays(days: frozenset[int]) -> str:
    if days == {1, 2, 3, 4, 5}:
        return "from Monday to Friday"
    if days == {0, 6}:
        return "at weekends"
    return f"on {join_words([DAYS[day] for day in sorted(days)])}"


def describe_set(numbers: frozenset[int], names: list[str]) -> str:
    ordered = sorted(numbers)
    if len(ordered) > 2 and ordered[-1] - ordered[0] == len(ordered) - 1:
        return f"{names[ordered[0]]} to {names[ordered[-1]]}"
    return join_words([names[n] for n in ordered])


def join_words(words: list[str]) -> str:
    return words[0] if len(words) == 1 else f"{', '.join(words[:-1])} and {words[-1]}"


def covers(numbers: frozenset[int], low: int, high: int) -> bool:
    return len(numbers) == high - low + 1


def common_step(numbers: frozenset[int], size: int) -> int:
    """Return the step of numbers that go from 0 through `size` in equal steps, else 0."""
    ordered = sorted(numbers)
    if len(ordered) < 2 or ordered[0]:
        return 0
    step = ordered[1]
    return step if ordered == list(range(0, size, step)) else 0
