"""Plain answers: what Antiphon is, sums and conversions in words, days until a date."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Any

import pytest

from antiphon.providers.local import plain_answers
from antiphon.providers.local.answers import AnswerEvidence, leader, particular
from antiphon.providers.local.calculations import spoken_measure, spoken_sum
from antiphon.providers.local.names import Name, NameBook

NOW = datetime(2026, 11, 16, 14, 0, tzinfo=UTC)


@pytest.mark.parametrize(
    ("said", "expression"),
    [
        ("Calculate 12 times 17", "12 * 17"),
        ("Calculate 15 factorial divided by 2 to the 10", "15! / 2^10"),
        ("What is 17% of 2,400?", "2400 * 17 / 100"),
        ("what is twelve multiplied by seventeen", "12 * 17"),
        ("what's the square root of 144?", "sqrt(144)"),
        ("3 squared plus 4 squared", "3^2 + 4^2"),
        ("twelve", ""),
        ("book a table for 2 at 7", ""),
        ("what is 17% of the budget", ""),
        ("the times of 12 and 17", ""),
    ],
)
def test_sums_are_understood_in_words(said: str, expression: str) -> None:
    assert spoken_sum(said) == expression


@pytest.mark.parametrize(
    ("said", "measure"),
    [
        ("Convert 20 celsius to fahrenheit", (20, "celsius", "fahrenheit")),
        ("what is 98.6 degrees fahrenheit in celsius?", (98.6, "fahrenheit", "celsius")),
        ("5 miles in km", (5, "miles", "km")),
        ("How many feet are in a mile?", (1, "mile", "feet")),
        ("convert 3 files to pdf", ()),
        ("move 2 events to friday", ()),
    ],
)
def test_conversions_are_understood_in_words(said: str, measure: tuple[Any, ...]) -> None:
    assert tuple(spoken_measure(said).values()) == measure


@pytest.mark.parametrize(
    ("said", "answer"),
    [
        ("How many days until Christmas?", "39 days, until Friday 25 December 2026."),
        ("How many weeks till New Year's Eve?", "6 weeks and 3 days, until Thursday 31 December"),
        ("how many days until tomorrow?", "1 day, until Tuesday 17 November 2026."),
        ("How long until christmas eve?", "38 days, until Thursday 24 December 2026."),
        ("How long until the launch?", ""),
        ("How many days off do we have?", ""),
    ],
)
def test_days_are_counted_without_a_tool(said: str, answer: str) -> None:
    told = plain_answers.days_until(said, NOW)
    assert told.startswith(answer)
    assert bool(told) is bool(answer)


def test_what_antiphon_is_is_asked_in_many_ways() -> None:
    for said in (
        *("What is Antiphon?", "what's antiphon", "Tell me about Antiphon", "What is this?"),
        *("please tell me what Antiphon is", "What does Antiphon do?", "Where am I?"),
    ):
        assert plain_answers.asks_about(said), said
    for said in ("What is Antiphon's budget?", "What is this project about?", "What is Atlas?"):
        assert not plain_answers.asks_about(said), said
    assert plain_answers.asks_again("Repeat that")
    assert plain_answers.asks_again("Could you say that again, please?")
    assert not plain_answers.asks_again("Repeat the event every week")
    assert "Ctrl" in plain_answers.text_size("Make the text bigger")
    assert plain_answers.text_size("make the budget bigger") == ""


def test_who_leads_and_where_somebody_works_is_one_sentence() -> None:
    text = "A telephone assistant. Budget 184,000 euro, lead Kenji Okuhara."
    project = AnswerEvidence("project:harbor_light", "project", "Harbor Light", text, 0.9)
    person = AnswerEvidence(
        "person:kenji", "person", "Kenji Okuhara", "Sound.", 0.9, "", {"location": "Lisbon"}
    )
    book = NameBook(Name(each.id, each.title, each.type) for each in (project, person))
    found = [project, person]
    assert leader("Who leads Harbor Light?", found, book) == (
        project,
        "Kenji Okuhara leads Harbor Light.",
    )
    assert leader("What is Harbor Light?", found, book) is None
    assert particular("Where does Kenji Okuhara work?", found, book) == (
        person,
        "Kenji Okuhara works in Lisbon.",
    )
