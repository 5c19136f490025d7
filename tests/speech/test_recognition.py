"""Utterances cut into segments and joined, names corrected, and when a sentence is unfinished."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.speech.helpers import moonshine, noise, silence, together

from antiphon.speech import SpeechError, TurnDetector, TurnRules
from antiphon.speech.babble import without_loops
from antiphon.speech.names import MOST_HINTS, NameCandidates, Names
from antiphon.speech.recognition import SEGMENT_S, SegmentedRecognition, quietest
from antiphon.speech.turn_detection import unfinished

A_SECOND = 32_000


def loud(seconds: float, seed: int = 0) -> bytes:
    """Sound with quiet places in it."""
    size = round(seconds * 16_000)
    rng = np.random.default_rng(seed)
    level = np.repeat(rng.uniform(0.05, 1.0, size // 1_600 + 1), 1_600)[:size]
    return (rng.normal(0, 3_000, size) * level).astype("<i2").tobytes()


class Ears:
    """An engine that writes down how much it hears."""

    def __init__(self) -> None:
        self.heard: list[bytes] = []
        self.fails = False

    def __call__(self, pcm: bytes) -> str:
        if self.fails:
            raise SpeechError("away")
        self.heard.append(pcm)
        return f"{len(pcm)}"


@settings(max_examples=20)
@given(st.floats(0.1, 50), st.integers(1, 200_000), st.integers(0, 3))
def test_where_an_utterance_is_cut_depends_on_its_sound_alone(
    seconds: float, frame: int, seed: int
) -> None:
    pcm = loud(seconds, seed)
    ears = Ears()
    recognition = SegmentedRecognition(ears)
    frame = max(frame, len(pcm) // 300)
    for at in range(0, len(pcm), frame):
        recognition.feed(pcm[at : at + frame])
    text = recognition.finish()

    whole = Ears()
    other = SegmentedRecognition(whole)
    other.feed(pcm)
    assert other.finish() == text
    assert whole.heard == ears.heard
    assert b"".join(ears.heard) == pcm
    assert all(0 < len(segment) <= SEGMENT_S * A_SECOND for segment in ears.heard)


def test_an_utterance_is_cut_where_it_is_quiet() -> None:
    pcm = together(noise(9, 0.2), silence(0.3), noise(3, 0.2))
    assert 9.0 * A_SECOND < quietest(pcm) < 9.3 * A_SECOND


def test_what_was_read_is_not_read_again() -> None:
    ears = Ears()
    recognition = SegmentedRecognition(ears)
    assert recognition.partial() == ""
    recognition.feed(loud(1.0))
    assert recognition.partial() == recognition.partial() == recognition.finish() == "32000"
    assert len(ears.heard) == 1
    recognition.feed(loud(20.0))
    first = recognition.partial()
    recognition.feed(loud(1.0))
    assert recognition.finish().split()[0] == first.split()[0]
    assert len(ears.heard) == 4  # of the segment that was over, only once


def test_a_failure_loses_nothing() -> None:
    ears = Ears()
    recognition = SegmentedRecognition(ears)
    recognition.feed(loud(30.0))
    ears.fails = True
    with pytest.raises(SpeechError):
        recognition.partial()
    ears.fails = False
    recognition.finish()
    assert b"".join(ears.heard) == loud(30.0)


@pytest.mark.parametrize("pcm", [b"", b"\0", bytes(2), bytes(100), bytes(A_SECOND)])
def test_silence_of_any_length_gives_no_words(pcm: bytes) -> None:
    assert moonshine().transcribe(pcm) == ""


@pytest.mark.parametrize("level", [0.001, 0.01, 0.1, 0.5])
def test_noise_gives_few_words_even_without_voice_detection(level: float) -> None:
    assert len(moonshine().transcribe(together(noise(4.0, level))).split()) <= 3


# -- names

NAMES = ("Fram", "Aurora", "Ada Lovelace", "Grace Hopper", "Priya Natarajan", "Kestrel", "Antiphon")


@pytest.mark.parametrize(
    ("heard", "meant"),
    [
        ("Search for Framm.", "Search for Fram."),
        ("search fram", "search Fram"),
        ("Who leads the aurora project?", "Who leads the Aurora project?"),
        ("Call Grace Hoper on Monday.", "Call Grace Hopper on Monday."),
        ("Call Gracehopper.", "Call Grace Hopper."),
        ("It is ada lovelace's idea.", "It is Ada Lovelace's idea."),
        ("Tell me about Antifon.", "Tell me about Antiphon."),
        ("The kestral project.", "The Kestrel project."),
        ("Pria Natarajan, please.", "Priya Natarajan, please."),
    ],
)
def test_a_misheard_name_is_corrected(heard: str, meant: str) -> None:
    assert Names(NAMES).correct(heard) == meant


@pytest.mark.parametrize(
    "text",
    [
        "I come from Berlin.",
        "The frame is broken.",
        "Frame the picture.",
        "We need a program.",
        "What is the aura of a farm?",
        "Hello world, how are you today?",
        "Create a calendar event for tomorrow at nine.",
        "Great, stop her.",
        "",
        "…",
    ],
)
def test_what_is_no_name_stays_as_it_is(text: str) -> None:
    assert Names(NAMES).correct(text) == text


@pytest.mark.parametrize(
    ("heard", "doubted", "meant"),
    [
        ("Search for RAM.", {"ram"}, "Search for Fram."),
        ("Search for RAM.", set(), "Search for RAM."),
        ("Invite Maria to lunch.", {"maria"}, "Invite Maria to lunch."),
        ("invite maria to lunch", {"maria"}, "invite maria to lunch"),
        ("Search for Fran.", {"fran"}, "Search for Fran."),
        ("Grace Harper called.", set(), "Grace Harper called."),
    ],
)
def test_a_word_is_replaced_only_if_it_was_heard_unsurely_and_a_name_never(
    heard: str, doubted: set[str], meant: str
) -> None:
    assert Names([*NAMES, "Mara", "Mara Vance"]).correct(heard, doubted) == meant


def test_two_names_that_are_near_stay_possible() -> None:
    names = Names(["Marion", "Marian"])
    assert names.correct("Ask Marien.") == "Ask Marien."
    assert names.unclear("Ask Marien.") == (NameCandidates("Marien", ("Marion", "Marian")),)
    assert names.unclear("Ask Marian.") == names.unclear("Ask Maria.") == ()


def test_the_beginning_of_a_known_name_is_cut_short() -> None:
    names = Names(["Harbor Light", "Ada Lovelace", "Ada", "The Big Plan"])
    assert names.cut_short("Who leads Harbor")
    assert not any(map(names.cut_short, ["Who leads Harbor Light?", "Ask Ada.", "What is the"]))


def test_hints_that_are_no_names_are_of_no_use() -> None:
    assert Names(["the", "of", "a", "", "12"]).correct("The end of it.") == "The end of it."
    with pytest.raises(SpeechError, match="list of names"):
        SegmentedRecognition(Ears(), "Fram")
    with pytest.raises(SpeechError, match="list of names"):
        Names([7])  # type: ignore[list-item]


def test_more_hints_than_are_looked_at_do_no_harm() -> None:
    many = [f"Name{n}" for n in range(2 * MOST_HINTS)]
    assert Names(many).correct("Ask name7 now.") == "Ask Name7 now."


@given(st.text(max_size=100), st.lists(st.text(max_size=20), max_size=5))
def test_correcting_never_fails(text: str, hints: list[str]) -> None:
    corrected = Names(hints).correct(text)
    assert Names(()).correct(text) == text
    assert isinstance(corrected, str)


# -- loops


@pytest.mark.parametrize(
    "text",
    [
        "the the the the the the the the",
        "I'm not sure. I'm not sure. I'm not sure. I'm not sure.",
        "Hahahahahahahaha.",
        "Well, and then and then and then and then and then",
    ],
)
def test_a_transcript_that_runs_in_circles_is_no_words(text: str) -> None:
    recognition = SegmentedRecognition(lambda pcm: text)
    recognition.feed(loud(1.0))
    assert recognition.partial() == recognition.finish() == ""


def test_a_loop_behind_many_words_is_cut_to_its_first_round() -> None:
    assert (
        without_loops("Please tell me who leads Harbor Light today to you to you to you to you.")
        == "Please tell me who leads Harbor Light today to you"
    )


@pytest.mark.parametrize("text", ["No, no, no, no!", "Bye bye.", "It was the best of times, " * 2])
def test_what_people_repeat_stays(text: str) -> None:
    assert without_loops(text) == text


# -- turns


@pytest.mark.parametrize(
    "text",
    ["", "um", "Send it to", "I want to book a", "Open it and", "Well, um,", "It is because"]
    + ["Let me think...", "Look at the", "Remind me when", "Call my", "and then"]
    + ["Open.", "Can you show me?", "Who leads?", "Where does Kenji?", "What does the word?"]
    + [
        "Is Marta?",
        "How do I get?",
        "How many days of holiday?",
        "Why was the launch?",
        "I want to know.",
        "Remind me to call.",
    ],
)
def test_more_has_to_follow(text: str) -> None:
    assert unfinished(text)


@pytest.mark.parametrize(
    "text",
    ["Yes.", "No", "Stop.", "Open the page.", "Who is it for?", "What time is it?", "Do this"]
    + [
        "Turn it off.",
        "Turn the light on",
        "Where are they?",
        "Tell me more.",
        "Go there",
        "Please",
        "Where is Kenji?",
        "What do I need?",
        "How many days do we have?",
        "Who are you?",
        "Is it open?",
        "What else?",
    ],
)
def test_nothing_has_to_follow(text: str) -> None:
    assert not unfinished(text)


def test_the_rules_of_turns() -> None:
    rules: TurnDetector = TurnRules(
        end_ms=400, speak_ms=600, wait_ms=900, join_ms=1_200, begin_ms=96, barge_in_ms=256
    )
    whole, half = rules.is_complete("Open the page."), rules.is_complete("Open the")
    assert (whole, half) == (True, False)
    assert not rules.ends(384, whole)
    assert rules.ends(416, whole)
    assert not rules.ends(416, half)
    assert rules.ends(928, half)
    assert [rules.yields(ms, whole) for ms in (599, 600)] == [False, True]
    assert [rules.yields(ms, half) for ms in (899, 900)] == [False, True]
    assert [rules.settles(ms, whole) for ms in (1_199, 1_200)] == [False, True]
    assert [rules.settles(ms, half) for ms in (1_699, 1_700)] == [False, True]
    assert rules.begins(96, False)
    assert not rules.begins(96, True)
    assert rules.begins(256, True)
    assert rules.threshold(True) > rules.threshold(False)
    assert rules.earliest_ms == 400


@pytest.mark.parametrize(
    "options",
    [{"threshold": 2}, {"end_ms": 1}, {"wait_ms": "long"}, {"begin_ms": True}, {"barge_in_ms": 0}]
    + [{"speak_ms": 1}, {"join_ms": 0}],
)
def test_rules_out_of_range_are_refused(options: dict[str, object]) -> None:
    with pytest.raises(SpeechError, match=next(iter(options))):
        TurnRules(**options)  # type: ignore[arg-type]
