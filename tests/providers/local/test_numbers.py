"""Numbers and durations, in digits and in words."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from antiphon.providers.local.numbers import UNITS, durations, numbers

_UNDER_TWENTY = [
    "zero",
    "one",
    "two",
    "three",
    "four",
    "five",
    "six",
    "seven",
    "eight",
    "nine",
    "ten",
    "eleven",
    "twelve",
    "thirteen",
    "fourteen",
    "fifteen",
    "sixteen",
    "seventeen",
    "eighteen",
    "nineteen",
]
_TENS = ["twenty", "thirty", "forty", "fifty", "sixty", "seventy", "eighty", "ninety"]


def in_words(number: int, link: str) -> str:
    """How an English speaker says it; `link` stands between tens and ones."""
    for size, name in ((1_000_000, "million"), (1_000, "thousand")):
        if number >= size:
            rest = number % size
            head = f"{in_words(number // size, link)} {name}"
            return head if not rest else f"{head} {in_words(rest, link)}"
    if number >= 100:
        rest = number % 100
        head = f"{_UNDER_TWENTY[number // 100]} hundred"
        return head if not rest else f"{head} and {in_words(rest, link)}"
    if number < 20:
        return _UNDER_TWENTY[number]
    tens = _TENS[number // 10 - 2]
    return tens if number % 10 == 0 else f"{tens}{link}{_UNDER_TWENTY[number % 10]}"


@given(st.integers(0, 999_999_999), st.sampled_from(["-", " "]))
def test_a_number_in_words_is_the_number(number: int, link: str) -> None:
    assert [found.value for found in numbers(in_words(number, link))] == [number]


@given(st.integers(0, 10**12))
def test_a_number_in_digits_is_the_number_with_and_without_commas(number: int) -> None:
    assert [found.value for found in numbers(f"about {number} of them")] == [number]
    assert [found.value for found in numbers(f"about {number:,} of them")] == [number]


@given(st.integers(0, 10_000), st.sampled_from(sorted(UNITS)), st.sampled_from(["", "s"]))
def test_a_duration_is_its_number_times_its_unit(number: int, unit: str, plural: str) -> None:
    found = durations(f"for {number} {unit}{plural} please")
    assert [one.seconds for one in found] == [number * UNITS[unit]]


@given(st.text(max_size=60))
def test_any_text_is_read_without_an_error_and_spans_are_inside_it(text: str) -> None:
    for found in (*numbers(text), *durations(text)):
        assert 0 <= found.start < found.end <= len(text)


@pytest.mark.parametrize(
    ("text", "seconds"),
    [
        ("half an hour", 1800),
        ("an hour and a half", 5400),
        ("two hours and ten minutes", 7800),
        ("a day", 86_400),
        ("twenty-five minutes", 1500),
    ],
)
def test_durations_are_read_as_people_say_them(text: str, seconds: float) -> None:
    assert [one.seconds for one in durations(f"block me for {text}.")] == [seconds]


@pytest.mark.parametrize("text", ["17:05", "2026-03-03", "project:atlas2", "v1.2.3", "+4420"])
def test_what_only_looks_like_a_number_is_none(text: str) -> None:
    assert numbers(text) == []
