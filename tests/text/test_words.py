"""Names of months and weekdays, function words, abbreviations: lists that others build on."""

from __future__ import annotations

from datetime import date

from antiphon.text.calendar_names import MONTHS, MONTHS_SHORT, WEEKDAYS, WEEKDAYS_SHORT
from antiphon.text.sentences import (
    ABBREVIATIONS,
    TITLES,
    line_sentences,
    quick_sentences,
    split_sentences,
)
from antiphon.text.words import FUNCTION_WORDS


def test_names_are_in_the_order_of_the_calendar() -> None:
    for number, (name, short) in enumerate(zip(MONTHS, MONTHS_SHORT, strict=True), 1):
        assert date(2026, number, 1).strftime("%B %b") == f"{name} {short}"
    for number, (name, short) in enumerate(zip(WEEKDAYS, WEEKDAYS_SHORT, strict=True), 5):
        assert date(2026, 1, number).strftime("%A %a") == f"{name} {short}"


def test_function_words_are_lower_case_and_no_names() -> None:
    assert {"the", "of", "and", "who"} <= FUNCTION_WORDS
    assert all(word == word.lower() for word in FUNCTION_WORDS)
    assert not FUNCTION_WORDS & {name.lower() for name in (*MONTHS, *WEEKDAYS)}


def test_abbreviations_end_no_sentence_of_a_written_text() -> None:
    assert TITLES < ABBREVIATIONS
    text = "Dr. Ada met A. Byron in Jan. 1833. They talked."
    assert [each.text for each in split_sentences(text)] == [
        "Dr. Ada met A. Byron in Jan. 1833.",
        "They talked.",
    ]
    assert [text[each.offset :][: len(each.text)] for each in split_sentences(text)] == [
        each.text for each in split_sentences(text)
    ]


def test_a_quick_look_ends_sentences_at_every_stop() -> None:
    assert quick_sentences("One. Two!\nThree  four") == ["One.", "Two!", "Three four"]


def test_lines_are_not_torn_apart_by_a_title() -> None:
    text = 'Ask Dr. Ada. She said "no." Then she left.'
    assert line_sentences(text) == ["Ask Dr. Ada.", 'She said "no." Then she left.']
