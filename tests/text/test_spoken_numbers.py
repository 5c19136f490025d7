"""Numbers as people write and say them."""

from __future__ import annotations

import pytest

from antiphon.text.spoken_numbers import numbers_in


@pytest.mark.parametrize(
    ("text", "numbers"),
    [
        ("pay $1,200.50 and 50 €", {1200.5, 50}),
        ("1.200,50", {1200.5}),
        ("10% off", {10, 0.1}),
        ("5k", {5000}),
        ("twenty-five people", {25}),
        ("three hundred and two", {302}),
        ("two thousand and fifteen", {2015}),
        ("fifty, ten", {50, 10}),
        ("fünfundzwanzig Euro", {25}),
        ("a dozen", {12}),
        ("file 13.", {13}),
        ("-5 degrees", {-5}),
        ("nothing", set()),
    ],
)
def test_a_text_says_its_numbers(text: str, numbers: set[float]) -> None:
    assert numbers <= numbers_in(text)


@pytest.mark.parametrize("text", ["v1.2.3", "on 2024-05-15", "at 10:30", "A4", "8gb", "US133"])
def test_parts_of_dates_and_codes_are_no_numbers(text: str) -> None:
    assert not numbers_in(text)
