"""Date-time styles as they are written."""

from __future__ import annotations

from datetime import UTC, datetime

from .locales import EN_GB, LOCALES, Locale
from .moments import Moment, offset_text
from .spoken_form import speak


def render(style: str, moment: Moment, base: Moment, at: datetime, locale: Locale) -> str:
    local = moment.at
    match style:
        case "iso":
            return at.isoformat()
        case "rfc2822":
            day, month = EN_GB.days[at.weekday()][:3], EN_GB.months[at.month - 1][:3]
            offset = at.isoformat()[-6:].replace(":", "")
            return f"{day}, {at.day:02} {month} {at.year:04} {at:%H:%M:%S} {offset}"
        case "date":
            return write_date(local, locale.date, locale)
        case "time":
            return write_time(local, locale)
        case "relative":
            return relative(moment, base, locale)
        case "spoken":
            return speak(moment, base, locale)
    pattern = {"short": locale.short, "medium": locale.medium}.get(style, locale.date)
    text = write_date(local, pattern, locale)
    if style == "full":
        text = locale.weekday_date.format(day=locale.days[local.weekday()], date=text)
    if not moment.has_time:
        return text
    clock = write_time(local, locale)
    if style in ("short", "medium"):
        return locale.join_short.format(date=text, time=clock)
    return f"{locale.join_long.format(date=text, time=clock)} {zone_label(local)}"


def write_date(at: datetime, pattern: str, locale: Locale) -> str:
    return pattern.format(
        d=at.day,
        d1er="1er" if at.day == 1 else at.day,
        dd=f"{at.day:02}",
        m=at.month,
        mm=f"{at.month:02}",
        mon=locale.months_short[at.month - 1],
        month=locale.months[at.month - 1],
        y=f"{at.year:04}" if at.year < 1000 else at.year,
    )


def write_time(at: datetime, locale: Locale) -> str:
    if not locale.twelve_hours:
        return f"{at:%H:%M}"
    return f"{at.hour % 12 or 12}:{at.minute:02} {'AM' if at.hour < 12 else 'PM'}"


def zone_label(at: datetime) -> str:
    name = at.tzname() or ""
    # Many zones have no abbreviation of their own; the database then gives bare digits.
    return name if name.isalpha() and name != "LMT" else f"UTC{offset_text(at)}"


def relative(moment: Moment, base: Moment, locale: Locale) -> str:
    at, origin = moment.at, base.at
    seconds = (at.astimezone(UTC) - origin.astimezone(UTC)).total_seconds()
    days = at.toordinal() - origin.toordinal()
    minutes = int(abs(seconds) / 60 + 0.5)
    if moment.has_time and base.has_time:
        if abs(seconds) < 30:
            return locale.near["now"]
        if minutes < 60:
            return distance(minutes, "minute", seconds > 0, locale)
        if days == 0:
            return distance(int(minutes / 60 + 0.5), "hour", seconds > 0, locale)
    if abs(days) <= 1:
        day = locale.near[str(days)]
        if not moment.has_time:
            return day
        text = locale.at_time.format(day=day, time=write_time(at, locale))
        return text.replace("a las 01:", "a la 01:") if locale is LOCALES["es"] else text
    earlier, later = sorted((at.date(), origin.date()))
    months = (later.year - earlier.year) * 12 + later.month - earlier.month
    months -= later.day < earlier.day
    if months >= 12:
        return distance(months // 12, "year", days > 0, locale)
    if months >= 1:
        return distance(months, "month", days > 0, locale)
    if abs(days) >= 14:
        return distance(abs(days) // 7, "week", days > 0, locale)
    return distance(abs(days), "day", days > 0, locale)


def distance(n: int, unit: str, future: bool, locale: Locale) -> str:
    one, many = locale.units[unit]
    pattern = locale.future if future else locale.past
    return pattern.format(n=n, unit=one if n == 1 else many)
