"""Formats one instant in a time zone, language and style; pure but for the injected time."""

from __future__ import annotations

import difflib
import re
from datetime import UTC, date, datetime, time, timedelta, timezone, tzinfo
from decimal import Decimal
from functools import cache
from typing import Any, NamedTuple
from zoneinfo import ZoneInfo, available_timezones

from antiphon import ErrorType, ToolError, ok

EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
EPOCH_MIN, EPOCH_MAX = -62_135_596_800, 253_402_300_799
MILLISECONDS_FROM = 100_000_000_000
FORMS = (
    "Use an ISO 8601 date-time (2026-03-03T14:30:00Z), a date (2026-03-03), "
    "a time (17:05 or 17:05+02:00), an epoch number or 'now'."
)
# Machine-dependent or leap-second variants of the database, not zones a person means.
NOT_ZONES = {"localtime", "posixrules", "Factory", "leapseconds", "tzdata.zi"}
ABBREVIATIONS = {
    "PST": ["America/Los_Angeles"],
    "PDT": ["America/Los_Angeles"],
    "MDT": ["America/Denver"],
    "CST": ["America/Chicago", "Asia/Shanghai"],
    "CDT": ["America/Chicago"],
    "EDT": ["America/New_York"],
    "BST": ["Europe/London", "Asia/Dhaka"],
    "CEST": ["Europe/Paris", "Europe/Berlin"],
    "EEST": ["Europe/Athens"],
    "IST": ["Asia/Kolkata", "Europe/Dublin", "Asia/Jerusalem"],
    "JST": ["Asia/Tokyo"],
    "AEST": ["Australia/Sydney", "Australia/Brisbane"],
    "AEDT": ["Australia/Sydney"],
}

_SECONDS = r"(?::?(?P<second>\d{2})(?:[.,](?P<fraction>\d{1,12}))?)?"
_TIME = rf"(?P<hour>\d{{2}})(?::?(?P<minute>\d{{2}}){_SECONDS})?"
# Alone, a time needs its colon: four bare digits are a year to most readers.
_CLOCK = rf"(?P<hour>\d{{2}}):(?P<minute>\d{{2}}){_SECONDS}"
_OFFSET = r"(?P<offset>[Zz]|[+-]\d{2}(?::?\d{2})?)?"
_DATE = r"(?P<year>\d{4})-(?P<month>\d{2})-(?P<day>\d{2})|(?P<compact>\d{8})"
DATE_TIME = re.compile(rf"(?:{_DATE})(?:[Tt ]{_TIME}\s?{_OFFSET})?", re.ASCII)
TIME_ONLY = re.compile(rf"[Tt]?{_CLOCK}\s?{_OFFSET}", re.ASCII)
NUMBER = re.compile(r"[+-]?\d{1,20}(?:\.\d{1,12})?", re.ASCII)
WEEK_OR_ORDINAL = re.compile(r"\d{4}-?W\d{2}.*|\d{4}-\d{3}(?:[Tt ].*)?", re.ASCII)
WIDE_YEAR = re.compile(r"[+-]\d{4,}-\d{2}.*|\d{5,}-\d{2}-\d{2}.*", re.ASCII)


class Moment(NamedTuple):
    """An instant in the zone asked for, and how much of it the caller really gave."""

    at: datetime
    has_time: bool
    notes: list[str]


async def execute(args: dict[str, Any], context: Any) -> Any:
    zone = find_zone(args["timezone"])
    clock = getattr(context, "now", None)
    now = clock() if callable(clock) else datetime.now(UTC)
    locale = LOCALES[args["locale"]]
    moment = read_in_range(args, "value", zone, now)
    base = read_in_range(args, "relative_to", zone, now)
    at = whole_minute_offset(moment.at)
    formatted = render(args["style"], moment, base, at, locale)
    notes = list(moment.notes)
    if at.replace(tzinfo=None) != moment.at.replace(tzinfo=None):
        notes.append("The zone's offset at that time has seconds; iso shows it to the minute.")
    if args["style"] == "time" and not moment.has_time:
        notes.append("The value has no time of day: midnight is assumed.")
    seconds = (moment.at - EPOCH) / timedelta(seconds=1)
    data: dict[str, Any] = {
        "formatted": formatted,
        "iso": at.isoformat(),
        "timezone": args["timezone"],
        "utc_offset": at.isoformat()[-6:],
        "epoch": int(seconds) if seconds.is_integer() else seconds,
        "weekday": locale.days[moment.at.weekday()],
        "is_dst": bool(moment.at.dst()),
    }
    if notes:
        data["note"] = " ".join(notes)
    return ok(data)


def invalid(pointer: str, message: str, **details: Any) -> ToolError:
    return ToolError(ErrorType.VALIDATION, f"{pointer}: {message}", pointer=pointer, **details)


# Time zones


@cache
def zone_names() -> frozenset[str]:
    return frozenset(available_timezones() - NOT_ZONES)


def find_zone(name: str) -> ZoneInfo:
    if name in zone_names():
        return ZoneInfo(name)
    nearest = nearest_zones(name)
    hint = f" Nearest: {', '.join(nearest)}." if nearest else ""
    raise invalid(
        "/timezone",
        f"{name!r} is not an IANA time zone; use a name such as 'Europe/Paris' or 'UTC'.{hint}",
        nearest=nearest,
    )


def nearest_zones(name: str) -> list[str]:
    wanted = name.strip().replace(" ", "_").casefold()
    known = sorted(zone_names())
    offset = re.fullmatch(r"(?:utc|gmt)?([+-])0?(\d{1,2})(?::?00)?", wanted, re.ASCII)
    if offset:
        # The Etc zones count the other way round: Etc/GMT-2 is two hours ahead of UTC.
        sign = "-" if offset[1] == "+" else "+"
        return [z for z in (f"Etc/GMT{sign}{int(offset[2])}",) if z in zone_names()]
    found = list(ABBREVIATIONS.get(name.strip().upper(), ()))
    found += [z for z in known if z.casefold() == wanted]
    found += [z for z in known if z.rpartition("/")[2].casefold() == wanted]
    by_fold = {z.casefold(): z for z in known}
    by_city = {z.rpartition("/")[2].casefold(): z for z in known if "/" in z}
    for names in (by_fold, by_city):
        found += [names[m] for m in difflib.get_close_matches(wanted, names, 3, 0.75)]
    return list(dict.fromkeys(z for z in found if z in zone_names()))[:3]


# Reading


def read_in_range(args: dict[str, Any], field: str, zone: ZoneInfo, now: datetime) -> Moment:
    try:
        moment = read(args[field], f"/{field}", zone, now, args["epoch_unit"])
        whole_minute_offset(moment.at)
    except OverflowError:
        raise invalid(
            f"/{field}",
            f"{args[field]!r} falls outside the years 0001 to 9999 in {zone.key}. "
            "Use a value inside that range.",
        ) from None
    return moment


def read(value: str | float, pointer: str, zone: ZoneInfo, now: datetime, unit: str) -> Moment:
    if not isinstance(value, str):
        return read_epoch(Decimal(str(value)), pointer, zone, unit)
    text = value.strip()
    if text.casefold() == "now":
        return Moment(now.astimezone(zone), True, [])
    if NUMBER.fullmatch(text) and not (
        unit == "auto" and text.isdigit() and len(text) in (4, 6, 8)
    ):
        return read_epoch(Decimal(text), pointer, zone, unit)
    if text.isascii() and text.isdigit():
        raise invalid(
            pointer,
            f"{value!r} could be a date or an epoch. Write a date with hyphens (2026-03-03), or "
            "set `epoch_unit`.",
        )
    if WEEK_OR_ORDINAL.fullmatch(text):
        raise invalid(
            pointer, f"{value!r} is a week or ordinal date. Give year, month and day: 2026-03-03."
        )
    if WIDE_YEAR.fullmatch(text):
        raise invalid(pointer, f"{value!r} is outside the years 0001 to 9999.")
    match = DATE_TIME.fullmatch(text) or TIME_ONLY.fullmatch(text)
    if match is None:
        raise invalid(pointer, f"{value!r} is not a date or time that is understood. {FORMS}")
    return read_iso(match, value, pointer, zone, now)


def read_epoch(number: Decimal, pointer: str, zone: ZoneInfo, unit: str) -> Moment:
    in_ms = unit == "milliseconds" or (unit == "auto" and abs(number) >= MILLISECONDS_FROM)
    seconds = number / 1000 if in_ms else number
    if not EPOCH_MIN <= seconds <= EPOCH_MAX:
        read_as = "milliseconds" if in_ms else "seconds"
        raise invalid(
            pointer,
            f"{number} read as epoch {read_as} is outside the years 0001 to 9999. Microseconds "
            "and nanoseconds must be divided down to milliseconds or seconds.",
        )
    at = EPOCH + timedelta(microseconds=int(seconds * 1_000_000))
    notes = ["The epoch was read as milliseconds."] if in_ms and unit == "auto" else []
    return from_instant(at, zone, notes)


def read_iso(
    match: re.Match[str], value: str, pointer: str, zone: ZoneInfo, now: datetime
) -> Moment:
    part = match.groupdict()
    clock = read_clock(part, value, pointer)
    offset = read_offset(part["offset"], value, pointer)
    notes = []
    if "year" in part:
        compact = part["compact"]
        numbers = (
            (compact[:4], compact[4:6], compact[6:])
            if compact
            else (part["year"], part["month"], part["day"])
        )
        year, month, dom = (int(n) for n in numbers)
        if year == 0:
            raise invalid(pointer, f"{value!r}: there is no year 0; years run from 0001 to 9999.")
        try:
            day = date(year, month, dom)
        except ValueError:
            raise invalid(
                pointer, f"{value!r} is not a real date: check the month and day."
            ) from None
    else:
        day = now.astimezone(offset or zone).date()
        notes.append(f"No date was given: {day.isoformat()} (today) is assumed.")
    local = datetime.combine(day, clock or time())
    if offset is not None:
        return from_instant(local.replace(tzinfo=offset), zone, notes)
    return from_local(local, zone, clock is not None, notes)


def read_clock(part: dict[str, str | None], value: str, pointer: str) -> time | None:
    if part["hour"] is None:
        return None
    hour, minute, second = (int(part[name] or 0) for name in ("hour", "minute", "second"))
    if second == 60:
        raise invalid(
            pointer, f"{value!r} is a leap second, which clocks here do not have. Use second 59."
        )
    if hour == 24:
        raise invalid(pointer, f"{value!r}: write hour 24 as 00:00 of the next day.")
    if hour > 23 or minute > 59 or second > 59:
        raise invalid(
            pointer, f"{value!r} is not a real time: hours 00-23, minutes and seconds 00-59."
        )
    return time(hour, minute, second, int(f"{part['fraction'] or '':0<6}"[:6]))


def read_offset(text: str | None, value: str, pointer: str) -> tzinfo | None:
    if not text:
        return None
    if text in "Zz":
        return UTC
    digits = text[1:].replace(":", "")
    hours, minutes = int(digits[:2]), int(digits[2:] or 0)
    if hours > 23 or minutes > 59:
        raise invalid(pointer, f"{value!r}: the offset {text} is not between -23:59 and +23:59.")
    shift = timedelta(hours=hours, minutes=minutes)
    return timezone(-shift if text[0] == "-" else shift)


def from_instant(at: datetime, zone: ZoneInfo, notes: list[str]) -> Moment:
    local = at.astimezone(zone)
    other = local.replace(fold=1 - local.fold)
    if local.utcoffset() != other.utcoffset():
        which = "second" if local.fold else "first"
        notes = [
            *notes,
            f"{local:%H:%M} happens twice on {local.date().isoformat()} in {zone.key}; this is the "
            f"{which}, at {offset_text(local)}.",
        ]
    return Moment(local, True, notes)


def from_local(wall: datetime, zone: ZoneInfo, has_time: bool, notes: list[str]) -> Moment:
    first, second = wall.replace(tzinfo=zone), wall.replace(tzinfo=zone, fold=1)
    real = first.astimezone(UTC).astimezone(zone)
    said = f"{wall:%H:%M}"
    where = f"on {wall.date().isoformat()} in {zone.key}"
    if real.replace(tzinfo=None) != wall:
        note = f"{said} does not exist {where} (clocks go forward); it is read as {real:%H:%M}."
        return Moment(real, has_time, [*notes, note])
    if first.utcoffset() != second.utcoffset():
        note = (
            f"{said} happens twice {where} (clocks go back); the first is taken, at "
            f"{offset_text(first)}. For the second give the offset {offset_text(second)}."
        )
        return Moment(real, has_time, [*notes, note])
    return Moment(real, has_time, notes)


def whole_minute_offset(at: datetime) -> datetime:
    """The same instant at an offset RFC 3339 can write: old local mean times have seconds."""
    offset = at.utcoffset() or timedelta()
    if offset % timedelta(minutes=1) == timedelta():
        return at.astimezone(timezone(offset))
    return at.astimezone(timezone(timedelta(minutes=round(offset / timedelta(minutes=1)))))


def offset_text(at: datetime) -> str:
    return whole_minute_offset(at).isoformat()[-6:]


# Writing


class Locale(NamedTuple):
    months: tuple[str, ...]
    months_short: tuple[str, ...]
    days: tuple[str, ...]
    date: str  # {d} day, {dd} two digits, {m} {mm} month number, {mon} {month} names, {y} year
    short: str
    medium: str
    weekday_date: str  # {day} name of the day, {date} the long date
    join_short: str
    join_long: str
    twelve_hours: bool
    units: dict[str, tuple[str, str]]
    future: str
    past: str
    near: dict[str, str]  # now, and by days from today: yesterday, today, tomorrow
    at_time: str


def words(text: str) -> tuple[str, ...]:
    return tuple(text.split())


def units(text: str) -> dict[str, tuple[str, str]]:
    names = words(text)
    keys = ("minute", "hour", "day", "week", "month", "year")
    return {key: (names[2 * i], names[2 * i + 1]) for i, key in enumerate(keys)}


EN_GB = Locale(
    months=words(
        "January February March April May June July August September October November December"
    ),
    months_short=words("Jan Feb Mar Apr May Jun Jul Aug Sept Oct Nov Dec"),
    days=words("Monday Tuesday Wednesday Thursday Friday Saturday Sunday"),
    date="{d} {month} {y}",
    short="{dd}/{mm}/{y}",
    medium="{d} {mon} {y}",
    weekday_date="{day} {date}",
    join_short="{date}, {time}",
    join_long="{date} at {time}",
    twelve_hours=False,
    units=units("minute minutes hour hours day days week weeks month months year years"),
    future="in {n} {unit}",
    past="{n} {unit} ago",
    near={"now": "now", "-1": "yesterday", "0": "today", "1": "tomorrow"},
    at_time="{day} at {time}",
)
LOCALES = {
    "en-GB": EN_GB,
    "en-US": EN_GB._replace(
        months_short=words("Jan Feb Mar Apr May Jun Jul Aug Sep Oct Nov Dec"),
        date="{month} {d}, {y}",
        short="{m}/{d}/{y}",
        medium="{mon} {d}, {y}",
        weekday_date="{day}, {date}",
        twelve_hours=True,
    ),
    "de": Locale(
        months=words(
            "Januar Februar März April Mai Juni Juli August September Oktober November Dezember"
        ),
        months_short=words("Jan. Feb. März Apr. Mai Juni Juli Aug. Sept. Okt. Nov. Dez."),
        days=words("Montag Dienstag Mittwoch Donnerstag Freitag Samstag Sonntag"),
        date="{d}. {month} {y}",
        short="{dd}.{mm}.{y}",
        medium="{d}. {mon} {y}",
        weekday_date="{day}, {date}",
        join_short="{date}, {time}",
        join_long="{date} um {time}",
        twelve_hours=False,
        units=units(
            "Minute Minuten Stunde Stunden Tag Tagen Woche Wochen Monat Monaten Jahr Jahren"
        ),
        future="in {n} {unit}",
        past="vor {n} {unit}",
        near={"now": "jetzt", "-1": "gestern", "0": "heute", "1": "morgen"},
        at_time="{day} um {time}",
    ),
    "fr": Locale(
        months=words(
            "janvier février mars avril mai juin juillet août septembre octobre novembre décembre"
        ),
        months_short=words("janv. févr. mars avr. mai juin juil. août sept. oct. nov. déc."),
        days=words("lundi mardi mercredi jeudi vendredi samedi dimanche"),
        date="{d1er} {month} {y}",
        short="{dd}/{mm}/{y}",
        medium="{d1er} {mon} {y}",
        weekday_date="{day} {date}",
        join_short="{date} {time}",
        join_long="{date} à {time}",
        twelve_hours=False,
        units=units("minute minutes heure heures jour jours semaine semaines mois mois an ans"),
        future="dans {n} {unit}",
        past="il y a {n} {unit}",
        near={"now": "maintenant", "-1": "hier", "0": "aujourd'hui", "1": "demain"},
        at_time="{day} à {time}",
    ),
    "es": Locale(
        months=words(
            "enero febrero marzo abril mayo junio julio agosto septiembre octubre noviembre "
            "diciembre"
        ),
        months_short=words("ene feb mar abr may jun jul ago sept oct nov dic"),
        days=words("lunes martes miércoles jueves viernes sábado domingo"),
        date="{d} de {month} de {y}",
        short="{d}/{m}/{y}",
        medium="{d} {mon} {y}",
        weekday_date="{day}, {date}",
        join_short="{date}, {time}",
        join_long="{date}, {time}",
        twelve_hours=False,
        units=units("minuto minutos hora horas día días semana semanas mes meses año años"),
        future="en {n} {unit}",
        past="hace {n} {unit}",
        near={"now": "ahora", "-1": "ayer", "0": "hoy", "1": "mañana"},
        at_time="{day} a las {time}",
    ),
}


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
            return spoken(moment, base, locale)
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


# Speaking

EN_ONES = words(
    "zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen "
    "sixteen seventeen eighteen nineteen"
)
EN_TENS = words("- - twenty thirty forty fifty sixty seventy eighty ninety")
EN_ORDINALS = words(
    "- first second third fourth fifth sixth seventh eighth ninth tenth eleventh twelfth "
    "thirteenth fourteenth fifteenth sixteenth seventeenth eighteenth nineteenth twentieth"
)
DE_ONES = words(
    "null eins zwei drei vier fünf sechs sieben acht neun zehn elf zwölf dreizehn vierzehn "
    "fünfzehn sechzehn siebzehn achtzehn neunzehn"
)
DE_TENS = words("- - zwanzig dreißig vierzig fünfzig sechzig siebzig achtzig neunzig")
FR_ONES = words(
    "zéro un deux trois quatre cinq six sept huit neuf dix onze douze treize quatorze quinze seize "
    "dix-sept dix-huit dix-neuf"
)
FR_TENS = words("- - vingt trente quarante cinquante soixante soixante quatre-vingt quatre-vingt")
ES_ONES = words(
    "cero uno dos tres cuatro cinco seis siete ocho nueve diez once doce trece catorce quince "
    "dieciséis diecisiete dieciocho diecinueve veinte veintiuno veintidós veintitrés veinticuatro "
    "veinticinco veintiséis veintisiete veintiocho veintinueve"
)
ES_TENS = words("- - - treinta cuarenta cincuenta sesenta setenta ochenta noventa")
ES_HUNDREDS = words(
    "- ciento doscientos trescientos cuatrocientos quinientos seiscientos setecientos ochocientos "
    "novecientos"
)


def english(n: int) -> str:
    if n < 20:
        return EN_ONES[n]
    if n < 100:
        return EN_TENS[n // 10] + (f"-{EN_ONES[n % 10]}" if n % 10 else "")
    if n < 1000:
        return f"{EN_ONES[n // 100]} hundred" + (f" and {english(n % 100)}" if n % 100 else "")
    rest = n % 1000
    joint = " and " if 0 < rest < 100 else " "
    return f"{english(n // 1000)} thousand" + (joint + english(rest) if rest else "")


def english_ordinal(n: int) -> str:
    if n <= 20:
        return EN_ORDINALS[n]
    return "thirtieth" if n == 30 else f"{EN_TENS[n // 10]}-{EN_ORDINALS[n % 10]}"


def english_year(year: int) -> str:
    century, rest = divmod(year, 100)
    if year < 1000 or (century % 10 == 0 and rest < 10):
        return english(year)
    if rest == 0:
        return f"{english(century)} hundred"
    return f"{english(century)} {'oh ' if rest < 10 else ''}{english(rest)}"


def german(n: int) -> str:
    if n < 20:
        return DE_ONES[n]
    if n < 100:
        one = "ein" if n % 10 == 1 else DE_ONES[n % 10]
        return (f"{one}und" if n % 10 else "") + DE_TENS[n // 10]
    # Years from 1100 to 1999 are counted in hundreds.
    size, name = (100, "hundert") if n < 1000 or 1100 <= n < 2000 else (1000, "tausend")
    head, rest = divmod(n, size)
    return ("ein" if head == 1 else german(head)) + name + (german(rest) if rest else "")


def german_ordinal(n: int) -> str:
    odd = {1: "erste", 3: "dritte", 7: "siebte", 8: "achte"}
    return odd.get(n) or german(n) + ("te" if n < 20 else "ste")


def french(n: int) -> str:
    if n < 20:
        return FR_ONES[n]
    if n < 100:
        ten, one = divmod(n, 10)
        if ten in (7, 9):
            one += 10
        if one in (1, 11) and ten < 8:
            return f"{FR_TENS[ten]} et {FR_ONES[one]}"
        if one == 0:
            return FR_TENS[ten] + ("s" if ten == 8 else "")
        return f"{FR_TENS[ten]}-{FR_ONES[one]}"
    size, name = (100, "cent") if n < 1000 else (1000, "mille")
    head, rest = divmod(n, size)
    plural = "s" if size == 100 and head > 1 and not rest else ""
    text = (f"{french(head)} " if head > 1 else "") + name + plural
    return text + (f" {french(rest)}" if rest else "")


def spanish(n: int) -> str:
    if n < 30:
        return ES_ONES[n]
    if n < 100:
        return ES_TENS[n // 10] + (f" y {ES_ONES[n % 10]}" if n % 10 else "")
    if n == 100:
        return "cien"
    if n < 1000:
        return ES_HUNDREDS[n // 100] + (f" {spanish(n % 100)}" if n % 100 else "")
    head, rest = divmod(n, 1000)
    text = "mil" if head == 1 else f"{spanish(head)} mil"
    return text + (f" {spanish(rest)}" if rest else "")


def spoken(moment: Moment, base: Moment, locale: Locale) -> str:
    at = moment.at
    day, month = locale.days[at.weekday()], locale.months[at.month - 1]
    year = at.year if at.year != base.at.year else None
    hour, minute = at.hour, at.minute
    if locale is LOCALES["de"]:
        text = f"{day}, der {german_ordinal(at.day)} {month}" + (f" {german(year)}" if year else "")
        # Before "Uhr" the one loses its ending.
        clock = f", um {'ein' if hour == 1 else german(hour)} Uhr"
        clock += f" {german(minute)}" if minute else ""
    elif locale is LOCALES["fr"]:
        text = f"{day} {'premier' if at.day == 1 else french(at.day)} {month}"
        text += f" {french(year)}" if year else ""
        named = {0: "minuit", 12: "midi"}.get(hour)
        clock = f" à {named or feminine(french(hour)) + (' heure' if hour == 1 else ' heures')}"
        clock += f" {feminine(french(minute))}" if minute else ""
    elif locale is LOCALES["es"]:
        text = f"{day} {spanish(at.day)} de {month}" + (f" de {spanish(year)}" if year else "")
        clock = f" a {'la' if hour == 1 else 'las'} {hour_in_spanish(hour)}"
        clock += f" y {spanish(minute)}" if minute else " en punto"
    else:
        ordinal = english_ordinal(at.day)
        british = locale is EN_GB
        text = f"{day} the {ordinal} of {month}" if british else f"{day}, {month} {ordinal}"
        text += f"{' ' if british else ', '}{english_year(year)}" if year else ""
        clock = f"{'' if british else ','} at {english_clock(hour, minute)}"
    return text + clock if moment.has_time else text


def feminine(text: str) -> str:
    return re.sub(r"\bun$", "une", text)


def hour_in_spanish(hour: int) -> str:
    return {1: "una", 21: "veintiuna"}.get(hour) or spanish(hour)


def english_clock(hour: int, minute: int) -> str:
    if minute == 0 and hour in (0, 12):
        return "noon" if hour else "midnight"
    to = minute > 30 and minute % 5 == 0
    near = (hour + to) % 24
    if near in (0, 12) and (to or minute % 5 == 0):
        name = "noon" if near else "midnight"
    else:
        name = english(near % 12 or 12)
    if minute == 0:
        text = f"{name} o'clock"
    elif minute % 5 == 0:
        past = 60 - minute if to else minute
        amount = {15: "quarter", 30: "half"}.get(past) or english(past)
        text = f"{amount} {'to' if to else 'past'} {name}"
    else:
        text = f"{english(hour % 12 or 12)} {'oh ' if minute < 10 else ''}{english(minute)}"
    if "noon" in text or "midnight" in text:
        return text
    if hour < 12:
        return f"{text} in the morning"
    if hour < 18:
        return f"{text} in the afternoon"
    return f"{text} in the evening" if hour < 21 else f"{text} at night"
