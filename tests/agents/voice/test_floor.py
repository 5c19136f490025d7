"""How much of a turn was heard, as the person's player reports it."""

from __future__ import annotations

from antiphon.agents.voice.floor import BYTES_PER_MS, Floor


def speech(ms: int) -> bytes:
    return bytes(ms * BYTES_PER_MS)


def test_reports_are_of_the_whole_turn_and_counted_in_the_utterance_that_is_played() -> None:
    floor = Floor(lambda: 0.0, turn=1)
    floor.hear(speech(3000), "before the call")
    floor.hear(speech(5000), "after the call")
    floor.report(3500)
    assert floor.played_ms == 500
    floor.report(2000)  # still in the one before
    assert floor.played_ms == 0
    floor.report(99_000)
    assert floor.played_ms == 5000


def test_what_comes_after_the_stop_was_not_heard() -> None:
    now = [0.0]
    floor = Floor(lambda: now[0], turn=1)
    floor.hear(speech(1000), None)
    floor.said += ["one two", " three four"]
    now[0] = 0.5
    floor.stop()
    now[0] = 2.0
    assert floor.played_ms == 500
    turn = floor.model_turn()
    assert (turn.text, turn.heard, turn.heard_text) == ("one two three four", 7, "one two …")


def test_speech_that_was_stopped_before_its_first_word_was_not_heard_at_all() -> None:
    floor = Floor(lambda: 0.0, turn=1)
    floor.hear(speech(1000), None)
    floor.said += ["one two"]
    floor.stop()
    turn = floor.model_turn()
    assert (turn.text, turn.heard, turn.heard_text) == ("one two", 0, "")
