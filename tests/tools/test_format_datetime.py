"""format_datetime: reading, zones, styles and languages, and what is refused."""

from __future__ import annotations

import email.utils
import json
import re
from datetime import UTC, datetime, timedelta, timezone
from typing import Any
from zoneinfo import ZoneInfo

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.effort import examples

from antiphon.contracts import ToolDefinition

NOW = datetime(2026, 3, 1, 12, tzinfo=UTC)
STYLES = (
    "iso", "rfc2822", "date", "time", "short", "medium", "long", "full", "relative", "spoken",
)  # fmt: skip
LOCALES = ("en-US", "en-GB", "de", "fr", "es")


@pytest.fixture(scope="session")
def tool(shipped_tool: Any) -> Any:
    return shipped_tool("format-datetime")


def formatted(tool: Any, value: Any, style: str, locale: str = "en-GB", **more: Any) -> str:
    text = tool.data({"value": value, "style": style, "locale": locale, **more}, NOW)["formatted"]
    assert isinstance(text, str)
    return text


def test_the_answer_describes_the_instant(tool: Any) -> None:
    data = tool.data({"value": "2026-07-03T12:30:00Z", "timezone": "Europe/Paris"}, NOW)
    assert data == {
        "formatted": "Jul 3, 2026, 2:30 PM",
        "iso": "2026-07-03T14:30:00+02:00",
        "timezone": "Europe/Paris",
        "utc_offset": "+02:00",
        "epoch": 1783081800,
        "weekday": "Friday",
        "is_dst": True,
    }


@pytest.mark.parametrize(
    ("style", "us", "gb", "de", "fr", "es"),
    [
        ("date", "March 3, 2026", "3 March 2026", "3. März 2026", "3 mars 2026",
         "3 de marzo de 2026"),
        ("time", "2:05 PM", "14:05", "14:05", "14:05", "14:05"),
        ("short", "3/3/2026, 2:05 PM", "03/03/2026, 14:05", "03.03.2026, 14:05",
         "03/03/2026 14:05", "3/3/2026, 14:05"),
        ("medium", "Mar 3, 2026, 2:05 PM", "3 Mar 2026, 14:05", "3. März 2026, 14:05",
         "3 mars 2026 14:05", "3 mar 2026, 14:05"),
        ("long", "March 3, 2026 at 2:05 PM CET", "3 March 2026 at 14:05 CET",
         "3. März 2026 um 14:05 CET", "3 mars 2026 à 14:05 CET",
         "3 de marzo de 2026, 14:05 CET"),
        ("full", "Tuesday, March 3, 2026 at 2:05 PM CET", "Tuesday 3 March 2026 at 14:05 CET",
         "Dienstag, 3. März 2026 um 14:05 CET", "mardi 3 mars 2026 à 14:05 CET",
         "martes, 3 de marzo de 2026, 14:05 CET"),
        ("iso", *["2026-03-03T14:05:00+01:00"] * 5),
        ("rfc2822", *["Tue, 03 Mar 2026 14:05:00 +0100"] * 5),
        ("relative", "in 2 days", "in 2 days", "in 2 Tagen", "dans 2 jours", "en 2 días"),
        ("spoken", "Tuesday, March third, at five past two in the afternoon",
         "Tuesday the third of March at five past two in the afternoon",
         "Dienstag, der dritte März, um vierzehn Uhr fünf",
         "mardi trois mars à quatorze heures cinq",
         "martes tres de marzo a las catorce y cinco"),
    ],
)  # fmt: skip
def test_each_style_in_each_locale(
    tool: Any, style: str, us: str, gb: str, de: str, fr: str, es: str
) -> None:
    for locale, expected in zip(LOCALES, (us, gb, de, fr, es), strict=True):
        value = "2026-03-03T13:05:00Z"
        assert formatted(tool, value, style, locale, timezone="Europe/Paris") == expected


@pytest.mark.parametrize(
    ("value", "iso"),
    [
        ("2026-03-03T14:30:00Z", "2026-03-03T14:30:00+00:00"),
        ("2026-03-03 14:30", "2026-03-03T14:30:00+00:00"),
        ("20260303T143000+0530", "2026-03-03T09:00:00+00:00"),
        ("2026-03-03t14:30:00,123456789z", "2026-03-03T14:30:00.123456+00:00"),
        ("2026-03-03", "2026-03-03T00:00:00+00:00"),
        ("17:05", "2026-03-01T17:05:00+00:00"),
        ("01:05+02:00", "2026-02-28T23:05:00+00:00"),
        (0, "1970-01-01T00:00:00+00:00"),
        (-1.5, "1969-12-31T23:59:58.500000+00:00"),
        (1709463000, "2024-03-03T10:50:00+00:00"),
        ("1709463000", "2024-03-03T10:50:00+00:00"),
        (1709463000123, "2024-03-03T10:50:00.123000+00:00"),
        ("1709463000123", "2024-03-03T10:50:00.123000+00:00"),
        ("now", "2026-03-01T12:00:00+00:00"),
        (" NOW ", "2026-03-01T12:00:00+00:00"),
        ("0001-01-01", "0001-01-01T00:00:00+00:00"),
        ("9999-12-31T23:59:59Z", "9999-12-31T23:59:59+00:00"),
    ],
)
def test_values_are_read(tool: Any, value: Any, iso: str) -> None:
    assert tool.data({"value": value}, NOW)["iso"] == iso


def test_the_epoch_unit_can_be_said(tool: Any) -> None:
    assert tool.data({"value": 86400000, "epoch_unit": "milliseconds"})["iso"][:10] == "1970-01-02"
    assert tool.data({"value": "20260303", "epoch_unit": "seconds"})["epoch"] == 20260303


@pytest.mark.parametrize(
    ("value", "hint"),
    [
        ("0000-01-01", "no year 0"),
        ("2026-13-01", "not a real date"),
        ("2026-02-29", "not a real date"),
        ("2026-W10-2", "week or ordinal"),
        ("2026W102", "week or ordinal"),
        ("2026-061", "week or ordinal"),
        ("2016-12-31T23:59:60Z", "leap second"),
        ("24:00", "next day"),
        ("25:00", "not a real time"),
        ("2026-03-03T10:00+25:00", "offset"),
        ("20260303", "could be a date or an epoch"),
        ("2026", "could be a date or an epoch"),
        ("+12026-01-01", "outside the years"),
        ("-0044-03-15", "outside the years"),
        (1.7e15, "outside the years"),
        (1e300, "outside the years"),
        (-1e12 * 70, "outside the years"),
        ("0001-01-01T00:00+05:00", "outside the years"),
        ("9999-12-31T23:59:59-05:00", "outside the years"),
        ("tomorrow", "not a date or time that is understood"),
        ("2026-03", "not a date or time that is understood"),
        ("٢٠٢٦-٠٣-٠٣", "not a date or time that is understood"),
        ("²", "not a date or time that is understood"),
        ("   ", "not a date or time that is understood"),
    ],
)
def test_values_that_cannot_be_read_are_refused_with_a_reason(
    tool: Any, value: Any, hint: str
) -> None:
    for field in ("value", "relative_to"):
        error = tool.error({"value": "now", field: value}, NOW)
        assert error["type"] == "VALIDATION"
        assert error["pointer"] == f"/{field}"
        assert hint in error["message"]


@pytest.mark.parametrize(
    ("zone", "nearest"),
    [
        ("Paris", "Europe/Paris"),
        ("europe/paris", "Europe/Paris"),
        ("Europe/Pariss", "Europe/Paris"),
        ("New York", "America/New_York"),
        ("PST", "America/Los_Angeles"),
        ("+02:00", "Etc/GMT-2"),
        ("../../etc/passwd", None),
        ("localtime", None),
        ("qqqq", None),
    ],
)
def test_an_unknown_zone_is_refused_with_the_nearest(
    tool: Any, zone: str, nearest: str | None
) -> None:
    error = tool.error({"value": "now", "timezone": zone}, NOW)
    assert error["type"] == "VALIDATION"
    assert error["pointer"] == "/timezone"
    assert error["nearest"][:1] == ([nearest] if nearest else [])
    assert nearest is None or nearest in error["message"]


def test_a_local_time_that_never_happens_is_moved_on_and_said(tool: Any) -> None:
    data = tool.data({"value": "2026-03-29T02:30", "timezone": "Europe/Paris"})
    assert data["iso"] == "2026-03-29T03:30:00+02:00"
    assert "does not exist" in data["note"]


def test_a_local_time_that_happens_twice_is_the_first_and_said(tool: Any) -> None:
    data = tool.data({"value": "2026-10-25T02:30", "timezone": "Europe/Paris"})
    assert data["iso"] == "2026-10-25T02:30:00+02:00"
    assert "happens twice" in data["note"]
    assert "+01:00" in data["note"]


def test_an_instant_shown_in_the_repeated_hour_says_which_one_it_is(tool: Any) -> None:
    data = tool.data({"value": "2026-10-25T01:30:00Z", "timezone": "Europe/Paris"})
    assert data["iso"] == "2026-10-25T02:30:00+01:00"
    assert "this is the second" in data["note"]


def test_a_midnight_that_never_happens_is_said(tool: Any) -> None:
    data = tool.data({"value": "2018-11-04", "timezone": "America/Sao_Paulo"})
    assert data["iso"] == "2018-11-04T01:00:00-02:00"
    assert "does not exist" in data["note"]


def test_what_was_assumed_is_said(tool: Any) -> None:
    assert "2026-03-01 (today)" in tool.data({"value": "17:05"}, NOW)["note"]
    assert "milliseconds" in tool.data({"value": 1709463000123})["note"]
    assert "midnight" in tool.data({"value": "2026-03-03", "style": "time"})["note"]
    assert "note" not in tool.data({"value": "2026-03-03T10:00Z"})


def test_a_value_without_a_time_is_written_without_one(tool: Any) -> None:
    assert formatted(tool, "2026-03-03", "full") == "Tuesday 3 March 2026"
    assert formatted(tool, "2026-03-03", "spoken") == "Tuesday the third of March"
    assert formatted(tool, "2026-03-02", "relative") == "tomorrow"


def test_zones_without_a_name_of_their_own_show_the_offset(tool: Any) -> None:
    text = formatted(tool, "2026-03-03T12:00Z", "long", timezone="America/Sao_Paulo")
    assert text == "3 March 2026 at 09:00 UTC-03:00"


def test_an_offset_with_seconds_keeps_the_instant(tool: Any) -> None:
    data = tool.data({"value": "1800-01-01T00:00:00Z", "timezone": "Europe/Paris"})
    assert data["utc_offset"] == "+00:09"
    assert datetime.fromisoformat(data["iso"]) == datetime(1800, 1, 1, tzinfo=UTC)
    assert "seconds" in data["note"]


@pytest.mark.parametrize(
    ("value", "expected"),
    [
        ("2026-03-01T12:00:20Z", "now"),
        ("2026-03-01T12:01:00Z", "in 1 minute"),
        ("2026-03-01T11:15:00Z", "45 minutes ago"),
        ("2026-03-01T13:00:00Z", "in 1 hour"),
        ("2026-03-01T00:10:00Z", "12 hours ago"),
        ("2026-02-28T17:05:00Z", "yesterday at 17:05"),
        ("2026-03-02T09:00:00Z", "tomorrow at 09:00"),
        ("2026-03-04T00:00:00Z", "in 3 days"),
        ("2026-02-16T12:00:00Z", "13 days ago"),
        ("2026-03-15T12:00:00Z", "in 2 weeks"),
        ("2026-04-01T12:00:00Z", "in 1 month"),
        ("2025-03-02T12:00:00Z", "11 months ago"),
        ("2025-03-01T12:00:00Z", "1 year ago"),
        ("2036-03-01", "in 10 years"),
        ("2026-03-01", "today"),
    ],
)
def test_relative_distances(tool: Any, value: str, expected: str) -> None:
    assert formatted(tool, value, "relative") == expected


def test_relative_counts_days_in_the_zone_and_from_the_given_time(tool: Any) -> None:
    call = {"timezone": "Asia/Tokyo", "relative_to": "2026-03-03T20:00:00Z"}
    assert formatted(tool, "2026-03-03T13:30:00Z", "relative", **call) == "yesterday at 22:30"


@pytest.mark.parametrize(
    ("locale", "past", "soon"),
    [
        ("de", "gestern um 17:05", "in 1 Stunde"),
        ("fr", "hier à 17:05", "dans 1 heure"),
        ("es", "ayer a las 17:05", "en 1 hora"),
        ("en-US", "yesterday at 5:05 PM", "in 1 hour"),
    ],
)
def test_relative_in_other_languages(tool: Any, locale: str, past: str, soon: str) -> None:
    assert formatted(tool, "2026-02-28T17:05", "relative", locale) == past
    assert formatted(tool, "2026-03-01T13:00", "relative", locale) == soon


@pytest.mark.parametrize(
    ("value", "locale", "expected"),
    [
        ("2026-03-03T00:00", "en-GB", "Tuesday the third of March at midnight"),
        ("2026-03-03T12:00", "en-GB", "Tuesday the third of March at noon"),
        ("2026-03-03T11:45", "en-GB", "Tuesday the third of March at quarter to noon"),
        ("2026-03-03T09:00", "en-GB",
         "Tuesday the third of March at nine o'clock in the morning"),
        ("2026-03-21T19:07", "en-US",
         "Saturday, March twenty-first, at seven oh seven in the evening"),
        ("2026-03-31T22:30", "en-US",
         "Tuesday, March thirty-first, at half past ten at night"),
        ("1999-12-30", "en-GB", "Thursday the thirtieth of December nineteen ninety-nine"),
        ("2005-01-02", "en-US", "Sunday, January second, two thousand and five"),
        ("1999-03-01T01:01", "de",
         "Montag, der erste März neunzehnhundertneunundneunzig, um ein Uhr eins"),
        ("2021-01-20T00:00", "de",
         "Mittwoch, der zwanzigste Januar zweitausendeinundzwanzig, um null Uhr"),
        ("1980-03-01T21:21", "fr",
         "samedi premier mars mille neuf cent quatre-vingts à vingt et une heures vingt et une"),
        ("2026-03-03T12:00", "fr", "mardi trois mars à midi"),
        ("1999-03-01T01:00", "es",
         "lunes uno de marzo de mil novecientos noventa y nueve a la una en punto"),
    ],
)  # fmt: skip
def test_spoken_forms(tool: Any, value: str, locale: str, expected: str) -> None:
    assert formatted(tool, value, "spoken", locale) == expected


def test_spoken_forms_have_no_digits(tool: Any) -> None:
    for locale in LOCALES:
        for minute in range(60):
            at = datetime(1901 + 37 * minute, 1 + minute % 12, 1 + minute % 28, minute % 24, minute)
            assert not re.search(r"\d", formatted(tool, at.isoformat(), "spoken", locale))


def test_without_an_injected_time_now_is_the_clock(tool: Any) -> None:
    shown = datetime.fromisoformat(tool.data({"value": "now"})["iso"])
    assert abs(shown - datetime.now(UTC)) < timedelta(hours=1)


offsets = st.integers(-14 * 60, 14 * 60).map(lambda m: timezone(timedelta(minutes=m)))
instants = st.datetimes(datetime(2, 1, 1), datetime(9998, 12, 31), timezones=offsets)
zones = st.sampled_from(
    ["UTC", "Europe/Paris", "America/St_Johns", "Asia/Kathmandu", "Australia/Lord_Howe",
     "Africa/Monrovia", "Pacific/Apia", "Europe/Dublin"]
)  # fmt: skip


@settings(max_examples=examples(150), deadline=None)
@given(instants, zones, st.sampled_from(STYLES), st.sampled_from(LOCALES))
def test_iso_is_the_same_instant(
    tool: Any, instant: datetime, zone: str, style: str, locale: str
) -> None:
    args = {"value": instant.isoformat(), "timezone": zone, "style": style, "locale": locale}
    data = tool.data(args, NOW)
    assert datetime.fromisoformat(data["iso"]) == instant
    if style == "rfc2822" and instant.year >= 1000:
        parsed = email.utils.parsedate_to_datetime(data["formatted"])
        assert parsed == instant.replace(microsecond=0)


@settings(max_examples=examples(100), deadline=None)
@given(st.datetimes(datetime(1990, 1, 1), datetime(2037, 1, 1)), zones)
def test_a_local_time_keeps_its_wall_clock_unless_noted(
    tool: Any, wall: datetime, zone: str
) -> None:
    data = tool.data({"value": wall.isoformat(), "timezone": zone}, NOW)
    shown = datetime.fromisoformat(data["iso"])
    assert shown.replace(tzinfo=None) == wall or "note" in data
    assert shown == shown.astimezone(ZoneInfo(zone))


@settings(max_examples=examples(150), deadline=None)
@given(st.text(min_size=1, max_size=64) | st.from_regex(r"[-+0-9TZW:. ]{1,30}", fullmatch=True))
def test_any_text_is_read_or_refused(tool: Any, value: str) -> None:
    result = tool.call({"value": value}, NOW)
    assert result.ok or result.error["type"] == "VALIDATION"


@settings(max_examples=examples(100), deadline=None)
@given(st.floats(allow_nan=False, allow_infinity=False) | st.integers())
def test_any_number_is_read_or_refused(tool: Any, value: float) -> None:
    result = tool.call({"value": value, "timezone": "Asia/Tokyo"}, NOW)
    assert result.ok or result.error["type"] == "VALIDATION"


def test_the_guide_shows_true_results(tool: Any) -> None:
    blocks = [json.loads(b) for b in re.findall(r"```json\n(.*?)\n```", tool.guide, re.DOTALL)]
    assert len(blocks) == 8
    for call, result in zip(blocks[::2], blocks[1::2], strict=True):
        assert tool.data(call, NOW) == result


def test_the_contract(tool: Any) -> None:
    definition = ToolDefinition.from_schema(tool.schema)
    assert definition.tool_id == "format_datetime"
    assert (definition.category, definition.side_effects) == ("utility", "none")
    assert definition.idempotent
    assert not definition.requires_confirmation
    assert definition.allowed_modes == ("text", "voice")
    assert definition.latency_budget_ms == 200
    assert tool.guide.splitlines()[0] == "# format_datetime"
    assert len(tool.summary) <= 250
    assert all("description" in part for part in definition.parameters["properties"].values())
