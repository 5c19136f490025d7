"""Instant in a time zone, and what clock changes make of a time of day."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta, timezone
from typing import NamedTuple
from zoneinfo import ZoneInfo


class Moment(NamedTuple):
    """Instant in the requested zone, and how much of it the caller really gave."""

    at: datetime
    has_time: bool
    notes: list[str]


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
    """Return the instant at an offset RFC 3339 can write: old local mean times have seconds."""
    offset = at.utcoffset() or timedelta()
    minutes = round(offset / timedelta(minutes=1))
    return at.astimezone(timezone(timedelta(minutes=minutes)))


def offset_text(at: datetime) -> str:
    return whole_minute_offset(at).isoformat()[-6:]
