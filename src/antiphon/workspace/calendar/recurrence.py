"""Recurrence of calendar events: RRULE, RDATE, EXDATE and overridden instances.

Rules are followed on the wall clock of the zone that the series starts in, by python-dateutil: a
meeting at nine stays at nine when clocks change.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import UTC, date, datetime, time, timedelta, tzinfo
from typing import Any

# Zones are up to 14 hours apart, and a length on the wall clock may be an hour off.
_MARGIN = timedelta(days=2)


@dataclass(frozen=True, slots=True)
class Instance:
    """One time at which an event happens.

    `component` describes it: the series, or what overrides it there. `place` is its time by the
    rule of the series, which is its RECURRENCE-ID. `length` is set where the file gives one for
    this time.
    """

    component: Any
    start: date
    place: date
    length: timedelta | None = None


def instances(components: tuple[Any, ...], start: datetime, end: datetime) -> Iterator[Instance]:
    """The instances of one UID: those near the range, and maybe others."""
    series: Any = None
    found: list[Any] = []
    for component in components:
        if component.get("RECURRENCE-ID") is not None:
            found.append(component)
        elif series is None or _sequence(component) > _sequence(series):
            series = component
    if series is None:
        for component in found:
            yield _overriding(component)
        return
    yield from _Recurrence(series, found).between(start, end)


def property_values(component: Any, name: str) -> list[Any]:
    """The values of a property that may occur any number of times."""
    found = component.get(name)
    if found is None:
        return []
    return found if isinstance(found, list) else [found]


class _Recurrence:
    """The expansion of one series with its overrides."""

    def __init__(self, series: Any, overrides: list[Any]) -> None:
        self._series = series
        first = series["DTSTART"].dt
        self._all_day = not isinstance(first, datetime)
        self._zone: tzinfo | None = first.tzinfo if isinstance(first, datetime) else None
        self._first = self._wall(first)
        self._rules = [self._rule(rule) for rule in property_values(series, "RRULE")]
        self._added: dict[datetime, timedelta | None] = {}
        for moment in _listed(series, "RDATE"):
            begin, length = _period(moment)
            self._added[self._wall(begin)] = length
        self._without: set[datetime] = set()
        self._without_days: set[date] = set()
        for moment in _listed(series, "EXDATE"):
            self._without.add(self._wall(moment))
            if not isinstance(moment, datetime):
                self._without_days.add(moment)
        self._overrides: dict[datetime, Any] = {}
        for component in overrides:
            at = self._wall(component["RECURRENCE-ID"].dt)
            other = self._overrides.get(at)
            if other is None or _sequence(component) > _sequence(other):
                self._overrides[at] = component
        # From each of these on everything is as it says, up to the next.
        self._onward = sorted(
            at
            for at, component in self._overrides.items()
            if component["RECURRENCE-ID"].params.get("RANGE") == "THISANDFUTURE"
        )

    def between(self, start: datetime, end: datetime) -> Iterator[Instance]:
        reach = max(
            (self._reach(each) for each in (self._series, *self._overrides.values())),
            default=timedelta(0),
        )
        low, high = self._wall(start) - reach - _MARGIN, self._wall(end) + reach + _MARGIN
        for at in sorted(self._starts(low, high)):
            if at in self._overrides or self._is_left_out(at):
                continue
            component, shift = self._in_force(at)
            yield Instance(
                component, self._as_written(at + shift), self._as_written(at), self._added.get(at)
            )
        for at, component in self._overrides.items():
            if at not in self._without and not self._is_outdated(at, component):
                yield _overriding(component)

    def _starts(self, low: datetime, high: datetime) -> set[datetime]:
        found = {at for at in self._added if low <= at <= high}
        ends = [until for _, until in self._rules if until is not None]
        if low <= self._first <= high and (not ends or self._first <= max(ends)):
            found.add(self._first)  # whether the rule has it or not
        for rule, _ in self._rules:
            found.update(rule.between(low, high, inc=True))
        return found

    def _is_left_out(self, at: datetime) -> bool:
        return at in self._without or at.date() in self._without_days

    def _is_outdated(self, at: datetime, component: Any) -> bool:
        """Whether an override is of an older version of the series, which had this time."""
        repeats = any(component.get(name) is not None for name in ("RRULE", "RDATE", "EXDATE"))
        older = _sequence(component) < _sequence(self._series)
        return repeats and older and at not in self._starts(at, at)

    def _in_force(self, at: datetime) -> tuple[Any, timedelta]:
        """The component of an instance that nothing overrides, and by how much that moves it."""
        component, shift = self._series, timedelta(0)
        for since in self._onward:
            if since < at:
                component = self._overrides[since]
                shift = self._wall(component["DTSTART"].dt) - since
        return component, shift

    def _reach(self, component: Any) -> timedelta:
        """How far an instance of a component may begin or end from its place in the series."""
        begin = self._wall(component["DTSTART"].dt)
        end, duration = component.get("DTEND"), component.get("DURATION")
        length = timedelta(days=1)
        if end is not None:
            length = abs(self._wall(end.dt) - begin)
        elif duration is not None:
            length = abs(duration.dt)
        at = component.get("RECURRENCE-ID")
        return length + (abs(begin - self._wall(at.dt)) if at is not None else timedelta(0))

    def _rule(self, rule: Any) -> tuple[Any, datetime | None]:
        from dateutil.rrule import rrulestr  # type: ignore[import-untyped]
        from icalendar import vRecur

        parts = {name: value for name, value in rule.items() if name.upper() != "UNTIL"}
        text = vRecur(parts).to_ical().decode()  # type: ignore[no-untyped-call]
        made = rrulestr(text, dtstart=self._first)
        until = self._until(rule)
        return (made if until is None else made.replace(until=until)), until

    def _until(self, rule: Any) -> datetime | None:
        given = rule.get("UNTIL")
        if not given:
            return None
        until = given[0] if isinstance(given, list) else given
        if self._all_day:
            return datetime.combine(until, time())
        moment = until if isinstance(until, datetime) else datetime.combine(until, time())
        if self._zone is not None and moment.tzinfo is None:
            moment = moment.replace(tzinfo=UTC)  # as the standard wants it beside a zone
        return self._wall(moment)

    def _wall(self, moment: date) -> datetime:
        """The wall-clock time of a moment in the zone of the series; a day is its midnight."""
        if not isinstance(moment, datetime):
            return datetime.combine(moment, time())
        if moment.tzinfo is None:
            return moment
        if self._zone is not None:
            moment = moment.astimezone(self._zone)
        return moment.replace(tzinfo=None, fold=0)

    def _as_written(self, wall: datetime) -> date:
        return wall.date() if self._all_day else wall.replace(tzinfo=self._zone)


def _overriding(component: Any) -> Instance:
    return Instance(component, component["DTSTART"].dt, component["RECURRENCE-ID"].dt)


def _listed(component: Any, name: str) -> Iterator[Any]:
    for each in property_values(component, name):
        for value in each.dts:
            yield value.dt


def _period(moment: Any) -> tuple[date, timedelta | None]:
    """The start of a value and, where it is a period, its length."""
    if not isinstance(moment, tuple):
        return moment, None
    begin, end = moment
    return begin, end if isinstance(end, timedelta) else end - begin


def _sequence(component: Any) -> int:
    return int(component.get("SEQUENCE", -1))
