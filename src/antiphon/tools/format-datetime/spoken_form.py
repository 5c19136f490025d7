"""Date-time in spoken form, in each language."""

from __future__ import annotations

import re

from .locales import EN_GB, LOCALES, Locale
from .moments import Moment
from .numbers import english, english_ordinal, english_year, french, german, german_ordinal, spanish


def speak(moment: Moment, base: Moment, locale: Locale) -> str:
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
