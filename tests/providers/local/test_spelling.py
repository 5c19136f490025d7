"""Slips of the hand and fillers, which are mended, and names and code, which are not."""

from __future__ import annotations

import pytest

from antiphon.providers.local.spelling import cleaned


@pytest.mark.parametrize(
    ("typed", "meant"),
    [
        ("um whta is teh plan for tommorow", "what is the plan for tomorrow"),
        ("uh can you you show the the calendar", "can you show the calendar"),
        ("pls reschedule teh meeting", "please reschedule the meeting"),
    ],
)
def test_slips_and_fillers_are_mended(typed: str, meant: str) -> None:
    assert cleaned(typed) == meant


@pytest.mark.parametrize(
    "text",
    [
        "call okuhara@example.org about src/mian.py",
        "https://exmaple.org/teh is the page",
        "open r/im.png and im.png",
        "I had had that that",
        "Zorvath Quillix",
        "rescheduling two meetings",
        "um",
        "",
    ],
)
def test_what_is_right_or_written_on_purpose_stays_as_it_is(text: str) -> None:
    assert cleaned(text) == text


def test_a_word_of_this_place_is_meant_rather_than_a_common_one() -> None:
    assert cleaned("who is kengi", {"kenji"}) == "who is kenji"
    assert cleaned("Kengi leads it", {"kenji"}) == "Kenji leads it"
    assert cleaned("ask kenji", {"kenji"}) == "ask kenji"


@pytest.mark.parametrize(
    ("said", "left"),
    [
        ("shedule it: teh frobnicate uh uh text", "schedule it: teh frobnicate uh uh text"),
        ('serch for "wrod wrod"', 'search for "wrod wrod"'),
        ("note that the frobnicaet valve is is open", "note that the frobnicaet valve is is open"),
        ("book Duran Duran", "book Duran Duran"),
    ],
)
def test_what_an_utterance_carries_and_names_said_twice_stay(said: str, left: str) -> None:
    assert cleaned(said) == left
