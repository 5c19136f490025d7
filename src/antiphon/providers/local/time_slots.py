"""Moments as arguments: one of them, or where something begins and ends."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import replace
from datetime import datetime, timedelta
from typing import Any

from antiphon.providers.local import values, zones
from antiphon.providers.local.catalogue import DeclaredTool, Parameter
from antiphon.providers.local.dates import When, moments
from antiphon.providers.local.free_text_slot import Span, unmasked
from antiphon.providers.local.intervals import Interval, after, interval
from antiphon.providers.local.numbers import durations
from antiphon.providers.local.slot_filling import SlotSheet
from antiphon.providers.local.values import Kind, ValueMatch
from antiphon.providers.local.words import STOP, tokens
from antiphon.text.words import word_set

# How long is looked when somebody asks about a moment, and about the next that is free.
_FEW = 2  # moments in a text; in a longer story the reader knows which one is meant
_A_WHILE, _SOON = timedelta(hours=1), timedelta(days=7)
_NEXT = re.compile(r"\b(?:next|earliest|soonest|as soon as)\b", re.IGNORECASE)
# Said around a time that is agreed to: "two works for me", "let's say nine".
_AGREED = word_set("works work fine good great suits suit ok okay perfect best say let sounds")
_FULL = re.compile(r"[Tt ]\d\d:\d\d(?::\d\d(?:\.\d+)?)?(?:[Zz]|[+-]\d\d:?\d\d)$")


def ends_of(tool: DeclaredTool, kinds: Mapping[str, Kind]) -> tuple[Parameter, Parameter] | None:
    """The parameters that say where something begins and where it ends."""
    timed = [p for p in tool.parameters if kinds[p.name] == "moment"]
    start = next((p for p in timed if p.name.startswith(("start", "begin", "from"))), None)
    end = next((p for p in timed if p.name.startswith(("end", "until", "finish"))), None)
    return (start, end) if start is not None and end is not None else None


def accepts(parameter: Parameter, value: str) -> bool:
    """Whether the schema takes this form of a moment."""
    options = parameter.schema.get("anyOf") or [parameter.schema]
    return any(_takes(each, value) for each in options)


def _takes(schema: Mapping[str, Any], value: str) -> bool:
    form = schema.get("format")
    if form == "date-time" and not _FULL.search(value):
        return False
    if form == "date" and len(value) != len("2026-03-03"):
        return False
    pattern = schema.get("pattern")
    return pattern is None or re.search(pattern, value) is not None


def fill_ends(
    sheet: SlotSheet,
    ends: tuple[Parameter, Parameter],
    *,
    only: str | None,
    known: Mapping[str, Any],
    before: str,
) -> None:
    """Both ends of a stretch of time. `only` is an end that was asked for, `known` are the
    arguments that are there, `before` is the request that left it out."""
    start, end = ends
    now, text = sheet.scene.now, sheet.text
    if only == end.name:
        begin = _moment_in(known.get(start.name), now)
        until = after(begin, text, now) if begin is not None else None
        if until is not None:
            sheet.put(end, ValueMatch(until.isoformat(), (0, len(text))))
        return
    if only == start.name and before:
        # The day, or how long it takes, may have been said before.
        text = f"{before}, {_timely(sheet.text)}"
    # Of several times the reader knows which one counts: "at three, no, at four".
    read = sheet.only(start.name, end.name) if text == sheet.text else ""
    found = interval(text, now)
    if read and len(moments(text, now)) > _FEW and (better := interval(read, now)) is not None:
        found = better
    late = values.corrected_at(text) if only is None and text == sheet.text else 0
    if late and (first := interval(text[:late], now)) is not None and first.start is not None:
        _correct_ends(sheet, ends, first, late)
        return
    if found is None and only is None and not sheet.tool.writes and _NEXT.search(text):
        _from_now(sheet, ends, now)
    if found is None or found.start is None:
        return
    zone = _zone(sheet) if only is None else None
    spans = _of_the_time(sheet, found) if only is None else ((0, len(sheet.text)),)
    begun = _written(start, found.start, now, zone)
    finish = found.end
    if finish is None and not sheet.tool.writes and found.start.at is not None:
        finish = _plus(found.start, _A_WHILE, now)
    ended = None if finish is None else _written(end, finish, now, zone)
    for parameter, value in ((start, begun), (end, ended)):
        if value is not None and begun is not None:
            sheet.args[parameter.name] = value
            sheet.filled.evidence += 1
    if begun is None:
        sheet.filled.evidence += 1  # too little was said, but of the right kind
    for span in _joined(spans, sheet.text):
        sheet.mask(span, start)


def _correct_ends(
    sheet: SlotSheet, ends: tuple[Parameter, Parameter], first: Interval, late: int
) -> None:
    """ "Thursday at ten, sorry, at eleven, for an hour": what is not taken back stays."""
    start, end = ends
    now = sheet.scene.now
    assert first.start is not None
    begun = _written(start, first.start, now, None)
    over = first.end or _plus(first.start, _A_WHILE, now)
    if begun is None:
        return
    args = {start.name: begun, end.name: _written(end, over, now, None) or begun}
    kinds = {p.name: values.kind_of(p, sheet.scene.catalogue) for p in sheet.tool.parameters}
    args |= moved(sheet.tool, kinds, args, {}, sheet.text[late:], now)
    if first.end is None and interval(sheet.text[late:], now) is None and not durations(sheet.text):
        del args[end.name]
    elif first.end is None and not durations(sheet.text):
        later = interval(sheet.text[late:], now)
        if later is None or later.end is None:
            del args[end.name]
    elif lengths := durations(sheet.text):
        begin = datetime.fromisoformat(args[start.name])
        if begin.tzinfo is not None:
            args[end.name] = (begin + timedelta(seconds=lengths[-1].seconds)).isoformat()
    for parameter in ends:
        if parameter.name in args:
            sheet.args[parameter.name] = args[parameter.name]
            sheet.filled.evidence += 1
    sheet.mask((first.start.start, first.start.end), start)
    for span in sheet.spans(start.name, end.name):
        sheet.mask((span.start, span.end), start)


def _from_now(sheet: SlotSheet, ends: tuple[Parameter, Parameter], now: datetime) -> None:
    """ "My next free hour": whatever comes soon."""
    begin = now.replace(microsecond=0)
    for parameter, moment in zip(ends, (begin, begin + _SOON), strict=True):
        sheet.args[parameter.name] = moment.isoformat()
    sheet.filled.evidence += 1


def day_alone(text: str, now: datetime) -> bool:
    """Whether a day is said and no hour of it."""
    found = interval(text, now)
    start = found.start if found is not None else None
    return start is not None and start.literal is None and start.at is None


def is_only_time(text: str, now: datetime) -> bool:
    """Whether nothing is said but a time, or how long: "2 pm works", "an hour"."""
    found = interval(text, now)
    spans = found.spans if found is not None else [(d.start, d.end) for d in durations(text)]
    if not spans:
        return False
    rest = unmasked(text, 0, len(text), spans)
    return all(t.key in STOP or t.key in _AGREED for t in tokens(rest))


def _of_the_time(sheet: SlotSheet, found: Interval) -> Sequence[Span]:
    """Where the time stands; without how long it takes where that is a parameter of its own."""
    kinds = {values.kind_of(p, sheet.scene.catalogue) for p in sheet.tool.parameters}
    if "duration" not in kinds or found.start is None or found.start.at is not None:
        return found.spans
    day = found.start.start, found.start.end
    return [
        (a, b)
        for a, b in found.spans
        if (a < day[1] and b > day[0]) or not any(a <= d.start < b for d in durations(sheet.text))
    ]


def length_in(text: str) -> str:
    """The words that say how long something takes: "for an hour"."""
    return next((f"for {text[d.start : d.end]}" for d in durations(text)), "")


def _joined(spans: Sequence[Span], text: str) -> list[Span]:
    """Spans with nothing between them as one: "tomorrow afternoon"."""
    found: list[Span] = []
    for a, b in sorted(spans):
        if found and not text[found[-1][1] : a].strip(" ,"):
            found[-1] = found[-1][0], b
        else:
            found.append((a, b))
    return found


def _timely(text: str) -> str:
    """An answer to "from when?" may be a bare hour."""
    bare = re.fullmatch(r"\s*(\d{1,2}|[a-z]+)\s*[.!]?\s*", text, re.IGNORECASE)
    return f"at {bare[1]}" if bare else text


def _written(parameter: Parameter, when: When, now: datetime, zone: str | None) -> str | None:
    """In a form that the schema takes; None when too little was said."""
    short = when.literal is None and (when.at is None or zone is not None)
    form = when.iso(now, full=not short)
    return form if accepts(parameter, form) else None


def _plus(when: When, length: timedelta, now: datetime) -> When:
    end = datetime.fromisoformat(when.iso(now, full=True)) + length
    return replace(when, day=end.date(), at=end.time(), literal=None)


def _zone(sheet: SlotSheet) -> str | None:
    """The zone that times are meant in, when one is named as such: "Berlin time"."""
    for parameter in sheet.tool.parameters:
        if values.is_zone(parameter):
            found = zones.zone_time(sheet.text)
            if found is not None:
                sheet.put(parameter, found, evidence=True)
                return str(found.value)
    return None


def _moment_in(value: Any, now: datetime) -> datetime | None:
    try:
        moment = datetime.fromisoformat(value)
    except (TypeError, ValueError):
        return None
    return moment if moment.tzinfo else moment.replace(tzinfo=now.tzinfo)


def single(sheet: SlotSheet, parameter: Parameter) -> ValueMatch | None:
    """One moment."""
    read = sheet.only(parameter.name)
    if not parameter.required and not sheet.is_slotted(parameter) and not read:
        return None
    now, about = sheet.scene.now, parameter.description.lower()
    full = parameter.schema.get("format") == "date-time" or "with an offset" in about
    for when in [*(moments(read, now) if read else ()), *moments(sheet.text, now)]:
        span = when.start, when.end
        if sheet.is_free(span):
            return ValueMatch(when.iso(now, full=full), span)
    if "epoch" in about:
        match = re.search(r"(?<![\w:.-])-?\d{9,16}(?![\w:.-])", sheet.text)
        if match:
            number = int(match.group())
            return ValueMatch(
                number if "number" in parameter.types else match.group(), match.span()
            )
    return None


def is_over(
    tool: DeclaredTool, kinds: Mapping[str, Kind], args: Mapping[str, Any], now: datetime
) -> bool:
    """Whether something is to be made in the past."""
    ends = ends_of(tool, kinds)
    if ends is None or not tool.writes:
        return False
    begin = _moment_in(args.get(ends[0].name), now)
    zoned = any(values.is_zone(p) and p.name in args for p in tool.parameters)
    return begin is not None and not zoned and begin < now


def moved(
    tool: DeclaredTool,
    kinds: Mapping[str, Kind],
    args: Mapping[str, Any],
    new: dict[str, Any],
    text: str,
    now: datetime,
) -> dict[str, Any]:
    """What is said to be different of a time, beside what stays: another day keeps its hours,
    another hour its day and how long it takes."""
    ends = ends_of(tool, kinds)
    if ends is None:
        return new
    start, end = ends[0].name, ends[1].name
    begun, over = _moment_in(args.get(start), now), _moment_in(args.get(end), now)
    if begun is None or over is None:
        return new
    others = {name: value for name, value in new.items() if name not in (start, end)}
    found = interval(text, now)
    lengths = durations(text)
    if found is None or found.start is None:
        if not lengths:
            return others
        until = begun + timedelta(seconds=lengths[0].seconds)
        return {**others, start: begun.isoformat(), end: until.isoformat()}
    when, length = found.start, over - begun
    if lengths:
        length = timedelta(seconds=lengths[0].seconds)
    if when.literal is not None and start in new:
        return new
    day = when.day if when.day is not None and _says_day(text, now) else begun.date()
    if when.at is None and len(str(args[start])) == len("2026-03-03"):
        later = day + (over.date() - begun.date())
        return {**others, start: day.isoformat(), end: later.isoformat()}
    at = when.at if when.at is not None else begun.time()
    fresh = begun.replace(
        year=day.year, month=day.month, day=day.day, hour=at.hour, minute=at.minute
    )
    if found.end is not None and found.end.at is not None and when.at is not None and not lengths:
        last = fresh.replace(hour=found.end.at.hour, minute=found.end.at.minute)
        length = last - fresh if last > fresh else length
    return {**others, start: fresh.isoformat(), end: (fresh + length).isoformat()}


def on_the_day(
    tool: DeclaredTool,
    kinds: Mapping[str, Kind],
    args: dict[str, Any],
    known: Mapping[str, Any],
    text: str,
    now: datetime,
) -> dict[str, Any]:
    """Hours without a day, on the day that was spoken of before: "then put it there at nine"."""
    ends = ends_of(tool, kinds)
    days = [v for k, v in known.items() if k.startswith("start") and isinstance(v, str)]
    day = _moment_in(days[0], now) if days else None
    if ends is None or day is None or ends[0].name not in args or _says_day(text, now):
        return args
    found = dict(args)
    for parameter in ends:
        moment = _moment_in(args.get(parameter.name), now)
        if moment is not None:
            moment = moment.replace(year=day.year, month=day.month, day=day.day)
            found[parameter.name] = moment.isoformat()
    return found


def _says_day(text: str, now: datetime) -> bool:
    """Whether a day is named, rather than an hour of today."""
    later = now.replace(hour=0, minute=0) + timedelta(days=400)
    here, there = interval(text, now), interval(text, later)
    days = [one.start.day if one and one.start else None for one in (here, there)]
    hour_alone = here is not None and here.start is not None and here.start.at is not None
    if not hour_alone:
        return True
    return bool(_DAY.search(text)) or (days[0] is not None and days[0] != now.date())


_DAY = re.compile(
    r"\b(?:today|tonight|tomorrow|(?:mon|tues|wednes|thurs|fri|satur|sun)day|mon|tue|wed|thu|fri|sat|"
    r"sun|january|february|march|april|may|june|july|august|september|october|november|december|"
    r"\d{1,2}(?:st|nd|rd|th)|\d{4}-\d\d-\d\d|\d{1,2}[./]\d{1,2})\b",
    re.IGNORECASE,
)
