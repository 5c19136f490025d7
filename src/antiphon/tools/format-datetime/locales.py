"""Locale data: the words and patterns of each language for dates and times."""

from __future__ import annotations

from typing import NamedTuple


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
