"""How much of a turn was heard, as the person's player reports it."""

from __future__ import annotations

from antiphon.agents.voice.playback import BYTES_PER_MS, TurnPlayback


def speech(ms: int) -> bytes:
    return bytes(ms * BYTES_PER_MS)


def test_reports_are_of_the_whole_turn_and_counted_in_the_utterance_that_is_played() -> None:
    playback = TurnPlayback(lambda: 0.0, turn=1)
    playback.add_speech(speech(3000), "before the call")
    playback.add_speech(speech(5000), "after the call")
    playback.report_played(3500)
    assert playback.played_ms == 500
    playback.report_played(2000)  # still in the one before
    assert playback.played_ms == 0
    playback.report_played(99_000)
    assert playback.played_ms == 5000


def test_what_comes_after_the_stop_was_not_heard() -> None:
    now = [0.0]
    playback = TurnPlayback(lambda: now[0], turn=1)
    playback.add_speech(speech(1000), None)
    playback.said += ["one two", " three four"]
    now[0] = 0.5
    playback.stop()
    now[0] = 2.0
    assert playback.played_ms == 500
    turn = playback.model_turn()
    assert (turn.text, turn.heard, turn.heard_text) == ("one two three four", 7, "one two …")


def test_speech_that_was_stopped_before_its_first_word_was_not_heard_at_all() -> None:
    playback = TurnPlayback(lambda: 0.0, turn=1)
    playback.add_speech(speech(1000), None)
    playback.said += ["one two"]
    playback.stop()
    turn = playback.model_turn()
    assert (turn.text, turn.heard, turn.heard_text) == ("one two", 0, "")
