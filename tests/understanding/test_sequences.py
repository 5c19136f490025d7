"""What the encoders read: ids and segments side by side, and places that lead back to the text."""

from __future__ import annotations

import pytest

from antiphon.text.wordpiece import WordPieces
from antiphon.understanding import sequences
from antiphon.understanding.sequences import SlotCard, TokenSequence

PIECES = WordPieces()
REQUEST = "Water the Ferns in the winter garden"
CARDS = (
    SlotCard("room", "The room whose plants are watered", asked=True),
    SlotCard("strength", "How strong the jet is", ("gentle", "very_strong")),
)


def words(found: TokenSequence, text: str) -> list[str]:
    assert len(found.places) == len(found.text)
    return [text[start:end] for start, end in found.places]


@pytest.mark.parametrize(
    "found",
    [
        sequences.said(PIECES, REQUEST, "Which room?"),
        sequences.tool_text(PIECES, "Water the plants in {room}"),
        sequences.pair(PIECES, REQUEST, "water plants: Water the plants."),
        sequences.slots(PIECES, REQUEST, CARDS),
        sequences.passage(PIECES, "Where?", "Boat house", "It is at the lake."),
        sequences.said(PIECES, ""),
    ],
)
def test_every_sequence_is_closed_and_has_a_segment_for_each_piece(found: TokenSequence) -> None:
    assert len(found.ids) == len(found.segments)
    assert (found.ids[0], found.ids[-1]) == (sequences.FIRST, sequences.LAST)
    assert found.segments == sorted(found.segments)


def test_pieces_lead_back_to_the_words_as_they_were_written() -> None:
    assert "".join(words(sequences.said(PIECES, REQUEST), REQUEST)) == REQUEST.replace(" ", "")
    title, text = "Boat house", "Opens at nine."
    whole = f"{title}\n{text}"
    found = words(sequences.passage(PIECES, "When does it open?", title, text), whole)
    assert found[:2] == ["Boat", "house"]
    assert found[-1] == "."


def test_each_parameter_and_each_of_its_values_has_a_mark_of_its_own() -> None:
    found = sequences.slots(PIECES, REQUEST, CARDS)
    marks = [found.ids[at] for at in found.marks]
    assert marks == [
        sequences.ASKED, sequences.PARAMETER, sequences.CHOICE, sequences.CHOICE,
    ]  # fmt: skip


def test_a_text_of_any_length_stays_within_what_was_trained() -> None:
    long = "very " * 5_000
    assert len(sequences.said(PIECES, long, long).ids) <= sequences.SAID + sequences.BEFORE + 3
    most = sequences.QUESTION + sequences.PASSAGE + 3
    assert len(sequences.passage(PIECES, long, "Title", long).ids) <= most


def test_a_card_is_the_tool_in_a_line() -> None:
    line = sequences.card(
        "water_plants", "Water the plants. Not the trees.", ["room", "how_long"], "Water {room}"
    )
    assert line == "water plants: Water the plants. (room, how long) | Water something"
