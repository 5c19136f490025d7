"""Intents: what the makers make is applicable, and damage is named."""

from __future__ import annotations

from typing import Any

import pytest

from antiphon.contracts import Intent, IntentType, intent_problem


def test_makers_make_the_plain_data_that_travels() -> None:
    assert Intent.end_voice_session() == {"type": "END_VOICE_SESSION", "after": "current_turn"}
    assert Intent.end_voice_session("farewell_spoken")["after"] == "farewell_spoken"
    assert Intent.suppress_audio() == {"type": "SUPPRESS_AUDIO", "value": True}
    assert Intent.suppress_transcript(False) == {"type": "SUPPRESS_TRANSCRIPT", "value": False}
    assert Intent.set_pending_message("hi") == {"type": "SET_PENDING_MESSAGE", "message": "hi"}


def test_there_is_a_maker_for_every_type_and_what_it_makes_may_be_applied() -> None:
    made = [
        Intent.end_voice_session(),
        Intent.suppress_audio(),
        Intent.suppress_transcript(),
        Intent.set_pending_message(""),
    ]
    assert {intent["type"] for intent in made} == set(IntentType)
    assert [intent_problem(intent) for intent in made] == [None] * 4


@pytest.mark.parametrize(
    ("intent", "words"),
    [
        (None, "object, not NoneType"),
        ("SUPPRESS_AUDIO", "object, not str"),
        ({}, "unknown intent type None"),
        ({"type": "DANCE"}, "unknown intent type 'DANCE'"),
        ({"type": ["SUPPRESS_AUDIO"]}, "unknown intent type"),
        ({"type": "END_VOICE_SESSION"}, "current_turn, farewell_spoken"),
        ({"type": "END_VOICE_SESSION", "after": ["current_turn"]}, "needs `after`"),
        ({"type": "SUPPRESS_AUDIO", "value": 1}, "SUPPRESS_AUDIO needs `value`: true or false"),
        ({"type": "SUPPRESS_TRANSCRIPT"}, "SUPPRESS_TRANSCRIPT needs `value`"),
        ({"type": "SET_PENDING_MESSAGE", "message": None}, "needs `message`: a string"),
    ],
)
def test_what_is_wrong_with_an_intent_is_said(intent: Any, words: str) -> None:
    assert words in (intent_problem(intent) or "")
